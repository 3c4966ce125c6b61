"""What a Markdown text says about itself: headings, block ids, hashtags, inline fields, sections.

Structure is read from the masked text (:func:`memex_core.model.mask.mask`), words from the text as
written. Every function takes ``masked`` so that a caller who has it does not pay twice. All are linear.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .mask import mask as mask
from .page import Heading
from .slug import fold


class Outline(NamedTuple):
    """A heading and the code point at which its line (for setext: its first line) starts."""

    level: int
    text: str
    line: int
    start: int


_ATX = re.compile(r"#{1,6}(?=[ \t\r\n]|\Z)")
_ATX_END = re.compile(r"[ \t]+#+[ \t]*\Z")
_SETEXT = re.compile(r"\n {0,3}(=++|-++)[ \t]*\r?(?=\n|\Z)")
_SEPARATE = re.compile(r" {0,3}(?:#{1,6}(?:\s|\Z)|(?:(?:-\s*+){3,}+|(?:\*\s*+){3,}+|(?:_\s*+){3,}+)\Z)")
_CONTAINER = re.compile(r"\s*(?:[>|]|(?:[-*+]|\d{1,9}[.)])(?:\s|\Z))|    |\t")
_NO_PROSE = re.compile(r"\s*(?:```|~~~|\$\$|%%|<!--)|    |\t")
_BLOCK_ID = re.compile(r"\^([A-Za-z0-9_-]+)[ \t\r]*(?=\n|\Z)")
_TAG_CHARS = (
    "[^\\s\\x00-\\x1f#!\"$%&'()*+,.:;<=>?@^`{|}~\\[\\]\\\\"
    "\\u2000-\\u200b\\u200e-\\u206f\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\uff01-\\uff0f\\uff1a-\\uff20]"
)
_TAG = re.compile(f"#({_TAG_CHARS}+)")
_TAG_AMONG_LINKS = re.compile(rf"#\[\[([^\[\]\n]+)\]\]|\[\[[^\[\]\n]*\]\]|#({_TAG_CHARS}+)")
_COLOUR = re.compile(r"(?=.*\d)(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
_KEY = r"[^\W_][^:\[\]()|`#>*\n]{0,59}?|_[^:\[\]()|`#>*\n]{0,59}?"
_FIELD_LINE = re.compile(
    rf"[ \t>]*+(?:[-*+][ \t]++|\d{{1,9}}[.)][ \t]++)?(?:\[.\][ \t]++)?(\*\*|__|)({_KEY})\1::(?=[ \t\r\n]|\Z)"
)
_FIELD_INSIDE = re.compile(
    rf"\[({_KEY})::[ \t]++((?:\[\[[^\[\]\n]*+\]\]|[^\[\]\n])*+)\]|\(({_KEY})::[ \t]++([^()\n]*+)\)"
)
_LINK_MARKUP = re.compile(r"!?\[\[(?:[^\[\]|\n]*\|)?([^\[\]\n]*)\]\]|!?\[([^\[\]\n]*)\]\([^()\n]*\)")


def outline(text: str, first_line: int = 1, masked: str | None = None) -> list[Outline]:
    """ATX and setext headings outside code, in text order; ``first_line`` is the text's line."""
    result: list[Outline] = []
    line, last = first_line, 0
    for start, level, title in _found(text, masked):
        line += text.count("\n", last, start)
        last = start
        result.append(Outline(level, title, line, start))
    return result


def headings(text: str, first_line: int = 1, masked: str | None = None) -> list[Heading]:
    """The headings of ``text`` as a page keeps them; markup inside a heading is kept as written."""
    result: list[Heading] = []
    line, last = first_line, 0
    for start, level, title in _found(text, masked):
        line += text.count("\n", last, start)
        last = start
        result.append(Heading(level, title, line))
    return result


def _found(text: str, masked: str | None) -> list[tuple[int, int, str]]:
    """The (start, level, text) of each heading, in text order."""
    atx = "#" in text
    setext = "=" in text or "-" in text
    if not atx and not setext:
        return []
    if masked is None:
        masked = mask(text)
    found = _atx(text, masked) if atx else []
    if setext and _SETEXT.search(masked) and _may_underline(text):
        underlined = _setext(text, masked)
        if underlined:
            found = sorted(found + underlined)
    return found


