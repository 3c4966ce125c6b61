"""The queue of what waits for a person, and the verdicts on disputes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, Conflict, NotFound, Refused

SAID = "The oven needs 250 degrees for rye bread, and steam."


@pytest.fixture
def agent(memex: Any, root: Path) -> Iterator[Memex]:
    with Memex(root, actor="codex/1.4") as opened:
        yield opened


@pytest.fixture
def oven(memex: Any) -> Path:
    memex.ingest_transcript(
        session_id="s-1",
        turns=[{"role": "user", "content": SAID}, {"role": "agent", "content": "Noted."}],
    )
    done = memex.write(
        type="entity", title="Oven", body="250 degrees.[^s1]", sources=["s-1#1"], quotes=["250 degrees"]
    )
    return Path(done["file_path"])


def disputed(path: Path) -> None:
    text = path.read_text()
    doubt = '    disputed: {by: human:ben, at: "2026-11-01T00:00:00Z", why: a typo}\n    lane: evidence\n'
    assert "    lane: evidence\n" in text
    path.write_text(text.replace("    lane: evidence\n", doubt))


def checks(item: Any) -> dict[str, tuple[bool, str]]:
    return {check["name"]: (check["ok"], check["detail"]) for check in item["checks"]}


def test_a_new_page_with_its_proof(memex: Any, agent: Memex, oven: Path) -> None:
    agent.write(
        type="procedure",
        title="Rye bread",
        body="Bake with steam, see [[Oven]].[^s1]",
        sources=["s-1#1", "s-1#2:context"],
        quotes=["and steam"],
        scope="project",
        project="bakery",
    )
    memex.look_again()
    queue = memex.review()
    (item,) = queue["items"]
    assert queue["total"] == 1
    assert (item["kind"], item["slug"], item["type"], item["title"]) == (
        "draft",
        "rye-bread",
        "procedure",
        "Rye bread",
    )
    assert (item["by"], item["scope"], item["project"], item["session_id"], item["target"]) == (
        "codex/1.4",
        "project",
        "bakery",
        "s-1",
        "",
    )
    assert (item["before"], item["after"]) == ("", "Bake with steam, see [[Oven]].[^s1]\n")
    assert [(one["turn"], one["lane"], one["found"]) for one in item["evidence"]] == [
        (1, "evidence", True),
        (2, "context", True),
    ]
    assert checks(item) == {
        "evidence": (True, "2 found"),
        "twin": (True, "none"),
        "links": (True, "all lead somewhere"),
        "secrets": (True, "none"),
        "size": (True, "36 characters"),
    }
    assert item["digest"] == memex.show("rye-bread")["digest"]
    assert item["deferred"] is False


def test_what_does_not_hold_is_said(memex: Any, oven: Path, root: Path) -> None:
    (root / "memex.toml").write_text("[pages]\nmax_body_chars = 100\n")
    key = "ghp_" + "Ab1" * 12
    (root / "docs" / "entities" / "hot.md").write_text(
        "---\ntype: entity\ntitle: Oven\nstatus: draft\n"
        "sources:\n  - {id: s1, resource: 'memex:s-1#1', quote: 300 degrees}\n---\n"
        f"See [[Nowhere]]. {key}\n" + "word " * 20
    )
    with Memex(root) as opened:
        (item,) = opened.review()["items"]
    found = checks(item)
    assert found["evidence"] == (False, "s1 is not found")
    assert found["twin"] == (False, "entities/oven.md has the same name")
    assert found["links"] == (False, "no page Nowhere")
    assert found["secrets"][0] is False
    assert key not in found["secrets"][1]
    assert found["size"] == (False, f"{len(item['after'])} characters, over 100")


def test_a_page_that_says_the_same_is_a_twin(memex: Any) -> None:
    body = "Bake rye bread at high heat with steam for ten minutes, then lower the heat and wait."
    memex.write(type="procedure", title="Rye", body=body)
    memex.write(type="procedure", title="How to bake", body=body.replace("ten", "twelve"), status="draft")
    memex.write(
        type="procedure", title="Wheat", body="Another thing altogether, which nobody does.", status="draft"
    )
    by_slug = {item["slug"]: checks(item)["twin"] for item in memex.review()["items"]}
    assert by_slug == {
        "how-to-bake": (False, "procedures/rye.md says nearly the same"),
        "wheat": (True, "none"),
    }


def test_the_oldest_first_and_what_was_deferred_last(memex: Any, later: Any) -> None:
    for day, title in ((3, "Third"), (1, "First"), (2, "Second")):
        later(f"2026-11-0{day}T10:00:00Z")
        memex.write(type="entity", title=title, body="x", status="draft")
    assert [item["slug"] for item in memex.review()["items"]] == ["first", "second", "third"]
    assert memex.defer(["first"], dry_run=True)["deferred"] == ["first"]
    assert memex.review()["items"][0]["slug"] == "first"
    memex.defer(["first"])
    found = memex.review()["items"]
    assert [(item["slug"], item["deferred"]) for item in found] == [
        ("second", False),
        ("third", False),
        ("first", True),
    ]
    queue = memex.review(limit=1)
    assert ([item["slug"] for item in queue["items"]], queue["total"]) == (["second"], 3)
    memex.revert("first")
    assert memex.review()["items"][0]["slug"] == "first"
    memex.defer("first")
    memex.approve("first")
    assert "deferred" not in memex.show("first")["front_matter"]


def test_kinds_and_projects(memex: Any, agent: Memex, oven: Path) -> None:
    agent.edit("oven", append="And steam.")
    agent.write(type="entity", title="Shop", body="x", project="bakery")
    memex.look_again()
    assert [item["slug"] for item in memex.review(kind="draft")["items"]] == ["shop"]
    assert [item["slug"] for item in memex.review(kind=["change", "conflict"])["items"]] == ["oven-proposed"]
    assert memex.review(kind="dispute") == {"items": [], "total": 0}
    assert [item["slug"] for item in memex.review(project="bakery")["items"]] == ["shop"]
    with pytest.raises(BadInput, match="draft, change, conflict, dispute"):
        memex.review(kind="nonsense")
    with pytest.raises(BadInput):
        memex.review(limit=0)


def test_a_disputed_source_is_known_everywhere(memex: Any, oven: Path) -> None:
    assert memex.recall("oven")["hits"][0]["trust"] == "unreviewed"
    disputed(oven)
    memex.look_again()
    (item,) = memex.review()["items"]
    assert (item["kind"], item["slug"], item["target"]) == ("dispute", "oven", "")
    assert item["why"] == "source s1 is disputed by human:ben: a typo"
    assert memex.show("oven")["trust"] == "disputed"
    assert [hit["trust"] for hit in memex.recall("oven", type="entity")["hits"]] == ["disputed"]
    assert "· disputed" in memex.context("oven")["block"]
    assert memex.trace("oven")["evidence"][0]["disputed"] == {
        "by": "human:ben",
        "at": "2026-11-01T00:00:00Z",
        "why": "a typo",
    }
    check = next(one for one in memex.verify()["checks"] if one["name"] == "sources-undisputed")
    assert (check["ok"], check["level"]) == (False, "warning")
    assert check["files"][0]["message"] == "source s1 is disputed by human:ben: a typo"


def test_a_disputed_page_holds_or_does_not(memex: Any, oven: Path) -> None:
    disputed(oven)
    memex.look_again()
    memex.approve("oven")
    assert memex.review()["total"] == memex.pending() == 0
    assert (memex.show("oven")["trust"], b"disputed" in oven.read_bytes()) == ("human-reviewed", False)
    memex.revert("oven")
    assert memex.review()["total"] == memex.pending() == 1
    memex.reject("oven", why="it is a typo")
    assert memex.show("oven")["status"] == "deprecated"
    assert memex.review()["total"] == memex.pending() == 0


def test_pages_that_contradict_each_other(memex: Any, oven: Path) -> None:
    memex.write(type="entity", title="Cold oven", body="230 degrees.", links=["oven:contradicts"])
    (item,) = memex.review()["items"]
    assert (item["kind"], item["slug"], item["target"], item["why"]) == (
        "dispute",
        "cold-oven",
        "oven",
        "contradicts entities/oven.md",
    )
    assert (item["before"], item["after"]) == ("250 degrees.[^s1]\n", "230 degrees.\n")
    memex.defer("cold-oven")
    assert memex.review()["items"][0]["deferred"] is True
    memex.approve("cold-oven")
    assert memex.review()["total"] == memex.pending() == 0
    assert memex.show("oven")["status"] == "deprecated"
    assert memex.show("oven")["front_matter"]["superseded_by"] == "cold-oven"
    assert memex.show("cold-oven")["front_matter"]["supersedes"] == ["oven"]
    memex.revert("cold-oven")
    assert memex.show("oven")["status"] == "stable"
    memex.reject("cold-oven", why="measured")
    assert memex.show("cold-oven")["front_matter"]["superseded_by"] == "oven"
    assert memex.review()["total"] == memex.pending() == 0


def test_a_draft_that_contradicts_is_no_dispute_yet(memex: Any, agent: Memex, oven: Path) -> None:
    agent.write(type="entity", title="Cold oven", body="230 degrees.", links=["oven:contradicts"])
    memex.look_again()
    assert [item["kind"] for item in memex.review()["items"]] == ["draft"]
    memex.approve("cold-oven")
    assert [item["kind"] for item in memex.review()["items"]] == ["dispute"]


def test_a_verdict_on_what_was_looked_at(memex: Any, agent: Memex) -> None:
    agent.write(type="entity", title="Oven", body="It is hot in there, very.")
    memex.look_again()
    (item,) = memex.review()["items"]
    agent.edit("oven", append="It is cold.")
    memex.look_again()
    for act in (memex.approve, memex.reject):
        with pytest.raises(Conflict, match="changed since you looked"):
            act("oven", expect=item["digest"])
    (item,) = memex.review()["items"]
    memex.approve("oven", expect=item["digest"])
    assert memex.show("oven")["status"] == "stable"


def test_all_or_nothing_and_only_what_waits(memex: Any, oven: Path) -> None:
    memex.write(type="entity", title="One", body="x", status="draft")
    with pytest.raises(Refused, match=r"entities/oven.md is stable, not a draft"):
        memex.approve(["one", "oven"])
    assert memex.show("one")["status"] == "draft"
    with pytest.raises(Refused, match="not a draft"):
        memex.defer("oven")
    with pytest.raises(BadInput, match="one item"):
        memex.approve(["one", "oven"], text="x")
    memex.approve("one", text="Better.\n")
    assert memex.show("one")["body"] == "Better.\n"


def test_merging_keeps_both_texts(memex: Any, agent: Memex, oven: Path) -> None:
    agent.write(type="entity", title="Stove", body="It has a window.")
    agent.edit("oven", append="It has steam.")
    memex.look_again()
    memex.merge("oven", "stove")
    assert memex.show("oven")["body"].endswith("## Merged from Stove\n\nIt has a window.\n")
    assert memex.show("oven")["trust"] == "human-reviewed"
    assert memex.show("stove")["front_matter"]["superseded_by"] == "oven"
    memex.merge("oven", "oven-proposed")
    assert "It has steam." in memex.show("oven")["body"]
    assert memex.review()["total"] == memex.pending() == 0
    assert not oven.with_name("oven-proposed.md").exists()
    memex.revert("oven")
    assert [item["kind"] for item in memex.review()["items"]] == ["conflict"]


def test_only_what_is_shown_is_read(memex: Any, later: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list comes from the index; a file that goes while it is read holds nothing up."""
    for day, title in ((1, "First"), (2, "Second"), (3, "Third")):
        later(f"2026-11-0{day}T10:00:00Z")
        memex.write(type="entity", title=title, body=title * 2, status="draft")
    read: list[str] = []
    gone: set[str] = set()
    of_disk = memex.store.read_bytes

    def read_bytes(path: str) -> bytes:
        read.append(path)
        if path in gone:
            raise NotFound(f"no file {path}")
        return bytes(of_disk(path))

    monkeypatch.setattr(memex.store, "read_bytes", read_bytes)
    assert [item["slug"] for item in memex.waiting()["items"]] == ["first", "second", "third"]
    assert read == []
    queue = memex.review(limit=1)
    assert ([item["slug"] for item in queue["items"]], queue["total"]) == (["first"], 3)
    assert set(read) == {"entities/first.md"}
    gone.add("entities/second.md")
    queue = memex.review()
    assert ([item["slug"] for item in queue["items"]], queue["total"]) == (["first", "third"], 3)


