"""The forms of a text that a ban is tried on: as it is written, and as it looks to whoever reads it.

Fullwidth letters, characters that nobody sees and the many dashes would else carry a text past its ban.
"""

from __future__ import annotations

import unicodedata

_IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""What Unicode calls default ignorable."""

_DASHES = (0x02D7, 0x2043, 0x2212)  # those that Unicode does not count among the dashes


class _Plain(dict[int, str | int | None]):
    """Code point -> what it looks like; each is looked up once, when it turns up."""

    def __missing__(self, code: int) -> str | int | None:
        seen: str | int | None = code
        if any(low <= code <= high for low, high in _IGNORABLE):
            seen = None
        elif code in _DASHES or unicodedata.category(chr(code)) == "Pd":
            seen = "-"
        self[code] = seen
        return seen


_PLAIN = _Plain()


def forms_of(text: str) -> tuple[str, ...]:
    """``text`` itself, composed, and in plain characters; each once."""
    if text.isascii():
        return (text,)
    plain = unicodedata.normalize("NFKC", text.translate(_PLAIN)).translate(_PLAIN)
    return tuple(dict.fromkeys((text, unicodedata.normalize("NFC", text), plain)))
