"""What every area has: the frame, keys, requests to the core, and a place in the history.

An area subclasses :class:`AreaScreen`, sets ``AREA`` and yields its widgets from ``compose_area``.
Everything else has a default that does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import ScrollableContainer, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from memex_core.model.errors import MemexError
from memex_tui.commands import Command
from memex_tui.faults import describe
from memex_tui.gateway import Call, Dropped
from memex_tui.keys import KeyMachine, key_of, shown, typeable
from memex_tui.messages import PagesChanged, Place
from memex_tui.render.line import Line
from memex_tui.screens.chrome import Crumbs, Entry, KeyBar, KeyMenu, LineBar, TabBar
from memex_tui.tour.bar import TourBar
from memex_tui.widgets.page_scroll import PageScroll
from memex_tui.widgets.transcript_view import TranscriptView
from memex_tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from memex_tui.app import MemexApp

T = TypeVar("T")

MENU_AFTER = 0.35  # seconds a sequence waits before its menu opens; after space it opens at once
SMALLEST = (60, 15)
TEXT_FIRST = frozenset(("app.copy", "app.suspend"))  # a text field's own meaning of their keys goes first
ALWAYS = (("space", "menu", "app.menu"), ("^p", "commands", "app.palette"), ("?", "help", "app.help"))


class Item(NamedTuple):
    """The page under the cursor."""

    path: str
    title: str
    file_path: str = ""


class AreaScreen(Screen[None]):
    """One area of the app."""

    AREA: ClassVar[str] = ""
    CRUMBS: ClassVar[bool] = False  # whether a row of breadcrumbs stands under the tabs
    HELP_TEXT: ClassVar[str] = ""  # a few sentences for the help of this area
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  # declared so by Screen
        (0, "-narrow"),
        (100, "-wide"),
        (120, "-wider"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-short"),
        (30, "-tall"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._keys = KeyMachine(self.memex_app.keymap)
        self._menu_timer: Any = None
        self._status: tuple[Line, Line | None] = ([], None)

    # -- what an area fills in ----------------------------------------------------------------

    def compose_area(self) -> ComposeResult:
        """The area's own widgets, between the tabs and the keys."""
        yield from ()

    def contexts(self) -> Sequence[str]:
        """The area's contexts that are valid now, most specific first, as in a command's ``where``."""
        return (self.AREA,)

    def allowed(self, command: str) -> bool:
        """Whether a command (by id) makes sense now; others are greyed and left out of the footer."""
        return True

    def current_item(self) -> Item | None:
        """The page under the cursor: peek, copy and the graph work on it."""
        return None

    async def visit(self, place: Place) -> None:
        """Show a place of this area. It is mounted; called again for each place."""

    def place(self) -> Place | None:
        """Where the person is in this area, with all that is needed to come back; None: nowhere yet."""
        return Place(self.AREA)

    def pages_changed(self, change: PagesChanged) -> None:
        """Pages changed, by this app (``change.own``) or outside. Keep selection, scroll and caret."""

    def save_state(self) -> Mapping[str, Any]:
        """What to keep over exit and crash, as plain values that JSON can hold. Called often: be quick."""
        return {}

    def restore_state(self, state: Mapping[str, Any]) -> None:
        """What ``save_state`` gave at the last exit; called once, when mounted. Trust nothing in it."""

    def lost_by_quitting(self) -> list[str]:
        """The pages whose unsaved text no disk keeps."""
        return []

    # -- the app ------------------------------------------------------------------------------

    @property
    def memex_app(self) -> MemexApp:
        from memex_tui.app import MemexApp

        return cast(MemexApp, self.app)

    def ask(
        self,
        channel: str,
        call: Call[T],
        then: Callable[[T], object],
        failed: Callable[[MemexError], object] | None = None,
        *,
        lane: str = "read",
    ) -> None:
        """Ask the core, and call ``then`` with the answer, or ``failed`` (default: a toast).

        A newer request on the channel drops this one: then neither is called.
        """
        work = self.memex_app.gateway.ask(f"{self.AREA}.{channel}", call, lane=lane)
        self._start(work, then, failed)

    def write(
        self,
        call: Call[T],
        then: Callable[[T], object] | None = None,
        failed: Callable[[MemexError], object] | None = None,
    ) -> None:
        """Have the core change something; writes are done one after the other and never dropped."""
        self._start(self.memex_app.gateway.write(call), then or (lambda _: None), failed)

    def _start(
        self,
        work: Coroutine[Any, Any, T],
        then: Callable[[T], object],
        failed: Callable[[MemexError], object] | None,
    ) -> None:
        async def run() -> None:
            try:
                answer = await work
            except Dropped:
                return
            except Exception as error:
                with self.memex_app.guarded():
                    (failed or self.memex_app.report)(describe(error, self.memex_app.root))
                return
            if self.is_attached:
                with self.memex_app.guarded():
                    then(answer)

        self.run_worker(run(), exit_on_error=False, group="requests")

    # -- the frame ----------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield TabBar(self.AREA)
        if self.CRUMBS:
            yield Crumbs()
        with Vertical(id="area"):
            yield from self.compose_area()
        yield TourBar()
        yield KeyMenu()
        yield KeyBar()
        yield Static("", id="too-small", markup=False)

    def on_mount(self) -> None:
        state = self.memex_app.saved.area(self.AREA)
        if state:
            with self.memex_app.guarded():
                self.restore_state(state)
        self.refresh_frame()

    def on_screen_resume(self) -> None:
        self.refresh_frame()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        tiny = width < SMALLEST[0] or height < SMALLEST[1]
        self.set_class(tiny, "-tiny")
        if tiny:
            text = f"memex needs {SMALLEST[0]}×{SMALLEST[1]} cells; this window has {width}×{height}.\n"
            self.query_one("#too-small", Static).update(text + "Make it larger, or press ctrl+q to leave.")

    def refresh_frame(self) -> None:
        """Draw tabs, breadcrumbs and keys as they are now."""
        if not self.is_mounted:
            return
        app = self.memex_app
        for tabs in self.query(TabBar):
            tabs.show(*app.counters.lines())
        for crumbs in self.query(Crumbs):
            crumbs.show(app.history.trail_in(self.AREA), *self._status)
        for tour in self.query(TourBar):
            tour.show()
        self.refresh_keys()

    def set_status(self, right: Line, left: Line | None = None) -> None:
        """What the breadcrumbs say at the right; ``left`` replaces the trail (needs ``CRUMBS``)."""
        self._status = (right, left)
        for crumbs in self.query(Crumbs):
            crumbs.show(self.memex_app.history.trail_in(self.AREA), right, left)

    def refresh_keys(self) -> None:
        """Show the keys that are valid now; called when the focus moves, call it when a mode changes."""
        if not self.is_mounted:
            return
        entries: list[Entry] = []
        seen: set[str] = set()
        in_text = self.in_text
        for context in self.valid_contexts():
            for command in self._keys.keymap.commands.values():
                if command.where != context or not command.footer or not self.allowed(command.id):
                    continue
                keys = [one for one in self._keys.keymap.keys(command.id) if not one.startswith("space ")]
                if in_text:
                    keys = [one for one in keys if not typeable(one.split()[0])]
                if keys and not {command.footer, keys[0]} & seen:  # the first context has the key
                    seen.update((command.footer, keys[0]))
                    entries.append((shown(keys[0]), command.footer, command.id))
        always = [entry for entry in ALWAYS if not (in_text and entry[0] in ("space", "?"))]
        if in_text:
            always.append(("f1", "help", "app.help"))
        words = {word for _, word, _ in always}
        self.query_one(KeyBar).show([entry for entry in entries if entry[1] not in words], always)

    def on_descendant_focus(self) -> None:
        self.refresh_keys()

    def on_descendant_blur(self) -> None:
        self.refresh_keys()

    # -- keys ---------------------------------------------------------------------------------

    @property
    def in_text(self) -> bool:
        """Whether letters go into a text field now. A widget may say so itself with ``takes_text``."""
        focused = self.focused
        if focused is None:
            return False
        told = getattr(focused, "takes_text", None)
        if told is not None:
            return bool(told)
        return isinstance(focused, Input) or (isinstance(focused, TextArea) and not focused.read_only)

    def valid_contexts(self) -> list[str]:
        """All contexts valid now, the common ones last."""
        found = list(self.contexts())
        if self.current_item() is not None and not self.in_text:
            found.append("item")
        if self._pane() is not None:
            found.append("pane")
        if self.memex_app.tour.running:
            found.append("tour")
        return [*found, "global"]

    def palette_contexts(self) -> list[str]:
        """The contexts whose commands palette and help list: those valid now, wherever typing goes."""
        found = self.valid_contexts()
        if self.AREA not in found:
            found.insert(0, self.AREA)
        if self.current_item() is not None and "item" not in found:
            found.insert(-1, "item")
        return found

    def use_keymap(self) -> None:
        """Take the app's keymap; it changed."""
        self._keys = KeyMachine(self.memex_app.keymap)
        self.refresh_keys()

    def first_key(self, event: events.Key) -> bool:
        """Keys that belong to a sequence already begun, before any widget sees them."""
        return self._keys.pending and self._feed(event)

    def on_key(self, event: events.Key) -> None:
        if self._feed(event):
            event.stop()
            event.prevent_default()

    def _feed(self, event: events.Key) -> bool:
        key = key_of(event.key, event.character)
        ours, command = self._keys.feed(key, self.valid_contexts(), in_text=self.in_text, allowed=self._may)
        self._show_menu()
        if command is not None:
            self.run_command(command.id)
        return ours

    def _may(self, command: str) -> bool:
        return self.allowed(command) and not (command in TEXT_FIRST and self.in_text)

    def press(self, key: str) -> None:
        """Take a key as if it were typed outside a text field (a click on the menu)."""
        _, command = self._keys.feed(key, self.valid_contexts(), allowed=self.allowed)
        self._show_menu()
        if command is not None:
            self.run_command(command.id)

    def _show_menu(self) -> None:
        if self._menu_timer is not None:
            self._menu_timer.stop()
            self._menu_timer = None
        menu = self.query_one(KeyMenu)
        typed = self._keys.typed
        if not typed:
            menu.close()
        elif typed[0] == "space" or menu.display:
            self._open_menu()
        else:
            self._menu_timer = self.set_timer(MENU_AFTER, self._open_menu)

    def _open_menu(self) -> None:
        typed = tuple(self._keys.typed)
        if typed:
            following = self._keys.keymap.continuations(typed, self.valid_contexts())
            self.query_one(KeyMenu).open(typed, following, self._group_name)

    def _group_name(self, key: str) -> str:
        """What the commands behind a key of the menu have in common."""
        typed = (*self._keys.typed, key)
        following = self._keys.keymap.continuations(typed, self.valid_contexts())
        groups = {command.group for _, command in following if command is not None}
        return " · ".join(sorted(groups)) or "more"

    def run_command(self, id: str) -> bool:
        """Do a command by its id, here or in the app; False when it cannot be done now."""
        command: Command | None = self._keys.keymap.commands.get(id)
        if command is None or not self.allowed(id):
            return False
        owner: Any = self if hasattr(self, command.handler) else self.app
        act = getattr(owner, command.handler, None)
        if act is None:
            return False
        with self.memex_app.guarded():
            done = act()
            if isinstance(done, Coroutine):
                self.run_worker(self._guard(done), exit_on_error=False, group="commands")
        return True

    async def _guard(self, work: Coroutine[Any, Any, Any]) -> None:
        with self.memex_app.guarded():
            await work

    def on_line_bar_chosen(self, event: LineBar.Chosen) -> None:
        event.stop()
        if isinstance(event.bar, TabBar):
            self.run_command(f"go.{event.value}")
        elif isinstance(event.bar, KeyMenu):
            self.press(event.value)
        elif event.value == "app.menu":
            self.press("space")
        else:
            self.run_command(event.value)

    # -- moving in lists and pages --------------------------------------------------------------

    def _pane(self) -> Widget | None:
        focused = self.focused
        if isinstance(focused, Input | TextArea):  # they scroll too, but by keys of their own
            return None
        panes = VirtualList | PageScroll | TranscriptView | ScrollableContainer
        return focused if isinstance(focused, panes) else None

    def _pane_act(self, action: str) -> None:
        pane: Any = self._pane()
        if pane is not None:
            getattr(pane, f"action_{action}")()

    def _pane_half(self, pages: float) -> None:
        pane = self._pane()
        if isinstance(pane, VirtualList):
            pane.move_pages(pages)
        elif isinstance(pane, PageScroll | TranscriptView):
            pane.scroll_pages(pages)
        elif pane is not None:
            pane.scroll_relative(y=round(pane.size.height * pages), animate=False)

    def do_pane_down(self) -> None:
        self._pane_act("scroll_down")

    def do_pane_up(self) -> None:
        self._pane_act("scroll_up")

    def do_pane_half_down(self) -> None:
        self._pane_half(0.5)

    def do_pane_half_up(self) -> None:
        self._pane_half(-0.5)

    def do_pane_page_down(self) -> None:
        self._pane_act("page_down")

    def do_pane_page_up(self) -> None:
        self._pane_act("page_up")

    def do_pane_top(self) -> None:
        self._pane_act("scroll_home")

    def do_pane_bottom(self) -> None:
        self._pane_act("scroll_end")

    def do_pane_next(self) -> None:
        self.focus_next()

    def do_pane_previous(self) -> None:
        self.focus_previous()
