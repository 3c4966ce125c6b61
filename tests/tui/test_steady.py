"""What stays where it is, and what comes back by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from memex_tui.areas import AREAS
from memex_tui.counters import Counters
from memex_tui.messages import Watching
from memex_tui.render.line import line_text, line_width
from memex_tui.screens.chrome import TabBar
from memex_tui.screens.overlays.help import HelpCard
from memex_tui.widgets.virtual_list import VirtualList
from tests.tui.frames import NARROW, press, running, settle, until
from tests.tui.review_store import OWNER, make_store
from tests.tui.test_review_screen import ALL, area, ids, opened


def tabs(area: str, cells: int, *, pending: int = 0, problem: str = "") -> str:
    counters = Counters()
    counters.pages, counters.pending, counters.problem = 33, pending, problem
    bar = TabBar(area)
    bar.show(*counters.lines())
    [line] = bar.lines(cells)
    assert line_width(line) == cells
    return line_text(line)


@pytest.mark.parametrize(
    ("cells", "last"), [(60, " 9Set"), (80, " 9Set"), (100, " 9Settings"), (120, " 9 Settings ")]
)
def test_a_tab_stays_where_it_is_whichever_is_chosen_and_whatever_is_counted(cells: int, last: str) -> None:
    begin = tabs("search", cells)
    end = begin.index(last) + len(last)
    for one in AREAS:
        assert tabs(one.id, cells)[:end] == begin[:end]
        assert tabs(one.id, cells, pending=1234)[:end] == begin[:end]
    assert begin.rstrip().endswith("ok")


def test_a_problem_is_told_in_the_narrowest_row() -> None:
    assert tabs("search", 60, problem="gone").rstrip().endswith("not watching")


@pytest.fixture
def waiting(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_ACTOR", OWNER)
    return make_store(root)


async def test_what_could_not_be_read_is_read_again_when_it_is_back(waiting: Path) -> None:
    away = waiting.with_name("away")
    app = opened(waiting)
    async with running(app, NARROW) as pilot:
        screen = area(app)
        await until(pilot, lambda: set(ids(screen)) == ALL)
        waiting.rename(away)
        app.post_message(Watching(problem="the folder cannot be read"))
        screen.do_review_reload()
        await settle(pilot)
        assert app.counters.problem
        away.rename(waiting)
        (waiting / "docs" / "entities" / "batch-jobs.md").unlink()
        app.post_message(Watching())
        await until(pilot, lambda: len(ids(screen)) == len(ALL) - 1)
        assert not app.counters.problem


async def test_help_that_has_no_room_in_its_row_stands_below_in_full(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, NARROW) as pilot:
        await until(pilot, lambda: set(ids(area(app))) == ALL)
        await press(pilot, ["question_mark"])
        assert isinstance(app.screen, HelpCard)
        note = app.screen.query_one(".help-note", Static)
        assert str(note.content).endswith(".")
        for _ in range(3):
            await press(pilot, ["down"])
            row = app.screen.query_one(VirtualList).row
            assert row is not None
            assert str(note.content) == row[2]
            assert note.region.bottom < app.screen.query_one(".card").region.bottom <= NARROW[1]
