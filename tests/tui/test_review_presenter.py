"""The Review area's queue without a terminal: groups, counts, words, and what the core tells of an item."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core.memex import Memex
from memex_core.model.errors import Conflict, NotFound
from memex_tui.render.line import line_text
from memex_tui.screens.review import judging, presenter
from memex_tui.screens.review.presenter import Item, Queue, item_of, rows
from memex_tui.screens.review.widgets import draw_proof, draw_row
from tests.tui.review_store import CODEX, OWNER, RATES, make_store


def item(id: str, kind: str = "draft", **more: Any) -> Item:
    path = f"entities/{id}.md"
    return item_of({"id": id, "kind": kind, "slug": id, "path": path, "title": id.title(), **more})


QUEUE = Queue(
    (
        item("one", by="codex", session_id="talk"),
        item("two", "change", by="claude", session_id="talk", target="page"),
        item("three", "dispute", by="codex"),
        item("four", by="codex", session_id="talk", deferred=True),
    ),
    4,
    {"talk": "limits and retry"},
)


def listed(kind: str = "", grouping: str = "", gone: tuple[str, ...] = ()) -> list[str]:
    return [
        row.item.id if row.item else f"[{row.name}: {row.about}]" for row in rows(QUEUE, kind, grouping, gone)
    ]


def test_items_stand_in_their_groups_and_what_is_put_off_at_the_end() -> None:
    late = ["[put off: 1 new]", "four"]
    assert listed() == ["one", "two", "three", *late]
    assert listed(grouping="session") == [
        "[limits and retry: 1 new · 1 change]",
        "one",
        "two",
        "[outside a conversation: 1 dispute]",
        "three",
        *late,
    ]
    assert listed(grouping="agent") == [
        "[codex: 1 new · 1 dispute]",
        "one",
        "three",
        "[claude: 1 change]",
        "two",
        *late,
    ]
    assert listed(grouping="page")[2:4] == ["[Two: 1 change]", "two"]


def test_a_filter_and_what_was_decided_leave_items_out() -> None:
    assert listed("change", "agent") == ["[claude: 1 change]", "two"]
    assert listed(gone=("one", "four")) == ["two", "three"]
    assert listed("conflict") == []


def test_the_filter_goes_round_the_kinds_that_wait() -> None:
    seen, kind = [], ""
    for _ in range(4):
        kind = presenter.next_kind(kind, QUEUE.items)
        seen.append(kind)
    assert seen == ["draft", "change", "dispute", ""]
    assert presenter.next_kind("conflict", QUEUE.items) == ""


def test_after_a_decision_comes_the_next_item_then_the_one_before() -> None:
    found = rows(QUEUE, "", "agent")
    assert presenter.around(found, {"three"}) == ["two", "four", "one"]
    assert presenter.around(found, {"four"}) == ["two", "three", "one"]
    assert presenter.around(found, {"one", "two"}) == ["four", "three"]
    assert presenter.around(found, {"nothing"}) == ["one", "three", "two", "four"]


def test_what_the_core_tells_is_read_and_what_is_odd_in_it_does_no_harm() -> None:
    found = item_of(
        {
            "id": "change:a.md",
            "kind": "change",
            "keys": [
                {"key": "tags", "before": ["a"], "after": ["a", "b"]},
                {"key": "links", "before": None, "after": [{"target": "x", "rel": "supports"}]},
                {"key": "valid_until", "before": "2027-01-01", "after": None},
            ],
            "evidence": [
                {
                    "resource": "memex:s#1",
                    "session": "s",
                    "turn": 1,
                    "found": True,
                    "disputed": {"by": "ben"},
                },
                {"resource": "https://example.org", "turn": "x", "found": "?"},
            ],
            "checks": [
                {"name": "links", "ok": False, "detail": "no page x"},
                {"name": "secrets", "ok": False},
                {"name": "size", "ok": True},
            ],
        }
    )
    assert [tuple(key) for key in found.keys] == [
        ("tags", "a", "a, b"),
        ("links", "", "x"),
        ("valid_until", "2027-01-01", ""),
    ]
    assert [one.state for one in found.checks] == ["warn", "fail", "ok"]
    assert [(one.turn, one.found, one.doubt) for one in found.evidence] == [(1, True, "ben"), (0, None, "")]
    assert found.sessions == ["s"]
    assert item_of({}).title == ""


def test_a_dispute_of_one_page_changes_nothing_and_of_two_shows_both() -> None:
    assert presenter.change_of(item("x", "dispute", after="Text.\n")).hunks == []
    against = item("x", "dispute", before="No.\n", after="Yes.\n", target_path="y.md")
    assert len(presenter.change_of(against).hunks) == 1
    assert not against.partly
    assert not item("x", "change", forget="archive").partly
    assert item("x", "change").partly


def test_rows_fit_and_say_what_they_are() -> None:
    for row in rows(QUEUE, "", "session"):
        for cells in (24, 60):
            lines = [line_text(line) for line in draw_row(row, cells, "2026-11-30")]
            assert len(lines) == 2
            assert all(len(line) <= cells for line in lines)
    assert (
        line_text(draw_row(rows(QUEUE, "", "")[1], 30, "2026-11-30")[0]) == "~ Two                   change"
    )


def test_a_proof_says_in_words_whether_it_was_found() -> None:
    def said(**more: Any) -> str:
        turn = {"session": "s", "turn": 3, "resource": "memex:s#3", "quote": "words [b]", "lane": "evidence"}
        one = item_of({"evidence": [{**turn, **more}]}).evidence[0]
        lines = [line_text(line) for line in draw_proof(one, 60, {"s": "a talk"})]
        assert lines[1] == "▐ words [b]"
        return lines[0]

    assert said(found=True, role="user", ts="2026-11-21T09:16:00Z").startswith(
        "you a talk · turn 3 · 2026-11-21 09:16"
    )
    assert said(found=True).endswith("✓ found")
    assert said(found=False).endswith("✗ not found")
    assert said(found=None).endswith("not looked up")
    assert said(found=True, lane="context").endswith("context")
    assert said(found=True, disputed={"by": "ben"}).endswith("! disputed")


# -- over a real memory ----------------------------------------------------------------------------


@pytest.fixture
def memory(root: Path) -> Path:
    return make_store(root)


def of(memex: Memex, kind: str) -> Item:
    return next(one for one in presenter.load(memex).items if one.kind == kind)


def test_the_queue_is_told_in_short_and_an_item_in_full(memory: Path) -> None:
    with Memex(memory, actor=OWNER) as memex:
        queue = presenter.load(memex)
        assert sorted(one.kind for one in queue.items) == ["change", "conflict", "dispute", "draft", "draft"]
        assert queue.titles == {"limits": "limits and retry"}
        short = of(memex, "change")
        assert (short.evidence, short.checks, short.after) == ((), (), "")
        read = presenter.read(memex, short)
        assert (read.before, read.why) == (RATES, "would change summaries/rate-limits.md")
        full = presenter.look(memex, short)
        assert [(one.session, one.turn, one.found) for one in full.evidence] == [("limits", 4, True)]
        assert all(one.state == "ok" for one in full.checks)
        assert full._replace(evidence=(), checks=()) == read
        assert read._replace(before="", after="", why="", keys=()) == short
        memex.reject(short.path)
        with pytest.raises(NotFound):
            presenter.look(memex, short)


def test_nothing_is_decided_about_what_was_not_read(memory: Path) -> None:
    with Memex(memory, actor=OWNER) as memex:
        change, draft = of(memex, "change"), of(memex, "draft")
        memex.edit("rate-limits", append="More.\n")
        memex.edit(draft.path, append="More.\n")
        for one in (change, draft):
            for act in (
                lambda one=one: judging.accept(memex, [one]),
                lambda one=one: judging.accept(memex, [one], "text"),
                lambda one=one: judging.reject(memex, [one], ""),
                lambda one=one: judging.revise(memex, one, "text"),
            ):
                with pytest.raises(Conflict):
                    act()
        assert memex.show("rate-limits")["body"] == f"{RATES}More.\n"
        with pytest.raises(NotFound, match="does not wait any more"):
            judging.accept(memex, [draft._replace(path="entities/gone.md")])


def test_putting_off_twice_is_not_putting_off(memory: Path) -> None:
    with Memex(memory, actor=OWNER) as memex:
        judging.defer(memex, of(memex, "change"))
        late = of(memex, "change")
        assert late.deferred
        judging.defer(memex, late)
        again = of(memex, "change")
        assert not again.deferred
        assert again.by == CODEX
