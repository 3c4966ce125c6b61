"""The pieces a page is made of on its way to the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from memex_tui.render.line import Line, Run

RESOLVED, UNRESOLVED, AMBIGUOUS = "resolved", "unresolved", "ambiguous"

# Blocks longer than this are laid out in pieces, so that no piece is slow.
LONG_PARAGRAPH = 100  # lines; longer ones are laid out in pieces of this size
LONG_FENCE = 200
LONG_TABLE = 100
LONG_LINE = 8_000  # characters


class Link(NamedTuple):
    """Something on the page that can be followed.

    ``kind``: ``wiki``, ``embed``, ``markdown`` (a link to a file), ``url``, ``image``, ``tag``,
    ``footnote`` (to its definition), ``footnote-back``, ``fold`` (a callout's title), ``code`` (a code
    block, its code the ``text``). ``line`` is the source line (1-based, as in the file), ``ordinal``
    tells links of one line apart.
    """

    kind: str
    target: str
    heading: str = ""
    block: str = ""
    text: str = ""
    line: int = 0
    ordinal: int = 0
    state: str = RESOLVED


class LinkSpan(NamedTuple):
    """The cells ``x0`` to ``x1`` of a row that belong to ``link``. A wrapped link has several."""

    x0: int
    x1: int
    link: Link


class Row(NamedTuple):
    """One screen line of a page.

    ``line`` and ``last`` are the first and last source line it shows; ``lead`` the cells of
    bullets, bars and indentation in front of the text; ``fill`` the component classes that run
    on to the right edge; ``anchor`` is set on the row of a heading.
    """

    runs: Line
    line: int
    last: int
    links: tuple[LinkSpan, ...] = ()
    lead: int = 0
    fill: tuple[str, ...] = ()
    anchor: str = ""


class Frame(NamedTuple):
    """What a container puts in front of its rows: ``first`` before the first, ``rest`` before others."""

    first: Run
    rest: Run
    names: tuple[str, ...] = ()  # classes for the text inside
    item: bool = False  # a list item: nested ones get another bullet


class Block(NamedTuple):
    """A range of source lines with one meaning; ``src[start:end]``, ``base`` is the line of src[0]."""

    kind: str
    src: Sequence[str]
    start: int
    end: int
    base: int
    gap: int = 0  # blank rows in front
    data: Any = None
    frames: tuple[Frame, ...] = ()
    gap_depth: int = 0  # how many of the frames also stand before the blank row

    @property
    def line(self) -> int:
        """Source line of the block's first line."""
        return self.base + self.start

    @property
    def lines(self) -> Sequence[str]:
        return self.src[self.start : self.end]


class Item(NamedTuple):
    """A list item: ``marker`` as shown (``-`` or ``3.``), ``indent`` of its content, task character."""

    marker: str
    indent: int
    task: str  # "" when not a task
    delimiter: str


class Fence(NamedTuple):
    """A code block, or a piece of a long one: its code is ``src[code:stop]``.

    ``origin`` and ``whole`` are the first line and the end of the code of the whole block.
    """

    info: str
    indented: bool
    origin: int
    whole: int
    code: int
    stop: int


class Embed(NamedTuple):
    """The text of another page (or of a part of it), to be shown inside this one."""

    title: str
    text: str


class Heading(NamedTuple):
    """A heading of the page. ``anchor`` is unique on the page even when titles repeat."""

    level: int
    title: str
    line: int
    anchor: str


class Property(NamedTuple):
    """One front matter entry, its value as text or as a list of texts."""

    key: str
    value: str | Sequence[str]


class Hooks(NamedTuple):
    """What only the owner of the page can answer.

    ``resolve(link)`` -> ``resolved`` | ``unresolved`` | ``ambiguous``; ``embed(link)`` -> the text
    to show, or None when there is nothing. Both are called for visible blocks only, and must be
    quick: answer from what is loaded, and call ``MarkdownView.relink()`` when more is known.
    """

    resolve: Callable[[Link], str] = lambda link: RESOLVED
    embed: Callable[[Link], Embed | None] = lambda link: None
