"""``extract`` on a store: drafts with their turns, no twins, nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.model.errors import NotFound, Refused
from tests.learn.conftest import Talk

RUFF = "I prefer ruff over flake8."


def test_drafts_quote_their_turns(memex: Memex, talk: Talk) -> None:
    talk("sess-1", "hello", ("agent", "Hi, I prefer tea."), RUFF, "记住：部署服务器叫 heron。")
    report = memex.extract()
    assert (report["sessions"], report["turns"]) == (1, 4)
    assert [(row["type"], row["turn"], row["quote"]) for row in report["created"]] == [
        ("preference", 3, RUFF),
        ("entity", 4, "记住：部署服务器叫 heron。"),
    ]
    page = memex.show(report["created"][0]["slug"])
    assert (page["status"], page["body"].strip()) == ("draft", RUFF)
    assert page["front_matter"]["generated"]["by"].startswith("memex-extract/")
    (row,) = memex.trace(page["slug"])["evidence"]
    assert (row["session"], row["turn"], row["quote"], row["found"]) == ("sess-1", 3, RUFF, True)
    assert [item["kind"] for item in memex.review()["items"]] == ["draft", "draft"]


def test_a_turn_is_looked_at_once(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF)
    slug = memex.extract()["created"][0]["slug"]
    memex.forget(slug)
    again = memex.extract()
    assert (again["turns"], again["created"]) == (0, [])
    talk("sess-1", RUFF, "Never push to main.")
    assert [row["turn"] for row in memex.extract()["created"]] == [2]


def test_the_journal_knows_the_turn_by_its_xid(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF)
    slug = memex.extract()["created"][0]["slug"]
    learned = memex.history(slug)["events"][0]["detail"]["learned"]
    xid = memex.session("sess-1")["turns"][0]["xid"]
    assert (learned["by"], learned["xids"], learned["cue"]) == ("rules", [xid], "preference.en")


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Linters", "Somebody said: I prefer ruff over flake8."),
        ("Ruff over flake8", "This is what I prefer, over all others."),
        ("I prefer ruff over flake8", "…"),
    ],
)
def test_no_twin_of_a_page_that_is_there(memex: Memex, talk: Talk, title: str, body: str) -> None:
    memex.write(type="preference", title=title, body=body)
    talk("sess-1", RUFF)
    report = memex.extract()
    assert report["created"] == []
    assert [row["turn"] for row in report["known"]] == [1]


def test_the_same_sentence_twice_is_one_page(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF, RUFF)
    talk("sess-2", RUFF)
    tried = memex.extract(dry_run=True)
    assert (len(tried["created"]), len(tried["known"])) == (1, 2)
    done = memex.extract()
    assert (len(done["created"]), len(done["known"])) == (1, 2)


def test_a_dry_run_writes_nothing(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF)
    seq = memex.store.journal.last_seq()
    report = memex.extract(dry_run=True)
    assert (len(report["created"]), report["dry_run"]) == (1, True)
    assert memex.store.journal.last_seq() == seq
    assert len(memex.extract()["created"]) == 1


def test_one_session_alone(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF)
    talk("sess-2", "Never push to main.")
    assert [row["session_id"] for row in memex.extract(session="sess-2")["created"]] == ["sess-2"]
    with pytest.raises(NotFound, match="sess-9"):
        memex.extract(session="sess-9")


def test_what_a_person_rejected_is_not_drafted_again(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF)
    memex.reject([memex.extract()["created"][0]["slug"]], why="no longer")
    talk("sess-2", RUFF)
    report = memex.extract()
    assert report["created"] == []
    assert "no longer" in report["rejected"][0]["reason"]


def test_the_user_s_rules_hold_here_too(memex: Memex, talk: Talk) -> None:
    memex.rules_add("never", "flake8")
    talk("sess-1", RUFF, "Never push to main.")
    report = memex.extract()
    assert ([row["turn"] for row in report["created"]], len(report["rejected"])) == ([2], 1)


def test_rules_that_do_not_load_stop_it_and_nothing_counts_as_read(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF)
    rules = Path(memex.root, "rules")
    rules.mkdir(exist_ok=True)
    (rules / "extract.toml").write_text("never = [broken")
    with pytest.raises(Refused, match="nothing was extracted"):
        memex.extract()
    (rules / "extract.toml").unlink()
    assert len(memex.extract()["created"]) == 1


def test_the_writer_s_name_comes_back(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF)
    before = memex.store.actor
    memex.extract()
    assert (memex.store.actor, memex.store.cause) == (before, {})


def test_three_at_once_find_each_thing_once(memex: Memex, talk: Talk) -> None:
    from concurrent.futures import ThreadPoolExecutor

    for session in range(4):
        talk(f"sess-{session}", *(f"I prefer tool{session}{number} over the other." for number in range(4)))

    def one(_: int) -> int:
        with Memex(memex.root) as other:
            return len(other.extract()["created"])

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(one, range(3))) == [0, 0, 16]
    memex.look_again()
    assert memex.list(status="draft")["total"] == 16


def test_a_dry_run_finds_the_same_twins_as_the_run(memex: Memex, talk: Talk) -> None:
    talk("sess-1", "I prefer dark roast.", "I prefer DARK roast!", "I prefer light roast.")
    tried, done = memex.extract(dry_run=True), memex.extract()
    assert [row["title"] for row in done["created"]] == ["I prefer dark roast", "I prefer light roast"]
    assert [row["title"] for row in done["known"]] == ["I prefer DARK roast"]
    for key in ("created", "known", "rejected"):
        assert tried[key] == done[key]
