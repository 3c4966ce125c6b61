"""From what a link says to the page or file it means: the one order in which names are tried.

1. nothing: the page itself
2. a path: ``/from/the/top``, ``./`` and ``../`` from the source's folder, else from the top and from the
   source's folder (a Markdown link: the other way round, as everywhere else), with ``.md`` added
3. a file name alone, or the end of a path (``Food/Soup`` for ``Kitchen/Food/Soup.md``)
4. slug, alias, title; a namespace (``Tide/Tables`` for ``Tide___Tables.md`` and ``tide.tables.md``)
5. label first (``[[our soup|food.soup]]``), when the caller gives the alias

Letter case and Unicode composition never matter. Of several equals the nearest folder wins, then the
shortest path, then the alphabet, and all are reported. Nothing outside the root is ever meant.
"""

from __future__ import annotations

from typing import NamedTuple

from .names import (
    KEY_LENGTH,
    PAGE_ENDINGS,
    Names,
    NameTable,
    folder_of,
    key_of_target,
    keys_of,
    keys_of_asset,
    squash,
    stem_of,
    without_ending,
)
from .slug import fold, slugify

__all__ = [
    "NOWHERE",
    "NameTable",
    "Names",
    "Resolution",
    "Resolver",
    "answers_alone",
    "key_of_target",
    "keys_of",
    "keys_of_asset",
    "label_target",
    "resolve",
]

MOST_CANDIDATES = 50
"""So many equals are named; a folder-per-language site may have thousands of ``index`` pages."""


class Resolution(NamedTuple):
    """``path`` of the page or file meant, None when there is none (yet).

    ``ambiguous``: all equals, the chosen first, when the name alone does not decide. ``via``: ``self``
    ``path`` ``relative`` ``folder`` ``stem`` ``suffix`` ``asset`` ``slug`` ``alias`` ``title``
    ``namespace`` ``label``, or empty.
    """

    path: str | None
    ambiguous: tuple[str, ...] = ()
    via: str = ""


NOWHERE = Resolution(None)


def resolve(
    target: str, form: str, source_path: str, names: Names, *, alias: str | None = None
) -> Resolution:
    """What ``target`` in a link of that ``form`` on the page ``source_path`` means.

    ``target`` is decoded (:func:`memex_core.model.links.find_links` does that). ``alias``: the link's
    shown text, tried as target last.
    """
    text = target.strip()
    if not text:
        return Resolution(source_path, (), "self")
    wanted = text.replace("\\", "/") if "\\" in text else text
    wanted = wanted.rstrip("/") or wanted
    folder = folder_of(source_path)
    if _leaves(wanted, form, folder):
        return _by_full_name(text, folder, names) or NOWHERE
    found = (
        _by_place(wanted, form, folder, names)
        or _by_slug(wanted, folder, names)
        or _by_full_name(text, folder, names)
        or _by_namespace(wanted, folder, names)
    )
    if found is None and alias and form in ("wiki", "front-matter") and (other := label_target(alias)):
        again = resolve(other, form, source_path, names)
        if again.via in ("path", "folder", "stem", "suffix", "relative"):
            return again._replace(via="label")
    return found or NOWHERE


def label_target(alias: str) -> str | None:
    """The target if ``[[label|target]]`` has its parts the other way round, as Dendron writes it.

    Only a dotted or slashed word can be one: the shown text of an ordinary link is prose.
    """
    alias = alias.strip()
    hierarchical = "." in alias.strip(".") or "/" in alias.strip("/")
    return alias if hierarchical and not any(char.isspace() for char in alias) else None


def answers_alone(name: str, paths: tuple[str, ...], names: Names) -> bool:
    """Would a link ``[[name]]`` mean one of ``paths`` or nothing yet, from wherever it is written?

    This is the ``unique`` that rewriting asks for: with the names before a move, ``paths`` are the
    old and the new path.
    """
    found = resolve(name, "wiki", "", names)
    return (found.path is None or found.path in paths) and not set(found.ambiguous) - set(paths)


