"""The page editor: Textual's text area with colours of our own, redrawing only what changed.

A caret key redraws the two lines it leaves and enters, an edit the lines it changed, however long
the page. Undo goes on where a page was left, since document and history stay together.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from rich.style import Style
from rich.text import Text
from textual import events
from textual.document._document import EditResult, Location, Selection
from textual.document._document_navigator import DocumentNavigator
from textual.document._edit import Edit
from textual.document._history import EditHistory
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import TextArea

from memex_tui.screens.page.colours import LineStates, coloured
from memex_tui.screens.page.document import PageDocument, PageWrap
from memex_tui.screens.page.editor_look import CSS, NAMES
from memex_tui.screens.page.filetext import drawn
from memex_tui.screens.page.typing_rules import EDIT_KEYS, after_enter, indented, is_item

UNDO_STEPS = 500
KEPT = 600  # drawn rows in memory
BRACKETS = 5_000  # characters in which the other bracket of a pair is looked for


class Editable(NamedTuple):
    """What is edited: the lines, and what was done to them."""

    document: PageDocument
    history: EditHistory


def editable(lines: Sequence[str]) -> Editable:
    """Lines made ready for the editor."""
    return Editable(PageDocument(lines), _history())


def _history() -> EditHistory:
    return EditHistory(UNDO_STEPS, checkpoint_timer=2.0, checkpoint_max_characters=100)


class Ghost(NamedTuple):
    """``line[start:end]`` names a page without linking to it."""

    start: int
    end: int
    paths: tuple[str, ...]


Spans = tuple[tuple[int, int], ...]


class PageEditor(TextArea):
    """Edits the source of one page."""

    COMPONENT_CLASSES = frozenset(f"ed--{name}" for name in NAMES)
    DEFAULT_CSS = CSS

    selection = reactive(Selection(), init=False, always_update=True, repaint=False)

    class Copied(Message):
        """Text was copied or cut; the owner may put it on the system's clipboard."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._states = LineStates([""])
        self._drawn: OrderedDict[tuple[Any, ...], Strip] = OrderedDict()
        self._look: dict[str, Style] = {}
        self._css_known = False
        self._changed_from = -1
        self._shown_bracket: Location | None = None
        self._ghosts: dict[str, tuple[Ghost, ...]] = {}
        self._found: Mapping[int, Spans] = {}
        self._found_at: tuple[int, int] = (-1, -1)
        self.link_state: Callable[[str], str] = lambda _: ""
        """What a wiki-link's target is: empty (a page), ``missing`` or ``ambiguous``."""
        self.key_filter: Callable[[str], bool] = lambda _: False
        """Asked first for every key; True when it was taken."""
        super().__init__(
            "", show_line_numbers=True, tab_behavior="indent", compact=True, id=id, classes=classes
        )

    # -- the text ---------------------------------------------------------------------------

    @property
    def lines(self) -> list[str]:
        """The lines as they are now; not to be changed."""
        return self.document.lines

    def _set_document(self, text: str, language: str | None) -> None:
        self.open(Editable(PageDocument(text.split("\n")), _history()))

    def open(self, text: Editable, caret: Location = (0, 0), top: int = 0) -> None:
        """Edit another text, the caret at ``caret``, row ``top`` the first in the window."""
        self.document, self.history = text
        text.document.changed = self._on_changed
        self._states = LineStates(text.document.lines)
        self.wrapped_document = PageWrap(text.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._found = {}
        self._line_cache.clear()
        self._rewrap_and_refresh_virtual_size()
        self.move_cursor(self.clamp_visitable(caret))
        if self.is_mounted:
            self.scroll_to(y=top, animate=False, force=True)
            self.refresh()

    def front_lines(self) -> int:
        """How many lines the front matter takes; 0 without any."""
        return self._states.front_lines()

    def in_prose(self, line: int) -> bool:
        """Whether a line stands outside front matter, code, math and comments."""
        return not self._states.at(line) and (line > 0 or not self.front_lines())

    def take(self, lines: Sequence[str], *, record: bool = True) -> None:
        """Make the text ``lines``, touching only the lines that differ: caret and window stay.

        With ``record`` it can be undone; without it is only left out of the history where that cannot
        shift what the history holds.
        """
        old = self.document.lines
        same = _common(old, lines)
        tail = min(_common(old[same:][::-1], lines[same:][::-1]), len(old) - same, len(lines) - same)
        old_end, new_end = len(old) - tail, len(lines) - tail
        if same == old_end == new_end:
            return
        shift = new_end - old_end
        begin = same
        if begin == old_end or begin == new_end:  # nothing on one side: take a neighbour along
            begin, old_end, new_end = (begin - 1, old_end, new_end) if begin else (0, old_end + 1, new_end + 1)
        line, part = self.wrapped_document.place(round(self.scroll_y)) or (0, 0)
        history = self.history
        if not record and not shift:
            self.history = _history()
        end = (old_end - 1, len(old[old_end - 1]))
        self.replace("\n".join(lines[begin:new_end]), (begin, 0), end)
        self.history = history
        top = line + shift if line >= old_end else min(line, len(lines) - 1)
        if self.is_mounted:
            first, after = self.wrapped_document.rows_of(max(top, 0))
            self.scroll_to(y=min(first + part, after - 1), animate=False, force=True)

    def replace_line(self, line: int, text: str) -> None:
        """Put ``text`` in the place of a whole line."""
        self.replace(text, (line, 0), (line, len(self.document[line])))

    # -- changes ----------------------------------------------------------------------------

    def _on_changed(self, line: int) -> None:
        self._changed_from = line if self._changed_from < 0 else min(line, self._changed_from)

    def edit(self, edit: Edit) -> EditResult:
        last = edit.bottom[0]
        count, height, gutter = self.document.line_count, self.wrapped_document.height, self.gutter_width
        known = self._states.known(last + 1)
        result = super().edit(edit)
        end = result.end_location[0]
        self._states.changed(edit.top[0])
        same = (count, height, gutter) == (
            self.document.line_count,
            self.wrapped_document.height,
            self.gutter_width,
        )
        self._changed_from = -1
        if same and (known is None or known == self._states.at(min(end + 1, self.document.line_count - 1))):
            self._refresh_lines(edit.top[0], end)
        else:
            self._refresh_from(edit.top[0])
        return result

    def _undo_batch(self, edits: Sequence[Edit]) -> None:
        self._changed_from = -1
        super()._undo_batch(edits)
        self._history_moved()

    def _redo_batch(self, edits: Sequence[Edit]) -> None:
        self._changed_from = -1
        super()._redo_batch(edits)
        self._history_moved()

    def _history_moved(self) -> None:
        if self._changed_from >= 0:
            self._states.changed(self._changed_from)
            self._refresh_from(self._changed_from)
        self._changed_from = -1

    def _yield_character_locations(self, start: Location) -> Iterable[tuple[str, Location]]:
        return islice(super()._yield_character_locations(start), BRACKETS)

    def _yield_character_locations_reverse(self, start: Location) -> Iterable[tuple[str, Location]]:
        return islice(super()._yield_character_locations_reverse(start), BRACKETS)

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

    # -- keys -------------------------------------------------------------------------------

    async def _on_key(self, event: events.Key) -> None:
        event.prevent_default()  # what TextArea itself does with keys is done here
        self._restart_blink()
        if self.key_filter(event.key):
            event.stop()
        elif event.key in EDIT_KEYS:
            event.stop()
            name, select = EDIT_KEYS[event.key]
            act = getattr(self, f"action_{name}")
            act(True) if select else act()
        elif self.read_only:
            return
        elif event.key == "enter":
            event.stop()
            self._enter()
        elif event.key in ("tab", "shift+tab"):
            event.stop()
            self._tab(less=event.key != "tab")
        elif event.is_printable and event.character:
            event.stop()
            self._replace_via_keyboard(event.character, *self.selection)

    def _enter(self) -> None:
        (line, column), end = sorted(self.selection)
        in_code = self._states.at(line) != "" and self._states.at(line)[0] in "`~yt"
        typed = after_enter(self.document[line], column, in_code=in_code)
        remove = typed.remove if (line, column) == end else 0
        self._replace_via_keyboard(typed.text, (line, column - remove), end)

    def _tab(self, *, less: bool) -> None:
        (first, column), (last, _) = sorted(self.selection)
        if first == last and not less and not is_item(self.document[first]):
            self._replace_via_keyboard(" " * self._find_columns_to_next_tab_stop(), *self.selection)
            return
        old = self.document.lines[first : last + 1]
        new = [indented(line, self.indent_width, less=less) if line else line for line in old]
        if new == old:
            return
        start, end = self.selection
        edges = ((first, 0), (last, len(old[-1])))
        self.replace("\n".join(new), *edges, maintain_selection_offset=False)

        def moved(place: Location) -> Location:
            row = place[0] - first
            return place[0], max(place[1] + len(new[row]) - len(old[row]), 0)

        self.selection = Selection(moved(start), moved(end))

    def action_cursor_text_start(self) -> None:
        self.move_cursor((0, 0))

    def action_cursor_text_end(self) -> None:
        self.move_cursor(self.document.end)

    def action_copy(self) -> None:
        text = self.selected_text
        if text:
            self.app.copy_to_clipboard(text)
            self.post_message(self.Copied(text))

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
            self._css_known = True
        return ScrollView.render_lines(self, crop)

    def render_line(self, y: int) -> Strip:
        row = round(self.scroll_y) + y
        place = self.wrapped_document.place(row)
        if place is None:
            return Strip.blank(self.size.width, self.rich_style)
        line, _ = place
        text = self.document[line]
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
            self.gutter_width,
            selected,
            (self.selection.end[1], self._draw_cursor, self.suggestion) if here else None,
            bracket if bracket is not None and (here or bracket[0] == line) else None,
            self._found.get(line),
            self._found_at if self._found_at[0] == line else None,
            self._ghosts.get(text),
            self.has_focus,
        )
        strip = self._drawn.get(key)
        if strip is None:
            strip = self._drawn[key] = self._render_line(y)
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


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines two texts begin with in common."""
    size = min(len(old), len(new))
    for index in range(size):
        if old[index] != new[index]:
            return index
    return size
