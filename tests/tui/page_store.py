"""A small store with pages of fixed bytes and times, and the Page area opened on it."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.timer import Timer

from memex_core.memex import Memex
from memex_tui.app import MemexApp
from memex_tui.messages import PagesChanged, Place
from memex_tui.screens.page.screen import PageScreen
from tests.tui.frames import WIDE, settle

NOW = "2026-11-30T09:00:00Z"
TIME = 1_795_770_000  # 2026-11-27

LIMITS = """\
---
type: entity
title: Rate limits
description: How many requests a key may make
aliases: [throttling]
tags: [api, limits]
created: 2026-11-20T09:00:00Z
---
Each API key has a bucket of **30 requests** per second. A `429` carries
*retry-after*; the client in [[HTTP client]] honours it, then falls back
to [[Retry policy]].

Raised to 40 rps for the batch key on 2026-11-21. #limits ^raised

## Why

The old global limiter starved the health probe, see [[Incident]] and
[[Winter menu]], which nobody wrote yet.

![[Retry policy#Steps]]

## How it is set

| key   | rps | burst |
|-------|----:|------:|
| web   |  30 |    60 |
| batch |  40 |    80 |

- [x] honour `retry-after`
- [ ] dashboards for the batch key
"""
PAGES = {
    "entities/rate-limits.md": LIMITS,
    "entities/http-client.md": (
        "---\ntype: entity\ntitle: HTTP client\n---\n"
        "Reads the header in one place, see [[Rate limits]] and [[Retry policy#Steps]].\n"
    ),
    "entities/api-keys.md": "---\ntype: entity\ntitle: API keys\naliases: [API key]\n---\nOne a client.\n",
    "entities/health-checks.md": (
        "---\ntype: entity\ntitle: Health checks\naliases: [health probe]\n---\nProbes of the service.\n"
    ),
    "procedures/retry-policy.md": (
        "---\ntype: procedure\ntitle: Retry policy\n---\n"
        "Three tries, then [[Rate limits]] decide.\n\n## Steps\n\n1. wait\n2. try again ^again\n\n## Notes\n\nNone.\n"
    ),
    "summaries/incident.md": "---\ntype: summary\ntitle: Incident\n---\nThe limiter; see [[Rate limits|it]].\n",
    "summaries/budget.md": "---\ntype: summary\ntitle: Budget\n---\nCosts count against the rate limits of a key.\n",
}


def make_store(root: Path) -> Path:
    """A store with :data:`PAGES`; the folder of its pages."""
    Memex(root, create=True).close()
    for path, text in PAGES.items():
        put(root, path, text.encode())
    with Memex(root) as memex:
        memex.list()
    return root / "docs"


def put(root: Path, path: str, data: bytes) -> Path:
    """Write a page's file as something outside would, at a fixed time."""
    file = root / "docs" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    os.utime(file, (TIME, TIME))
    return file


def busy(app: MemexApp) -> bool:
    """Whether a request runs, or a message waits to be handled."""
    pumps: list[MessagePump] = [app]
    for screen in app.screen_stack:
        pumps += screen.walk_children(with_self=True)
    asked = [worker for worker in app.workers if worker.group != "live"]
    return any(not worker.is_finished for worker in asked) or any(
        not pump._message_queue.empty() for pump in pumps
    )


def pending(screen: PageScreen) -> list[Timer]:
    """The timers of the area that have yet to run once; the one that keeps unsaved text is left out."""
    return [
        timer
        for timer in screen._timers
        if timer._repeat == 0 and timer._task and not timer._task.done() and timer is not screen._swap_timer
    ]


class Page:
    """The Page area in a running app."""

    def __init__(self, app: MemexApp, pilot: Pilot[Any], docs: Path) -> None:
        self.app = app
        self.pilot = pilot
        self.docs = docs

    @property
    def screen(self) -> PageScreen:
        return cast(PageScreen, self.app.current_area)

    async def go(self, path: str, **place: Any) -> None:
        """Open a page."""
        await self.app.go(Place("page", path, **place))
        await self.settle()

    async def settle(self) -> None:
        """Wait until what was asked for, and what came of it, is done; timers may still run."""
        await settle(self.pilot)
        while busy(self.app):
            await settle(self.pilot)

    async def press(self, *keys: str) -> None:
        """Press keys, or type a text given as ``type:…``."""
        for key in keys:
            if key.startswith("type:"):
                await self.pilot.press(*("space" if char == " " else char for char in key[5:]))
            else:
                await self.pilot.press(key)
        await self.settle()

    async def later(self) -> None:
        """Wait until every timer that waits for a pause in the typing has run, however long that takes."""
        await self.settle()
        while pending(self.screen):
            await self.pilot.pause(0.02)
            await self.settle()

    async def until(self, so: Callable[[], object], seconds: float = 60.0) -> None:
        """Wait until something is so; fails after ``seconds``."""
        await self.until_drawn(so, seconds)
        await self.settle()

    async def until_drawn(self, so: Callable[[], object], seconds: float = 60.0) -> None:
        """Wait until something is so, though a request may still run."""
        end = time.monotonic() + seconds
        while not so():
            assert time.monotonic() < end, "it did not come to be"
            await self.pilot.pause(0.02)

    async def outside(self, path: str, data: bytes | None) -> None:
        """Change or delete a page's file outside, and tell the app as the follower would."""
        file = self.docs / path
        added = not file.exists()
        if data is None:
            file.unlink()
            change = PagesChanged(removed=(path,))
        else:
            put(self.docs.parent, path, data)
            change = PagesChanged(added=(path,)) if added else PagesChanged(changed=(path,))
        self.app.post_message(change)
        await self.later()

    def bytes(self, path: str = "entities/rate-limits.md") -> bytes:
        return (self.docs / path).read_bytes()

    @property
    def said(self) -> list[str]:
        """The toasts so far."""
        return [str(one.message) for one in self.app._notifications]

    @property
    def caret(self) -> tuple[int, int]:
        return self.screen.editor.cursor_location

    def to_line(self, text: str, column: int = 0) -> None:
        """Put the caret into the line that holds ``text``."""
        lines = self.screen.editor.lines
        line = next(number for number, one in enumerate(lines) if text in one)
        self.screen.editor.move_cursor((line, column if column >= 0 else len(lines[line])))


@asynccontextmanager
async def page_area(
    root: Path,
    path: str = "entities/rate-limits.md",
    size: tuple[int, int] = WIDE,
    *,
    keep_state: bool = False,
    recent: Sequence[str] = (),
) -> AsyncIterator[Page]:
    """The Page area on the store at ``root``, with a page open; ``recent`` were read before."""
    docs = root / "docs" if (root / "docs").is_dir() else root
    app = MemexApp(str(root), area="page", keep_state=keep_state, watch=False)
    app.animation_level = "none"
    if path or recent:  # the first is the one that opens by itself
        app.saved.recent = [path] if path else list(recent)
    async with app.run_test(size=size, notifications=True) as pilot:
        page = Page(app, pilot, docs)
        await page.settle()
        if path:
            await page.go(path)
        yield page
