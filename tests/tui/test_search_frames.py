"""Text frames of Search and of what lies over it, in both sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core.memex import Memex
from memex_core.model.errors import SearchFailed
from memex_tui.app import MemexApp
from memex_tui.screens.search import screen as module
from tests.tui.frames import NARROW, WIDE, check_frame, press, running, settle, text_frame
from tests.tui.test_search_screen import area, opened, typed, until

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


@pytest.fixture(autouse=True)
def steady_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every search takes 4 ms."""
    real = module.find

    def find(*args: Any, **options: Any) -> Any:
        return {**real(*args, **options), "search_time_ms": 4.0}

    monkeypatch.setattr(module, "find", find)


def check(name: str, app: MemexApp, size: tuple[int, int]) -> None:
    check_frame(f"search/{name}-{size[0]}x{size[1]}", text_frame(app))


@SIZES
async def test_no_memory(root: Path, size: tuple[int, int]) -> None:
    app = opened(root)
    async with running(app, size):
        check("missing", app, size)


@SIZES
async def test_an_empty_memory(root: Path, size: tuple[int, int]) -> None:
    with Memex(root, create=True):
        pass
    app = opened(root)
    async with running(app, size):
        check("empty", app, size)


@SIZES
async def test_one_page(root: Path, size: tuple[int, int]) -> None:
    with Memex(root, create=True) as memex:
        memex.write("entity", "Ada Park", "Bakes since 1998, codes since 2019.", tags=["people"])
    app = opened(root)
    async with running(app, size) as pilot:
        await typed(pilot, "bakes")
        check("one", app, size)


@SIZES
async def test_many_results(store: Path, size: tuple[int, int]) -> None:
    app = opened(store)
    async with running(app, size) as pilot:
        await typed(pilot, "limit client")
        await press(pilot, ["down", "down"])
        await settle(pilot)
        await until(pilot, lambda: bool(area(app).view.matches))
        check("many", app, size)


@SIZES
async def test_nothing_typed(store: Path, size: tuple[int, int]) -> None:
    app = opened(store)
    async with running(app, size):
        check("newest", app, size)


@SIZES
async def test_a_failure(store: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise SearchFailed("the search engine failed: disk I/O error", hint="memex rebuild-index --force")

    app = opened(store)
    async with running(app, size) as pilot:
        monkeypatch.setattr(module, "find", fail)
        await typed(pilot, "limit")
        check("error", app, size)


@SIZES
async def test_the_palette_and_the_menu(store: Path, size: tuple[int, int]) -> None:
    app = opened(store)
    async with running(app, size) as pilot:
        await press(pilot, ["escape", "space"])
        check("menu", app, size)
        await press(pilot, ["escape", "ctrl+p"])
        check("palette", app, size)


@SIZES
async def test_the_switcher(store: Path, size: tuple[int, int]) -> None:
    app = opened(store)
    async with running(app, size) as pilot:
        await press(pilot, ["ctrl+k", *"li"])
        await until(pilot, lambda: app.screen.rows.count > 1)  # type: ignore[attr-defined]
        check("switcher", app, size)
