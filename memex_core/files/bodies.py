"""Changing a page's body: only the lines that differ move.

Bodies work on the raw bytes, whatever the front matter looks like. Lines that stay keep their line
end and their bytes, also those that are no UTF-8; text that is put in takes the file's own line end.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from memex_core.files import frontmatter
from memex_core.files.decoding import clean, lines, raw_bytes, raw_text, shown, unix
from memex_core.model.errors import NotFound, Refused

_DIFF_LIMIT = 1_000  # lines on each side; above, changed regions are paired line by line
_ATX = re.compile(r"(?P<marks> {0,3}#{1,6}[ \t]+)(?P<text>.*?)(?P<close>[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")


def replace_body(data: bytes, body: str) -> bytes:
    """The file with ``body`` (any line ends) behind its front matter, which stays byte for byte."""
    found = frontmatter.read(data)
    return _with_body(data, found, body)


def append_body(data: bytes, text: str) -> bytes:
    """The file with ``text`` on lines of its own at the end.

    A last line without a newline is completed first; then the new last line goes without, too.
    """
    text = clean(unix(text))
    if not text:
        return data
    found = frontmatter.read(data)
    open_end = data[found.body_offset :] != b"" and not data.endswith((b"\n", b"\r"))
    if not text.endswith("\n") and not open_end:
        text += "\n"
    if open_end and text.endswith("\n") and text.strip("\n"):
        text = text[:-1]
    joint = found.newline if _unended(data, found) else ""
    return data + (joint + text.replace("\n", found.newline)).encode()


def replace_section(data: bytes, heading: str, text: str) -> bytes:
    """The file with ``text`` under ``heading`` instead of what stands there, up to the next heading of
    its level; the heading's own line stays. Raises NotFound when no heading has that name.
    """
    found, start, end, indent = _section(data, heading)
    body = found.body
    text = clean(unix(text)).strip("\n")
    gap = re.match(r"\n*", body[indent:end])
    lead = gap[0] if gap and gap[0] and text else ""
    trail = re.search(r"\n*\Z", body[start:end])
    tail = trail[0] if trail else ""
    if indent >= end or body[indent:end].strip("\n") == "":
        lead, tail = ("\n" if text and _blank_under_headings(body) else ""), body[indent:end] or ""
    new = lead + text + (tail or "\n" if text and end < len(body) else tail) if text else tail
    if text and not new.endswith("\n") and (end < len(body) or body.endswith("\n")):
        new += "\n"
    return _with_body(data, found, body[:indent] + _joined(body[:indent]) + new + body[end:])


def append_section(data: bytes, heading: str, text: str) -> bytes:
    """The file with ``text`` on lines of its own at the end of a section, before the blank lines that
    part it from the next. Raises NotFound when no heading has that name."""
    found, _, end, indent = _section(data, heading)
    body = found.body
    text = clean(unix(text)).strip("\n")
    if not text:
        return data
    upto = indent + len(body[indent:end].rstrip("\n"))
    if upto < end and upto > indent:
        upto += 1
    upto = max(upto, indent)
    closing = "" if upto == len(body) and not body.endswith("\n") else "\n"
    return _with_body(data, found, body[:upto] + _joined(body[:upto]) + text + closing + body[upto:])


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


def _section(data: bytes, heading: str) -> tuple[frontmatter.FrontMatter, int, int, int]:
    """The file taken apart, where the section starts and ends in the body, and where its text starts."""
    from memex_core.model.markdown import outline, section

    found = frontmatter.read(data)
    span = section(found.body, heading)
    if span is None:
        raise NotFound(f"no heading is called {heading!r}", hint="`memex show` prints the page")
    start, end = span
    line_end = found.body.find("\n", start)
    after = line_end + 1 if line_end >= 0 else len(found.body)
    level_text = next((item for item in outline(found.body) if item.start == start), None)
    if level_text is not None and not found.body[start:after].lstrip(" ").startswith("#"):
        under = re.compile(r"^ {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE).search(found.body, after, end)
        if under:
            after = min(under.end() + 1, len(found.body))
    return found, start, end, min(after, end)


def _joined(before: str) -> str:
    return "\n" if before and not before.endswith("\n") else ""


def _blank_under_headings(body: str) -> bool:
    """Does this page leave a blank line under its headings?"""
    return bool(re.search(r"^#{1,6} .*\n\n", body, re.MULTILINE))


def _unended(data: bytes, found: frontmatter.FrontMatter) -> bool:
    start = 3 if found.bom else 0
    return len(data) > start and not data.endswith((b"\n", b"\r"))


def _with_body(data: bytes, found: frontmatter.FrontMatter, body: str) -> bytes:
    body = clean(unix(body))
    if body == found.body:
        return data
    head = data[: found.body_offset]
    old = raw_text(data[found.body_offset :])
    if found.body_offset > (3 if found.bom else 0) and not head.endswith((b"\n", b"\r")) and body:
        head += found.newline.encode()  # the closing fence was the last line
    if _uniform(old, found.newline):
        return head + body.replace("\n", found.newline).encode()
    return head + raw_bytes(_merged(lines(old), _rows(body), found.newline))


def _uniform(old: str, newline: str) -> bool:
    """Valid UTF-8 with one kind of line end: then nothing but the text itself has to be kept."""
    if shown(old) != old:
        return False
    return unix(old).replace("\n", newline) == old


def _rows(body: str) -> list[str]:
    return [row for row in re.findall(r"[^\n]*\n|[^\n]+", body)]


def _merged(old: list[str], new: list[str], newline: str) -> str:
    """The raw view of ``new`` lines (unix ends) that takes over whatever it can from ``old`` ones."""
    seen = [unix(shown(line)) for line in old]
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
            out += _paired(old_middle[i1:i2], new_middle[j1:j2], newline)
    else:
        out += _paired(old_middle, new_middle, newline)
    return "".join(out + old[len(old) - last :])


def _paired(old: list[str], new: list[str], newline: str) -> list[str]:
    return [_kept(old[at] if at < len(old) else "", line, newline) for at, line in enumerate(new)]


def _kept(old: str, new: str, newline: str) -> str:
    """``new`` (a line, unix end) with the line end and the unreadable bytes of ``old``."""
    text, end = new.removesuffix("\n"), new[len(new.removesuffix("\n")) :]
    was = old.rstrip("\r\n")
    ending = (old[len(was) :] or newline) if end else ""
    seen = shown(was)
    if seen == was:
        return text + ending
    first = 0
    while first < min(len(seen), len(text)) and seen[first] == text[first]:
        first += 1
    last = 0
    while last < min(len(seen), len(text)) - first and seen[-1 - last] == text[-1 - last]:
        last += 1
    middle = _with_bytes(was[first : len(was) - last], text[first : len(text) - last])
    return was[:first] + middle + was[len(was) - last :] + ending


def _with_bytes(was: str, text: str) -> str:
    """``text`` with the n-th U+FFFD of it replaced by the n-th unreadable byte of ``was``."""
    lost = [char for char in was if shown(char) == "\ufffd"]
    if "\ufffd" not in text or not lost:
        return text
    parts = text.split("\ufffd")
    fill = [*lost[: len(parts) - 1], *["\ufffd"] * (len(parts) - 1 - len(lost))]
    return parts[0] + "".join(char + part for char, part in zip(fill, parts[1:], strict=True))
