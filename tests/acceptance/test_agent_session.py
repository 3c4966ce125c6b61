"""Memory of a coding agent from end to end, every step a process of its own as its agent would start it.

A session is held and captured; the agent proposes a page and proves it by what the user said; the user
approves it; the next session is given it with trust and date; an edit corrects it, and forgetting it
withdraws it.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MEMEX, Done
from tests.harness.writing import Claude, lines
from tests.mcp.conftest import Wire

FIRST = "5e551000-0000-4000-8000-00000000000a"
SECOND = "5e551000-0000-4000-8000-00000000000b"
SAID = "Commits in this repository begin with the ticket number, like BOAT-12."

Hook = Callable[..., str]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "work" / "boat"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def hook(root: Path, project: Path, tmp_path: Path) -> Hook:
    """Call a hook as Claude Code does; returns the context that it adds."""
    sessions = tmp_path / "home" / ".claude" / "projects" / "-work-boat"
    names = {"session-start": "SessionStart", "prompt": "UserPromptSubmit", "session-end": "SessionEnd"}

    def call(event: str, session: str, *words: str, **said: Any) -> str:
        payload = {
            "session_id": session,
            "transcript_path": str(sessions / f"{session}.jsonl"),
            "cwd": str(project),
            "hook_event_name": names.get(event, event),
            **said,
        }
        done = subprocess.run(
            [MEMEX, "--root", str(root), "hook", event, *words],
            input=json.dumps(payload).encode(),
            capture_output=True,
            cwd=project,
            env=dict(os.environ),
            timeout=120,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        if not done.stdout:
            return ""
        specific = json.loads(done.stdout)["hookSpecificOutput"]
        assert specific["hookEventName"] == payload["hook_event_name"]
        return str(specific["additionalContext"])

    return call


def test_a_session_and_what_became_of_it(
    cli: Callable[..., Done],
    hook: Hook,
    root: Path,
    project: Path,
    tmp_path: Path,
    later: Callable[[str], None],
) -> None:
    cli("init", str(root), check=True)

    # -- the first session: nothing is known yet, and it is captured at its end
    later("2026-03-04T10:00:00Z")
    assert hook("session-start", FIRST, source="startup") == ""
    assert hook("prompt", FIRST, prompt=SAID) == ""
    one = Claude(FIRST)
    file = tmp_path / "home" / ".claude" / "projects" / "-work-boat" / f"{FIRST}.jsonl"
    lines(file, one.user("u1", SAID), one.agent("a1", "I will write BOAT-12 in front."))
    hook("session-end", FIRST, "--wait", reason="other")
    (session,) = cli("sessions", check=True).json["sessions"]
    assert (session["session_id"], session["turn_count"]) == (FIRST, 2)

    # -- the agent proposes a page through its server, with the user's words as proof
    server = Wire(["--root", str(root), "serve-mcp"], dict(os.environ), project)
    try:
        server.hello(name="claude-code")
        written = server.content(
            "memex_write",
            type="preference",
            title="Commits begin with the ticket",
            body="Begin every commit message with the ticket number, like BOAT-12.",
            sources=[f"{FIRST}#1"],
        )
        assert server.end() == 0
    finally:
        server.close()
    slug = written["slug"]
    page = cli("show", slug, check=True).json
    assert page["status"] == "draft"
    (proof,) = cli("trace", slug, check=True).json["evidence"]
    assert (proof["session"], proof["turn"], proof["found"]) == (FIRST, 1, True)

    # -- a draft is nobody's memory
    later("2026-03-05T09:00:00Z")
    assert hook("session-start", SECOND, source="startup") == ""

    # -- approved, the next session starts with it, and knows how far to trust it and from when it is
    cli("approve", slug, check=True)
    later("2026-03-05T10:00:00Z")
    block = hook("session-start", SECOND, source="clear")
    assert "1. Commits begin with the ticket (preference)" in block
    assert "human-reviewed" in block
    assert "updated 2026-03-0" in block
    assert "   | Begin every commit message with the ticket number, like BOAT-12." in block
    assert f"file: {root / 'docs' / 'preferences' / slug}.md" in block
    assert hook("prompt", SECOND, prompt="How do commits begin here?") == ""  # it has it already

    # -- an edit corrects it, with whatever the user says next
    cli("edit", slug, "--body", "Begin every commit message with the ticket, like [BOAT-12].", check=True)
    block = hook("prompt", SECOND, prompt="thanks")
    assert "1. updated, replaces what you were given earlier: Commits begin with the ticket" in block
    assert "like [BOAT-12]." in block
    assert hook("prompt", SECOND, prompt="thanks") == ""

    # -- forgotten, it is withdrawn
    cli("forget", slug, check=True)
    block = hook("prompt", SECOND, prompt="ok")
    assert "No longer holds" in block and slug in block
    assert "BOAT-12" not in block
    assert hook("prompt", SECOND, prompt="ok") == ""
    assert slug not in hook("prompt", SECOND, prompt="How do commits begin here?")

    # -- all of it can be read afterwards
    rows = cli("receipts", "--session", SECOND, check=True).json["receipts"]
    given = [row for row in reversed(rows) if row["state"] == "emitted"][:3]
    assert [(row["event"], [page["slug"] for page in row["pages"]]) for row in given] == [
        ("session-start", [slug]),
        ("prompt", [slug]),
        ("prompt", []),
    ]
    assert [row.get("withdrawn") for row in given] == [None, None, [slug]]
