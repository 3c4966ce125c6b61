"""Text frames of the Sessions area in both sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core.memex import Memex
from memex_core.model.errors import SearchFailed
from memex_tui.app import MemexApp
from memex_tui.screens.sessions import presenter
from tests.tui.frames import NARROW, WIDE, check_frame, press, running, settle, text_frame
from tests.tui.sessions_store import make_long, make_store
from tests.tui.test_sessions_screen import area, on, opened, ready, until

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


def check(name: str, app: MemexApp, size: tuple[int, int]) -> None:
    check_frame(f"sessions/{name}-{size[0]}x{size[1]}", text_frame(app))


@SIZES
async def test_no_memory_and_an_empty_one(root: Path, size: tuple[int, int]) -> None:
    async with running(opened(root), size) as pilot:
        await until(pilot, lambda: area(pilot.app)._loaded)
        check("missing", pilot.app, size)  # type: ignore[arg-type]
    with Memex(root, create=True):
        pass
    async with running(opened(root), size) as pilot:
        await until(pilot, lambda: area(pilot.app)._loaded)
        check("empty", pilot.app, size)  # type: ignore[arg-type]


@SIZES
async def test_a_few(root: Path, size: tuple[int, int]) -> None:
    app = opened(make_store(root))
    async with running(app, size) as pilot:
        await until(pilot, lambda: area(app)._talk is not None and bool(area(app)._fruit.pages))
        check("few", app, size)
        await press(pilot, ["w"])
        check("pages", app, size)


@SIZES
async def test_many_and_a_filter(root: Path, size: tuple[int, int]) -> None:
    make_store(root)
    with Memex(root) as memex:
        for number in range(40):
            ts = f"2026-11-{1 + number % 20:02}T10:{number:02}:00Z"
            turns = [{"role": "user", "content": f"question {number}", "ts": ts}] * (1 + number % 5)
            memex.ingest_transcript(f"s-{number:02}", turns=turns, project=f"p{number % 3}")
    app = opened(root)
    async with running(app, size) as pilot:
        await until(pilot, lambda: area(app)._talk is not None and bool(area(app)._fruit.pages))
        await press(pilot, ["j", "j", "j"])
        await until(pilot, lambda: area(app)._session == area(app).sessions.key)
        check("many", app, size)
        await press(pilot, ["s", "slash", *"project:p1 question"])
        await settle(pilot)
        await until(pilot, lambda: area(app)._session == area(app).sessions.key)
        check("filter", app, size)


@SIZES
async def test_a_replay(root: Path, size: tuple[int, int]) -> None:
    make_store(root)
    make_long(root, 1_000)
    app = opened(root)
    async with running(app, size) as pilot:
        await until(pilot, lambda: bool(area(app)._fruit.pages))
        screen = await on(pilot, "limits", 3)
        await press(pilot, ["enter"])
        check("replay", app, size)
        await on(pilot, "long", 500)
        await press(pilot, ["slash", *"prompt 7"])
        await until(pilot, lambda: screen._walk is not None and screen._walk.done and screen._aimed)
        check("search", app, size)


@SIZES
async def test_deleting(root: Path, size: tuple[int, int]) -> None:
    app = opened(make_store(root))
    async with running(app, size) as pilot:
        if size == WIDE:
            await ready(pilot)
        else:
            await until(pilot, lambda: area(app)._talk is not None and bool(area(app)._fruit.pages))
        await press(pilot, ["D"])
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await press(pilot, ["down", "enter"])
        check("delete", app, size)


@SIZES
async def test_a_failure(root: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Memex) -> Any:
        raise SearchFailed("the disk is gone", hint="put it back")

    monkeypatch.setattr(presenter, "load", fail)
    app = opened(make_store(root))
    async with running(app, size) as pilot:
        await until(pilot, lambda: bool(app._notifications))
        app.clear_notifications()
        await settle(pilot)
        check("error", app, size)
