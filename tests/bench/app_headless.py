"""CPU and waiting of the app without a terminal; each frame is drawn to bytes as for one."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from textual import events
from textual._compositor import CompositorUpdate
from textual.app import App, ComposeResult
from textual.widgets import Static, TextArea

import memex_tui
from memex_core import Memex
from memex_tui.app import MemexApp
from memex_tui.messages import Go, Place
from memex_tui.screens.search.asking import find
from tests.bench import corpus
from tests.tui.frames import settle

SIZE = (120, 40)
PATIENCE = 60.0
KEYS = 120
SETTING = 4.0  # seconds until the library's watches of every folder are set
PAUSE = 0.12  # seconds between the letters of a person who types fast


class Drawn:
    """Renders what a terminal would get, and tells when."""

    def begin(self) -> None:
        self.drawn = asyncio.Event()

    def _display(self, screen: Any, renderable: Any) -> None:
        super()._display(screen, renderable)  # type: ignore[misc]
        if isinstance(renderable, CompositorUpdate):
            renderable.render_segments(self.console).encode()  # type: ignore[attr-defined]
            if hasattr(self, "drawn"):
                self.drawn.set()


class Measured(Drawn, MemexApp):
    """The app."""

    CSS_PATH = os.path.join(os.path.dirname(memex_tui.__file__), "app.tcss")


class Empty(Drawn, App[None]):
    """The least app that answers a key with a frame."""

    count = 0

    def compose(self) -> ComposeResult:
        yield Static("0")

    def on_key(self) -> None:
        self.count += 1
        self.query_one(Static).update(str(self.count))


class Stock(Drawn, App[None]):
    """A stock editor with a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        yield TextArea(self._text)


@asynccontextmanager
async def running(app: Any) -> AsyncIterator[Any]:
    app.animation_level = "none"
    async with app.run_test(size=SIZE) as pilot:
        app.begin()
        await settle(pilot)
        yield pilot
    if isinstance(app, MemexApp):
        await asyncio.to_thread(app.gateway.join, reads=True)


def memex_app(root: Path, *, watch: bool = False) -> Measured:
    return Measured(str(root), area="search", keep_state=False, watch=watch)


async def key(app: Any, name: str) -> float:
    """CPU milliseconds of the thread that draws, from a key to the frame that answers it."""
    app.drawn.clear()
    began = time.thread_time()
    app.post_message(events.Key(name, name if len(name) == 1 else None))
    await asyncio.wait_for(app.drawn.wait(), PATIENCE)
    return (time.thread_time() - began) * 1000


async def keys(app: Any, pilot: Any, *names: str) -> list[float]:
    """One measurement a key; between them everything that follows from one comes to rest."""
    spent = []
    for number in range(KEYS):
        spent.append(await key(app, names[number % len(names)]))
        await asyncio.sleep(0.02)
        if number % 20 == 19:
            await settle(pilot)
    return spent


async def until(app: Any, so: Callable[[], bool]) -> None:
    """Wait for the frame after which something is so."""
    end = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < end, "it did not come to be"
        app.drawn.clear()
        try:
            await asyncio.wait_for(app.drawn.wait(), 0.2)
        except TimeoutError:
            continue


async def empty_keys() -> list[float]:
    app = Empty()
    async with running(app) as pilot:
        return await keys(app, pilot, "down")


async def stock_editor(text: str) -> list[float]:
    app = Stock(text)
    async with running(app) as pilot:
        app.query_one(TextArea).focus()
        return await keys(app, pilot, "right", "down")


async def cursor(root: Path) -> list[float]:
    """The cursor through the newest pages."""
    app = memex_app(root)
    async with running(app) as pilot:
        await pilot.press("down")
        await settle(pilot)
        return await keys(app, pilot, "down", "down", "down", "up")


class Cost(NamedTuple):
    """Milliseconds of something done again and again: of CPU in the whole process, and of waiting."""

    cpu: list[float]
    wall: list[float]

    def add(self, cpu: float, wall: float) -> None:
        """``cpu`` and ``wall`` are the clocks as they stood at the beginning, in seconds."""
        self.cpu.append((time.process_time() - cpu) * 1000)
        self.wall.append((time.perf_counter() - wall) * 1000)


