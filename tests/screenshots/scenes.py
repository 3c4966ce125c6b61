"""What the pictures show: the app on the demo store, led to a place by its own keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple, cast

from textual.pilot import Pilot

from memex_tui.app import MemexApp
from memex_tui.messages import PagesChanged, Place
from memex_tui.screens.page.screen import PageScreen
from tests.tui.frames import NARROW, WIDE, press, settle

SHOP = "entities/bakery-shop.md"
SERVICE = "entities/order-service.md"
INCIDENT = "summaries/incident-double-orders.md"
DEPLOY = "procedures/deploy-the-shop-proposed.md"


class Stage(NamedTuple):
    """A running app, and the folder of its pages."""

    app: MemexApp
    pilot: Pilot[Any]
    docs: Path

    async def go(self, place: Place) -> None:
        await self.app.go(place)
        await self.settle()

    async def settle(self) -> None:
        for _ in range(3):  # an answer may ask for more
            await settle(self.pilot)
            await self.pilot.pause(0.1)

    async def type(self, text: str) -> None:
        await press(self.pilot, ["space" if letter == " " else letter for letter in text])
        await self.pilot.pause(0.4)  # what waits for the next letter
        await self.settle()

    async def press(self, *keys: str) -> None:
        await press(self.pilot, keys)
        await self.settle()

    async def until(self, so: Callable[[], object]) -> None:
        for _ in range(600):
            if so():
                break
            await self.pilot.pause(0.05)
        else:
            raise AssertionError("the scene does not come to be")
        await self.settle()

    @property
    def page(self) -> PageScreen:
        return cast(PageScreen, self.app.current_area)


class Scene(NamedTuple):
    """A picture: its file name without the size, what it shows, how to get there."""

    name: str
    title: str
    act: Callable[[Stage], Awaitable[None]]
    size: tuple[int, int] = WIDE
    tour: bool = False

    @property
    def stem(self) -> str:
        return f"{self.name}-{self.size[0]}x{self.size[1]}"


async def search(stage: Stage) -> None:
    await stage.type("why did we bake twice")
    await stage.press("escape")


async def first_step(stage: Stage) -> None:
    await stage.type("linter")


async def reader(stage: Stage) -> None:
    await stage.go(Place("page", SERVICE))


async def editor(stage: Stage) -> None:
    await stage.go(Place("page", SHOP, purpose="edit"))
    field = stage.page.editor
    line = next(number for number, text in enumerate(field.lines) if "second language" in text)
    field.move_cursor((line, len(field.lines[line])))
    await stage.type(", ask [[r")


async def graph(stage: Stage) -> None:
    await stage.go(Place("graph", SHOP))


async def lanes(stage: Stage) -> None:
    await stage.go(Place("graph", SHOP))
    await stage.press("v")


async def health(stage: Stage) -> None:
    await stage.go(Place("health"))
    screen: Any = stage.app.screen
    await stage.until(lambda: screen.findings.count)
    wanted = "Roll back the deploy"
    rows = enumerate(screen._listed)
    screen.findings.move_to(next(at for at, row in rows if row.finding and wanted in row.finding.message))
    await stage.settle()


async def settings(stage: Stage) -> None:
    await stage.go(Place("settings"))
    await stage.press("down", "tab", "down", "down")


async def sources(stage: Stage) -> None:
    await stage.go(Place("sources", INCIDENT))
    screen: Any = stage.app.screen
    await stage.until(lambda: screen.transcript.turn is not None and screen.statements.count)
    await stage.press("n")


async def sessions(stage: Stage) -> None:
    await stage.go(Place("sessions", session="demo-double-orders", turn=4))
    screen: Any = stage.app.screen
    await stage.until(lambda: screen.replay.turn is not None and screen._fruit.pages)


async def diary(stage: Stage) -> None:
    await stage.go(Place("diary", date="2026-11-27"))
    screen: Any = stage.app.screen
    await stage.until(lambda: screen._shown is not None and screen._shown.day == screen.day)


async def review(stage: Stage) -> None:
    await stage.go(Place("review", title="Review", extra={"row": f"change:{DEPLOY}"}))
    screen: Any = stage.app.screen
    await stage.until(lambda: screen._seen is not None and screen._seen.path == DEPLOY)


async def one_hunk_less(stage: Stage) -> None:
    await review(stage)
    await stage.press("enter", "N", "x")


async def conflict(stage: Stage) -> None:
    path = "summaries/order-cut-off.md"
    await stage.go(Place("page", path, purpose="edit"))
    field = stage.page.editor
    line = next(number for number, text in enumerate(field.lines) if "Decided by" in text)
    field.move_cursor((line, 0))
    await stage.type("For now: ")
    file = stage.docs / path
    text = file.read_text(encoding="utf-8")
    changed = text.replace("**18:00**", "**17:30** in December").replace("Midnight was", "Midnight had been")
    file.write_text(changed, encoding="utf-8")
    stage.app.post_message(PagesChanged(changed=(path,)))
    await stage.until(lambda: stage.page.buffer is not None and stage.page.buffer.theirs is not None)
    await stage.press("alt+c")
    file.write_text(text, encoding="utf-8")


async def palette(stage: Stage) -> None:
    await stage.go(Place("page", SERVICE))
    await stage.press("ctrl+p")
    await stage.type("link")


SCENES = (
    Scene("search", "Search: results, preview and why", search),
    Scene("page", "Page: the reader", reader),
    Scene("editor", "Page: the editor completing a link", editor),
    Scene("graph", "Graph: the map of a page's neighbourhood", graph),
    Scene("lanes", "Graph: the same as lanes", lanes),
    Scene("sources", "Sources: what a page says and who said it", sources),
    Scene("review", "Review: a change that an agent proposes", review),
    Scene("sessions", "Sessions: a conversation and the pages from it", sessions),
    Scene("diary", "Diary: a day with the pages and conversations of it", diary),
    Scene("health", "Health: a broken link and its fixes", health),
    Scene("settings", "Settings: the keys", settings),
    Scene("conflict", "Page: changed here and outside", conflict),
    Scene("palette", "The palette of all commands", palette),
    Scene("tour", "Search in 80 columns, with the tour", first_step, NARROW, tour=True),
    Scene("graph", "Graph in 80 columns", graph, NARROW),
    Scene("review", "Review in 80 columns, a hunk left out", one_hunk_less, NARROW),
)
