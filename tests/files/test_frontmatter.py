"""Front matter: fences, kinds, what a page says, and where it is broken."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memex_core.files import frontmatter
from memex_core.files.decoding import line_count, raw_bytes, raw_text, shown, unix
from memex_core.model.errors import BadInput
from memex_core.model.page import Problem

PAGES = Path(__file__).parent / "pages"


def fixture(name: str) -> frontmatter.FrontMatter:
    return frontmatter.read((PAGES / name).read_bytes())


def block(text: str, body: str = "body\n") -> frontmatter.FrontMatter:
    return frontmatter.read(f"---\n{text}\n---\n{body}".encode())


# -- fences (FM-10) ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "fields", "body"),
    [
        ("---\na: x --- y\n---\nb", "yaml", {"a": "x --- y"}, "b"),
        ("---\na: x\n...\nb", "yaml", {"a": "x"}, "b"),
        ("---  \na: x\n---\t \nb", "yaml", {"a": "x"}, "b"),
        ("----\na: x\n----\nb", "none", {}, "----\na: x\n----\nb"),
        ("---\na: x\n----\n---\nb", "error", {"a": "x"}, "b"),
        (" ---\na: x\n---\nb", "none", {}, " ---\na: x\n---\nb"),
        ("\n---\na: x\n---\nb", "none", {}, "\n---\na: x\n---\nb"),
        ("---\na: x\n ---\n---\nb", "yaml", {"a": "x ---"}, "b"),
        ("---\na: x\n---", "yaml", {"a": "x"}, ""),
        ("---\n---\nb", "yaml", {}, "b"),
        ("---\n# only a comment\n---\nb", "yaml", {}, "b"),
        ("---\n\n---\nb", "yaml", {}, "b"),
        ("---\na: x\n---\n---\nb: y\n---\n", "yaml", {"a": "x"}, "---\nb: y\n---\n"),
        ("--- a: x\n---\nb", "none", {}, "--- a: x\n---\nb"),
        ("---", "none", {}, "---"),
        ("text\n\n---\na: x\n---\n", "none", {}, "text\n\n---\na: x\n---\n"),
        ("", "none", {}, ""),
        ("  \n", "none", {}, "  \n"),
    ],
)
def test_where_a_block_begins_and_ends(text, kind, fields, body):
    found = frontmatter.read(text.encode())
    assert (found.kind, found.fields, found.body) == (kind, fields, body)
    assert unix(text.encode()[found.body_offset :].decode()) == body


def test_an_unclosed_block_is_all_body_and_is_named_where_it_looks_like_one():
    found = frontmatter.read(b"---\ntype: x\n(end)\n")
    assert (found.kind, found.body, found.body_offset) == ("none", "---\ntype: x\n(end)\n", 0)
    assert found.problems == [Problem("front matter is not closed: read as text", 1, 1)]
    assert frontmatter.read(b"---\n\nA rule, then prose.\n").problems == []


# -- bytes (LE-01, LE-02, LE-05, UN-12) --------------------------------------------------------


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_line_end_with_and_without_a_mark(bom, newline):
    text = "---\ntitle: Räder\ntags:\n  - a\nnote: |\n  one\n  two\n---\n# H\n\ntext\n"
    found = frontmatter.read(bom + text.replace("\n", newline).encode())
    assert found.fields == {"title": "Räder", "tags": ["a"], "note": "one\ntwo\n"}
    assert found.body == "# H\n\ntext\n"
    assert (found.body_line, found.newline, found.bom) == (9, newline, bool(bom))
    assert found.kind == "yaml"


def test_mixed_line_ends():
    found = frontmatter.read(b"---\r\ntitle: x\ntags: [a]\r\n---\r\none\ntwo\r\n")
    assert (found.fields, found.body, found.newline) == ({"title": "x", "tags": ["a"]}, "one\ntwo\n", "\r\n")


def test_a_mark_before_a_heading_is_not_part_of_the_body():
    found = frontmatter.read(b"\xef\xbb\xbf# Title\n")
    assert (found.body, found.body_offset, found.bom) == ("# Title\n", 3, True)


def test_other_breaks_are_no_line_ends():
    text = "---\ntitle: a\u2028b\nnote: c\x0bd\x85e\nz: f\n---\none\x0ctwo\u2029three\nneedle"
    found = frontmatter.read(text.encode())
    assert found.fields == {"title": "a\u2028b", "note": "c\x0bd\x85e", "z": "f"}
    assert found.body.split("\n").index("needle") + found.body_line == text.split("\n").index("needle") + 1


def test_nul_bytes_are_kept():
    found = frontmatter.read(b"---\ntitle: be\0fore\nx: {a: b\0}\n---\nbefore\0after needle")
    assert found.fields == {"title": "be\0fore", "x": {"a": "b\0"}}
    assert found.body == "before\0after needle"


def test_bytes_that_are_no_utf8_are_replaced_for_reading_and_named_once():
    data = b"---\ntitle: caf\xe9 x\n---\na \xff b\n"
    found = frontmatter.read(data)
    assert found.fields == {"title": "caf\ufffd x"}
    assert found.body == "a \ufffd b\n"
    assert found.problems == [Problem("not UTF-8", 2, 11)]
    assert frontmatter.read(b"one\ntwo \xc3\n").problems == [Problem("not UTF-8", 2, 5)]


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=80),
        st.builds(
            lambda bom, fence, middle, body: bom + fence + b"\n" + middle + b"\n" + fence + b"\n" + body,
            st.sampled_from([b"", b"\xef\xbb\xbf"]),
            st.sampled_from([b"---", b"+++"]),
            st.one_of(
                st.binary(max_size=60), st.text("abc:-[]{}\"'#&*! \n\r=.{%", max_size=60).map(str.encode)
            ),
            st.binary(max_size=20),
        ),
    )
)
@example(b"---\r\n---\r\n")
@example(b"---\r---")
@example(b"a:: \rb")
def test_any_bytes_are_read_and_add_up(data):
    found = frontmatter.read(data)
    assert found.body == unix(shown(raw_text(data[found.body_offset :])))
    assert found.body_line == 1 + line_count(data[: found.body_offset])
    assert raw_bytes(raw_text(data)) == data
    assert found.kind in ("none", "yaml", "toml", "logseq", "error")
    assert (found.kind == "error") == any(problem.level != "warning" for problem in found.problems)
    lines = line_count(data) + 1
    assert all(0 <= problem.line <= lines for problem in found.problems)
    for span in frontmatter.key_spans(data, found):
        assert found.block_start <= span.start <= span.colon_end <= span.value_start <= span.end
        assert span.end <= span.line_end <= found.block_end


# -- values (FM-05, FM-13, FM-15, FM-17) -------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("007", "007"),
        ("010", "010"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("0.90", "0.90"),
        ("1.10", "1.10"),
        ("0x1F", "0x1F"),
        ("12:30", "12:30"),
        ("2024-06-01", "2024-06-01"),
        ("2023-02-30", "2023-02-30"),
        ("2024-05-01 09:30", "2024-05-01 09:30"),
        ("1714550400000", "1714550400000"),
        ("=", "="),
        ("null", None),
        ("~", None),
        ("", None),
        ('"null"', "null"),
        ("x # comment", "x"),
        ("Bug #42", "Bug #42"),
        ("#tag", "#tag"),
        ("# a comment", None),
        ("C# and F#", "C# and F#"),
        ("👮‍♂️", "👮‍♂️"),
        ("[[soup]]", "[[soup]]"),
        ("[[soup, hot|dish]]", "[[soup, hot|dish]]"),
        ("[[Rye: dark]]", "[[Rye: dark]]"),
        ("[[a], [b]]", [["a"], ["b"]]),
        ("[[1,2]]", [["1", "2"]]),
        ("[no, on, 1.10, 2024]", ["no", "on", "1.10", "2024"]),
        ("[🌱]", ["🌱"]),
        ("!!str 12", "12"),
        ("!bang", "!bang"),
        ("!important note # c", "!important note"),
        ("[!a, !b c]", ["!a", "!b c"]),
        ('!quoted "x"', "x"),
        (">-\n  two\n  lines", "two lines"),
        ('"\\u00e9\\n"', "é\n"),
    ],
)
def test_values_are_text_as_typed(text, value):
    assert block(f"title: {text}").fields == {"title": value}


def test_a_hash_without_a_blank_is_text_in_titles_and_tags_only_and_is_told():
    found = block("title: Bug #42\nstatus: draft #wip\ntags:\n  - #tea\n  - cup")
    assert found.fields == {"title": "Bug #42", "status": "draft", "tags": ["#tea", "cup"]}
    assert [problem.line for problem in found.problems] == [2, 5]
    assert "quotes" in found.problems[0].message


def test_the_last_of_equal_keys_wins_and_is_named():
    found = block("tags: [a]\ntitle: x\ntags: [b]\nmap: {k: 1, k: 2}")
    assert found.fields == {"tags": ["b"], "title": "x", "map": {"k": "2"}}
    assert found.problems == [Problem("duplicate key: tags", 4, 1), Problem("duplicate key: k", 5, 13)]


def test_an_empty_key_does_not_disturb_its_neighbours():
    assert block("author:\ntags: x y").fields == {"author": None, "tags": "x y"}
    found = block("date: 2025-04-11T00:01:00+01:00\ntags:\n  - new")
    assert found.fields == {"date": "2025-04-11T00:01:00+01:00", "tags": ["new"]}


def test_tags_build_no_objects():
    found = block('x: !!python/object/apply:os.system ["true"]\ny: !Thing z\ntitle: t')
    assert found.fields == {"x": ["true"], "y": "z", "title": "t"}
    assert [problem.message for problem in found.problems] == [
        "tag !!python/object/apply:os.system is ignored",
        "tag !Thing is ignored",
    ]


def test_an_alias_bomb_costs_nothing():
    rows = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for this, before in zip("bcdefghijkl", "abcdefghijk", strict=True):
        rows.append(f"{this}: &{this} [{', '.join(['*' + before] * 9)}]")
    started = time.monotonic()
    found = block("\n".join(rows), "needle")
    assert time.monotonic() - started < 5
    assert (found.kind, found.body) == ("error", "needle")
    assert "values" in found.problems[0].message


def test_an_alias_is_its_value_and_one_inside_itself_is_an_error():
    assert block("a: &x [1]\nb: *x").fields == {"a": ["1"], "b": ["1"]}
    assert block("a: &x [*x]").kind == "error"


@pytest.mark.parametrize(
    "opening", ["a: " + "[" * 100_000, "a: " + "{a: " * 50_000, "a:\n  " + "- " * 100_000]
)
def test_deep_nesting_is_an_error_not_a_crash(opening):
    found = block(opening, "needle")
    assert (found.kind, found.body) == ("error", "needle")


@pytest.mark.parametrize(
    "opening", ["a = " + "[" * 50_000, "a." * 50_000 + "a = 1", "[" + "a." * 50_000 + "a]"]
)
def test_deep_toml_neither(opening):
    found = frontmatter.read(f"+++\ntitle = 'x'\n{opening}\n+++\nneedle".encode())
    assert (found.kind, found.body) == ("error", "needle")
    assert found.fields["title"] == "x"


# -- what does not parse (FM-02, FM-06) --------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "fields"),
    [
        ("title: Fix: the bug\ntags: [a]", 2, 11, "mapping values", {"title": "Fix: the bug", "tags": ["a"]}),
        ("title: @home", 2, 8, "cannot start any token", {"title": "@home"}),
        ("title: [draft] plan", 2, 16, "expected", {"title": "[draft] plan"}),
        ("title: *star*", 2, 13, "alphabetic or numeric", {"title": "*star*"}),
        ("id: 7\nsome words", 3, 1, "could not find expected ':'", {"id": "7"}),
        ("title: [broken\ntags: [a]", 3, 5, "expected", {"tags": ["a"]}),
        ('title: "broken\ntags: [a]', 4, 1, "end of stream", {"title": "broken", "tags": ["a"]}),
        ("title:Tight\ntags: [a]", 3, 5, "mapping values", {"title": "Tight", "tags": ["a"]}),
        ("up: [[a]], [[b]]\nx: y", 2, 10, "expected", {"up": "[[a]], [[b]]", "x": "y"}),
        ("a: 1\nb: |\n  x\n  y\nc: @d", 6, 4, "cannot start", {"a": "1", "b": "x\ny\n", "c": "@d"}),
        ("a:\t- x", 2, 4, "not allowed", {"a": "- x"}),
    ],
)
def test_a_broken_block_names_its_place_and_keeps_what_can_be_read(text, line, column, message, fields):
    found = block(text, "the body\n")
    assert (found.kind, found.body) == ("error", "the body\n")
    assert found.fields == fields
    (problem,) = found.problems
    assert (problem.line, problem.column, problem.level) == (line, column, "error")
    assert message in problem.message


@pytest.mark.parametrize(
    ("text", "line", "column", "shown"),
    [
        ("a: 1\ncreated: {{date}}", 3, 11, "{{date}}"),
        ("created: {{date:YYYY}}\ntitle: Log of {{title}}", 2, 11, "{{date:YYYY}}"),
        ('week: "[[<% f("YYYY") %>]]"\nat: 1', 2, 16, '<% f("YYYY") %>'),
        ("title: a\n<%*\nlet t = 1\n-%>\nweek: <% t %>", 3, 1, "<%* let t = 1 -%>"),
    ],
)
def test_a_template_is_no_damage(text, line, column, shown):
    found = block(text, "the body\n")
    assert (found.kind, found.body) == ("error", "the body\n")  # no key of it can be set
    (problem,) = found.problems
    assert problem.message == f"a template: {shown} is to be filled in"
    assert (problem.line, problem.column, problem.level) == (line, column, "note")


def test_a_toml_template_is_no_damage():
    (problem,) = frontmatter.read(b"+++\ndate = {{ .Date }}\n+++\n").problems
    assert (problem.message, problem.level) == ("a template: {{ .Date }} is to be filled in", "note")


@pytest.mark.parametrize("text", ["title: Fix: x\nat: {{date}}", "a: {{", "a: <% x: y", "title: Fix: {{x"])
def test_a_damaged_block_is_damaged_with_marks_of_a_template_too(text):
    assert [problem.level for problem in block(text, "").problems] == ["error"]


def test_many_opening_marks_cost_no_more_than_their_number():
    (problem,) = block("a: " + "{{" * 60_000 + "\nb: " + "<%" * 60_000 + "\n", "").problems
    assert problem.level == "error"


def test_keys_behind_a_tab_are_front_matter_that_does_not_parse():
    found = frontmatter.read(b"---\n\ttitle: x\n\ttags: [a]\n---\nbody")
    assert (found.kind, found.fields, found.body) == ("error", {"title": "x", "tags": ["a"]}, "body")


def test_a_letterhead_between_two_rules_is_body_with_one_warning():
    text = "---\n**Firm LLC**\nJane\n---\n\nneedle"
    found = frontmatter.read(text.encode())
    assert (found.kind, found.fields, found.body) == ("none", {}, text)
    (problem,) = found.problems
    assert (problem.level, problem.line) == ("warning", 2)


@pytest.mark.parametrize(
    "middle", ["Just prose", "- a\n- b", "two\nlines of it", "\n# A heading\n", " \n\n## One\n\n### Two"]
)
def test_prose_and_lists_between_two_rules_are_body_without_a_word(middle):
    text = f"---\n{middle}\n---\nrest"
    found = frontmatter.read(text.encode())
    assert (found.kind, found.body, found.problems) == ("none", text, [])


# -- other spellings ---------------------------------------------------------------------------


def test_json_on_one_line_with_stray_backslashes_and_surrogate_pairs():
    found = fixture("Published.md")
    assert (found.kind, found.body, found.problems) == ("yaml", "# Wheel\n", [])
    assert found.fields == {
        "title": "Wheel 🚲",
        "up": "[[Workshop\\|shop]]",
        "tags": ["wheel", None],
        "publish": "true",
        "weight": "1.10",
    }


def test_json_reads_like_yaml_where_both_can():
    text = '{"a": 1.50, "b": [true, null, -0], "c": {"d": "é"}, "e": "x\\ty"}'
    found = block(text)
    assert found.fields == {"a": "1.50", "b": ["true", None, "-0"], "c": {"d": "é"}, "e": "x\ty"}
    assert block("{a: 1.50, b: [true, ~]}").fields == {"a": "1.50", "b": ["true", None]}


def test_toml():
    found = fixture("Signals.md")
    assert (found.kind, found.problems, found.body_line) == ("toml", [], 9)
    assert found.fields == {
        "title": "Hand signals",
        "date": "2023-11-02T18:05:00+01:00",
        "tags": ["ride", "Group/Rules"],
        "weight": "1_0",
        "extra": {"colour": "blue"},
    }


def test_broken_toml_names_its_line_and_keeps_simple_lines():
    found = frontmatter.read(b"+++\ntitle = 'T'\nbad\ndate = 2024-01-01Z # x\n+++\nbody")
    assert (found.kind, found.body) == ("error", "body")
    assert (found.problems[0].line, found.problems[0].level) == (3, "error")
    assert found.fields["title"] == "T"


def test_logseq_page_properties():
    found = fixture("Gears___Ratios.md")
    assert (found.kind, found.body_line) == ("logseq", 4)
    assert found.fields == {
        "title": "Gears/Ratios",
        "alias": ["Ratios", "[[Gear, inches]]"],
        "tags": ["[[Workshop]]", "drivetrain"],
    }
    assert found.body.startswith("\n- A block\n  id:: 1234")
    assert frontmatter.read(b"std::vector is no property\n").kind == "none"


def test_one_value_alone():
    assert frontmatter.read_value("[a, 007]") == ["a", "007"]
    with pytest.raises(BadInput, match="no YAML"):
        frontmatter.read_value("[a")


# -- places and size ---------------------------------------------------------------------------


def test_spans_name_the_bytes_of_keys_and_values():
    data = (PAGES / "Workshop.md").read_bytes()
    spans = {span.key: span for span in frontmatter.key_spans(data, frontmatter.read(data))}
    cut = {key: data[span.value_start : span.end] for key, span in spans.items()}
    assert cut["title"] == b'"Workshop: a tour"'
    assert cut["tags"] == b"- Place/Garden\r\n  - tools"
    assert cut["note"] == b"|\r\n  First line,\r\n  second line."
    assert data[spans["tags"].start : spans["tags"].colon_end] == b"tags:"
    assert (spans["title"].style, spans["tags"].style, spans["tags"].item) == ('"', "block", 2)
    assert data[: spans["note"].line_end].endswith(b"second line.\r\n")


def test_spans_with_wide_characters_and_comments():
    data = "---\nэто: 数据  # 🚀\nx:   y # c\nz: #t\n---\n".encode()
    spans = frontmatter.key_spans(data, frontmatter.read(data))
    cut = [(data[s.start : s.colon_end].decode(), data[s.value_start : s.end].decode()) for s in spans]
    assert cut == [("это:", "数据"), ("x:", "y"), ("z:", "")]


def test_a_large_body_is_read_in_linear_time():
    line = b"word word word [[link]] word\r\n"
    data = b"---\ntitle: Big\n---\n" + line * 300_000
    found = frontmatter.read(data)
    assert found.fields == {"title": "Big"}
    assert len(found.body) == 300_000 * (len(line) - 1)
    unclosed = frontmatter.read(b"---\n" + line * 300_000)
    assert (unclosed.kind, unclosed.body_offset) == ("none", 0)


def test_a_block_beyond_all_measure_is_body():
    found = frontmatter.read(b"---\n" + b"a: b\n" * 120_000 + b"---\nx")
    assert (found.kind, found.body_offset) == ("none", 0)
    assert "512 KiB" in found.problems[0].message
