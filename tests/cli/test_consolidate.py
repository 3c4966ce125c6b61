"""``memex extract`` and ``memex consolidate`` as processes: what they print, and their exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from tests.chat_server import ChatServer
from tests.cli.conftest import Runner
from tests.loopback import dead_base

RUFF = "For this project I prefer ruff over flake8 and always will."
NOTE = {
    "type": "preference",
    "title": "Ruff for linting",
    "body": "The person lints with ruff.",
    "quotes": [{"turn": 1, "quote": "I prefer ruff over flake8"}],
    "grounding": "explicit",
    "durable": True,
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ChatServer() as running:
        yield running


def settings(root: Path, base: str, **more: Any) -> None:
    values = {"provider": "custom", "model": "toy", "api_base": base, **more}
    text = "[consolidation]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    (root / "memex.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def filled(root: Path, server: ChatServer) -> Path:
    """A store with two conversations, the second one as of a page's turn."""
    with Memex(root, create=True) as memex:
        for number in (1, 2):
            turns = [{"role": "user", "content": RUFF, "ts": f"2026-01-0{number}T10:00:00Z"}]
            memex.ingest_transcript(f"sess-{number}", turns=turns)
    settings(root, server.base)
    return root


def test_a_good_answer_exits_0_and_a_second_run_has_nothing_to_do(
    filled: Path, memex: Runner, server: ChatServer
) -> None:
    server.says = [json.dumps([NOTE])]
    done = memex("consolidate", "--max-episodes", "1")
    assert (done.code, [row["slug"] for row in done.json["nodes_created"]]) == (0, ["ruff-for-linting"])
    assert memex("show", "ruff-for-linting").json["status"] == "draft"
    assert memex("consolidate").code == 0
    again = memex("consolidate", "--text")
    assert (again.code, again.text) == (0, "Nothing unread.\n")
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("answer", "behaviour", "code"),
    [
        ("Nothing comes to mind.", "well", "unreadable-answer"),
        ("", "well", "empty-answer"),
        (json.dumps([NOTE, NOTE])[:-9], "well", "cut-answer"),
        ("", "error", "endpoint-failed"),
        ("", "torn", "endpoint-failed"),
        ("", "busy", "endpoint-busy"),
    ],
)
def test_what_fails_exits_1_and_is_a_job(
    filled: Path, memex: Runner, server: ChatServer, answer: str, behaviour: str, code: str
) -> None:
    server.says = [answer]
    server.behave(behaviour)
    done = memex("consolidate", "--max-episodes", "1")
    assert (done.code, [row["code"] for row in done.json["failed"]]) == (1, [code])
    jobs = memex("jobs", "list", "--state", "retrying").json["jobs"]
    assert [job["code"] for job in jobs] == [code]
    server.behave("well")
    server.says = ["[]"]
    assert memex("consolidate").code == 0
    assert memex("jobs", "list").json["counts"]["retrying"] == 0


def test_turns_that_were_given_up_are_not_called_read(
    filled: Path, memex: Runner, server: ChatServer
) -> None:
    settings(filled, server.base, max_attempts=1)
    server.says = ["no list"]
    for number in (1, 2):
        assert memex("consolidate", "--session", f"sess-{number}").code == 1
    done = memex("consolidate", "--text")
    assert (done.code, done.text) == (1, "Nothing else is unread.\n")
    assert "sess-1#1 has failed 1 time: memex jobs retry 'sess-1#1'" in done.err
    assert memex("consolidate", "--background").code == 0
    assert memex("consolidate", "--dry-run").code == 0


def test_calls_that_were_used_up_before_the_end_exit_1(
    filled: Path, memex: Runner, server: ChatServer
) -> None:
    settings(filled, server.base, max_calls=1)
    server.says = ["[]"]
    done = memex("consolidate", "--text")
    assert done.code == 1
    assert "next: memex consolidate" in done.text
    assert memex("consolidate").code == 0


def test_what_a_setting_holds_exits_1_with_the_next_command(
    filled: Path, memex: Runner, server: ChatServer
) -> None:
    server.behave("refused")
    done = memex("consolidate", "--text")
    assert done.code == 1
    assert "held: 127.0.0.1" in done.text and "next: memex models set --api-key -" in done.text
    (filled / "memex.toml").unlink()
    done = memex("consolidate")
    assert (done.code, done.json["held"]["code"]) == (1, "no-model")


