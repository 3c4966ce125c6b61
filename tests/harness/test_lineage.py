"""Forks and resumes: what a session copied from another is that one's, and said once in the store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core.memex import Memex
from tests.harness import test_codex as codex
from tests.harness.test_pi import HEAD as PI
from tests.harness.test_pi import Tree
from tests.harness.writing import Claude, lines, use

FORK = "5e551000-0000-4000-8000-00000000000f"


@pytest.fixture
def memex(tmp_path: Path) -> Any:
    with Memex(tmp_path / "store", create=True) as memex:
        yield memex


def turns(memex: Memex, session: str) -> list[str]:
    return [turn["content"] or turn["tool_name"] for turn in memex.session(session)["turns"]]


def talked(talk: Claude) -> list[dict[str, Any]]:
    return [
        talk.user("u1", "Plan a sail"),
        talk.agent("a1", "Ready.", use("t1", "Read"), usage=(10, 0, 0, 5)),
        talk.result("r1", "t1", "canvas"),
        talk.agent("a2", "Of canvas.", usage=(20, 0, 0, 6)),
    ]


def copied(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**record, "sessionId": FORK, "sessionKind": "bg"} for record in records]


def test_a_fork_of_claude_holds_only_what_is_its_own(memex: Memex, tmp_path: Path) -> None:
    talk = Claude()
    records = talked(talk)
    folder = tmp_path / "projects"
    lines(folder / f"{talk.session}.jsonl", *records)
    fork = Claude(FORK)
    fork.last, fork.minute = "a2", 10
    lines(
        folder / f"{FORK}.jsonl",
        *copied(records),
        fork.user("f1", "Of silk"),
        fork.agent("f2", "No.", usage=(1, 0, 0, 2)),
    )
    memex.capture([str(folder)])
    assert turns(memex, talk.session) == ["Plan a sail", "Ready.", "Read", "Of canvas."]
    assert turns(memex, FORK) == ["Of silk", "No."]
    shown = memex.session(FORK)
    assert shown["metadata"]["forked_from"] == talk.session
    assert (shown["token_usage"]["input"], shown["token_usage"]["output"]) == (1, 2)
    lines(folder / f"{FORK}.jsonl", fork.user("f3", "Of tin"), mode="ab")
    report = memex.capture([str(folder)])
    assert [row["new_turns"] for row in report["sessions"]] == [0, 1]
    assert turns(memex, FORK) == ["Of silk", "No.", "Of tin"]


def test_a_fork_of_a_fork(memex: Memex, tmp_path: Path) -> None:
    talk = Claude()
    records = talked(talk)
    lines(tmp_path / "a" / f"{talk.session}.jsonl", *records)
    fork = Claude(FORK)
    fork.last, fork.minute = "a2", 10
    more = [*copied(records), fork.user("f1", "Of silk")]
    lines(tmp_path / "b" / f"{FORK}.jsonl", *more)
    third = Claude("5e551000-0000-4000-8000-00000000002f")
    third.last, third.minute = "f1", 20
    lines(tmp_path / "c" / f"{third.session}.jsonl", *more, third.user("g1", "Of tin"))
    memex.capture([str(tmp_path / name) for name in "abc"])
    assert turns(memex, FORK) == ["Of silk"]
    assert turns(memex, third.session) == ["Of tin"]


def test_a_fork_that_begins_in_the_middle(memex: Memex, tmp_path: Path) -> None:
    talk = Claude()
    records = [*talked(talk), talk.user("u2", "Of tin?"), talk.agent("a3", "Tin rusts.")]
    lines(tmp_path / f"{talk.session}.jsonl", *records)
    fork = Claude(FORK)
    fork.last, fork.minute = "a3", 10
    boundary = fork.record("c1", type="system", subtype="compact_boundary", parent=None)
    lines(tmp_path / f"{FORK}.jsonl", boundary, *copied(records[-2:]), fork.user("f1", "Of silk"))
    memex.capture([str(tmp_path / f"{talk.session}.jsonl"), str(tmp_path / f"{FORK}.jsonl")])
    assert turns(memex, FORK) == ["Of silk"]
    assert memex.session(FORK)["metadata"]["forked_from"] == talk.session


def test_the_original_captured_after_its_fork_adds_only_what_is_missing(memex: Memex, tmp_path: Path) -> None:
    talk = Claude()
    records = talked(talk)
    fork = lines(tmp_path / f"{FORK}.jsonl", *copied(records))
    memex.capture([str(fork)])
    original = lines(tmp_path / f"{talk.session}.jsonl", *records, talk.user("u2", "Thanks"))
    memex.capture([str(original)])
    assert turns(memex, FORK) == ["Plan a sail", "Ready.", "Read", "Of canvas."]
    assert turns(memex, talk.session) == ["Thanks"]


def test_the_same_words_in_two_sessions_are_two_turns(memex: Memex, tmp_path: Path) -> None:
    one, two = Claude(), Claude(FORK)
    lines(tmp_path / f"{one.session}.jsonl", one.user("u1", "Yes"))
    lines(tmp_path / f"{FORK}.jsonl", two.user("v1", "Yes"))
    memex.capture([str(tmp_path / f"{one.session}.jsonl"), str(tmp_path / f"{FORK}.jsonl")])
    assert turns(memex, one.session) == turns(memex, FORK) == ["Yes"]


def test_a_fork_of_pi_names_its_parent(memex: Memex, tmp_path: Path) -> None:
    tree = Tree()
    entries = [tree.user("e1", "Row"), tree.agent("e2", "Rowed.", usage=(5, 5, 0, 0))]
    lines(tmp_path / "1.jsonl", PI, *entries)
    head = {**PI, "id": FORK, "parentSession": f"/x/2026_{PI['id']}.jsonl"}
    lines(
        tmp_path / "2.jsonl",
        head,
        *entries,
        tree.user("e3", "Sail"),
        tree.agent("e4", "Sailed.", usage=(1, 2, 0, 0)),
    )
    memex.capture([str(tmp_path / "1.jsonl"), str(tmp_path / "2.jsonl")])
    assert turns(memex, str(PI["id"])) == ["Row", "Rowed."]
    assert turns(memex, FORK) == ["Sail", "Sailed."]
    assert memex.session(FORK)["token_usage"]["output"] == 2


def test_the_same_short_ids_in_unrelated_sessions_of_pi_are_not_copies(memex: Memex, tmp_path: Path) -> None:
    for name, session, text in (("1", str(PI["id"]), "Row"), ("2", FORK, "Sail")):
        lines(
            tmp_path / f"{name}.jsonl",
            {**PI, "id": session},
            Tree().user("e1", text, timestamp=f"2026-03-0{name}T10:00:00.000Z"),
        )
        memex.capture([str(tmp_path / f"{name}.jsonl")])
    assert turns(memex, FORK) == ["Sail"]


def test_a_fork_of_codex_knows_its_parents_turns_from_the_store(memex: Memex, tmp_path: Path) -> None:
    parent = lines(
        tmp_path / "a" / f"rollout-2026-03-01T10-00-00-{codex.PARENT}.jsonl",
        codex.meta(codex.PARENT),
        codex.line("turn_context", turn_id="P1"),
        codex.message("user", "How tall?"),
    )
    memex.capture([str(parent)])
    parent.unlink()
    memex.capture([str(lines(tmp_path / "b" / codex.NAME, *codex.fork(*codex.OWN)))])
    assert turns(memex, codex.PARENT) == ["How tall?"]
    assert turns(memex, codex.ID) == ["In feet?"]
