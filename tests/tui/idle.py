"""Waiting for an app under test by what it has left to do, and its style rules parsed once.

Textual's own pilot waits after every key until the processor looks idle: twice 20 ms at least, and on a
busy machine it cannot tell. Here a wait ends when nothing is left: no callback that is ready to run, no
part of the screen to be drawn, no request that runs.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import textual.app
import textual.pilot
from textual._context import active_app
from textual._wait import wait_for_idle as wait_for_quiet
from textual.app import App
from textual.css.stylesheet import RuleSet, Stylesheet

LOOK = 0.02  # seconds for which a request that computes nothing is watched: it waits for the test
LONGEST = 1.0  # seconds that a request which computes is waited for, as Textual does


async def no_callback_ready() -> None:
    """Let the event loop run until only timers, threads and this task are left to wake it."""
    loop: Any = asyncio.get_running_loop()
    await asyncio.sleep(0)
    while loop._ready:
        await asyncio.sleep(0)


def draw(app: App[Any]) -> bool:
    """Do at once what waits for the next beat of the screen's clock; whether there was something."""
    if app._resize_event is not None and app._size is not None:
        app._check_resize()
        return True
    if app._batch_count or not app.screen_stack or not app.screen.is_current:
        return False
    screen = app.screen
    due = (
        screen._callbacks
        or screen._dirty_widgets
        or screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
    )
    if due:
        screen._on_timer_update()
    return bool(due)


def requesting(app: App[Any]) -> bool:
    return any(not worker.is_finished for worker in app.workers if worker.group != "live")


async def nothing_left(min_sleep: float = LOOK, max_sleep: float = LONGEST) -> None:
    """Wait until the app has nothing left to do; a request that stands still is not waited for."""
    app = active_app.get(None)
    if app is None:
        await wait_for_quiet(min_sleep, max_sleep)
        return
    end = time.monotonic() + max_sleep
    while time.monotonic() < end:
        await no_callback_ready()
        if draw(app):
            continue
        if not requesting(app):
            return
        spent, until = time.process_time(), time.monotonic() + LOOK
        while requesting(app) and time.monotonic() < until:
            await asyncio.sleep(0.001)
        if requesting(app) and time.process_time() - spent < LOOK / 20:
            return


_parse = Stylesheet._parse_rules
_parsed: dict[Any, list[RuleSet]] = {}


def parse_once(sheet: Stylesheet, css: str, read_from: Any, *more: Any, **named: Any) -> list[RuleSet]:
    """The rules of a text; every app of this process has the same texts, and each screen reads them anew."""
    key = (css, read_from, more, *sorted(named.items()), frozenset(sheet._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse(sheet, css, read_from, *more, **named)
    return _parsed[key]


def install() -> None:
    """Into Textual, for this process of tests."""
    for module in (textual.app, textual.pilot):
        module.wait_for_idle = nothing_left  # type: ignore[attr-defined]
    Stylesheet._parse_rules = parse_once  # type: ignore[method-assign]
