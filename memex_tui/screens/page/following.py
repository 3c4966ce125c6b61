"""Changes of pages, by this app or outside: what is shown follows, scroll and caret stay."""

from __future__ import annotations

from textual.timer import Timer

from memex_core.memex import Memex
from memex_core.model.errors import MemexError, NotFound
from memex_tui.messages import PagesChanged
from memex_tui.screens.page import loading
from memex_tui.screens.page.loading import Opened
from memex_tui.screens.page.sourcing import Sourcing

AGAIN_AFTER = 0.05  # seconds in which changes are gathered before the page is read again


class Following(Sourcing):
    """The part of the area that keeps up with the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._timer: Timer | None = None
        self._deleted_here = False  # by this app: u brings it back

    def pages_changed(self, change: PagesChanged) -> None:
        for new, old in change.renamed.items():
            self._renamed(old, new)
        for path in change.removed:
            buffer = self.buffers.get(path)
            if buffer is not None and buffer.dirty:
                self.lost(buffer)
            elif buffer is not None:
                del self.buffers[path]
        for path in set(change.changed) & self.buffers.keys() - {self.path}:
            self._read_in_background(path)
        if self.opened is None:
            return
        if self.path in change.removed:
            self._deleted_here = change.own
        self.links.forget_embeds()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(AGAIN_AFTER, self.reload)

    def _read_in_background(self, path: str) -> None:
        """A page that has a text here, but is not the one that is open, changed."""

        def now(data: bytes | None) -> None:
            buffer = self.buffers.get(path)
            if buffer is not None and data is not None:
                self.reconcile(buffer, data)

        self.ask(f"other {path}", lambda memex: loading.current_bytes(memex, path), now, lambda _: None)

    def _renamed(self, old: str, new: str) -> None:
        buffer = self.buffers.pop(old, None)
        if buffer is not None:
            self.drop_swap(old)
            buffer.path = new
            self.buffers[new] = buffer
        if self.opened is not None and self.opened.path == old:
            self.opened = self.opened._replace(reading=self.opened.reading._replace(path=new))

    def reload(self) -> None:
        """Read the page again and show what is different; scroll and caret stay."""
        if self.opened is None or self.going is not None:  # the page that is on its way is read as it is now
            return
        path = self.path

        def read(memex: Memex) -> Opened:
            memex.look_again()
            return loading.open_page(memex, path)

        def failed(error: MemexError) -> None:
            if isinstance(error, NotFound):
                self._lost_page()

        self.ask("open", read, self._again, failed)

    def _lost_page(self) -> None:
        """The page's file is not there any more; its text stays on the screen."""
        self.gone = True
        buffer = self.buffer
        if buffer is not None and buffer.dirty:
            self.lost(buffer)
        else:
            self.buffers.pop(self.path, None)
            keys = [("e", "write anew", "page.edit")]
            if self._deleted_here:
                keys.insert(0, ("u", "bring back", "app.undo"))
            self.say("This page was deleted. Its last text is shown.", keys, sign="✗")
        self.show_frame()

    def _again(self, opened: Opened) -> None:
        before, was_gone = self.opened, self.gone
        if before is None:
            return
        self.opened, self.gone = opened, False
        if was_gone:
            self.unsay()
        buffer = self.buffer
        if buffer is not None:
            if buffer.gone and was_gone:
                buffer.gone = False
                buffer.digest = None
            self.reconcile(buffer, opened.data)
        relinked = self.links.renew(opened.reading.targets)
        if before.data != opened.data or was_gone:
            self.show_reader()
        else:
            self.show_frame()
        if relinked:
            self.relink()
        if before.backlinks != opened.backlinks or before.reading.title != opened.reading.title:
            self.show_links()
        self.look_elsewhere()
        self.look_up_sources()
        self.refresh_frame()
