"""``memex capture``: which files are found, what is reported, what is never kept."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from memex_core.files import runs
from memex_core.memex import Memex
from memex_core.model.errors import BadInput, NotFound, Refused, Unreachable
from tests.harness import test_codex as codex
from tests.harness.test_exports import CHAT
from tests.harness.test_gemini import HEAD as GEMINI
from tests.harness.test_gemini import user as asked_gemini
from tests.harness.test_pi import HEAD as PI
from tests.harness.test_pi import Tree
from tests.harness.writing import Claude, lines, use


@pytest.fixture
def memex(tmp_path: Path) -> Any:
    with Memex(tmp_path / "store", create=True) as memex:
        yield memex


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home where four agents left a session each."""
    home = tmp_path / "home"
    talk = Claude()
    project = home / ".claude" / "projects" / "-w-boat"
    lines(project / f"{talk.session}.jsonl", talk.user("u1", "Row the boat"), talk.agent("a1", "Rowed.", use("t1", "Task")),
          talk.result("r1", "t1", "done", toolUseResult={"agentId": "ab12"}))  # fmt: skip
    lines(
        project / talk.session / "subagents" / "agent-ab12.jsonl",
        talk.user("b1", "Measure", isSidechain=True),
    )
    lines(project / "agent-acompact-1.jsonl", talk.user("c1", "Machinery", isSidechain=True))
    lines(project / talk.session / "tool-results" / "x.jsonl", {"sessionId": "x", "parentUuid": None})
    lines(
        home / ".codex" / "sessions" / "2026" / "03" / codex.NAME,
        codex.meta(),
        codex.message("user", "Fix the mast"),
    )
    lines(home / ".pi" / "agent" / "sessions" / "--w-boat--" / "1.jsonl", PI, Tree().user("e1", "Paint it"))
    lines(
        home / ".gemini" / "tmp" / "9f" / "chats" / "session-1.jsonl", GEMINI, asked_gemini("g1", "Weigh it")
    )
    return home


def rows(report: Any) -> list[tuple[str, str, int, int]]:
    return [(row["agent"], row["title"], row["turns"], row["new_turns"]) for row in report["sessions"]]


def test_all_agents_at_home(memex: Memex, home: Path) -> None:
    report = memex.capture(all=True)
    assert rows(report) == [
        ("claude", "Row the boat", 3, 3),
        ("claude", "Measure", 1, 1),
        ("codex", "Fix the mast", 1, 1),
        ("pi", "Paint it", 1, 1),
        ("gemini", "Weigh it", 1, 1),
    ]
    assert (report["left_out"], report["warnings"]) == ([], [])
    assert {row["new_turns"] for row in memex.capture(all=True)["sessions"]} == {0}
    listed = memex.sessions()["sessions"]
    assert sorted(one["title"] for one in listed) == ["Fix the mast", "Paint it", "Row the boat", "Weigh it"]
    assert all(one["episode_slug"] for one in listed)
    assert memex.session("agent-ab12")["metadata"]["spawned_by"] == "t1"
    assert memex.recall("paint", kinds=["transcripts"])["hits"][0]["session_id"] == PI["id"]


def test_one_agent_by_name_or_by_the_settings(memex: Memex, home: Path) -> None:
    assert [row[0] for row in rows(memex.capture(agent="codex"))] == ["codex"]
    Path(memex.root, "memex.toml").write_text('[capture]\nagents = ["pi", "gemini"]\n')
    with Memex(memex.root) as other:
        assert [row[0] for row in rows(other.capture(all=True))] == ["pi", "gemini"]


def test_places_can_be_moved_by_the_environment(
    memex: Memex, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".codex").rename(home / "elsewhere")
    assert memex.capture(agent="codex")["sessions"] == []
    monkeypatch.setenv("CODEX_HOME", str(home / "elsewhere"))
    assert rows(memex.capture(agent="codex")) == [("codex", "Fix the mast", 1, 1)]


