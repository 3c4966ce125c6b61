"""Export and import: nothing is lost on the way, and twice changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, Refused, WriteFailed

FILES = {
    "entities/tide.md": b"\xef\xbb\xbf---\r\ntype: entity   # mine\r\nid: 7d0c4c5e-0f3a-4a51-9d51-0c1f4f0e7a11\r\nstatus: deprecated\r\n"
    b"x-own: {a: [1, 'two']}\r\nsources:\r\n  - {id: s1, resource: 'memex:s-1#1', lane: evidence, quote: q}\r\n---\r\n[[ebb]]",
    "Deep/er/page.md": "no front matter, Zoë\n".encode(),
    "latin.md": b"caf\xe9\n",
}  # fmt: skip


@pytest.fixture
def other(tmp_path: Path) -> Any:
    with Memex(tmp_path / "other", create=True) as opened:
        yield opened


def files(memex: Memex) -> dict[str, bytes]:
    docs = Path(memex.root) / "docs"
    return {path.relative_to(docs).as_posix(): path.read_bytes() for path in sorted(docs.rglob("*.md"))}


def test_files_come_back_byte_for_byte(memex: Memex, other: Memex) -> None:
    for path, data in FILES.items():
        (Path(memex.root) / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
        (Path(memex.root) / "docs" / path).write_bytes(data)
    memex.look_again()
    document = memex.export()
    assert other.import_(document, dry_run=True)["imported"] == 3
    assert files(other) == {}
    assert other.import_(document)["imported"] == 3
    assert files(other) == FILES
    again = other.import_(document)
    assert (again["imported"], again["unchanged"], again["skipped"]) == (0, 3, [])


def test_a_node_without_its_file_keeps_all_it_says(memex: Memex, other: Memex) -> None:
    memex.ingest_transcript("s-1", turns=[{"role": "user", "content": "high water at noon"}])
    memex.write(
        type="entity",
        title="Tide",
        body="High water. [[Ebb]]",
        tags=["sea"],
        aliases=["flood"],
        description="when",
        importance=0.8,
        links=[{"target": "moon", "rel": "depends-on"}],
        sources=["s-1#1"],
        quotes=["high water"],
        valid_from="2026-01-01",
        valid_until="2099-01-01",
        stale_after="2098-01-01",
        scope="project",
        project="sea",
    )
    memex.edit("tide", set={"x-own": "{a: b}"})
    memex.forget("tide", mode="archive")
    nodes = [{key: value for key, value in node.items() if key != "file"} for node in memex.export()["nodes"]]
    done = other.import_({"nodes": nodes})
    assert (done["imported"], done["skipped"]) == (2, [])
    assert files(other).keys() == files(memex).keys()
    here, there = memex.export()["nodes"], other.export()["nodes"]
    for old, new in zip(here, there, strict=True):
        old, new = ({k: v for k, v in one.items() if k != "file"} for one in (old, new))
        assert old == new
    again = other.import_({"nodes": nodes})
    assert (again["imported"], again["unchanged"], again["skipped"]) == (0, 2, [])


def test_a_document_of_another_program(memex: Memex) -> None:
    node = {
        "slug": "tls-policy",
        "type": "procedure",
        "title": "TLS policy",
        "tags": ["tls"],
        "created": "2031-02-03T04:05:06Z",
        "timestamp": "2031-02-04T04:05:06Z",
        "importance": 0.7,
        "status": "pending",
        "valid_to": "2099-01-01T00:00:00Z",
        "links": ["staging"],
        "harness": "codex",
        "body": "See [[staging]].",
    }
    for imported, unchanged in ((1, 0), (0, 1)):
        done = memex.import_([node])
        assert (done["imported"], done["unchanged"], done["skipped"]) == (imported, unchanged, [])
    page = memex.show("tls-policy")
    assert (page["status"], page["importance"], page["created"], page["updated"]) == (
        "draft",
        0.7,
        "2031-02-03T04:05:06Z",
        "2031-02-04T04:05:06Z",
    )
    assert page["front_matter"]["harness"] == "codex"
    assert page["front_matter"]["valid_until"] == "2099-01-01T00:00:00Z"
    done = memex.import_([{**node, "body": "Another."}])
    assert done["skipped"] == [{"path": "procedures/tls-policy.md", "reason": "another text is there"}]


def test_what_is_no_page_is_left_out_and_the_rest_comes(memex: Memex, root: Path) -> None:
    nodes = [
        {"type": "entity", "title": "One", "body": "x"},
        {"type": "entity", "title": ""},
        {"type": "entity", "title": "Two", "importance": 7},
        {"type": "episode", "title": "Three"},
        {"type": "entity", "title": "One", "body": "y", "id": "another"},
        {"path": "entities/four.md", "file": {"text": "four\n"}},
        {"path": "entities/four.md", "file": {"text": "five\n"}},
    ]
    done = memex.import_(nodes)
    assert done["imported"] == 2
    assert [one["path"] for one in done["skipped"]] == [
        "node 2",
        "Two",
        "Three",
        "entities/one.md",
        "entities/four.md",
    ]
    assert len({event["detail"]["group"] for event in memex.store.journal.read()}) == 1
    for wrong in ("x", [1], [{"path": "../x.md", "file": {"text": "x"}}], [{"path": "a.md", "file": {}}]):
        with pytest.raises((BadInput, Refused)):
            memex.import_(wrong)


def test_an_agents_nodes_wait_for_review_and_claim_nothing(memex: Memex, root: Path) -> None:
    memex.ingest_transcript("s-1", turns=[{"role": "user", "content": "high water at noon"}])
    with Memex(root, actor="codex/0.60") as agent:
        node = {
            "type": "entity",
            "title": "One",
            "body": "x",
            "verified": [{"by": "human:me", "at": "2026-01-01"}],
            "generated": {"by": "human:me", "at": "2026-01-01"},
            "supersedes": "other",
        }
        source = {"resource": "memex:s-1#1", "lane": "evidence", "quote": "high water"}
        done = agent.import_(
            [
                {**node, "sources": [source]},
                {**node, "title": "Two", "sources": [{**source, "quote": "low water"}]},
            ]
        )
        assert (done["imported"], [one["path"] for one in done["skipped"]]) == (1, ["Two"])
        page = agent.show("one")
        front = page["front_matter"]
        assert (page["status"], front.get("verified"), front.get("supersedes")) == ("draft", None, None)
        assert (front["generated"]["by"], front["sources"][0]["quote"]) == ("codex/0.60", "high water")


def test_a_name_that_no_disk_takes_stops_nothing_later(memex: Memex) -> None:
    long = {"path": f"x/{'a' * 400}.md", "file": {"text": "x"}}
    with pytest.raises(WriteFailed):
        memex.import_([{"path": "entities/first.md", "file": {"text": "x"}}, long])
    assert files(memex) == {}
    memex.write(type="entity", title="Later", body="goes on")
    assert list(files(memex)) == ["entities/later.md"]


def test_numbers_and_characters_that_no_file_can_hold(memex: Memex) -> None:
    node = {"type": "entity", "title": "Huge", "body": "x", "importance": 10**400}
    assert [one["path"] for one in memex.import_([node])["skipped"]] == ["Huge"]
    with pytest.raises(BadInput, match="neither text nor base64"):
        memex.import_([{"path": "a.md", "file": {"text": "\ud800"}}])


def test_a_file_that_cannot_wait_for_review_keeps_no_other_out(memex: Memex, root: Path) -> None:
    with Memex(root, actor="codex/0.60") as agent:
        bad = {"path": "entities/bad.md", "file": {"text": "---\na: [\n---\nx"}}
        done = agent.import_([bad, {"path": "entities/good.md", "file": {"text": "x"}}])
    assert (done["imported"], [one["path"] for one in done["skipped"]]) == (1, ["entities/bad.md"])
    assert list(files(memex)) == ["entities/good.md"]


def test_links_of_a_node_that_its_body_lacks_are_kept(memex: Memex) -> None:
    """The specification's document says links by name; those of the body are not said twice."""
    node = {
        "type": "entity",
        "title": "Ruff",
        "body": "Needs [[Python 3 11]].",
        "links": ["python-3-11", "project-tooling", {"target": "black", "rel": "contradicts"}],
    }
    for imported, unchanged in ((1, 0), (0, 1)):
        done = memex.import_([node])
        assert (done["imported"], done["unchanged"], done["skipped"]) == (imported, unchanged, [])
    assert memex.show("ruff")["front_matter"]["links"] == [
        {"target": "black", "rel": "contradicts"},
        {"target": "project-tooling", "rel": "relates-to"},
    ]


def test_links_of_ones_own_export_are_not_made_anew(memex: Memex, other: Memex) -> None:
    memex.write(type="entity", title="Tide", body="[[Ebb]]")
    memex.edit("tide", set={"parent": "sea"})
    nodes = [{key: value for key, value in node.items() if key != "file"} for node in memex.export()["nodes"]]
    other.import_(nodes)
    assert "links" not in other.show("tide")["front_matter"]
