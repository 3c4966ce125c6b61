"""The gate through the facade: what is told of a decision, own rules and their way back, replay."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memex_core.files import session_state
from memex_core.model.errors import BadInput, Conflict, NotFound, Refused
from memex_core.recall.gate import matcher, quarantine
from memex_core.recall.gate.thresholds import DEFAULTS

SECRET = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, own rules have their time to answer."""
    monkeypatch.setattr(matcher, "PATIENCE", 300.0)


def rules(root: Path) -> str:
    return (root / "rules" / "gate.toml").read_text()


def everything(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_decision_is_told_with_its_reasons_and_recorded_nowhere(memex: Any, root: Path) -> None:
    before = everything(root)
    told = memex.gate_test("What did we decide about the port again?")
    assert (told["action"], told["reason"], told["why"]) == (
        "retrieve",
        "memory",
        "it asks for something remembered",
    )
    assert [row["intent"] for row in told["intents"]] == [
        "memory",
        "trace",
        "impact",
        "ack",
        "continue",
        "correction",
    ]
    assert told["intents"][0]["rules"] == [
        {"id": "memory.en.again", "source": "built-in"},
        {"id": "memory.en.did-we", "source": "built-in"},
    ]
    assert told["tokens"] == ["decide", "port"]
    assert (told["token_count"], told["substantive"], told["chars"]) == (2, True, 40)
    assert {row["name"]: row["value"] for row in told["thresholds"]} == DEFAULTS
    assert {row["origin"] for row in told["thresholds"]} == {"built-in"}
    assert "built_in" not in told
    assert everything(root) == before


def test_own_rules_change_a_decision_and_are_named(memex: Any) -> None:
    id = memex.gate_add("memory", "runbook", note="how we do things")["id"]
    told = memex.gate_test("See the Runbook", compare_builtin=True)
    assert (told["action"], told["differs"], told["changed_by"]) == ("retrieve", True, [id])
    assert told["built_in"] == {"action": "ambiguous", "reason": "unsure", "fired": []}
    assert told["intents"][0]["rules"] == [{"id": id, "source": "user"}]
    memex.gate_disable("ack.en.words")
    told = memex.gate_test("thanks", compare_builtin=True)
    assert (told["action"], told["changed_by"], told["disabled"]) == (
        "ambiguous",
        ["ack.en.words"],
        ["ack.en.words"],
    )
    memex.gate_set("coverage_min_tokens", "2")
    told = memex.gate_test("parser exporter", compare_builtin=True)
    assert (told["action"], told["changed_by"]) == ("retrieve", ["coverage_min_tokens = 2"])
    assert not memex.gate_test("remind me", compare_builtin=True)["differs"]


def test_as_the_next_prompt_of_a_session(memex: Any) -> None:
    with pytest.raises(NotFound, match="no hook has seen"):
        memex.gate_test("ok", session="s-1")
    with pytest.raises(BadInput):
        memex.gate_test("ok", session="../s")
    state = session_state.load(memex.store.layout, "s-1")
    state.topic, state.since_retrieval, state.prompts = ("parser", "unicode", "tests"), 2, 3
    state.give("docs/parser.md", "rye-bread", "u", "d", "s")
    session_state.save(memex.store.layout, state)
    told = memex.gate_test("parser tests unicode", session="s-1")
    assert (told["action"], told["reason"], told["overlap"]) == ("skip", "coherent", 1.0)
    assert told["state"]["since_retrieval"] == 2
    assert told["state"]["resident"] == ("rye bread",)


def test_rules_are_shown_with_their_state(memex: Any, root: Path) -> None:
    shown = memex.gate_show()
    assert (shown["exists"], shown["applied"], shown["revision"]) == (False, True, "")
    id = memex.gate_add("ack", "^roger", flags="", note="n")["id"]
    memex.gate_disable("memory.zh.again")
    shown = memex.gate_show()
    rows = {row["id"]: row for row in shown["rules"]}
    assert rows[id] == {
        "id": id,
        "intent": "ack",
        "source": "user",
        "pattern": "^roger",
        "flags": "",
        "note": "n",
        "state": "on",
    }
    assert rows["memory.zh.again"]["state"] == "off"
    assert rows["memory.en.again"]["state"] == "on"
    assert {row["source"] for row in shown["rules"]} == {"user", "built-in"}
    assert [one["number"] for one in shown["history"]] == [2, 1]
    assert shown["file"] == str(root / "rules" / "gate.toml")


def test_rules_are_switched_off_and_on(memex: Any, root: Path) -> None:
    done = memex.gate_disable("memory.en.again")
    assert (done["changed"], done["kept"], done["was"]) == (True, 1, "")
    text = rules(root)
    assert memex.gate_disable("memory.en.again")["changed"] is False
    assert rules(root) == text
    memex.gate_enable("memory.en.again")
    assert "memory.en.again" not in rules(root)
    assert memex.gate_enable("memory.en.again")["changed"] is False
    with pytest.raises(NotFound, match=r"did you mean memory\.en\.again"):
        memex.gate_disable("memory.en.agian")
    with pytest.raises(NotFound):
        memex.gate_enable("nonsense")


def test_an_id_of_a_rule_that_is_gone_can_be_taken_out(memex: Any, root: Path) -> None:
    memex.gate_disable("memory.en.again")
    (root / "rules" / "gate.toml").write_text('[rules]\ndisable = ["memory.en.gone"]\n')
    assert memex.gate_show()["warnings"][0]["line"] == 2
    memex.gate_enable("memory.en.gone")
    assert rules(root) == "[rules]\ndisable = []\n"


def test_thresholds(memex: Any, root: Path) -> None:
    assert memex.gate_set("ack_max_tokens", "2")["value"] == 2
    assert memex.gate_set("drift_overlap", 0.5)["value"] == 0.5
    shown = {row["name"]: (row["value"], row["origin"]) for row in memex.gate_show()["thresholds"]}
    assert shown["ack_max_tokens"] == (2, "user")
    assert shown["drift_overlap"] == (0.5, "user")
    assert shown["refresh_after"] == (6, "built-in")
    assert memex.gate_set("ack_max_tokens", "default")["value"] == 4
    assert "ack_max_tokens" not in rules(root)
    for name, value in (
        ("nonsense", "1"),
        ("ack_max_tokens", "x"),
        ("ack_max_tokens", "1.5"),
        ("drift_overlap", "2"),
    ):
        with pytest.raises(BadInput):
            memex.gate_set(name, value)


def test_bad_rules_are_refused_in_one_line(memex: Any, root: Path) -> None:
    for intent, pattern, error, why in (
        ("nod", "a", BadInput, "no intent"),
        ("ack", "(", BadInput, "no regular expression"),
        ("ack", "", BadInput, "empty"),
        ("ack", "a*", BadInput, "fits everything"),
        ("ack", "a" * 201, BadInput, "200 are allowed"),
        ("ack", "(a+)+$", Refused, "300 ms"),
        ("ack", SECRET, Refused, "secret"),
    ):
        with pytest.raises(error, match=why) as caught:
            memex.gate_add(intent, pattern)
        assert "\n" not in str(caught.value)
        assert SECRET not in str(caught.value)
    assert not (root / "rules").exists()
    memex.gate_add("ack", "roger")
    with pytest.raises(Refused, match="there already"):
        memex.gate_add("ack", "roger")


def test_a_change_to_another_state_is_a_conflict(memex: Any, root: Path) -> None:
    seen = memex.gate_add("ack", "roger")["revision"]
    text = rules(root)
    (root / "rules" / "gate.toml").write_text(f"{text}# by hand\n")
    for change in (
        lambda: memex.gate_add("ack", "over", expect=seen),
        lambda: memex.gate_disable("memory.en.again", expect=seen),
        lambda: memex.gate_enable("memory.en.again", expect=seen),
        lambda: memex.gate_set("ack_max_tokens", "1", expect=seen),
        lambda: memex.gate_reset(expect=seen),
        lambda: memex.gate_rollback(expect=seen),
    ):
        with pytest.raises(Conflict):
            change()
    assert rules(root) == f"{text}# by hand\n"


def test_a_dry_run_writes_nothing(memex: Any, root: Path) -> None:
    before = everything(root)
    assert memex.gate_add("ack", "roger", dry_run=True)["changed"] is True
    assert memex.gate_disable("memory.en.again", dry_run=True)["changed"] is True
    assert memex.gate_set("ack_max_tokens", "1", dry_run=True)["changed"] is True
    assert everything(root) == before


def test_reset_and_the_way_back(memex: Any, root: Path) -> None:
    memex.gate_add("ack", "roger")
    text = rules(root)
    memex.gate_reset()
    assert "roger" not in rules(root)
    assert memex.gate_rollback()["to"] == 2
    assert rules(root) == text
    memex.gate_rollback()
    assert "roger" not in rules(root)
    memex.gate_rollback(to=1)
    assert rules(root) == ""
    with pytest.raises(NotFound, match="no state 99"):
        memex.gate_rollback(to=99)


def test_nothing_to_go_back_to(memex: Any) -> None:
    with pytest.raises(NotFound, match="never changed"):
        memex.gate_rollback()
    assert memex.gate_reset()["changed"] is False


def test_a_damaged_file_is_told_and_can_be_left_behind(memex: Any, root: Path) -> None:
    memex.gate_add("ack", "roger")
    file = root / "rules" / "gate.toml"
    file.write_text("[rules\n")
    told = memex.gate_test("roger", compare_builtin=True)
    assert (told["action"], told["differs"]) == ("ambiguous", False)
    assert told["problems"] == [f"{file}, line 1: Expected ']' at the end of a table declaration"]
    assert told["warnings"][0]["line"] == 1
    shown = memex.gate_show()
    assert (shown["applied"], shown["problems"]) == (False, told["problems"])
    checked = memex.gate_validate()
    assert (checked["ok"], checked["problems"]) == (False, told["problems"])
    with pytest.raises(Exception, match="line 1"):
        memex.gate_disable("memory.en.again")
    memex.gate_reset()
    assert memex.gate_validate()["ok"]
    memex.gate_rollback()
    assert file.read_text() == "[rules\n"


def test_validating_another_file(memex: Any, tmp_path: Path) -> None:
    assert memex.gate_validate()["exists"] is False
    other = tmp_path / "gate.toml"
    other.write_text("[[pattern]]\nintent = 'ack'\nsource = '(a+)+$'\n[nonsense]\n")
    checked = memex.gate_validate(str(other))
    assert checked["ok"] is False
    assert "300 ms" in checked["problems"][0]
    assert [row["line"] for row in checked["warnings"]] == [4]
    with pytest.raises(NotFound):
        memex.gate_validate(str(tmp_path / "none.toml"))


def test_quarantine_is_listed_and_cleared(memex: Any, root: Path) -> None:
    (root / "rules").mkdir()
    (root / "rules" / "gate.toml").write_text("[[pattern]]\nintent = 'ack'\nsource = '(a+)+$'\n")
    told = memex.gate_test("a" * 100 + "!")
    id = told["overran"]
    assert told["quarantined"] == [id]
    assert memex.gate_show()["quarantine"][0]["id"] == id
    assert [row["id"] for row in memex.gate_quarantine()["quarantine"]] == [id]
    with pytest.raises(NotFound):
        memex.gate_quarantine("clear", "user.other")
    for wrong in ({}, {"id": id, "all": True}):
        with pytest.raises(BadInput, match="which rule"):
            memex.gate_quarantine("clear", **wrong)
    with pytest.raises(BadInput):
        memex.gate_quarantine("drop")
    assert memex.gate_quarantine("clear", all=True, dry_run=True)["cleared"] == [id]
    assert len(quarantine.read(memex.store.layout)) == 1
    assert memex.gate_quarantine("clear", id)["cleared"] == [id]
    assert memex.gate_quarantine()["quarantine"] == []


def talk(memex: Any, session: str, day: int, *prompts: str, project: str = "") -> None:
    turns: list[dict[str, Any]] = []
    for minute, prompt in enumerate(prompts):
        ts = f"2026-11-{day:02}T10:{minute:02}:00Z"
        turns += [
            {"role": "user", "content": prompt, "ts": ts},
            {"role": "agent", "content": "the runbook", "ts": ts},
        ]
    memex.ingest_transcript(session, turns=turns, project=project or None)


def test_replay_lists_the_prompts_that_own_rules_decide_otherwise(memex: Any) -> None:
    talk(memex, "old", 1, "see the runbook", "fix the typo", project="/w/shop")
    talk(memex, "new", 2, "<system-reminder>runbook</system-reminder>", "ok", "open the runbook", "thanks")
    assert memex.gate_replay() == {
        "prompts": 0,
        "changed": [],
        "own_rules": False,
        "problems": [],
        "warnings": [],
    }
    id = memex.gate_add("memory", "runbook")["id"]
    found = memex.gate_replay()
    assert found["prompts"] == 5
    assert [(row["session_id"], row["turn"], row["prompt"]) for row in found["changed"]] == [
        ("new", 5, "open the runbook"),
        ("old", 1, "see the runbook"),
    ]
    row = found["changed"][0]
    assert (row["action"], row["built_in"]["action"], row["changed_by"]) == ("retrieve", "ambiguous", [id])
    assert row["ts"] == "2026-11-02T10:02:00Z"
    assert memex.gate_replay(limit=2)["prompts"] == 2
    assert [row["session_id"] for row in memex.gate_replay(project="shop")["changed"]] == ["old"]
    with pytest.raises(BadInput):
        memex.gate_replay(limit=0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_pipe_in_place_of_the_rules_is_told_and_not_waited_for(memex: Any, root: Path) -> None:
    (root / "rules").mkdir()
    os.mkfifo(root / "rules" / "gate.toml")
    with pytest.raises(BadInput, match="cannot be read"):
        memex.gate_validate()
    assert memex.gate_test("hello")["action"] == "skip"
