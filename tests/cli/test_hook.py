"""``memex hook`` as agents start it: one answer on stdout, notices on stderr, and an exit code that stops
nobody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done, Runner


def payload(**said: Any) -> bytes:
    return json.dumps({"session_id": "s1", "hook_event_name": "UserPromptSubmit", **said}).encode()


ASK = payload(prompt="tell me about the shop of Ada")


def test_claude_code_gets_json_and_nothing_else(memex: Runner, store: Path) -> None:
    done = memex("hook", "prompt", stdin=ASK)
    assert (done.code, done.err, done.out.count(b"\n")) == (0, "", 1)
    specific = done.json["hookSpecificOutput"]
    assert specific["hookEventName"] == "UserPromptSubmit"
    assert specific["additionalContext"].startswith("=== memex memory: ")
    assert "Shop (entity)" in specific["additionalContext"]
    again = memex("hook", "prompt", stdin=ASK)
    assert (again.code, again.out, again.err) == (0, b"", "")


def test_an_agent_that_names_no_event_gets_the_text(memex: Runner, store: Path) -> None:
    done = memex("hook", "prompt", stdin=b"tell me about the shop of Ada")
    assert done.text.splitlines()[-1] == "=== end of memex memory ==="
    argument = memex("hook", "prompt", json.dumps({"prompt": "tell me about the shop of Ada"}))
    assert argument.text == done.text


def test_a_session_starts_with_preferences(memex: Runner, store: Path) -> None:
    done = memex("hook", "session-start", stdin=payload(hook_event_name="SessionStart", source="startup"))
    assert "Use ruff, never flake8" in done.json["hookSpecificOutput"]["additionalContext"]


def test_a_prompt_about_nothing_gets_nothing(memex: Runner, store: Path) -> None:
    for prompt in ("thanks", "run the tests", "make it faster please"):
        done = memex("hook", "prompt", stdin=payload(prompt=prompt))
        assert (done.code, done.out, done.err) == (0, b"", "")


BAD = [
    (("hook", "prompt"), b""),
    (("hook", "prompt"), b'{"prompt": "a'),
    (("hook", "prompt"), b"[]"),
    (("hook", "session-end"), b"\xff\xfe"),
    (("hook", "stop"), b"{}"),
    (("hook",), b"{}"),
    (("hook", "prompt", "--frobnicate"), b"{}"),
    (("hook", "prompt", "{}", "more"), b""),
]


@pytest.mark.parametrize(("words", "stdin"), BAD)
def test_what_is_wrong_is_one_line_and_stops_nobody(
    memex: Runner, store: Path, words: tuple[str, ...], stdin: bytes
) -> None:
    done = memex(*words, stdin=stdin)
    assert (done.code, done.out) == (0, b"")
    assert done.err.startswith("memex: ") and done.err.count("\n") == 1
    strict = memex(*words, stdin=stdin, env={"MEMEX_STRICT": "1"})
    assert (strict.code, strict.out) == (1, b"")


def test_no_store_and_a_broken_setting_stop_nobody(bare: Runner, memex: Runner, store: Path) -> None:
    def one_line(done: Done) -> None:
        assert (done.code, done.out, done.err.count("\n")) == (0, b"", 1)

    one_line(bare("--root", str(store.parent / "none"), "hook", "prompt", stdin=ASK))
    (store / "memex.toml").write_text("[recall\n")
    one_line(memex("hook", "prompt", stdin=ASK))


def test_a_store_that_cannot_be_written_gives_nothing(memex: Runner, store: Path) -> None:
    (store / "journal.jsonl").unlink()
    (store / "journal.jsonl").mkdir()
    done = memex("hook", "prompt", stdin=ASK)
    assert (done.code, done.out) == (0, b"")
    assert "nothing was given" in done.err
    for words in (("prompt",), ("session-start",)):
        strict = memex("hook", *words, stdin=ASK, env={"MEMEX_STRICT": "1"})
        assert (strict.code, strict.out) == (1, b"")
    quiet = payload(prompt="thanks")  # nothing was to be given, and that could not be noted either
    assert memex("hook", "prompt", stdin=quiet, env={"MEMEX_STRICT": "1"}).code == 1
    assert memex("hook", "prompt", stdin=quiet).code == 0


def test_an_agent_that_goes_away_is_owed_the_block(memex: Runner, store: Path, script: str) -> None:
    import os
    import subprocess

    reads, writes = os.pipe()
    os.close(reads)
    with subprocess.Popen(
        [script, "--root", str(store), "hook", "prompt"],
        stdin=subprocess.PIPE,
        stdout=writes,
        stderr=subprocess.PIPE,
    ) as agent:
        os.close(writes)
        _, err = agent.communicate(ASK)
    assert (agent.returncode, err) == (0, b"")
    assert [row["state"] for row in memex("receipts", "--json").json["receipts"]] == ["prepared"]
    assert memex("hook", "prompt", stdin=ASK).out


def test_a_closed_output_gives_nothing_away(memex: Runner, store: Path, script: str) -> None:
    import subprocess

    said = ["sh", "-c", '"$0" --root "$1" hook prompt >&-', script, str(store)]
    done = subprocess.run(said, input=ASK, stderr=subprocess.PIPE)
    assert done.returncode == 0
    assert done.stderr.startswith(b"memex: standard output is closed")
    assert [row["state"] for row in memex("receipts", "--json").json["receipts"]] == ["prepared"]
    assert memex("hook", "prompt", stdin=ASK).out


def test_memex_s_own_models_get_nothing(memex: Runner, store: Path) -> None:
    done = memex("hook", "prompt", stdin=ASK, env={"MEMEX_INTERNAL": "1"})
    assert (done.code, done.out, done.err) == (0, b"", "")
    assert not (store / "state").exists()


def test_receipts_as_json_and_for_one_prompt(memex: Runner, store: Path) -> None:
    memex("hook", "prompt", stdin=ASK)
    memex("hook", "prompt", stdin=payload(prompt="thanks"))
    assert [row["outcome"] for row in memex("receipts").json["receipts"]] == ["skipped", "injected"]
    (row,) = memex("receipts", "--prompt", "tell me about the shop of Ada").json["receipts"]
    assert "shop" in [page["slug"] for page in row["pages"]]
    shown = memex("--text", "receipts", "--prompt", "thanks").text
    assert "gate: skip: it only acknowledges" in shown
    assert "No hook has seen that prompt." in memex("--text", "receipts", "--prompt", "unheard of").text


def test_the_capture_outlives_the_hook_and_can_be_waited_for(memex: Runner, store: Path) -> None:
    from tests.harness.writing import Claude, lines

    sid = "5e551000-0000-4000-8000-000000000001"
    one = Claude(sid)
    path = lines(store.parent / f"{sid}.jsonl", one.user("u1", "Row"), one.agent("a1", "Rowed."))
    told = json.dumps({"session_id": sid, "transcript_path": str(path)}).encode()
    done = memex("hook", "session-end", "--wait", stdin=told)
    assert (done.code, done.out, done.err) == (0, b"", "")
    assert [one["turn_count"] for one in memex("sessions").json["sessions"]] == [2]
