"""How the editor draws: its colours, its marks, and which rows are drawn again.

A caret key redraws the two lines it leaves and enters, an edit the lines it changed, however long
the page: over a slow line that is what counts.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.document._document import Location, Selection
from textual.geometry import Region
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import TextArea

from memex_tui.render.text import fit
from memex_tui.screens.page.colours import LineStates, coloured
from memex_tui.screens.page.document import PageDocument, PageWrap
from memex_tui.screens.page.editor_look import CSS, NAMES
from memex_tui.screens.page.filetext import drawn

KEPT = 600  # drawn rows in memory
SIGN_CELLS = 2  # before the line numbers of a page with sources
BRACKETS = 5_000  # characters in which the other bracket of a pair is looked for


class Ghost(NamedTuple):
    """``line[start:end]`` names a page without linking to it."""

    start: int
    end: int
    paths: tuple[str, ...]


Spans = tuple[tuple[int, int], ...]


class ColouredArea(TextArea):
    """A text area over a :class:`PageDocument`, coloured line by line."""

    COMPONENT_CLASSES = frozenset(f"ed--{name}" for name in NAMES)
    DEFAULT_CSS = CSS

    document: PageDocument
    wrapped_document: PageWrap
    selection = reactive(Selection(), init=False, always_update=True, repaint=False)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._states = LineStates([""])
        self._drawn: OrderedDict[tuple[Any, ...], Strip] = OrderedDict()
        self._look: dict[str, Style] = {}
        self._css_known = False
        self._shown_bracket: Location | None = None
        self._ghosts: dict[str, tuple[Ghost, ...]] = {}
        self._found: Mapping[int, Spans] = {}
        self._found_at: tuple[int, int] = (-1, -1)
        self.link_state: Callable[[str], str] = lambda _: ""
        """What a wiki-link's target is: empty (a page), ``missing`` or ``ambiguous``."""
        self._signs = False
        self.sign_of: Callable[[str], tuple[str, str]] = lambda _: ("", "")
        """The sign of what proves a line, and the component it is drawn in; empty: none."""
        super().__init__("", show_line_numbers=True, tab_behavior="indent", id=id, classes=classes)

    # -- places -----------------------------------------------------------------------------

    def front_lines(self) -> int:
        """How many lines the front matter takes; 0 without any."""
        return self._states.front_lines()

    def in_prose(self, line: int) -> bool:
        """Whether a line stands outside front matter, code, math and comments."""
        return not self._states.at(line) and (line > 0 or not self.front_lines())

    def in_code(self, line: int) -> bool:
        """Whether a line stands in a code block."""
        return self._states.at(line)[:1] in ("`", "~")

    # -- marks ------------------------------------------------------------------------------

    def set_ghosts(self, ghosts: Mapping[str, tuple[Ghost, ...]]) -> None:
        """Names of pages that are no links, by the text of the line they stand in."""
        if ghosts != self._ghosts:
            self._ghosts = dict(ghosts)
            self.refresh()

    def ghosts_of(self, line: int) -> tuple[Ghost, ...]:
        """The names of pages in a line that are no links."""
        text = self.document[line]
        return self._ghosts.get(text, ()) if text and self.in_prose(line) else ()

    def set_found(self, found: Mapping[int, Spans], at: tuple[int, int] = (-1, -1)) -> None:
        """Mark matches: line -> spans; ``at`` is the line and start of the current one."""
        if found or self._found:
            self._found, self._found_at = found, at
            self.refresh()

    def links_changed(self) -> None:
        """Other targets are missing now."""
        self._drawn.clear()
        self.refresh()

    def keep_signs(self, wanted: bool) -> None:
        """Keep room for signs before the line numbers, or none."""
        if wanted != self._signs:
            self._signs = wanted
            if self.is_mounted:
                self._rewrap_and_refresh_virtual_size()
                self.refresh()

    @property
    def gutter_width(self) -> int:
        return super().gutter_width + (SIGN_CELLS if self._signs else 0)

    def _sign(self, line: int, part: int) -> tuple[str, str]:
        text = self.document[line] if self._signs and not part else ""
        return self.sign_of(text) if "[^" in text and self.in_prose(line) else ("", "")

    # -- drawing ----------------------------------------------------------------------------

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._drawn.clear()
        self._look.clear()
        self._css_known = False

    def _set_theme(self, theme: str) -> None:
        super()._set_theme(theme)
        self._css_known = False

    def _refresh_lines(self, first: int, last: int) -> None:
        """Draw the rows of some lines again."""
        begin, _ = self.wrapped_document.rows_of(first)
        _, end = self.wrapped_document.rows_of(last)
        self._refresh_rows(begin, end)

    def _refresh_from(self, line: int) -> None:
        begin, _ = self.wrapped_document.rows_of(line)
        self._refresh_rows(begin, round(self.scroll_y) + self.size.height)

    def _refresh_rows(self, begin: int, end: int) -> None:
        top = round(self.scroll_y)
        begin, end = max(begin - top, 0), min(end - top, self.size.height)
        if begin < end:
            self.refresh(Region(0, begin, self.size.width, end - begin))

    def _watch_selection(self, previous_selection: Selection, selection: Selection) -> None:
        super()._watch_selection(previous_selection, selection)
        bracket = self._matching_bracket_location
        touched = {previous_selection.end[0], selection.end[0]}
        touched |= {place[0] for place in (bracket, self._shown_bracket) if place is not None}
        self._shown_bracket = bracket
        if not (previous_selection.is_empty and selection.is_empty):
            touched |= {previous_selection.start[0], selection.start[0]}
            self._refresh_lines(min(touched), max(touched))
            return
        for line in touched:
            self._refresh_lines(line, line)

    def render_lines(self, crop: Region) -> list[Strip]:
        if not self._css_known:
            self._theme.apply_css(self)
            self._keep_colours()
            self._css_known = True
        return ScrollView.render_lines(self, crop)

    def _keep_colours(self) -> None:
        """Only the background tells the caret's line and the selection: the text keeps its colours."""
        theme = self._theme
        for name in ("cursor_line_style", "selection_style", "bracket_matching_style"):
            style = getattr(theme, name)
            if style is not None and style.bgcolor is not None:
                setattr(theme, name, Style(bgcolor=style.bgcolor))

    def render_line(self, y: int) -> Strip:
        row = round(self.scroll_y) + y
        place = self.wrapped_document.place(row)
        if place is None:
            return Strip.blank(self.size.width, self.rich_style)
        line, part = place
        text = self.document[line]
        sign, look = self._sign(line, part)
        state = self._states.at(line)
        start, end = sorted(self.selection)
        selected = (start, end) if start != end and start[0] <= line <= end[0] else None
        here = self.selection.end[0] == line
        bracket = self._matching_bracket_location
        key = (
            place,
            text,
            state,
            self.size.width,
            self.wrapped_document.width,
            0 if self.soft_wrap else round(self.scroll_x),
            self.indent_width,
            self.gutter_width,
            selected,
            (self.selection.end[1], self._draw_cursor, self.suggestion) if here else None,
            bracket if bracket is not None and (here or bracket[0] == line) else None,
            self._found.get(line),
            self._found_at if self._found_at[0] == line else None,
            self._ghosts.get(text),
            self.has_focus,
            sign,
            look,
        )
        strip = self._drawn.get(key)
        if strip is None:
            strip = self._render_line(y)
            if sign:
                under = next(iter(strip.crop(0, SIGN_CELLS))).style or Style()
                first = Segment(fit(sign, SIGN_CELLS), under + self._style(look))
                strip = Strip.join([Strip([first]), strip.crop(SIGN_CELLS)])
            self._drawn[key] = strip
            if len(self._drawn) > KEPT:
                self._drawn.popitem(last=False)
        return strip

    def get_line(self, line_index: int) -> Text:
        """A line with its colours."""
        line = self.document[line_index]
        text = Text(drawn(line), end="", no_wrap=True)
        if len(text.plain) != len(line):
            text = Text(line, end="", no_wrap=True)
        state = self._states.at(line_index)
        number = line_index if self.front_lines() or line_index else 1
        for start, end, name in coloured(line, state, number):
            if name == "link":
                name = self.link_state(line[start:end]) or name
            text.stylize(self._style(name), start, end)
        for ghost in self.ghosts_of(line_index):
            text.stylize(self._style("ghost"), ghost.start, ghost.end)
        for start, end in self._found.get(line_index, ()):
            current = self._found_at == (line_index, start)
            text.stylize(self._style("found-current" if current else "found"), start, end)
        return text

    def _style(self, name: str) -> Style:
        """The style of a component, without the background where it has none of its own."""
        style = self._look.get(name)
        if style is None:
            rules = self.get_component_styles(f"ed--{name}")
            full = self.get_component_rich_style(f"ed--{name}")
            plain = full.color is None or not (rules.has_rule("color") or rules.has_rule("auto_color"))
            style = rules.text_style
            if not plain:
                style += Style(color=full.color)
            if rules.has_rule("background"):
                style += Style(bgcolor=full.bgcolor)
            self._look[name] = style
        return style

    def _yield_character_locations(self, start: Location) -> Iterable[tuple[str, Location]]:
        return islice(super()._yield_character_locations(start), BRACKETS)

    def _yield_character_locations_reverse(self, start: Location) -> Iterable[tuple[str, Location]]:
        return islice(super()._yield_character_locations_reverse(start), BRACKETS)
