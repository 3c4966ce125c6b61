"""Bytes to text and back without losing one: UTF-8, byte order mark, line ends, bytes that are no UTF-8.

Two views of the same bytes are used. The *raw* view keeps every byte (a byte that is no UTF-8
becomes a lone surrogate, line ends stay as they are) and turns back into exactly the same bytes.
The *shown* view is what people read and search: U+FFFD for each such byte, every line end ``\\n``.
Line ends are ``\\n``, ``\\r\\n`` and a lone ``\\r``; never the others that ``str.splitlines`` knows.
"""

from __future__ import annotations

import re

from memex_core.model.errors import Refused

BOM = b"\xef\xbb\xbf"
REPLACEMENT = "\ufffd"

_UTF16 = (b"\xff\xfe", b"\xfe\xff")

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ESCAPED = re.compile("[\udc80-\udcff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def raw_text(data: bytes) -> str:
    """The lossless view: ``raw_bytes(raw_text(data)) == data`` for any bytes."""
    return data.decode("utf-8", "surrogateescape")


def raw_bytes(text: str) -> bytes:
    """The bytes of a raw view."""
    return text.encode("utf-8", "surrogateescape")


def shown(raw: str) -> str:
    """A raw view with U+FFFD for each byte that is no UTF-8: same length, line ends untouched."""
    return raw if raw.isascii() else _ESCAPED.sub(REPLACEMENT, raw)


def unix(text: str) -> str:
    """``text`` with every line end as ``\\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def check_utf8(data: bytes) -> None:
    """Raise Refused where the file is marked as UTF-16: text in UTF-8 put into it would be no text there."""
    if data.startswith(_UTF16):
        raise Refused("the file is UTF-16", hint="save it as UTF-8, then change it")


def readable(data: bytes) -> tuple[str, int]:
    """The shown view with unix line ends, and the offset of the first byte that is no UTF-8 (-1: none)."""
    try:
        return unix(data.decode("utf-8")), -1
    except UnicodeDecodeError as error:
        return unix(shown(raw_text(data))), error.start


def clean(text: str) -> str:
    """``text`` fit to be written: lone surrogates (no file can hold them) become U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub(REPLACEMENT, text)


def lines(raw: str) -> list[str]:
    """The lines of a raw view, each with its line end; joined they are ``raw`` again."""
    return _LINE.findall(raw)


def line_count(data: bytes) -> int:
    """How many line ends ``data`` has."""
    count = data.count(b"\n")
    if b"\r" in data:
        count += data.count(b"\r") - data.count(b"\r\n")
    return count


def dominant_newline(data: bytes) -> str:
    """The line end that ``data`` uses most; ``\\n`` when it has none."""
    if b"\r" not in data:
        return "\n"
    pairs = data.count(b"\r\n")
    counts = {"\n": data.count(b"\n") - pairs, "\r\n": pairs, "\r": data.count(b"\r") - pairs}
    return max(counts, key=lambda newline: counts[newline])
