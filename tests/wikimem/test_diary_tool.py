"""An agent writes its diary itself, by a tool."""

from __future__ import annotations

import json

import jsonschema
import pytest

from memex_core.wikimem import (
    DIARY_PROMPT,
    DIARY_TOOL_DESCRIPTION,
    MemoryStore,
    diary_tool,
    handle_diary_tool,
)


def test_the_schema_is_a_function_with_content_and_nothing_else() -> None:
    tool = diary_tool()
    assert tool["type"] == "function"
    function = tool["function"]
    assert function["name"] == "append_diary"
    assert function["description"] == DIARY_TOOL_DESCRIPTION
    parameters = function["parameters"]
    assert list(parameters["properties"]) == ["content"]
    assert parameters["required"] == ["content"]
    jsonschema.validate({"content": "x"}, parameters)
    for wrong in ({}, {"content": 1}, {"content": "x", "date": "2026-07-21"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, parameters)
    tool["function"]["name"] = "changed"
    assert diary_tool()["function"]["name"] == "append_diary"


def test_both_ways_share_the_rules_of_style() -> None:
    rules = [line for line in DIARY_TOOL_DESCRIPTION.splitlines() if line.startswith("* ")]
    assert len(rules) == 6
    assert all(rule in DIARY_PROMPT for rule in rules)


@pytest.mark.parametrize("args", [{"content": " He laughed. "}, '{"content": " He laughed. "}'])
def test_the_handler_appends_what_the_agent_wrote(store: MemoryStore, args: object) -> None:
    entry = handle_diary_tool(
        store.diary,
        args,
        date="2026-07-21",
        time="10:00",
        owner="me",
        source_conv="c",  # type: ignore[arg-type]
    )
    assert (entry.content, entry.date, entry.time, entry.owner) == (
        "He laughed.",
        "2026-07-21",
        "10:00",
        "me",
    )
    assert store.diary.day("2026-07-21") == [entry]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ("{", "not valid JSON"),
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        (["x"], "not a JSON object"),
        (None, "not a JSON object"),
        ("{}", "content is missing"),
        ({}, "content is missing"),
        ({"text": "x"}, "content is missing"),
        ({"content": 5}, "content is not a text"),
        ({"content": None}, "content is not a text"),
        ({"content": " "}, "content is empty"),
        ({"content": "x", "date": "2026-07-21", "time": "1"}, "no argument date, time"),
        ('{"content": "x", "owner": "y"}', "no argument owner"),
    ],
)
def test_a_broken_call_raises_and_saves_nothing(store: MemoryStore, args: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        handle_diary_tool(store.diary, args)  # type: ignore[arg-type]
    message = str(caught.value)
    assert message.startswith("The diary entry was not saved: ")
    assert message.endswith(f"Call append_diary with {json.dumps({'content': '...'})}.")
    assert not store.root.exists()
