"""Each tool through the SDK's own client and a real process; every result fits the schema it promises."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TURNS = [
    {"role": "user", "content": "Please use ruff, never flake8.", "ts": "2026-11-02T09:00:00Z"},
    {"role": "agent", "content": "Noted: ruff it is."},
    {"role": "tool", "tool_name": "bash", "query": "ruff check", "result": "All checks passed!"},
]


@pytest.fixture
def auto(root: Path, memex: Any) -> None:
    """Agents' pages need no approval here."""
    (root / "memex.toml").write_text('[governance]\nknowledge_approval = "auto"\n')


async def test_a_page_is_written_found_read_edited_and_forgotten(
    memex: Any, auto: None, connect: Callable[..., Any], root: Path
) -> None:
    async with connect() as agent:
        made = await agent(
            "write",
            type="preference",
            title="Ruff, not flake8",
            body="Use ruff. See [[Linting]].",
            tags="python,lint",
            links=["linting:supports"],
        )
        assert (made["slug"], made["status"], made["changed"]) == ("ruff-not-flake8", "stable", True)
        await agent("write", type="entity", title="Linting", body="Checks of source text.")

        (hit,) = (await agent("recall", query="ruff", node_type="preference"))["hits"]
        assert (hit["slug"], hit["tags"], hit["trust"]) == ("ruff-not-flake8", ["python", "lint"], "agent")
        assert "1. Ruff, not flake8" in await agent.text("recall", query="ruff")

        page = await agent("show", slug="Ruff, not flake8")
        assert page["body"] == "Use ruff. See [[Linting]].\n"
        assert {link["to"] for link in page["links"]} == {"entities/linting.md"}
        assert page["file_path"] == str(root / "docs" / "preferences" / "ruff-not-flake8.md")

        done = await agent(
            "edit", slug="linting", append="Run often.", set={"owner": "ada", "n": 3, "ok": True}
        )
        assert done["changed"] is True
        front = (await agent("show", slug="linting"))["front_matter"]
        assert (front["owner"], front["n"], front["ok"]) == ("ada", "3", "true")

        linked = await agent("links", slug="ruff-not-flake8")
        both = [("linting", "mentions"), ("linting", "supports")]
        assert sorted((link["slug"], link["rel"]) for link in linked["links"]) == both
        back = await agent("links", slug="linting", back=True)
        assert {link["slug"] for link in back["links"]} == {"ruff-not-flake8"}

        assert (await agent("forget", slug="linting", dry_run=True))["dry_run"] is True
        assert (root / "docs" / "entities" / "linting.md").exists()
        gone = await agent("forget", slug="linting")
        assert (gone["slug"], gone["forgotten"], gone["mode"]) == ("linting", True, "hard")
        assert not (root / "docs" / "entities" / "linting.md").exists()
        assert "no page is called 'linting'" in await agent.refused("show", slug="linting")
    memex.revert("linting")
    assert "Run often." in memex.show("linting")["body"]


async def test_a_page_is_never_overwritten_unasked(
    memex: Any, auto: None, connect: Callable[..., Any], root: Path
) -> None:
    async with connect() as agent:
        await agent("write", type="entity", title="Oven", body="It is hot.")
        path = root / "docs" / "entities" / "oven.md"
        before = path.read_bytes()
        refused = await agent.refused("write", type="entity", title="oven", body="It is cold.")
        assert "update: true changes it, new: true writes another" in refused
        assert path.read_bytes() == before
        await agent("write", type="entity", title="Oven", body="It is cold.", update=True)
        assert b"It is cold." in path.read_bytes()
        digest = (await agent("show", slug="oven"))["digest"]
        path.write_bytes(path.read_bytes() + b"A person was here.\n")
        line = await agent.refused("edit", slug="oven", body="It is warm.", expect=digest)
        assert "changed since it was read" in line
        assert b"A person was here." in path.read_bytes()


