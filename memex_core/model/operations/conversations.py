"""Operations on conversations and on the turns that prove a page."""

from __future__ import annotations

from memex_core.model.operations.history import YES
from memex_core.model.operations.pages import SLUG
from memex_core.model.operations.registry import DRY_RUN, PROJECT, SCOPE, Operation, Param
from memex_core.model.operations.upkeep import PROGRESS

OPERATIONS = (
    Operation(
        "ingest-transcript",
        "store a conversation and write its episode page",
        "conversations",
        (
            Param("session_id", "the conversation's id", required=True, metavar="ID"),
            Param(
                "turns_file",
                "JSON Lines, a turn a line; - reads standard input",
                "path",
                None,
                required=True,
                stdin=True,
            ),
            Param("turns", "the turns themselves, as maps, instead of a file", face="api"),
            Param("metadata", "what else is known of it, kept beside it", "map", None),
            PROJECT,
            Param("overwrite", "replace a stored conversation of that id", "bool", False),
            DRY_RUN,
        ),
        writes=True,
        creates=True,
        example="memex ingest-transcript --session-id sess-42 --turns-file turns.jsonl",
    ),
    Operation(
        "capture",
        "take in coding agents' own session files, as far as they have grown",
        "conversations",
        (
            Param(
                "paths",
                "session files, exports, folders",
                "list",
                (),
                positional=True,
                metavar="PATH",
            ),
            Param(
                "agent",
                "only of this agent, from its usual place",
                choices=("claude", "codex", "pi", "gemini", "chatgpt", "claude-ai", "memex"),
            ),
            Param("all", "of every agent, from their usual places", "bool", False),
            PROGRESS,
            DRY_RUN,
        ),
        writes=True,
        creates=True,
        rows="sessions",
        example="memex capture --all",
        detail="A second capture adds what is new; a session that is gone at its source stays.",
    ),
    Operation(
        "sessions",
        "list stored conversations, newest first",
        "conversations",
        (
            Param("agent", "only of this agent", metavar="NAME"),
            PROJECT,
            Param("since", "only from this date on", metavar="DATE"),
            Param("limit", "at most so many", "int", 50),
        ),
        rows="sessions",
        example="memex sessions --since 2026-11-01",
    ),
    Operation(
        "session",
        "print a conversation",
        "conversations",
        (
            Param("session", "the conversation's id", positional=True, required=True, metavar="ID"),
            Param("turns", "only these turns, such as 4-9", metavar="A-B"),
        ),
        example="memex session sess-42 --turns 1-10",
    ),
    Operation(
        "trace",
        "show the turns that prove a page",
        "conversations",
        (SLUG, SCOPE, PROJECT),
        example="memex trace ruff-linter",
    ),
    Operation(
        "clear-transcripts",
        "delete all stored conversations; pages stay",
        "conversations",
        (YES, DRY_RUN),
        writes=True,
        destroys=True,
        example="memex clear-transcripts --yes",
    ),
)
