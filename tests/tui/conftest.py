"""A small memory that every area can be shown with, at a fixed day."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memex_core.memex import Memex
from tests.tui import idle

idle.install()

DAY = "2026-11-30T12:00:00Z"

PAGES = (
    ("entity", "Rate limits", "Each API key has a bucket of 30 requests per second.\n\nA **429** carries"
     " *retry-after*; the client in [[HTTP client]] honours it, then falls back to [[Retry policy]].\n\n"
     "## Why\n\nThe old global limiter starved the health probe, see [[Incident 2026-03]].\n", "api, limits"),
    ("procedure", "Retry policy", "Three tries with jitter, never on 4xx except 429.\n\n1. wait\n2. try\n", "api"),
    ("entity", "HTTP client", "Rate limit headers are read in one place, `http_client.send`.\n", "api, python"),
    ("summary", "Incident 2026-03", "The limiter rejected the health probe for ten minutes.\n", "incident"),
    ("preference", "Tabs [/red] never [b]", "Spaces. Brackets [/] and [[Missing page]] stay text.\n", "style"),
    ("summary", "数据模型 🚀 notes", "数据模型 is a data model. Wide letters keep their columns.\n", "unicode"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every stamp and every age is of one day."""
    monkeypatch.setenv("MEMEX_NOW", DAY)


@pytest.fixture(autouse=True)
def no_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames are the same on every machine: what the Health area says of the machine is tested by itself."""
    monkeypatch.setattr("memex_tui.screens.health.doctoring.examine", lambda memex, thorough: [])


@pytest.fixture
def store(root: Path) -> Path:
    """A memory with pages, links, a diary day and a conversation."""
    with Memex(root, create=True) as memex:
        for type, title, body, tags in PAGES:
            memex.write(type, title, body, tags=tags)
        memex.diary_append(
            "Raised the limit of the batch key, see [[Rate limits]].", date="2026-11-29", time="09:20"
        )
        memex.ingest_transcript(
            "sess-limits",
            turns=[
                {"role": "user", "content": "the crawler gets 429s again", "ts": "2026-11-21T09:14:00Z"},
                {
                    "role": "agent",
                    "content": "The header is read in http_client.send.",
                    "ts": "2026-11-21T09:15:00Z",
                },
                {"role": "user", "content": "honour retry-after first", "ts": "2026-11-21T09:16:00Z"},
            ],
        )
    return root


@pytest.fixture
def pages(tmp_path: Path) -> Callable[[int], Path]:
    """Make a folder of so many pages."""

    def make(count: int) -> Path:
        folder = tmp_path / "vault"
        folder.mkdir()
        for number in range(count):
            text = f"# Page {number:05}\n\nThe {number}th page about topic {number % 7}.\n"
            (folder / f"page-{number:05}.md").write_text(text, encoding="utf-8")
        return folder

    return make
