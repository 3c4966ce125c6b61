"""What the commands of the registry do that are valid everywhere."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any, cast

from memex_core.model.errors import MemexError, NotFound
from memex_tui import clipboard
from memex_tui.areas import AREAS
from memex_tui.external import has_desktop
from memex_tui.messages import Go, Peek, Place, open_graph, open_page
from memex_tui.render.text import printable
from memex_tui.screens.base import Item
from memex_tui.screens.time_bar import act_of

if TYPE_CHECKING:
    from memex_core.memex import Memex
    from memex_tui.app import MemexApp


class Doings:
    """Methods ``do_<command id>`` of the app."""

    @property
    def chosen_theme(self) -> str:
        """The theme that was chosen, not one that is only being looked at."""
        return getattr(self, "_chosen_theme", "") or self._app.theme

    @chosen_theme.setter
    def chosen_theme(self, name: str) -> None:
        self._chosen_theme = name

    @property
    def _app(self) -> MemexApp:
        return cast("MemexApp", self)

    # -- going ----------------------------------------------------------------------------------

    async def _to_area(self, area: str) -> None:
        app = self._app
        here = app.current_area
        if here is not None:
            if area == here.AREA:
                return
            item = here.current_item() if area == "graph" and here.AREA in ("page", "sources") else None
            if item is not None and item.path:  # who reads a page wants to see what is round it
                await app.go(open_graph(item.path, title=item.title).place)
                return
            app.history.leave(here.place())
        await app.show_area(area)
        after = app.current_area
        place = after.place() if after is not None else None
        if place is not None:
            app.history.visit(place)
        app.counters_changed()

    async def do_go_back(self) -> None:
        await self._step(-1)

    async def do_go_forward(self) -> None:
        await self._step(1)

    async def _step(self, by: int) -> None:
        app = self._app
        here = app.current_area
        if here is not None:
            app.history.leave(here.place())
        place = app.history.step(by)
        if place is not None:
            await app.go(place, remember=False)

    def do_go_pages(self) -> None:
        from memex_tui.screens.overlays.switcher import PageSwitcher

        self._app.push_screen(PageSwitcher())

    def ask_new(self, title: str = "", text: str = "") -> None:
        """Ask for the title and type of a new page; when it is written its editor opens."""
        from memex_tui.screens.page.dialogs import NewPageCard

        app = self._app
        app.push_screen(
            NewPageCard(title, text, lambda done: app.post_message(open_page(done["path"], edit=True)))
        )

    # -- app ------------------------------------------------------------------------------------

    def do_app_palette(self) -> None:
        from memex_tui.screens.overlays.palette import CommandPalette

        self._app.push_screen(CommandPalette())

    def do_app_help(self) -> None:
        from memex_tui.screens.overlays.help import HelpCard

        self._app.push_screen(HelpCard())

    def do_app_theme(self) -> None:
        from memex_tui.screens.overlays.themes import ThemePicker

        self._app.push_screen(ThemePicker())

    async def do_app_copy(self) -> None:
        text = self._app.screen.get_selected_text()
        if text:
            await self.copy(text, "selection")
        else:
            self._app.toast("Nothing is selected; ^q quits")

    def do_app_suspend(self) -> None:
        self._app.action_suspend_process()

    def do_app_redraw(self) -> None:
        self._app.refresh(layout=True)

    def do_tour_start(self) -> None:
        self._app.tour.begin()
        self.tour_changed()

    def do_tour_skip(self) -> None:
        self._app.tour.skip()
        self.tour_changed()

    def do_tour_end(self) -> None:
        self._app.tour.end()
        self.tour_changed()

    def tour_changed(self) -> None:
        """Keep how far the tour is, and show it."""
        app = self._app
        app.saved.set_area("tour", app.tour.state())
        app.counters_changed()

    def do_app_quit(self) -> None:
        app = self._app
        lost = [printable(path) for area in app.area_screens() for path in area.lost_by_quitting()]
        if lost and lost != getattr(self, "_lost", None):  # asked again with the same at stake, it is meant
            self._lost = lost
            others = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
            hint = "^s saves it; quitting once more loses it"
            app.toast(f"No disk keeps the unsaved text of {lost[0]}{others}", hint=hint, severity="error")
            return
        app.exit()

    async def do_app_undo(self) -> None:
        app = self._app
        if not app._undo:
            app.toast("Nothing to undo in this session")
            return
        written = app._undo.pop()
        if written.title == "diary":
            app.toast("The diary is only added to", hint=f"take the line out of {written.undo[0]} by hand")
            return

        def revert(memex: Memex) -> None:
            for name in reversed(written.undo):
                memex.revert(name, group=True)

        kept = len(app._undo)
        try:
            await app.gateway.write(revert)
        except MemexError:
            app._undo.append(written)
            raise
        del app._undo[kept:]  # undoing is no action to undo
        app.toast(f"Undone: {act_of(written.title)} {written.undo[0]}")

    # -- the page under the cursor ----------------------------------------------------------------

    def do_item_why(self) -> None:
        item = self._item()
        self._app.post_message(Go(Place("sources", item.path, title=f"{item.title} · sources")))

    def _item(self) -> Item:
        area = self._app.current_area
        item = area.current_item() if area is not None else None
        if item is None:
            raise NotFound("there is no page under the cursor")
        return item

    def do_item_peek(self) -> None:
        self._app.post_message(Peek(self._item().path))

    def do_item_graph(self) -> None:
        item = self._item()
        self._app.post_message(open_graph(item.path, title=item.title))

    async def do_item_copy_link(self) -> None:
        await self.copy(f"[[{self._item().title}]]", "link")

    async def do_item_copy_path(self) -> None:
        item = self._item()
        layout = self._app.layout
        path = item.file_path or (layout.file_path(item.path) if layout is not None else item.path)
        await self.copy(path, "path")

    async def do_item_copy_text(self) -> None:
        path = self._item().path
        page = await self._app.gateway.ask("app.copy", lambda memex: memex.show(path))
        await self.copy(page["body"], "text")

    def copy_to_clipboard(self, text: str) -> None:
        """What text fields call for ctrl+c."""
        app = self._app
        app._clipboard = text
        app.run_worker(self.copy(text, "selection"), exit_on_error=False)

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Hand an address to the desktop. Without one it is copied: a browser for terminals would draw over
        the app."""
        if has_desktop(os.environ):
            super().open_url(url, new_tab=new_tab)  # type: ignore[misc]
        else:
            self._app.toast("There is no desktop here to open it", hint=url)
            self._app.run_worker(self.copy(url, "address"), exit_on_error=False)

    async def copy(self, text: str, what: str) -> None:
        """Put text on the clipboard and say by which way."""
        command = clipboard.program(os.environ)
        done = bool(command) and await asyncio.to_thread(clipboard.run, command, text)
        app = self._app
        if done:
            app.toast(f"Copied {what} with {command[0]}")
        elif len(text.encode("utf-8", "replace")) > clipboard.LONGEST:
            app.toast(f"The {what} is too long for the terminal's clipboard", severity="warning")
        else:
            driver: Any = app._driver
            if driver is not None:
                driver.write(clipboard.sequence(text))
            app.toast(f"Copied {what} through the terminal")


def _go_to(area: str) -> Any:
    async def go(self: Doings) -> None:
        await self._to_area(area)

    return go


for _area in AREAS:
    setattr(Doings, f"do_go_{_area.id}", _go_to(_area.id))

__all__ = ["Doings", "Place"]
