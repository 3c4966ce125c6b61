from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.files.turn_walk import wanted
from memex_core.index.activity import Fed
from memex_core.model.results import CaptureReport
from memex_tui.render.line import line_text
from memex_tui.screens.sessions import deeds, filtering, presenter
from memex_tui.screens.sessions.filtering import Filter
from memex_tui.screens.sessions.presenter import Fruit, Session
from memex_tui.screens.sessions.walking import Walk
from memex_tui.screens.sessions.widgets import draw_page, draw_session
from memex_tui.widgets.rows import RowState
from tests.tui.sessions_store import make_long, make_store

TODAY = "2026-11-30"


@pytest.fixture
def memex(root: Path) -> Iterator[Memex]:
    with Memex(make_store(root)) as opened:
        yield opened


def one(id: str = "s", **more: Any) -> Session:
    values = {
        "title": "a talk",
        "agent": "codex",
        "project": "infra",
        "started": "2026-11-30T09:14:00Z",
        "ended": "2026-11-30T09:26:00Z",
        "turns": 5,
        "typed": 2,
        "answers": 2,
        "tools": 1,
        "tokens": None,
    }
    return Session(id, **{**values, **more})


# -- loading -----------------------------------------------------------------------------------


def test_conversations_are_listed_newest_first_with_what_is_known_of_them(memex: Memex) -> None:
    limits, tables, old = presenter.load(memex)
    assert limits == one("limits", title="limits and retry", tokens=12_400)
    assert (tables.title, tables.agent, tables.typed) == (
        "tables [/red] with brackets [b] please",
        "claude",
        2,
    )
    assert (old.agent, old.project, old.tokens) == ("", "deploy", None)


def test_what_came_of_them(memex: Memex) -> None:
    fruit = presenter.load_fruit(memex)
    assert fruit.days == {
        "limits": {"2026-11-30": 5},
        "tables": {"2026-11-29": 3},
        "old-port": {"2026-06-02": 1},
    }
    assert [(page.title, page.wrote, page.turns) for page in fruit.pages["limits"]] == [
        ("Rate limits", True, (3, 4)),
        ("the crawler gets 429s again, look at the client", True, ()),
        ("Retry policy", False, (4,)),
    ]
    assert [page.type for page in fruit.pages["tables"]] == ["episode"]


def test_tokens_are_those_that_were_new_to_the_model_and_what_it_said() -> None:
    assert presenter.tokens_of({"input": 30, "cache_creation": 5, "cache_read": 900, "output": 12}) == 47
    assert presenter.tokens_of({"input": 10, "input_total": 90, "cached": 80, "output": 1}) == 11
    assert presenter.tokens_of({"cached": 80}) is presenter.tokens_of({}) is presenter.tokens_of(None) is None


def test_the_command_that_goes_on_is_the_agents_own_in_the_folder_of_the_conversation(memex: Memex) -> None:
    assert presenter.resume_command(memex, "limits") == "cd '/w/infra shop' && codex resume limits"
    assert presenter.resume_command(memex, "tables") == "claude --resume tables"
    assert presenter.resume_command(memex, "old-port") == ""


# -- the filter --------------------------------------------------------------------------------


def test_a_filter_line_is_words_and_operators() -> None:
    assert filtering.read_filter("") == Filter()
    assert filtering.read_filter('agent:claude Retry project:"the shop" since:2w port') == Filter(
        ("retry", "port"), "claude", "the shop", "2w"
    )
    assert filtering.read_filter("since:soon x") == Filter(("x",), wrong="soon")
    assert filtering.read_filter("http://agent:x") == Filter(("http://agent:x",))
    assert filtering.read_filter("agent:") == Filter()
    roles = [(chip.start, chip.end, chip.role) for chip in filtering.chips("a agent:pi since:odd")]
    assert roles == [(2, 8, "operator"), (8, 10, "value"), (11, 17, "wrong"), (17, 20, "wrong")]


@pytest.mark.parametrize(
    ("since", "day"),
    [
        ("7d", "2026-11-23"),
        ("2w", "2026-11-16"),
        ("1mo", "2026-10-30"),
        ("yesterday", "2026-11-29"),
        ("1y", "2025-11-30"),
        ("2026-11-05", "2026-11-05"),
        ("9999y", ""),
        ("soon", ""),
    ],
)
def test_since_a_day_or_so_long_ago(since: str, day: str) -> None:
    assert filtering.first_day(since, TODAY) == day


