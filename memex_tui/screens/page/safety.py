"""Unsaved text kept safe: outside changes, two texts of one page, crashes, other editors."""

from __future__ import annotations

from memex_core.files import surgeon
from memex_core.files.atomic import digest
from memex_core.files.frontmatter import read as read_front
from memex_tui.external import edit_outside
from memex_tui.screens.page import loading, swap
from memex_tui.screens.page.buffer import Buffer
from memex_tui.screens.page.conflict import Comparison, ConflictView
from memex_tui.screens.page.editing import Editing
from memex_tui.screens.page.editor import PageEditor
from memex_tui.screens.page.filetext import FileText
from memex_tui.screens.page.frame import CONFLICT, EDIT
from memex_tui.screens.page.loading import Kept
from memex_tui.screens.page.swap import Swap
from memex_tui.screens.search.presenter import age

LOOK = ("C", "compare", "page.compare")


class Safety(Editing):
    """The part of the area that loses no text."""

    # -- changes from outside ---------------------------------------------------------------

    def reconcile(self, buffer: Buffer, data: bytes) -> None:
        """The file is ``data`` now: take it over, or keep both texts until somebody chooses."""
        lines = FileText(data).lines
        if buffer.digest == digest(data):
            buffer.theirs = None
        elif lines == buffer.lines or not buffer.dirty:
            buffer.rebase(data)
            self.take(buffer, lines)
            self.drop_swap(buffer.path)
        elif buffer.path in self._saving:
            return  # what is being saved is compared with the disk there
        else:
            self.clash(buffer.path, data, show=False)

    def clash(self, path: str, data: bytes | None, *, show: bool = True) -> None:
        """The file is another one than the text was made from. Nothing is written before a choice."""
        buffer = self.buffers.get(path)
        if buffer is None:
            return
        if data is None:
            self.lost(buffer)
            return
        buffer.theirs = data
        self.keep_swaps()
        if path == self.path:
            self.show_frame()
            self.say_clash()
            if show:
                self.compare()

    def say_clash(self) -> None:
        """Say above the page that there are two texts."""
        key = ("alt+c", "compare", "page.compare-text") if self.mode == EDIT else LOOK
        self.say("The file changed outside. Both texts are kept.", [key], sign="⇄")

    def lost(self, buffer: Buffer) -> None:
        """The file of a buffer was deleted."""
        buffer.lost()
        self.keep_swaps()
        if buffer.path == self.path:
            self.say("The file was deleted. Your text is kept; ^s writes it anew.", sign="✗")
            self.show_frame()

    def do_page_compare(self) -> None:
        self.compare()

    def do_page_compare_text(self) -> None:
        self.compare()

    def compare(self) -> None:
        """Show mine and theirs."""
        buffer = self.buffer
        if buffer is None or buffer.theirs is None:
            self.memex_app.toast("The file has not changed outside")
            return
        self.leave_editor()
        comparison = Comparison(buffer.base.lines, buffer.lines, FileText(buffer.theirs).lines)
        front = read_front(buffer.data()).body_line - 1
        for old in self.query(ConflictView):
            old.remove()
        self.set_mode(CONFLICT)
        self.query_one("#area").mount(ConflictView(comparison, buffer.theirs, front, self.links.hooks()))

    def end_comparison(self) -> None:
        """Put the view away and go on editing."""
        for view in self.query(ConflictView):
            view.remove()
        buffer = self.buffer
        self.edit()
        if buffer is not None and buffer.theirs is not None:
            self.say_clash()

    def take_merge(self, view: ConflictView) -> None:
        """The text as chosen goes into the editor; it grows from theirs now, which a save replaces."""
        buffer = self.buffer
        if buffer is not None and buffer.theirs not in (None, view.theirs):
            self.memex_app.toast("The file changed once more", severity="warning")
            self.compare()
            return
        lines = view.comparison.text()
        self.end_comparison()
        if buffer is None or buffer.theirs is None:
            return
        buffer.rebase(buffer.theirs)
        self.take(buffer, lines)
        self.unsay()
        self.keep_swaps()
        self.show_frame()
        if not buffer.dirty:
            self.drop_swap(buffer.path)
        self.memex_app.toast("Taken as chosen; ^s writes it" if buffer.dirty else "Theirs is taken")

    # -- the worst case -----------------------------------------------------------------------

    def keep_swaps(self) -> None:
        """Put unsaved texts on disk, where a crash does not reach them."""
        layout = self.memex_app.layout
        if layout is None:
            return
        for path, buffer in self.buffers.items():
            version = buffer.text.document.version
            if not buffer.dirty or self._swapped.get(path) == version:
                continue
            caret = buffer.caret
            if self.mode == EDIT and path == self.path:
                caret = next((editor.cursor_location for editor in self.query(PageEditor)), caret)
            base = buffer.base.data if not buffer.gone or buffer.base.data else None
            if swap.keep(layout, Swap(path, base, list(buffer.lines), caret)):
                self._swapped[path] = version

    def lost_by_quitting(self) -> list[str]:
        """Pages whose unsaved text could not be put on disk, not even now."""
        self.keep_swaps()
        return [
            path
            for path, buffer in self.buffers.items()
            if buffer.dirty and self._swapped.get(path) != buffer.text.document.version
        ]

    def drop_swap(self, path: str) -> None:
        """The unsaved text of a page is saved or not wanted."""
        self._swapped.pop(path, None)
        if self.memex_app.layout is not None:
            swap.drop(self.memex_app.layout, path)

    def offer_swap(self, found: Swap) -> None:
        """Say that unsaved text of the last time is there."""
        layout = self.memex_app.layout
        self.found_swap = swap.set_aside(layout, found) if layout is not None else found
        self.say_swap()

    def say_swap(self) -> None:
        """Say above the page that unsaved text was kept."""
        found = self.found_swap
        if found is not None:
            keys = [("R", "look at it", "page.recover"), ("X", "forget it", "page.forget-kept")]
            when = f"{age(found.stamp)} {found.stamp[11:16]}"
            self.say(f"Unsaved text kept {when}", keys, sign="◆", look="bar--accent")

    def do_page_recover(self) -> None:
        found = self.found_swap
        if found is None or self.opened is None:
            self.memex_app.toast("No unsaved text was kept for this page")
            return
        buffer = Buffer(self.path, found.base, found.lines)
        buffer.caret = found.caret
        if not self.gone and buffer.digest != self.opened.digest:
            buffer.theirs = self.opened.data
            buffer.gone = False
        self.buffers[self.path] = buffer
        self.found_swap = None
        self.unsay()
        self.edit()
        self.keep_swaps()
        swap.forget(found)
        if buffer.theirs is not None:
            self.say_clash()

    def do_page_forget_kept(self) -> None:
        if self.found_swap is not None:
            swap.forget(self.found_swap)
            self.found_swap = None
            self.unsay()

    # -- another editor -----------------------------------------------------------------------

    def do_page_edit_outside(self) -> None:
        self.edit_outside(self.reader.top_line if self.reader.scroll_y else 1)

    def do_page_edit_text_outside(self) -> None:
        buffer = self.buffer
        if buffer is not None and buffer.dirty:
            self.memex_app.toast("Save first: ^s, then E", severity="warning")
            return
        self.edit_outside(self.caret_line)

    def edit_outside(self, line: int) -> None:
        """Hand the terminal to $EDITOR, then draw everything again and read the page anew."""
        if self.opened is None:
            return
        if self.dirty:
            self.memex_app.toast("Save first: ^s, then E", severity="warning")
            return
        try:
            edit_outside(self.app, self.opened.reading.file_path, line)
        finally:
            self.reload()

    def reload(self) -> None:
        """Read the page again."""

    # -- properties ---------------------------------------------------------------------------

    def set_properties(self, wanted: dict[str, object], unset: list[str]) -> None:
        """Set front matter keys: in the unsaved text where there is one, else in the file."""
        buffer = self.buffer
        if buffer is not None and (buffer.dirty or self.mode == EDIT):
            data = surgeon.set_keys(buffer.data(), {**wanted, **dict.fromkeys(unset)})
            self.take(buffer, FileText(data).lines)
            self.show_reader()
            return
        assert self.opened is not None
        path, expect = self.path, self.opened.digest
        self.write(
            lambda memex: loading.set_properties(memex, path, wanted, unset, expect), self._properties_kept
        )

    def _properties_kept(self, kept: Kept) -> None:
        for warning in kept.warnings[:1]:
            self.memex_app.toast(warning, severity="warning")
