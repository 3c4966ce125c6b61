"""Acceptance tests 1 to 6 of the specification: pages are files that read back as they were written."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import yaml


def front_matter(path: str) -> dict[str, Any]:
    """The front matter as any other YAML tool reads it."""
    text = Path(path).read_text(encoding="utf-8")
    assert text.startswith("---\n")
    loaded = yaml.safe_load(text[4 : text.index("\n---\n", 4)])
    assert isinstance(loaded, dict)
    return loaded


def test_wiki_write_and_read(memex: Any) -> None:
    body = "Ruff is a fast Python linter.\n\nIt replaces flake8 and isort."
    done = memex.write(type="entity", title="Ruff linter", body=body, tags=["tool", "linter"], importance=0.8)
    assert done["slug"] == "ruff-linter"
    assert Path(done["file_path"]) == Path(memex.root) / "docs" / "entities" / "ruff-linter.md"

    page = memex.show("ruff-linter")
    assert page["title"] == "Ruff linter"
    assert page["body"].strip() == body
    assert page["node_type"] == "entity"
    assert page["tags"] == ["tool", "linter"]
    assert page["importance"] == 0.8
    assert uuid.UUID(page["id"]) == uuid.UUID(done["id"])

    on_disk = front_matter(done["file_path"])
    assert on_disk["title"] == "Ruff linter"
    assert on_disk["type"] == "entity"
    assert on_disk["id"] == done["id"]


def test_wiki_slug_derivation(memex: Any) -> None:
    def slug(title: str, **more: Any) -> str:
        return str(memex.write(type="entity", title=title, body="x", **more)["slug"])

    assert slug("Hello, World!  Again") == "hello-world-again"
    assert slug("--Über_Größe--") == "über-größe"
    long = slug("word " * 40)
    assert len(long) <= 64
    assert long.startswith("word-word")
    assert not long.endswith("-")
    assert slug("Hello World Again") == "hello-world-again-2"
    assert slug("hello... world again", new=True) == "hello-world-again-3"
    nameless = memex.write(type="entity", title="!!!", body="x")
    assert nameless["slug"] == nameless["id"][:8]
    assert slug("Index") == "index-page"


def test_wiki_list_filter_by_type(memex: Any) -> None:
    for kind in ("entity", "preference", "procedure", "entity"):
        memex.write(type=kind, title=f"A {kind}", body="x", new=True)
    pages = memex.list(type="entity")
    assert sorted(page["slug"] for page in pages["pages"]) == ["a-entity", "a-entity-2"]
    assert {page["node_type"] for page in pages["pages"]} == {"entity"}
    assert pages["total"] == 2


def test_wiki_delete(memex: Any, cli: Any) -> None:
    done = memex.write(type="entity", title="Short lived", body="ephemeral words")
    assert memex.recall("ephemeral")["hits"]
    forgotten = cli("forget", "short-lived", "--json")
    assert forgotten.returncode == 0
    assert forgotten.json["file_path"] is None
    assert not Path(done["file_path"]).exists()
    memex.look_again()
    assert memex.recall("ephemeral")["hits"] == []
    assert memex.list()["total"] == 0


def test_wiki_front_matter_roundtrip(memex: Any) -> None:
    done = memex.write(
        type="procedure",
        title='Say "hi": a guide',
        body="Wave.",
        description="How to greet: briefly",
        aliases=["Greeting", "Hello: world"],
        tags=["Manners", "two words"],
        importance=0.9,
        valid_from="2026-09-01T00:00:00Z",
        valid_until="2027-09-01T00:00:00Z",
        stale_after="2027-01-01",
        occurred_at="2026-08-31T12:00:00Z",
        links=["waving:supports"],
        status="draft",
    )
    page = memex.show(done["slug"])
    assert page["title"] == 'Say "hi": a guide'
    assert page["description"] == "How to greet: briefly"
    assert page["aliases"] == ["Greeting", "Hello: world"]
    assert page["tags"] == ["manners", "two-words"]
    assert page["importance"] == 0.9
    assert page["valid_from"] == "2026-09-01T00:00:00Z"
    assert page["valid_until"] == "2027-09-01T00:00:00Z"
    assert page["stale_after"] == "2027-01-01"
    assert page["status"] == "draft"
    assert page["front_matter"]["occurred_at"] == "2026-08-31T12:00:00Z"
    assert page["front_matter"]["links"] == [{"target": "waving", "rel": "supports"}]
    keys = list(front_matter(done["file_path"]))
    assert keys == [
        "type", "title", "description", "aliases", "tags", "generated", "status", "stale_after", "id",
        "created", "importance", "valid_from", "valid_until", "links", "occurred_at",
    ]  # fmt: skip


def test_wiki_link_parsing(memex: Any) -> None:
    memex.write(type="entity", title="Python 3.11", body="A version.")
    body = "See [[python-3-11]], [[Python 3.11|the version]], [[Unwritten page]] and `[[not a link]]`."
    done = memex.write(type="entity", title="Tooling", body=body)
    assert done["links"] == ["python-3-11", "Unwritten page"]
    links = memex.show("tooling")["links"]
    assert [link["target"] for link in links] == ["python-3-11", "Python 3.11", "Unwritten page"]
    assert [link["to"] for link in links] == ["entities/python-3-11.md", "entities/python-3-11.md", None]
    assert [link["slug"] for link in memex.show("python-3-11")["backlinks"]] == ["tooling", "tooling"]
