"""What coding agents are connected by."""

from __future__ import annotations

from memex_core.model.operations.registry import Operation, Param

OPERATIONS = (
    Operation(
        "serve-mcp",
        "serve the memory to an agent over MCP, on standard input and output",
        "agents",
        (Param("read_only", "offer no tool that writes", "bool", False),),
        method=False,
        example="memex serve-mcp --root ~/notes --read-only",
    ),
)
