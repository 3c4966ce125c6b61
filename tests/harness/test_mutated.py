"""Records with a piece missing or of another type than it should be: read around, never fatal."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core.harness.opening import Bytes, opened
from memex_core.harness.places import reader_of
from memex_core.harness.records import records
from tests.harness import test_codex as codex
from tests.harness import test_gemini as gemini
from tests.harness.test_pi import HEAD, Tree
from tests.harness.writing import Claude, lines, thinking, use

ODD = [None, 0, -1, 1.5, True, [], {}, "", "x", [None], {"a": 1}, "<command-name>", [[]], {"type": None}]


def of_claude() -> list[Any]:
    talk = Claude()
    return [
        {"type": "custom-title", "customTitle": "Boat", "sessionId": talk.session},
        talk.user("u1", [{"type": "text", "text": "Row"}]),
        talk.agent("a1", thinking("How?"), "Rowing.", use("t1", command="ls"), usage=(1, 2, 3, 4)),
        talk.result("u2", "t1", [{"type": "text", "text": "wet"}], toolUseResult={"agentId": "ab"}),
        talk.record("q1", type="attachment", attachment={"type": "queued_command", "prompt": "Faster"}),
        talk.record("s1", type="system", subtype="compact_boundary", compactMetadata={"trigger": "auto"}),
        talk.user("u3", "Sail", parent="a1"),
        {"type": "queue-operation", "operation": "remove", "content": "Now"},
    ]


def of_codex() -> list[Any]:
    words = [
        codex.message("user", "Row"),
        codex.event("user_message", message="Row"),
        codex.total(1, 2, 3, 4),
    ]
    calls = [
        codex.call("shell", '{"a": 1}', "c1"),
        codex.output("c1", {"output": "x", "metadata": {"exit_code": 1}}),
    ]
    command = codex.item("CommandExecution", command=["ls", "-l"], exit_code=1, aggregated_output="hull")
    return [codex.meta(), *words, *calls, command, codex.event("thread_rolled_back", num_turns=1)]


def of_pi() -> list[Any]:
    tree = Tree()
    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {}}
    result = {"role": "toolResult", "toolCallId": "c1", "content": "hull"}
    said = [tree.user("e1", "Row"), tree.agent("e2", "Rowing.", call, usage=(1, 2, 3, 4))]
    return [HEAD, *said, tree.entry("e3", "message", message=result), tree.user("e4", "Sail", parent="e1")]


def of_gemini() -> list[Any]:
    calls = [{**gemini.CALL, "result": gemini.ANSWER, "status": "success"}]
    said = gemini.agent(
        "g2", "Weighed.", (1, 2, 3, 4, 5, 6), toolCalls=calls, thoughts=[{"subject": "Scales"}]
    )
    return [
        gemini.HEAD,
        gemini.user("g1", [{"text": "Weigh"}]),
        said,
        {"$rewindTo": "g2"},
        {"$set": {"summary": "S"}},
    ]


def changed(value: Any, chance: random.Random) -> Any:
    if chance.random() < 0.05:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {key: changed(item, chance) for key, item in value.items() if chance.random() > 0.02}
    if isinstance(value, list):
        return [changed(item, chance) for item in value]
    return value


@pytest.mark.parametrize("made", [of_claude, of_codex, of_pi, of_gemini])
def test_no_record_stops_the_reading(made: Callable[[], list[Any]], tmp_path: Path) -> None:
    chance = random.Random(3)
    understood = 0
    for number in range(200):
        told = [one if place == 0 else changed(one, chance) for place, one in enumerate(made())]
        path = lines(tmp_path / str(number) / f"rollout-1-{codex.ID}.jsonl", *told)
        begin = reader_of(str(path))
        assert begin is not None
        talk = begin()
        with opened(str(path)) as raw:
            for record in records(Bytes(raw)):
                talk.feed(record.value, record.at)
        talk.finish()
        understood += len(talk.turns)
        assert json.dumps([talk.meta(), talk.remember()])
        for turn in talk.turns:
            texts = [turn.get(key, "") for key in ("content", "query", "result", "xid", "tool_name", "ts")]
            assert all(isinstance(text, str) for text in texts)
    assert understood > 100
