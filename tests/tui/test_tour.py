"""The tour: each step is done by doing it, can be skipped, and is not shown twice."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memex_core.cli.demo import place
from memex_tui.app import MemexApp
from memex_tui.commands import every_command
from memex_tui.messages import Place
from memex_tui.tour.bar import TourBar
from memex_tui.tour.steps import STEPS, Seen, Tour
from tests.tui.frames import NARROW, WIDE, check_frame, frame, running, settle

BUTTONS = "f2 skip  f3 end the tour"


@pytest.fixture
def demo(root: Path) -> str:
    return place(str(root))[0]


def bar(app: MemexApp) -> list[str]:
    """The two rows of the tour, empty when it is away."""
    found = app.screen.query_one(TourBar)
    return frame(app)[found.region.y : found.region.bottom] if found.display else []


async def until(pilot: Pilot[Any], so: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not so():
        assert time.monotonic() < end, "it did not come to be"
        await pilot.pause(0.02)
    await settle(pilot)


# -- the steps --------------------------------------------------------------------------------


def test_a_step_is_done_by_doing_it() -> None:
    tour = Tour({})
    tour.begin()
    walk = [
        (Seen("search"), 0, 0),
        (Seen("search", query="li"), 0, 0),
        (Seen("search", query="lint"), 1, 0),
        (Seen("search", query="linter"), 1, 0),
        (Seen("page", path="a.md"), 2, 0),
        (Seen("page", path="a.md", editing=True), 2, 0),
        (Seen("page", path="b.md"), 2, 1),
        (Seen("page", path="b.md", editing=True), 3, 0),
        (Seen("health"), 3, 0),
        (Seen("graph", path="b.md"), 4, 0),
        (Seen("health"), 5, 0),
    ]
    for now, at, part in walk:
        tour.look(now)
        assert (tour.at, tour.part) == (at, part), now
    assert tour.finished and tour.running
    tour.skip()
    assert not tour.running


def test_what_was_there_before_does_not_count() -> None:
    tour = Tour({})
    tour.begin()
    tour.look(Seen("search", query="from the last time"))
    assert tour.at == 0
    tour.skip()
    tour.look(Seen("page", path="a.md"))
    assert tour.at == 2


def test_it_goes_on_where_it_was_and_is_not_offered_twice() -> None:
    tour = Tour({})
    tour.offer()
    tour.skip()
    again = Tour(tour.state())
    assert (again.running, again.at) == (True, 1)
    again.end()
    over = Tour(again.state())
    over.offer()
    assert not over.running
    over.begin()
    assert (over.running, over.at) == (True, 0)


@pytest.mark.parametrize("state", [{"step": "x"}, {"step": 99, "running": True}, {"step": True}, {"part": 7}])
def test_a_damaged_state_is_no_tour(state: dict[str, Any]) -> None:
    tour = Tour(state)
    assert not tour.running
    assert tour.step.title and tour.hint


def test_hints_name_commands_that_exist() -> None:
    ids = {command.id for command in every_command()}
    named = {word for step in STEPS for part in step.parts for word in part.hint.split() if word[0] == "{"}
    assert len(named) >= 8
    assert {word.partition("}")[0][1:] for word in named} <= ids


# -- in the app -------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
async def test_the_whole_tour(demo: str, size: tuple[int, int]) -> None:
    app = MemexApp(demo, watch=False)
    app.tour.offer()
    async with running(app, size) as pilot:
        assert bar(app)[0].startswith("▎tour 1 of 5  ◉○○○○  Ask for something")
        assert bar(app)[0].endswith(BUTTONS)
        check_frame(f"tour/first-{size[0]}x{size[1]}", "\n".join(frame(app)[-3:]) + "\n")
        await pilot.press(*"linter")
        await until(pilot, lambda: app.tour.at == 1)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.tour.at == 2)
        assert bar(app)[1] == "▎f puts letters on the links; type one to follow it."
        check_frame(f"tour/page-{size[0]}x{size[1]}", "\n".join(frame(app)[-3:]) + "\n")
        await pilot.press("f", "a")
        await until(pilot, lambda: app.tour.part == 1)
        await pilot.press("e")
        await until(pilot, lambda: app.tour.at == 3)
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("space", "l")
        await until(pilot, lambda: app.tour.at == 4)
        await pilot.press("8")
        await until(pilot, lambda: app.tour.at == 5)
        assert bar(app)[0].startswith("▎tour 5 of 5  ●●●●●  That was the tour")
        assert bar(app)[0].endswith("f3 close") and "skip" not in bar(app)[0]
        await pilot.press("f3")
        await settle(pilot)
        assert bar(app) == []
        assert not [one for one in app._notifications if one.severity == "error"]
        app.save_state()
    again = MemexApp(demo, watch=False)
    again.tour.offer()
    async with running(again, size):
        assert bar(again) == []


async def test_it_takes_no_letter_and_no_focus(demo: str) -> None:
    app = MemexApp(demo, watch=False, keep_state=False)
    app.tour.offer()
    async with running(app, NARROW) as pilot:
        assert not app.screen.query_one(TourBar).can_focus
        await pilot.press("f", "2")
        assert app.screen.query_one("Input").value == "f2"  # type: ignore[attr-defined]
        await pilot.press("f2")
        await settle(pilot)
        assert bar(app)[0].startswith("▎tour 2 of 5  ●◉○○○")
        await pilot.click(TourBar, offset=(78 - len("f3 end the tour") + 2, 0))
        await settle(pilot)
        assert bar(app) == [] and app.tour.finished


async def test_it_can_be_taken_again_and_shows_a_persons_own_keys(demo: str) -> None:
    with open(os.path.join(demo, "memex.toml"), "a", encoding="utf-8") as file:
        file.write('\n[keys]\n"tour.skip" = "f8"\n')
    app = MemexApp(demo, watch=False, keep_state=False)
    async with running(app, WIDE) as pilot:
        assert bar(app) == []
        app.screen.run_command("tour.start")  # type: ignore[attr-defined]
        await settle(pilot)
        assert bar(app)[0].endswith("f8 skip  f3 end the tour")
        await app.go(Place("health"))
        await settle(pilot)
        assert bar(app)[0].startswith("▎tour 1 of 5")
        await pilot.press("f8")
        await settle(pilot)
        assert app.tour.at == 1
