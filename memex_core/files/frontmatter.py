"""Front matter: where it begins and ends, and what it says. Reading never fails on content.

A block opens only at the first byte (behind a byte order mark) with a line ``---`` and ends at the
next line ``---`` or ``...``; blanks may follow the marks. What stands between is a map, or the page
has no front matter: two rules around prose are prose. ``+++`` does the same for TOML, and leading
``key:: value`` lines are Logseq's page properties.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from memex_core.files import fastyaml, json_front
from memex_core.files.decoding import BOM, dominant_newline, line_count, lines, raw_text, readable, unix
from memex_core.model.errors import BadInput
from memex_core.model.page import Problem, Value

MAX_BLOCK = 512 * 1024
"""Bytes between two fences above which the page counts as having no front matter."""

_OPEN = re.compile(rb"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)")
_CLOSE = {
    b"---": re.compile(rb"[\r\n](?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)"),
    b"+++": re.compile(rb"[\r\n]\+\+\+[ \t]*(?:\r\n|\r|\n|\Z)"),
}
_LOGSEQ = re.compile(rb"[^\s:\[\](){}#>*`'\"-][^:\r\n]{0,200}::(?:[ \t]|[\r\n]|\Z)")
_TO_FILL_IN = re.compile(r"\{\{(?:(?!\{\{|\}\}).)*\}\}|<%(?:(?!<%|%>).)*%>", re.DOTALL)
"""What a template leaves to Obsidian, Templater, Hugo …: a value, or lines of a script."""

_ON_ITS_OWN = re.compile(rf"^[ \t]*(?:{_TO_FILL_IN.pattern})[ \t]*\n", re.DOTALL | re.MULTILINE)

_HEADING = re.compile(r"[ \t]*\n\s*#{1,6} ")
"""A blank line, then a heading: so far from the fence it is no comment, but a page's first words."""

_KEY_LINE = re.compile(rb"[^\s:\-#][^:\r\n]{0,60}:(?:[ \t\r\n]|\Z)")


@dataclass(slots=True)
class FrontMatter:
    """A file's bytes taken apart. ``kind`` is ``none``, ``yaml``, ``toml``, ``logseq`` or ``error``.

    ``error`` means: a block is there, meant as front matter, and does not parse; ``fields`` then
    hold what a line by line reading finds, and ``problems`` say where it breaks (in a template, whose
    ``{{date}}`` is YAML only once it is filled in, as a note). ``body`` is the
    text behind the block with every line end as ``\\n``. Offsets count bytes of the file,
    ``block_start`` and ``block_end`` those of ``text``, the lines between the fences.
    """

    kind: str = "none"
    fields: dict[str, Value] = field(default_factory=dict)
    body: str = ""
    body_offset: int = 0
    body_line: int = 1
    newline: str = "\n"
    bom: bool = False
    problems: list[Problem] = field(default_factory=list)
    text: str = ""
    block_start: int = 0
    block_end: int = 0


class KeySpan(NamedTuple):
    """The bytes of a top-level key and its value in the file.

    ``start`` is the key, ``colon_end`` just behind its colon, ``value_start`` to ``end`` the value
    without a comment behind it, ``line_end`` behind the line end of its last line. ``style``,
    ``column`` and ``item`` as in :class:`memex_core.files.fastyaml.Entry`.
    """

    key: str
    start: int
    colon_end: int
    value_start: int
    end: int
    line_end: int
    style: str
    column: int
    item: int


def read(data: bytes) -> FrontMatter:
    """Take a file's bytes apart. Never raises; what is odd is listed in ``problems``."""
    found = FrontMatter(bom=data.startswith(BOM), newline=dominant_newline(data))
    start = len(BOM) if found.bom else 0
    opening = _OPEN.match(data, start)
    if opening is not None:
        _block(data, opening, found)
    elif _LOGSEQ.match(data, start):
        _properties(data, start, found)
    if found.kind == "none":
        found.body_offset = start
    found.body_line = 1 + line_count(data[: found.body_offset])
    found.body, bad = readable(data[found.body_offset :])
    if bad >= 0:
        _not_utf8(data, found.body_offset + bad, found)
    return found


