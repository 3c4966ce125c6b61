"""Names: from a title to a slug, to a file name that every system holds, and to a key to compare by.

Rules are those of the on-disk format: a slug is lowercase, its letters, digits and combining marks
are kept whatever their script, every other run of characters is one hyphen, and it is at most 64
characters and 200 bytes long.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

MAX_CHARS = 64
MAX_BYTES = 200
NAME_BYTES = 180
"""Longest portable file stem: 255 bytes is the limit of common file systems; the rest is for
``.md``, a number, and the temporary name a writer needs."""

DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"]
)
"""Names that Windows keeps for devices, with any extension."""

RESERVED = frozenset({"index", "log"}) | DEVICES
"""Slugs that get ``-page``: the generated files of a store, and Windows device names."""

_ASCII_WORDS = bytes(code if chr(code).isalnum() else 32 for code in range(128)).lower() + bytes(128)
"""For ``bytes.translate``, of ASCII: letters in lower case, digits, and a blank for all else."""

_ESCAPED_BY_LINKS = '#^[]"*?<>'
_JOINERS = "\u200c\u200d"
_NOT_PORTABLE = re.compile(r"""[<>:"|?*\\\x00-\x1f]|\A\s|[\s.]\Z""")


def fold(text: str) -> str:
    """The key under which names are equal: NFC and case folded.

    Two file names with the same key collide on a case-insensitive file system.
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFD", text).casefold()
    return unicodedata.normalize("NFC", folded)


def slugify(title: str, *, ident: str = "") -> str:
    """The slug of ``title``, never empty.

    A title without a letter or digit takes the first 8 characters of ``ident`` (a page's id), or
    without one the first 8 of a hash of the title, so that a file called ``🚀.md`` keeps its slug.
    """
    if title.isascii():
        slug = "-".join(ascii_words(title))
    else:
        slug = _kebab(title)
    slug = _cut(slug, MAX_CHARS)
    if not slug:
        slug = _kebab(ident)[:8].strip("-") or sha1_slug(title)[:8]
    return f"{slug}-page" if slug in RESERVED else slug


def ascii_words(text: str) -> list[str]:
    """The runs of letters and digits of an ASCII text, in lower case."""
    return text.encode().translate(_ASCII_WORDS).decode().split()


def sha1_slug(title: str) -> str:
    """The first 16 hex digits of the SHA-1 of the title (NFC): ``slug_algo = "sha1"``."""
    from hashlib import sha1  # rare, and not for security: kept out of start-up

    text = unicodedata.normalize("NFC", title).encode("utf-8", "surrogatepass")
    return sha1(text, usedforsecurity=False).hexdigest()[:16]


def numbered(slug: str, taken: Callable[[str], bool]) -> str:
    """``slug``, or the first of ``slug-2``, ``slug-3`` … that is not ``taken``.

    The number replaces the end of a slug at the length limit. See :func:`taken_among` for a
    ``taken`` that sees names as a case-insensitive file system does.
    """
    if not taken(slug):
        return slug
    number = 2
    while True:
        ending = f"-{number}"
        candidate = _cut(slug, MAX_CHARS - len(ending), MAX_BYTES - len(ending)) + ending
        if not taken(candidate):
            return candidate
        number += 1


def taken_among(names: Iterable[str]) -> Callable[[str], bool]:
    """A test for :func:`numbered`: is that name among ``names``, ignoring case and composition?"""
    keys = {fold(name) for name in names}
    return lambda name: fold(name) in keys


def portable_name(title: str, *, ident: str = "") -> str:
    """A readable file stem for ``title`` that Linux, macOS and Windows all hold, never empty.

    Letter case, spaces, emoji and punctuation stay. What a file system or a link cannot carry goes:
    separators become a hyphen (``A: B`` reads ``A - B``), quotes, wildcards and ``#^[]`` a space,
    control and direction characters nothing. No dot at either end, no space at the ends, no device
    name, at most 180 bytes. Falls back like :func:`slugify`.
    """
    text = unicodedata.normalize("NFC", "".join(map(_portable_char, title)))
    text = re.sub(r"[:|]+(?=\s)", " -", text)
    text = re.sub(r"[/\\|:]+", "-", text)
    text = re.sub(r"\s+", " ", text)
    name = _tidy(text)
    while len(name.encode()) > NAME_BYTES:
        name = _tidy(_cut(name, len(name) - 1, NAME_BYTES))
    if not name.strip("-_~"):
        return slugify(title, ident=ident)
    stem = fold(name.split(".", 1)[0]).strip()
    if stem in DEVICES or fold(name) in RESERVED:
        cut = len(name.split(".", 1)[0])
        name = f"{name[:cut].rstrip()}-page{name[cut:]}"
    return name


def portable(name: str) -> bool:
    """Can every file system hold a folder or file of that name?"""
    return not _NOT_PORTABLE.search(name) and fold(name.split(".", 1)[0]).strip() not in DEVICES


def _tidy(name: str) -> str:
    """No blank, dot or leftover hyphen at the ends; a leading ``~`` would read as a home folder."""
    name = name.strip(" .-")
    return name.lstrip("~ .-") if name.startswith("~") else name


def _portable_char(char: str) -> str:
    if char in _ESCAPED_BY_LINKS:
        return " "
    kind = unicodedata.category(char)
    if kind[0] == "Z":
        return " "
    if char in "\t\n\r\v\f":
        return " "
    if kind in ("Cc", "Cs", "Cn") or (kind == "Cf" and char not in _JOINERS and not char >= "\U000e0020"):
        return ""
    return char


def _kebab(text: str) -> str:
    """Letters, digits and their marks, lowercase, joined by single hyphens (NFC)."""
    kept: list[str] = []
    gap = True  # a mark needs a letter to stand on
    for char in unicodedata.normalize("NFC", text).lower():
        if char.isalnum() or (not gap and unicodedata.category(char) in ("Mn", "Mc") and not _adorns(char)):
            kept.append(char)
            gap = False
        elif not gap and not _adorns(char):
            kept.append("-")
            gap = True
    return unicodedata.normalize("NFC", "".join(kept).strip("-"))


def _adorns(char: str) -> bool:
    """A variation selector or enclosing sign (a keycap): it shapes a character and spells nothing."""
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return True
    return unicodedata.category(char) == "Me"


def _cut(text: str, chars: int, size: int = MAX_BYTES) -> str:
    """At most ``chars`` characters and ``size`` bytes of ``text``, not between a letter and its mark."""
    if len(text) <= chars and len(text) * 4 <= size:
        return text
    kept = text[:chars]
    while len(kept.encode("utf-8", "surrogatepass")) > size:
        kept = kept[:-1]
    if len(kept) < len(text) and unicodedata.category(text[len(kept)])[0] == "M":
        whole = kept
        while whole and unicodedata.category(whole[-1])[0] == "M":
            whole = whole[:-1]
        kept = whole[:-1] or kept
    return kept.rstrip("-")
