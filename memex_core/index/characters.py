"""What each character is to the analyser: two tables that fill themselves as characters turn up.

Scanning Unicode at import would cost more than a whole recall, so both are ``str.translate``
tables whose missing entries are computed once, on first sight.
"""

from __future__ import annotations

import unicodedata

SOFT = "_-./\\:@#+=&%$~'"
"""ASCII punctuation that may stand inside an identifier; anything else divides words."""

CUT = 64
"""Longest token, in code points: longer ones are cut alike in texts and queries."""

_UNSEGMENTED = (
    (0x0E00, 0x0E7F),  # Thai
    (0x0E80, 0x0EFF),  # Lao
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3040, 0x30FF),  # hiragana, katakana
    (0x3100, 0x318F),  # bopomofo, Hangul letters
    (0x31A0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0xAC00, 0xD7FF),  # Hangul syllables
    (0xF900, 0xFAFF),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x323AF),
)
"""Scripts written without spaces (or, Korean, with particles glued on): read as bigrams."""

_FOLDED_MARKS = (
    (0x0300, 0x036F),
    (0x0483, 0x0487),
    (0x0591, 0x05C7),  # Hebrew points
    (0x0610, 0x061A),
    (0x064B, 0x065F),  # Arabic vowel signs
    (0x0670, 0x0670),
    (0x06D6, 0x06ED),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)
"""Marks that people leave out when they type. The vowel signs of Indic scripts, Thai and the
voicing marks of kana are not here: without them it is another word."""

_LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h",
    "ŧ": "t", "й": "й", "ـ": None,
}  # fmt: skip
"""Letters without a decomposition that are typed as another, й (a letter of its own) kept, and
the Arabic stretching stroke dropped."""

_BROKEN = 0xFFFD


def unsegmented(code: int) -> bool:
    """Whether the code point belongs to a script that is read as bigrams."""
    return code >= 0x0E00 and any(low <= code <= high for low, high in _UNSEGMENTED)


class _Classes(dict[int, str]):
    """Code point -> one letter: ``u`` capital, ``l`` other letter, ``d`` digit, ``m`` mark inside a
    word, ``c`` unsegmented script, ``s`` symbol that is a word by itself, ``r`` half of a flag, a soft
    ASCII character as itself, and a space for all that divides."""

    def __missing__(self, code: int) -> str:
        kind = self[code] = _class_of(code)
        return kind


def _class_of(code: int) -> str:
    character = chr(code)
    if code < 128 and character in SOFT:
        return character
    category = unicodedata.category(character)
    if category in ("Lu", "Lt"):
        return "u"
    if category == "Nd":
        return "d"
    if category[0] in "LNM" and unsegmented(code):
        return "c"
    if category[0] in "LN":
        return "l"
    if category[0] == "M":
        return "m"
    if 0x1F1E6 <= code <= 0x1F1FF:
        return "r"
    return "s" if _is_symbol(code, character, category) else " "


def _is_symbol(code: int, character: str, category: str) -> bool:
    if code < 128 or 0x2500 <= code <= 0x259F or code == _BROKEN:  # box drawing is layout
        return False
    if 0x1F000 <= code <= 0x1FAFF and category != "Sk":  # with emoji newer than this Python
        return True
    return category in ("Sm", "Sc", "So") or character in "§¶†‡"


class _Tidy(dict[int, str | int | None]):
    """Invisible characters removed, typographic apostrophes and hyphens made plain."""

    def __missing__(self, code: int) -> str | int | None:
        to = self[code] = _tidied(code)
        return to


def _tidied(code: int) -> str | int | None:
    if code in (0x2018, 0x2019, 0x201B, 0x02BC, 0x2032, 0xFF07):
        return "'"
    if code in (0x2010, 0x2011, 0x2012, 0x2212):
        return "-"
    if code == 0x20E3 or 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:  # emoji styling
        return None
    if code >= 128 and unicodedata.category(chr(code)) == "Cf":
        return None
    return code


class _Folds(dict[int, str | int | None]):
    """Case-folded character -> its plain letter: diacritics off, digits of any script as ASCII."""

    def __missing__(self, code: int) -> str | int | None:
        to = self[code] = _folded(code)
        return to


def _folded(code: int) -> str | int | None:
    character = chr(code)
    if character in _LETTERS:
        return _LETTERS[character]
    if code < 128:
        return code
    if unicodedata.category(character) == "Nd":
        return str(unicodedata.decimal(character))
    base = "".join(part for part in unicodedata.normalize("NFD", character) if not _folded_mark(ord(part)))
    return "".join(_LETTERS.get(part) or part for part in unicodedata.normalize("NFC", base)) or None


def _folded_mark(code: int) -> bool:
    return any(low <= code <= high for low, high in _FOLDED_MARKS) and unicodedata.category(chr(code)) == "Mn"


CLASSES = _Classes()
_TIDY = _Tidy()
_FOLDS = _Folds()


def tidy(text: str) -> str:
    """NFKC, without invisible characters; case and diacritics kept."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_TIDY)


def fold(text: str) -> str:
    """Tidy ``text`` as it is compared: case and diacritics folded, digits ASCII."""
    if text.isascii():
        return text.lower()
    return text.casefold().translate(_FOLDS)


def exact(text: str) -> str:
    """Tidy ``text`` with only its case folded."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text.casefold())
