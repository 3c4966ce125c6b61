"""Area 7, Diary: a month with what there is of its days, a day, and a line for today."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from memex_core.memex import Memex
from memex_core.model import clock
from memex_core.model.dates.days import moved
from memex_core.model.errors import MemexError, StoreMissing
from memex_tui.messages import Go, PagesChanged, Place, new_page, open_page, open_search
from memex_tui.render.markdown.literal import spoken
from memex_tui.render.markdown.model import RESOLVED, UNRESOLVED, Hooks, Link
from memex_tui.screens.base import AreaScreen
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.diary import presenter
from memex_tui.screens.diary.jump import JumpCard
from memex_tui.screens.diary.widgets import EARLIER, LATER, Calendar, Capture
from memex_tui.widgets.markdown_view import MarkdownView
from memex_tui.widgets.scrolling import set_frame

LOOK_EVERY = 1.0  # seconds between looks whether the diary's files have changed
READ_AFTER = 0.03  # seconds a day stays in view before it is read


class DiaryScreen(AreaScreen):
    """The days, one line at a time."""

    AREA = "diary"
    CSS_PATH = "diary.tcss"
    CRUMBS = True
    AUTO_FOCUS = "#calendar"
    HELP_TEXT = (
        "The calendar marks days with entries (•) and days with pages or conversations (·). i writes a line "
        "for today, whatever day is in view; memex adds the time, and never changes what stands in the diary."
    )

    def __init__(self) -> None:
        super().__init__()
        self.day = self.today
        self._counts: dict[str, Mapping[str, int]] = {}
        self._shown: presenter.Shown | None = None
        self._dates: Sequence[str] = ()
        self._wanted: str | int = ""  # the time, or the line in the file, of the entry to bring into sight
        self._signature: object = None
        self._timer: Any = None

    @property
    def today(self) -> date:
        return clock.local().date()

    def compose_area(self) -> ComposeResult:
        with Horizontal(id="diary-body"):
            yield Calendar()
            with Vertical(id="diary-side"):
                yield MarkdownView(id="day", classes="pane")
                with Vertical(id="capture-box", classes="pane"):
                    yield Capture()

    def on_mount(self) -> None:
        self.query_one("#capture-box").border_title = "a line for today"
        self.set_interval(LOOK_EVERY, self._look)
        self._draw()
        self.call_after_refresh(self.reload)

    @property
    def calendar(self) -> Calendar:
        return self.query_one(Calendar)

    @property
    def view(self) -> MarkdownView:
        return self.query_one("#day", MarkdownView)

    @property
    def capture(self) -> Capture:
        return self.query_one(Capture)

    # -- what the frame asks ------------------------------------------------------------------

    def contexts(self) -> Sequence[str]:
        if isinstance(self.focused, Capture):
            return ("diary.input", "diary")
        return ("diary.calendar", "diary") if isinstance(self.focused, Calendar) else ("diary",)

    def allowed(self, command: str) -> bool:
        if command == "diary.hints":
            return self.is_mounted and bool(self.view.visible_links())
        if command == "diary.earlier":
            return any(day < self.day.isoformat() for day in self._dates)
        if command == "diary.later":
            return any(day > self.day.isoformat() for day in self._dates)
        return True

    async def visit(self, place: Place) -> None:
        if place.date:
            try:
                day = date.fromisoformat(place.date[:10])
            except ValueError:
                return
            self._wanted = place.line
            self.show_day(day)

    def place(self) -> Place:
        return Place("diary", date=self.day.isoformat(), title=self.day.isoformat())

    def save_state(self) -> Mapping[str, Any]:
        return {"day": self.day.isoformat(), "draft": self.capture.value if self.is_mounted else ""}

    def restore_state(self, state: Mapping[str, Any]) -> None:
        draft = state.get("draft")
        if isinstance(draft, str):
            self.capture.value = draft

    def pages_changed(self, change: PagesChanged) -> None:
        self.reload()

    def on_screen_resume(self) -> None:
        if self._shown is not None:
            self.reload()

    # -- the day in view ----------------------------------------------------------------------

    def show_day(self, day: date) -> None:
        """Another day: the calendar at once, the day when it stays in view."""
        if (day.year, day.month) != (self.day.year, self.day.month):
            self._counts = {}
        self.day = day
        self._draw()
        self.memex_app.history.moved(self.place())
        self.set_status([])
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(READ_AFTER, self.reload)

    def reload(self) -> None:
        """Read the day and its month anew."""
        day, today = self.day, self.today

        def read(memex: Memex) -> tuple[presenter.Shown, dict[str, Any], Sequence[str]]:
            of_day = memex.diary_day(day.isoformat())
            earlier = memex.diary_on_this_day(day.isoformat())["entries"]
            days = memex.diary_month(f"{day:%Y-%m}")["days"]
            index = memex.store.index

            def there(target: str) -> bool:
                return index.resolve(target, "wiki", "") is not None

            return presenter.shown(of_day, earlier, today, there), days, memex.diary_dates()["dates"]

        self.ask("day", read, self._read, self._failed)

    def _read(self, found: tuple[presenter.Shown, dict[str, Any], Sequence[str]]) -> None:
        before = self._shown
        self._shown, self._counts, self._dates = found
        if before is not None and before.day == self._shown.day:
            if before.text != self._shown.text:
                self.view.replace_page(self._shown.text)
            if before.missing != self._shown.missing:
                self.view.relink()
        else:
            self.view.set_page(self._shown.text, hooks=Hooks(resolve=self._state_of))
        self._reveal()
        self._draw()
        self.refresh_keys()

    def _reveal(self) -> None:
        """Bring the entry into sight that was just written, or that a search found."""
        wanted, self._wanted = self._wanted, ""
        times = self._shown.times if self._shown is not None else ()
        for line, time in times:
            if wanted in (line, time):
                self.view.scroll_to_heading(time)

    def _state_of(self, link: Link) -> str:
        missing = self._shown is not None and link.target in self._shown.missing
        return UNRESOLVED if missing else RESOLVED

    def _failed(self, error: MemexError) -> None:
        if isinstance(error, StoreMissing):
            self.view.set_page("*There is no memory here yet. Press i and write a line: that begins one.*\n")
        else:
            self.memex_app.report(error)

    def _draw(self) -> None:
        known = self._shown is not None and self._shown.day == self.day
        facts = self._shown.facts if known and self._shown is not None else ()
        self.calendar.show(self.day, self.today, self._counts, facts)
        set_frame(self.view, presenter.title_of(self.day, self.today))

    def _look(self) -> None:
        """Whether the files of the diary are as they were: people write them with other programs too."""
        if not self.is_current:
            return
        day = self.day.isoformat()

        def signature(memex: Memex) -> object:
            folder = memex.store.layout.diary
            found = []
            for path in (folder, os.path.join(folder, f"{day}.md")):
                try:
                    seen = os.stat(path)
                    found.append((seen.st_mtime_ns, seen.st_size))
                except OSError:
                    found.append((0, 0))
            return (day, clock.local().date(), *found)

        self.ask("look", signature, self._looked, lambda _: None, lane="care")

    def _looked(self, signature: object) -> None:
        before, self._signature = self._signature, signature
        if before is not None and before != signature:
            self.reload()

    # -- moving -------------------------------------------------------------------------------

    def _by(self, count: int, unit: str = "day") -> None:
        try:
            self.show_day(moved(self.day, count, unit))
        except (OverflowError, ValueError):
            return

    def do_diary_today(self) -> None:
        self.show_day(self.today)

    def do_diary_before(self) -> None:
        self._by(-1)

    def do_diary_after(self) -> None:
        self._by(1)

    do_diary_left, do_diary_right = do_diary_before, do_diary_after

    def do_diary_up(self) -> None:
        self._by(-1, "week")

    def do_diary_down(self) -> None:
        self._by(1, "week")

    def do_diary_month_before(self) -> None:
        self._by(-1, "month")

    def do_diary_month_after(self) -> None:
        self._by(1, "month")

    def do_diary_earlier(self) -> None:
        self.show_day(date.fromisoformat(max(day for day in self._dates if day < self.day.isoformat())))

    def do_diary_later(self) -> None:
        self.show_day(date.fromisoformat(min(day for day in self._dates if day > self.day.isoformat())))

    def do_diary_jump(self) -> None:
        self.app.push_screen(JumpCard(self.show_day))

    def do_diary_search(self) -> None:
        self.post_message(open_search("in:diary "))

    def on_line_bar_chosen(self, event: LineBar.Chosen) -> None:
        if not isinstance(event.bar, Calendar):
            return
        event.stop()
        if event.value in (EARLIER, LATER):
            self._by(-1 if event.value == EARLIER else 1, "month")
        else:
            self.show_day(date.fromisoformat(event.value))

    # -- links --------------------------------------------------------------------------------

    def do_diary_hints(self) -> None:
        self.view.focus()
        self.view.show_hints()

    def on_markdown_view_link_followed(self, event: MarkdownView.LinkFollowed) -> None:
        event.stop()
        self._follow(event.link)

    def on_markdown_view_hint_chosen(self, event: MarkdownView.HintChosen) -> None:
        event.stop()
        self._follow(event.link)

    def _follow(self, link: Link) -> None:
        """A conversation, a web address, a tag, a page; one that is not there can be written."""
        if link.target.startswith(presenter.SESSION):
            session = link.target.removeprefix(presenter.SESSION)
            self.post_message(Go(Place("sessions", session=session, title=spoken(link.text))))
        elif link.kind == "url":
            self.app.open_url(link.target)
        elif link.kind == "tag":
            self.post_message(open_search(f"tag:{link.target.lstrip('#')}"))
        elif link.target:

            def there(found: str | None) -> None:
                place = (
                    open_page(found, heading=link.heading, block=link.block)
                    if found
                    else new_page(link.target)
                )
                self.post_message(place)

            self.ask("link", lambda memex: memex.store.index.resolve(link.target, "wiki", ""), there)

    # -- a line for today ---------------------------------------------------------------------

    def do_diary_write(self) -> None:
        self.capture.focus()

    def do_diary_leave(self) -> None:
        self.calendar.focus()

    def do_diary_keep(self) -> None:
        text = self.capture.value.strip()
        if not text:
            return

        def kept(entry: Mapping[str, Any]) -> None:
            if self.capture.value.strip() == text:  # what was typed meanwhile stays
                self.capture.value = ""
            self.memex_app.save_state()
            for warning in entry["warnings"]:
                self.memex_app.toast(warning, severity="warning")
            self._wanted = entry["time"]
            self.show_day(date.fromisoformat(entry["date"]))

        self.write(lambda memex: memex.diary_append(text), kept)