def test_nobody_there_and_nobody_in_time(filled: Path, memex: Runner, server: ChatServer) -> None:
    settings(filled, dead_base())
    assert memex("consolidate").json["failed"][0]["code"] == "endpoint-down"
    settings(filled, server.base, timeout=1)
    server.behave("slow")
    done = memex("consolidate")
    assert (done.code, done.json["failed"][0]["code"]) == (1, "endpoint-slow")


def test_a_run_that_is_killed_leaves_the_turns_unread(
    filled: Path, memex: Runner, server: ChatServer
) -> None:
    server.behave("slow")
    command = [sys.executable, "-m", "memex_core.cli", "--root", str(filled), "consolidate"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        assert server.asked.wait(120)
        done = memex("consolidate")
        assert done.code == 1 and "another memex consolidate is at work" in done.err
        assert memex("jobs", "list").json["counts"]["running"] == 1
        running.kill()
    counts = memex("jobs", "list").json["counts"]
    assert (counts["running"], counts["pending"]) == (0, 2)
    server.let_go()
    server.behave("well")
    assert memex("consolidate").json["episodes_processed"] == 2
    assert memex("jobs", "list").json["calls"]["day"] == 3  # the one that was killed counts


def test_a_dry_run_shows_the_prompts_without_a_model(filled: Path, memex: Runner) -> None:
    (filled / "memex.toml").unlink()
    done = memex("consolidate", "--mode", "dry-run", "--text")
    assert done.code == 0
    assert "sess-1, turns 1 to 1: about" in done.text and "2 calls, about" in done.text
    assert memex("consolidate", "--dry-run").json["mode"] == "dry-run"
    assert "consolidation" not in memex("status").json["last_runs"]


def test_the_text_names_what_was_made_and_thrown_away(
    filled: Path, memex: Runner, server: ChatServer
) -> None:
    invented = {**NOTE, "title": "Invented", "quotes": [{"turn": 1, "quote": "never said"}]}
    server.says = [json.dumps([NOTE, invented]), "[]"]
    text = memex("consolidate", "--text").text
    assert "Ruff for linting  preference, explicit  sess-1" in text
    assert "rejected  Invented  turn 1 does not say what it quotes" in text
    assert "1 page drafted; 2 calls of custom/toy, tokens sent and received: 200, 20" in text
    assert "memex review lists what waits for you" in text


def test_a_session_is_captured_and_then_read(
    root: Path, memex: Runner, server: ChatServer, tmp_path: Path
) -> None:
    """What a hook starts at the end of a session."""
    with Memex(root, create=True):
        pass
    settings(root, server.base)
    file = tmp_path / "sess-7.jsonl"
    file.write_text(json.dumps({"role": "user", "content": RUFF, "ts": "2026-01-01T10:00:00Z"}) + "\n")
    server.says = [json.dumps([NOTE])]
    done = memex("consolidate", "--background", "--capture", str(file))
    assert (done.code, done.json["nodes_created"][0]["session_id"]) == (0, "sess-7")
    assert memex("consolidate", "--capture", str(file), "--session", "x").code == 2


def test_in_the_background_a_failure_is_a_job_and_no_exit_code(
    filled: Path, memex: Runner, server: ChatServer
) -> None:
    server.behave("refused")
    assert memex("consolidate", "--background").code == 0
    assert memex("jobs", "list").json["counts"]["held"] == 2


def test_extract(filled: Path, memex: Runner) -> None:
    tried = memex("extract", "--dry-run").json
    assert (len(tried["created"]), len(tried["known"])) == (1, 1)
    text = memex("extract", "--session", "sess-1", "--text").text
    assert "1 page drafted; 1 turn of 1 conversation looked at" in text
    assert memex("extract", "--jsonl").out == b""
    assert memex("extract", "--session", "nope").code == 1


@pytest.mark.parametrize("words", [("consolidate", "--mode", "half"), ("consolidate", "--max-episodes", "0")])
def test_wrong_usage_exits_2(filled: Path, memex: Runner, words: tuple[str, ...]) -> None:
    assert memex(*words).code == 2
