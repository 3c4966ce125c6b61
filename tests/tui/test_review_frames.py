"""Text frames of the Review area in both sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.memex import Memex
from memex_tui.app import MemexApp
from memex_tui.screens.review.dialogs import GroupCard, ReasonCard
from tests.tui.frames import NARROW, WIDE, check_frame, press, running, settle, text_frame, until
from tests.tui.review_store import OWNER, make_store
from tests.tui.test_review_screen import BARE, CHANGE, CONFLICT, DISPUTE, DRAFT, area, on, opened, ready

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


@pytest.fixture
def waiting(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_ACTOR", OWNER)
    return make_store(root)


def check(name: str, app: MemexApp, size: tuple[int, int]) -> None:
    check_frame(f"review/{name}-{size[0]}x{size[1]}", text_frame(app))


@SIZES
async def test_no_memory_and_an_empty_one(root: Path, size: tuple[int, int]) -> None:
    app = opened(root)
    async with running(app, size) as pilot:
        await until(pilot, lambda: area(app)._loaded)
        await settle(pilot)
        check("missing", app, size)
    with Memex(root, create=True):
        pass
    app = opened(root)
    async with running(app, size) as pilot:
        await until(pilot, lambda: area(app)._loaded and app.counters.pages is not None)
        await settle(pilot)
        check("empty", app, size)


@SIZES
@pytest.mark.parametrize(
    ("name", "id"),
    [("change", CHANGE), ("draft", DRAFT), ("bare", BARE), ("conflict", CONFLICT), ("dispute", DISPUTE)],
    ids=["change", "draft", "bare", "conflict", "dispute"],
)
async def test_every_kind(waiting: Path, size: tuple[int, int], name: str, id: str) -> None:
    app = opened(waiting)
    async with running(app, size) as pilot:
        await ready(pilot)
        await on(pilot, id)
        if size == NARROW:
            await press(pilot, ["enter"])
        check(name, app, size)


@SIZES
async def test_the_queue(waiting: Path, size: tuple[int, int]) -> None:
    app = opened(waiting)
    async with running(app, size) as pilot:
        await ready(pilot)
        await on(pilot, CONFLICT)
        await press(pilot, ["d"])
        await until(pilot, lambda: any(one.deferred for one in area(app)._queue.items))
        await ready(pilot)
        await on(pilot, CHANGE)
        await press(pilot, ["v", "v"])
        app.clear_notifications()
        await settle(pilot)
        check("queue", app, size)


@SIZES
async def test_a_hunk_left_out(waiting: Path, size: tuple[int, int]) -> None:
    app = opened(waiting)
    async with running(app, size) as pilot:
        await ready(pilot)
        await on(pilot, CHANGE)
        await press(pilot, ["enter", "N", "x"])
        check("left-out", app, size)


@SIZES
async def test_marks(waiting: Path, size: tuple[int, int]) -> None:
    app = opened(waiting)
    async with running(app, size) as pilot:
        await ready(pilot)
        await on(pilot, DRAFT)
        await press(pilot, ["V"])
        await on(pilot, CHANGE)
        await press(pilot, ["V"])
        await on(pilot, DRAFT)
        check("marked", app, size)


@SIZES
async def test_asking(waiting: Path, size: tuple[int, int]) -> None:
    app = opened(waiting)
    async with running(app, size) as pilot:
        await ready(pilot)
        await on(pilot, BARE)
        await press(pilot, ["r"])
        await until(pilot, lambda: isinstance(app.screen, ReasonCard))
        await settle(pilot)
        check("reason", app, size)
        await press(pilot, ["escape"])
        await on(pilot, DRAFT)
        await press(pilot, ["A"])
        await until(pilot, lambda: isinstance(app.screen, GroupCard))
        await settle(pilot)
        check("group", app, size)
