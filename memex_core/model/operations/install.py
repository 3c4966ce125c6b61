"""Connecting agents with the memory, and parting them again."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param

_HOME = Param("home", "the home whose agents are meant (default: yours)", "path", None, metavar="DIR")
_PROJECT = Param(
    "project", "the settings of a project instead (copilot: default here)", "path", metavar="DIR"
)
_AGENTS = ("claude", "codex", "pi", "copilot", "gemini", "custom")

OPERATIONS = (
    Operation(
        "install",
        "connect an agent: its hooks and MCP server, and nothing else of its settings",
        "install",
        (Param("agent", "the agent", positional=True, choices=_AGENTS), _HOME, _PROJECT, DRY_RUN),
        writes=True,
        method=False,
        common=True,
        example="memex install claude --dry-run",
        detail="Without a name it lists the agents that are here and what they have of memex. A file that"
        " is changed is kept beside it as NAME.memex-bak. custom prints what to paste elsewhere.",
    ),
    Operation(
        "uninstall",
        "take memex's entries out of an agent's settings again",
        "install",
        (
            Param("agent", "the agent", positional=True, required=True, choices=_AGENTS),
            _HOME,
            _PROJECT,
            DRY_RUN,
        ),
        writes=True,
        method=False,
        example="memex uninstall claude",
    ),
)
