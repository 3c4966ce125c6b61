"""A page that others reach in every way there is gets a new name: no link breaks, no other byte moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import AlreadyExists, BadInput, NotFound

HUB = """---
title: Old name
aliases: [The Alias]
---
# Old name

## Part one

Text. ^block-1

See [[#Part one]] and [[Old name]] itself, and [here](./Old%20name.md#part-one).
"""
LINKS = """---
up: "[[Old name|shown]]"
related:
  - "[[Old name#Part one]]"
supersedes: [old-name]
---
Plain [[Old name]], shown [[Old name|the hub]], head [[Old name#Part one]], block [[Old name#^block-1]].
![[Old name]] and ![[Old name#Part one|x]]
By alias [[The Alias]], other case [[old NAME]], ending [[Old name.md]].
[a](Old%20name.md) [b](./Old%20name.md) [c](<Old name.md>) [d](Old%20name.md#part-one "title") [e][ref]

| cell | other |
|------|-------|
| [[Old name\\|port]] | x |

```text
[[Old name]] and [a](Old%20name.md)
```

`[[Old name]]` <!-- [[Old name]] --> \\[[Old name]]

[ref]: Old%20name.md "Title"
"""
NESTED = "Up: [[../Old name]], [x](../Old%20name.md), [y](/Old%20name.md), [[Old name]]\r\nno end of line"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "a b" / "vault"
    (root / "sub").mkdir(parents=True)
    (root / "Old name.md").write_bytes(HUB.encode())
    (root / "links.md").write_bytes(LINKS.encode())
    (root / "sub" / "nested.md").write_bytes(NESTED.encode())
    (root / "bystander.md").write_bytes(b"\xef\xbb\xbfNothing about it.\r\n")
    return root


def bytes_of(root: Path) -> dict[str, bytes]:
    return {str(f.relative_to(root)): f.read_bytes() for f in root.rglob("*.md")}


def test_every_form_follows_and_comes_back(vault: Path) -> None:
    before = bytes_of(vault)
    with Memex(vault) as memex:
        reached = len([link for link in memex.show("links")["links"] if link["to"] == "Old name.md"])
        assert reached >= 14
        plan = memex.rename("Old name", "New: name?", dry_run=True)
        assert bytes_of(vault) == before
        assert {change["path"] for change in plan["rewritten"]} == {
            "Old name.md",
            "links.md",
            "sub/nested.md",
        }

        done = memex.rename("Old name", "New: name?")
        assert not (vault / "Old name.md").exists()
        assert (vault / done["path"]).is_file()
        assert memex.show(done["path"])["title"] == "New: name?"
        links = memex.show("links")["links"]
        assert [link["target"] for link in links if link["to"] is None] == []
        assert len([link for link in links if link["to"] == done["path"]]) == reached
        assert all(link["to"] == done["path"] for link in memex.show("sub/nested.md")["links"])
        assert all(link["to"] == done["path"] for link in memex.show(done["path"])["links"])

        text = (vault / "links.md").read_text()
        assert "[[The Alias]]" in text
        fence = text[text.index("```text") : text.index("```\n\n")]
        assert "[[Old name]] and [a](Old%20name.md)" in fence
        assert "`[[Old name]]` <!-- [[Old name]] --> \\[[Old name]]" in text
        assert "\\|port]]" in text
        assert (vault / "sub" / "nested.md").read_bytes().endswith(b"\r\nno end of line")
        assert (vault / "bystander.md").read_bytes() == before["bystander.md"]
        broken = next(c for c in memex.verify()["checks"] if c["name"] == "links-resolve")
        assert broken["files"] == []

        memex.revert(done["path"])
    assert bytes_of(vault) == before


def test_a_taken_name_is_refused_and_nothing_moves(vault: Path) -> None:
    before = bytes_of(vault)
    with Memex(vault) as memex, pytest.raises(AlreadyExists, match=r"bystander\.md exists"):
        memex.rename("Old name", "bystander")
    assert bytes_of(vault) == before


@pytest.mark.parametrize("folder", ["c:x", "NUL", "x/con.d/y", " a", "a.", "a?", "a\\b"])
def test_a_new_folder_has_a_name_that_every_system_holds(tmp_path: Path, folder: str) -> None:
    (tmp_path / "p.md").write_text("x\n")
    (tmp_path / "old?").mkdir()
    before = {*tmp_path.iterdir()}
    with Memex(tmp_path) as memex:
        with pytest.raises(BadInput, match="every system"):
            memex.move("p", folder=folder)
        assert {*tmp_path.iterdir()} - before <= {tmp_path / ".memex"}
        assert memex.move("p", folder="old?/Ünï/日本 C#")["path"] == "old?/Ünï/日本 C#/p.md"


def test_a_near_miss_renames_nothing(vault: Path) -> None:
    before = bytes_of(vault)
    with Memex(vault) as memex, pytest.raises(NotFound):
        memex.rename("Old nam", "X")
    assert bytes_of(vault) == before


def test_moving_to_another_type_keeps_links(memex: Any) -> None:
    memex.write(type="entity", title="Deploy steps", body="Go. [[Reader]]")
    memex.write(
        type="summary", title="Reader", body="See [[deploy-steps]] and [it](../entities/deploy-steps.md)."
    )
    done = memex.move("deploy-steps", type="procedure")
    assert done["path"] == "procedures/deploy-steps.md"
    assert {link["to"] for link in memex.show("reader")["links"]} == {"procedures/deploy-steps.md"}
    assert memex.show("deploy-steps")["node_type"] == "procedure"


def test_renaming_only_the_case_keeps_the_text(vault: Path) -> None:
    with Memex(vault) as memex:
        memex.rename("bystander", "Bystander")
    assert (vault / "Bystander.md").read_bytes() == b"\xef\xbb\xbfNothing about it.\r\n"
    assert "bystander.md" not in [f.name for f in vault.iterdir()]


def test_typed_relations_follow(memex: Any) -> None:
    memex.write(type="entity", title="Base", body="x")
    memex.write(type="entity", title="User", body="y", links=["base:depends-on"])
    memex.rename("base", "Foundation")
    assert memex.show("user")["front_matter"]["links"] == [{"target": "foundation", "rel": "depends-on"}]
    assert memex.show("foundation")["backlinks"][0]["slug"] == "user"


def test_a_link_that_spells_the_title_goes_on_spelling_it(memex: Any) -> None:
    memex.write(type="entity", title="Shop", body="x")
    memex.write(type="summary", title="Reader", body="[[Shop]], [[shop]] and [[Shop|here]]")
    memex.rename("shop", "Old bakery")
    assert memex.show("reader")["body"].strip() == "[[Old bakery]], [[old-bakery]] and [[Old bakery|here]]"
    assert {link["to"] for link in memex.show("reader")["links"]} == {"entities/old-bakery.md"}


def test_a_renamed_page_keeps_its_use_count(memex: Any) -> None:
    memex.write(type="entity", title="Counted", body="abacus")
    memex.recall("abacus")
    memex.rename("counted", "Counted again")
    assert memex.show("counted-again")["access_count"] == 1


def test_typed_links_keep_their_lines_and_comments(vault: Path) -> None:
    before = b"""---
links:
  - target: Old name   # because
    rel: causes
  - {target: old-name, rel: "x"}
depends_on:
  - Old name.md
---
"""
    (vault / "typed.md").write_bytes(before)
    with Memex(vault) as memex:
        memex.rename("Old name", "New: name")
        assert (vault / "New - name.md").is_file()
        after = (vault / "typed.md").read_bytes()
        assert after == (
            before.replace(b"target: Old name ", b"target: New - name ")
            .replace(b"{target: old-name", b"{target: new-name")
            .replace(b"- Old name.md", b"- New - name.md")
        )
        assert {link.dst for link in memex.store.index.links_from("typed.md")} == {"New - name.md"}


def test_a_title_with_a_back_slash_is_found(vault: Path) -> None:
    with Memex(vault) as memex:
        memex.write(type="note", title="a\\b", body="x")
        assert memex.show("a\\b")["title"] == "a\\b"


def test_links_to_the_items_of_a_file_follow_it(tmp_path: Path) -> None:
    root = tmp_path / "items"
    wiki = root / "wiki"
    wiki.mkdir(parents=True)
    (root / "diary").mkdir()
    (wiki / "pets.md").write_text("## dog\n\nRex. See [[pets:cat]].\n\n## cat\n\nTom.\n")
    (wiki / "people.md").write_text(
        "## ann\n\nHas [[pets:dog]], [[pets:cat|Tom]], [[pets]], [[pets:cow]], `[[pets:dog]]`.\n"
    )
    before = bytes_of(root)
    with Memex(root) as memex:
        assert memex.store.layout.items
        done = memex.rename("pets", "farm animals")
        assert (wiki / "people.md").read_text() == (
            "## ann\n\nHas [[farm animals:dog]], [[farm animals:cat|Tom]], [[farm animals]], [[pets:cow]], "
            "`[[pets:dog]]`.\n"
        )
        assert "See [[farm animals:cat]]." in (wiki / "farm animals.md").read_text()
        assert len(done["rewritten"]) == 4
        memex.revert("farm animals")
    assert bytes_of(root) == before
