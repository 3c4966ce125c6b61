"""Screens as text: run an app without a terminal, read what it shows, compare it with stored frames.

A stored frame is a ``.txt`` file under ``frames/``, as wide and high as the screen, without blanks at
line ends: a change of a screen shows as a readable diff. ``MEMEX_UPDATE_FRAMES=1`` writes them anew.
"""

from __future__ import annotations

import asyncio
import difflib
import os
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import Input, TextArea

FRAMES = Path(__file__).parent / "frames"
UPDATE = "MEMEX_UPDATE_FRAMES"
_UPDATING = os.environ.get(UPDATE) == "1"  # read at import: tests run without the user's MEMEX_ settings
NOTICED = 0.05  # seconds; what the app puts off for less it does as good as at once
WIDE, NARROW = (120, 40), (80, 24)


def frame(app: App[Any]) -> list[str]:
    """The lines of the screen as they would be drawn now, without blanks at their ends."""
    # The compositor is private; this is the only place that knows it.
    screen = app.screen
    update = screen._compositor.render_update(full=True, screen_stack=app._background_screens, simplify=True)
    return [Strip.join(strips).text.rstrip() for strips in update.strips]


def text_frame(app: App[Any]) -> str:
    """The screen as one text that ends in a line end."""
    return "\n".join(frame(app)) + "\n"


@asynccontextmanager
async def running(app: App[Any], size: tuple[int, int] = WIDE) -> AsyncIterator[Pilot[Any]]:
    """Run an app headless at ``size``, with animations off and cursors that do not blink."""
    app.animation_level = "none"
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        yield pilot


def pending(app: App[Any], longest: float) -> list[Timer]:
    """The timers of the screens that have yet to run once, of at most ``longest`` seconds."""
    timers = [timer for screen in app.screen_stack for timer in screen._timers]
    return [
        timer
        for timer in timers
        if timer._repeat == 0 and timer._interval <= longest and timer._task and not timer._task.done()
    ]


async def settle(pilot: Pilot[Any], longest: float = NOTICED) -> None:
    """Wait until workers, messages and timers that nobody would notice are through and the screen is up to
    date; ``longest`` seconds may a timer have that is waited for, however long that takes."""
    app = pilot.app
    while True:
        await app.workers.wait_for_complete([worker for worker in app.workers if worker.group != "live"])
        await pilot.pause()
        if not pending(app, longest):
            break
        await asyncio.sleep(0.005)
    for screen in app.screen_stack:
        for field in screen.query("Input, TextArea"):
            assert isinstance(field, Input | TextArea)
            field.cursor_blink = False
    await pilot.pause()


async def rest(pilot: Pilot[Any]) -> None:
    """Settle, with all that a second without a key or a change brings."""
    await settle(pilot, longest=1.0)


async def until(pilot: Pilot[Any], fits: Callable[[], bool], seconds: float = 90.0) -> None:
    """Wait until a condition holds. Only a failure takes ``seconds``; a busy machine may take some of it."""
    end = asyncio.get_running_loop().time() + seconds
    while not fits():
        if asyncio.get_running_loop().time() > end:
            raise AssertionError(f"it never came true; the screen says\n{text_frame(pilot.app)}")
        await asyncio.sleep(0.01)
    await pilot.pause()


async def press(pilot: Pilot[Any], keys: Iterable[str]) -> None:
    """Press keys one after the other, each answered before the next."""
    for key in keys:
        await pilot.press(key)
    await settle(pilot)


def check_frame(name: str, shown: str) -> None:
    """Compare a screen with its stored frame ``name`` (slashes make folders). Fails with a diff."""
    path = FRAMES / f"{name}.txt"
    if _UPDATING:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(shown, encoding="utf-8")
        return
    assert path.is_file(), f"no stored frame {name}: run with {UPDATE}=1 and look at it"
    stored = path.read_text(encoding="utf-8")
    if stored != shown:
        lines = difflib.unified_diff(
            stored.splitlines(), shown.splitlines(), f"stored {name}", "shown", lineterm=""
        )
        raise AssertionError(f"the screen changed ({UPDATE}=1 accepts it)\n" + "\n".join(lines))


async def check_app(name: str, app: App[Any], size: tuple[int, int] = WIDE, keys: Iterable[str] = ()) -> None:
    """Run an app, press keys, compare the screen with the stored frame ``name-WIDTHxHEIGHT``."""
    async with running(app, size) as pilot:
        await press(pilot, keys)
        check_frame(f"{name}-{size[0]}x{size[1]}", text_frame(app))
