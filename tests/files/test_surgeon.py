"""The surgeon: only what was asked for moves, whatever the bytes around it are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memex_core.files import frontmatter, surgeon
from memex_core.files.compose import new_page
from memex_core.model.errors import BadInput, NotFound, Refused

PAGES = Path(__file__).parent / "pages"

PAGE = """---
# who looks after it
title:   "Torque wrench"   # shown
tags:
  - tools   # the trade
  - bike
weird key : {a: [1, 2]}
status: draft  # wait
note: |
  keep
    this

last: 'x'
---
# Torque wrench
"""


def change(text: str, **changes: object) -> str:
    return surgeon.set_keys(text.encode(), changes).decode()


# -- keys in YAML ------------------------------------------------------------------------------


def test_a_scalar_is_replaced_in_its_place_with_quotes_blanks_and_comment_kept():
    assert change(PAGE, title="Spanner") == PAGE.replace('"Torque wrench"   #', '"Spanner"   #')
    assert change(PAGE, status="stable") == PAGE.replace("status: draft  #", "status: stable  #")
    assert change(PAGE, last="it's") == PAGE.replace("'x'", "'it''s'")


def test_a_block_list_stays_a_block_list():
    assert change(PAGE, tags=["a", "b c"]) == PAGE.replace(
        "  - tools   # the trade\n  - bike\n", "  - a\n  - b c\n"
    )
    assert change("---\ntags:\n- a\nx: y\n---\n", tags=["b"]) == "---\ntags:\n- b\nx: y\n---\n"


def test_a_removed_key_takes_its_lines_and_no_other():
    assert change(PAGE, tags=None) == PAGE.replace("tags:\n  - tools   # the trade\n  - bike\n", "")
    assert change(PAGE, note=None) == PAGE.replace("note: |\n  keep\n    this\n", "")
    assert change(PAGE, nothing=None) == PAGE


def test_new_keys_go_to_their_place_in_the_order_or_to_the_end():
    out = change(PAGE, description="Six Nm", id="7", mine=["a"])
    assert out == (
        PAGE.replace("# shown\n", "# shown\ndescription: Six Nm\n")
        .replace("# wait\n", '# wait\nid: "7"\n')
        .replace("last: 'x'\n", "last: 'x'\nmine: [a]\n")
    )
    assert change("---\ntitle: x\n---\n", type="note") == "---\ntype: note\ntitle: x\n---\n"
    assert change("---\nown: x\n---\n", type="note") == "---\nown: x\ntype: note\n---\n"
    assert change("---\n---\nbody", title="x") == "---\ntitle: x\n---\nbody"


def test_several_changes_at_once_are_each_change_in_turn():
    out = change(PAGE, title="A", type="note", description="d", tags=None, status=None, last=None)
    once = change(change(change(PAGE, title="A"), type="note"), description="d")
    assert out == change(change(change(once, tags=None), status=None), last=None)


def test_an_empty_value_is_filled():
    assert change("---\ntags:\nx: y\n---\n", tags=["a"]) == "---\ntags: [a]\nx: y\n---\n"
    assert (
        change("---\ntags:   # none yet\nx: y\n---\n", tags=["a"])
        == "---\ntags: [a]   # none yet\nx: y\n---\n"
    )
    assert change("---\ntitle: #tag\n---\n", title="b") == "---\ntitle: b\n---\n"
    assert change("---\ntitle: Bug #42\n---\n", title="b") == "---\ntitle: b\n---\n"


def test_the_last_of_equal_keys_is_set_and_all_are_removed():
    text = "---\ntags: [a]\nx: y\ntags: [b]\n---\n"
    assert change(text, tags=["c"]) == "---\ntags: [a]\nx: y\ntags: [c]\n---\n"
    assert change(text, tags=None) == "---\nx: y\n---\n"


def test_maps_and_lists_of_maps():
    text = "---\ntitle: x\n---\n"
    out = change(text, generated={"by": "human:a", "at": "2026-01-01T00:00:00Z"})
    assert out == "---\ntitle: x\ngenerated: {by: human:a, at: 2026-01-01T00:00:00Z}\n---\n"
    out = change(out, verified=[{"by": "human:b", "at": "2026-01-02"}])
    assert "verified:\n  - {by: human:b, at: 2026-01-02}\n---" in out
    block = "---\ngenerated:\n  by: a/1\n  at: 2026-01-01\nx: y\n---\n"
    assert change(block, generated={"by": "b/2", "at": "2027-01-01"}) == block.replace("a/1", "b/2").replace(
        "2026", "2027"
    )


def test_an_indented_block_keeps_its_indentation():
    assert (
        change("---\n  title: x\n  own: y\n---\n", tags=["a"], own="z")
        == "---\n  title: x\n  tags: [a]\n  own: z\n---\n"
    )


def test_a_present_value_changes_nothing():
    for key, value in frontmatter.read(PAGE.encode()).fields.items():
        assert change(PAGE, **{key: value}) == PAGE
    assert change("---\ntags: b, 'a' #x\n---\n", tags=["b", "'a' #x"]) == "---\ntags: b, 'a' #x\n---\n"


@pytest.mark.parametrize("spelling", ["a, b", "a b", '["#a", b]', "\n- a\n- b", "[a, b, null, A]", '"#a #b"'])
def test_tags_in_another_spelling_are_left_alone(spelling):
    text = f"---\ntags: {spelling}\n---\n"
    assert change(text, tags=["a", "b"]) == text
    again = change(text, tags=["a", "b", "c"])
    assert change(again, tags=["a", "b", "c"]) == again
    assert frontmatter.read(again.encode()).fields["tags"] == ["a", "b", "c"]


def test_a_key_is_changed_as_the_page_spells_it():
    page = "---\nTitle: x\nStatus: draft\ntag: y\nalias: z\n---\n"
    assert change(page, status=None) == page.replace("Status: draft\n", "")
    assert change(page, tags=["a"], aliases=["b"]) == page.replace("y\n", "[a]\n").replace("z\n", "[b]\n")
    assert change(page, tags=["y"], title="x") == page
    assert change("---\nTags: a\ntags: b\n---\n", tags=["c"]) == "---\nTags: a\ntags: [c]\n---\n"
    assert change("---\nTags: a\n---\n", Tags=None, tags=["c"]) == "---\ntags: [c]\n---\n"
    assert change("alias:: z\n", aliases=["b"]) == "alias:: b\n"


def test_keys_with_wide_characters():
    text = "---\n名前: 数据 🚀 # c\ntitle: x\n---\nbody"
    assert change(text, 名前="é") == text.replace("数据 🚀", "é")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_mark_and_missing_final_newline_stay(newline, bom):
    data = bom + PAGE.rstrip("\n").replace("\n", newline).encode()
    out = surgeon.set_keys(data, {"title": "Ä", "tags": ["a"], "new": "b"})
    expected = change(PAGE, title="Ä", tags=["a"], new="b").rstrip("\n")
    assert out == bom + expected.replace("\n", newline).encode()


def test_mixed_line_ends_stay_each_as_it_is():
    data = b"---\r\ntitle: x\na: b\r\n---\r\none\ntwo\r\n"
    assert surgeon.set_keys(data, {"title": "Z"}) == data.replace(b"title: x", b"title: Z")
    assert surgeon.set_keys(data, {"new": "z"}) == data.replace(b"a: b\r\n", b"a: b\r\nnew: z\r\n")


def test_bytes_that_are_no_utf8_stay():
    data = b"---\nbad: caf\xe9\ntitle: x\n---\nbody \xff\n"
    assert surgeon.set_keys(data, {"title": "Z"}) == data.replace(b"title: x", b"title: Z")


@pytest.mark.parametrize("code", ["utf-16-le", "utf-16-be"])
def test_a_file_in_utf16_is_refused_whatever_is_changed(code):
    data = "\ufeff---\ntitle: x\n---\n# H\n".encode(code)
    for write in (
        lambda: surgeon.set_keys(data, {"title": "y"}),
        lambda: surgeon.append_body(data, "more"),
        lambda: surgeon.replace_body(data, "new"),
    ):
        with pytest.raises(Refused, match="UTF-16"):
            write()


def test_a_page_without_front_matter_gets_a_block_only_when_a_key_is_set():
    assert surgeon.set_keys(b"# T\n", {"gone": None}) == b"# T\n"
    assert (
        surgeon.set_keys(b"# T\r\n", {"tags": ["a"], "title": "x"})
        == b"---\r\ntitle: x\r\ntags: [a]\r\n---\r\n# T\r\n"
    )
    assert surgeon.set_keys(b"\xef\xbb\xbf# T", {"title": "x"}) == b"\xef\xbb\xbf---\ntitle: x\n---\n# T"
    assert surgeon.set_keys(b"", {"title": "x"}) == b"---\ntitle: x\n---\n"
    rules = b"---\nprose\n---\ntext"
    assert surgeon.set_keys(rules, {"title": "x"}) == b"---\ntitle: x\n---\n" + rules


BROKEN = [
    "---\ntitle: Fix: x\n---\nb",
    "---\ntitle: @home\n---\nb",
    "---\ntitle: [draft] plan\n---\nb",
    "---\ntitle: *star*\n---\nb",
    "---\ntitle: `x`\n---\nb",
    "---\ntitle: %x\n---\nb",
    "---\ntitle: 'x\n---\nb",
    '---\ntitle: "x" y\n---\nb',
    "---\ncreated: {{date}}\n---\nb",
    "---\ntags: [a, b\n---\nb",
    "---\ntags: {a\n---\nb",
    "---\ntags:\n  - a\n b: c\nx: y\n---\nb",
    "---\na: b\n  c: d\n---\nb",
    "---\na: b\nno colon\n---\nb",
    "---\nup: [[a]], [[b]]\n---\nb",
    "---\na: *nobody\n---\nb",
    "---\na: &x [*x]\n---\nb",
    "---\na:\t- x\n---\nb",
    '---\nweek: "[[<% f("Y") %>]]"\n---\nb',
    "---\n**Firm**\nJane\n---\nb",
    "---\n@x\n---\nb",
    "---\ntype: x\n(never closed)\n",
    "---\ntitle: x\n",
    '---\n{"a": "b" "c"}\n---\nb',
    "---\na: 1\n--- b\n---\nb",
    "---\n? [a]\n: b\nc: d\n---\nb",
    "---\nx: |2x\n---\nb",
    "+++\ntitle = x\n+++\nb",
    "+++\ntitle = 'x\n+++\nb",
    "---\ntitle: x: y\n---\n---\ntitle: z\n---\nb",
]


@pytest.mark.parametrize("text", BROKEN)
def test_broken_front_matter_is_refused_by_line_and_never_stacked(text):
    with pytest.raises(Refused, match=r"line \d+: "):
        surgeon.set_keys(text.encode(), {"title": "new"})
    data = surgeon.append_body(text.encode(), "- more")
    assert data.startswith(text.encode())
    found = frontmatter.read(text.encode())
    out = surgeon.replace_body(text.encode(), found.body + "\nmore")
    assert out == text.encode() + b"\nmore"


@pytest.mark.parametrize(
    "text",
    [
        "---\na: &x 1\nb: *x\n---\n",
        "---\n{a: b}\n---\n",
        "+++\na = '''\nlong\n'''\n+++\n",
    ],
)
def test_what_cannot_be_cut_out_alone_is_refused(text):
    with pytest.raises(Refused):
        surgeon.set_keys(text.encode(), {"a": "new"})


def test_an_anchored_value_may_be_set_where_nothing_points_to_it():
    assert change("---\na: &x 1\nb: *x\n---\n", b="2") == "---\na: &x 1\nb: 2\n---\n"


def test_a_key_must_be_one_line():
    with pytest.raises(BadInput):
        surgeon.set_keys(b"", {"a\nb": "x"})


# -- keys elsewhere ----------------------------------------------------------------------------


def test_toml_lines_are_edited_in_place():
    data = (PAGES / "Signals.md").read_bytes()
    out = surgeon.set_keys(data, {"title": 'Say "stop"', "weight": "12", "tags": ["ride"], "draft": "true"})
    assert out == (
        data.replace(b'"Hand signals"', b'"Say \\"stop\\""')
        .replace(b"1_0", b"12")
        .replace(b'["ride", "Group/Rules"]', b'["ride"]')
        .replace(b"12\n", b'12\ndraft = "true"\n')
    )
    assert surgeon.set_keys(data, {"weight": None}) == data.replace(b"weight = 1_0\n", b"")
    assert surgeon.set_keys(data, {"date": "2023-11-02T18:05:00+01:00"}) == data


def test_json_members_are_edited_in_place():
    data = (PAGES / "Published.md").read_bytes()
    out = surgeon.set_keys(data, {"up": "[[Shed]]", "weight": None, "tags": None, "new": ["a", {"b": "c"}]})
    line = out.decode().split("\n")[1]
    assert line == '{"title":"Wheel \\ud83d\\udeb2","up":"[[Shed]]","publish":true,"new":["a", {"b": "c"}]}'
    assert out.endswith(b"---\n# Wheel\n")


def test_logseq_properties_are_edited_as_lines():
    data = (PAGES / "Gears___Ratios.md").read_bytes()
    out = surgeon.set_keys(data, {"tags": ["a", "[[b, c]]"], "alias": None, "status": "draft"})
    assert out == (
        data.replace(b"alias:: Ratios, [[Gear, inches]]\n", b"").replace(
            b"tags:: [[Workshop]], drivetrain\n", b"tags:: a, [[b, c]]\nstatus:: draft\n"
        )
    )
    with pytest.raises(Refused):
        surgeon.set_keys(data, {"generated": {"by": "x"}})


# -- bodies ------------------------------------------------------------------------------------


def test_a_body_is_replaced_behind_an_untouched_block():
    data = (PAGES / "people" / "Bjørn.md").read_bytes()
    found = frontmatter.read(data)
    out = surgeon.replace_body(data, found.body.replace("Works", "Sings"))
    assert out == data.replace(b"Works", b"Sings")
    assert surgeon.replace_body(data, found.body) == data


def test_a_body_takes_the_line_ends_of_the_file():
    data = (PAGES / "Workshop.md").read_bytes()
    found = frontmatter.read(data)
    out = surgeon.replace_body(data, found.body.replace("A vice.", "A vice,\nand a stand."))
    assert out == data.replace(b"A vice.", b"A vice,\r\nand a stand.")


def test_a_mark_stays_when_the_body_is_edited():
    data = b"\xef\xbb\xbf---\na: b\n---\nold\n"
    assert surgeon.replace_body(data, "new\n") == b"\xef\xbb\xbf---\na: b\n---\nnew\n"
    assert surgeon.replace_body(b"\xef\xbb\xbfold", "new") == b"\xef\xbb\xbfnew"


def test_unchanged_lines_keep_odd_line_ends_and_bytes():
    data = b"a\r\nb \xe9 x\nc\rd\r\n\xffe\nend"
    body = frontmatter.read(data).body
    assert surgeon.replace_body(data, body.replace("c", "C\nnew")) == data.replace(b"c\r", b"C\rnew\n")
    assert surgeon.replace_body(data, body.replace("x", "y")) == data.replace(b"x", b"y")
    assert surgeon.replace_body(data, body.replace("b \ufffd x", "\ufffd")) == data.replace(
        b"b \xe9 x", b"\xe9"
    )
    assert surgeon.replace_body(data, body + "\n") == data + b"\n"
    assert surgeon.replace_body(data, body.replace("a\n", "")) == data.replace(b"a\r\n", b"")


def test_a_body_below_a_fence_without_line_end():
    assert surgeon.replace_body(b"---\na: b\n---", "text\n") == b"---\na: b\n---\ntext\n"
    assert surgeon.append_body(b"---\na: b\n---", "text") == b"---\na: b\n---\ntext\n"


@pytest.mark.parametrize(
    ("data", "text", "out"),
    [
        (b"last", "- new", b"last\n- new"),
        (b"last\n", "- new", b"last\n- new\n"),
        (b"a\r\nlast", "- new\n- two\n", b"a\r\nlast\r\n- new\r\n- two"),
        (b"", "new", b"new\n"),
        (b"\xef\xbb\xbf", "new", b"\xef\xbb\xbfnew\n"),
        (b"a \xff\n", "\n## B", b"a \xff\n\n## B\n"),
        (b"a\n", "", b"a\n"),
        (b"---\nx: @y\n---\nb\n", "c", b"---\nx: @y\n---\nb\nc\n"),
    ],
)
def test_appending(data, text, out):
    assert surgeon.append_body(data, text) == out


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.tuples(st.binary(max_size=6), st.sampled_from([b"\n", b"\r\n", b"\r"])), max_size=8),
    st.lists(st.sampled_from(["a", "b\ufffd", "", "\ufffd\ufffd", "c\r"]), max_size=8),
    st.booleans(),
)
@example([(b"\xff", b"\r\n"), (b"\xfe", b"\n")], ["\ufffd\ufffd"], True)
def test_any_body_can_be_put_in_any_place(rows, lines, ended):
    data = b"---\ntitle: x\r\n---\n" + b"".join(text + end for text, end in rows)
    body = "\n".join(lines) + ("\n" if ended else "")
    out = surgeon.replace_body(data, body)
    assert out.startswith(b"---\ntitle: x\r\n---\n")
    assert frontmatter.read(out).body == body.replace("\r\n", "\n").replace("\r", "\n")
    assert surgeon.replace_body(data, frontmatter.read(data).body) == data


# -- sections ----------------------------------------------------------------------------------

SECTIONS = "---\na: @b\n---\n# T\n\nintro\n\n## One\n\nold\nold\n\n### Deep\n\nx\n\n## Two\n\nlast\n"


def test_a_section_is_replaced_under_its_heading():
    out = surgeon.replace_section(SECTIONS.encode(), "One", "new\n").decode()
    assert out == SECTIONS.replace("old\nold\n\n### Deep\n\nx\n", "new\n")
    out = surgeon.replace_section(SECTIONS.encode(), "Two", "new").decode()
    assert out == SECTIONS.replace("last", "new")
    assert surgeon.replace_section(SECTIONS.encode(), "two", "## Two\n\nnew").decode() == out
    assert surgeon.replace_section(SECTIONS.encode(), "Two", "last") == SECTIONS.encode()
    emptied = surgeon.replace_section(SECTIONS.encode(), "Deep", "").decode()
    assert emptied == SECTIONS.replace("\n\nx\n\n", "\n\n")


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("## A\n## B\n", "## A\nnew\n## B\n"),
        ("## A\n\n## B\n", "## A\n\nnew\n\n## B\n"),
        ("## A\n", "## A\nnew\n"),
        ("## A", "## A\nnew"),
        ("## A\n\n", "## A\n\nnew\n"),
        ("A\n---\n\nold", "A\n---\n\nnew"),
        ("A\r\n===\r\nold\r\n", "A\r\n===\r\nnew\r\n"),
        ("## A\nold\n```\n## B\n```\n## C\n", "## A\nnew\n## C\n"),
    ],
)
def test_sections_without_text_and_underlined_headings(text, out):
    assert surgeon.replace_section(text.encode(), "A", "new").decode() == out


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("## A\n\n- a\n\n## B\n", "## A\n\n- a\n- b\n\n## B\n"),
        ("## A\n- a", "## A\n- a\n- b"),
        ("## A\n- a\n", "## A\n- a\n- b\n"),
        ("## A\n## B\n", "## A\n- b\n## B\n"),
        ("## A", "## A\n- b"),
    ],
)
def test_appending_to_a_section(text, out):
    assert surgeon.append_section(text.encode(), "A", "- b\n").decode() == out


def test_a_missing_heading_is_told():
    for act in (surgeon.replace_section, surgeon.append_section):
        with pytest.raises(NotFound, match="Three"):
            act(SECTIONS.encode(), "Three", "x")


def test_a_heading_gets_another_text():
    data = b"---\na: b\n---\r\n\r\n#  Old  ##\r\ntext \xff\r\n\r\nUnder\nlined\n===\n"
    assert surgeon.retitle_heading(data, 5, "New") == data.replace(b"Old", b"New")
    assert surgeon.retitle_heading(data, 8, "One") == data.replace(b"Under\nlined\n", b"One\n")
    assert surgeon.retitle_heading(b"# A\n", 1, "C #") == b"# C # #\n"
    with pytest.raises(Refused, match="line 6"):
        surgeon.retitle_heading(data, 6, "x")


# -- any value, any page -----------------------------------------------------------------------

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
VALUES = st.one_of(TEXT, st.lists(TEXT, max_size=3), st.dictionaries(TEXT, TEXT, max_size=2), st.none())


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from([PAGE, "---\ntags: a, b\ntitle: x\n---\n", "text\n", "---\r\na:\r\n- b\r\n---\r\n"]),
    st.dictionaries(
        st.sampled_from(["title", "tags", "weird key", "note", "new", "a", "é"]), VALUES, max_size=3
    ),
)
def test_any_value_can_be_set_and_nothing_else_changes(text, changes):
    data = text.encode()
    before = frontmatter.read(data)
    out = surgeon.set_keys(data, changes)
    after = frontmatter.read(out)
    assert surgeon.set_keys(out, changes) == out
    assert after.body == before.body
    for key in {*before.fields, *changes}:
        if key not in changes:
            assert after.fields[key] == before.fields[key]
        elif changes[key] is None:
            assert key not in after.fields
        elif key != "tags":
            assert after.fields[key] == changes[key]
    kept = [line for line in data.split(b"\n") if line.startswith((b"#", b"last", b"status"))]
    assert [line for line in out.split(b"\n") if line in kept] == kept


def test_a_page_written_by_memex_keeps_all_else():
    data = new_page({"type": "note", "title": "A", "tags": ["x"], "id": "u-1"}, "text")
    out = surgeon.set_keys(data, {"status": "draft"})
    assert out == data.replace(b"tags: [x]\n", b"tags: [x]\nstatus: draft\n")
