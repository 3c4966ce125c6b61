"""What waits, as ``status`` and ``doctor`` tell of it: conversations for a model, the rest for a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.care import doctor_agents
from memex_core.files import turns
from memex_core.learn.extract_rules import load
from memex_core.recall.gate import quarantine
from tests.chat_server import ChatServer
from tests.learn.conftest import Talk, choose, server, talk  # noqa: F401 - fixtures

RUFF = "For this project I prefer ruff over flake8 and always will."


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks that start no program."""
    monkeypatch.setattr(doctor_agents, "CHECKS", ())


def doctor(memex: Memex) -> tuple[str, str, str]:
    (found,) = [one for one in memex.doctor()["checks"] if one["name"] == "learning"]
    return found["level"], found["detail"], found["fix"]


def waiting(memex: Memex) -> list[tuple[str, str]]:
    memex.look_again()
    return [(one["message"], one["next"]) for one in memex.status()["attention"]]


def counts(memex: Memex) -> tuple[int, int, int]:
    told = memex.status()["learning"]
    return told["unread"], told["failed"], told["retrying"]


def test_who_has_named_no_model_is_not_bothered(memex: Memex, talk: Talk) -> None:  # noqa: F811
    assert (counts(memex), waiting(memex)) == ((0, 0, 0), [])
    talk("sess-1", RUFF)
    assert (counts(memex), waiting(memex)) == ((1, 0, 0), [])
    assert doctor(memex) == ("ok", "no model is named; 1 conversation unread", "")


def test_what_is_tried_again_waits_and_what_failed_for_good_needs_a_person(
    memex: Memex,
    talk: Talk,  # noqa: F811
    server: ChatServer,  # noqa: F811
) -> None:
    talk("sess-1", RUFF)
    talk("sess-2", RUFF, day="2026-11-21")
    choose(memex, server, max_attempts=2, max_episodes=1)
    server.says = ["[]", "no list"]
    memex.consolidate()
    assert counts(memex) == (1, 0, 0)
    memex.consolidate()
    assert (counts(memex), waiting(memex)) == ((1, 0, 1), [])
    assert doctor(memex) == ("ok", "1 conversation unread, 1 tried again", "")
    memex.consolidate()
    assert counts(memex) == (1, 1, 0)
    assert waiting(memex) == [("1 job has failed", "memex jobs list --state failed")]
    assert doctor(memex)[::2] == ("warn", "memex jobs list --state failed")
    memex.jobs_retry(all=True)
    assert (counts(memex), waiting(memex)) == ((1, 0, 0), [])


def test_a_conversation_that_goes_on_is_unread_and_one_that_was_read_is_not(
    memex: Memex,
    talk: Talk,  # noqa: F811
    server: ChatServer,  # noqa: F811
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = ["[]"]
    memex.consolidate()
    assert counts(memex) == (0, 0, 0)
    talk("sess-1", RUFF, ("agent", "Fine."), "And use uv, please.")
    assert counts(memex) == (1, 0, 0)


def test_a_refusal_that_holds_all_is_told_with_the_next_command(
    memex: Memex,
    talk: Talk,  # noqa: F811
    server: ChatServer,  # noqa: F811
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.behave("refused")
    memex.consolidate()
    ((message, step),) = waiting(memex)
    assert message.startswith("held: ") and step == "memex models set --api-key -"
    assert doctor(memex)[::2] == ("warn", "memex models set --api-key -")


def test_rules_that_hold_machines_and_gates_that_are_not_in_force(memex: Memex, root: Path) -> None:
    (root / "rules").mkdir(exist_ok=True)
    (root / "rules" / "extract.toml").write_text("[[never]]\npatern = 'x'\n")
    (root / "rules" / "gate.toml").write_text("not [ toml\n")
    memex.write(type="entity", title="Door", body="x", status="draft")
    assert waiting(memex) == [
        ("1 draft to review", "memex review"),
        ("extract.toml does not load, so no machine stores anything", "memex rules validate"),
        ("gate.toml is not applied", "memex gate validate"),
    ]
    (root / "rules" / "extract.toml").write_text("")
    (root / "rules" / "gate.toml").write_text('[[pattern]]\nintent = "memory"\nsource = "^slow!$"\n')
    assert waiting(memex) == [("1 draft to review", "memex review")]
    quarantine.put(memex.store.layout, "slow", quarantine.hash_of("^slow!$", ""), 60.0, 50)
    (_, (message, step)) = waiting(memex)
    assert "took too long, so no prompt is judged by it" in message and step == "memex gate quarantine"


def test_a_rule_that_is_set_aside_holds_machines_until_it_is_another(memex: Memex, root: Path) -> None:
    (root / "rules").mkdir(exist_ok=True)
    file = root / "rules" / "extract.toml"
    file.write_text("[[never]]\npattern = '^slow!$'\n")
    assert waiting(memex) == []
    (ban,) = load(memex.store.layout).entries
    quarantine.put(memex.store.layout, ban.id, ban.hash, 60.0, 50, "extract")
    held = f"{ban.id} took too long, so no machine stores anything"
    assert waiting(memex) == [(held, "memex rules quarantine")]
    (found,) = [one for one in memex.doctor()["checks"] if one["name"] == "rules"]
    assert (found["level"], found["detail"]) == ("fail", held)
    file.write_text("[[never]]\npattern = '^slow!?$'\n")
    assert waiting(memex) == []
    assert memex.doctor()["result"] != "FAIL"


def test_status_reads_no_transcript(
    memex: Memex,
    talk: Talk,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for number in (1, 2):
        talk(f"sess-{number}", RUFF)
    memex.status()

    def refuse(*_: Any) -> Any:
        raise AssertionError("a transcript was read")

    monkeypatch.setattr(turns, "read_lines", refuse)
    monkeypatch.setattr("memex_core.files.sessions.read_lines", refuse)
    monkeypatch.setattr("memex_core.files.transcripts.read_lines", refuse, raising=False)
    assert counts(memex) == (2, 0, 0)
