"""Rewriting links when a page moves: only the page part changes, the link keeps its form.

:func:`new_target` decides what a link should say, :func:`rewrite_file` says it in the link's own
spelling: alias, heading, block, ``.md``, ``./``, angle brackets, percent-encoding, quotes of the
front matter around it. All other bytes stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from .links import link_of
from .linkscan import REFERENCE, WIKI, Span, decode, spans
from .mask import mask
from .page import Link
from .retarget import new_target as new_target

Wanted = Callable[[Link], str | None]
Change = tuple[Link, str, str]
"""The link as it was, its text before and after."""

_FRONT = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*+(?:\r\n|\n|\r)")
_FRONT_END = {
    "---": re.compile(r"(?:\n|\r)(?:---|\.\.\.)[ \t]*+(?=\r|\n|\Z)"),
    "+++": re.compile(r"(?:\n|\r)\+\+\+[ \t]*+(?=\r|\n|\Z)"),
}
_KEY_LINE = re.compile(
    r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r))*[ \t]*(?:[^\s:=#][^:=\r\n]*(?::(?:[ \t\r\n]|\Z)|=)|[{-])"
)
_PLAIN_TROUBLE = re.compile(r"[,\[\]{}]|:(?:\s|\Z)|\s#|\A[\"'&*!|>%@`#?-]")
_YAML_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_LONE_CR = re.compile(r"\r(?!\n)")
_HEX = re.compile(r"[0-9A-Fa-f]{2}")
_ENCODED_LETTER = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]")


def rewrite(text: str, wanted: Wanted, first_line: int = 1) -> tuple[str, list[Change]]:
    """``text`` of a body with new page parts in its links, and what changed, in text order.

    ``wanted(link)`` gives the new target, decoded as ``link.target`` is, or None to leave the link. It
    is asked for every link with a page part. A reference is asked for once, at its definition; a
    Markdown image has the form ``markdown`` here, since its path is read like one. Code and comments
    are not touched.
    """
    if "[[" not in text and "](" not in text and "]:" not in text:
        return text, []
    edits: list[tuple[int, int, str]] = []
    changes: list[Change] = []
    line, last = first_line, 0
    unix = _unix(text)
    for span in spans(unix, mask(unix)):
        line += unix.count("\n", last, span.start)
        last = span.start
        if not span.target or span.kind == REFERENCE:
            continue
        link = link_of(text, span, line)
        if span.kind != WIKI and span.embed:
            link = replace(link, form="markdown")
        target = wanted(link)
        if target is None or target == span.target:
            continue
        written = _spelt(target, text, span)
        _note(text, span, link, span.at, span.upto, written, edits, changes)
    return _applied(text, edits), changes


def rewrite_values(
    text: str, wanted: Wanted, first_line: int = 1, toml: bool = False
) -> tuple[str, list[Change]]:
    """As :func:`rewrite`, for the raw YAML (or TOML) of a front matter, form ``front-matter``.

    Targets are read and written as the quotes around them demand; links in comments stay.
    """
    if "[[" not in text and "](" not in text:
        return text, []
    edits: list[tuple[int, int, str]] = []
    changes: list[Change] = []
    line, last = first_line, 0
    quotes = _Quotes(text)
    unix = _unix(text)
    for span in spans(unix, unix):
        line += unix.count("\n", last, span.start)
        last = span.start
        quote = quotes.at(span.start)
        if not span.target or span.kind == REFERENCE or quote == "#" or (toml and not quote):
            continue
        link = replace(
            link_of(text, span, line), form="front-matter", target=_unquoted(span.target, quote, toml)
        )
        target = wanted(link)
        if target is None or target == link.target or (toml and quote == "'" and "'" in target):
            continue
        plain = _spelt(target, text, span)
        written = _quoted(plain, quote, toml)
        at, upto = span.at, span.upto
        if not quote and _PLAIN_TROUBLE.search(target) and _whole_value(text, span):
            at, upto = span.start, span.end
            inner = text[at : span.at] + plain + text[span.upto : upto]
            written = f'"{_quoted(inner, chr(34), toml)}"'
        _note(text, span, link, at, upto, written, edits, changes)
    return _applied(text, edits), changes


def rewrite_file(text: str, wanted: Wanted) -> tuple[str, list[Change]]:
    """As :func:`rewrite`, for a whole file: its front matter, if it has one, and its body."""
    cut, toml = front_matter_end(text)
    front, before = rewrite_values(text[:cut], wanted, 1, toml) if cut else ("", [])
    body, after = rewrite(text[cut:], wanted, 1 + _unix(text[:cut]).count("\n"))
    return front + body, before + after


def _unix(text: str) -> str:
    """``text`` with a lone CR as a line end; as long as it was, so that places are the same in both."""
    return _LONE_CR.sub("\n", text) if "\r" in text else text


def front_matter_end(text: str) -> tuple[int, bool]:
    """Where the closing fence of the front matter starts (0: there is none), and whether it is TOML."""
    start = _FRONT.match(text)
    if start is None:
        return 0, False
    end = _FRONT_END[start.group(1)].search(text, start.end() - 1)
    if end is None or not _KEY_LINE.match(text, start.end(), end.start() + 1):
        return 0, False
    return end.start() + 1, start.group(1) == "+++"


def _note(
    text: str,
    span: Span,
    link: Link,
    at: int,
    upto: int,
    written: str,
    edits: list[tuple[int, int, str]],
    changes: list[Change],
) -> None:
    edits.append((at, upto, written))
    changes.append(
        (link, text[span.start : span.end], text[span.start : at] + written + text[upto : span.end])
    )


def _applied(text: str, edits: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    last = 0
    for at, upto, written in sorted(edits):
        parts += (text[last:at], written)
        last = upto
    return "".join([*parts, text[last:]]) if edits else text


def _spelt(target: str, text: str, span: Span) -> str:
    if span.kind == WIKI:
        return target
    angle = text.startswith("<", span.at - 1) if span.at else False
    return encode(target, text[span.at : span.upto], angle=angle)


def encode(target: str, written: str, *, angle: bool) -> str:
    """``target`` as a Markdown destination in the manner of ``written``, what stood there before.

    ``angle``: it stands in angle brackets, where blanks and parentheses need no encoding.
    """
    folder, name = target[: target.rfind("/") + 1], target[target.rfind("/") + 1 :]
    old_folder = written[: written.rfind("/") + 1]
    letters = _ENCODED_LETTER.search(written) is not None
    if folder and decode(old_folder) == folder:
        return old_folder + _encoded(name, angle, letters)
    return _encoded(target, angle, letters)


def _encoded(text: str, angle: bool, letters: bool) -> str:
    from urllib.parse import quote

    keep_parens = angle or _balanced(text)
    out: list[str] = []
    for index, char in enumerate(text):
        following = text[index + 1 : index + 3]
        if char.isalnum():
            plain = char < "\x80" or not letters
        elif char == "%":  # a sign for itself must not start a code, nor make %% with the next one
            plain = not following or (
                following[0] in ("._- " if angle else "._-")
                or (following[0].isalnum() and not _HEX.match(following))
            )
        elif char in "()":
            plain = keep_parens
        elif char in " \u00a0" or char.isspace():
            plain = angle and char not in "\r\n"
        elif char == "\\":
            plain = following[:1].isalnum()
        elif char == "]":
            plain = following[:1] != "("
        else:
            plain = char not in "#<>`$" and char > " "
        out.append(char if plain else quote(char, safe=""))
    return "".join(out)


def _balanced(text: str) -> bool:
    """May the parentheses stay as they are in a plain destination (two levels at most)?"""
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0 or depth > 2:
            return False
    return depth == 0


class _Quotes:
    """In what quotes a place of a YAML text stands, asked for rising places: one scan for all."""

    def __init__(self, text: str) -> None:
        self._text, self._pos, self._state, self._before = text, 0, "", "\n"

    def at(self, place: int) -> str:
        """``"``, ``'``, empty for plain text, ``#`` for a comment."""
        text, pos, state, before = self._text, self._pos, self._state, self._before
        while pos < place:
            char = text[pos]
            if char in "\r\n":
                state, before = "", "\n"
            elif state == '"':
                if char == "\\":
                    pos += 1
                elif char == '"':
                    state, before = "", char
            elif state == "'":
                if char == "'" and text[pos + 1 : pos + 2] == "'":
                    pos += 1
                elif char == "'":
                    state, before = "", char
            elif not state:
                if char == "#" and (before == "\n" or text[pos - 1 : pos] in (" ", "\t")):
                    state = "#"
                elif char in "\"'" and before in "\n:,-[{=?(":
                    state = char
                elif char not in " \t":
                    before = char
            pos += 1
        self._pos, self._state, self._before = pos, state, before
        return state


def _unquoted(text: str, quote: str, toml: bool) -> str:
    if quote == "'" and not toml:
        return text.replace("''", "'")
    if quote == '"' and "\\" in text:
        return _YAML_ESCAPE.sub(_unescaped, text)
    return text


def _unescaped(match: re.Match[str]) -> str:
    digits = match.group(1) or match.group(2) or match.group(3)
    if digits:
        number = int(digits, 16)
        return chr(number) if number < 0x110000 else match.group()
    return {"n": "\n", "t": "\t", "_": "\xa0"}.get(match.group(4), match.group(4))


def _quoted(text: str, quote: str, toml: bool) -> str:
    if quote == '"':
        return text.replace("\\", "\\\\").replace('"', '\\"')
    if quote == "'" and not toml:
        return text.replace("'", "''")
    return text


def _whole_value(text: str, span: Span) -> bool:
    """Is the link all there is of a plain YAML value?"""
    first = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    after = re.compile(r"[ \t]*(?:\r|\n|\Z)").match(text, span.end)
    return after is not None and text[first : span.start].rstrip(" \t").endswith((":", "-"))