def test_files_and_folders_by_name(memex: Memex, home: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    lines(notes / "data.jsonl", {"role": "system", "x": 1})
    lines(notes / "store.json", {"a": 1})
    lines(notes / "deep" / codex.NAME, codex.meta(), codex.message("user", "Fix the mast"))
    report = memex.capture([str(notes)])
    assert rows(report) == [("codex", "Fix the mast", 1, 1)]
    assert report["left_out"] == []
    with pytest.raises(BadInput, match="no session file of a known agent"):
        memex.capture([str(notes / "data.jsonl")])
    with pytest.raises(NotFound, match="no file"):
        memex.capture([str(notes / "none.jsonl")])
    with pytest.raises(BadInput, match="nothing says what to capture"):
        memex.capture()
    with pytest.raises(BadInput, match="chatgpt has no usual place"):
        memex.capture(agent="chatgpt")
    report = memex.capture([str(Path(memex.root, "transcripts"))])
    assert (report["sessions"], report["left_out"][0]["reason"]) == ([], "it is this store's own transcript")


def test_exports_and_documents(memex: Memex, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(
        json.dumps([CHAT, {**CHAT, "id": "chat-2", "conversation_id": "chat-2", "title": "Oars"}])
    )
    assert rows(memex.capture([str(path)])) == [("chatgpt", "Boats", 3, 3), ("chatgpt", "Oars", 3, 3)]
    assert {row["new_turns"] for row in memex.capture([str(path)])["sessions"]} == {0}
    items = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Row"}]}]
    early = tmp_path / "rollout-2025.json"
    early.write_text(
        json.dumps({"session": {"id": codex.ID, "timestamp": "", "instructions": ""}, "items": items})
    )
    assert rows(memex.capture([str(early)])) == [("codex", "Row", 1, 1)]


def test_damage_is_reported_with_file_and_line(memex: Memex, tmp_path: Path) -> None:
    talk = Claude()
    path = lines(
        tmp_path / f"{talk.session}.jsonl", talk.user("u1", "Row"), b'{"cut": "he\n', talk.user("u2", "On")
    )
    report = memex.capture([str(path)])
    assert [(one["file"], one["line"]) for one in report["warnings"]] == [(str(path), 2)]
    assert report["sessions"][0]["skipped"] == 1
    assert memex.capture(path)["warnings"] == []


def test_kinds_of_records_that_nobody_knows_are_told(memex: Memex, tmp_path: Path) -> None:
    talk = Claude()
    tea = {"type": "tea-break", "sessionId": talk.session}
    path = lines(tmp_path / f"{talk.session}.jsonl", talk.user("u1", "Row"), tea, tea)
    assert memex.capture([str(path)])["sessions"][0]["unknown"] == {"tea-break": 2}


def test_compressed_files_that_nothing_unpacks_are_told_once(
    memex: Memex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    for module in ("zstandard", "compression"):
        monkeypatch.setitem(sys.modules, module, None)
    for name in "abc":
        (tmp_path / "packed").mkdir(exist_ok=True)
        (tmp_path / "packed" / f"{name}.jsonl.zst").write_bytes(b"(\xb5/\xfd")
    warnings = memex.capture([str(tmp_path / "packed")])["warnings"]
    assert [one["message"] for one in warnings] == [
        "compressed and 2 more: to unpack them, pip install zstandard"
    ]
    with pytest.raises(Unreachable, match="nothing here unpacks it"):
        memex.capture([str(tmp_path / "packed" / "a.jsonl.zst")])


def test_a_dry_run_says_what_would_be_and_writes_nothing(memex: Memex, home: Path) -> None:
    report = memex.capture(all=True, dry_run=True)
    assert [row["new_turns"] for row in report["sessions"]] == [3, 1, 1, 1, 1]
    assert report["dry_run"] is True
    assert memex.sessions()["total"] == 0
    assert not list(Path(memex.root, "docs").rglob("*.md"))


def test_an_empty_session_is_left_out_with_the_reason(memex: Memex, tmp_path: Path) -> None:
    path = lines(tmp_path / codex.NAME, codex.meta())
    report = memex.capture([str(path)])
    assert (report["sessions"], [one["reason"] for one in report["left_out"]]) == (
        [],
        ["nothing was said in it yet"],
    )
    assert memex.sessions()["total"] == 0


def test_excluded_folders_are_not_captured(memex: Memex, home: Path) -> None:
    Path(memex.root, "memex.toml").write_text('[capture]\nexclude = ["/w/*"]\n')
    with Memex(memex.root) as other:
        report = other.capture(all=True)
        assert [row[0] for row in rows(report)] == ["gemini"]
        assert {one["reason"] for one in report["left_out"]} == {"its folder /w/boat is in [capture] exclude"}


def test_do_not_index_leaves_nothing_and_is_remembered(memex: Memex, tmp_path: Path) -> None:
    talk = Claude()
    path = lines(
        tmp_path / f"{talk.session}.jsonl", talk.user("u1", "The secret plan"), talk.agent("a1", "Planned.")
    )
    aside = lines(tmp_path / "agent-ab12.jsonl", talk.user("b1", "Measure the secret plan", isSidechain=True))
    memex.capture([str(path), str(aside)])
    assert memex.sessions()["total"] == 1
    lines(path, talk.user("u2", "DO NOT INDEX this"), mode="ab")
    report = memex.capture([str(path)])
    assert [one["reason"] for one in report["left_out"]] == ["the user said DO NOT INDEX"]
    assert memex.sessions()["total"] == 0
    assert memex.recall("secret plan")["hits"] == []
    lines(path, talk.user("u3", "Go on"), mode="ab")
    assert [one["reason"] for one in memex.capture([str(path)])["left_out"]] == ["the user said DO NOT INDEX"]
    assert len(memex.capture([str(aside)])["left_out"]) == 1
    assert b"secret plan" not in b"".join(f.read_bytes() for f in Path(memex.root).rglob("*") if f.is_file())


def test_one_excluded_conversation_of_an_export_does_not_cost_the_others(
    memex: Memex, tmp_path: Path
) -> None:
    said = {
        "uuid": "m1",
        "sender": "human",
        "text": "DO NOT INDEX this",
        "created_at": "2026-01-05T09:00:00Z",
    }
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"uuid": "c-1", "name": "No", "chat_messages": [said]}, CHAT]))
    report = memex.capture([str(path)])
    assert rows(report) == [("chatgpt", "Boats", 3, 3)]
    assert [one["reason"] for one in report["left_out"]] == ["c-1: the user said DO NOT INDEX"]


