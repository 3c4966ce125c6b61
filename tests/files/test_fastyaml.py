"""The fast path: what it takes, what it leaves, and that it agrees with the full reader."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memex_core.files import fastyaml, yamlread

PLAIN = """type: entity
title: Torque wrench — large
tags: [tools, bike shop]
aliases: ["Wrench, torque", "Key"]
id: 007
draft: no
ratio: 0.90
when: 2024-05-01T09:30:00Z
url: https://example.org/a#b
empty:
nothing: null
quoted: "a: b # c"
single: 'x'
parent: [[Workshop]]
list:
- one
- two words
- "three: 3"
-
deep:
  - id: s1
    resource: memex:sess#12
  - id: s2
    title:
map:
  name: Ilse
  since: 1998
who: {by: human:ilse, at: 2026-01-01T00:00:00Z}
none: {}
"""


def test_a_plain_block_is_read_as_written():
    assert fastyaml.parse(PLAIN) == {
        "type": "entity",
        "title": "Torque wrench — large",
        "tags": ["tools", "bike shop"],
        "aliases": ["Wrench, torque", "Key"],
        "id": "007",
        "draft": "no",
        "ratio": "0.90",
        "when": "2024-05-01T09:30:00Z",
        "url": "https://example.org/a#b",
        "empty": None,
        "nothing": None,
        "quoted": "a: b # c",
        "single": "x",
        "parent": "[[Workshop]]",
        "list": ["one", "two words", "three: 3", None],
        "deep": [{"id": "s1", "resource": "memex:sess#12"}, {"id": "s2", "title": None}],
        "map": {"name": "Ilse", "since": "1998"},
        "who": {"by": "human:ilse", "at": "2026-01-01T00:00:00Z"},
        "none": {},
    }


def test_the_full_reader_says_the_same_and_finds_the_same_places():
    loaded = yamlread.load(PLAIN)
    assert loaded.value == fastyaml.parse(PLAIN)
    assert loaded.problems == []
    assert loaded.entries == fastyaml.entries(PLAIN)


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c",
        "a: x # comment",
        "a: #tag",
        "a: @x",
        "a: |\n  text",
        "a: &x 1",
        "a: *x",
        "a: !t x",
        'a: "x\\ny"',
        "a: 'it''s'",
        "a: [b, [c]]",
        "a: [b,]",
        "a: [x: y]",
        "a: {b: {c: d}}",
        "a: {b: c, b: d}",
        "a: one\n  two",
        "a:\n  b: c\n  b: d",
        "a:\n  - b\n    c",
        "a:\n  - b\n   - c",
        "a: b\na: c",
        "a:\tb",
        "a: b\u2028c",
        "a: b\x07",
        "a b: c",
        "? a\n: b",
        "text",
        "- item",
        "{a: b}",
        "a: {{x}}",
        "a: - b",
        "a: [[1,2]]",
        "a: b:",
        "a:b",
        "  a: b",
        "k" * 300 + ": x",
    ],
)
def test_everything_else_is_left_to_the_full_reader(text):
    assert fastyaml.parse(text) is None


KEYS = st.sampled_from(["a", "title", "tags", "x-y", "é", "_k", "null", "7", "a b", '"q"', "a.b", "k" * 201])
# fmt: off
PIECES = st.sampled_from(
    [
        "a", "b c", "\"q\"", "\"a: b\"", "'s'", "'it''s'", "-", "[", "]", "{", "}", ",", ":", "#x",
        "&a", "*a", "!t", ">", "%", "@", "`", "?", "~", "null", "Null", "007", "no", "0.90", "[[x]]",
        "[[a b]]", "[[1,2]]", "[a, b]", "[\"a\", \"b, c\"]", "[a,]", "[ a , b ]",
        "{by: human:x, at: 2024}", "{a: b}", "{a: }", "{a: b, a: c}", "é", "数据", "🚀", "http://x/y#z",
        "<<", "=", "...", "---", "\"", "'", "\\", "\"a\\n\"", "a:", "a,b", "(x)", "+1", "-1", "<a>",
        "- a", "''", "\"\"", "{}", "[]", "[~]", "{a: null}", "[-, a]", "{a: b:c}", "{a: b:}", "[a#b]",
        "|", "- ", ": ", " #", "  ",
        "\t", "\x07", "\u2028", "\u00a0", "\u3000", "\ufeff",
    ]
)
# fmt: on
VALUES = st.one_of(PIECES, st.lists(PIECES, max_size=4).map("".join), st.text(max_size=6))
INDENTS = st.sampled_from(["", "", "", "  ", "  ", " ", "    "])
LINES = st.one_of(
    st.builds("{}{}: {}".format, INDENTS, KEYS, VALUES),
    st.builds("{}: {}".format, KEYS, VALUES),
    KEYS.map("{}:".format),
    st.builds("{}- {}".format, INDENTS, VALUES),
    st.builds("{}- {}: {}".format, INDENTS, KEYS, VALUES),
    st.builds("{}{}".format, INDENTS, VALUES),
    st.sampled_from(["", "# c", "  # c", "   "]),
)


@settings(max_examples=600, deadline=None)
@given(st.lists(LINES, max_size=7).map("\n".join))
@example("a:\n- b\n# c\n- d\n")
@example("a:\n\n  - b\n")
@example("a: 'x' \nb:  y  \n")
def test_the_fast_path_agrees_with_the_full_reader_on_all_it_takes(text):
    text = text.replace("\r", "\n")
    fields = fastyaml.parse(text)
    if fields is None:
        return
    loaded = yamlread.load(text)
    assert (loaded.value or {}) == fields
    assert list(loaded.value or {}) == list(fields)
    assert loaded.problems == []
    assert loaded.entries == fastyaml.entries(text)


SAFE = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=20)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(["title", "tags", "note", "x"]), SAFE, max_size=4))
def test_free_text_after_a_key_reads_alike_or_is_left_alone(values):
    text = "".join(f"{key}: {value}\n" for key, value in values.items())
    fields = fastyaml.parse(text)
    if fields is not None:
        assert (yamlread.load(text).value or {}) == fields


def test_a_plain_page_is_read_without_the_yaml_library(tmp_path):
    import subprocess
    import sys

    code = (
        "import sys; from memex_core.files.frontmatter import read;"
        "found = read(b'---\\ntitle: x\\ntags: [a]\\n---\\n');"
        "assert found.fields == {'title': 'x', 'tags': ['a']};"
        "assert 'yaml' not in sys.modules and 'tomllib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