def _atx(text: str, masked: str) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    at = masked.find("#")
    while at >= 0:
        start = masked.rfind("\n", max(0, at - 4), at) + 1
        if start == 0 and at > 3:
            start = at if at == 0 else -1
        match = _ATX.match(masked, at) if start >= 0 and not masked[start:at].strip(" ") else None
        if match is None:
            at = masked.find("#", at + 1)
            continue
        end = masked.find("\n", at)
        end = len(masked) if end < 0 else end
        title = text[match.end() : end].strip()
        if title.endswith("#"):
            title = _ATX_END.sub("", " " + title, 1).strip()
        if title and title.strip("#"):
            found.append((start, match.end() - match.start(), title))
        at = masked.find("#", end)
    return found


def _may_underline(text: str) -> bool:
    """No for a lone hyphen at the end, or with blanks behind it: a list item that is being written."""
    return "\n=" in text or "\n--" in text or "\n-\n" in text or "\n " in text


def _setext(text: str, masked: str) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    floor = 0
    for match in _SETEXT.finditer(masked):
        underline = match.start() + 1
        start = _paragraph_above(text, masked, floor, underline)
        floor = match.end() + 1
        title = " ".join(text[start:underline].split())
        if title:
            found.append((start, 1 if match.group(1)[0] == "=" else 2, title))
    return found


def _paragraph_above(text: str, masked: str, floor: int, underline: int) -> int:
    """Where the paragraph that ends before ``underline`` starts; ``underline`` when there is none.

    A line below a list item, a quote or a table row belongs to that, and the line under it is a rule.
    """
    start = underline
    while start > floor:
        above = max(masked.rfind("\n", floor, start - 1) + 1, floor)
        written, visible = text[above : start - 1], masked[above : start - 1]
        if not visible.strip():
            if not written.strip() or _NO_PROSE.match(written):
                break
        elif _SEPARATE.match(visible):
            break
        elif _CONTAINER.match(visible):
            return underline
        start = above
    return start


def block_ids(text: str, masked: str | None = None) -> list[str]:
    """The ``^id`` targets at line ends, without the caret, each once."""
    if "^" not in text:
        return []
    if masked is None:
        masked = mask(text)
    found = {
        match.group(1): None
        for match in _BLOCK_ID.finditer(masked)
        if match.start() == 0 or masked[match.start() - 1] in " \t\n"
    }
    return list(found)


def hashtags(text: str, masked: str | None = None) -> list[str]:
    """The ``#tags`` of a text without ``#``, in order, each once ignoring case.

    A tag starts a line or follows a blank, an opening parenthesis or a full-width comma or stop; it
    has a character that is no digit. ``#[[two words]]`` is the tag ``two words``. No tags: what is
    in code or inside a link, anchors of URLs, ``#12``, and colours of six or eight hex digits
    with a number among them (``#ff0000``; ``#fff`` could be a word and is a tag).
    """
    if "#" not in text:
        return []
    if masked is None:
        masked = mask(text)
    if not _has_tag_start(masked):
        return []
    linked = "[[" in masked
    found: dict[str, str] = {}
    for match in (_TAG_AMONG_LINKS if linked else _TAG).finditer(masked):
        tag = (match.group(1) or match.group(2)) if linked else match.group(1)
        if not tag:
            continue
        at = match.start()
        if at and not _may_precede(masked, at):
            continue
        tag = tag.strip().rstrip("/")
        if linked and match.group(1):
            tag = tag.partition("|")[0].strip()
        if tag and not _number(tag) and not _COLOUR.match(tag):
            found.setdefault(fold(tag), tag)
    return list(found.values())


def _has_tag_start(masked: str) -> bool:
    """Most pages have no ``#`` but those of headings: looking at each is cheaper than the pattern."""
    at = masked.find("#")
    while at >= 0:
        if masked[at + 1 : at + 2] not in " #\n" and (at == 0 or _may_precede(masked, at)):
            return True
        at = masked.find("#", at + 1)
    return False