def test_an_operator_gets_another_value_and_the_rest_of_the_line_stays() -> None:
    assert filtering.with_value("port agent:codex probe", "agent", "pi") == "agent:pi port probe"
    assert filtering.with_value("agent:codex port", "agent", "") == "port"
    assert filtering.with_value("", "project", "the shop") == 'project:"the shop"'
    assert filtering.with_value('project:"the shop" x', "project", "a") == "project:a x"
    assert [filtering.next_value(now, ["a", "b"]) for now in ("", "a", "b", "gone")] == ["a", "b", "", "a"]
    assert filtering.next_value("", []) == ""


def test_the_list_is_narrowed_by_all_that_is_typed() -> None:
    rows = [
        one("a"),
        one("b", agent="claude", title="Port clash"),
        one("c", project="site", started="2026-10-01T00:00:00Z", ended=""),
        one("d", started="2026-10-01T00:00:00Z", ended="2026-11-29T00:00:00Z"),
    ]

    def ids(text: str) -> str:
        return "".join(row.id for row in filtering.narrowed(rows, filtering.read_filter(text), TODAY))

    assert ids("") == "abcd"
    assert ids("agent:cla") == ids("PORT clash") == "b"
    assert ids("project:site") == "c"
    assert ids("since:7d") == "abd"  # it had not ended by then
    assert ids("since:7d agent:codex") == "ad"
    assert ids("port talk") == ""
    assert filtering.values_of(rows, "agent") == ["codex", "claude"]


# -- in words ----------------------------------------------------------------------------------


def test_times_lengths_and_numbers_in_words() -> None:
    stamps = ("2026-11-30T09:14:00Z", "2026-11-29T09:14:00Z", "2026-11-21T09:14:00Z", "2025-11-21T09:14:00Z")
    assert [presenter.when(stamp, TODAY) for stamp in (*stamps, "2026-12-09", "", "odd")] == [
        "today 09:14",
        "yesterday 09:14",
        "21 Nov 09:14",
        "2025-11-21",
        "2026-12-09",
        "no date",
        "odd",
    ]
    begin = "2026-11-30T09:00:00Z"
    ends = ("2026-11-30T09:00:40Z", "2026-11-30T09:59:00Z", "2026-11-30T12:05:00Z", "2026-12-04T09:00:00Z")
    assert [presenter.length(begin, end) for end in ends] == ["40 s", "59 min", "3 h 05", "4 days"]
    assert presenter.length(begin, "2026-11-30T08:00:00Z") == presenter.length("", "") == ""
    assert [presenter.short_number(n) for n in (0, 999, 1_000, 9_949, 12_400, 999_499, 3_400_000)] == [
        "0",
        "999",
        "1.0k",
        "9.9k",
        "12k",
        "999k",
        "3.4M",
    ]
    assert presenter.roles(one(tools=0)) == "2 you · 2 agent"


def test_a_row_says_what_it_was_about_and_what_came_of_it() -> None:
    three = [line_text(line) for line in draw_session(one(tokens=12_400), 60, TODAY, 2, 3)]
    assert three[0] == "a talk" + " " * 43 + "today 09:14"
    assert three[1].startswith("codex · infra ")
    assert three[1].endswith(" 12 min · 12k tokens")
    assert three[2].startswith("5 turns: 2 you · 2 agent · 1 tool ")
    assert three[2].endswith(" ❝ 2 pages")
    two = [line_text(line).rstrip() for line in draw_session(one(agent=""), 60, TODAY, 0, 2)]
    assert two[1] == "infra  5 turns · 12 min"
    bare = draw_session(one("some-id", agent="", project=""), 60, TODAY, 0, 3)
    assert line_text(bare[1]).startswith("some-id ")


def test_a_page_says_whether_it_was_written_there() -> None:
    wrote = Fed("a.md", "A [b]", "episode", True, ())
    cites = Fed("b.md", "B", "entity", False, tuple(range(1, 9)))
    assert line_text(draw_page(wrote, 40, RowState())[0]) == "✎ A [b]" + " " * 26 + "episode"
    assert line_text(draw_page(cites, 40, RowState())[0]).endswith("turns 1, 2, 3, 4, 5, 6 …")


# -- activity ----------------------------------------------------------------------------------