async def typing(root: Path) -> tuple[Cost, Cost]:
    """From a letter to the frame with its results; and the same questions to the core alone."""
    app = memex_app(root)
    ours, core = Cost([], []), Cost([], [])
    asked: list[str] = []
    async with running(app) as pilot:
        screen: Any = app.screen
        for _, text in list(corpus.queries(9))[1:]:
            screen.input.value = ""
            await settle(pilot)
            for letter in text[:16]:
                app.drawn.clear()
                cpu, wall = time.process_time(), time.perf_counter()
                app.post_message(events.Key("space" if letter == " " else letter, letter))
                wanted = screen.input.value + letter
                await until(app, lambda wanted=wanted: screen._asked == wanted)
                ours.add(cpu, wall)
                asked.append(wanted)
                await asyncio.sleep(PAUSE)
    with Memex(root) as memex:
        memex.list(limit=1)
        for text in asked:
            cpu, wall = time.process_time(), time.perf_counter()
            find(memex, text, 20)
            core.add(cpu, wall)
    return ours, core


async def opening(root: Path, name: str) -> tuple[list[float], list[float]]:
    """Wall milliseconds from wanting a page to its frame, and of parsing its Markdown."""
    from markdown_it import MarkdownIt

    app = memex_app(root)
    spent: list[float] = []
    async with running(app) as pilot:
        for number in range(5):
            for path in (name, "hub.md"):
                began = time.perf_counter()
                app.post_message(Go(Place("page", path)))
                await until(app, lambda path=path: getattr(app.current_area, "path", "") == path)
                if path == name:
                    spent.append((time.perf_counter() - began) * 1000)
                await settle(pilot)
            if number == 0:
                spent.clear()  # the area itself was made
    text = (root / name).read_text(encoding="utf-8")
    floor = []
    for _ in range(3):
        began = time.perf_counter()
        MarkdownIt("commonmark").enable("table").parse(text)
        floor.append((time.perf_counter() - began) * 1000)
    return spent, floor


async def editing(root: Path, name: str) -> tuple[list[float], list[float]]:
    """Caret keys and letters in the middle of a large page."""
    app = memex_app(root)
    async with running(app) as pilot:
        await app.go(Place("page", name, purpose="edit"))
        screen: Any = app.current_area
        await until(app, lambda: screen.contexts()[0] == "page.editor")
        await settle(pilot)
        screen.editor.move_cursor((screen.editor.document.line_count // 2, 0))
        await settle(pilot)
        caret = await keys(app, pilot, "right", "down")
        letters = await keys(app, pilot, "a")
        return caret, letters


async def graph(root: Path, name: str) -> tuple[list[float], list[float], int]:
    """Moving the selection and the map of a full neighbourhood."""
    app = memex_app(root)
    async with running(app) as pilot:
        await app.go(Place("graph", name))
        screen: Any = app.current_area
        await until(app, lambda: len(screen._shown.graph.nodes) > 1)
        await settle(pilot)
        nodes = len(screen._shown.graph.nodes)
        moved = await keys(app, pilot, "right", "down", "left", "up")
        panned = await keys(app, pilot, "shift+right", "shift+left")
        return moved, panned, nodes


async def outside(root: Path, name: str) -> tuple[list[float], list[float]]:
    """Wall milliseconds from a file renamed into place to its text in the reader; the same to the watcher."""
    app = memex_app(root, watch=True)
    spent: list[float] = []
    async with running(app) as pilot:
        await app.go(Place("page", name))
        screen: Any = app.current_area
        await until(app, lambda: screen.opened is not None)
        await settle(pilot)
        assert app._follower is not None
        await asyncio.to_thread(app._follower.ready.wait, PATIENCE)
        for number in range(12):
            text = f"Changed outside for the {number}th time."
            began = replace(root / name, f"# Watched\n\n{text}\n")
            await until(app, lambda text=text: text in screen.reader.document.text)
            spent.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(0.6)
    return spent, await asyncio.to_thread(told, root, root / name)


def replace(path: Path, text: str) -> float:
    part = path.with_name(".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
    return time.perf_counter()


def told(root: Path, path: Path) -> list[float]:
    """From the same rename to an event of the watcher's library, over the same folders."""
    import watchfiles

    folders = [root, *(one for one in root.rglob("*") if one.is_dir() and ".memex" not in one.parts)]
    stop, came = threading.Event(), threading.Event()

    def follow() -> None:
        watch = watchfiles.watch(
            *folders,
            recursive=False,
            debounce=400,
            step=20,
            stop_event=stop,
            rust_timeout=100,
            yield_on_timeout=True,
        )
        for changes in watch:
            if changes:
                came.set()

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    time.sleep(SETTING)
    spent = []
    for number in range(12):
        came.clear()
        began = replace(path, f"# Watched\n\nfloor {number}\n")
        assert came.wait(PATIENCE)
        spent.append((time.perf_counter() - began) * 1000)
        time.sleep(0.6)
    stop.set()
    thread.join()
    return spent
