"""What a model is told of the tools: all of them, no more than fits, and what the command line says too."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from memex_core.mcp import shapes
from memex_core.mcp.tools import TOOLS, Tool, offered
from memex_core.model.operations.registry import every_operation
from memex_core.model.results import Hit, WriteResult
from tests.mcp.conftest import Wire

NAMES = (
    "recall show write edit forget links provenance ingest_transcript search_transcripts read_transcript "
    "diary consolidate status export import"
).split()
WRITING = {"write", "edit", "forget", "ingest_transcript", "import", "diary", "consolidate"}


def listed(wire: Wire) -> dict[str, Any]:
    tools = wire.ask("tools/list")["result"]["tools"]
    assert all(tool["name"].startswith("memex_") for tool in tools)
    return {tool["name"].removeprefix("memex_"): tool for tool in tools}


def test_the_list_is_whole_and_small(wire: Wire) -> None:
    number = wire.request("tools/list")
    line = wire.lines.get(timeout=60)
    assert len(line) <= 10_000
    answer = json.loads(line)
    assert answer["id"] == number
    assert [tool["name"] for tool in answer["result"]["tools"]] == [f"memex_{name}" for name in NAMES]


def test_schemas_are_schemas_without_unions_and_every_tool_says_what_it_is(wire: Wire) -> None:
    for name, tool in listed(wire).items():
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert set(schema.get("required", ())) <= set(schema["properties"])
        for parameter in tool["inputSchema"]["properties"].values():
            assert isinstance(parameter["type"], str), name
        assert tool["title"]
        assert tool["description"].endswith(".")


def test_annotations_tell_what_a_call_may_do(wire: Wire) -> None:
    tools = listed(wire)
    reading = {name for name, tool in tools.items() if tool["annotations"]["readOnlyHint"]}
    assert reading == set(NAMES) - WRITING
    assert {name for name in WRITING if tools[name]["annotations"]["destructiveHint"]} == {"forget"}
    assert {name for name in WRITING if tools[name]["annotations"]["idempotentHint"]} == {
        "forget",
        "ingest_transcript",
        "import",
    }


def test_parameters_of_earlier_memories_keep_their_names(wire: Wire) -> None:
    wanted = {
        "write": "type title body tags importance links",
        "recall": "query top_k node_type",
        "forget": "slug mode",
        "ingest_transcript": "session_id turns",
        "provenance": "slug",
        "export": "format",
        "import": "nodes",
    }
    tools = listed(wire)
    for name, parameters in wanted.items():
        assert set(parameters.split()) <= set(tools[name]["inputSchema"]["properties"]), name
    assert tools["write"]["inputSchema"]["required"] == ["type", "title"]


def test_read_only_offers_nothing_that_writes(memex: Any, start: Callable[..., Wire], wire: Wire) -> None:
    reader = start("--read-only")
    assert "memex_write" not in reader.hello()["result"]["instructions"]
    tools = listed(reader)
    assert set(tools) == set(NAMES) - (WRITING - {"diary"})
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools.values())
    assert "text" not in tools["diary"]["inputSchema"]["properties"]
    added = reader.call("memex_diary", text="sneaked in")
    assert added["isError"] is True
    assert memex.diary_dates()["total"] == 0
    assert [one["name"] for one in reader.ask("prompts/list")["result"]["prompts"]] == ["recall"]
    assert reader.ask("prompts/get", {"name": "remember"})["error"]["code"] == -32602
    assert reader.ask("tools/call", {"name": "memex_write", "arguments": {}})["error"]["code"] == -32602


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_what_a_tool_takes_is_what_its_operation_takes(tool: Tool) -> None:
    """A parameter added to an operation reaches its tool, described or not."""
    own = {param.name for param in tool._more}
    of_operation = {param.name for name, param in tool.params.items() if name not in own}
    assert of_operation <= {param.name for param in tool.operation.api_params()}
    missing = {p.name for p in tool.operation.api_params()} - of_operation - tool._hidden - own
    assert not missing
    assert set(tool.input_schema()["properties"]) <= set(tool.params)


def test_every_tool_is_an_operation_of_the_registry() -> None:
    names = {op.name for op in every_operation()}
    assert {tool.operation.name for tool in TOOLS} <= names
    assert list(offered(read_only=False)) == [tool.name for tool in TOOLS]


def test_a_shape_as_a_schema() -> None:
    assert shapes.schema_of(WriteResult, ("slug", "links", "changed")) == {
        "type": "object",
        "properties": {
            "slug": {"type": "string"},
            "links": {"type": "array"},
            "changed": {"type": "boolean"},
        },
        "required": ["slug", "links", "changed"],
    }
    hit = shapes.schema_of(Hit, ("rank", "score", "last_access", "why", "turn"))
    assert hit["properties"] == {
        "rank": {"type": "integer"},
        "score": {"type": "number"},
        "last_access": {"type": ["string", "null"]},
        "why": {"type": "object"},
        "turn": {"type": "integer"},
    }
    assert hit["required"] == ["rank", "score", "last_access", "why"]


def test_no_other_command_pays_for_the_sdk() -> None:
    code = (
        "import sys; from memex_core.cli.run import run; "
        "run(['serve-mcp', '--help']); run(['--help']); run(['list', '--root', '/nowhere']); "
        "sys.exit(bool({'mcp', 'mcp_types', 'pydantic', 'anyio'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.returncode == 0, done.stderr
