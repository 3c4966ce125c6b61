"""Area 2, Page: places and changes; the parts of the area stand in the modules beside this one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from typing import Any

from textual import events
from textual.timer import Timer

from memex_core.files.config import load
from memex_core.model.errors import MemexError, NotFound, StoreMissing
from memex_tui.messages import Place
from memex_tui.render.line import Line
from memex_tui.render.markdown.literal import literal
from memex_tui.screens.page import loading, swap
from memex_tui.screens.page.conflict import ConflictView
from memex_tui.screens.page.filetext import FileText
from memex_tui.screens.page.find import FindBar
from memex_tui.screens.page.following import Following
from memex_tui.screens.page.frame import CONFLICT, EDIT, HISTORY, READ
from memex_tui.screens.page.history import HistoryView
from memex_tui.screens.page.loading import Opened, line_of_heading
from memex_tui.screens.page.presenter import Links
from memex_tui.screens.page.proofs import entries_of
from memex_tui.screens.search.marking import pattern

PATIENCE = 0.25  # seconds after which a page that is still being opened says so
EMPTY = """\
# No page is open

Press `ctrl+k` to find one, `1` to search, or `ctrl+n` to write a new one.
"""
NO_MEMORY = """\
# There is no memory here yet

Press `ctrl+n` to write the first page: the folder is made with it.
"""


def why_none(error: MemexError) -> str:
    """The text to show in the place of a page that could not be opened."""
    if isinstance(error, StoreMissing):
        return NO_MEMORY
    title = "Not found" if isinstance(error, NotFound) else "It cannot be opened"
    message, hint = (literal(text) for text in (error.message, error.hint))
    return f"# {title}\n\n{message}.\n\n{hint}\n"


class PageScreen(Following):
    """A page read, edited and kept safe."""

    def __init__(self) -> None:
        super().__init__()
        self._told = False
        self._patience: Timer | None = None

    def on_mount(self) -> None:
        self.set_mode(READ)
        self.editor.key_filter = self.take_key
        self.editor.link_state = lambda source: self.links.editor_state(source)
        self.editor.sign_of = self.sign_of_line
        self.outline_list.border_title = "outline"
        self.preview.border_title = "preview"
        self.ask(
            "config",
            lambda memex: load(memex.store.layout, os.environ),
            self.use_config,
            lambda _: None,  # a damaged file was told of when the app began
        )
        self.call_after_refresh(self._open_something)

    def on_unmount(self) -> None:
        self.keep_swaps()  # what was typed in the last second too

    def _tell_of_swaps(self) -> None:
        """Once: other pages have unsaved text of the last time too."""
        layout, self._told = self.memex_app.layout, True
        found = swap.left_behind(layout) if layout is not None else []
        paths = [path for path in dict.fromkeys(one.path for one in found) if path != self.path]
        if paths:
            more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
            text = f"Unsaved text was kept for {', '.join(paths[:3])}{more}"
            self.memex_app.toast(text, hint="open the page to look at it")

    def _open_something(self) -> None:
        """Nobody asked for a page: the one read last, else the newest."""
        if self.going is not None or self.opened is not None:
            return
        recent = list(self.memex_app.saved.recent)

        def found(path: str) -> None:
            if self.going is None and self.opened is None:
                if path:
                    self.go_to(Place("page", path))
                else:
                    self.show_empty(EMPTY)

        self.ask(
            "first",
            lambda memex: loading.first_page(memex, recent),
            found,
            lambda error: self.show_empty(why_none(error)),
        )

    # -- places -----------------------------------------------------------------------------

    async def visit(self, place: Place) -> None:
        if place.path:
            self.go_to(place)
        else:
            self._open_something()

    def go_to(self, place: Place) -> None:
        """Open the page of a place and go to its line, heading or block."""
        self.going = place
        for channel in ("elsewhere", "names", "complete", "proofs"):  # what is asked for now comes first
            self.memex_app.gateway.drop(f"{self.AREA}.{channel}")
        name = place.path
        self._wait_for_it()
        self.ask("open", lambda memex: loading.open_page(memex, name), self._opened, self._failed)

    def _wait_for_it(self, waiting: bool = True) -> None:
        """A page that takes longer to open than a person notices says so meanwhile."""
        if self._patience is not None:
            self._patience.stop()
        opening: Line = [("opening …", ("bar--muted",))]
        self._patience = self.set_timer(PATIENCE, lambda: self.set_status(opening)) if waiting else None

    def _failed(self, error: MemexError) -> None:
        self.going = None
        self._wait_for_it(False)
        self.show_frame()
        if self.opened is None or isinstance(error, StoreMissing):
            self.show_empty(why_none(error))
        else:
            self.memex_app.report(error)
            self.reload()  # what changed here while it was on its way

    def _opened(self, opened: Opened) -> None:
        place, self.going = self.going or Place("page", opened.path), None
        self._wait_for_it(False)
        same = self.opened is not None and self.opened.path == opened.path and not self.gone
        if not same:
            self._leave()
        self.opened, self.gone = opened, False
        self.memex_app.saved.read_page(opened.path)
        relinked = same and self.links.renew(opened.reading.targets)
        if not same:
            self.links = Links(opened)
            self.links.notice = self.wanted_soon
        buffer = self.buffer
        if buffer is not None:
            self.reconcile(buffer, opened.data)
        if not same or self.mode in (HISTORY, CONFLICT):
            self._show_anew(opened)
        else:
            self.show_reader()
            if relinked:
                self.relink()
        self.show_links()
        self.look_elsewhere()
        self.look_up_sources()
        self._arrive(place)
        self._note_place(place)
        self.refresh_frame()
        if not self._told:
            self._tell_of_swaps()

    def _note_place(self, asked: Place) -> None:
        """The page is the present place of the history: also when it was asked for by another name, or
        opened without being asked for."""
        history, place = self.memex_app.history, self.place()
        here = history.here
        if place is None or self.memex_app.current_area is not self:
            return
        if here is not None and here.same(asked):
            history.places[history.at] = place
        elif here is None or not here.same(place):
            history.visit(place)
        else:
            history.leave(place)

    def _leave(self) -> None:
        """Put the page that was open away; its unsaved text stays."""
        self.leave_editor()
        self.keep_swaps()
        self.find_bar.close()
        self.reader.search(None)
        self.found_swap = None
        self.unlinked = ()
        self.unsay()

    def _show_anew(self, opened: Opened) -> None:
        for view in (*self.query(HistoryView), *self.query(ConflictView)):
            view.remove()
        self.side_open = False
        self.set_mode(READ)
        self.show_reader(anew=True)
        buffer = self.buffer
        if buffer is not None and buffer.theirs is not None:
            self.say_clash()
        elif buffer is None and self.memex_app.layout is not None:
            found = swap.find(self.memex_app.layout, opened.path)
            if found is not None and found.left_behind and found.lines != FileText(opened.data).lines:
                self.offer_swap(found)
        self.reader.focus()

    def _arrive(self, place: Place) -> None:
        """Go to the line, heading, block or match of a place."""
        assert self.opened is not None
        reading = self.opened.reading
        line = place.line
        if place.heading:
            line = line_of_heading(reading.body, reading.first_line, place.heading) or line
        if place.purpose == "edit":
            self.edit(line)
            return
        if self.mode == EDIT:
            if line or place.block or place.query:
                self.go_to_line(line or self.caret_line)
            return
        y = place.extra.get("y")
        if place.query:
            marks = pattern(place.query, reading.body)
            if marks is not None and self.reader.search(marks):
                self.reader.next_match()
        if place.block:
            self.reader.scroll_to_block(place.block)
        elif isinstance(y, int) and not place.heading:
            self.reader.scroll_rows(y - round(self.reader.scroll_y))
        elif line and place.heading:
            self.reader.scroll_to_line(line)
        elif line:
            self.reader.reveal_line(line)

    def place(self) -> Place | None:
        if self.opened is None:
            return self.going
        extra: dict[str, Any] = {}
        purpose = ""
        if self.mode == EDIT:
            purpose = "edit"
        else:
            extra["y"] = round(self.reader.scroll_y)
        return Place("page", self.path, title=self.title_of_page, purpose=purpose, extra=extra)

    # -- frame ------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        if event.size.width >= 100:
            self.side_open = False
        self.lay_out()
        self.call_after_refresh(self.show_frame)

    def contexts(self) -> Sequence[str]:
        if self.mode in (HISTORY, CONFLICT):
            return (f"page.{self.mode}",)
        focused = self.focused
        if focused is not None and any(isinstance(one, FindBar) for one in focused.ancestors_with_self):
            return ("page.find",)
        beside = focused is not None and focused in (self.outline_list, self.link_list)
        if self.mode == EDIT:
            return ("page.side", "page.editor") if beside else ("page.editor",)
        return ("page.side", "page") if beside else ("page.reader", "page")

    def allowed(self, command: str) -> bool:
        if command == "pane.next" and self.is_mounted and self.mode == EDIT:
            return not self.editor.has_focus  # there Tab indents
        if not command.startswith("page.") or not self.is_mounted:
            return True
        if command in ("page.new", "page.find-close", "page.side", "page.to-text"):
            return True
        if self.opened is None:
            return False
        if command in ("page.next-match", "page.previous-match"):
            return bool(self.reader.matches)
        if command == "page.sources":  # elsewhere the same keys go to the area itself
            return bool(entries_of(self.opened.front))
        if command in ("page.save-text", "page.discard"):
            return self.dirty
        if command in ("page.compare", "page.compare-text"):
            return self.buffer is not None and self.buffer.theirs is not None
        if command in ("page.recover", "page.forget-kept"):
            return self.found_swap is not None
        if command == "page.link-mention":
            return self.entry is not None and self.entry.kind == "mention"
        if command in ("page.replace-one", "page.replace-all"):
            return self.mode == EDIT
        if command == "page.history-revert":
            return any(view.version is not None and view.version.kept for view in self.query(HistoryView))
        if command.startswith("page.history-") and command != "page.history-close":
            return any(view.version is not None for view in self.query(HistoryView))
        if self.gone:
            return command not in (
                "page.rename",
                "page.move",
                "page.delete",
                "page.properties",
                "page.edit-outside",
            )
        return True

    # -- state ------------------------------------------------------------------------------

    def save_state(self) -> Mapping[str, Any]:
        with contextlib.suppress(Exception):
            self.keep_swaps()
        if self.opened is None:
            return {}
        line, column = self.editor.cursor_location
        return {
            "path": self.path,
            "mode": self.mode if self.mode in (READ, EDIT) else READ,
            "y": round(self.reader.scroll_y),
            "caret": [line, column],
            "split": self.split,
            "side": self.side_wanted,
        }

    def restore_state(self, state: Mapping[str, Any]) -> None:
        self.split = state.get("split") is True and not self.narrow
        self.side_wanted = state.get("side") is not False
        self.lay_out()
        path, y = state.get("path"), state.get("y")
        if isinstance(path, str) and path and self.going is None:
            extra = {"y": y} if isinstance(y, int) and not isinstance(y, bool) else {}
            self.go_to(Place("page", path, extra=extra))