def test_agents_of_the_same_short_id_are_two(memex: Memex, tmp_path: Path) -> None:
    for folder, session in (
        ("a", "5e551000-0000-4000-8000-00000000000a"),
        ("b", "5e551000-0000-4000-8000-00000000000b"),
    ):
        talk = Claude(session)
        lines(
            tmp_path / folder / "agent-ab12.jsonl",
            talk.user(f"{folder}1", f"Measure {folder}", isSidechain=True),
        )
    for _ in range(2):
        report = memex.capture([str(tmp_path / "a"), str(tmp_path / "b")])
    ids = [row["session_id"] for row in report["sessions"]]
    assert ids == ["agent-ab12", "agent-ab12-5e551000-0000-4000-8000-00000000000b"]
    assert [memex.session(one)["turns"][0]["content"] for one in ids] == ["Measure a", "Measure b"]


def test_a_purged_session_does_not_come_back_and_a_cleared_one_does(memex: Memex, tmp_path: Path) -> None:
    talk = Claude()
    path = lines(tmp_path / f"{talk.session}.jsonl", talk.user("u1", "Row"))
    memex.capture([str(path)])
    memex.clear_transcripts()
    assert rows(memex.capture([str(path)])) == [("claude", "Row", 1, 1)]
    memex.purge(session=talk.session)
    report = memex.capture([str(path)])
    assert (report["sessions"], [one["reason"] for one in report["left_out"]]) == ([], ["purged"])