async def test_what_a_model_writes_waits_for_a_person(memex: Any, connect: Callable[..., Any]) -> None:
    async with connect() as agent:
        made = await agent("write", type="entity", title="Oven", body="It is hot.")
        assert made["status"] == "draft"
        assert "a person approves" in await agent.text("write", type="entity", title="Door", body="Is open.")
        assert (await agent("recall", query="hot"))["hits"] == []
        assert [
            hit["slug"] for hit in (await agent("recall", query="hot", include_inactive=True))["hits"]
        ] == ["oven"]
        for change in ({"set": {"status": "stable"}}, {"unset": ["status"]}, {"set": {"verified": "me"}}):
            assert "cannot be set by an agent" in await agent.refused("edit", slug="oven", **change)
        assert "no parameter 'status'" in await agent.refused(
            "write", type="entity", title="Key", status="stable"
        )
        plain = [{"type": "entity", "title": "Imported", "body": "x", "status": "stable"}]
        await agent("import", nodes=plain)
        assert {page["status"] for page in memex.list()["pages"]} == {"draft"}
        memex.approve(["oven"])
        assert [hit["slug"] for hit in (await agent("recall", query="hot"))["hits"]] == ["oven"]


async def test_conversations_are_stored_searched_and_prove_pages(
    memex: Any, auto: None, connect: Callable[..., Any]
) -> None:
    async with connect() as agent:
        done = await agent("ingest_transcript", session_id="sess-1", turns=json.dumps(TURNS))
        assert (done["turn_count"], done["new_turns"], done["tool_turns"]) == (3, 3, 1)
        await agent(
            "ingest_transcript", session_id="sess-2", turns=[{"role": "user", "content": "About ruff again."}]
        )

        everywhere = (await agent("search_transcripts", query="ruff"))["hits"]
        assert {hit["session_id"] for hit in everywhere} == {"sess-1", "sess-2"}
        assert {hit["kind"] for hit in everywhere} == {"turn"}
        one = (await agent("search_transcripts", query="ruff", session_id="sess-2"))["hits"]
        assert [(hit["session_id"], hit["turn"]) for hit in one] == [("sess-2", 1)]

        read = await agent("read_transcript", session_id="sess-1", turns="2-3")
        assert [turn["turn"] for turn in read["turns"]] == [2, 3]
        assert "[3] tool bash: All checks passed!" in await agent.text("read_transcript", session_id="sess-1")

        said = await agent.refused("write", type="preference", title="Ruff", sources=["sess-1#1"])
        assert "is from an agent, which proves nothing" in said
        memex.ingest_transcript("sess-3", turns=[{"role": "user", "content": "Always ruff."}])
        await agent("write", type="preference", title="Ruff", body="Always.", sources=["sess-3#1"])
        trace = await agent("provenance", slug="ruff")
        assert trace["confidence"] == "direct"
        assert "- context: not collected" in await agent.text("provenance", slug="ruff")
        assert [(turn["session"], turn["turn"], turn["found"]) for turn in trace["evidence"]] == [
            ("sess-3", 1, True)
        ]
        assert "has no turn 9" in await agent.refused(
            "write", type="preference", title="Flake", sources=["sess-1#9"]
        )
        assert "no session 'sess-9'" in await agent.refused("read_transcript", session_id="sess-9")


async def test_the_diary_is_read_and_added_to(memex: Any, connect: Callable[..., Any]) -> None:
    async with connect() as agent:
        assert await agent.refused("diary") == "the diary is empty"
        await agent("diary", text="Lit the oven.", date="2026-11-02", time="06:30")
        await agent("diary", text="Baked rye.", date="2026-11-03", time="07:00")
        last = await agent("diary")
        assert [entry["text"] for entry in last["entries"]] == ["Baked rye."]
        both = await agent("diary", date="2026-11-01..2026-11-30")
        assert [(entry["date"], entry["time"]) for entry in both["entries"]] == [
            ("2026-11-02", "06:30"),
            ("2026-11-03", "07:00"),
        ]
        assert await agent.text("diary", date="2026-11-02") == "2026-11-02 06:30 Lit the oven."


async def test_status_counts(memex: Any, auto: None, connect: Callable[..., Any]) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    memex.write(type="summary", title="Week", body="Bread.", status="draft")
    async with connect() as agent:
        status = await agent("status")
        assert (status["pages"], status["pending"]) == (2, 1)
        assert status["by_type"] == {"entity": 1, "summary": 1}


