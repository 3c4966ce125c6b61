"""The Review area as a person uses it, over a real memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memex_core.memex import Memex
from memex_tui.app import MemexApp
from memex_tui.messages import Go, PagesChanged, Place
from memex_tui.screens.review.dialogs import DoubtCard, GroupCard, ReasonCard
from memex_tui.screens.review.presenter import Item
from memex_tui.screens.review.screen import ReviewScreen
from tests.tui.frames import NARROW, WIDE, press, running, settle, text_frame, until
from tests.tui.review_store import BETTER, CLAUDE, CODEX, OWNER, RATES, make_many, make_store

CHANGE = "change:summaries/rate-limits-proposed.md"
CONFLICT = "conflict:entities/health-probe-proposed.md"
DRAFT = "draft:entities/batch-jobs.md"
BARE = "draft:preferences/tables-red-for-anna-b.md"
DISPUTE = "dispute:procedures/retry-policy.md"
ALL = {CHANGE, CONFLICT, DRAFT, BARE, DISPUTE}


@pytest.fixture
def waiting(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_ACTOR", OWNER)
    return make_store(root)


def opened(root: Path, **options: Any) -> MemexApp:
    """The app in Review; :func:`told` says what its toasts said, those that are gone too."""
    app = MemexApp(str(root), area="review", **{"keep_state": False, "watch": False, **options})
    said: list[tuple[str, str]] = []
    show: Any = app.notify

    def notify(message: str, *, severity: str = "information", **more: Any) -> None:
        said.append((str(message), severity))
        show(message, severity=severity, **more)

    app.notify = notify  # type: ignore[method-assign,assignment]
    app.said = said  # type: ignore[attr-defined]
    return app


def area(app: Any) -> ReviewScreen:
    screen = app.current_area
    assert isinstance(screen, ReviewScreen)
    return screen


def ids(screen: ReviewScreen) -> list[str]:
    return [row.item.id for row in screen._rows if row.item is not None]


def told(app: Any) -> list[str]:
    return [message for message, _ in app.said]


def failures(app: Any) -> list[str]:
    return [message for message, severity in app.said if severity == "error"]


def body(root: Path, name: str) -> str:
    with Memex(root) as memex:
        return memex.show(name)["body"]


def status(root: Path, name: str) -> str:
    with Memex(root) as memex:
        return memex.show(name)["status"]


async def ready(pilot: Pilot[Any], count: int = 5) -> ReviewScreen:
    """The queue is there, and what is known of the item under the cursor."""
    screen = area(pilot.app)
    await until(pilot, lambda: len(ids(screen)) == count and not screen._gone)
    await until(pilot, lambda: screen.item is None or screen._seen is not None)
    return screen


async def on(pilot: Pilot[Any], id: str) -> ReviewScreen:
    """The cursor on an item, whose evidence and checks are there."""
    screen = area(pilot.app)
    await until(pilot, lambda: id in ids(screen))
    assert screen.queue.move_to_key(id)
    await until(pilot, lambda: screen._seen is not None and screen._seen.id == id)
    await settle(pilot)
    return screen


async def after(pilot: Pilot[Any], count: int) -> ReviewScreen:
    """So many items wait, and everything is read again."""
    await settle(pilot)
    return await ready(pilot, count)


def here(screen: ReviewScreen) -> Item:
    assert screen.item is not None
    return screen.item


# -- the queue ---------------------------------------------------------------------------------


async def test_all_that_waits_is_there_with_evidence_and_checks(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        assert set(ids(screen)) == ALL
        await on(pilot, CHANGE)
        text = text_frame(app)
        assert "- Each key has a bucket of 30 requests." in text
        assert "+ Each key has a bucket of 40 requests." in text
        assert "▐ raise the limit to 40 rps." in text
        assert "limits and retry · turn 4 · 2026-11-21 09:16" in text
        assert "✓ found" in text
        assert "✓ evidence" in text
        await on(pilot, BARE)
        text = text_frame(app)
        assert "! warn evidence: no source proves it" in text
        assert "+ Numbers go into [tables]." in text
        assert "Tables [/red] for Anna [b]" in text
        assert app.counters.pending == 5
        assert not told(app)


async def test_nothing_waits(root: Path) -> None:
    with Memex(root, create=True, actor=OWNER) as memex:
        memex.write("entity", "Rate limits", "One.")
    app = opened(root)
    async with running(app, WIDE) as pilot:
        await until(pilot, lambda: area(app)._loaded)
        await settle(pilot)
        assert "What an agent writes is a draft until somebody looked" in text_frame(app)
        await press(pilot, ["a", "r", "x", "A", "n", "f", "v", "t", "escape"])
        assert not told(app)


async def test_no_memory_at_all(root: Path) -> None:
    app = opened(root)
    async with running(app, NARROW) as pilot:
        await until(pilot, lambda: area(app)._loaded)
        await settle(pilot)
        assert "Nothing waits for you." in text_frame(app)
        assert not told(app)


async def test_filter_by_kind_and_group_by_key(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["f"])
        assert set(ids(screen)) == {DRAFT, BARE}
        await press(pilot, ["f", "f", "f"])
        assert ids(screen) == [DISPUTE]
        await press(pilot, ["f"])
        assert set(ids(screen)) == ALL
        heads = lambda: [row.name for row in screen._rows if row.item is None]  # noqa: E731
        assert heads() == ["limits and retry", "outside a conversation"]
        await press(pilot, ["v", "v"])
        assert set(heads()) == {CODEX, CLAUDE, OWNER}
        await press(pilot, ["v"])
        assert heads() == []


async def test_a_click_on_a_count_shows_that_kind(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        line = text_frame(app).splitlines()[2]
        await pilot.click("#kinds", offset=(line.index("1 change"), 0))
        await settle(pilot)
        assert ids(screen) == [CHANGE]
        await pilot.click("#kinds", offset=(2, 0))
        await settle(pilot)
        assert set(ids(screen)) == ALL


async def test_next_and_previous_pass_over_the_heads(waiting: Path) -> None:
    async with running(opened(waiting), WIDE) as pilot:
        screen = await ready(pilot)
        order = ids(screen)
        assert here(screen).id == order[0]
        seen = [order[0]]
        for _ in range(4):
            await press(pilot, ["n"])
            seen.append(here(screen).id)
        assert seen == order
        await press(pilot, ["n", "p"])
        assert here(screen).id == order[3]


# -- accepting -----------------------------------------------------------------------------------


async def test_accepting_a_change_changes_the_page_and_undo_takes_it_back(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        order = ids(screen)
        following = order[order.index(CHANGE) + 1]
        await press(pilot, ["a"])
        await after(pilot, 4)
        assert here(screen).id == following
        assert body(waiting, "rate-limits") == BETTER
        assert not (waiting / "docs/summaries/rate-limits-proposed.md").exists()
        assert told(app) == ["Accepted “Rate limits”\nu takes it back"]
        await until(pilot, lambda: app.counters.pending == 4)
        await press(pilot, ["u"])
        await after(pilot, 5)
        assert here(screen).id == CHANGE
        assert body(waiting, "rate-limits") == RATES
        assert (waiting / "docs/summaries/rate-limits-proposed.md").exists()


async def test_decisions_follow_each_other_without_waiting(waiting: Path) -> None:
    """Three keys at once: each decides another item, none twice."""
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["f"])
        assert set(ids(screen)) == {DRAFT, BARE}
        screen.run_command("review.accept")
        screen.run_command("review.accept")
        screen.run_command("review.kind")
        await after(pilot, 3)
        assert status(waiting, "batch-jobs") == "stable"
        assert status(waiting, "Tables [/red] for Anna [b]") == "stable"
        assert not failures(app)


async def test_only_the_hunks_that_are_taken(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        await press(pilot, ["enter", "N", "x"])
        assert [hunk.side for hunk in screen.change.hunks] == ["new", "old"]
        assert "○ left out" in text_frame(app)
        await press(pilot, ["a"])
        await after(pilot, 4)
        assert body(waiting, "rate-limits") == RATES.replace("30 requests", "40 requests")
        assert told(app)[0].startswith("Accepted 1 of 2 hunks of “Rate limits”")


async def test_a_new_page_can_be_accepted_in_part(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, DRAFT)
        await press(pilot, ["enter", "s", "N", "x", "a"])
        await after(pilot, 4)
        assert body(waiting, "batch-jobs").strip() == "They wait."
        assert status(waiting, "batch-jobs") == "stable"
        assert here(screen).id != DRAFT


async def test_nothing_taken_is_not_accepted(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        await press(pilot, ["*", "a"])
        assert told(app) == ["Every hunk is left out\nr rejects it all, * takes all hunks again"]
        assert here(screen).id == CHANGE
        await press(pilot, ["X"])
        assert [hunk.side for hunk in screen.change.hunks] == ["new", "old"]
        await press(pilot, ["*"])
        assert screen.change.whole


async def test_enter_on_a_hunk_takes_or_leaves_it(waiting: Path) -> None:
    async with running(opened(waiting), WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        await press(pilot, ["enter", "enter"])
        assert screen.change.hunks[0].side == "old"
        await press(pilot, ["enter", "escape"])
        assert screen.change.whole
        assert screen.focused is screen.queue


# -- rejecting and putting off -------------------------------------------------------------------


async def test_rejecting_asks_for_a_reason(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await on(pilot, BARE)
        await press(pilot, ["r"])
        await until(pilot, lambda: isinstance(app.screen, ReasonCard))
        await press(pilot, [*"no", "enter"])
        await after(pilot, 4)
        assert not (waiting / "docs/preferences/tables-red-for-anna-b.md").exists()
        with Memex(waiting) as memex:
            events = [one for one in memex.store.journal.read() if one["detail"].get("rejected")]
        assert [one["detail"]["why"] for one in events] == ["no"]
        await press(pilot, ["u"])
        await after(pilot, 5)
        assert (waiting / "docs/preferences/tables-red-for-anna-b.md").exists()


async def test_rejecting_can_be_thought_better_of(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, BARE)
        await press(pilot, ["r"])
        await until(pilot, lambda: isinstance(app.screen, ReasonCard))
        await press(pilot, ["escape"])
        await until(pilot, lambda: app.screen is screen)
        assert set(ids(screen)) == ALL


async def test_what_is_put_off_waits_at_the_end(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        await press(pilot, ["d"])
        await until(pilot, lambda: any(one.deferred for one in screen._queue.items))
        await after(pilot, 5)
        assert ids(screen)[-1] == CHANGE
        assert here(screen).id != CHANGE
        assert "put off" in text_frame(app)
        await on(pilot, CHANGE)
        await press(pilot, ["d"])
        await until(pilot, lambda: not any(one.deferred for one in screen._queue.items))
        await after(pilot, 5)
        assert ids(screen)[-1] != CHANGE
        assert "put off" not in text_frame(app)


# -- conflicts and disputes ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("a", "The probe answers on port 9090.\n"),
        ("r", "The probe answers on port 8081.\n"),
        ("m", "The probe answers on port 8081.\nThe probe answers on port 9090.\n"),
    ],
    ids=["theirs", "mine", "both"],
)
async def test_a_conflict_has_three_ways_out(waiting: Path, key: str, text: str) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await on(pilot, CONFLICT)
        assert "take theirs" in text_frame(app)
        await press(pilot, [key])
        await after(pilot, 4)
        assert body(waiting, "health-probe") == text
        assert not (waiting / "docs/entities/health-probe-proposed.md").exists()
        await press(pilot, ["u"])
        await after(pilot, 5)
        assert body(waiting, "health-probe") == "The probe answers on port 8081.\n"


@pytest.mark.parametrize("act", ["both", "theirs"])
async def test_a_key_pressed_twice_decides_nothing_that_is_no_conflict(waiting: Path, act: str) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        await on(pilot, DRAFT)
        assert screen.queue.move_to_key(CONFLICT)
        await until(pilot, lambda: screen.item is not None and screen.item.id == CONFLICT)
        screen._read = None  # it is not read yet
        decide = getattr(screen, f"do_review_{act}")
        decide()
        decide()
        screen._show_item()
        await after(pilot, 4)
        assert [one.partition("\n")[0] for one in told(app)] == [
            {"both": "Kept both texts of “Health probe”", "theirs": "Took their text of “Health probe”"}[act]
        ]
        assert set(ids(screen)) == ALL - {CONFLICT}


async def test_a_hunk_of_a_conflict_has_a_third_choice(waiting: Path) -> None:
    async with running(opened(waiting), WIDE) as pilot:
        screen = await on(pilot, CONFLICT)
        sides = []
        for _ in range(3):
            await press(pilot, ["x"])
            sides.append(screen.change.hunks[0].side)
        assert sides == ["old", "both", "new"]


async def test_a_doubt_is_dismissed(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await on(pilot, DISPUTE)
        text = text_frame(app)
        assert "source s1 is disputed by human:ada" in text
        assert "! disputed" in text
        await press(pilot, ["a"])
        await after(pilot, 4)
        assert status(waiting, "retry-policy") == "stable"
        assert "disputed" not in (waiting / "docs/procedures/retry-policy.md").read_text(encoding="utf-8")


async def test_a_doubt_is_right(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await on(pilot, DISPUTE)
        await press(pilot, ["r"])
        await until(pilot, lambda: isinstance(app.screen, DoubtCard))
        await press(pilot, [*"yes", "enter"])
        await after(pilot, 4)
        assert status(waiting, "retry-policy") == "deprecated"
        await press(pilot, ["u"])
        await after(pilot, 5)
        assert status(waiting, "retry-policy") == "stable"


async def test_a_page_that_shall_be_forgotten_is_decided_as_a_whole(waiting: Path) -> None:
    with Memex(waiting, actor=CODEX) as memex:
        memex.forget("retry-policy")
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await ready(pilot, 6)
        id = "change:procedures/retry-policy-proposed.md"
        screen = await on(pilot, id)
        assert "would forget procedures/retry-policy.md" in text_frame(app)
        assert "- Retry-after first.[^s1]" in text_frame(app)
        await press(pilot, ["enter", "enter", "x"])
        assert screen.change.whole
        await press(pilot, ["a"])
        await until(pilot, lambda: id not in ids(screen) and not screen._gone)
        assert not failures(app)
        page = waiting / "docs/procedures/retry-policy.md"
        assert not page.exists()
        await press(pilot, ["u"])
        await until(pilot, lambda: id in ids(screen))
        assert page.exists()


# -- groups --------------------------------------------------------------------------------------


async def test_a_group_is_accepted_after_asking_and_undone_at_once(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["f"])
        await on(pilot, DRAFT)
        await press(pilot, ["v", "v", "v", "A"])
        await until(pilot, lambda: isinstance(app.screen, GroupCard))
        assert "accept 2 items" in text_frame(app)
        assert "Tables [/red] for Anna [b]" in text_frame(app)
        await press(pilot, ["enter"])
        await after(pilot, 3)
        assert screen._kind == ""
        assert status(waiting, "batch-jobs") == "stable"
        await press(pilot, ["u"])
        await after(pilot, 5)
        assert status(waiting, "batch-jobs") == "draft"
        assert status(waiting, "Tables [/red] for Anna [b]") == "draft"


async def test_conflicts_and_disputes_of_a_group_are_decided_alone(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await on(pilot, CONFLICT)
        await press(pilot, ["v", "v", "v", "A"])
        await until(pilot, lambda: isinstance(app.screen, GroupCard))
        await press(pilot, ["A"])
        screen = await after(pilot, 2)
        assert set(ids(screen)) == {CONFLICT, DISPUTE}
        await press(pilot, ["A"])
        assert told(app)[-1] == "What is in this group is decided one by one"
        assert set(ids(screen)) == {CONFLICT, DISPUTE}


async def test_a_group_is_rejected_with_one_reason(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await ready(pilot)
        await press(pilot, ["f"])
        await on(pilot, DRAFT)
        await press(pilot, ["v", "v", "v", "R"])
        await until(pilot, lambda: isinstance(app.screen, ReasonCard))
        await press(pilot, [*"both", "enter"])
        await after(pilot, 3)
        assert not (waiting / "docs/entities/batch-jobs.md").exists()
        assert not (waiting / "docs/preferences/tables-red-for-anna-b.md").exists()


# -- what is marked ------------------------------------------------------------------------------


async def test_marked_items_are_accepted_after_asking_and_the_others_stay(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await on(pilot, DRAFT)
        await press(pilot, ["V"])
        await on(pilot, CONFLICT)
        await press(pilot, ["V"])
        await on(pilot, BARE)
        await press(pilot, ["V"])
        screen = area(app)
        assert {one.id for one in screen.marked} == {DRAFT, CONFLICT, BARE}
        text = text_frame(app)
        assert "3 marked" in text
        assert "a accept marked" in text
        await press(pilot, ["escape"])
        assert not screen.marked
        for one in (DRAFT, CONFLICT, BARE):
            await on(pilot, one)
            await press(pilot, ["V"])
        await press(pilot, ["a"])
        await until(pilot, lambda: isinstance(app.screen, GroupCard))
        assert "accept 2 of 3, the others are decided one by one" in text_frame(app)
        await press(pilot, ["enter"])
        await after(pilot, 3)
        assert set(ids(screen)) == {CHANGE, CONFLICT, DISPUTE}
        assert [one.id for one in screen.marked] == [CONFLICT]
        assert status(waiting, "batch-jobs") == "stable"
        await press(pilot, ["u"])
        await after(pilot, 5)
        assert status(waiting, "batch-jobs") == "draft"
        assert status(waiting, "Tables [/red] for Anna [b]") == "draft"


async def test_marked_items_are_rejected_with_one_reason(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        for one in (DRAFT, DISPUTE, BARE):
            await on(pilot, one)
            await press(pilot, ["V"])
        await press(pilot, ["r"])
        await until(pilot, lambda: isinstance(app.screen, ReasonCard))
        await press(pilot, [*"both", "enter"])
        screen = await after(pilot, 3)
        assert set(ids(screen)) == {CHANGE, CONFLICT, DISPUTE}
        assert not (waiting / "docs/entities/batch-jobs.md").exists()


async def test_marked_items_are_put_off_as_one_act(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        for one in (DRAFT, CHANGE):
            await on(pilot, one)
            await press(pilot, ["V"])
        await press(pilot, ["d"])
        await until(pilot, lambda: told(app)[-1:] == ["Put off 2 items\nu takes it back"])
        screen = await after(pilot, 5)
        assert {one.id for one in screen._queue.items if one.deferred} == {DRAFT, CHANGE}
        assert not screen.marked
        await press(pilot, ["u"])
        await until(pilot, lambda: not any(one.deferred for one in screen._queue.items))


async def test_the_head_of_a_group_marks_all_of_it_and_a_filter_hides_marks_from_a_verdict(
    waiting: Path,
) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["v", "v", "v"])  # one after the other
        screen.queue.toggle_marks(list(ALL))
        await press(pilot, ["f"])  # new pages only
        assert {one.id for one in screen.marked} == {DRAFT, BARE}
        await press(pilot, ["f", "f", "f", "f", "v"])  # all again, by conversation
        assert {one.id for one in screen.marked} == ALL
        await press(pilot, ["escape"])
        head = next(at for at, row in enumerate(screen._rows) if len(row.members) > 1)
        members = {one.id for one in screen._rows[head].members}
        screen.queue.move_to(head)
        await press(pilot, ["V"])
        assert {one.id for one in screen.marked} == members
        screen.queue.move_to(head)
        await press(pilot, ["V"])
        assert not screen.marked


# -- what changes meanwhile ------------------------------------------------------------------------


async def test_a_page_that_changed_since_is_not_decided(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        page = waiting / "docs/summaries/rate-limits.md"
        page.write_text(page.read_text(encoding="utf-8").replace("probe", "PROBE"), encoding="utf-8")
        await press(pilot, ["a"])
        await until(pilot, lambda: bool(told(app)))
        assert told(app) == [
            "The other page of “Rate limits” changed since you read it\nnothing was decided; look at it again"
        ]
        await until(pilot, lambda: any(one.startswith("conflict:summaries") for one in ids(screen)))
        assert "PROBE" in body(waiting, "rate-limits")
        assert (waiting / "docs/summaries/rate-limits-proposed.md").exists()


async def test_a_draft_that_changed_since_is_not_decided(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, DRAFT)
        page = waiting / "docs/entities/batch-jobs.md"
        page.write_text(page.read_text(encoding="utf-8") + "One more line.\n", encoding="utf-8")
        await press(pilot, ["a"])
        await until(pilot, lambda: bool(told(app)))
        assert told(app)[0].startswith("“Batch jobs” changed since you read it")
        await until(pilot, lambda: "One more line." in here(screen).after and not screen._gone)
        assert here(screen).id == DRAFT
        assert status(waiting, "batch-jobs") == "draft"


async def test_what_an_agent_writes_appears_and_the_cursor_stays(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        with Memex(waiting, actor=CODEX) as memex:
            memex.write("entity", "Another one", "Just now.")
        app.post_message(PagesChanged(added=("entities/another-one.md",)))
        await after(pilot, 6)
        assert here(screen).id == CHANGE
        assert "draft:entities/another-one.md" in ids(screen)
        await until(pilot, lambda: app.counters.pending == 6)


async def test_what_is_decided_elsewhere_goes_and_the_next_is_under_the_cursor(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        order = ids(screen)
        with Memex(waiting, actor=OWNER) as memex:
            memex.reject("summaries/rate-limits-proposed.md", why="no")
        app.post_message(PagesChanged(removed=("summaries/rate-limits-proposed.md",)))
        await after(pilot, 4)
        assert here(screen).id == order[order.index(CHANGE) + 1]


async def test_hunks_that_were_left_out_stay_so_when_another_page_changes(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        await press(pilot, ["x", "n", "p"])
        app.post_message(PagesChanged(changed=("entities/health-probe.md",)))
        await after(pilot, 5)
        assert [hunk.side for hunk in screen.change.hunks] == ["old", "new"]


# -- elsewhere ---------------------------------------------------------------------------------


def listen(app: MemexApp) -> list[Place]:
    heard: list[Place] = []

    async def go(place: Place, *, remember: bool = True) -> None:
        heard.append(place)

    app.go = go  # type: ignore[method-assign]
    return heard


async def test_one_key_goes_to_the_turn_and_another_replays_it(waiting: Path) -> None:
    app = opened(waiting)
    heard = listen(app)
    async with running(app, WIDE) as pilot:
        await on(pilot, CHANGE)
        await press(pilot, ["t", "T", "o"])
        sources, sessions, page = heard
        assert (sources.area, sources.path) == ("sources", "summaries/rate-limits-proposed.md")
        assert sources.turn == 4
        assert (sessions.area, sessions.session, sessions.turn) == ("sessions", "limits", 4)
        assert (page.area, page.path) == ("page", "summaries/rate-limits.md")
        await on(pilot, BARE)
        await press(pilot, ["t"])
        assert len(heard) == 3


async def test_the_turn_is_under_the_cursor_in_sources(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await on(pilot, CHANGE)
        await press(pilot, ["t"])
        await until(pilot, lambda: app.current_area is not None and app.current_area.AREA == "sources")
        sources: Any = app.current_area
        await until(pilot, lambda: sources.transcript.number == 4)
        await press(pilot, ["backspace"])
        await until(pilot, lambda: isinstance(app.current_area, ReviewScreen))
        assert here(area(app)).id == CHANGE


async def test_editing_comes_back_to_the_text_that_was_made(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        await press(pilot, ["enter", "N", "x", "e"])
        await until(pilot, lambda: app.current_area is not None and app.current_area.AREA == "page")
        page: Any = app.current_area
        await until(pilot, lambda: "40 requests" in page.editor.text)
        assert "Ask Anna first, then Ben." in page.editor.text
        with Memex(waiting, actor=OWNER) as memex:
            text = RATES.replace("30 requests", "50 requests")
            memex.edit("summaries/rate-limits-proposed.md", body=text)
        app.post_message(PagesChanged(changed=("summaries/rate-limits-proposed.md",)))
        app.post_message(Go(Place("review")))
        await until(pilot, lambda: isinstance(app.current_area, ReviewScreen))
        await until(pilot, lambda: "50 requests" in here(screen).after)
        assert here(screen).id == CHANGE
        await press(pilot, ["a"])
        await after(pilot, 4)
        assert body(waiting, "rate-limits") == text


async def test_a_place_of_the_history_has_its_item(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        await app.go(Place("review", "procedures/retry-policy.md"))
        await settle(pilot)
        assert here(screen).id == DISPUTE
        place = screen.place()
        assert place is not None
        await on(pilot, CHANGE)
        await app.go(place)
        assert here(screen).id == DISPUTE


# -- narrow, saved, many -----------------------------------------------------------------------------


async def test_in_80_columns_the_item_takes_the_place_of_the_queue(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, NARROW) as pilot:
        screen = await on(pilot, CHANGE)
        assert "Ask Ben." not in text_frame(app)
        await press(pilot, ["enter"])
        assert "+ Ask Ben." in text_frame(app)
        assert "▐ raise the limit to 40 rps." in text_frame(app)
        assert "── queue" not in text_frame(app)
        await press(pilot, ["a"])
        await after(pilot, 4)
        assert screen.focused is screen.hunks
        await press(pilot, ["escape"])
        assert "─ queue ─" in text_frame(app)


async def test_what_was_chosen_survives_the_end(waiting: Path) -> None:
    app = opened(waiting, keep_state=True)
    async with running(app, WIDE) as pilot:
        await on(pilot, CHANGE)
        await press(pilot, ["x", "v", "v"])
        app.save_state()
    again = opened(waiting, keep_state=True)
    async with running(again, WIDE) as pilot:
        screen = await ready(pilot)
        assert here(screen).id == CHANGE
        assert screen._grouping == "agent"
        assert [hunk.side for hunk in screen.change.hunks] == ["old", "new"]


async def test_a_thousand_items_and_a_megabyte(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMEX_ACTOR", OWNER)
    make_many(root, 1_000)
    large = root / "docs/entities/draft-0001.md"
    lines = "".join(f"line {number} of a very long draft, as some agents write\n" for number in range(20_000))
    large.write_text(large.read_text(encoding="utf-8") + lines, encoding="utf-8")
    app = opened(root)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot, 1_000)
        await press(pilot, ["j"])
        await until(pilot, lambda: len(screen.change.new) == 20_001)
        await until(pilot, lambda: screen.hunks.count == 20_002)
        await press(pilot, ["enter", "G"])
        assert "line 19999 of a very long draft" in text_frame(app)
        await press(pilot, ["escape", "G"])
        assert here(screen).title == "Draft 0999"
        await press(pilot, ["a"])
        await ready(pilot, 999)
        assert here(screen).title == "Draft 0998"
        assert not failures(app)


async def test_a_failure_is_told_and_the_item_is_there_again(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, DRAFT)
        (waiting / "docs/entities/batch-jobs.md").unlink()
        await press(pilot, ["a"])
        await until(pilot, lambda: bool(told(app)))
        assert told(app)[0].startswith("“Batch jobs” does not wait any more")
        await after(pilot, 4)
        assert DRAFT not in ids(screen)


async def test_labels_of_the_field_name_what_is_rejected(waiting: Path) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        await on(pilot, BARE)
        await press(pilot, ["r"])
        await until(pilot, lambda: isinstance(app.screen, ReasonCard))
        assert "rejected · Tables [/red] for Anna [b]" in text_frame(app)
        assert app.screen.query_one(Input).value == ""


async def test_the_menu_accepts_a_conflict_as_its_own_key_does(waiting: Path) -> None:
    """Nothing in the menu says that the other page changed: the text that is shown is what is taken."""
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CONFLICT)
        screen.run_command("review.accept")
        await after(pilot, 4)
        assert body(waiting, "health-probe") == "The probe answers on port 9090.\n"
        assert not failures(app)


async def test_hunks_left_out_in_the_last_session_are_left_out_by_a_key_that_comes_early(
    waiting: Path,
) -> None:
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await on(pilot, CHANGE)
        screen.do_review_every_hunk()
        screen.change.take(0, "new")
        kept = screen.save_state()
    app = opened(waiting)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["f"])  # to another item, and back with what was kept
        screen.restore_state(kept)
        screen._read = screen._seen = None
        screen._changes.clear()
        screen._only("change")
        screen.run_command("review.accept")
        await after(pilot, 4)
        text = body(waiting, "rate-limits")
        assert ("40 requests" in text, "Ask Anna first, then Ben" in text) == (True, True)
        assert not failures(app)