def read_value(text: str) -> Value:
    """One value written as YAML (``[a, b]``, ``{by: x}``, a scalar). Raises BadInput when it is none."""
    from memex_core.files import yamlread

    try:
        return yamlread.load(unix(text)).value
    except yamlread.YamlError as error:
        raise BadInput(f"{text!r} is no YAML: {error.message}", hint="put text in quotes") from None


def _block(data: bytes, opening: re.Match[bytes], found: FrontMatter) -> None:
    fence = opening[1]
    begin = opening.end()
    closing = _closing(data, fence, begin - 1)  # from the line end: the block may be empty
    if closing is None:
        if _KEY_LINE.match(data, begin):
            found.problems.append(Problem("front matter is not closed: read as text", 1, 1))
        return
    end = max(begin, closing.start() + (2 if data[closing.start() : closing.start() + 2] == b"\r\n" else 1))
    if end - begin > MAX_BLOCK:
        found.problems.append(Problem(f"front matter is over {MAX_BLOCK // 1024} KiB: read as text", 1, 1))
        return
    found.text, bad = readable(data[begin:end])
    first_line = 2
    if fence == b"+++":
        _toml(found, first_line)
    else:
        _yaml(found, first_line)
    if found.kind == "none":
        found.text = ""
        return
    if bad >= 0:
        _not_utf8(data, begin + bad, found)
    found.block_start, found.block_end = begin, end
    found.body_offset = closing.end()


def _closing(data: bytes, fence: bytes, start: int) -> re.Match[bytes] | None:
    """The closing line: where the bytes alone show that nothing closes the block before, without a scan."""
    at = data.find(b"\n" + fence, start)
    if at >= 0 and data.find(b"\n...", start, at) < 0 and data.find(b"\r", start, at) < 0:
        start = at
    return _CLOSE[fence].search(data, start)


def _yaml(found: FrontMatter, first_line: int) -> None:
    fields = fastyaml.parse(found.text)
    if fields is not None:
        if fields or not _HEADING.match(found.text):
            found.kind, found.fields = "yaml", fields
        return
    is_json = found.text.lstrip().startswith("{")
    json_read = json_front.read(found.text) if is_json else None
    if json_read is None:
        from memex_core.files import yamlread  # the YAML library: only where a page needs it

        try:
            loaded = yamlread.load(found.text)
        except yamlread.YamlError as error:
            json_read = json_front.read(found.text, lenient=True) if is_json else None
            if json_read is None:
                _broken(found, error.message, error.line, error.column, first_line)
                return
        else:
            if loaded.value is None or isinstance(loaded.value, dict):
                found.kind, found.fields = "yaml", loaded.value or {}
                found.problems += _moved(loaded.problems, first_line)
            return
    found.kind, found.fields = "yaml", json_read[0]
    found.problems += _moved(json_read[1], first_line)


def _toml(found: FrontMatter, first_line: int) -> None:
    from memex_core.files import toml_front

    try:
        found.fields = toml_front.read(found.text)
        found.kind = "toml"
    except toml_front.TomlError as error:
        found.fields = toml_front.readable_lines(found.text)
        _broken(found, error.message, error.line, error.column, first_line, toml=True)


def _broken(
    found: FrontMatter, message: str, line: int, column: int, first_line: int, *, toml: bool = False
) -> None:
    """Front matter with an error in it, or prose between two rules that only looks like it."""
    from memex_core.files import lenient

    line = line + first_line - 1 if line else 1
    text = found.text
    if text.startswith("\t"):  # YAML has no tabs for indentation: what they indent is meant all the same
        from textwrap import dedent

        text = dedent(text)
    if not found.fields and lenient.looks_like_fields(text):
        found.fields = lenient.fields(text)
    elif not found.fields:
        found.problems.append(Problem(f"not front matter, read as text: {message}", line, column))
        return
    found.kind = "error"
    level = "error"
    mark = _TO_FILL_IN.search(found.text)
    if mark is not None and _reads(_TO_FILL_IN.sub("1", _ON_ITS_OWN.sub("", found.text)), toml=toml):
        message, level = f"a template: {' '.join(mark[0].split())[:40]} is to be filled in", "note"
    found.problems.append(Problem(message, line, column, level))


