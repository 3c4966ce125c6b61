"""A memory whose pages rest on turns in every way there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memex_core import Memex
from memex_core.actions.conversations.sessions import ingest_transcript

TALK: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": "the crawler gets 429s again, look at the client",
        "ts": "2026-11-21T09:14:00Z",
    },
    {
        "role": "agent",
        "content": "The header is read in http_client.send; it sleeps for retry-after.",
        "ts": "2026-11-21T09:15:00Z",
    },
    {
        "role": "tool",
        "tool_name": "read_file",
        "query": "http_client.py",
        "result": "def send():\n    wait(retry_after)\n    retry()",
        "trust": "local-tool",
        "ts": "2026-11-21T09:15:20Z",
    },
    {
        "role": "user",
        "content": "right: honour retry-after first, then the retry\npolicy. and raise the limit to 40 rps.",
        "ts": "2026-11-21T09:16:00Z",
    },
    {"role": "agent", "content": "Done. I noted both in the wiki.", "ts": "2026-11-21T09:18:00Z"},
]
RATES = "summaries/rate-limits.md"
POLICY = "procedures/retry-policy.md"
PLAIN = "notes/plain.md"

_RATES = """---
type: summary
title: Rate limits
sources:
  - id: s1
    resource: memex:limits#4
    lane: evidence
    quote: honour retry-after first, then the retry policy.
  - id: s2
    resource: memex:limits#2
    lane: context
    quote: it sleeps for retry-after
  - id: s3
    resource: memex:limits#4
    lane: evidence
    quote: raise the limit to 50 rps
  - id: s4
    resource: memex:gone#3
    lane: evidence
    quote: words of a session that is not here
  - id: s5
    resource: https://example.org/limits
    lane: context
  - id: s6
    resource: memex:limits#99
    lane: evidence
---
Each key has a bucket. A 429 carries retry-after; the client honours it.[^s1] It sleeps.[^s2]

- Raised to 50 rps.[^s3]
- Said long ago.[^s4]
- The provider says so too.[^s5]
- The last turn says so.[^s6]
- Nobody knows why.[^nowhere]
"""


def make_store(root: Path) -> Path:
    """Two pages that cite ``limits``, one without sources, and an episode page."""
    with Memex(root, create=True) as memex:
        about = {"harness": "codex", "title": "limits and retry"}
        ingest_transcript(memex.store, session_id="limits", turns=TALK, metadata=about)
        memex.write(
            "procedure",
            "Retry policy",
            "Three tries with jitter, retry-after first.[^s1]",
            sources=["limits#4"],
            quotes=["honour retry-after first"],
        )
        pages = Path(memex.store.layout.pages)
    for path, text in ((RATES, _RATES), (PLAIN, "# Plain\n\nNobody proves this.\n")):
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        (pages / path).write_text(text, encoding="utf-8")
    return root
