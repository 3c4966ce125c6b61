"""Review, history, links and tags as processes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Runner
from tests.cli.test_pages import pages_of


@pytest.fixture
def draft(memex: Runner, store: Path) -> str:
    done = memex(
        "write", "--type", "preference", "--title", "Maybe", "--body", "Perhaps.", "--status", "draft"
    )
    assert done.json["status"] == "draft"
    return "maybe"


def test_approve_and_reject(memex: Runner, store: Path, draft: str) -> None:
    assert memex("recall", "perhaps").json["hits"] == []
    assert memex("approve", draft, "--dry-run").code == 0
    assert memex("show", draft).json["status"] == "draft"
    assert memex("approve", draft).code == 0
    assert memex("show", draft).json["status"] == "stable"
    assert memex("recall", "perhaps").json["hits"][0]["slug"] == draft
    assert memex("reject", draft).code == 1
    memex("write", "--type", "preference", "--title", "No", "--body", "x", "--status", "draft")
    assert memex("reject", "no", "--why", "wrong", "--dry-run").code == 0
    assert memex("reject", "no", "--why", "wrong").code == 0
    assert memex("show", "no").code == 1
    assert memex("approve", "nope").code == 1
    assert memex("approve").code == 2


def test_the_queue_and_its_verdicts(memex: Runner, store: Path, terminal: Any) -> None:
    agent = {"MEMEX_ACTOR": "codex/1.4"}
    done = memex("edit", "ruff", "--append", "Also format.", env=agent)
    assert (done.code, done.json["slug"]) == (0, "ruff-proposed"), done.err
    assert memex("write", "--type", "entity", "--title", "Oven", "--body", "Is hot.", env=agent).code == 0
    refused = memex("approve", "oven", env=agent)
    assert (refused.code, refused.err.startswith("memex: an agent cannot review")) == (1, True)
    queue = memex("review").json
    assert {item["slug"]: item["kind"] for item in queue["items"]} == {
        "oven": "draft",
        "ruff-proposed": "change",
    }
    assert [item["slug"] for item in memex("review", "--kind", "change", "--jsonl").lines] == [
        "ruff-proposed"
    ]
    assert memex("review", "--kind", "nonsense").code == 2
    code, shown = terminal("review", NO_COLOR="1")
    assert code == 0
    shown = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "change   ruff-proposed  Ruff\n         would change preferences/ruff.md; codex/1.4" in shown
    assert "2 items: memex approve, reject, merge or defer SLUG" in shown
    assert memex("defer", "oven").json["deferred"] == ["oven"]
    assert [item["slug"] for item in memex("review").json["items"]] == ["ruff-proposed", "oven"]
    assert memex("approve", "ruff-proposed", "--text", "-", stdin=b"Only this.\n").code == 0
    assert memex("show", "ruff").json["body"] == "Only this.\n"
    assert memex("reject", "oven", "--why", "too hot").code == 0
    again = memex("write", "--type", "entity", "--title", "Oven", "--body", "Is hot.", env=agent)
    assert (again.code, "too hot" in again.err) == (1, True)
    assert memex("review").json == {"items": [], "total": 0}
    assert "nothing waits for review" in terminal("review")[1]


def test_people_wait_where_they_say_so(memex: Runner, store: Path) -> None:
    (store / "memex.toml").write_text('[governance]\napproval = "manual"\n')
    assert memex("edit", "ruff", "--append", "More.").json["slug"] == "ruff-proposed"
    assert memex("forget", "shop").json["proposed"] == "shop-proposed"
    assert memex("show", "shop").code == 0
    assert memex("approve", "ruff-proposed", "shop-proposed").json["approved"] == ["ruff", "shop"]
    assert memex("show", "shop").code == 1
    assert memex("show", "ruff").json["body"].endswith("More.\n")


def test_merge(memex: Runner, store: Path) -> None:
    before = pages_of(store)
    assert memex("merge", "shop", "ada-park", "--dry-run").code == 0
    assert pages_of(store) == before
    assert memex("merge", "shop", "ada-park").code == 0
    assert "Bakes since 1998." in memex("show", "shop").json["body"]
    assert memex("merge", "shop", "shop").code in (1, 2)
    assert memex("merge", "shop", "nope").code == 1


def test_demote_and_promote(memex: Runner, store: Path) -> None:
    assert memex("promote", "ruff").code == 1
    assert memex("demote", "ruff", "--project", "bakery", "--dry-run").json["scope"] == "project"
    assert memex("demote", "ruff", "--project", "bakery").code == 0
    assert memex("show", "ruff").json["project"] == "bakery"
    assert memex("promote", "ruff").code == 0
    assert memex("show", "ruff").json["scope"] == "global"
    assert memex("demote", "ruff", "--project", "bakery", "--why", "only they bake").code == 0
    told = memex("--text", "history", "ruff").text
    seq = memex("history", "ruff").json["events"][0]["seq"]
    whys = [
        line.strip() for line in told.splitlines() if "project → global" in line or "global → project" in line
    ]
    assert whys[0] == f"{seq}  global → project: only they bake"
    assert [why.split("  ")[1] for why in whys[1:]] == ["project → global", "global → project"]


def test_history_diff_and_revert(memex: Runner, store: Path) -> None:
    path = next(store.rglob("ruff.md"))
    first = path.read_bytes()
    memex("edit", "ruff", "--append", "Second.")
    second = path.read_bytes()
    memex("edit", "ruff", "--append", "Third.")
    events = memex("history", "ruff").json["events"]
    assert [event["action"] for event in events] == ["update", "update", "add"]
    assert memex("history", "ruff", "--limit", "1", "--jsonl").lines[0]["seq"] == events[0]["seq"]
    diff = memex("diff", "ruff").json["diff"]
    assert "+Third." in diff.splitlines()
    assert "+Second." not in diff.splitlines()
    both = memex("diff", "ruff", str(events[2]["seq"])).json["diff"].splitlines()
    assert {"+Second.", "+Third."} <= set(both)
    assert memex("revert", "ruff", "--dry-run").code == 0
    assert b"Third." in path.read_bytes()
    assert memex("revert", "ruff").code == 0
    assert path.read_bytes() == second
    assert memex("revert", "ruff", "--to", str(events[2]["seq"])).code == 0
    assert path.read_bytes() == first
    for words in (
        ("history", "nope"),
        ("diff", "ruff", "99999"),
        ("revert", "ruff", "--to", "99999"),
        ("revert", "nope"),
    ):
        assert memex(*words).code == 1, words
    assert memex("diff", "ruff", "one").code == 2


def test_purge_shows_then_erases(memex: Runner, store: Path) -> None:
    memex("write", "--type", "entity", "--title", "Secret", "--body", "the word is xyzzy")
    ident = memex("show", "secret").json["id"]
    bare = memex("purge", "secret", "--id", ident)
    assert bare.code == 1
    assert bare.json["purged"] is False
    assert "--yes" in bare.err
    assert memex("purge", "secret", "--id", ident, "--dry-run").code == 0
    unsure = memex("purge", "secret", "--yes")
    assert unsure.code == 1
    assert ident in unsure.err
    assert memex("purge", "--yes").code == 2
    assert memex("purge", "secret", "--id", "not-it", "--yes").code == 1
    assert memex("show", "secret").code == 0
    done = memex("purge", "secret", "--id", ident, "--yes")
    assert (done.code, done.json["purged"]) == (0, True), done.err
    assert memex("show", "secret").code == 1
    left = [path for path in store.rglob("*") if path.is_file() and b"xyzzy" in path.read_bytes()]
    assert left == []


def test_links(memex: Runner, store: Path) -> None:
    assert [link["slug"] for link in memex("links", "ruff").json["links"]] == ["shop"]
    assert {link["slug"] for link in memex("links", "ruff", "--hops", "2").json["links"]} == {
        "shop",
        "ada-park",
    }
    assert {link["slug"] for link in memex("links", "shop", "--back").json["links"]} == {"ruff", "ada-park"}
    assert memex("links", "nope").code == 1
    assert memex("links", "ruff", "--hops", "0").code == 2


def test_graph_in_every_format(memex: Runner, store: Path) -> None:
    made = memex("graph").json
    assert {node["title"] for node in made["nodes"]} == {"Ruff", "Shop", "Ada Park"}
    assert len(made["edges"]) == 3
    assert memex("graph", "--format", "json").json == made
    assert memex("graph", "--format", "mermaid").text.startswith("flowchart LR\n")
    assert memex("graph", "--format", "mermaid").text.count(" --> ") == 3
    assert memex("graph", "--format", "dot").text.count(" -> ") == 3
    canvas = json.loads(memex("graph", "--format", "canvas").text)
    assert len(canvas["nodes"]) == 3
    assert len(canvas["edges"]) == 3
    near = memex("graph", "--around", "ruff").json
    assert {node["title"] for node in near["nodes"]} == {"Ruff", "Shop"}
    assert memex("graph", "--around", "nope").code == 1
    assert memex("graph", "--format", "png").code == 2


def test_tags(memex: Runner, store: Path) -> None:
    counts = {row["tag"]: row["pages"] for row in memex("tags").json["tags"]}
    assert counts == {"python": 2, "lint": 1, "people": 1}
    assert memex("tags", "rename", "lint", "linting", "--dry-run").code == 0
    assert memex("tags", "rename", "lint", "linting").json["pages"] == ["preferences/ruff.md"]
    assert memex("tags", "rename", "linting", "python").code == 1
    assert memex("tags", "merge", "linting", "python").code == 0
    assert memex("show", "ruff").json["tags"] == ["python"]
    assert memex("tags", "merge", "nope", "python").code == 1
    assert {row["tag"] for row in memex("tags", "list", "--jsonl").lines} == {"python", "people"}


def test_a_source_is_doubted(memex: Runner, store: Path) -> None:
    turns = store / "turns.jsonl"
    turns.write_text(json.dumps({"role": "user", "content": "Use ruff."}) + "\n")
    assert memex("ingest-transcript", "--session-id", "s-1", "--turns-file", str(turns)).code == 0
    assert memex("edit", "ruff", "--source", "s-1#1", "--quote", "Use ruff").code == 0
    done = memex("dispute", "ruff", "s1", "--why", "a joke")
    assert (done.code, done.json["disputed"], done.json["slug"]) == (0, True, "ruff")
    assert memex("show", "ruff").json["trust"] == "disputed"
    assert memex("dispute", "ruff", "s1", "--withdraw").json["disputed"] is False
    assert memex("show", "ruff").json["trust"] != "disputed"
    refused = memex("dispute", "ruff", "s7")
    assert (refused.code, "has no source 's7'" in refused.err) == (1, True)
