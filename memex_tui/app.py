"""The app: areas as modes, one gateway to the core, one follower of outside edits."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.driver import Driver
from textual.notifications import Notify
from textual.screen import Screen

from memex_core.files.config import load
from memex_core.files.layout import Layout, find_root, open_layout
from memex_core.model.errors import MemexError, StoreMissing
from memex_tui.areas import AREAS, BY_ID, open_screen
from memex_tui.commands import every_command
from memex_tui.counters import Counters
from memex_tui.doings import Doings
from memex_tui.driver import hear_alt_keys, lasting
from memex_tui.faults import describe, record
from memex_tui.gateway import Dropped, Gateway, Written
from memex_tui.keys import Keymap
from memex_tui.messages import Go, PagesChanged, Peek, Place, Watching
from memex_tui.render.text import printable, use_simple_emoji
from memex_tui.screens.base import AreaScreen
from memex_tui.state import History, Saved, state_path
from memex_tui.themes import DEFAULT, OWN
from memex_tui.tour.steps import Tour
from memex_tui.worker import Follower

if TYPE_CHECKING:
    from memex_core.memex import Memex
    from memex_tui.widgets.markdown_view import MarkdownView

MODIFIERS = ("alt+", "ctrl+", "super+", "meta+", "hyper+")
OPENING = 2.0  # seconds that a pop-up may take until it is there
SAVE_EVERY = 2.0  # seconds between looks at what is to be saved


class MemexApp(Doings, App[None], inherit_bindings=False):  # every key goes through the registry
    """The full-screen app over the memory at ``root`` (found as the command line does when None)."""

    TITLE = "memex"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {
        area.id: partial(open_screen, area.id) for area in AREAS
    }
    NOTIFICATION_TIMEOUT = 4.0

    def __init__(
        self, root: str | None = None, *, area: str = "", keep_state: bool = True, watch: bool = True
    ) -> None:
        """``area`` is where to begin (default: where it ended). ``keep_state`` and ``watch`` are off for
        single frames."""
        self.root = find_root(root, os.environ, os.getcwd())
        self.layout: Layout | None = None
        self.start_problems: list[MemexError] = []
        overrides: dict[str, Any] = {}
        preset = "default"
        try:
            self.layout = open_layout(self.root)
            config = load(self.layout, os.environ)
            preset, overrides = config.keys.preset, config.keys.unknown
        except StoreMissing:
            pass
        except MemexError as error:
            self.start_problems.append(error)
        self.saved = Saved(state_path(self.layout) if self.layout is not None and keep_state else None)
        self.DEFAULT_MODE = area or (self.saved.current if self.saved.current in BY_ID else "search")  # type: ignore[misc]
        super().__init__()
        self.keymap = Keymap(every_command(), preset, overrides)
        self.history = History(self.saved.places, self.saved.at)
        self.tour = Tour(self.saved.area("tour"))
        self.counters = Counters()
        self.counters.missing = self.layout is None and not self.start_problems
        self.gateway = Gateway(self.root, written=self._written)
        self._watch = watch
        self._follower: Follower | None = None
        self._undo: list[Written] = []
        for theme in OWN:
            self.register_theme(theme)
        self.theme = self.saved.theme if self.saved.theme in self.available_themes else DEFAULT

    def get_driver_class(self) -> type[Driver]:
        hear_alt_keys()
        return lasting(super().get_driver_class())

    # -- start and end ------------------------------------------------------------------------

    def on_mount(self) -> None:
        for name in () if self.is_headless else ("SIGTERM", "SIGHUP"):
            self._end_on(name)
        self.app_resume_signal.subscribe(self, lambda _: self.do_app_redraw())
        for error in self.start_problems:
            self.report(error)
        for warning in self.keymap.warnings:
            self.toast(warning, severity="warning")
        self.set_interval(SAVE_EVERY, self.save_state)
        if self.layout is not None:
            self.begin_watching()
        self.count()
        if not self.is_headless:
            self.call_after_refresh(self._collect_less)

    def _collect_less(self) -> None:
        """A frame leaves thousands of small things behind. What is there by now stays to the end: the
        collector would look through all of it several times a second and find nothing."""
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)

    def _end_on(self, name: str) -> None:
        """End in good order when the system asks for it."""
        with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self.exit)

    def begin_watching(self) -> None:
        """Follow outside edits from now on; once is enough."""
        if self._follower is None and self._watch:
            self._follower = Follower(self.root, self.post_message, self.gateway.is_own)
            self._follower.start()

    def exit(self, result: None = None, return_code: int = 0, message: Any = None) -> None:
        """End the app; what is to be kept is written while the areas are still there."""
        with contextlib.suppress(Exception):
            self.save_state()
        super().exit(result, return_code, message)

    def close_down(self) -> None:
        """Let go of the core."""
        if self._follower is not None:
            self._follower.stop()
        self.gateway.close()

    def kept_texts(self) -> list[str]:
        """The pages whose text was not saved and lies on disk until they are opened again."""
        if self.layout is None:
            return []
        from memex_tui.screens.page.swap import left_behind

        return [printable(swap.path) for swap in left_behind(self.layout) if swap.pid == os.getpid()]

    async def on_unmount(self) -> None:
        self.close_down()

    def save_state(self) -> None:
        """Write what changed since the last time. Called every other second."""
        saved = self.saved
        for screen in self.area_screens():
            with contextlib.suppress(Exception):
                saved.set_area(screen.AREA, screen.save_state())
        current = self.current_area
        if current is not None:
            saved.current = current.AREA
            with contextlib.suppress(Exception):
                self.history.leave(current.place())
        saved.theme = self.chosen_theme
        saved.places, saved.at = self.history.places, self.history.at
        saved.write()

    def _handle_exception(self, error: Exception) -> None:
        """A failure that nothing caught ends the app: the story goes to the log, a line to the person."""
        with contextlib.suppress(Exception):
            self.save_state()
        path = record(error, self.root)
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        text = f"memex stopped: {type(error).__name__}: {error}"
        self._exit_renderables.append(Text(f"{text}\n{f'Details are in {path}' if path else ''}".strip()))
        self._close_messages_no_wait()

    # -- areas --------------------------------------------------------------------------------

    def area_screens(self) -> list[AreaScreen]:
        """The areas that were opened."""
        found = []
        for stack in self._screen_stacks.values():
            if stack and isinstance(stack[0], AreaScreen):
                found.append(stack[0])
        return found

    @property
    def current_area(self) -> AreaScreen | None:
        """The area in front, under whatever lies over it."""
        stack = self._screen_stacks.get(self.current_mode) or []
        return stack[0] if stack and isinstance(stack[0], AreaScreen) else None

    async def on_go(self, event: Go) -> None:
        event.stop()
        await self.go(event.place)

    async def go(self, place: Place, *, remember: bool = True) -> None:
        """Show a place; ``remember`` False when it is reached through the history."""
        if place.area not in BY_ID:
            return
        if place.area == "page" and place.purpose == "new":  # nowhere to be yet: Esc leaves one where one is
            self.ask_new(place.title, str(place.extra.get("text", "") or ""))
            return
        before = self.current_area
        if remember:
            self.history.depart(before.place() if before is not None else None)
            self.history.visit(place)
        await self.show_area(place.area)
        after = self.current_area
        if after is not None:
            with self.guarded():
                await after.visit(place)
            after.refresh_frame()

    async def show_area(self, area: str) -> None:
        """Bring an area to the front as it was left."""
        while len(self.screen_stack) > 1:
            with contextlib.suppress(TimeoutError):  # a pop-up that is closed before it is there fails
                await asyncio.wait_for(self.screen._mounted_event.wait(), OPENING)
            if len(self.screen_stack) > 1:
                await self.pop_screen()
        await self.switch_mode(area)
        self.counters_changed()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and event.key.startswith(MODIFIERS):
            event.character = None  # a terminal tells the letter too, and a text field would take it
        # The rest of a key sequence is ours before any widget, even a text field, sees it.
        if isinstance(event, events.Key) and not event.is_forwarded:
            screen = self.screen
            if isinstance(screen, AreaScreen) and screen.first_key(event):
                return
        await super().on_event(event)

    # -- what goes wrong ------------------------------------------------------------------------

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """Report what goes wrong inside instead of ending the app."""
        try:
            yield
        except Dropped:
            pass
        except Exception as error:
            self.report(describe(error, self.root))

    def report(self, error: MemexError) -> None:
        """Show a failure and what to do about it."""
        self.toast(error.message, hint=error.hint, severity="error", timeout=8)

    def toast(
        self, text: str, *, hint: str = "", severity: Any = "information", timeout: float | None = None
    ) -> None:
        """A short notice over the screen; brackets in it are text."""
        lines = [printable(line) for line in f"{text}\n{hint}".strip().splitlines()]
        self.notify("\n".join(lines), severity=severity, timeout=timeout, markup=False)

    def on_notify(self, event: Notify) -> None:
        """A failure that is told again is shown once, anew: several parts may meet the same one."""
        new = event.notification
        again = [one for one in self._notifications if (one.severity, one.message) == ("error", new.message)]
        for shown in again:
            self._unnotify(shown, refresh=False)

    # -- what changes -----------------------------------------------------------------------------

    def _written(self, written: Written) -> None:
        """This app changed files: everything that shows them is told."""
        if self.layout is None:
            self._store_made()
        changed = [path for path, digest in written.digests.items() if digest is not None]
        gone = [path for path, digest in written.digests.items() if digest is None]
        old = set(written.renamed.values())
        self.post_message(
            PagesChanged(
                tuple(path for path in changed if path in written.added),
                tuple(path for path in changed if path not in written.added and path not in written.renamed),
                tuple(path for path in gone if path not in old),
                written.renamed,
                own=True,
            )
        )
        if written.undo:
            self._undo.append(written)

    def _store_made(self) -> None:
        with contextlib.suppress(MemexError):
            self.layout = open_layout(self.root)
            self.saved.path = state_path(self.layout)
            self.counters.missing = False
            self.begin_watching()

    def on_pages_changed(self, event: PagesChanged) -> None:
        event.stop()
        if event.renamed:
            self.saved.renamed(event.renamed)
            self.history.renamed(event.renamed)
        for screen in self.area_screens():
            with self.guarded():
                screen.pages_changed(event)
        self.count()

    def on_watching(self, event: Watching) -> None:
        event.stop()
        shown = any(one.message.startswith(event.problem) for one in self._notifications)
        if event.problem and event.problem != self.counters.problem and not shown:
            self.toast(event.problem, severity="warning", timeout=8)
        if self.counters.problem and not event.problem:
            self.post_message(PagesChanged())  # what could not be read can be now
        self.counters.polling = event.polling
        self.counters.problem = event.problem
        self.counters_changed()
        if not event.problem:
            self.count()

    def count(self) -> None:
        """Ask for the header's numbers."""

        def numbers(memex: Memex) -> tuple[int, int]:
            return memex.store.index.total(), memex.pending()

        async def ask() -> None:
            try:
                found = await self.gateway.ask("app.count", numbers, lane="care")
                self.counters.pages, self.counters.pending = found
                self.counters.missing = False
            except Dropped:
                return
            except StoreMissing:
                self.counters.missing = True
            except MemexError as error:
                self.counters.problem = error.message
            self.counters_changed()

        self.run_worker(ask(), exit_on_error=False, group="requests")

    def counters_changed(self) -> None:
        """Draw the header of the area in front again."""
        screen = self.current_area
        if screen is not None:
            screen.refresh_frame()

    def on_markdown_view_code_chosen(self, event: MarkdownView.CodeChosen) -> None:
        self.run_worker(self.copy(event.text, "code"), exit_on_error=False, group="commands")

    def on_peek(self, event: Peek) -> None:
        event.stop()
        from memex_tui.screens.overlays.peek import PeekCard

        self.push_screen(PeekCard(event))


