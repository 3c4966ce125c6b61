"""What a project is called: a name that people know it by, and a short hash of where it comes from.

The remote of a repository is read, never kept: of ``https://user:token@example.org/ann/shop.git`` the name
``shop`` and a hash of ``example.org/ann/shop`` remain, and the ssh form of the same remote has the same.
"""

from __future__ import annotations

import re

from .slug import slugify

_HOSTS_WITHOUT_CASE = frozenset(("github.com", "gitlab.com", "bitbucket.org", "codeberg.org"))
# Patterns as text: compiled when used, since every hook pays for what is compiled at import.
_URL = r"(?i)[a-z][a-z0-9+.-]*://(?:[^/@]*@)?(?P<host>\[[^\]]*\]|[^/:@]*)(?::\d*)?(?P<path>/.*)?\Z"
_SHORT = r"(?:[^/@:]+@)?(?P<host>[^/@:]{2,}):(?!//)(?P<path>[^:].*)\Z"
_DRIVE = r"[A-Za-z]:[\\/]"
_HASH = 8  # hex digits
_ID = rf"(?P<name>.+)-[0-9a-f]{{{_HASH}}}\Z"


def normal_origin(remote: str) -> str:
    """``host/path`` of a git remote, the same for each of its spellings; a local one is its path alone.

    Scheme, user, password, port, ``.git`` and slashes at the end are gone. Empty for what is no remote.
    """
    text = remote.strip()
    found = re.match(_URL, text) or (None if re.match(_DRIVE, text) else re.match(_SHORT, text))
    if found is None:
        host, path = "", text.replace("\\", "/")
    else:
        host, path = found["host"].lower(), found["path"] or ""
        path = re.split(r"[?#]", path, maxsplit=1)[0]
    path = re.sub(r"/{2,}", "/", path).rstrip("/").removesuffix(".git").rstrip("/")
    if host in _HOSTS_WITHOUT_CASE:
        path = path.lower()
    path = path.lstrip("/") if host else path
    return f"{host}/{path}" if host and path else path


def project_id(name: str, place: str) -> str:
    """The project's id: its name as a slug, and a hash of ``place``. Empty when the name says nothing."""
    try:
        from _blake2 import blake2b  # type: ignore[import-not-found, unused-ignore]  # hashlib loads OpenSSL
    except ImportError:
        from hashlib import blake2b

    word = slugify(name) if re.search(r"\w", name) else ""
    if not word or word == "unknown":
        return ""
    mark = blake2b(place.encode("utf-8", "surrogateescape"), digest_size=_HASH // 2).hexdigest()
    return f"{word[: 63 - _HASH].rstrip('-')}-{mark}"


def name_of(project: str) -> str:
    """The name that people know a project by: its id without the hash."""
    found = re.match(_ID, project)
    return found["name"] if found else project


def same_project(named: str, said: str, *, root: str = "") -> bool:
    """Whether ``said``, what a page, rule or conversation calls its project, is the one that ``named`` means.

    Both may be an id, a name or a folder. A folder is the project's if its last name is the project's, or if
    it is ``named`` or ``root`` (the project's own folder, where that is known) or below. Of two ids each is
    another project, whatever their names.
    """
    asked, here, home = (text.replace("\\", "/").rstrip("/").casefold() for text in (named, said, root))
    if not asked or not here:
        return False
    if asked == here or (home and f"{here}/".startswith(f"{home}/")):
        return True
    name, other = name_of(asked), name_of(here)
    if name != asked and other != here:
        return False
    if "/" in asked:
        return here.startswith(f"{asked}/")
    last = last_part(here)
    return name in (other, last) or (name != asked and slugify(last) == name)


def last_part(place: str) -> str:
    """The last name of a path or ``host/path``."""
    return place.rstrip("/").rpartition("/")[2]
