"""Other tools' stores, read as pages: nothing lost, and what is damaged named with its line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memex_core.care.importing import basic_memory, obsidian, server_memory
from memex_core.files.reading import read_page

NOTE = """---
title: Coffee Brewing
type: note
tags: [coffee]   # mine
permalink: drinks/coffee-brewing
---
# Coffee Brewing

## Observations
- [method] Pour over is clearer #brewing (own tests)
- [ ] buy beans
- [x] clean the pot [[Old Pot]]
- water is often [[Too hot]] here

## Relations
- requires [[Grinding]]
- contrasts_with [[Tea|tea]] (mostly)
- "grew out of" [[Kitchen#Old one]]

```
- requires [[Code]]
```
"""


def test_a_vault_comes_byte_for_byte_without_its_settings(tmp_path: Path) -> None:
    texts = {
        "a.md": b"\xef\xbb\xbf---\r\ntags: [x]\r\n---\r\n[[b]]",
        "Food/Rye loaf.md": "Zoë\n".encode(),
        "Food/bad.md": b"---\na: @b\n---\nx",
        "empty.md": b"",
    }
    for path, data in {
        **texts,
        ".obsidian/app.md": b"no",
        ".trash/x.md": b"no",
        "Food/pot.png": b"png",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    (tmp_path / "nul.md").write_bytes(b"x\n\0y")
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    os.utime(tmp_path / "a.md", ns=(10**18, 10**18))
    found = obsidian.read(str(tmp_path))
    assert {one.path: one.data for one in found.arrivals} == texts
    assert next(one.mtime_ns for one in found.arrivals if one.path == "a.md") == 10**18
    assert found.attachments == ["Food/pot.png"]
    assert [tuple(one) for one in found.damaged] == [
        ("nul.md", 2, "it is no text (a NUL byte)"),
        ("out.md", 0, "the link leads out of the folder"),
    ]
    assert [(one.file, one.line) for one in found.odd] == [("Food/bad.md", 2)]


def test_a_note_of_basic_memory_keeps_its_text_and_gains_what_its_syntax_says(tmp_path: Path) -> None:
    (tmp_path / "coffee.md").write_text(NOTE)
    (one,) = basic_memory.read(str(tmp_path)).arrivals
    page = read_page("coffee.md", one.data)
    assert one.data.decode().partition("# Coffee")[2] == NOTE.partition("# Coffee")[2]
    assert {"tags: [coffee]   # mine", "permalink: drinks/coffee-brewing"} <= set(
        one.data.decode().split("\n")
    )
    assert (page.title, page.type, page.aliases) == ("Coffee Brewing", "note", ("drinks/coffee-brewing",))
    assert page.front["links"] == [
        {"target": "Grinding", "rel": "requires"},
        {"target": "Tea", "rel": "contrasts-with"},
        {"target": "Kitchen", "rel": "grew-out-of"},
    ]
    assert page.id == read_page("coffee.md", basic_memory.read(str(tmp_path)).arrivals[0].data).id


def test_a_note_whose_front_matter_does_not_parse_comes_as_it_is(tmp_path: Path) -> None:
    text = b"---\ntitle: a: b\n---\n- requires [[Grinding]]\n"
    (tmp_path / "x.md").write_bytes(text)
    found = basic_memory.read(str(tmp_path))
    assert [one.data for one in found.arrivals] == [text]
    assert [(one.file, one.line) for one in found.odd] == [("x.md", 2), ("x.md", 1)]


GRAPH = [
    {
        "type": "entity",
        "name": "Ada Lovelace",
        "entityType": "Person",
        "observations": ["wrote notes", "a\nb"],
    },
    {"type": "relation", "from": "Ada Lovelace", "to": "Engine [v1]", "relationType": "worked_on"},
    {"type": "relation", "from": "Ada Lovelace", "to": "Nobody yet", "relationType": "met"},
    {"type": "entity", "name": "Engine [v1]", "entityType": "machine", "observations": [], "extra": {"n": 1}},
    {
        "type": "entity",
        "name": "Ada Lovelace",
        "entityType": "Person",
        "observations": ["wrote notes", "more"],
    },
    {"type": "entity", "name": "ada lovelace", "entityType": "Person", "observations": ["another"]},
]


def test_a_graph_becomes_pages(tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in GRAPH))
    found = server_memory.read(str(tmp_path))
    assert found.damaged == []
    pages = {one.path: read_page(one.path, one.data) for one in found.arrivals}
    assert list(pages) == [
        "entities/ada-lovelace.md",
        "entities/engine-v1.md",
        "entities/ada-lovelace-2.md",
    ]
    ada = pages["entities/ada-lovelace.md"]
    assert (ada.title, ada.type, ada.tags, ada.front["entity_type"]) == (
        "Ada Lovelace",
        "entity",
        ("person",),
        "Person",
    )
    assert ada.body == (
        "- wrote notes\n- a\n  b\n- more\n\n## Relations\n\n- worked_on [[engine-v1]]\n- met [[Nobody yet]]\n"
    )
    assert ada.front["links"] == [
        {"target": "engine-v1", "rel": "worked-on"},
        {"target": "Nobody yet", "rel": "met"},
    ]
    assert pages["entities/engine-v1.md"].front["server_memory"] == {"extra": {"n": "1"}}
    assert len({page.id for page in pages.values()}) == 3


def test_damaged_lines_are_named_and_passed_by(tmp_path: Path) -> None:
    file = tmp_path / "graph.jsonl"
    file.write_text(
        json.dumps(GRAPH[0])
        + '\n{"type":"entity","name":"x"}{"type"\n[]\n{"type": "entity"}\n\n'
        + '{"type":"relation","from":"Gone","to":"a","relationType":"r"}\n'
        + '{"type":"entity","name":"y","observations":"text"}\n'
    )
    found = server_memory.read(str(file))
    assert [one.path for one in found.arrivals] == ["entities/ada-lovelace.md"]
    assert [(one.file, one.line) for one in found.damaged] == [
        ("graph.jsonl", 2),
        ("graph.jsonl", 3),
        ("graph.jsonl", 4),
        ("graph.jsonl", 7),
        ("graph.jsonl", 6),
    ]
    assert "comes from 'Gone', which is no entity" in found.damaged[-1].message


def test_a_graph_written_as_one_document_is_read_too(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    entities = [{"name": "A", "entityType": "t", "observations": [{"content": "dated", "at": "2026-01-01"}]}]
    file.write_text(json.dumps({"entities": entities, "relations": []}))
    (one,) = server_memory.read(str(file)).arrivals
    page = read_page(one.path, one.data)
    assert page.body == "- dated\n"
    assert page.front["server_memory"] == {"observations": [{"content": "dated", "at": "2026-01-01"}]}


def test_what_is_not_there_cannot_be_listed(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="gone"):
        obsidian.read(str(tmp_path / "gone"))


def test_half_a_character_is_replaced_and_the_rest_comes(tmp_path: Path) -> None:
    file = tmp_path / "graph.jsonl"
    file.write_text(
        '{"type":"entity","name":"\\ud800 half","entityType":"t","observations":["\\ud83d\\ude00"]}\n'
    )
    (one,) = server_memory.read(str(file)).arrivals
    page = read_page(one.path, one.data)
    assert (page.title, page.body) == ("\ufffd half", "- \U0001f600\n")


def test_relations_that_are_no_list_are_none(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    file.write_text(json.dumps({"entities": [{"name": "A", "entityType": "t"}], "relations": 5}))
    assert [one.path for one in server_memory.read(str(file)).arrivals] == ["entities/a.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
def test_a_pipe_is_named_and_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("a note")
    os.mkfifo(tmp_path / "pipe.md")
    found = obsidian.read(str(tmp_path))
    assert [one.path for one in found.arrivals] == ["note.md"]
    assert [(one.file, one.message) for one in found.damaged] == [("pipe.md", "it is no plain file")]