async def test_export_and_import_carry_every_page_over(
    memex: Any, connect: Callable[..., Any], root: Path, tmp_path: Path
) -> None:
    for number in range(60):
        memex.write(type="entity", title=f"Page {number:02}", body=f"Text {number}, [[Page 01]].\n" * 20)
    memex.write(type="entity", title="Large", body="word " * 20_000)
    nodes, cursor, omitted = [], None, []
    async with connect() as agent:
        while True:
            part = await agent("export", format="json", cursor=cursor)
            nodes += part["nodes"]
            omitted += part["omitted"]
            cursor = part["cursor"]
            if cursor is None:
                break
        assert len({node["path"] for node in nodes}) == len(nodes) == 60
        assert {node["slug"] for node in omitted} == {"large"}
        again = await agent("import", nodes=nodes)
        assert (again["imported"], again["unchanged"]) == (0, 60)
    files = {node["path"]: (root / "docs" / node["path"]).read_bytes() for node in nodes}
    for path in files:
        (root / "docs" / path).unlink()
    async with connect() as agent:
        back = await agent("import", nodes={"version": "1.0", "nodes": nodes})
        assert back["imported"] == 60
    assert {path: (root / "docs" / path).read_bytes() for path in files} == files


async def test_a_cursor_goes_through_all_hits_once(memex: Any, connect: Callable[..., Any]) -> None:
    for number in range(45):
        memex.write(
            type="entity", title=f"Nail {number:02}", body="A nail of iron. " + f"Note {number}. " * 60
        )
    async with connect() as agent:
        seen: list[str] = []
        cursor = None
        while True:
            part = await agent("recall", query="nail iron", top_k=20, cursor=cursor)
            seen += [hit["slug"] for hit in part["hits"]]
            cursor = part["cursor"]
            if cursor is None:
                break
        assert sorted(seen) == [f"nail-{number:02}" for number in range(45)]
        assert (await agent("recall", query="nail", top_k=45))["cursor"] is not None  # 20 KB hold fewer
        for cursor in ("-1", "x", "1.5", "99999999999"):
            assert "that cursor is none" in await agent.refused("recall", query="nail", cursor=cursor)


async def test_a_long_page_is_read_in_parts(memex: Any, connect: Callable[..., Any]) -> None:
    body = "".join(f'Line {number}: tomato — トマト \\ "quoted"\n' for number in range(3_000))
    memex.write(type="entity", title="Long", body=body)
    async with connect() as agent:
        parts, cursor = [], None
        while True:
            page = await agent("show", slug="long", cursor=cursor)
            parts.append(page["body"])
            cursor = page["cursor"]
            if cursor is None:
                break
        assert "".join(parts) == body
        assert len(parts) > 5
        assert page["slug"] == "long"


async def test_a_conversation_is_read_in_parts_and_its_longest_turn_is_cut(
    memex: Any, connect: Callable[..., Any]
) -> None:
    turns = [{"role": "user", "content": f"Turn {number}. " + "bread " * 200} for number in range(1, 60)]
    turns[9] = {"role": "tool", "tool_name": "cat", "query": "cat", "result": "x" * 300_000}
    memex.ingest_transcript(session_id="s1", turns=turns)
    async with connect() as agent:
        seen, cursor = [], None
        while True:
            part = await agent("read_transcript", session_id="s1", turns="3-50", cursor=cursor)
            seen += part["turns"]
            cursor = part["cursor"]
            if cursor is None:
                break
        assert [turn["turn"] for turn in seen] == list(range(3, 51))
        (long,) = [turn for turn in seen if turn["turn"] == 10]
        assert long["cut"] == ["result"]
        assert long["result"].endswith("…")


async def test_a_page_with_a_thousand_backlinks_still_fits(
    memex: Any, root: Path, connect: Callable[..., Any]
) -> None:
    memex.write(type="entity", title="Hub", body="The hub.")
    for number in range(400):
        (root / "docs" / f"spoke-{number:03}.md").write_text(f"See [[hub]], says spoke {number}.\n")
    async with connect() as agent:
        page = await agent("show", slug="hub")
        assert page["body"] == "The hub.\n"
        assert 0 < len(page["backlinks"]) < 400
        assert "backlinks" in page["cut"]
        seen, cursor = [], None
        while True:
            part = await agent("links", slug="hub", back=True, cursor=cursor)
            seen += [link["slug"] for link in part["links"]]
            cursor = part["cursor"]
            if cursor is None:
                break
        assert sorted(seen) == [f"spoke-{number:03}" for number in range(400)]


async def test_a_prompt_of_100_kb_is_searched_not_refused(memex: Any, connect: Callable[..., Any]) -> None:
    memex.write(type="entity", title="Oven", body="The zirconium oven.")
    async with connect() as agent:
        found = await agent("recall", query="please look at this log " * 4_500 + " zirconium")
        assert [hit["slug"] for hit in found["hits"]] == ["oven"]
        assert len(found["query"]) <= 200
