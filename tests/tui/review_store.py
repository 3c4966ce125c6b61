"""A memory in which something of every kind waits for review, proposed through the real ways."""

from __future__ import annotations

from pathlib import Path

from memex_core import Memex
from memex_core.actions.conversations.sessions import ingest_transcript
from tests.tui.sources_store import TALK

OWNER, CODEX, CLAUDE = "human:ada", "codex/0.60", "claude-code/2.1"
RATES = "Each key has a bucket of 30 requests.\nA 429 means: wait a minute.\n\n## Why\n\nThe old limiter starved\nthe probe.\n\n## Who\n\nAsk Anna first, then Ben.\n"
BETTER = RATES.replace("30 requests", "40 requests").replace("Anna first, then Ben", "Ben")
PORT = "The probe answers on port 8080.\n"
QUOTE = "honour retry-after first, then the retry policy."


def make_store(root: Path) -> Path:
    """Two pages in force with a change proposed for each, one of them changed by hand since; a new page with
    evidence and one without; a page with a disputed source."""
    with Memex(root, create=True, actor=OWNER) as memex:
        about = {"harness": "codex", "title": "limits and retry"}
        ingest_transcript(memex.store, session_id="limits", turns=TALK, metadata=about)
        memex.write("summary", "Rate limits", RATES)
        memex.write("entity", "Health probe", PORT)
        memex.write(
            "procedure", "Retry policy", "Retry-after first.[^s1]\n", sources=["limits#4"], quotes=[QUOTE]
        )
    with Memex(root, actor=CODEX) as memex:
        memex.edit("rate-limits", body=BETTER, sources=["limits#4"], quotes=["raise the limit to 40 rps."])
        memex.edit("health-probe", body="The probe answers on port 9090.\n")
        memex.write(
            "entity", "Batch jobs", "They wait.\n\nThey run at night.\n", sources=["limits#2:context"]
        )
    with Memex(root, actor=CLAUDE) as memex:
        memex.write("preference", "Tables [/red] for Anna [b]", "Numbers go into [tables].\n")
    with Memex(root, actor=OWNER) as memex:
        memex.edit("health-probe", body="The probe answers on port 8081.\n")
        dispute(memex, "procedures/retry-policy.md", "the quote is out of its context")
    return root


def dispute(memex: Memex, path: str, why: str) -> None:
    """As Sources does it."""
    from memex_tui.screens.sources import changing, presenter

    statement = next(one for one in presenter.load(memex, path).statements if one.resource)
    changing.dispute(memex, statement, why)


def make_many(root: Path, count: int) -> Path:
    """So many drafts of one agent."""
    with Memex(root, create=True, actor=OWNER):
        pass
    pages = root / "docs" / "entities"
    pages.mkdir(parents=True)
    for number in range(count):
        front = f"type: entity\ntitle: Draft {number:04}\nstatus: draft\ngenerated: {{by: {CODEX}, at: 2026-11-29}}\n"
        (pages / f"draft-{number:04}.md").write_text(
            f"---\n{front}---\nThe {number}th draft.\n", encoding="utf-8"
        )
    return root
