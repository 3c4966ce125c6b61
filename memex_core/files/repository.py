"""The project that a folder belongs to, read from its files: git itself is never run."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import os
from typing import NamedTuple

from memex_core.files.opening import regular

_LARGEST = 1 << 20  # bytes of a configuration that are read


class Project(NamedTuple):
    """``id`` is empty where the folder is no project. ``name`` is what people call it, ``root`` its folder,
    ``branch`` the one checked out (empty: none, or a commit), ``main`` the main one, ``default`` whether
    that is checked out.
    ``reason``: ``origin`` and ``path`` say what the id is made of, in and out of git; ``none``."""

    id: str = ""
    name: str = ""
    root: str = ""
    branch: str = ""
    default: bool = False
    reason: str = "none"
    git: bool = False
    main: str = ""


def project_of(folder: str) -> Project:
    """The project of ``folder``: of its repository, else of the folder itself.

    The root of the file system, the home folder and the one for temporary files are no projects, and
    below the last one only repositories are. Worktrees of a repository are one project.
    """
    from memex_core.model.identity import last_part, normal_origin, project_id

    folder = os.path.realpath(folder)
    root, git = _repository(folder)
    if not git:
        if not os.path.isdir(folder) or _nowhere(folder) or _temporary(folder):
            return Project()
        name = os.path.basename(folder)
        made = project_id(name, folder)
        return Project(made, name, folder, reason="path") if made else Project()
    common = _common(git)
    origin = normal_origin(_origin(common))
    branch = _branch(git)
    main = _default_branch(common)
    default = bool(branch) and branch == main
    if origin:
        name, place, reason = last_part(origin), origin, "origin"
    else:
        main = os.path.dirname(common) if os.path.basename(common) == ".git" else root
        name, place, reason = os.path.basename(main), main, "path"
    made = project_id(name, place)
    return Project(made, name, root, branch, default, reason, True, main) if made else Project()


def _repository(folder: str) -> tuple[str, str]:
    """The folder in which the work tree lies, and its git folder; both empty outside of any."""
    here = folder
    while True:
        git = _git_folder(os.path.join(here, ".git"))
        if git and not _nowhere(here):
            return here, git
        parent = os.path.dirname(here)
        if parent == here:
            return "", ""
        here = parent


def _git_folder(mark: str) -> str:
    """The folder that ``.git`` is, or that the file of this name points to."""
    if os.path.isdir(mark):
        return mark if os.path.exists(os.path.join(mark, "HEAD")) else ""
    said = _text(mark)
    if not said.startswith("gitdir:"):
        return ""
    named = said[7:].split("\n", 1)[0].strip()
    found = os.path.realpath(os.path.join(os.path.dirname(mark), named))
    return found if os.path.exists(os.path.join(found, "HEAD")) else ""


def _common(git: str) -> str:
    """The git folder that a worktree shares with the others."""
    said = _text(os.path.join(git, "commondir")).strip()
    return os.path.realpath(os.path.join(git, said)) if said else git


def _origin(common: str) -> str:
    """The address of ``origin``, or of the only remote."""
    urls: dict[str, str] = {}
    remote = ""
    for line in _text(os.path.join(common, "config")).split("\n"):
        line = line.strip()
        if line.startswith("["):
            head = line[1:].partition("]")[0].strip()
            kind, _, name = head.partition(" ")
            remote = name.strip().strip('"') if kind.lower() == "remote" else ""
        elif remote:
            key, equals, value = line.partition("=")
            if equals and key.strip().lower() == "url":
                urls.setdefault(remote, _value(value))
    if "origin" in urls:
        return urls["origin"]
    return next(iter(urls.values())) if len(urls) == 1 else ""


def _value(text: str) -> str:
    text = text.strip()
    if text.startswith('"'):
        return text[1:].partition('"')[0]
    for mark in (" #", " ;", "\t#", "\t;"):
        text = text.partition(mark)[0]
    return text.strip()


def _branch(git: str) -> str:
    """The branch in ``HEAD``; empty at a commit, and where branches are kept in another format."""
    said = _text(os.path.join(git, "HEAD")).strip()
    if not said.startswith("ref: refs/heads/"):
        return ""
    name = said[len("ref: refs/heads/") :]
    return "" if name == ".invalid" else name


def _default_branch(common: str) -> str:
    said = _text(os.path.join(common, "refs", "remotes", "origin", "HEAD")).strip()
    if said.startswith("ref: refs/remotes/origin/"):
        return said[len("ref: refs/remotes/origin/") :]
    packed = _text(os.path.join(common, "packed-refs"))
    for name in ("main", "master"):
        if os.path.exists(os.path.join(common, "refs", "heads", name)) or f" refs/heads/{name}\n" in packed:
            return name
    return "main"


def _nowhere(folder: str) -> bool:
    home = os.path.realpath(os.path.expanduser("~"))
    return folder in (os.path.dirname(folder), home, *_temporary_folders())


def _temporary(folder: str) -> bool:
    return any(folder.startswith(place + os.sep) for place in _temporary_folders())


def _temporary_folders() -> list[str]:
    named = [os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")]
    return [os.path.realpath(place) for place in (*named, "/tmp", "/var/tmp") if place]


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", opener=regular) as file:
            return file.read(_LARGEST)
    except OSError:
        return ""
