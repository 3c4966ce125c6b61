"""Editing: going in and out of the editor, the preview beside it, saving."""

from __future__ import annotations

from collections.abc import Sequence

from memex_core.files.config import Config
from memex_core.model import clock
from memex_core.model.errors import Conflict, MemexError
from memex_tui.screens.page import loading
from memex_tui.screens.page.buffer import Buffer
from memex_tui.screens.page.editor import PageEditor
from memex_tui.screens.page.filetext import wild
from memex_tui.screens.page.frame import EDIT, KEPT, READ
from memex_tui.screens.page.loading import Kept
from memex_tui.screens.page.merging import merge, merged
from memex_tui.screens.page.reading import Reading

SWAP_AFTER = 1.0  # seconds after a change until the text is on disk for the worst case
PREVIEW_AFTER = 0.12
SLOW_PREVIEW = 200_000  # characters from which the preview waits longer


class Editing(Reading):
    """The editing half of the area."""

    def __init__(self) -> None:
        super().__init__()
        self._saving: set[str] = set()
        self._swapped: dict[str, int] = {}  # path -> version of the text that is in its swap file
        self._swap_timer = self._preview_timer = None

    def use_config(self, config: Config) -> None:
        """Follow the settings of the editor; what is being edited follows at once."""
        self.editor.indent_width = config.editor.tab_width
        self.editor.soft_wrap = config.editor.wrap

    # -- in and out -------------------------------------------------------------------------

    def buffer_for_editing(self) -> Buffer | None:
        """The text of the open page; says why when it cannot be edited here."""
        if self.opened is None:
            return None
        buffer = self.buffer
        if buffer is None:
            buffer = Buffer(self.path, None if self.gone else self.opened.data)
            if self.gone:  # what is shown is all that is left of it
                buffer = Buffer(self.path, self.opened.data)
                buffer.lost()
            if buffer.base.why_not:
                self.memex_app.toast(
                    f"Too much for this editor: {buffer.base.why_not}",
                    hint="E opens it in $EDITOR",
                    severity="warning",
                )
                return None
            self.buffers[self.path] = buffer
        self.buffers.move_to_end(self.path)
        for path in [path for path, one in self.buffers.items() if not one.dirty][
            : max(len(self.buffers) - KEPT, 0)
        ]:
            if path != self.path:
                del self.buffers[path]
        return buffer

    def do_page_edit(self) -> None:
        self.edit()

    def edit(self, line: int = 0) -> None:
        """Open the editor, the caret on ``line`` (from 1), or where it was, or at what is in sight."""
        self.leave_editor()
        buffer = self.buffer_for_editing()
        if buffer is None:
            return
        reader = self.reader
        fresh = buffer.caret == (0, 0)
        first_line = self.opened.reading.first_line if self.opened is not None else 1
        top = reader.top_line if reader.scroll_y else first_line
        if line or fresh:
            buffer.caret = (max((line or max(top, first_line)) - 1, 0), 0)
        self.set_mode(EDIT)
        if self.found_swap is not None:
            self.unsay()  # its keys are letters now; it is said again when reading
        self.editor.open(buffer.text, buffer.caret, buffer.top)
        self.editor.focus()
        if line or fresh:
            self.call_after_refresh(self._show_caret, fresh and not line)
        self.show_frame()
        self.editing_changed()
        self.show_preview()

    def _show_caret(self, at_top: bool) -> None:
        editor = self.editor
        begin, _ = editor.wrapped_document.rows_of(editor.cursor_location[0])
        if at_top and begin < editor.size.height:
            begin = 0
        editor.scroll_to(
            y=begin if at_top else max(begin - editor.size.height // 3, 0), animate=False, force=True
        )

    def leave_editor(self) -> None:
        """Note where the caret is; the text stays in its buffer."""
        buffer = self.buffer
        if self.mode == EDIT and buffer is not None:
            buffer.caret = self.editor.cursor_location
            buffer.top = round(self.editor.scroll_y)

    def do_page_read(self) -> None:
        """Back to reading, at the line of the caret."""
        line = self.caret_line
        self.leave_editor()
        self.find_bar.close()
        self.set_mode(READ)
        self.show_reader()
        self.say_swap()
        self.reader.reveal_line(line)
        self.reader.focus()
        self.keep_swaps()

    def do_page_split(self) -> None:
        self.split = not self.narrow
        self.edit()

    def do_page_preview(self) -> None:
        if self.narrow:
            self.do_page_read()
            return
        self.split = not self.split
        self.set_mode(EDIT)
        self.show_preview()

    def show_preview(self) -> None:
        """Show the text as it will be read, at the caret."""
        if not self.split or self.mode != EDIT or self.opened is None:
            return
        front = self.editor.front_lines()
        text = wild("\n".join(self.editor.lines[front:]))
        view = self.preview
        view.border_title = "preview"
        if view.document.hooks.resolve != self.links.state:
            view.set_page(text, first_line=front + 1, hooks=self.links.hooks())
        else:
            view.replace_page(text, first_line=front + 1)
        view.reveal_line(max(self.caret_line, front + 1))

    def preview_soon(self) -> None:
        """Show the text again once no key comes for a moment."""
        if self.split and self.mode == EDIT:
            if self._preview_timer is not None:
                self._preview_timer.stop()
            slow = len(self.editor.document.text) > SLOW_PREVIEW
            self._preview_timer = self.set_timer(1.0 if slow else PREVIEW_AFTER, self.show_preview)

    def do_page_undo_edit(self) -> None:
        self.editor.undo()

    def do_page_redo_edit(self) -> None:
        self.editor.redo()

    # -- changes ----------------------------------------------------------------------------

    def on_text_area_changed(self, event: PageEditor.Changed) -> None:
        event.stop()
        if self.mode != EDIT or event.text_area is not self.editor:
            return
        self.show_frame()
        self.preview_soon()
        self.editing_changed()
        if self._swap_timer is not None:
            self._swap_timer.stop()
        self._swap_timer = self.set_timer(SWAP_AFTER, self.keep_swaps)

    async def on_page_editor_copied(self, event: PageEditor.Copied) -> None:
        event.stop()
        await self.memex_app.copy(event.text, "text")

    def editing_changed(self) -> None:
        """The text or the caret is another one (links and matches look at it)."""

    # -- saving -----------------------------------------------------------------------------

    def do_page_save(self) -> None:
        self.save()

    def do_page_save_text(self) -> None:
        self.save()

    def save(self) -> None:
        """Write the text. What is typed meanwhile stays, and is unsaved."""
        buffer = self.buffer
        if buffer is None or not buffer.dirty:
            self.memex_app.toast("Everything is saved")
            return
        if buffer.theirs is not None:
            self.compare()
            return
        if buffer.path in self._saving:
            return
        self._saving.add(buffer.path)
        path, data, expect, lines = buffer.path, buffer.data(), buffer.digest, list(buffer.lines)

        def failed(error: MemexError) -> None:
            self._saving.discard(path)
            if isinstance(error, Conflict):
                self.ask(
                    "theirs",
                    lambda memex: loading.current_bytes(memex, path),
                    lambda now: self.clash(path, now),
                )
            else:
                self.memex_app.report(error)

        self.write(
            lambda memex: loading.save(memex, path, data, expect),
            lambda kept: self._saved(buffer, lines, kept),
            failed,
        )

    def _saved(self, buffer: Buffer, lines: Sequence[str], kept: Kept) -> None:
        self._saving.discard(buffer.path)
        buffer.rebase(kept.data)
        self.saved_at[buffer.path] = clock.now().astimezone().strftime("%H:%M")
        if buffer.lines == lines:
            self.take(buffer, buffer.base.lines, record=False)
        elif buffer.base.lines != lines:  # memex renewed a key while more was typed
            self.take(buffer, merged(merge(lines, buffer.lines, buffer.base.lines), {}))
        if not buffer.dirty:
            self.drop_swap(buffer.path)
        if buffer.path == self.path:
            self.gone = False
            self.unsay()
            self.show_frame()
            if self.mode == READ:
                self.show_reader()
        self.refresh_keys()

    def take(self, buffer: Buffer, lines: Sequence[str], *, record: bool = True) -> None:
        """Give a buffer another text; where it is in the editor, caret and window stay."""
        if self.mode == EDIT and buffer is self.buffer:
            self.editor.take(lines, record=record)
        elif buffer.lines != lines:
            caret, top = buffer.caret, buffer.top
            fresh = Buffer(buffer.path, buffer.base.data, list(lines))
            buffer.text, buffer.caret, buffer.top = fresh.text, caret, top

    def do_page_discard(self) -> None:
        buffer = self.buffer
        if buffer is None or not buffer.dirty or buffer.gone:
            self.memex_app.toast("There is no unsaved text")
            return
        data = buffer.theirs or buffer.base.data
        if self.mode == READ:
            self.edit()
        buffer.rebase(data)
        self.take(buffer, buffer.base.lines)
        self.unsay()
        self.drop_swap(buffer.path)
        self.do_page_read()
        self.memex_app.toast("The text on disk is shown again", hint="in the editor, ^z brings yours back")
