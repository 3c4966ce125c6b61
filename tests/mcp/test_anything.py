"""Whatever a model sends for a parameter, the answer is a result or one line, and the server lives on."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import jsonschema

from tests.mcp.conftest import Wire

TEXTS = [
    "",
    "oven",
    "Oven",
    "hot oven",
    "s1",
    "s1#1",
    "..",
    "/etc/passwd",
    "a\x00b",
    "\u202e",
    "🍅" * 40,
    "0",
    "-1",
]
TEXTS += [
    "2026-11-30",
    "2026-11-30..",
    "hard",
    "global",
    "project",
    "x" * 30_000,
    '"',
    "NOT",
    "tag:",
    "[",
    "{}",
    '["a"]',
]
ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    3,
    10**18,
    0.5,
    1e308,
    [],
    {},
    [[]],
    [None],
    [{}],
    ["oven"],
    {"a": [1]},
]
ODD += [
    [{"role": "user", "content": "hi"}],
    [{"role": 3}],
    {"nodes": []},
    [{"file": 3}],
    [{"title": "T", "body": {}}],
]


def some(chance: random.Random, schema: dict[str, Any]) -> Any:
    """Mostly what the schema asks for, often enough not."""
    kind = schema["type"]
    if chance.random() < 0.2:
        return chance.choice(ODD)
    if "enum" in schema and chance.random() < 0.8:
        return chance.choice(schema["enum"])
    made: dict[str, Callable[[], Any]] = {
        "string": lambda: chance.choice(TEXTS),
        "integer": lambda: chance.choice([0, 1, 5, 100, -3]),
        "number": lambda: chance.choice([0, 0.5, 1, 7]),
        "boolean": lambda: chance.choice([True, False]),
        "array": lambda: [chance.choice(TEXTS) for _ in range(chance.randrange(3))],
        "object": lambda: {chance.choice(TEXTS): chance.choice(TEXTS)},
    }
    return made[kind]()


def test_any_arguments_are_answered(memex: Any, wire: Wire) -> None:
    memex.write(type="entity", title="Oven", body="It is hot. See [[Door]].")
    memex.ingest_transcript(session_id="s1", turns=[{"role": "user", "content": "The oven is hot."}])
    memex.diary_append("Lit the oven.")
    tools = wire.ask("tools/list")["result"]["tools"]
    chance = random.Random(5)
    succeeded: dict[str, int] = {}
    for _ in range(800):
        tool = chance.choice(tools)
        parameters = tool["inputSchema"]["properties"]
        needed = set(tool["inputSchema"].get("required", ()))
        given = {
            name: some(chance, schema)
            for name, schema in parameters.items()
            if chance.random() < (0.95 if name in needed else 0.12)
        }
        number = wire.request("tools/call", {"name": tool["name"], "arguments": given})
        answer = wire.answer(number)
        assert "result" in answer, (tool["name"], given, answer)
        result = answer["result"]
        text = result["content"][0]["text"]
        if result["isError"]:
            assert "memex failed" not in text, (tool["name"], given)
            assert len(text) <= 600
        else:
            jsonschema.validate(result["structuredContent"], tool["outputSchema"])
            succeeded[tool["name"]] = succeeded.get(tool["name"], 0) + 1
    assert {tool["name"] for tool in tools} == set(succeeded)
    assert wire.end() == 0
    assert "Traceback" not in wire.heard
