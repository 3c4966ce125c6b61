"""Codex: hooks in ``hooks.json``; the MCP server and ``notify`` in ``config.toml``."""

from __future__ import annotations

import os

from memex_core.harness.setup.codex_toml import CodexToml
from memex_core.harness.setup.command import Caller
from memex_core.harness.setup.entry import Settings
from memex_core.harness.setup.hooks import Hook, Hooks
from memex_core.harness.setup.json_settings import JsonSettings
from memex_core.harness.setup.where import Where

TITLE = "Codex"
NEXT = (
    "restart Codex and trust the hooks there: /hooks; until then memex' own notify captures, if it is in",
)
HOOKS = (  # seconds; Codex gives SessionEnd three at most
    Hook("SessionStart", "session-start", 10),
    Hook("UserPromptSubmit", "prompt", 10),
    Hook("Stop", "transcript", 10),
    Hook("PreCompact", "pre-compact", 10),
    Hook("PostCompact", "post-compact", 10),
    Hook("SessionEnd", "session-end", 3),
)


def folder(where: Where) -> str:
    return where.folder(".codex", "CODEX_HOME")


def settings(where: Where, caller: Caller, *, windows: bool) -> tuple[Settings, ...]:
    at = folder(where)
    return (
        JsonSettings(os.path.join(at, "hooks.json"), (Hooks("codex", caller, HOOKS, windows),)),
        CodexToml(os.path.join(at, "config.toml"), caller, notify=not where.project),
    )
