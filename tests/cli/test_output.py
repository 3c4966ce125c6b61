"""Streams and forms: data on stdout, the rest on stderr, JSON that every decoder takes."""

from __future__ import annotations

import json

import pytest

from memex_core.cli import main
from memex_core.cli.output import Output, as_json, json_parts, report
from memex_core.cli.parse import Request
from memex_core.model.errors import Ambiguous, BadInput, NotFound


def request(**given: bool) -> Request:
    made = Request()
    for name, value in given.items():
        setattr(made, name, value)
    return made


@pytest.mark.parametrize(
    ("given", "terminal", "mode"),
    [
        ({}, False, "json"),
        ({}, True, "text"),
        ({"json": True}, True, "json"),
        ({"jsonl": True}, True, "jsonl"),
        ({"text": True}, False, "text"),
        ({"text": True, "json": True}, False, "json"),
    ],
)
def test_the_form_follows_options_and_terminal(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, bool], terminal: bool, mode: str
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    assert Output(request(**given)).mode == mode


@pytest.mark.parametrize("text", ["数据 🚀 é", "\x1b[31m\x7f\x9b", "caf\udce9", "a\u2028b", '\x00\n\t"\\'])
def test_json_is_utf8_without_raw_controls_and_reads_back(text: str) -> None:
    made = as_json({"t": text})
    made.encode("utf-8")
    assert json.loads(made) == {"t": text}
    assert not [char for char in made if ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char in "\u2028\u2029"]


def test_json_keeps_letters_readable() -> None:
    assert as_json({"t": "数据 🚀"}) == '{"t": "数据 🚀"}'


@pytest.mark.parametrize(
    ("error", "code", "line", "document"),
    [
        (
            NotFound("no page is called 'x'", hint="memex list"),
            1,
            "memex: no page is called 'x'; memex list\n",
            {"code": "not-found", "message": "no page is called 'x'", "hint": "memex list"},
        ),
        (
            BadInput("k\n0 is\tout"),
            2,
            "memex: k 0 is out\n",
            {"code": "bad-input", "message": "k 0 is out", "hint": ""},
        ),
        (
            Ambiguous("'x' names 2 pages", ["a.md", "b.md"]),
            1,
            "memex: 'x' names 2 pages\n",
            {"code": "ambiguous", "message": "'x' names 2 pages", "hint": "", "candidates": ["a.md", "b.md"]},
        ),
        (
            KeyboardInterrupt(),
            130,
            "memex: interrupted\n",
            {"code": "interrupted", "message": "interrupted", "hint": ""},
        ),
        (
            KeyError("k"),
            1,
            "memex: unexpected KeyError: 'k'; run again with MEMEX_DEBUG=1\n",
            {
                "code": "unexpected",
                "message": "unexpected KeyError: 'k'",
                "hint": "run again with MEMEX_DEBUG=1",
            },
        ),
        (
            AssertionError(),
            1,
            "memex: unexpected AssertionError; run again with MEMEX_DEBUG=1\n",
            {
                "code": "unexpected",
                "message": "unexpected AssertionError",
                "hint": "run again with MEMEX_DEBUG=1",
            },
        ),
        (
            PermissionError(13, "Permission denied", "/x\x1b"),
            1,
            "memex: /x␛: Permission denied; check the file and its permissions\n",
            {
                "code": "io",
                "message": "/x\x1b: Permission denied",
                "hint": "check the file and its permissions",
            },
        ),
    ],
)
def test_an_error_is_one_line_and_with_json_a_document(
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    line: str,
    document: dict[str, object],
) -> None:
    assert report(error, json=False) == code
    assert capsys.readouterr() == ("", line)
    assert report(error, json=True) == code
    said = capsys.readouterr()
    assert json.loads(said.out) == {"error": document}
    assert said.err == line


def test_debug_shows_the_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMEX_DEBUG", "1")
    try:
        raise KeyError("deep")
    except KeyError as error:
        report(error, json=False)
    assert "Traceback" in capsys.readouterr().err


def test_a_wrong_word_is_json_too_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wirte", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "usage"


def test_a_failing_engine_is_an_error_and_never_zero_hits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    import sqlite3

    import memex_core.recall.recall as engine

    def broken(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    root = f"{tmp_path}/s"
    assert main(["--root", root, "write", "--type", "note", "--title", "T"]) == 0
    capsys.readouterr()
    monkeypatch.setattr(engine, "search", broken)
    assert main(["--root", root, "recall", "x", "--json"]) == 1
    said = capsys.readouterr()
    assert "error" in json.loads(said.out)
    assert "no such module" in said.err


def test_a_huge_argument_is_not_said_back_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(NotFound(f"no page is called '{'y' * 100_000}'", hint="z" * 5000), json=True) == 1
    captured = capsys.readouterr()
    error = json.loads(captured.out)["error"]
    assert error["message"].startswith("no page is called 'yyy") and error["message"].endswith("yyy'")
    assert len(error["message"]) == len(error["hint"]) == 1003
    assert captured.err.count("\n") == 1 and len(captured.err) < 2100


@pytest.mark.parametrize("indent", [None, 1, 2])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_document_in_parts_is_the_document(indent: int | None, count: int) -> None:
    head = {"version": "1.0", "odd": "[]"}
    rows = [
        {"path": f"{number}.md", "text": "[]\n\x9b é", "none": [], "more": {"a": [1, 2]}}
        for number in range(count)
    ]
    parts = list(json_parts(head, "nodes", iter(rows), indent))
    assert "".join(parts) == as_json({**head, "nodes": rows}, indent)
    assert len(parts) == count + 2
