"""Claude Code: hooks in ``settings.json``, the MCP server in ``.claude.json`` (a project: ``.mcp.json``)."""

from __future__ import annotations

import os

from memex_core.harness.setup.command import Caller
from memex_core.harness.setup.entry import Settings
from memex_core.harness.setup.hooks import Hook, Hooks
from memex_core.harness.setup.json_settings import JsonSettings
from memex_core.harness.setup.servers import Server
from memex_core.harness.setup.where import Where

TITLE = "Claude Code"
NEXT = ("restart Claude Code; /hooks and /mcp show what it runs",)
HOOKS = (  # seconds
    Hook("SessionStart", "session-start", 10),
    Hook("UserPromptSubmit", "prompt", 10),
    Hook("Stop", "transcript", 10),
    Hook("PreCompact", "pre-compact", 10),
    Hook("SessionEnd", "session-end", 10),
)

OFF = (("disableAllHooks",), True)


def folder(where: Where) -> str:
    return where.folder(".claude", "CLAUDE_CONFIG_DIR")


def settings(where: Where, caller: Caller, *, windows: bool) -> tuple[Settings, ...]:
    at = folder(where)
    if where.project:  # the file that Claude Code keeps out of git: the commands are this machine's
        hooks, servers = os.path.join(at, "settings.local.json"), os.path.join(where.project, ".mcp.json")
    else:
        moved = bool(where.environ.get("CLAUDE_CONFIG_DIR"))
        hooks = os.path.join(at, "settings.json")
        servers = os.path.join(at if moved else where.home, ".claude.json")
    return (
        JsonSettings(hooks, (Hooks("claude", caller, HOOKS, windows, off=OFF),)),
        JsonSettings(servers, (Server(servers, "mcpServers", caller, "stdio"),)),
    )
