"""Importance that fades: from the last use, never twice, and back when a page is used again."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.actions.history import decay as module
from memex_core.model import clock
from memex_core.model.errors import Refused

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets days go by."""
    at = [START]
    monkeypatch.setattr(clock, "now", lambda: at[0])

    def days(number: float) -> None:
        at[0] += timedelta(days=number)

    return days


def importance(memex: Memex, slug: str) -> float:
    memex.look_again()
    return float(memex.show(slug)["importance"])


def test_it_halves_each_half_life_and_never_compounds(memex: Memex, wait: Callable[[float], None]) -> None:
    memex.write(type="entity", title="Page", importance=0.8)
    seen = []
    for _ in range(90):
        wait(1)
        memex.decay()
        seen.append(importance(memex, "page"))
    assert (seen[28], seen[29], seen[59], seen[89]) == (0.8, 0.4, 0.2, 0.1)
    assert seen == sorted(seen, reverse=True)
    wait(36_500)
    memex.decay()
    assert importance(memex, "page") == 0.01
    assert memex.decay()["changed"] == []


def test_one_run_says_what_it_did_and_is_taken_back_as_one(
    memex: Memex, wait: Callable[[float], None]
) -> None:
    first = memex.write(type="entity", title="First", importance=0.8)
    memex.write(type="entity", title="Second")
    before = Path(first["file_path"]).read_bytes()
    wait(45)
    tried = memex.decay(dry_run=True)
    assert Path(first["file_path"]).read_bytes() == before
    done = memex.decay()
    assert done["changed"] == tried["changed"]
    rows = [(row["slug"], row["before"], row["after"], row["used"]) for row in done["changed"]]
    assert rows == [
        ("first", 0.8, 0.28, "2026-01-01T12:00:00Z"),
        ("second", 0.5, 0.18, "2026-01-01T12:00:00Z"),
    ]
    page = memex.show("first")
    assert page["front_matter"]["decay"] == {"from": "0.8", "to": "0.28", "used": "2026-01-01T12:00:00Z"}
    assert page["updated"] == "2026-01-01T12:00:00Z"
    memex.revert("first", group=True)
    assert Path(first["file_path"]).read_bytes() == before
    assert importance(memex, "second") == 0.5


def test_a_page_that_is_used_again_gets_it_back(memex: Memex, wait: Callable[[float], None]) -> None:
    memex.write(type="entity", title="Tide tables", body="high water", importance=0.8)
    wait(60)
    memex.decay()
    assert importance(memex, "tide-tables") == 0.2
    assert memex.recall("tide tables")["hits"][0]["slug"] == "tide-tables"
    wait(1)
    memex.decay()
    page = memex.show("tide-tables")
    assert (page["importance"], page["front_matter"].get("decay")) == (0.8, None)


def test_an_importance_that_a_person_sets_starts_anew(memex: Memex, wait: Callable[[float], None]) -> None:
    memex.write(type="entity", title="Page", importance=0.8)
    wait(60)
    memex.decay()
    memex.edit("page", set={"importance": "0.6"})
    wait(30)
    memex.decay()
    assert importance(memex, "page") == 0.3


def test_who_is_spared(memex: Memex, wait: Callable[[float], None], root: Path) -> None:
    memex.write(type="entity", title="Draft", status="draft")
    memex.write(type="entity", title="Approved", status="draft")
    memex.approve(["approved"])
    memex.write(type="entity", title="Archived")
    memex.forget("archived", mode="archive")
    memex.write(type="entity", title="Over", valid_until="2026-01-02")
    memex.write(type="entity", title="New")
    (root / "docs" / "bad.md").write_text("---\na: @b\n---\nx")
    wait(40)
    memex.look_again()
    done = memex.decay()
    assert [row["slug"] for row in done["changed"]] == ["new"]
    assert done["spared"] == {"draft": 1, "verified": 1, "out of use": 2, "unreadable": 0}


def test_it_can_be_off_and_is_not_an_agents(memex: Memex, root: Path, wait: Callable[[float], None]) -> None:
    memex.write(type="entity", title="Page")
    wait(40)
    with Memex(root, actor="codex/0.60") as agent, pytest.raises(Refused, match="only a person"):
        agent.decay()
    (root / "memex.toml").write_text("[recency_decay]\nenabled = false\n")
    with Memex(root) as again, pytest.raises(Refused, match="does not fade"):
        again.decay()


def test_in_an_opened_folder_only_pages_that_have_an_importance(
    tmp_path: Path, wait: Callable[[float], None]
) -> None:
    texts = {"plain.md": "# Plain\n", "own.md": "---\nimportance: 0.8\ndate: 2025-01-01\n---\nx\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    with Memex(tmp_path) as memex:
        changed: list[dict[str, Any]] = memex.decay()["changed"]
    assert [(row["path"], row["after"]) for row in changed] == [("own.md", 0.01)]
    assert (tmp_path / "plain.md").read_text() == texts["plain.md"]


def test_a_page_without_dates_stays_as_old_as_its_file(memex: Memex, root: Path) -> None:
    """It counts as written when its file was; fading writes the file, but nobody changed the page."""
    files = [root / "docs" / f"{name}.md" for name in ("old", "older")]
    for file in files:
        file.write_text("---\nimportance: 0.8\n---\nheather\n")
        os.utime(file, (1_577_880_000, 1_577_880_000))  # 2020-01-01T12:00:00Z
    memex.look_again()
    assert len(memex.decay()["changed"]) == 2
    assert [row["updated"] for row in memex.list()["pages"]] == ["2020-01-01T12:00:00Z"] * 2
    assert memex.recall("heather after:2026-01-01")["hits"] == []
    memex.rebuild_index(force=True)
    assert [row["updated"] for row in memex.list()["pages"]] == ["2020-01-01T12:00:00Z"] * 2
    assert memex.decay()["changed"] == []


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("importance: high", "importance 'high' is no number between 0 and 1"),
        ("importance: 7", "importance '7' is no number between 0 and 1"),
        ("importance: [0.5]", "importance ['0.5'] is no number between 0 and 1"),
        ("importance: 0.8\ndecay: nonsense", "decay is not what memex writes there"),
        ("decay: {from: much, to: 0.1}", "decay is not what memex writes there"),
    ],
)
def test_a_value_that_it_cannot_read_stays(memex: Memex, root: Path, lines: str, message: str) -> None:
    page = root / "docs" / "page.md"
    page.write_text(f"---\ncreated: 2020-01-01\nupdated: 2020-01-01\n{lines}\n---\nx\n")
    before = page.read_bytes()
    memex.look_again()
    done = memex.decay()
    assert page.read_bytes() == before
    assert (done["changed"], done["spared"]["unreadable"]) == ([], 1)
    assert done["warnings"] == [f"page.md: {message}; it is left as it is"]


@pytest.mark.parametrize("at_once", [1, 2, 3, 5])
def test_many_pages_fade_in_several_acts(
    memex: Memex, wait: Callable[[float], None], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", at_once)
    for number in range(5):
        memex.write(type="entity", title=f"Page {number}", importance=0.8)
    wait(30)
    tried = memex.decay(dry_run=True)
    done = memex.decay()
    assert (len(done["changed"]), done["checked"]) == (5, 5)
    assert {**tried, "dry_run": False} == done
    assert [importance(memex, f"page-{number}") for number in range(5)] == [0.4] * 5
    groups = [
        event["detail"]["group"] for event in memex.store.journal.read() if event["detail"].get("decay")
    ]
    assert len(groups) == 5
    assert len(set(groups)) == -(-5 // at_once)
