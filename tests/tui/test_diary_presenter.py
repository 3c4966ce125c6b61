"""The weeks of a month, the name of a day, and a day as Markdown."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from memex_tui.render.markdown.document import Document
from memex_tui.render.markdown.literal import literal, spoken
from memex_tui.screens.diary import presenter

TODAY = date(2026, 11, 30)


def entry(day: str, at: str, text: str) -> dict[str, Any]:
    return {"date": day, "time": at, "text": text}


def test_the_weeks_of_a_month_begin_on_monday_and_are_whole() -> None:
    november = presenter.weeks(TODAY)
    assert [week[0].day for week in november] == [26, 2, 9, 16, 23, 30]
    assert all(len(week) == 7 and week[0].weekday() == 0 for week in november)
    assert len(presenter.weeks(date(2027, 2, 14))) == 4  # February that begins on a Monday
    assert presenter.weeks(date(2026, 12, 5))[-1][-1] == date(2027, 1, 3)


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("2026-11-30", "today"),
        ("2026-11-29", "yesterday"),
        ("2026-12-01", "tomorrow"),
        ("2026-11-27", "3 days ago"),
        ("2026-12-05", "in 5 days"),
        ("2026-10-30", "1 month ago"),
        ("2025-11-30", "1 year ago"),
        ("2020-01-01", "6 years ago"),
        ("2025-10-01", "13 months ago"),
    ],
)
def test_how_far_a_day_is(day: str, said: str) -> None:
    assert presenter.title_of(date.fromisoformat(day), TODAY).endswith(f" · {said}")


def test_a_day_is_its_entries_then_what_else_there_is_then_the_past() -> None:
    of_day = {
        "date": "2026-11-30",
        "entries": [entry("2026-11-30", "08:15", "See [[Rate limits]].")],
        "pages": [
            {"path": "a/b.md", "title": "Odd ]] | [title]", "type": "fact", "what": "changed"},
            {"path": "e.md", "title": "E", "type": "episode", "what": "happened"},
        ],
        "sessions": [{"session": "s-1", "title": "Which [one]?", "agent": "claude", "turns": 2}],
    }
    earlier = [
        entry("2026-10-30", "07:00", "Then."),
        entry("2026-10-30", "09:00", "And."),
        entry("2025-11-30", "1:00", "Far."),
    ]
    shown = presenter.shown(of_day, earlier, TODAY)
    assert shown.text.split("\n\n") == [
        "## 08:15",
        "See [[Rate limits]].",
        "## Pages",
        r"- [Odd \]\] \| \[title\]](<a/b.md>) · fact, changed",
        "## Conversations",
        r"- [Which \[one\]\?](memex:s-1) · 2 turns, claude",
        "## On this day",
        "### 30 October 2026 · 1 month ago",
        "**07:00** Then.",
        "**09:00** And.",
        "### 30 November 2025 · 1 year ago",
        "**1:00** Far.\n",
    ]
    assert shown.facts == ("1 entry", "1 page", "1 conversation")


def test_a_day_without_anything_says_so() -> None:
    def text(day: str) -> str:
        return presenter.shown({"date": day, "entries": [], "pages": [], "sessions": []}, [], TODAY).text

    assert "Press i" in text("2026-11-30")
    assert text("2026-11-01") == "*Nothing was noted on this day.*\n"
    assert text("2026-12-01") == "*This day is still to come.*\n"


def test_what_stands_beside_a_day_of_the_calendar() -> None:
    assert presenter.sign(None) == " "
    assert presenter.sign({"entries": 2, "pages": 0, "sessions": 0}) == "•"
    assert presenter.sign({"entries": 0, "pages": 1, "sessions": 0}) == "·"


@pytest.mark.parametrize(
    "title", ["[red]Odd[/red] `x` [[y]] | #1", r"a \\ *b* _c_ <d> &amp; ~~e~~", "日本 $x$ ==y=="]
)
def test_titles_are_shown_as_they_are(title: str) -> None:
    page = {"path": "a b.md", "title": title, "type": "fact", "what": "written"}
    day = {"date": "2026-11-30", "entries": [], "pages": [page], "sessions": []}
    document = Document(presenter.shown(day, [], TODAY).text, 120)
    rows = [row for y in range(document.height) if (row := document.row(y)) is not None]
    shown = ["".join(text for text, _ in row.runs) for row in rows]
    assert f"• {title} · fact, written" in shown
    assert [span.link.target for _, span in document.links(0, document.height)] == ["a b.md"]
    assert spoken(literal(title)) == title


@pytest.mark.parametrize("name", ["daily_life", "_daily_life_", "*a* [b] `c` <d> #e", "__init__"])
def test_names_are_shown_letter_for_letter(name: str) -> None:
    page = {"title": name, "path": "a.md", "type": name, "what": "written"}
    session = {"title": name, "session": "s1", "turns": 2, "agent": name}
    day = {"date": "2026-11-30", "entries": [], "pages": [page], "sessions": [session]}
    document = Document(presenter.shown(day, [], TODAY).text, 120)
    rows = [row for y in range(document.height) if (row := document.row(y)) is not None]
    shown = ["".join(text for text, _ in row.runs) for row in rows]
    assert f"• {name} · {name}, written" in shown
    assert f"• {name} · 2 turns, {name}" in shown