def test_an_episode_that_a_killed_run_did_not_write_is_written_by_the_next(
    memex: Memex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memex_core.actions.conversations import sessions

    talk = Claude()
    path = lines(tmp_path / f"{talk.session}.jsonl", talk.user("u1", "Row"))

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(sessions, "write_episode", killed)
        with pytest.raises(KeyboardInterrupt):
            memex.capture([str(path)])
    assert memex.sessions()["sessions"][0]["episode_slug"] == ""
    assert rows(memex.capture([str(path)])) == [("claude", "Row", 1, 0)]
    assert memex.sessions()["sessions"][0]["episode_slug"] == talk.session
    before = len(memex.history(talk.session)["events"])
    memex.capture([str(path)])
    assert len(memex.history(talk.session)["events"]) == before


def test_the_command(memex: Memex, home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    from memex_core.cli import main

    assert main(["--root", memex.root, "capture", "--agent", "pi", "--json"]) == 0
    report = json.loads(capfdbinary.readouterr().out)
    keys = {"session_id", "agent", "path", "title", "turns", "new_turns", "skipped", "unknown"}
    assert set(report["sessions"][0]) == keys
    assert main(["--root", memex.root, "capture", "--json"]) == 2
    assert json.loads(capfdbinary.readouterr().out)["error"]["code"] == "bad-input"


def test_what_a_terminal_shows(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from memex_core.cli.paper import Paper
    from memex_core.cli.parse import Request, parse
    from memex_core.cli.views.conversations import captured

    monkeypatch.setenv("COLUMNS", "80")
    request = Request()
    parse(["capture", "--all"], request)
    row = {"session_id": "s1", "agent": "pi", "path": "/x", "title": "\x1b[31mBoat", "turns": 9, "skipped": 0}
    left = [{"path": "/y", "reason": "purged"}]
    rows = [{**row, "new_turns": 4}, {**row, "new_turns": 0}]
    captured({"sessions": rows, "left_out": left, "dry_run": False}, Paper(), request)
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "4 new turns captured from 1 session; 1 session as before" in shown
    assert "left out  /y  purged" in shown
    captured({"sessions": rows[1:], "left_out": [], "dry_run": False}, Paper(), request)
    assert capsys.readouterr().out == "nothing new; 1 session as before\n"
    captured({"sessions": rows[:1], "left_out": [], "dry_run": True}, Paper(), request)
    assert "4 new turns would be captured" in capsys.readouterr().out


def test_a_warning_names_its_file_and_line(
    memex: Memex, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    from memex_core.cli import main

    talk = Claude()
    path = lines(
        tmp_path / f"{talk.session}.jsonl", talk.user("u1", "Row"), b'{"cut": "he\n', talk.user("u2", "On")
    )
    assert main(["--root", memex.root, "capture", str(path), "--json"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["warnings"][0]["line"] == 2
    Path(memex.root, "transcripts", f"{talk.session}.jsonl").unlink()
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr("memex_core.cli.output.is_terminal", lambda _stream: True)
        assert main(["--root", memex.root, "capture", str(path)]) == 0
    assert f"{path}:2: a damaged record".encode() in capfdbinary.readouterr().err.replace(b"\n", b"")


@pytest.mark.parametrize("session", ["index", "log", "con", "NUL"])
def test_a_session_whose_name_no_page_may_have(memex: Memex, tmp_path: Path, session: str) -> None:
    talk = Claude(session)
    report = memex.capture(paths=lines(tmp_path / f"{session}.jsonl", talk.user("u1", "Row")))
    assert report["warnings"] == []
    assert memex.sessions()["sessions"][0]["episode_slug"] != ""
    assert (tmp_path / "store" / "docs" / "episodes" / f"{session}-page.md").is_file()


def test_an_ignored_episode_folder_costs_no_other_session(memex: Memex, home: Path, tmp_path: Path) -> None:
    (tmp_path / "store" / "docs" / ".memexignore").write_text("episodes/5e551000*\n")
    report = memex.capture(all=True)
    assert [w["message"].partition(":")[0] for w in report["warnings"]] == ["no episode page"]
    slugs = [one["episode_slug"] for one in memex.sessions()["sessions"]]
    assert sorted(map(bool, slugs)) == [False, True, True, True]


def test_a_page_of_the_persons_own_is_not_written_over(memex: Memex, tmp_path: Path) -> None:
    mine = tmp_path / "store" / "docs" / "episodes" / "boat.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("My own notes on boats.\n")
    memex.ingest_transcript("boat", turns=[{"role": "user", "content": "Row"}])
    assert mine.read_text() == "My own notes on boats.\n"
    assert memex.sessions()["sessions"][0]["episode_slug"] == "boat-2"
    memex.ingest_transcript("boat", turns=[{"role": "user", "content": "Row on"}], overwrite=True)
    assert sorted(path.name for path in mine.parent.glob("*.md") if path.name != "index.md") == [
        "boat-2.md",
        "boat.md",
    ]


def test_what_a_person_added_to_an_episode_page_stays(memex: Memex, tmp_path: Path) -> None:
    talk = Claude()
    path = lines(tmp_path / f"{talk.session}.jsonl", talk.user("u1", "Row the boat"))
    memex.capture(paths=path)
    memex.edit(talk.session, tags=["rowing"], set={"mood": "calm"})
    lines(path, talk.user("u2", "Sail the boat"), mode="ab")
    memex.capture(paths=path)
    shown = memex.show(talk.session)
    assert (shown["tags"], shown["front_matter"]["mood"]) == (["rowing"], "calm")
    assert "Sail the boat (turn 2)" in shown["body"]
    assert "2 turns" in shown["description"]


def test_a_pipe_is_not_waited_for(memex: Memex, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "s.jsonl")
    with pytest.raises(Unreachable, match="is not a file"):
        memex.capture(paths=tmp_path / "s.jsonl")
    found = memex.capture(paths=tmp_path)
    assert [w["message"].endswith("is not a file") for w in found["warnings"]] == [True]


def test_two_agents_that_name_a_session_alike(memex: Memex, tmp_path: Path) -> None:
    talk = Claude(codex.ID)
    ours = lines(tmp_path / f"{codex.ID}.jsonl", talk.user("u1", "Row"))
    theirs = lines(tmp_path / codex.NAME, codex.meta(), codex.message("user", "Fix the mast"))
    for new in (1, 0):
        for path, name in (ours, codex.ID), (theirs, f"{codex.ID}-codex"):
            (row,) = memex.capture(paths=path)["sessions"]
            assert (row["session_id"], row["turns"], row["new_turns"]) == (name, 1, new)
            os.utime(path)
    lines(ours, talk.user("u2", "Sail"), mode="ab")
    lines(theirs, codex.message("user", "And the boom"), mode="ab")
    memex.capture(paths=[ours, theirs])
    assert [turn["content"] for turn in memex.session(codex.ID)["turns"]] == ["Row", "Sail"]
    theirs_now = memex.session(f"{codex.ID}-codex")
    assert [turn["content"] for turn in theirs_now["turns"]] == ["Fix the mast", "And the boom"]
    assert (memex.session(codex.ID)["agent"], theirs_now["agent"]) == ("claude", "codex")


@pytest.mark.parametrize("name", ["{}.jsonl", "{}.meta.json"])
def test_a_transcript_that_is_a_link_out_of_the_store_is_not_written_through(
    memex: Memex, tmp_path: Path, name: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious\n")
    talk = Claude()
    folder = tmp_path / "store" / "transcripts"
    folder.mkdir(exist_ok=True)
    (folder / name.format(talk.session)).symlink_to(victim)
    report = memex.capture(paths=lines(tmp_path / f"{talk.session}.jsonl", talk.user("u1", "Row")))
    assert [one["reason"].endswith("leads out of " + str(folder)) for one in report["left_out"]] == [True]
    with pytest.raises(Refused):
        memex.ingest_transcript(talk.session, turns=[{"role": "user", "content": "Row"}], overwrite=True)
    assert victim.read_text() == "precious\n"


def test_a_file_that_cannot_be_read_does_not_cost_the_ones_named_after_it(
    memex: Memex, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no session\n")
    talk = Claude()
    good = lines(tmp_path / f"{talk.session}.jsonl", talk.user("u1", "Row"))
    with pytest.raises(BadInput, match=r"bad\.jsonl is no session file"):
        memex.capture(paths=[bad, good])
    (session,) = memex.sessions()["sessions"]
    assert (session["turn_count"], session["episode_slug"]) == (1, talk.session)


def test_what_was_taken_back_says_so_wherever_it_is_shown(memex: Memex, tmp_path: Path) -> None:
    stones, pounds = asked_gemini("g1", "Weigh it in stones"), asked_gemini("g2", "Weigh it in pounds")
    path = lines(tmp_path / "session-1.jsonl", GEMINI, stones)
    memex.capture(paths=path)
    memex.capture(paths=lines(tmp_path / "session-1.jsonl", GEMINI, stones, {"$rewindTo": "g1"}, pounds))
    hits = memex.recall("weigh stones pounds in:transcripts")["hits"]
    assert {hit["turn"]: hit["abandoned"] for hit in hits} == {1: True, 2: False}
    block = memex.context("weigh stones pounds")["block"]
    assert "turn 1, user, taken back" in block
    assert "turn 2, user\n" in block
    memex.write(type="note", title="Weight", body="b", sources=["3333-c#1", "3333-c#2"])
    assert [one["abandoned"] for one in memex.trace("weight")["evidence"]] == [True, False]
    assert "stones" not in memex.show("3333-c")["body"]


def test_what_the_agent_dropped_before_the_first_capture_is_no_turn(memex: Memex, tmp_path: Path) -> None:
    stones, pounds = asked_gemini("g1", "Weigh it in stones"), asked_gemini("g2", "Weigh it in pounds")
    path = lines(tmp_path / "session-1.jsonl", GEMINI, stones, {"$rewindTo": "g1"}, pounds)
    (planned,) = memex.capture(paths=path, dry_run=True)["sessions"]
    (report,) = memex.capture(paths=path)["sessions"]
    assert (planned["new_turns"], report["new_turns"], report["turns"]) == (1, 1, 1)
    assert [turn["content"] for turn in memex.session("3333-c")["turns"]] == ["Weigh it in pounds"]
    assert memex.capture(paths=path)["sessions"][0]["new_turns"] == 0


def test_a_capture_that_brought_turns_is_logged(memex: Any, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text('{"role": "user", "content": "Row"}\n')
    for _ in range(2):
        memex.capture(paths=str(file))
    (run,) = runs.read(memex.store.layout, "capture")
    assert {key: run[key] for key in ("ok", "harness", "turn_count", "new_turns", "cwd_recorded")} == {
        "ok": True,
        "harness": "memex",
        "turn_count": 1,
        "new_turns": 1,
        "cwd_recorded": False,
    }
    assert "talk" not in str(run)