def _reads(text: str, *, toml: bool) -> bool:
    """Whether the lines between two fences are a map."""
    if toml:
        from memex_core.files import toml_front

        try:
            return bool(toml_front.read(text))
        except toml_front.TomlError:
            return False
    from memex_core.files import yamlread

    try:
        return isinstance(yamlread.load(text).value, dict)
    except yamlread.YamlError:
        return False


def _properties(data: bytes, start: int, found: FrontMatter) -> None:
    from memex_core.files import logseq

    head = data[start : start + MAX_BLOCK]
    text, bad = readable(head)
    fields, count = logseq.read(text)
    if not count:
        return
    end = start + sum(len(line.encode("utf-8", "surrogateescape")) for line in lines(raw_text(head))[:count])
    found.kind, found.fields = "logseq", fields
    found.text = "".join(line + "\n" for line in text.split("\n")[:count])
    found.block_start, found.block_end = start, end
    found.body_offset = end
    if 0 <= bad < end - start:
        _not_utf8(data, start + bad, found)


def _moved(problems: list[Problem], first_line: int) -> list[Problem]:
    return [
        Problem(each.message, each.line + first_line - 1 if each.line else 1, each.column, each.level)
        for each in problems
    ]


def _not_utf8(data: bytes, at: int, found: FrontMatter) -> None:
    """Name the first byte that is no UTF-8; one note a file."""
    if any(problem.message == "not UTF-8" for problem in found.problems):
        return
    before = data[:at]
    line_start = max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
    if not line_start and found.bom:
        line_start = len(BOM)
    column = len(raw_text(before[line_start:])) + 1
    found.problems.append(Problem("not UTF-8", line_count(before) + 1, column))


def key_spans(data: bytes, found: FrontMatter) -> list[KeySpan]:
    """The top-level keys of block-style YAML front matter, in the order of the file.

    ``found`` is what :func:`read` made of ``data``. Empty for other kinds and for a block that is
    one inline ``{…}``.
    """
    if found.kind != "yaml" or not found.text.strip():
        return []
    if fastyaml.parse(found.text) is not None:
        entries = fastyaml.entries(found.text)
    else:
        from memex_core.files import yamlread

        try:
            loaded = yamlread.load(found.text)
        except yamlread.YamlError:
            return []
        entries = [] if loaded.flow else loaded.entries
    place = _Places(data, found)
    return [
        KeySpan(
            entry.key,
            place(entry.start),
            place(_colon_end(found.text, entry.key_end)),
            place(entry.value_start),
            place(entry.end),
            place.line_end(entry.end),
            entry.style,
            entry.column,
            entry.item,
        )
        for entry in entries
    ]


def _colon_end(text: str, key_end: int) -> int:
    while text[key_end : key_end + 1] in (" ", "\t"):
        key_end += 1
    return key_end + 1 if text[key_end : key_end + 1] == ":" else key_end


class _Places:
    """From code point offsets of a block's text to byte offsets of the file."""

    def __init__(self, data: bytes, found: FrontMatter) -> None:
        self.raw = lines(raw_text(data[found.block_start : found.block_end]))
        self.starts: list[int] = []  # of each line, in the text
        self.offsets: list[int] = []  # and in the file
        at, offset = 0, found.block_start
        for line in self.raw:
            self.starts.append(at)
            self.offsets.append(offset)
            at += len(line.rstrip("\r\n")) + 1
            offset += len(line.encode("utf-8", "surrogateescape"))
        self.end = offset

    def __call__(self, at: int) -> int:
        number = self._line(at)
        if number < 0:
            return self.end
        head = self.raw[number].rstrip("\r\n")[: at - self.starts[number]]
        return self.offsets[number] + len(head.encode("utf-8", "surrogateescape"))

    def line_end(self, at: int) -> int:
        number = self._line(at)
        return self.offsets[number + 1] if 0 <= number < len(self.raw) - 1 else self.end

    def _line(self, at: int) -> int:
        from bisect import bisect_right

        return bisect_right(self.starts, at) - 1
