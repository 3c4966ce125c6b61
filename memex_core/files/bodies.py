"""Changing a page's body: only the lines that differ move.

Bodies work on the raw bytes, whatever the front matter looks like. Lines that stay keep their line
end and their bytes, also those that are no UTF-8; text that is put in takes the file's own line end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher

from memex_core.files import frontmatter
from memex_core.files.decoding import check_utf8, clean, lines, raw_bytes, raw_text, shown, unix
from memex_core.files.frontmatter import FrontMatter
from memex_core.model.errors import NotFound, Refused

_DIFF_LIMIT = 1_000  # lines on each side; above, changed regions are paired line by line
_ATX = re.compile(r"(?P<marks> {0,3}#{1,6}(?:[ \t]+|$))(?P<text>.*?)(?P<close>[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")


def replace_body(data: bytes, body: str) -> bytes:
    """The file with ``body`` (any line ends) behind its front matter, which stays byte for byte."""
    found = frontmatter.read(data)
    return _with_body(data, found, body)


def raw_body(data: bytes) -> str:
    """What stands behind the front matter, with unix line ends and every byte that is no UTF-8."""
    return unix(raw_text(data[frontmatter.read(data).body_offset :]))


def replace_raw_body(data: bytes, body: str) -> bytes:
    """:func:`replace_body` for a body of which every byte counts, as :func:`raw_body` gives it."""
    return _with_body(data, frontmatter.read(data), body, raw=True)


def append_body(data: bytes, text: str) -> bytes:
    """The file with ``text`` on lines of its own at the end.

    A last line without a newline is completed first; then the new last line goes without, too.
    """
    text = clean(unix(text))
    if not text:
        return data
    check_utf8(data)
    found = frontmatter.read(data)
    open_end = data[found.body_offset :] != b"" and not data.endswith((b"\n", b"\r"))
    if not text.endswith("\n") and not open_end:
        text += "\n"
    if open_end and text.endswith("\n") and text.strip("\n"):
        text = text[:-1]
    joint = found.newline if _unended(data, found) else ""
    return _joined(data, (joint + text.replace("\n", found.newline)).encode())


def replace_section(data: bytes, heading: str, text: str) -> bytes:
    """The file with ``text`` under ``heading`` instead of what stands there, up to the next heading of
    its level; the heading's own line and the blank lines around the text stay.

    Raises NotFound when no heading has that name.
    """
    found, start, at, end = _section(data, heading)
    text = clean(unix(text)).strip("\n")
    first, _, rest = text.partition("\n")
    if first.strip() and first.strip() == found.body[start:at].strip("\n "):
        text = rest.strip("\n")  # the heading was sent along
    old = found.body[at:end]
    core = old.strip("\n")
    if not core:
        return _with_body(data, found, _first_text(found.body, at, end, text))
    lead = old[: old.index(core)]
    trail = old[len(lead) + len(core) :]
    new = lead + text + trail if text else trail[1:]
    return _with_body(data, found, found.body[:at] + new + found.body[end:])


def append_section(data: bytes, heading: str, text: str) -> bytes:
    """The file with ``text`` on lines of its own at the end of a section, before the blank lines that
    part it from the next. Raises NotFound when no heading has that name.
    """
    found, _, at, end = _section(data, heading)
    text = clean(unix(text)).strip("\n")
    upto = at + len(found.body[at:end].rstrip("\n"))
    if upto == at:
        return _with_body(data, found, _first_text(found.body, at, end, text))
    joint = "\n" if text else ""
    return _with_body(data, found, found.body[:upto] + joint + text + found.body[upto:])


def _first_text(body: str, at: int, end: int, text: str) -> str:
    """``body`` with ``text`` in the empty section whose blank lines are ``body[at:end]``."""
    if not text:
        return body
    blank = body[at:end]
    before, after = body[:at], body[end:]
    if not before.endswith("\n"):
        return before + "\n" + text  # the heading was the last line, and had no line end
    return before + ("\n" if blank else "") + text + "\n" + ("\n" if blank and after else "") + after


def retitle_heading(data: bytes, line: int, title: str) -> bytes:
    """The file with the text of the heading at ``line`` (1-based, whole file) replaced.

    Raises Refused when no heading is there.
    """
    found = frontmatter.read(data)
    rows = found.body.split("\n")
    at = line - found.body_line
    if not 0 <= at < len(rows):
        raise Refused(f"line {line} has no heading", hint="read the page again")
    title = " ".join(clean(unix(title)).split("\n")).strip()
    match = _ATX.fullmatch(rows[at])
    if match:
        guard = " #" if re.search(r"(?:^|[ \t])#+$", title) else ""  # else its own # would close the heading
        rows[at] = f"{match['marks']}{title}{match['close'] or guard}"
    else:
        below = next((n for n in range(at + 1, len(rows)) if _UNDERLINE.fullmatch(rows[n])), -1)
        if below < 0 or not all(row.strip() for row in rows[at:below]):
            raise Refused(f"line {line} has no heading", hint="read the page again")
        rows[at:below] = [title]
    return _with_body(data, found, "\n".join(rows))


def _section(data: bytes, heading: str) -> tuple[FrontMatter, int, int, int]:
    """The file taken apart, and offsets in its body: of the heading, of the text under it, of its end."""
    from memex_core.model.markdown import section

    found = frontmatter.read(data)
    span = section(found.body, heading)
    if span is None:
        raise NotFound(f"no heading is called {heading!r}", hint="`memex show` prints the page")
    start, end = span
    at = _line_end(found.body, start, end)
    if not _ATX.fullmatch(found.body[start:at].rstrip("\n")):
        while at < end:  # a heading that is underlined
            line, at = at, _line_end(found.body, at, end)
            if _UNDERLINE.fullmatch(found.body[line:at].rstrip("\n")):
                break
    return found, start, at, end


def _line_end(body: str, at: int, end: int) -> int:
    newline = body.find("\n", at, end)
    return newline + 1 if newline >= 0 else end


def _unended(data: bytes, found: FrontMatter) -> bool:
    start = 3 if found.bom else 0
    return len(data) > start and not data.endswith((b"\n", b"\r"))


def _with_body(data: bytes, found: FrontMatter, body: str, *, raw: bool = False) -> bytes:
    view = _as_it_is if raw else shown
    old = raw_text(data[found.body_offset :])
    body = unix(body) if raw else clean(unix(body))
    if body == unix(view(old)):
        return data
    if not raw:
        check_utf8(data)
    head = data[: found.body_offset]
    if found.body_offset > (3 if found.bom else 0) and not head.endswith((b"\n", b"\r")) and body:
        head += found.newline.encode()  # the closing fence was the last line
    if view(old) == old and unix(old).replace("\n", found.newline) == old:
        return _joined(head, raw_bytes(body.replace("\n", found.newline)))  # only the text has to be kept
    return _joined(head, raw_bytes(_merged(lines(old), _rows(body), found.newline, view)))


def _as_it_is(raw: str) -> str:
    return raw


def _joined(before: bytes, after: bytes) -> bytes:
    """Both, without a lone carriage return and a newline becoming one line end where they meet."""
    if before.endswith(b"\r") and after.startswith(b"\n"):
        return before + b"\r" + after[1:]
    return before + after


def _rows(body: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", body)


def _merged(old: list[str], new: list[str], newline: str, view: Callable[[str], str]) -> str:
    """The raw view of ``new`` lines (unix ends) that takes over whatever it can from ``old`` ones, of
    which ``new`` was made in that view."""
    seen = [unix(view(line)) for line in old]
    first = 0
    while first < len(seen) and first < len(new) and seen[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(seen), len(new)) - first and seen[-1 - last] == new[-1 - last]:
        last += 1
    out = old[:first]
    old_middle, new_middle = old[first : len(old) - last], new[first : len(new) - last]
    if max(len(old_middle), len(new_middle)) <= _DIFF_LIMIT:
        matcher = SequenceMatcher(None, seen[first : len(seen) - last], new_middle, autojunk=False)
        for _, i1, i2, j1, j2 in matcher.get_opcodes():
            out += _paired(old_middle[i1:i2], new_middle[j1:j2], newline, view)
    else:
        out += _paired(old_middle, new_middle, newline, view)
    out += old[len(old) - last :]
    for at in range(1, len(out)):
        if out[at - 1].endswith("\r") and out[at].startswith("\n"):
            out[at] = "\r" + out[at][1:]  # else the two would become one line end
    return "".join(out)


def _paired(old: list[str], new: list[str], newline: str, view: Callable[[str], str]) -> list[str]:
    return [_kept(old[at] if at < len(old) else "", line, newline, view) for at, line in enumerate(new)]


def _kept(old: str, new: str, newline: str, view: Callable[[str], str]) -> str:
    """``new`` (a line, unix end) with the line end of ``old``, and its bytes that the view does not show."""
    text, end = new.removesuffix("\n"), new[len(new.removesuffix("\n")) :]
    was = old.rstrip("\r\n")
    ending = (old[len(was) :] or newline) if end else ""
    seen = view(was)
    if seen == was:
        return text + ending
    first = 0
    while first < min(len(seen), len(text)) and seen[first] == text[first]:
        first += 1
    last = 0
    while last < min(len(seen), len(text)) - first and seen[-1 - last] == text[-1 - last]:
        last += 1
    middle = _with_bytes(was[first : len(was) - last], text[first : len(text) - last])
    kept = was[:first] + middle + was[len(was) - last :]
    if shown(raw_text(raw_bytes(kept))) != text:  # bytes that met became a letter
        kept = text
    return kept + ending


def _with_bytes(was: str, text: str) -> str:
    """``text`` with the n-th U+FFFD of it replaced by the n-th unreadable byte of ``was``."""
    lost = [char for char in was if shown(char) == "\ufffd"]
    if "\ufffd" not in text or not lost:
        return text
    parts = text.split("\ufffd")
    fill = [*lost[: len(parts) - 1], *["\ufffd"] * (len(parts) - 1 - len(lost))]
    return parts[0] + "".join(char + part for char, part in zip(fill, parts[1:], strict=True))