def run(root: str | None = None, screen: str = "", *, tour: bool = False) -> int:
    """Open the app on this terminal; the exit code. ``screen`` is the area to begin in; ``tour`` offers
    the tour to who has not had it yet.

    Without a terminal (or on one that cannot place a cursor) it says so and returns 2.
    """
    problem = unfit(sys.stdin, sys.stderr, os.environ)
    if screen and screen not in BY_ID:
        problem = f"there is no area {screen!r} (areas: {', '.join(BY_ID)})"
    if problem:
        print(f"memex: {problem}", file=sys.stderr)
        return 2
    if os.environ.get("TERM", "").startswith(("screen", "tmux", "linux")):
        use_simple_emoji(True)
    app = MemexApp(root, area=screen)
    if tour:
        app.tour.offer()
    app.run()
    app.close_down()
    app.gateway.join()
    with contextlib.suppress(OSError):  # the terminal may be gone
        for path in app.kept_texts():
            print(f"memex: unsaved text of {path} is kept; open the page to go on with it", file=sys.stderr)
    return app.return_code or 0


def unfit(stdin: Any, stderr: Any, environ: Any) -> str:
    """Why the app cannot be shown here; empty when it can."""
    advice = "`memex --dump search --size 80x24` prints a frame as text, `memex --help` lists the commands"
    for stream, name in ((stdin, "standard input"), (stderr, "standard error, which it draws on,")):
        try:
            if stream is None or not stream.isatty():
                return f"the app needs a terminal, and its {name} is none ({advice})"
        except ValueError:
            return f"the app needs a terminal, and its {name} is closed ({advice})"
    if environ.get("TERM", "") in ("dumb", "unknown", ""):
        return f"the app cannot be drawn on this terminal (TERM={environ.get('TERM', '')}; {advice})"
    return ""