class Resolver:
    """:func:`resolve` with a memory, for many links over names that do not change meanwhile."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._known: dict[tuple[str, str, bool], Resolution] = {}

    def resolve(self, target: str, form: str, source_path: str, *, alias: str | None = None) -> Resolution:
        """As the function of that name."""
        if not target or target.isspace():
            return Resolution(source_path, (), "self")
        key = (target, folder_of(source_path), form == "markdown")
        found = self._known.get(key)
        if found is None:
            if len(self._known) > 200_000:
                self._known.clear()
            found = self._known[key] = resolve(target, form, source_path, self._names)
        if found.path is None and alias and label_target(alias):
            return resolve(target, form, source_path, self._names, alias=alias)
        return found


def _by_place(wanted: str, form: str, folder: str, names: Names) -> Resolution | None:
    """Steps 2 and 3: the target read as a path, a file name or the end of a path."""
    if wanted[wanted.rfind("/") + 1 :] in (".", ".."):
        return None  # a folder
    rooted = wanted.startswith("/")
    dotted = wanted.startswith(("./", "../"))
    if rooted or dotted:
        path = _join("" if rooted else folder, wanted.lstrip("/") if rooted else wanted)
        found = _at(path, names, "path" if rooted else "relative")
        return found or _by_end(_rest(wanted), folder, names)
    if form == "markdown":
        found = _at(_join(folder, wanted), names, "folder")
        if found is None and folder:
            found = _at(_join("", wanted), names, "path")
        return found or _by_end(_rest(wanted), folder, names)
    if "/" not in wanted:
        return _by_file_name(wanted, folder, names)
    found = _at(_join("", wanted), names, "path")
    if found is None and folder:
        found = _at(_join(folder, wanted), names, "folder")
    return found or _by_end(_rest(wanted), folder, names)


def _by_slug(wanted: str, folder: str, names: Names) -> Resolution | None:
    """The page whose slug the last part of the target has; not ``index-page`` for a wanted ``index``."""
    last = without_ending(wanted[wanted.rfind("/") + 1 :])
    slug, plain = slugify(last), squash(last)
    if not plain or squash(slug)[:KEY_LENGTH] != plain[:KEY_LENGTH]:
        return None
    paths = names.slug(slug)
    if paths and "/" in wanted:
        home = fold(folder_of(_rest(wanted)))
        paths = [path for path in paths if _ends(fold(folder_of(path)), home)]
    return _choose(paths, last, folder, "slug") if paths else None


def _by_full_name(text: str, folder: str, names: Names) -> Resolution | None:
    """The page with that alias or title, slashes and all."""
    name = fold(text)
    paths = names.alias(name)
    if paths:
        return _choose(paths, text, folder, "alias")
    paths = names.title(name)
    return _choose(paths, text, folder, "title") if paths else None


def _by_namespace(wanted: str, folder: str, names: Names) -> Resolution | None:
    """``a/b`` as the file name ``a___b`` (Logseq) or ``a.b`` (Dendron)."""
    if "/" not in wanted or wanted.startswith(("/", ".")):
        return None
    whole = without_ending(wanted)
    last = whole[whole.rfind("/") + 1 :]
    for separator in ("___", "."):
        if separator not in last:
            paths = names.stem(fold(whole.replace("/", separator)))
            if paths:
                return _choose(paths, last, folder, "namespace")
    return None


def _leaves(wanted: str, form: str, folder: str) -> bool:
    """Does the path lead out of the root?"""
    if ".." not in wanted:
        return False
    relative = not wanted.startswith("/") and (form == "markdown" or wanted.startswith("."))
    return not _join(folder if relative else "", wanted.lstrip("/"))


def _join(folder: str, path: str) -> str:
    """``path`` from ``folder``, with ``.`` and ``..`` worked off; empty when it leaves the root."""
    if "/." not in path and not path.startswith(".") and "//" not in path:
        return f"{folder}/{path}" if folder else path
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def _rest(wanted: str) -> str:
    """``wanted`` without what leads to its place: ``../Food/Soup`` → ``Food/Soup``."""
    parts = [part for part in wanted.split("/") if part not in ("", ".", "..")]
    return "/".join(parts)


def _at(path: str, names: Names, via: str) -> Resolution | None:
    """The page or file at exactly that path, ``.md`` added where it lacks."""
    if not path:
        return None
    folded = fold(path)
    paths: list[str] = []
    if folded.endswith(PAGE_ENDINGS):
        paths = names.exact(folded)
    paths = paths or names.exact(folded + ".md") or names.asset(folded)
    if len(paths) < 2:
        return Resolution(paths[0], (), via) if paths else None
    return _choose(paths, path, folder_of(path), via)


def _by_file_name(wanted: str, folder: str, names: Names) -> Resolution | None:
    """A name without folders: the page in the root, in the source's folder, or the nearest one."""
    folded = fold(wanted)
    bare = without_ending(folded)
    paths = names.stem(bare) or (names.stem(folded) if bare != folded else [])
    if not paths and "." in wanted:
        paths = names.asset_name(folded)
        if paths:
            return _choose(paths, wanted, folder, "asset")
    return _choose(paths, without_ending(wanted), folder, "stem") if paths else None


