"""Conversations that must leave no trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.files.exclusion import excluded_sessions
from memex_core.model.errors import NotFound
from memex_core.model.exclusion import Excluded
from tests.actions.talk import SESSION, TURNS

MARKED = [*TURNS, {"role": "user", "content": "Forget all this. DO NOT INDEX"}]


def everywhere(root: Path, word: str) -> list[str]:
    return sorted(
        str(path.relative_to(root))
        for path in root.rglob("*")
        if path.is_file() and word.lower().encode() in path.read_bytes().lower()
    )


def learnt(root: Path) -> Any:
    """A store with a conversation, a page that a model made of it, and one that a person wrote."""
    with Memex(root, create=True, actor="human:ada") as ada:
        ada.ingest_transcript(SESSION, turns=TURNS)
    with Memex(root, actor="tester/1.0") as model:
        model.write(type="note", title="Made", body="Ruff everywhere.", sources=[f"{SESSION}#1"])
        model.write(type="note", title="Read only", body="Formats.", sources=[f"{SESSION}#6:context"])
        model.write(type="note", title="Seen", body="Ruff.", sources=[f"{SESSION}#1"], status="draft")
        model.write(type="note", title="Elsewhere", body="memex:sess-abcd is another one.")
    memex = Memex(root, actor="human:ada")
    memex.approve(["seen"])
    memex.write(type="note", title="Own", body="I said so.", sources=[f"{SESSION}#1"])
    return memex


def test_a_purge_tells_its_impact_first(root: Path) -> None:
    with learnt(root) as memex:
        impact = memex.purge(session=SESSION, dry_run=True)
        assert impact == {
            "session_id": SESSION,
            "turns": 6,
            "episodes": ["episodes/sess-abc.md"],
            "pages": ["note/made.md", "note/read-only.md"],
            "citing": ["note/own.md", "note/seen.md"],
            "journal_lines": 4,
            "purged": False,
        }
        assert memex.session(SESSION)["turn_count"] == 6


def test_a_purge_leaves_nothing_of_the_conversation(root: Path) -> None:
    with learnt(root) as memex:
        done = memex.purge(session=SESSION)
        assert done["purged"]
        assert sorted(page["slug"] for page in memex.list()["pages"]) == ["elsewhere", "own", "seen"]
        assert memex.sessions()["sessions"] == []
        assert memex.recall("flake8")["hits"] == []
        with pytest.raises(NotFound):
            memex.purge(session=SESSION)
    assert everywhere(root, "never flake8") == []
    assert everywhere(root, "Ruff everywhere") == []
    assert not list((root / "transcripts").iterdir())
    with Memex(root) as memex:
        assert excluded_sessions(memex.store.layout) == {SESSION: "purged"}


def test_a_purge_reaches_pages_that_were_gone_before(root: Path) -> None:
    with learnt(root) as memex:
        for slug in ("made", SESSION):
            memex.forget(slug)
        memex.clear_transcripts()
        assert "journal.jsonl" in everywhere(root, "never flake8")
        impact = memex.purge(session=SESSION, dry_run=True)
        assert (impact["turns"], impact["episodes"], impact["journal_lines"] > 0) == (0, [], True)
        memex.purge(session=SESSION)
        with pytest.raises(NotFound):
            memex.purge(session=SESSION)
    assert everywhere(root, "never flake8") == []
    assert everywhere(root, "Ruff everywhere") == []


def test_the_users_marker_keeps_a_conversation_out(memex: Any, root: Path) -> None:
    with pytest.raises(Excluded, match="not stored: the user said DO NOT INDEX") as refused:
        memex.ingest_transcript(SESSION, turns=MARKED)
    assert refused.value.hint == "nothing of it is kept"
    assert memex.sessions()["total"] == 0
    assert everywhere(root, "flake8") == []


def test_the_marker_erases_what_was_kept_before(root: Path) -> None:
    with learnt(root) as memex:
        with pytest.raises(Excluded, match="DO NOT INDEX"):
            memex.ingest_transcript(SESSION, turns=MARKED, dry_run=True)
        assert memex.sessions()["total"] == 1
        with pytest.raises(Excluded) as refused:
            memex.ingest_transcript(SESSION, turns=MARKED, overwrite=True)
        assert refused.value.hint == (
            "what was kept of it is erased; these pages stay without its words: note/own.md, note/seen.md"
        )
        assert memex.sessions()["total"] == 0
        assert excluded_sessions(memex.store.layout) == {SESSION: "the user said DO NOT INDEX"}
    assert everywhere(root, "never flake8") == []


def test_the_marker_of_an_agent_or_tool_is_only_text(memex: Any) -> None:
    turns = [
        {"role": "agent", "content": "Say DO NOT INDEX to keep it out."},
        {"role": "tool", "tool_name": "Read", "result": "DO NOT INDEX"},
    ]
    assert memex.ingest_transcript(SESSION, turns=turns)["turn_count"] == 2


def test_memory_that_was_put_in_is_no_evidence(memex: Any) -> None:
    memex.write(type="preference", title="Ruff", body="Use ruff.")
    block = memex.context("ruff")["block"]
    assert "Use ruff." in block
    memex.ingest_transcript(SESSION, turns=[
        {"role": "user", "content": f"{block}\nWhich linter do we use?"},
        {"role": "tool", "tool_name": "Bash", "query": "cat memory.txt", "result": block},
    ])  # fmt: skip
    asked, tool = memex.session(SESSION)["turns"]
    assert (asked["content"], asked["trust"]) == ("Which linter do we use?", "human")
    assert tool["trust"] == "recall"
    assert "Use ruff." not in memex.show(SESSION)["body"]


def test_clearing_keeps_pages_and_is_on_record(root: Path) -> None:
    with learnt(root) as memex:
        assert memex.clear_transcripts(dry_run=True) == {"sessions": 1, "cleared": False}
        assert memex.clear_transcripts() == {"sessions": 1, "cleared": True}
        assert memex.sessions()["total"] == 0
        assert memex.show(SESSION)["node_type"] == "episode"
        last = next(iter(memex.store.journal.read(reverse=True)))
        assert (last["action"], last["file"], last["detail"]) == ("remove", "transcripts", {"sessions": 1})
        assert memex.clear_transcripts() == {"sessions": 0, "cleared": True}
        found = memex.trace("made")["evidence"][0]
        assert (found["found"], found["text"]) == (False, None)


def test_what_named_a_cleared_conversation_says_that_it_is_gone(root: Path) -> None:
    with learnt(root) as memex:
        told = memex.trace(SESSION)
        assert (told["confidence"], told["missing_transcripts"]) == ("direct", [])
        assert told["transcripts_cleared"] is None
        memex.clear_transcripts()
        told = memex.trace(SESSION)
        assert (told["confidence"], told["missing_transcripts"]) == ("none", [SESSION])
        when = next(iter(memex.store.journal.read(reverse=True)))["ts"]
        assert told["transcripts_cleared"] == when
        held = next(check for check in memex.verify()["checks"] if check["name"] == "sources-hold")
        page = memex.show(SESSION)["file_path"]
        line = Path(page).read_text().split("\n").index(f"transcript_ref: transcripts/{SESSION}.jsonl") + 1
        assert {
            "file": f"episodes/{SESSION}.md",
            "line": line,
            "column": 0,
            "message": f"its conversation was cleared on {when[:10]}",
        } in held["files"]
        memex.ingest_transcript(SESSION, turns=[{"role": "user", "content": "Row"}])
        assert memex.trace(SESSION)["confidence"] == "direct"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({}, ["c", "b", "a"]),
        ({"project": "kettle"}, ["b", "a"]),
        ({"project": "/w/kettle"}, ["b"]),
        ({"since": "2026-03-05"}, ["c", "b"]),
        ({"since": "2026-03-06T09:00:00Z"}, ["c"]),
        ({"since": "2027-01-01"}, []),
        ({"agent": "claude"}, []),
        ({"limit": 1}, ["c"]),
    ],
)
def test_the_list_is_narrowed(memex: Any, options: dict[str, Any], found: list[str]) -> None:
    for name, project, day in (("a", "kettle", 4), ("b", "/w/kettle", 5), ("c", "/w/pan", 6)):
        turns = [{"role": "user", "content": "x", "ts": f"2026-03-{day:02}T10:00:00Z"}]
        memex.ingest_transcript(name, turns=turns, project=project)
    assert [one["session_id"] for one in memex.sessions(**options)["sessions"]] == found
