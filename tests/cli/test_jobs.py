"""``memex jobs`` as processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memex_core import Memex
from tests.chat_server import ChatServer
from tests.cli.conftest import Runner
from tests.cli.test_consolidate import filled, server  # noqa: F401 - fixtures

PROSE = "I would rather talk about \x1b[31mthe weather\x1b[0m."


@pytest.fixture
def failed(filled: Path, server: ChatServer) -> Path:  # noqa: F811
    """A store of which one conversation could not be read."""
    server.says = [PROSE]
    with Memex(filled) as memex:
        memex.consolidate(max_episodes=1)
    return filled


def test_the_list_says_what_is_wrong_and_what_to_do(failed: Path, memex: Runner) -> None:
    text = " ".join(memex("jobs", "list", "--text").text.split())
    assert "retrying sess-2#1 turns 1 to 1, 1 attempt" in text
    assert "pending sess-1#1" in text
    assert "next: memex jobs show 'sess-2#1', then memex consolidate" in text
    assert "1 pending, 1 retrying; 1 of 100 calls of 24 hours" in text
    rows = memex("jobs", "list", "--jsonl", "--state", "retrying,held").lines
    assert [row["id"] for row in rows] == ["sess-2#1"]
    assert memex("jobs", "list", "--state", "lost").code == 2


def test_the_answer_is_shown_as_it_came_but_for_control_signs(failed: Path, memex: Runner) -> None:
    done = memex("jobs", "show", "sess-2#1", "--text")
    assert "The answer as it came" in done.text and "the weather" in done.text
    assert "\x1b[31m" not in done.text
    assert memex("jobs", "show", "sess-2#1").json["raw"] == PROSE
    assert memex("jobs", "show", "nope#1").code == 1


def test_retry_and_dismiss(failed: Path, memex: Runner, server: ChatServer) -> None:  # noqa: F811
    assert memex("jobs", "retry").code == 2
    assert memex("jobs", "retry", "--all").json["retried"] == ["sess-2#1"]
    assert "1 turn would be given up" in memex("jobs", "dismiss", "sess-2#1", "--dry-run", "--text").text
    assert memex("jobs", "dismiss", "sess-2#1", "--why", "weather").json["dismissed"] is True
    for act, what in (("dismiss", "give up"), ("retry", "try again")):  # rightly said, and nothing to do
        done = memex("jobs", act, "sess-2#1")
        assert (done.code, done.err.partition(";")[0]) == (
            1,
            f"memex: sess-2#1 is done: there is nothing to {what}",
        )
    server.says = ["[]"]
    assert memex("consolidate").json["episodes_processed"] == 1
    counts = memex("jobs", "list").json["counts"]
    assert (counts["done"], counts["retrying"], counts["pending"]) == (2, 0, 0)


def test_the_key_is_in_no_output(failed: Path, memex: Runner) -> None:
    (failed / "memex.toml").write_text(
        '[consolidation]\nprovider = "openai"\nmodel = "x"\napi_key = "sekret"\n'
    )
    for words in (("jobs", "list"), ("models", "show"), ("info",)):
        assert "sekret" not in json.dumps(memex(*words).json)
