"""What a link should say after its page, or the page it stands on, has moved.

Each way of naming a page has its counterpart: a path becomes the new path of the same kind (from the top,
relative, ``./``, with or without ``.md``), a name alone stays a name alone where that is still
enough, a slug becomes the new slug, a title the new title. An alias needs no change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from unicodedata import normalize

from .names import folder_of, stem_of, without_ending
from .page import Link
from .slug import fold, slugify

_UNLINKABLE = re.compile(r"[\[\]|#^\r\n]|\{\{|<%|[/\\]\Z|\A[/.]")


def new_target(
    link: Link,
    *,
    via: str,
    old_path: str,
    new_path: str,
    new_title: str | None,
    source_before: str,
    source_after: str,
    unique: Callable[[str], bool],
    ambiguous: tuple[str, ...] = (),
) -> str | None:
    """The target ``link`` needs so that it means ``new_path`` as it meant ``old_path``; None: as it is.

    ``via`` is how it was resolved (:class:`memex_core.model.resolve.Resolution`). ``new_title`` is None
    when the page keeps its title. ``source_before`` and ``source_after`` are the page the link stands
    on; ``old_path`` equals ``new_path`` when only that page moved. ``unique(name)`` says whether, once
    all is done, no page but ``new_path`` answers to ``name`` (a title, a file name with or without
    ``.md``, or the last folders and the file name). ``ambiguous``: the equals among which the nearest was
    meant; when the source moves away, its link gets the folder that keeps the meaning.
    """
    target = link.target.strip()
    if not target or via in ("", "self", "alias", "label"):
        return None
    if old_path == new_path and folder_of(source_before) == folder_of(source_after):
        return None
    written = _Written(target, slug=via == "slug")
    if via == "title" or (via == "slug" and not written.folder and slugify(written.bare) != written.bare):
        return _title(target, old_path, new_path, new_title, unique)
    if via == "namespace":
        found = _namespace(written, new_path, unique)
    elif written.rooted:
        found = "/" + written.named(old_path, new_path, keep=True)
    elif (
        written.dotted
        or via == "relative"
        or (via == "folder" and (written.folder or link.form == "markdown"))
    ):
        found = _relative(link, written, old_path, new_path, source_before, source_after)
    elif not written.folder and link.form != "markdown":
        if old_path == new_path and (via == "path" or not ambiguous):
            return None  # a name alone means the page in the root first, wherever it stands
        if old_path == new_path:
            others = [fold(path) for path in ambiguous if path != new_path]
            found = _longer(written.name, new_path, lambda name: not _ends_any(others, name))
        else:
            found = _bare(written, old_path, new_path, unique)
    elif via == "path":
        found = written.named(old_path, new_path, keep=True)
    else:
        found = _end(written, old_path, new_path, unique)
    found = written.respelt(found)
    return None if found == target else found


class _Written:
    """A target taken apart: how it leads to its page, and in what spelling."""

    def __init__(self, target: str, *, slug: bool) -> None:
        self.slug = slug
        self.back_slashes = "\\" in target and "/" not in target
        path = target.replace("\\", "/")
        self.trailing = path.endswith("/") and len(path) > 1
        self.path = path.rstrip("/") or path
        self.rooted = self.path.startswith("/")
        self.dotted = self.path.startswith(("./", "../"))
        self.folder = folder_of(self.path)
        self.name = self.path[self.path.rfind("/") + 1 :]
        self.bare = without_ending(self.name)
        self.ending = self.name[len(self.bare) :]

    def file_name(self, path: str) -> str:
        """File name or slug of the page at ``path``, with an ending where this target has one."""
        if self.slug:
            return slugify(stem_of(path)) + self.ending
        name = path[path.rfind("/") + 1 :]
        return name if self.ending or name == without_ending(name) else without_ending(name)

    def named(self, old_path: str, new_path: str, *, keep: bool) -> str:
        """``new_path`` from the top; ``keep`` the folder as written where it did not change."""
        name = self.file_name(new_path)
        folder = folder_of(new_path)
        if keep and folder == folder_of(old_path):
            folder = self.folder.lstrip("/") if self.rooted else self.folder
        return f"{folder}/{name}" if folder else name

    def respelt(self, found: str) -> str:
        found += "/" if self.trailing and not found.endswith("/") else ""
        return found.replace("/", "\\") if self.back_slashes else found


def _title(
    target: str, old_path: str, new_path: str, new_title: str | None, unique: Callable[[str], bool]
) -> str | None:
    """The new title, or what else names the page when a link cannot hold the title."""
    if new_title is None and slugify(stem_of(old_path)) == slugify(stem_of(new_path)):
        return None  # nothing it was found by has changed
    title = (new_title or "").strip()
    if title and fold(title) == fold(target):
        return None
    if title and not _UNLINKABLE.search(title) and unique(title):
        return title
    return _shortest(stem_of(new_path), new_path, unique)


def _bare(written: _Written, old_path: str, new_path: str, unique: Callable[[str], bool]) -> str:
    """A name alone, with as much of its folder as it takes to mean one page."""
    name = written.name
    if old_path != new_path:
        new = written.file_name(new_path)
        if fold(new) != fold(name) or normalize("NFC", name) == normalize("NFC", written.file_name(old_path)):
            name = new
    return _shortest(name, new_path, unique)


def _shortest(name: str, path: str, unique: Callable[[str], bool]) -> str:
    if unique(name):
        return name
    if "/" not in path:  # a file name alone means the page in the root first
        return name if fold(without_ending(name)) == fold(stem_of(path)) else stem_of(path)
    return _longer(name, path, unique)


def _longer(name: str, path: str, unique: Callable[[str], bool]) -> str:
    """``name`` below as many folders of ``path`` as make it unique."""
    parts = folder_of(path).split("/") if "/" in path else []
    while parts:
        name = f"{parts.pop()}/{name}"
        if unique(name):
            break
    return name


def _ends_any(folded: list[str], name: str) -> bool:
    ending = "/" + fold(without_ending(name))
    return any(("/" + without_ending(path)).endswith(ending) for path in folded)


def _end(written: _Written, old_path: str, new_path: str, unique: Callable[[str], bool]) -> str:
    """The end of a path: as many folders as were written, more if they do not suffice."""
    name = written.file_name(new_path)
    if folder_of(old_path) == folder_of(new_path):
        found = f"{written.folder}/{name}" if written.folder else name
        if unique(found):
            return found
    parts = new_path.split("/")[:-1]
    count = written.folder.count("/") + 1 if written.folder else 0
    found = "/".join([*parts[len(parts) - min(count, len(parts)) :], name])
    return found if unique(found) else "/".join([*parts, name])


def _namespace(written: _Written, new_path: str, unique: Callable[[str], bool]) -> str:
    stem = stem_of(new_path)
    for separator in ("___", "."):
        if separator in stem:
            return stem.replace(separator, "/") + written.ending
    return _shortest(stem + written.ending, new_path, unique)


def _relative(
    link: Link, written: _Written, old_path: str, new_path: str, source_before: str, source_after: str
) -> str:
    """The way from the source's folder, ``./`` kept where it stood."""
    name = written.file_name(new_path)
    home, here = folder_of(new_path), folder_of(source_after)
    if home == folder_of(old_path) and here == folder_of(source_before):
        return f"{written.folder}/{name}" if written.folder else name
    there, start = home.split("/") if home else [], here.split("/") if here else []
    common = 0
    while common < min(len(there), len(start)) and there[common] == start[common]:
        common += 1
    way = "/".join([*[".."] * (len(start) - common), *there[common:], name])
    if way.startswith("../"):
        return way
    dot = written.path.startswith("./") or link.form != "markdown"
    return f"./{way}" if dot else way