def test_the_short_list_says_of_an_item_what_its_files_say(memex: Any, agent: Memex, oven: Path) -> None:
    agent.edit("oven", append="And steam.")
    agent.write(type="entity", title="Shop", body="Bread.[^s1]", sources=["s-1#1"], project="bakery")
    memex.write(type="entity", title="Cold oven", body="230 degrees.", links=["oven:contradicts"])
    memex.look_again()
    short, whole = memex.waiting(), memex.review()
    assert (short["total"], len(short["items"])) == (whole["total"], 3)
    for one, other in zip(short["items"], whole["items"], strict=True):
        assert one == {key: other[key] for key in one}
    assert [(one["kind"], one["target"], one["session_id"]) for one in sorted(short["items"], key=str)] == [
        ("change", "oven", ""),
        ("dispute", "oven", ""),
        ("draft", "", "s-1"),
    ]


def test_a_change_is_a_conflict_as_long_as_its_page_says_something_else(
    memex: Any, agent: Memex, oven: Path
) -> None:
    def kinds() -> tuple[list[str], list[str], int, int]:
        memex.look_again()
        return (
            [one["kind"] for one in memex.waiting()["items"]],
            [one["kind"] for one in memex.review()["items"]],
            memex.review(kind="change")["total"],
            memex.review(kind="conflict")["total"],
        )

    agent.edit("oven", append="And steam.")
    assert kinds() == (["change"], ["change"], 1, 0)
    text = oven.read_bytes()
    oven.write_bytes(text + b"A line by hand.\n")
    assert kinds() == (["conflict"], ["conflict"], 0, 1)
    oven.write_bytes(text)
    assert kinds() == (["change"], ["change"], 1, 0)
    oven.unlink()
    assert kinds() == (["conflict"], ["conflict"], 0, 1)


