"""A memory with conversations of several agents, for the tests of the Sessions area."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memex_core.actions.conversations.sessions import ingest_transcript
from memex_core.memex import Memex


def turn(role: str, content: str, ts: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "ts": ts, **more}


def shell(query: str, result: str, ts: str) -> dict[str, Any]:
    return turn("tool", "", ts, tool_name="shell", query=query, result=result, trust="local-tool")


LIMITS = [
    turn("user", "the crawler gets 429s again, look at the client", "2026-11-30T09:14:00Z"),
    turn(
        "agent", "The header is read in http_client.send; it sleeps for retry-after.", "2026-11-30T09:15:00Z"
    ),
    shell("grep -n retry http_client.py", "12: wait(retry_after)\n40: retry()", "2026-11-30T09:15:20Z"),
    turn("user", "honour retry-after first. and raise the limit to 40 rps.", "2026-11-30T09:16:00Z"),
    turn("agent", "Done. I noted both in the wiki.", "2026-11-30T09:26:00Z"),
]
TABLES = [
    turn("user", "<system-reminder>be brief</system-reminder>", "2026-11-29T08:01:00Z"),
    turn("user", "tables [/red] with brackets [b] please", "2026-11-29T08:02:00Z"),
    turn("agent", "Here they are.", "2026-11-29T08:02:30Z"),
]
OLD = [turn("user", "which port does the probe use?", "2026-06-02T10:00:00Z")]


def make_store(root: Path) -> Path:
    """Three conversations, two pages that cite the newest, and its episode."""
    with Memex(root, create=True) as memex:
        talks: list[tuple[str, list[dict[str, Any]], dict[str, Any]]] = [
            (
                "limits",
                LIMITS,
                {"harness": "codex", "title": "limits and retry", "project": "infra", "cwd": "/w/infra shop"}
                | {"token_usage": {"input": 12_000, "cached": 90_000, "output": 400}},
            ),
            ("tables", TABLES, {"harness": "claude", "project": "site"}),
            ("old-port", OLD, {"project": "deploy"}),
        ]
        for session, turns, about in talks:
            ingest_transcript(memex.store, session_id=session, turns=turns, metadata=about)
        memex.write(
            "procedure",
            "Retry policy",
            "Three tries with jitter, retry-after first.[^s1]",
            sources=["limits#4"],
            quotes=["honour retry-after first"],
        )
        memex.write("entity", "Rate limits", "40 rps.", session_id="limits", sources=["limits#4", "limits#3"])
    return root


def make_long(root: Path, turns: int, session: str = "long") -> None:
    """A conversation of so many turns: every 50th is typed, every other one a tool call."""
    with Memex(root, create=True) as memex:
        made = []
        for number in range(1, turns + 1):
            ts = f"2026-11-28T{number * 23 // turns:02}:00:00Z"
            if number % 50 == 1:
                made.append(turn("user", f"prompt {number}", ts))
            elif number % 2:
                made.append(shell(f"ls {number}", f"loaf {number}\nrye", ts))
            else:
                made.append(turn("agent", f"answer {number}", ts))
        about = {"harness": "claude", "title": "a long one", "project": "infra"}
        ingest_transcript(memex.store, session_id=session, turns=made, metadata=about)


def claude_session(home: Path, name: str = "0f00aa11-1111-4222-8333-444455556666") -> Path:
    """A session file of Claude Code in its usual place."""
    import json

    path = home / ".claude" / "projects" / "-w-kettle" / f"{name}.jsonl"
    path.parent.mkdir(parents=True)
    known = {"sessionId": name, "cwd": "/w/kettle", "version": "2.1.0", "gitBranch": "main"}
    records = [
        {"type": "user", "uuid": "u1", "parentUuid": None, "timestamp": "2026-11-30T10:00:00.000Z"}
        | {"message": {"role": "user", "content": "Fix the lid of the kettle"}},
        {"type": "assistant", "uuid": "a1", "parentUuid": "u1", "timestamp": "2026-11-30T10:00:03.000Z"}
        | {
            "message": {
                "id": "m1",
                "role": "assistant",
                "model": "claude-x",
                "content": [{"type": "text", "text": "It closes now."}],
                "usage": {"input_tokens": 30, "output_tokens": 12},
            }
        },
    ]
    lines = [
        json.dumps({**record, **known, "isSidechain": False, "userType": "external"}) for record in records
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