def test_activity_counts_the_sessions_that_are_listed() -> None:
    fruit = Fruit({"a": {"2026-11-30": 4, "2026-11-28": 1, "2026-11-01": 9}, "b": {"2026-11-30": 12}})
    assert presenter.activity(fruit, [one("a"), one("b"), one("c")], TODAY, 4) == [0, 1, 0, 16]
    assert presenter.activity(fruit, [one("a")], TODAY, 4) == [0, 1, 0, 4]
    assert presenter.sparks([0, 1, 4, 16]) == "·▃▅█"
    assert presenter.sparks([0, 0]) == "··"


# -- searching in turns -------------------------------------------------------------------------


def walked(memex: Memex, words: str, start: int) -> Walk:
    looked_for = wanted(words)
    assert looked_for is not None
    return Walk("long", looked_for, start).run(memex)


def test_a_search_goes_round_from_where_it_began(root: Path, memex: Memex) -> None:
    make_long(root, 300)
    walk = walked(memex, "prompt", 120)
    assert walk.found == [1, 51, 101, 151, 201, 251]
    assert (walk.done, walk.words[51]) == (True, "prompt")
    assert [walk.next(120, 0), walk.next(151, 0), walk.next(151), walk.next(251), walk.next(260)] == [
        151,
        151,
        201,
        1,
        1,
    ]
    assert [walk.next(151, -1), walk.next(1, -1), walk.next(60, -1)] == [101, 251, 51]
    assert [walk.place(1), walk.place(251), walk.place(2)] == [1, 6, 0]
    assert walk.around(150, 50) == [101, 151]
    assert walked(memex, "nobody says", 1).next(1) == 0


def test_a_search_that_was_stopped_found_what_it_found(root: Path, memex: Memex) -> None:
    make_long(root, 60)
    looked_for = wanted("prompt")
    assert looked_for is not None
    walk = Walk("long", looked_for, 1)
    walk.stopped.set()
    assert walk.run(memex).found == []
    unfinished = Walk("long", looked_for, 40)
    unfinished.found.append(3)
    assert unfinished.next(40, 0) == 0  # what is further down comes first, and may still be found


# -- deleting and capturing in words ---------------------------------------------------------------


def test_what_deleting_takes(memex: Memex) -> None:
    memex.write("entity", "Kept", "x", sources=["limits#4"])
    delete, purge = deeds.ways(memex.purge(session="limits", dry_run=True))
    assert (delete.id, delete.sure) == ("delete", "")
    assert delete.help == "Takes 5 turns and 1 episode page. A capture may bring it again."
    assert purge.help == "Takes 5 turns, 1 page and 1 line of the journal. It is never captured again."
    assert purge.sure
    stay = ("entities/kept.md", "entities/rate-limits.md", "procedures/retry-policy.md")
    assert (delete.goes, delete.stays) == (purge.goes, purge.stays) == (("episodes/limits.md",), stay)
    made = {"turns": 1, "episodes": [], "pages": ["a.md"], "citing": ["b.md"], "journal_lines": 2}
    delete, purge = deeds.ways(made)
    assert (delete.help, delete.goes, delete.stays) == (
        "Takes 1 turn and 0 episode pages. A capture may bring it again.",
        (),
        ("a.md", "b.md"),
    )
    assert (purge.goes, purge.stays) == (("a.md",), ("b.md",))
    (clear,) = deeds.clearing(3)
    assert clear.title == "Delete 3 conversations"
    assert clear.sure


def test_what_a_capture_did() -> None:
    same = {
        "session_id": "a",
        "agent": "pi",
        "path": "a",
        "title": "A",
        "turns": 3,
        "new_turns": 0,
        "skipped": 0,
    }
    grown = {**same, "agent": "codex", "title": "B", "new_turns": 12}
    report: CaptureReport = {
        "sessions": [same, grown],
        "left_out": [{"path": "/x.jsonl", "reason": "nothing was said in it yet"}],
        "warnings": [
            {"file": "/y.jsonl", "line": 7, "message": "no JSON"},
            {"file": "", "line": 0, "message": "one secret was taken out"},
        ],
        "dry_run": False,
    }
    assert deeds.told(report) == "12 new turns from 1 session · 1 as before · 1 left out · 2 warnings"
    assert deeds.told_lines(report) == [
        ("+", "B", "codex · 12 new turns"),
        ("-", "/x.jsonl", "nothing was said in it yet"),
        ("!", "/y.jsonl:7", "no JSON"),
        ("!", "capture", "one secret was taken out"),
    ]
    assert deeds.told({**report, "sessions": [], "left_out": [], "warnings": []}) == "nothing new"
