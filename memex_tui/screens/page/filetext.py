"""A file's bytes as lines to edit, and back: what was not edited keeps every byte.

An editor knows text with one kind of line end and characters that a terminal can draw. Files hold
mixed line ends, byte order marks, control characters and bytes that are no UTF-8. So unsafe
characters get stand-ins of one cell while they are edited, and lines that are unchanged are written
from their old bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from memex_core.files.decoding import BOM, dominant_newline, lines, raw_bytes, raw_text
from memex_tui.render.text import printable

_PLANE = 0x100000  # private use: stand-ins are an unsafe character's code above it
_TAGS = 0xE0000  # invisible copies of ASCII; their stand-ins lie where the BMP's private area would
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_STAND_IN = re.compile("[\U00100000-\U0010ffff]")
_ALIGNED = 4_000  # changed lines up to which equal ones among them are looked for

LARGEST = 2 << 20  # bytes of a file that is edited here; larger ones go to an editor of their own
LONGEST_LINE = 20_000  # characters


def tame(text: str) -> str:
    """``text`` with a stand-in for every character that a terminal must not get; same length."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_stand_in, text)


def wild(text: str) -> str:
    """``text`` with its stand-ins turned back."""
    return text if text.isascii() else _STAND_IN.sub(_original, text)


def drawn(text: str) -> str:
    """``text`` with a visible sign of one cell for each stand-in; same length."""
    return text if text.isascii() else _STAND_IN.sub(_sign, text)


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(_PLANE + (code - _TAGS + 0xE000 if code >= _TAGS else code))


def _original(match: re.Match[str]) -> str:
    code = ord(match[0]) - _PLANE
    char = chr(_TAGS + code - 0xE000 if 0xE000 <= code < 0xE080 else code)
    return char if _UNSAFE.match(char) else match[0]


def _sign(match: re.Match[str]) -> str:
    sign = printable(_original(match))
    return sign if len(sign) == 1 and sign != match[0] else "·"


class FileText:
    """A file's text, taken apart into lines.

    ``lines`` are what the editor shows: without line ends, stand-ins for unsafe characters; the last
    one is empty when the file ends with a line end. ``why_not`` says why it cannot be edited here
    (empty: it can).
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.newline = dominant_newline(data)
        self._bom = data.startswith(BOM)
        raw = raw_text(data[len(BOM) :] if self._bom else data)
        self._raw: list[str] = []
        self._ends: list[str] = []
        for line in lines(raw):
            text = line.rstrip("\r\n")
            self._raw.append(text)
            self._ends.append(line[len(text) :])
        if not self._ends or self._ends[-1]:
            self._raw.append("")
            self._ends.append("")
        self.lines = [tame(line) for line in self._raw]
        self.why_not = self._why_not(raw)

    def _why_not(self, raw: str) -> str:
        if len(self.data) > LARGEST:
            return f"it has {len(self.data) / 1_000_000:.1f} MB"
        if max(map(len, self.lines)) > LONGEST_LINE:
            return f"it has a line of {max(map(len, self.lines)):,} characters"
        if not raw.isascii() and _STAND_IN.search(raw):
            return "it holds characters that only an outside editor keeps"
        return ""

    def encode(self, edited: Sequence[str]) -> bytes:
        """The file with its text as ``edited`` (lines as the editor has them)."""
        old = self.lines
        if edited == old:
            return self.data
        same = _common(old, edited)
        tail = min(_common(old[same:][::-1], edited[same:][::-1]), len(old) - same, len(edited) - same)
        origins = [
            *((at, at) for at in range(same)),
            *self._middle(same, len(old) - tail, edited[same : len(edited) - tail]),
            *((at, at) for at in range(len(old) - tail, len(old))),
        ]
        out: list[str] = []
        last = len(edited) - 1
        for number, (line, (text_of, end_of)) in enumerate(zip(edited, origins, strict=True)):
            out.append(self._raw[text_of] if text_of >= 0 else wild(line))
            if number < last:
                out.append((self._ends[end_of] if end_of >= 0 else "") or self.newline)
        return (BOM if self._bom else b"") + raw_bytes("".join(out))

    def _middle(self, start: int, end: int, edited: Sequence[str]) -> list[tuple[int, int]]:
        """For each line between what is the same above and below: the old lines that its text and its
        line end come from, -1 for none. A line edited in place keeps its line end."""
        found = [(-1, -1)] * len(edited)
        if not edited or start == end or len(edited) + end - start > _ALIGNED:
            return found
        matcher = SequenceMatcher(None, self.lines[start:end], edited, autojunk=False)
        for kind, a0, a1, b0, b1 in matcher.get_opcodes():
            if kind == "equal" or (kind == "replace" and a1 - a0 == b1 - b0):
                for step in range(a1 - a0):
                    old = start + a0 + step
                    found[b0 + step] = (old if kind == "equal" else -1, old)
        return found


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines two lists begin with in common."""
    size = min(len(old), len(new))
    for index in range(size):
        if old[index] != new[index]:
            return index
    return size