def _by_end(wanted: str, folder: str, names: Names) -> Resolution | None:
    """The pages, or else other files, whose path ends in ``wanted``."""
    if not wanted:
        return None
    folded = fold(wanted)
    last = folded[folded.rfind("/") + 1 :]
    bare, home = without_ending(last), folder_of(folded)
    via = "suffix" if home else "stem"
    paths = names.stem(bare) or (names.stem(last) if bare != last else [])
    if home:
        paths = [path for path in paths if _ends(fold(folder_of(path)), home)]
    if not paths and "." in last:
        paths = [path for path in names.asset_name(last) if not home or _ends(fold(folder_of(path)), home)]
        via = "asset"
    return _choose(paths, stem_of(wanted), folder, via) if paths else None


def _ends(folder: str, home: str) -> bool:
    return not home or folder == home or folder.endswith("/" + home)


def _choose(paths: list[str], name: str, folder: str, via: str) -> Resolution:
    """Of equals the nearest; a root page for a bare name first, since that is its exact path."""
    if len(paths) == 1:
        path = paths[0]
        if via == "stem":
            home = folder_of(path)
            via = "path" if not home else "folder" if home == folder else via
        return Resolution(path, (), via)
    from unicodedata import normalize

    written = normalize("NFC", name)
    exact_first = via in ("stem", "asset")
    here = folder.split("/") if folder else []

    def rank(path: str) -> tuple[bool, int, bool, int, int, str, str]:
        home = folder_of(path)
        other_case = not _written_so(normalize("NFC", path), written)
        below_root = bool(home) if exact_first else False
        return below_root, _distance(here, home), other_case, path.count("/"), len(path), fold(path), path

    ordered = sorted(paths, key=rank)
    first = ordered[0]
    twins = {path for path in ordered[1:] if fold(path) == fold(first)}
    if twins and _written_so(normalize("NFC", first), written):
        ordered = [path for path in ordered if path not in twins]  # the letter case decides
    if via == "stem":
        home = folder_of(first)
        via = "path" if not home else "folder" if home == folder else via
    return Resolution(first, tuple(ordered[:MOST_CANDIDATES]) if len(ordered) > 1 else (), via)


def _written_so(path: str, name: str) -> bool:
    """Is ``name``, letter by letter, the end of ``path`` with or without its ending?"""
    return any(known == name or known.endswith("/" + name) for known in (path, without_ending(path)))


def _distance(here: list[str], folder: str) -> int:
    """Steps up and down between two folders."""
    there = folder.split("/") if folder else []
    common = 0
    for one, other in zip(here, there, strict=False):
        if one != other:
            break
        common += 1
    return len(here) + len(there) - 2 * common
