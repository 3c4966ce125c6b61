"""What people do while a model is asked: it saw the old text, and what it says of that overwrites nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.model.errors import Conflict
from tests.chat_server import ChatServer
from tests.learn.conftest import Talk, choose, note, said

RUFF = "For this project I prefer ruff over flake8 and always will."
OLD = "We lint with flake8 in every project."
BY_HAND = f"{OLD}\nExcept in the shop, by hand.\n"


@pytest.fixture(params=["manual", "auto"])
def linter(memex: Memex, talk: Talk, server: ChatServer, request: pytest.FixtureRequest) -> Memex:
    memex.write(type="preference", title="Linter", body=OLD)
    talk("sess-1", RUFF, ("agent", "Understood."))
    choose(memex, server)
    config = Path(memex.root, "memex.toml")
    config.write_text(config.read_text() + f'[governance]\nknowledge_approval = "{request.param}"\n')
    memex.store.forget_config()
    return memex


def meanwhile(act: Callable[[], object], answer: str) -> Callable[[str], str]:
    """An answer before which something happens."""

    def says(_: str) -> str:
        act()
        return answer

    return says


def by_hand(memex: Memex) -> Path:
    """The page's line added in the file, by an editor."""
    path = Path(memex.root, "docs", memex.show("linter")["path"])
    path.write_text(path.read_text(encoding="utf-8").replace(OLD, BY_HAND.strip()), encoding="utf-8")
    return path


@pytest.mark.parametrize("title", ["Ruff for linting", "Linter"])
def test_a_page_that_a_hand_changed_meanwhile_is_in_conflict(
    linter: Memex, server: ChatServer, title: str
) -> None:
    new = note(title=title, verdict="evolution", page="linter", body="Ruff lints everything.")
    server.says = [meanwhile(lambda: by_hand(linter), said(new))]
    report = linter.consolidate()
    (item,) = linter.review()["items"]
    assert (item["kind"], item["target"], item["before"].strip(), item["after"].strip()) == (
        "conflict",
        "linter",
        BY_HAND.strip(),
        "Ruff lints everything.",
    )
    assert report["conflicts"] == [{"title": title, "page": item["slug"], "against": "linter"}]
    assert report["nodes_updated"] == []
    with pytest.raises(Conflict):
        linter.approve([item["slug"]])
    assert linter.show("linter")["body"].strip() == BY_HAND.strip()
    linter.approve([item["slug"]], text="Ruff, except in the shop.")
    assert linter.show("linter")["body"].strip() == "Ruff, except in the shop."
    assert linter.trace("linter")["evidence"][0]["quote"] == "I prefer ruff over flake8"


def test_a_page_that_came_meanwhile_under_the_note_s_name_is_in_conflict(
    linter: Memex, server: ChatServer
) -> None:
    def write() -> None:
        with Memex(linter.root) as other:
            other.write(type="preference", title="Ruff for linting", body="Mine, by hand.")

    server.says = [meanwhile(write, said(note()))]
    linter.consolidate()
    assert linter.show("ruff-for-linting")["body"].strip() == "Mine, by hand."
    (item,) = linter.review()["items"]
    assert (item["kind"], item["target"]) == ("conflict", "ruff-for-linting")


def test_a_draft_that_a_hand_changed_meanwhile_is_in_conflict(linter: Memex, server: ChatServer) -> None:
    linter.edit("linter", set={"status": "draft"})
    new = note(verdict="evolution", page="linter", body="Ruff lints everything.")
    server.says = [meanwhile(lambda: by_hand(linter), said(new))]
    linter.consolidate()
    assert linter.show("linter")["body"].strip() == BY_HAND.strip()
    assert [(one["kind"], one["target"]) for one in linter.review(kind="conflict")["items"]] == [
        ("conflict", "linter")
    ]


def test_what_repeats_a_page_that_changed_meanwhile_is_for_review(linter: Memex, server: ChatServer) -> None:
    server.says = [
        meanwhile(lambda: by_hand(linter), said(note(verdict="duplicate", page="linter", body="")))
    ]
    report = linter.consolidate()
    assert report["duplicates"] == [{"title": "Ruff for linting", "page": "linter"}]
    assert linter.trace("linter")["evidence"] == []
    (item,) = linter.review()["items"]
    assert (item["kind"], item["before"]) == ("change", item["after"])


def test_two_notes_of_one_answer_on_a_page_are_no_conflict(linter: Memex, server: ChatServer) -> None:
    first = note(verdict="evolution", page="linter", body="Ruff lints.")
    second = note(title="Again", verdict="evolution", page="linter", body="Ruff lints everything.")
    third, fourth = note(title="New", body="One text."), note(title="New", body="Another text.")
    server.says = [said(first, second, third, fourth)]
    report = linter.consolidate()
    assert (report["conflicts"], report["nodes_updated"]) == ([], ["linter", "new"])
    assert "conflict" not in [item["kind"] for item in linter.review()["items"]]


# -- conversations that go ---------------------------------------------------------------------


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_session_that_is_purged_while_another_is_asked_is_not_sent(
    memex: Memex, talk: Talk, server: ChatServer, dry_run: bool
) -> None:
    for number in range(1, 4):
        talk(f"c{number}", f"I prefer secretword{number} over flake8.", day=f"2026-11-2{number}")
    choose(memex, server)

    def purge() -> None:
        with Memex(memex.root) as other:
            other.purge(session="c2")

    server.says = [meanwhile(purge, "[]"), "[]"]
    report = memex.consolidate(dry_run=dry_run)
    assert ["secretword2" in prompt for prompt in server.prompts] == [False, False]
    assert (report["llm_calls"], report["episodes_processed"], report["failed"]) == (2, 2, [])
    assert report["warnings"] == [
        "c2 was erased, excluded or stored anew before it was sent: it was not read"
    ]


def test_turns_that_change_while_another_session_is_asked_are_not_sent(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    for number in (1, 2):
        talk(f"c{number}", f"I prefer oldword{number} over flake8.", day=f"2026-11-2{number}")
    choose(memex, server)

    def anew() -> None:
        with Memex(memex.root) as other:
            turns = [{"role": "user", "content": "I prefer newword.", "ts": "2026-11-22T10:00:00Z"}]
            other.ingest_transcript("c2", turns=turns, overwrite=True)

    server.says = [meanwhile(anew, "[]"), "[]"]
    report = memex.consolidate()
    assert len(server.prompts) == 1 and "oldword1" in server.prompts[0]
    assert report["warnings"] == [
        "c2 was erased, excluded or stored anew before it was sent: it was not read"
    ]
    memex.consolidate()
    assert len(server.prompts) == 2 and "newword" in server.prompts[1]
