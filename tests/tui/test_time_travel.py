"""The bars that move a page and the graph through time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memex_core.memex import Memex
from memex_tui.app import MemexApp
from memex_tui.messages import Place
from memex_tui.screens.graph.screen import GraphScreen
from memex_tui.screens.page.history import HistoryView
from memex_tui.screens.page.past import CAME, marks_of
from memex_tui.screens.time_bar import TimeBar, moment_at, other_day, place_of, track
from tests.tui.frames import NARROW, WIDE, check_frame, press, running, settle, text_frame, until

LIMITS = "entities/rate-limits.md"


@pytest.fixture
def past(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two pages that link to each other, with five changes on four days, and a third that came and went."""

    def at(stamp: str) -> None:
        monkeypatch.setenv("MEMEX_NOW", f"{stamp}:00Z")

    at("2026-11-20T09:00")
    with Memex(root, create=True, actor="human:ada") as memex:
        memex.write("entity", "Rate limits", "A key has 30 requests.\n\nSee [[HTTP client]].\n")
        at("2026-11-21T10:00")
        memex.write("entity", "HTTP client", "Reads headers, see [[Rate limits]].\n")
        at("2026-11-21T11:30")
        memex.edit("rate-limits", body="A key has **40** requests.\n\nSee [[HTTP client]].\n")
        at("2026-11-24T08:00")
        memex.write("entity", "Passing", "For a day: [[Rate limits]].\n")
        at("2026-11-25T08:00")
        memex.forget("passing")
        memex.edit("rate-limits", body="A key has **50** requests.\n\n- read [[HTTP client]]\n- wait\n")
        monkeypatch.setenv("MEMEX_NOW", "2026-11-30T12:00:00Z")
        memex.list()
    return root


async def area_of(pilot: Pilot[Any], area: str) -> Any:
    """Open the page in an area, and wait until nothing is asked for any more."""
    app = pilot.app
    assert isinstance(app, MemexApp)
    await app.go(Place(area, LIMITS))
    await quiet(pilot)
    return app.current_area


async def quiet(pilot: Pilot[Any]) -> None:
    """Wait until no request runs and no timer waits to ask for more."""
    await settle(pilot)
    area: Any = getattr(pilot.app, "current_area", None)

    def waiting() -> bool:
        timers = [one for one in area._timers if one._repeat == 0 and one._task and not one._task.done()]
        swap = getattr(area, "_swap_timer", None)
        return any(one is not swap for one in timers)

    await until(pilot, lambda: not waiting())
    await settle(pilot)


def app_on(root: Path) -> MemexApp:
    return MemexApp(str(root), area="search", keep_state=False, watch=False)


# -- the bar by itself ------------------------------------------------------------------------------


def test_a_moment_and_its_cell() -> None:
    assert [place_of(n, 5, 9) for n in range(5)] == [0, 2, 4, 6, 8]
    assert [moment_at(cell, 5, 9) for cell in (-3, 0, 2, 3, 8, 40)] == [0, 0, 1, 2, 4, 4]
    assert [moment_at(place_of(n, 50, 60), 50, 60) for n in range(50)] == list(range(50))
    assert place_of(0, 1, 9) == 8 and moment_at(3, 1, 9) == 0


def test_days() -> None:
    days = ["1", "1", "2", "2", "5"]
    assert [other_day(days, n, -1) for n in range(5)] == [0, 0, 1, 1, 3]
    assert [other_day(days, n, 1) for n in range(5)] == [2, 2, 4, 4, 4]


