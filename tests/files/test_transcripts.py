"""Transcripts on disk: what is written, what is refused, what survives damage and growth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memex_core.files import session_meta, sessions, transcripts
from memex_core.files.layout import Layout, create_store
from memex_core.model.errors import AlreadyExists, BadInput, NotFound


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def turn(role: str, content: str, minute: int = 0, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "ts": f"2026-03-04T10:{minute:02}:00Z", **more}


TALK = [
    turn("user", "Which linter do we use?", 0, turn=1),
    turn("agent", "Ruff, since March.", 1, turn=2),
    {"role": "tool", "tool_name": "shell", "query": "ruff --version", "result": "ruff 0.9", "turn": 3},
]


def lines_of(layout: Layout, session: str) -> list[dict[str, Any]]:
    text = Path(transcripts.file_of(layout, session)).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def test_ingest_writes_a_line_a_turn_and_counts(layout: Layout) -> None:
    done = transcripts.ingest(layout, "sess-1", TALK, meta={"project": "kettle", "user_id": "u7"})
    assert done == ("sess-1", 3, 1, 1, 1, 3, {})
    stored = lines_of(layout, "sess-1")
    assert [line["role"] for line in stored] == ["user", "agent", "tool"]
    assert stored[0]["content"] == "Which linter do we use?"
    assert [line["trust"] for line in stored] == ["human", "agent", "local-tool"]
    assert len({line["xid"] for line in stored}) == 3
    meta = json.loads(Path(transcripts.meta_of(layout, "sess-1")).read_text(encoding="utf-8"))
    assert (meta["turn_count"], meta["user_turns"], meta["agent_turns"], meta["tool_turns"]) == (3, 1, 1, 1)
    assert (meta["started_at"], meta["ended_at"]) == ("2026-03-04T10:00:00Z", "2026-03-04T10:01:00Z")
    assert meta["project"] == "kettle"
    assert meta["metadata"] == {"user_id": "u7"}


def test_the_same_turns_get_the_same_ids_and_other_sessions_others(layout: Layout) -> None:
    for session in ("a", "b"):
        transcripts.ingest(layout, session, TALK)
    first = [line["xid"] for line in lines_of(layout, "a")]
    transcripts.ingest(layout, "a", TALK, overwrite=True)
    assert [line["xid"] for line in lines_of(layout, "a")] == first
    assert not set(first) & {line["xid"] for line in lines_of(layout, "b")}


def test_a_second_ingest_is_refused_and_overwrite_replaces(layout: Layout) -> None:
    transcripts.ingest(layout, "s", TALK)
    before = Path(transcripts.file_of(layout, "s")).read_bytes()
    with pytest.raises(AlreadyExists):
        transcripts.ingest(layout, "s", TALK[:1])
    assert Path(transcripts.file_of(layout, "s")).read_bytes() == before
    assert transcripts.ingest(layout, "s", TALK[:1], overwrite=True).turn_count == 1
    assert len(transcripts.read_turns(layout, "s")) == 1


def test_a_dry_run_writes_nothing(layout: Layout) -> None:
    assert transcripts.ingest(layout, "s", TALK, dry_run=True).turn_count == 3
    assert not transcripts.exists(layout, "s")
    assert not Path(layout.transcripts).exists()


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("text", "JSON object"),
        ({"role": "robot", "content": "x"}, "role 'robot'"),
        ({"role": "user"}, "no content"),
        ({"role": "user", "content": ["x"]}, "content must be text"),
        ({"role": "user", "content": "x", "ts": "yesterday-ish"}, "is no time"),
        ({"role": "user", "content": "x", "turn": 1}, "above 1"),
        ({"role": "user", "content": "x", "turn": True}, "whole number"),
        ({"role": "user", "content": "x", "trust": "full"}, "trust"),
        ({"role": "user", "content": "x", "more": {1, 2}}, "JSON"),
        ({"role": "user", "content": "x", "more": float("nan")}, "JSON"),
    ],
)
def test_a_bad_turn_is_named_by_its_line_and_nothing_is_written(layout: Layout, bad: Any, says: str) -> None:
    with pytest.raises(BadInput, match=r"^line 2: ") as caught:
        transcripts.ingest(layout, "s", [turn("user", "fine"), bad])
    assert says in caught.value.message
    assert not transcripts.exists(layout, "s")


@pytest.mark.parametrize(
    "session", ["", "../up", "a/b", ".hidden", "-x", "a b", "ä", "x" * 129, "a\n", "C:x", "a\0"]
)
def test_session_ids_that_could_leave_the_folder_are_refused(layout: Layout, session: str) -> None:
    with pytest.raises(BadInput, match="session id"):
        transcripts.ingest(layout, session, TALK)
    assert transcripts.read_turns(layout, session) == []


def test_text_survives_exactly(layout: Layout) -> None:
    odd = 'a\u2028b\u0085c\r\nd\x0ce \ud83d \0 "q" \\ 漢字 👩‍🚀'
    transcripts.ingest(layout, "s", [turn("user", odd), turn("agent", "ok")])
    read = transcripts.read_turns(layout, "s")
    assert len(read) == 2
    assert read[0]["content"] == odd


def test_damaged_lines_are_passed_by_and_named(layout: Layout) -> None:
    transcripts.ingest(layout, "s", TALK)
    path = Path(transcripts.file_of(layout, "s"))
    good = path.read_bytes().split(b"\n")
    deep = b'{"role":"user","content":' + b"[" * 200_000
    path.write_bytes(
        b"\xef\xbb\xbf" + good[0] + b"\r\n" + b'{"role": "ag\n\n[1]\n' + deep + b"\n" + b"\0" * 4096 + good[1]
        + b'\n{"type": "new-thing"}\n' + good[2]
    )  # fmt: skip
    found = sessions.read_session(layout, "s")
    assert [one["content"] for one in found["turns"]] == ["Which linter do we use?", "Ruff, since March.", ""]
    assert [one["line"] for one in found["warnings"]] == [2, 4, 5, 7]
    assert found["turn_count"] == 3


def test_numbers_are_given_where_a_hand_made_file_has_none(layout: Layout) -> None:
    Path(layout.transcripts).mkdir()
    text = '{"role":"user","content":"one"}\n{"role":"agent","content":"two","turn":5}\n'
    text += '{"role":"user","content":"x"}\n'
    Path(transcripts.file_of(layout, "hand")).write_text(text, encoding="utf-8")
    assert [one["turn"] for one in transcripts.read_turns(layout, "hand")] == [1, 5, 6]
    summary = sessions.summary(layout, "hand")
    assert (summary["turn_count"], summary["title"], summary["agent"]) == (3, "one", None)


def test_a_window_reads_from_the_noted_offset(layout: Layout) -> None:
    transcripts.ingest(layout, "long", [turn("user", f"line number {i}") for i in range(1, 501)])
    wanted = [f"line number {i}" for i in range(290, 301)]
    assert [one["content"] for one in transcripts.read_turns(layout, "long", 290, 300)] == wanted
    path = Path(transcripts.file_of(layout, "long"))
    data = path.read_bytes()
    at = data.index(b'{"role": "user", "content": "line number 200"')
    path.write_bytes(b"x" * at + data[at:])  # the same size: what stands before the offset is not looked at
    damaged: list[transcripts.Damage] = []
    found = list(transcripts.iter_turns(layout, "long", 290, 300, damaged=damaged))
    assert ([one["content"] for one in found], damaged) == (wanted, [])
    list(transcripts.iter_turns(layout, "long", damaged=damaged))
    assert [one.line for one in damaged] == [1]


def test_offsets_of_a_file_that_changed_are_not_trusted(layout: Layout) -> None:
    transcripts.ingest(layout, "long", [turn("user", f"n {i}") for i in range(1, 201)])
    path = Path(transcripts.file_of(layout, "long"))
    path.write_bytes(b'{"role": "user", "content": "put before by hand", "turn": 1}\n' + path.read_bytes())
    found = transcripts.read_turns(layout, "long", 150, 151)
    assert [one["content"] for one in found] == ["n 149", "n 150"]


def test_append_adds_only_what_is_new(layout: Layout) -> None:
    first = [turn("user", "hello", xid="r1"), turn("agent", "hi", xid="r2")]
    assert (
        transcripts.append(layout, "live", first, meta={"harness": "pi", "cwd": "/w/kettle"}).new_turns == 2
    )
    more = [*first, turn("user", "and now?", 5, xid="r3")]
    done = transcripts.append(layout, "live", more, meta={"token_usage": {"input": 9}})
    assert (done.new_turns, done.turn_count) == (1, 3)
    assert [one["turn"] for one in transcripts.read_turns(layout, "live")] == [1, 2, 3]
    assert lines_of(layout, "live")[0]["type"] == "memex_session_header"
    found = sessions.read_session(layout, "live")
    assert (found["agent"], found["cwd"], found["token_usage"]) == ("pi", "/w/kettle", {"input": 9})
    assert found["ended_at"] == "2026-03-04T10:05:00Z"


def test_an_append_cut_short_is_repaired_by_the_next(layout: Layout) -> None:
    transcripts.append(layout, "live", [turn("user", "one", xid="r1")])
    path = Path(transcripts.file_of(layout, "live"))
    whole = path.read_bytes()
    for cut in (b'{"ro', b'{"role": "agent", "content": "never repor'):
        path.write_bytes(whole + cut)
        transcripts.append(layout, "live", [turn("user", "one", xid="r1"), turn("agent", "two", xid="r2")])
        assert [one["content"] for one in transcripts.read_turns(layout, "live")] == ["one", "two"]
        assert sessions.read_session(layout, "live")["warnings"] == []
    path.write_bytes(whole[:-1])  # a whole last line that only lacks its end
    transcripts.append(layout, "live", [turn("agent", "two", xid="r2")])
    assert [one["content"] for one in transcripts.read_turns(layout, "live")] == ["one", "two"]


def test_sessions_are_listed_with_titles_and_counted_anew_when_the_file_changed(layout: Layout) -> None:
    wrapped = "<environment_context>\n<cwd>/w</cwd>\n</environment_context>"
    transcripts.ingest(
        layout, "b", [turn("user", wrapped), turn("user", "Fix the lid\nplease"), turn("agent", "Done")]
    )
    transcripts.ingest(layout, "a", TALK, meta={"title": "Linting", "harness": "codex"})
    Path(layout.transcripts, "notes.txt").write_text("no session")
    found = sessions.list_sessions(layout)
    assert [(one["session_id"], one["title"], one["turn_count"]) for one in found] == [
        ("a", "Linting", 3),
        ("b", "Fix the lid", 3),
    ]
    assert found[0]["agent"] == "codex"
    path = Path(transcripts.file_of(layout, "b"))
    path.write_bytes(path.read_bytes() + b'{"role": "user", "content": "by hand"}\n')
    assert sessions.summary(layout, "b")["user_turns"] == 3
    Path(transcripts.meta_of(layout, "a")).write_text("{ not json")
    assert sessions.summary(layout, "a")["title"] == "Which linter do we use?"


def test_delete_removes_both_files_and_says_when_there_are_none(layout: Layout) -> None:
    transcripts.ingest(layout, "s", TALK)
    transcripts.delete(layout, "s")
    assert list(Path(layout.transcripts).iterdir()) == []
    with pytest.raises(NotFound):
        transcripts.delete(layout, "s")
    with pytest.raises(NotFound):
        sessions.read_session(layout, "s")


def test_the_first_line_tells_where_the_conversation_is_from_and_how_long_it_took(layout: Layout) -> None:
    about = {
        "versions": ["1.0", "1.1"],
        "provider": "lab",
        "git_commit": "c0ffee",
        "reasoning_efforts": ["low"],
    }
    given = {"harness": "codex", "cwd": "/w/boat", "git_branch": "main", "models": ["m"], "metadata": about}
    transcripts.ingest(layout, "sess-1", TALK, meta={**given, "token_usage": {"input": 9}})
    head = lines_of(layout, "sess-1")[0]
    assert head.pop("captured_at")
    assert head == {
        "type": "memex_session_header",
        "harness": "codex",
        "session_id": "sess-1",
        "started_at": "2026-03-04T10:00:00Z",
        "ended_at": "2026-03-04T10:01:00Z",
        "duration_s": 60.0,
        "meta": {
            "cli_version": "1.1",
            "provider": "lab",
            "cwd": "/w/boat",
            "git": {"branch": "main", "commit_hash": "c0ffee"},
            "models": ["m"],
            "reasoning_efforts": ["low"],
        },
    }


def test_a_first_line_stands_in_for_a_lost_meta_file(layout: Layout) -> None:
    given = {"harness": "codex", "cwd": "/w/boat", "git_branch": "main", "metadata": {"git_commit": "c0ffee"}}
    transcripts.ingest(layout, "sess-1", TALK, meta=given)
    Path(transcripts.meta_of(layout, "sess-1")).unlink()
    told = sessions.read_session(layout, "sess-1")
    assert (told["agent"], told["cwd"], told["git_branch"]) == ("codex", "/w/boat", "main")
    assert told["metadata"] == {"git_commit": "c0ffee"}


@pytest.mark.parametrize("meta", [None, [], {"git": 7, "cwd": ["x"], "models": "m", "cli_version": {}}])
def test_a_first_line_of_another_shape_tells_nothing(meta: Any) -> None:
    assert session_meta.from_header({"type": "memex_session_header", "harness": 3, "meta": meta}) == {}


def test_older_first_lines_name_the_branch_alone() -> None:
    assert session_meta.from_header({"harness": "pi", "meta": {"git": "main"}}) == {
        "harness": "pi",
        "git_branch": "main",
    }
