"""The page editor: typing, Markdown's lists, undo, and texts that change under it.

Undo goes on where a page was left, since document and history stay together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from textual import events
from textual.document._document import EditResult, Location, Selection
from textual.document._document_navigator import DocumentNavigator
from textual.document._edit import Edit
from textual.document._history import EditHistory
from textual.message import Message

from memex_tui.screens.page.colours import LineStates
from memex_tui.screens.page.document import PageDocument, PageWrap
from memex_tui.screens.page.editor_drawing import ColouredArea, Ghost
from memex_tui.screens.page.filetext import wild
from memex_tui.screens.page.typing_rules import EDIT_KEYS, after_enter, indented, is_item

UNDO_STEPS = 500


class Editable(NamedTuple):
    """What is edited: the lines, and what was done to them."""

    document: PageDocument
    history: EditHistory


def editable(lines: Sequence[str]) -> Editable:
    """Lines made ready for the editor."""
    return Editable(PageDocument(lines), _history())


def _history() -> EditHistory:
    return EditHistory(UNDO_STEPS, checkpoint_timer=2.0, checkpoint_max_characters=100)


class PageEditor(ColouredArea):
    """Edits the source of one page."""

    class Copied(Message):
        """Text was copied or cut; the owner may put it on the system's clipboard."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._changed_from = -1
        self.key_filter: Callable[[str], bool] = lambda _: False
        """Asked first for every key; True when it was taken."""
        super().__init__(id=id, classes=classes)

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
        self.wrapped_document = PageWrap(text.document, self.wrap_width, self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._found = {}
        self._refresh_size()
        self.move_cursor(self.clamp_visitable(caret))
        if self.is_mounted:
            self.scroll_to(y=top, animate=False, force=True)
            self.refresh()

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
        if begin in (old_end, new_end):  # nothing on one side: take a neighbour along
            begin, old_end, new_end = (
                (begin - 1, old_end, new_end) if begin else (0, old_end + 1, new_end + 1)
            )
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

    def _rewrap_and_refresh_virtual_size(self) -> None:
        if not self.wrapped_document.is_for(self.wrap_width, self.indent_width):
            self.wrapped_document.wrap(self.wrap_width, self.indent_width)
        self._refresh_size()

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
        (first, _), (last, _) = sorted(self.selection)
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
        self._copied(self.selected_text)

    def action_cut(self) -> None:
        start, end = self.selection
        result = self._delete_cursor_line() if start == end else self._delete_via_keyboard(start, end)
        if result is not None:
            self._copied(result.replaced_text)

    def _copied(self, text: str) -> None:
        """Keep the text to be pasted here, and tell the owner."""
        if text:
            self.app._clipboard = text
            self.post_message(self.Copied(wild(text)))


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines two texts begin with in common."""
    size = min(len(old), len(new))
    for index in range(size):
        if old[index] != new[index]:
            return index
    return size


__all__ = ["Editable", "Ghost", "PageEditor", "editable"]
