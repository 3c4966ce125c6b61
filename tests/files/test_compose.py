"""New pages: order, quoting, and that what is written is what is read, by us and by plain YAML."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memex_core.files import fastyaml, frontmatter
from memex_core.files.compose import new_page

FULL = {
    "occurred_at": "2026-01-01",
    "custom": "x",
    "links": [{"target": "chain-oil", "rel": "supports"}],
    "importance": 0.7,
    "title": "Torque: a wrench",
    "type": "entity",
    "tags": ["tools", "bike"],
    "description": "",
    "aliases": [],
    "sources": [
        {
            "id": "s1",
            "resource": "memex:sess-abc#12",
            "title": "sess-abc, turn 12",
            "lane": "evidence",
            "quote": 'say "x"',
        }
    ],
    "generated": {"by": "human:ilse", "at": "2026-01-01T00:00:00Z"},
    "verified": [{"by": "human:ilse", "at": "2026-01-02T00:00:00Z"}],
    "status": "stable",
    "scope": "global",
    "id": "6e0a6d0e-1111-4222-8333-444455556666",
    "created": "2026-01-01T00:00:00Z",
    "supersedes": ["old-wrench"],
    "resource": None,
    "updated": "2020-01-01",
    "content_hash": "abc",
}


def test_a_page_in_the_order_of_the_format():
    assert (
        new_page(FULL, "# Torque\n\ntext").decode()
        == """---
type: entity
title: "Torque: a wrench"
tags: [tools, bike]
sources:
  - id: s1
    resource: memex:sess-abc#12
    title: sess-abc, turn 12
    lane: evidence
    quote: say "x"
generated: {by: human:ilse, at: 2026-01-01T00:00:00Z}
verified:
  - {by: human:ilse, at: 2026-01-02T00:00:00Z}
id: 6e0a6d0e-1111-4222-8333-444455556666
created: 2026-01-01T00:00:00Z
importance: 0.7
supersedes: [old-wrench]
links:
  - {target: chain-oil, rel: supports}
occurred_at: 2026-01-01
custom: x
---
# Torque

text
"""
    )


def test_what_memex_writes_takes_the_fast_path():
    found = frontmatter.read(new_page({**FULL, "title": "Torque wrench"}, ""))
    fast = fastyaml.parse(found.text)
    assert fast is not None
    assert fast["generated"] == {"by": "human:ilse", "at": "2026-01-01T00:00:00Z"}


def test_two_keys_asked_for_are_two_keys_written():
    found = frontmatter.read(new_page({"type": "note", "title": "A"}, "b"))
    assert found.fields == {"type": "note", "title": "A"}
    assert found.body == "b\n"


@pytest.mark.parametrize(
    ("fields", "body", "data"),
    [
        ({}, "", b""),
        ({}, "text", b"text\n"),
        ({}, "---\na: b\n---\n", b"---\n---\n---\na: b\n---\n"),
        ({"title": "x"}, "", b"---\ntitle: x\n---\n"),
        ({"title": "x"}, "a\r\nb\rc", b"---\ntitle: x\n---\na\nb\nc\n"),
        ({"title": "x"}, "lost \ud800", "---\ntitle: x\n---\nlost \ufffd\n".encode()),
        ({"title": "  ", "pinned": True, "rank": 3}, "", b"---\npinned: true\nrank: 3\n---\n"),
    ],
)
def test_bodies_and_bare_pages(fields, body, data):
    assert new_page(fields, body) == data


def test_long_lists_take_a_line_an_item():
    tags = [f"word-number-{n}" for n in range(20)]
    data = new_page({"tags": tags}, "")
    assert b"\n  - word-number-19\n" in data
    assert frontmatter.read(data).fields == {"tags": tags}


TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30)
PRINTABLE = TEXT.filter(lambda text: text.strip() != "")


@settings(max_examples=500, deadline=None)
@given(PRINTABLE)
@example("Fix: the bug")
@example("@home")
@example("[draft] plan")
@example("*star*")
@example("x # y")
@example("#tag")
@example("007")
@example("2024-05-01")
@example("no")
@example("None")
@example("null")
@example("~")
@example("- dash")
@example("'single' and \"double\" \\ back")
@example("a\u2028b\x85c\ufeffd\x00e")
@example(" blanks ")
@example("[[link]]")
@example("{{date}}")
@example("1_000")
@example("12:30:45")
@example("---")
@example("...")
@example("🚀 数据 é")
@example("\U000f0000\x07")
def test_any_title_is_read_back_by_memex_and_by_plain_yaml(title):
    data = new_page(
        {"type": "note", "title": title, "tags": [title, "b"], "links": [{"target": title, "rel": "x"}]}, ""
    )
    found = frontmatter.read(data)
    assert found.fields["title"] == title
    assert found.fields["tags"] == [title, "b"]
    assert found.fields["links"] == [{"target": title, "rel": "x"}]
    assert found.problems == []
    if title.isprintable():
        plain = yaml.safe_load(found.text)
        assert (plain["title"], plain["tags"], plain["links"][0]["target"]) == (title, [title, "b"], title)


KEYS = st.one_of(
    st.sampled_from(["title", "note", "sources", "links", "a b", "生"]),
    TEXT.filter(lambda key: key.strip() != ""),
)
VALUES = st.recursive(
    st.one_of(st.none(), TEXT, st.just("")),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=4))
@example({"a": ["x" * 60, {"k": "v", "l": ["y" * 60]}]})
@example({"sources": [{"id": "s1", "x": {"y": ["z"]}}, "plain", [], {}]})
@example({"y": "n", "7": "8", "": "x"})
def test_any_value_is_read_back(fields):
    fields = {key: value for key, value in fields.items() if "\n" not in key and "\r" not in key}
    found = frontmatter.read(new_page(fields, ""))
    assert found.fields == {
        key: value
        for key, value in fields.items()
        if value and not (isinstance(value, str) and not value.strip())
    }