def _may_precede(text: str, at: int) -> bool:
    before = text[at - 1]
    if before == "(":
        return at < 2 or text[at - 2] != "]"
    return before.isspace() or before in "（、，。；：「"


def _number(tag: str) -> bool:
    """Nothing in it but digits and separators. Emoji count as letters."""
    return not any(char.isalpha() or (ord(char) > 0xFF and not char.isdigit()) for char in tag)


def inline_fields(text: str, masked: str | None = None) -> dict[str, str]:
    """``key:: value`` at the start of a line or list item, ``[key:: value]`` and ``(key:: value)``.

    Keys as written, in order; values of a repeated key are joined by ``", "``. A blank or the line's
    end must follow the colons, so that ``std::vector`` is none.
    """
    if ":" not in text or "::" not in text:
        return {}
    if masked is None:
        masked = mask(text)
    found: list[tuple[int, str, str]] = []
    line = -1
    at = masked.find("::")
    while at >= 0:
        start = masked.rfind("\n", max(0, at - 200), at) + 1
        if start != line and (start or at < 200):
            line = start
            match = _FIELD_LINE.match(masked, start)
            if match and match.end() == at + 2:
                end = masked.find("\n", at)
                value = text[at + 2 : len(text) if end < 0 else end]
                found.append((start, match.group(2).strip(), value.strip()))
        at = masked.find("::", at + 2)
    for match in _FIELD_INSIDE.finditer(masked):
        group = 1 if match.group(1) else 3
        value = text[match.start(group + 1) : match.end(group + 1)]
        found.append((match.start(), match.group(group).strip(), value.strip()))
    values: dict[str, list[str]] = {}
    for _, key, value in sorted(found):
        values.setdefault(key, []).append(value)
    return {key: ", ".join(filter(None, each)) for key, each in values.items()}


def anchor(heading: str) -> str:
    """The key under which a heading and an anchor to it are equal: ``About [[A|b]]!`` → ``about-b``."""
    shown = _LINK_MARKUP.sub(lambda match: match.group(1) or match.group(2) or "", heading)
    words = re.split(r"[\W_]+", fold(shown))
    return "-".join(filter(None, words))


def section(text: str, heading: str, masked: str | None = None) -> tuple[int, int] | None:
    """Start and end (code points) of the section that ``heading`` names, its heading line included.

    ``heading`` is what follows ``#`` in a link: a heading's text ignoring case, its slug
    (``#baking-day``, ``#baking-day-1`` for the second of that name), or a path ``Tides#Spring``
    whose parts lie one inside the other. Of equal headings the first. A section ends before the
    next heading of the same or a higher level.
    """
    items = outline(text, 1, masked)
    if not items:
        return None
    wanted = heading.strip().strip("#").strip()
    index = _locate(items, wanted, 0, len(items))
    if index is None:
        first, last = 0, len(items)
        for part in wanted.split("#"):
            index = _locate(items, part, first, last)
            if index is None:
                return None
            first, last = index + 1, _section_end(items, index)
    if index is None:
        return None
    end = _section_end(items, index)
    return items[index].start, items[end].start if end < len(items) else len(text)


def _section_end(items: list[Outline], index: int) -> int:
    level = items[index].level
    for later in range(index + 1, len(items)):
        if items[later].level <= level:
            return later
    return len(items)


def _locate(items: list[Outline], wanted: str, first: int, last: int) -> int | None:
    key = fold(wanted.strip())
    if not key:
        return None
    for index in range(first, last):
        if fold(items[index].text) == key:
            return index
    slug = anchor(wanted)
    if not slug:
        return None
    equal = re.match(r"(.+)-(\d+)\Z", slug)
    numbered: list[int] = []
    for index in range(first, last):
        each = anchor(items[index].text)
        if each == slug:
            return index
        if equal and each == equal.group(1):
            numbered.append(index)
    if equal and 0 < int(equal.group(2)[:6]) < len(numbered):
        return numbered[int(equal.group(2))]
    return None