def test_a_source_is_doubted_and_no_longer(memex: Any, agent: Memex, oven: Path) -> None:
    before = oven.read_bytes()
    assert memex.dispute("oven", "s1", "a\n typo", dry_run=True)["changed"] is True
    assert oven.read_bytes() == before
    done = memex.dispute("oven", "s1", why="a\n typo")
    assert (done["slug"], done["disputed"], done["changed"]) == ("oven", True, True)
    added = [line for line in oven.read_text().splitlines() if line not in before.decode().splitlines()]
    assert [line.partition(": {by: ")[0] for line in added] == ["    disputed"]
    (item,) = memex.review()["items"]
    assert (item["kind"], item["why"]) == ("dispute", f"source s1 is disputed by {memex.store.actor}: a typo")
    assert memex.dispute("oven", "memex:s-1#1", withdraw=True)["changed"] is True
    assert oven.read_bytes() == before
    assert memex.dispute("oven", "s1", withdraw=True)["changed"] is False
    with pytest.raises(NotFound, match="no source 's9'"):
        memex.dispute("oven", "s9")
    with pytest.raises(Conflict):
        memex.dispute("oven", "s1", expect="0" * 32)
    with pytest.raises(Refused, match="an agent cannot review"):
        agent.dispute("oven", "s1")
    memex.dispute("oven", "s1")
    memex.revert("oven")
    assert oven.read_bytes() == before
