"""Item files: what is true now, an item a ``## name`` section of ``wiki/<file>.md``.

The serialization is the diary's: a heading, the text, and a line that says who, from where and when.
Reading takes whatever a person makes of it; writing an item leaves every other byte of its file as it
was. Of two items with one name the last counts, and the next write drops the others.
"""

from __future__ import annotations

import os
import re
from itertools import zip_longest
from typing import NamedTuple

from memex_core.files import atomic, provenance
from memex_core.files.ignore import is_page_name
from memex_core.files.layout import Layout
from memex_core.files.lock import StoreLock
from memex_core.model.errors import Refused

_SECTION = re.compile(r"(?:\A\ufeff|^)##[ \t]+(\S[^\r\n]*)\r?$", re.MULTILINE)
_SECTION_LINE = re.compile(r"^(\\*)(##[ \t]+\S)", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(\\*##[ \t]+\S)", re.MULTILINE)
_BOM = "\ufeff"


class Item(NamedTuple):
    """One item: ``file`` without ``.md``, ``name`` with single spaces; ``line`` of its heading, from 1."""

    file: str
    name: str
    content: str
    said: provenance.Provenance = provenance.Provenance()
    line: int = 0


class _Section(NamedTuple):
    name: str
    start: int
    end: int
    body: int


def one_space(name: str) -> str:
    """``name`` as names are compared: every run of white space one space, none at the ends."""
    return " ".join(name.split())


def files(layout: Layout) -> list[str]:
    """The names of the item files, sorted; empty without a folder for them."""
    try:
        with os.scandir(layout.pages) as there:
            names = [entry.name for entry in there if entry.name.endswith(".md") and entry.is_file()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(name[:-3] for name in names if is_page_name(name, folder=True))


def read(layout: Layout, file: str) -> list[Item]:
    """The items of one file in its order; empty without such a file."""
    data = _bytes(layout, file)
    return list(last_wins(parse(data, file)).values()) if data else []


def put(layout: Layout, item: Item) -> bool:
    """Add the item to its file, or put it in place of the one with its name: then True."""
    try:
        os.makedirs(layout.pages, exist_ok=True)
    except OSError as error:
        raise atomic.failure(layout.pages, error) from error
    with StoreLock(layout.lock):
        data = _bytes(layout, item.file)
        there = any(one.name == item.name for one in parse(data, item.file))
        atomic.write(_path(layout, item.file), with_item(data, item))
    return there


def take(layout: Layout, file: str, name: str) -> bool:
    """Remove an item, and its file with the last one; False when there is no such item."""
    if not _bytes(layout, file):
        return False
    with StoreLock(layout.lock):
        data = _bytes(layout, file)
        left = without_item(data, name)
        if left == data:
            return False
        path = _path(layout, file)
        if left:
            atomic.write(path, left)
        else:
            try:
                os.unlink(path)
            except OSError as error:
                raise atomic.failure(path, error) from error
            atomic.sync_folders([path])
    return True


# -- one file ----------------------------------------------------------------------------------


def parse(data: bytes, file: str) -> list[Item]:
    """All items of a file, each as often as it stands there. Text above the first belongs to none."""
    text = data.decode("utf-8", "replace")
    out = []
    line, counted = 1, 0
    for section in _sections(text):
        line += text.count("\n", counted, section.start)
        counted = section.start
        body = text[section.body : section.end].replace("\r\n", "\n")
        content, said = provenance.parted(body)
        out.append(Item(file, section.name, _ESCAPED.sub(r"\1", content).strip(), said, line))
    return out


def links_to(path: str, data: bytes) -> list[str]:
    """What links say that lead to an item file as a page: its name with each of its items'."""
    stem = path[path.rfind("/") + 1 :].removesuffix(".md")
    return [f"{stem}:{name}" for name in last_wins(parse(data, stem))]


def last_wins(items: list[Item]) -> dict[str, Item]:
    """The items by name, in the order of their first headings."""
    return {item.name: item for item in items}


def render(item: Item) -> str:
    """An item's section. A line of its text that reads as a heading gets a backslash before it."""
    content = _SECTION_LINE.sub(r"\\\1\2", item.content)
    comment = provenance.line_of(item.said)
    return "\n\n".join(part for part in (f"## {item.name}", content, comment) if part) + "\n"


def with_item(data: bytes, item: Item) -> bytes:
    """The file with the item in place of the one with its name, else at the end."""
    return _changed(data, item.name, item)


def without_item(data: bytes, name: str) -> bytes:
    """The file without the item; empty when it was the last, ``data`` itself when there is none."""
    names = {section.name for section in _sections(_text(data))}
    if name not in names:
        return data
    return _changed(data, name, None) if len(names) > 1 else b""


def _changed(data: bytes, name: str, item: Item | None) -> bytes:
    text = _text(data)
    newline = "\r\n" if "\r\n" in text else "\n"
    sections = _sections(text)
    kept = {section.name: text[section.start : section.end] for section in sections}
    moved = len(kept) < len(sections)  # what stood between them is gone
    out = text[: sections[0].start] if sections else text
    if item is not None:
        if not text.strip():
            out = f"# {item.file}{newline}"
        kept[name] = render(item).replace("\n", newline)
    else:
        kept.pop(name, None)
    before = name if not sections else ""
    for known, piece in kept.items():
        gap = 2 if moved or name in (known, before) else 1
        out += newline * max(0, gap - _line_ends(out)) + piece
        before = known
    if item is None and sections[-1].name == name and _line_ends(out) == 2:
        out = out.removesuffix("\n").removesuffix("\r")  # it parted the last two
    return out.encode("utf-8", "surrogateescape")


def _line_ends(text: str) -> int:
    tail = text[-4:].replace("\r\n", "\n")
    return 2 if tail.endswith("\n\n") or text in ("", _BOM) else tail.endswith("\n")


def _sections(text: str) -> list[_Section]:
    found = list(_SECTION.finditer(text))
    return [
        _Section(
            one_space(match[1]),
            match.start() + match[0].startswith(_BOM),  # the mark is the file's
            after.start() if after else len(text),
            match.end(),
        )
        for match, after in zip_longest(found, found[1:])
    ]


def _text(data: bytes) -> str:
    """A file's text from which its bytes can be made again."""
    return data.decode("utf-8", "surrogateescape")


def _path(layout: Layout, file: str) -> str:
    if "/" in file:
        raise Refused(f"{file!r} is no item file", hint="name it without folders")
    return atomic.inside(layout.pages, f"{file}.md")


def _bytes(layout: Layout, file: str) -> bytes:
    try:
        return atomic.read_file(_path(layout, file))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, Refused):
        return b""
