"""Text that is safe to put on a terminal, measured in cells.

Pages, titles and file names are written by anybody. Before any of it reaches the screen it
passes through :func:`printable`: control characters, escape sequences and direction overrides
become visible marks, and nothing is ever read as console markup.

All widths are terminal cells: 2 for CJK and most emoji, 0 for combining marks. They agree with
the widths that the screen compositor itself uses, so a padded line is exactly as long as asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len
from textual.content import Content

ELLIPSIS = "…"

_BIDI = {
    0x061C: "ALM", 0x200E: "LRM", 0x200F: "RLM",
    0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO",
    0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI",
}  # fmt: skip

# Everything that is not plainly drawable. Joiners (200C, 200D) and variation selectors stay:
# scripts and emoji need them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
    "|[\u0300-\u036f]{6,}"
)
_FLAG_TAGS = re.compile("(\U0001f3f4)[\U000e0020-\U000e007f]+")
_SPACES = frozenset("\t\n\r\x0b\x0c\x85\u2028\u2029")
_INVISIBLE = frozenset("\xad\u180e\u200b\u2060\ufeff")


def _visible(match: re.Match[str]) -> str:
    char = match[0]
    if len(char) > 1:  # a tower of combining marks: three say all there is to say
        return char[:3]
    if char in _SPACES:
        return " "
    if char in _INVISIBLE:
        return ""
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if code < 0xA0:
        return f"⟨{code:02X}⟩"
    if code in _BIDI:
        return f"⟨{_BIDI[code]}⟩"
    if 0xE0020 <= code < 0xE007F:  # invisible copies of ASCII, used to hide instructions
        return f"⟨{chr(code - 0xE0000)}⟩"
    return "\ufffd"


_simple_emoji = False
_EMOJI_JOINS = re.compile("(?:\u200d[\u2190-\U0001ffff]\ufe0f?)+|[\ufe0f\U0001f3fb-\U0001f3ff]")


def use_simple_emoji(on: bool) -> None:
    """Draw joined and toned emoji as their first one.

    For terminals that give every part its own cells (tmux before 3.5, the Linux console): there a
    joined emoji would push the rest of its line out of place.
    """
    global _simple_emoji
    _simple_emoji = on


def printable(text: str) -> str:
    """Return ``text`` as one line that cannot move the cursor or change the terminal's state.

    Line ends and tabs become spaces, other controls become pictures (ESC is ``␛``), direction
    overrides become ``⟨RLO⟩``, lone surrogates ``�``; zero-width spaces are left out.
    """
    if text.isascii() and text.isprintable():
        return text
    if _simple_emoji:
        text = _EMOJI_JOINS.sub("", text)
    if "\U0001f3f4" in text:
        text = _FLAG_TAGS.sub(r"\1", text)
    return _UNSAFE.sub(_visible, text)


def content(text: str) -> Content:
    """Wrap user text for stock widgets: a Content is never parsed as markup."""
    return Content(printable(text))


def content_lines(text: str) -> Content:
    """Several lines of user text for stock widgets."""
    return Content("\n".join(printable(line) for line in text.split("\n")))


JOINER = "\u200d"
"""Joins emoji into one; what measures a line takes it to join whatever follows."""


def width(text: str) -> int:
    """Cells that ``text`` (already printable) takes on screen."""
    return len(text) if text.isascii() else cell_len(text)


def _extends(char: str, previous: str) -> bool:
    """Whether ``char`` belongs to the cluster that ends with ``previous``."""
    code = ord(char)
    if previous == JOINER:  # Rich counts nothing for what follows a joiner, whatever it is
        return True
    if code < 0x300:
        return False
    if code in (0x200D, 0xFE0E, 0xFE0F) or 0x1F3FB <= code <= 0x1F3FF:
        return True
    return cell_len(char) == 0


def clusters(text: str) -> Iterator[tuple[str, int]]:
    """Yield what is drawn as one glyph, with its cells: base, marks, joined emoji, flag pair.

    The sum of the cells is ``width(text)``; cutting anywhere else would change it.
    """
    if text.isascii():
        for char in text:
            yield char, 1
        return
    start, end, size = 0, 0, len(text)
    while start < size:
        end = start + 1
        if 0x1F1E6 <= ord(text[start]) <= 0x1F1FF and end < size and 0x1F1E6 <= ord(text[end]) <= 0x1F1FF:
            end += 1
        while end < size and _extends(text[end], text[end - 1]):
            end += 1
        cluster = text[start:end]
        yield cluster, cell_len(cluster)
        start = end


def head(text: str, cells: int) -> str:
    """The longest beginning of ``text`` that fits into ``cells``, cut between clusters."""
    if text.isascii():
        return text[: max(cells, 0)]
    taken = 0
    size = 0
    for cluster, cluster_cells in clusters(text):
        if taken + cluster_cells > cells:
            break
        taken += cluster_cells
        size += len(cluster)
    return text[:size]


def tail(text: str, cells: int) -> str:
    """The longest end of ``text`` that fits into ``cells``, cut between clusters."""
    if text.isascii():
        return text[-cells:] if cells > 0 else ""
    taken = 0
    size = 0
    for cluster, cluster_cells in reversed(list(clusters(text))):
        if taken + cluster_cells > cells:
            break
        taken += cluster_cells
        size += len(cluster)
    return text[len(text) - size :] if size else ""


def cut(text: str, cells: int, *, keep: str = "head") -> str:
    """Shorten ``text`` to at most ``cells``, with ``…`` where something was left out.

    ``keep`` names the part that matters: ``head``, ``tail`` (paths) or ``ends``.
    """
    if cells <= 0:
        return ""
    if width(text) <= cells:
        return text
    room = cells - 1
    if keep == "tail":
        return ELLIPSIS + tail(text, room).lstrip(" ")
    if keep == "ends":
        front = (room + 1) // 2
        return head(text, front).rstrip(" ") + ELLIPSIS + tail(text, room - front).lstrip(" ")
    return head(text, room).rstrip(" ") + ELLIPSIS


def pad(text: str, cells: int, *, align: str = "left") -> str:
    """Fill ``text`` up with spaces to ``cells``; longer text is returned as it is."""
    text = text.rstrip(JOINER)  # at the end it would swallow the space that follows
    missing = cells - width(text)
    if missing <= 0:
        return text
    if align == "right":
        return " " * missing + text
    if align == "center":
        return " " * (missing // 2) + text + " " * (missing - missing // 2)
    return text + " " * missing


def fit(text: str, cells: int, *, align: str = "left", keep: str = "head") -> str:
    """Return exactly ``cells`` cells of ``text``: cut when too long, padded when too short."""
    return pad(cut(text, cells, keep=keep), max(cells, 0), align=align)


def counted(number: int, word: str) -> str:
    """A number with its word: ``1 link``, ``2,000 links``."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
