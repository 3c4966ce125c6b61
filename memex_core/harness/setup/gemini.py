"""Gemini CLI: hooks and the MCP server in one ``settings.json``."""

from __future__ import annotations

import os

from memex_core.harness.setup.command import Caller
from memex_core.harness.setup.entry import Settings
from memex_core.harness.setup.hooks import Hook, Hooks
from memex_core.harness.setup.json_settings import JsonSettings
from memex_core.harness.setup.servers import Server
from memex_core.harness.setup.where import Where

TITLE = "Gemini CLI"
NEXT = ("restart Gemini CLI; /hooks and /mcp show what it runs",)
HOOKS = (  # milliseconds
    Hook("SessionStart", "session-start", 10_000),
    Hook("BeforeAgent", "prompt", 10_000),
    Hook("AfterAgent", "transcript", 10_000),
    Hook("PreCompress", "pre-compact", 10_000),
    Hook("SessionEnd", "session-end", 10_000),
)

OFF = (("hooksConfig", "enabled"), False)


def folder(where: Where) -> str:
    return where.folder(".gemini", "GEMINI_CLI_HOME", own=".gemini")


def settings(where: Where, caller: Caller, *, windows: bool) -> tuple[Settings, ...]:
    path = os.path.join(folder(where), "settings.json")
    hooks = Hooks("gemini", caller, HOOKS, windows, (("name", "memex"),), OFF)
    return (JsonSettings(path, (hooks, Server(path, "mcpServers", caller))),)