def test_the_track_is_as_wide_as_it_should_be() -> None:
    for count, width, at in ((1, 3, 0), (5, 9, 2), (1000, 40, 999), (1000, 40, 0)):
        days = [str(n // 3) for n in range(count)]
        line = track(days, at, width)
        assert len("".join(text for text, _ in line)) == width
    assert "".join(text for text, _ in track(["1", "1", "2", "2", "5"], 2, 9)) == "━━━━●───┼"


def test_where_signs_stand() -> None:
    from memex_core.actions.history.past import changes

    marks = marks_of(changes(["a", "b", "c"], ["a", "x"]))
    assert {line: mark.sign for line, mark in marks.items()} == {2: CAME}
    assert list(marks_of(changes(["a", "b"], ["b"]))) == [1]


# -- the page ---------------------------------------------------------------------------------------


async def test_the_page_moves_through_time(past: Path) -> None:
    app = app_on(past)
    async with running(app, WIDE) as pilot:
        area = await area_of(pilot, "page")
        await press(pilot, ["g", "h"])
        await quiet(pilot)
        view = area.query_one(HistoryView)
        assert (view.bar.at, view.bar.count) == (2, 3)
        assert "50" in text_frame(app) and "3 of 3 · 2026-11-25 08:00 · edited · ada" in text_frame(app)
        await press(pilot, ["left"])
        await quiet(pilot)
        assert "A key has 40 requests" in text_frame(app) and "50 requests" not in text_frame(app)
        marked = [line for line in text_frame(app).split("\n") if CAME in line and "requests" in line]
        assert len(marked) == 1
        await press(pilot, ["home"])
        await quiet(pilot)
        assert "A key has 30 requests" in text_frame(app) and "1 of 3" in text_frame(app)
        await press(pilot, [">"])
        await quiet(pilot)
        assert view.bar.at == 1
        await press(pilot, ["n"])
        await quiet(pilot)
        assert view.bar.at == 2 and "50 requests" in text_frame(app)
        assert not app._notifications


async def test_the_page_goes_back_from_there(past: Path) -> None:
    app = app_on(past)
    async with running(app, NARROW) as pilot:
        area = await area_of(pilot, "page")
        await press(pilot, ["g", "h"])
        await quiet(pilot)
        await press(pilot, ["left", "left"])
        await quiet(pilot)
        await press(pilot, ["R"])
        await until(pilot, lambda: area.mode == "read")
        file = past / "docs" / LIMITS
        assert "has 30 requests" in file.read_text()
        await press(pilot, ["u"])
        await until(pilot, lambda: "**50**" in file.read_text())


async def test_the_mouse_moves_the_bar(past: Path) -> None:
    app = app_on(past)
    async with running(app, WIDE) as pilot:
        area = await area_of(pilot, "page")
        await press(pilot, ["g", "h"])
        await quiet(pilot)
        view = area.query_one(HistoryView)
        start, width = view.bar._track
        await pilot.click(TimeBar, offset=(start, 0))
        await quiet(pilot)
        assert view.bar.at == 0 and "A key has 30 requests" in text_frame(app)
        await pilot.mouse_down(TimeBar, offset=(start, 0))
        await pilot.hover(TimeBar, offset=(start + width // 2, 0))
        await pilot.mouse_up(TimeBar, offset=(start + width // 2, 0))
        await quiet(pilot)
        assert view.bar.at == 1
        await pilot.click(TimeBar, offset=(start + width + 2, 0))
        await quiet(pilot)
        assert view.bar.at == 2


async def test_a_text_that_was_not_kept(past: Path) -> None:
    file = past / "docs" / LIMITS
    with Memex(past) as memex:
        for word in ("60", "7000"):
            file.write_text(file.read_text().replace("50", word).replace("60", word))
            memex.look_again()
            memex.list()
    app = app_on(past)
    async with running(app, WIDE) as pilot:
        area = await area_of(pilot, "page")
        await press(pilot, ["g", "h", "left"])
        await quiet(pilot)
        assert "is not kept" in text_frame(app)
        assert not area.allowed("page.history-revert")
        await press(pilot, ["v"])
        await quiet(pilot)
        assert not app._notifications


# -- the graph --------------------------------------------------------------------------------------


def nodes(area: GraphScreen) -> set[tuple[str, bool]]:
    return {(node.title, node.ghost) for node in area.canvas.graph.nodes}


async def test_the_graph_moves_through_time(past: Path) -> None:
    app = app_on(past)
    async with running(app, WIDE) as pilot:
        area = await area_of(pilot, "graph")
        assert isinstance(area, GraphScreen)
        await press(pilot, ["T"])
        await quiet(pilot)
        bar = area.query_one(TimeBar)
        assert bar.display and (bar.at, bar.count) == (5, 6)
        assert nodes(area) == {("Rate limits", False), ("HTTP client", False)}
        await press(pilot, ["left", "left"])
        await quiet(pilot)
        assert nodes(area) == {("Rate limits", False), ("HTTP client", False), ("Passing", False)}
        assert "written passing · ada" in text_frame(app)
        await press(pilot, ["home"])
        await quiet(pilot)
        assert nodes(area) == {("Rate limits", False), ("HTTP client", True)}
        assert "A key has 30 requests" in text_frame(app)
        await press(pilot, ["escape"])
        await quiet(pilot)
        assert not bar.display and nodes(area) == {("Rate limits", False), ("HTTP client", False)}
        assert not app._notifications


async def test_a_page_that_went_comes_back_from_the_graph(past: Path) -> None:
    app = app_on(past)
    async with running(app, WIDE) as pilot:
        area = await area_of(pilot, "graph")
        await press(pilot, ["T", "left", "left"])
        await quiet(pilot)
        area.canvas.select("entities/passing.md")
        await quiet(pilot)
        await press(pilot, ["enter"])
        await quiet(pilot)
        assert [str(one.message).split("\n")[0] for one in app._notifications] == [
            "Passing is not there any more"
        ]
        await press(pilot, ["R"])
        file = past / "docs/entities/passing.md"
        await until(pilot, file.is_file)
        assert "For a day" in file.read_text()
        await quiet(pilot)
        assert area.travelling


async def test_another_page_in_the_middle_keeps_the_bar(past: Path) -> None:
    app = app_on(past)
    async with running(app, WIDE) as pilot:
        area = await area_of(pilot, "graph")
        await press(pilot, ["T"])
        await quiet(pilot)
        await app.go(Place("graph", "entities/http-client.md"))
        await quiet(pilot)
        bar = area.query_one(TimeBar)
        assert bar.display and bar.count == 5  # from the day it was written
        await press(pilot, ["o"])
        await quiet(pilot)
        assert not bar.display and not area.travelling


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("area", ["page", "graph"])
async def test_as_it_looks(past: Path, area: str, size: tuple[int, int]) -> None:
    app = app_on(past)
    async with running(app, size) as pilot:
        await area_of(pilot, area)
        for key in ["g", "h", "left"] if area == "page" else ["T", "left", "left"]:
            await press(pilot, [key])
            await quiet(pilot)
        check_frame(f"time/{area}-{size[0]}x{size[1]}", text_frame(app))
