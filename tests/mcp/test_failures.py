"""What a failed call says: the next step, and nothing of the disk, the engine or what is stored."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core.mcp.failures import told
from memex_core.model import errors

SECRET = "hunter2zirconium"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            errors.NotFound("no page is called 'x'", hint="did you mean y?"),
            "no page is called 'x'; did you mean y?",
        ),
        (
            errors.AlreadyExists("a.md is there", hint="--update changes it, --new writes another"),
            "a.md is there; update: true changes it, new: true writes another",
        ),
        (
            errors.BadInput("an episode needs its session", hint="add --session-id"),
            "an episode needs its session; add session_id",
        ),
        (
            errors.BadInput("a link is odd", hint="see --link and --source, --in"),
            "a link is odd; see links and sources, kinds",
        ),
        (
            errors.Refused("/home/ada/notes/docs/a.md is a link that leads out of /home/ada/notes"),
            "docs/a.md is a link that leads out of the memory",
        ),
        (
            errors.Refused("'/etc/passwd' is not a path in the memory: absolute"),
            "'a file' is not a path in the memory: absolute",
        ),
        (errors.Refused("C:\\Users\\ada\\x.md and \\\\srv\\share\\x.md"), "a file and a file"),
        (
            errors.SearchFailed("the index failed: no such column: zirconium"),
            "the search engine failed; try again; `memex verify` tells a person what is wrong",
        ),
        (
            errors.Locked("process 77 is writing to /home/ada/notes"),
            "another process is writing to the memory; try again in a moment",
        ),
        (
            errors.WriteFailed("/home/ada/notes/docs/a.md: no space left on device"),
            "the disk did not take it; nothing was changed; a person has to look at the disk",
        ),
        (
            errors.StoreMissing("there is no store at /home/ada/notes"),
            "there is no memory here yet; memex_write makes it",
        ),
        (errors.BadInput("one\ntwo", hint="x" * 900), "one two; " + "x" * 590 + "…"),
        (ValueError(f"{SECRET} in /home/ada"), "memex failed (ValueError); the call can be tried again"),
        (sqlite3.OperationalError(SECRET), "memex failed (OperationalError); the call can be tried again"),
    ],
)
def test_a_failure_in_one_line(error: Exception, line: str) -> None:
    assert told(error, home="/home/ada/notes")[1] == line


def test_hints_name_tools_and_leave_a_persons_commands(tmp_path: Path) -> None:
    text = "`memex list --status draft` and `memex sessions`, then `memex approve`"
    assert told(errors.BadInput(text))[1] == "memex_recall and memex_search_transcripts, then `memex approve`"


def test_a_hint_names_no_tool_that_is_not_offered() -> None:
    tools = {"memex_show", "memex_recall"}
    missing = told(errors.StoreMissing("there is no store at /home/ada/notes"), tools=tools)
    assert missing == ("no-store", "there is no memory here yet; `memex write` makes it")
    text = errors.BadInput("`memex list`, `memex import -i F` or `memex sessions`")
    assert told(text, tools=tools)[1] == "memex_recall, `memex import -i F` or `memex sessions`"


def test_a_path_that_was_asked_for_is_said_back() -> None:
    error = errors.NotFound("no page is called '/etc/passwd'; not /etc/shadow/x")
    assert told(error, asked='{"slug": "/etc/passwd"}')[1] == "no page is called '/etc/passwd'; not a file"


def test_dates_fractions_and_addresses_are_no_paths() -> None:
    text = "write 2026/11/30, and/or memex://page/SLUG, see https://a.b/c/d"
    assert told(errors.BadInput(text)) == ("bad-input", text)


BAD_NAMES = [
    "../../x",
    "/etc/passwd",
    "a/../../x",
    "..%2fx",
    "C:\\x",
    "\\\\srv\\s",
    "~/x",
    "a\0b",
    "./",
    "",
    "x/",
    "'; DROP TABLE page; --",
]


async def test_no_failure_tells_what_was_not_asked_for(
    memex: Any, connect: Callable[..., Any], root: Path
) -> None:
    memex.write(type="entity", title="Oven", body=f"The oven's word is {SECRET}.", status="stable")
    memex.write(type="entity", title="Twins", body=SECRET, slug="first-twin")
    memex.write(type="summary", title="Twins", body=SECRET, slug="second-twin")
    damaged = root / "docs" / "odd.md"
    damaged.write_text(f"---\ntype: [entity\npassword: {SECRET}: {SECRET}\n---\nOdd. {SECRET}\n")
    memex.ingest_transcript(session_id="s1", turns=[{"role": "user", "content": f"It is {SECRET}."}])
    calls: list[tuple[str, dict[str, Any]]] = [
        ("show", {"slug": "Twins"}),
        ("show", {"slug": "oven", "section": "None"}),
        ("write", {"type": "entity", "title": "Oven", "body": "x"}),
        ("write", {"type": "entity", "title": "a\nb"}),
        ("write", {"type": "entity", "title": "T", "importance": 7}),
        ("write", {"type": "entity", "title": "T", "valid_until": "soon"}),
        ("edit", {"slug": "oven", "body": "x", "expect": "00"}),
        ("edit", {"slug": "odd", "set": {"a": "b"}}),
        ("edit", {"slug": "odd", "section": "None", "append": "x"}),
        ("forget", {"slug": "odd", "mode": "archive"}),
        ("forget", {"slug": "nowhere"}),
        ("links", {"slug": "oven", "hops": 99}),
        ("read_transcript", {"session_id": "s1", "turns": "x-y"}),
        ("read_transcript", {"session_id": "../s1"}),
        ("ingest_transcript", {"session_id": "s1", "turns": [{"role": "user", "content": "again"}]}),
        ("ingest_transcript", {"session_id": "a/b", "turns": [{"role": "user", "content": "x"}]}),
        ("recall", {"query": "oven", "after": "someday"}),
        ("recall", {"query": "oven", "kinds": ["attic"]}),
        ("recall", {"query": "oven", "top_k": 0}),
        ("recall", {"query": "oven", "top_k": 101}),
        ("import", {"nodes": [{"path": "../x.md", "file": {"text": "x"}}]}),
        ("import", {"nodes": [{"path": "/etc/x.md", "file": {"text": "x"}}]}),
        ("import", {"nodes": {"nodes": 3}}),
        ("diary", {"text": "x", "date": "2026-99-99"}),
        ("provenance", {"slug": "nowhere"}),
    ]
    calls += [
        (tool, {"slug": name}) for tool in ("show", "links", "provenance", "forget") for name in BAD_NAMES
    ]
    calls += [("edit", {"slug": name, "body": "x"}) for name in BAD_NAMES]
    before = sorted(path for path in root.parent.rglob("*") if path.suffix == ".md")
    async with connect() as agent:
        for tool, given in calls:
            line = await agent.refused(tool, **given)
            assert SECRET not in line, (tool, given)
            assert str(root) not in line, (tool, given)
            assert os.environ["HOME"] not in line, (tool, given)
            assert "Traceback" not in line
            assert ";" in line or len(line) > 15, (tool, given, line)
        assert (await agent("status"))["pages"] == 5
    assert sorted(path for path in root.parent.rglob("*") if path.suffix == ".md") == before


async def test_a_filter_is_never_sql(memex: Any, connect: Callable[..., Any]) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    async with connect() as agent:
        for given in ({"node_type": "x' OR 1=1 --"}, {"tags": ["x' OR 1=1 --"]}, {"project": "x' OR 1=1 --"}):
            assert (await agent("recall", query="hot", **given))["hits"] == []


async def test_a_broken_engine_is_never_zero_hits(
    memex: Any, connect: Callable[..., Any], root: Path
) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    assert memex.recall("hot")["hits"]
    with sqlite3.connect(root / "mem.db") as db:
        db.execute("DROP TABLE page_fts_idx")
    async with connect() as agent:
        result = await agent.raw("memex_recall", {"query": "hot"})
        if not result.is_error:  # it was made anew
            assert [hit["slug"] for hit in result.structured_content["hits"]] == ["oven"]
