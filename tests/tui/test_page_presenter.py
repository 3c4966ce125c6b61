"""View models of the Page area: contexts, links, properties, differences, choices of a merge."""

from __future__ import annotations

import pytest

from memex_core.model.errors import BadInput, NotFound
from memex_tui.external import editor_command, with_line
from memex_tui.pages import Target
from memex_tui.render.line import line_text, line_width
from memex_tui.render.markdown.model import Heading, Link
from memex_tui.screens.page.conflict import Comparison
from memex_tui.screens.page.diffs import laid_out, parsed, wrapped
from memex_tui.screens.page.find import Finding, matches_in, next_match, replaced
from memex_tui.screens.page.loading import Embedded, Pointer, paragraph
from memex_tui.screens.page.presenter import (
    LinkEntry,
    Links,
    around,
    context_line,
    heading_at,
    link_entries,
    outline_of,
)
from memex_tui.screens.page.properties import changes_in, fields_of, read


def test_a_context_is_cut_so_that_the_name_is_seen() -> None:
    text = "- [ ] " + "before " * 20 + "[[Rate limits|the limits]] " + "after " * 20
    before, marked, after = around(text, ["the limits", "Rate limits"])
    assert marked == "the limits"
    entry = LinkEntry("link", "a.md", "A", 1, before, marked, after)
    line = context_line(entry, 40)
    assert "the limits" in line_text(line)
    assert line_width(line) <= 40
    assert line_text(line).startswith("…")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("- **see** [[Rate limits|them]] *soon*", ("see ", "them", " soon")),
        (
            "before ![[entities/rate-limits.md#Why]] after",
            ("before ", "entities/rate-limits.md#Why", " after"),
        ),
        ("[[Other]] and [[rate limits]]", ("Other and ", "rate limits", "")),
        ("the rate limits of a key", ("the ", "rate limits", " of a key")),
        ("[[Other]] only", ("Other only", "", "")),
    ],
)
def test_the_link_itself_is_marked_in_its_line(text: str, parts: tuple[str, str, str]) -> None:
    assert around(text, ["Rate limits", "rate-limits"]) == parts


def test_wide_letters_do_not_break_a_context() -> None:
    before, marked, after = around("日本語" * 20 + " Rate limits " + "日本語" * 20, ["rate limits"])
    line = context_line(LinkEntry("link", "a.md", "A", 1, before, marked, after), 30)
    assert line_width(line) <= 30


def test_each_page_stands_once_with_the_count_of_its_lines() -> None:
    pointers = [
        Pointer("a.md", "A", 3, "see X"),
        Pointer("a.md", "A", 9, "X"),
        Pointer("b.md", "B", 1, "X", "parent"),
    ]
    found = link_entries(pointers, [Pointer("c.md", "C", 1, "x")], ["X"])
    assert [(one.kind, one.title, one.times, one.rel) for one in found] == [
        ("link", "A", 2, ""),
        ("link", "B", 1, "parent"),
        ("mention", "C", 1, ""),
    ]


def test_a_link_of_the_front_matter_shows_no_yaml() -> None:
    pointers = [
        Pointer("a.md", "A", 3, "{target: x, rel: influences}", "influences"),
        Pointer("b.md", "B", 4, "  - target: x", "influences"),
        Pointer("c.md", "C", 5, "target: X", "mentions"),
        Pointer("d.md", "D", 6, "influences:: X", "influences"),
    ]
    contexts = [(one.before, one.marked) for one in link_entries(pointers, [], ["X"])]
    assert contexts == [
        ("in its properties", ""),
        ("in its properties", ""),
        ("target: ", "X"),
        ("influences:: ", "X"),
    ]


def test_outline_depths_begin_at_the_highest_heading() -> None:
    rows = outline_of([Heading(2, "A", 3, "a"), Heading(4, "B", 9, "b"), Heading(2, "C", 20, "c")])
    assert [row.depth for row in rows] == [0, 2, 0]
    assert [heading_at(rows, line) for line in (1, 3, 15, 99)] == [-1, 0, 1, 2]


def test_links_that_nobody_knows_are_asked_for_once() -> None:
    links = Links()
    asked = []
    links.notice = lambda: asked.append(1)
    link = Link("wiki", "New page")
    assert links.state(link) == "resolved"
    assert links.state(link) == "resolved"
    assert links.unknown == {"New page"}
    assert asked == [1]
    assert links.renew({"New page": Target("", "unresolved")})
    assert links.state(link) == "unresolved"
    assert links.editor_state("[[New page#x|y]]") == "missing"
    assert not links.renew({"New page": Target("", "unresolved")})


def test_embeds_are_wanted_then_shown() -> None:
    links = Links()
    links.renew({"A": Target("a.md", "resolved")})
    link = Link("embed", "A", heading="H")
    assert links.embed(link) is None
    assert links.wanted == {("a.md", "H", "")}
    links.embed_read(("a.md", "H", ""), Embedded("A › H", "text", {"B": Target("b.md", "resolved")}))
    embed = links.embed(link)
    assert embed is not None
    assert embed.text == "text"
    assert links.target("B") == Target("b.md", "resolved")
    assert links.embed(Link("embed", "Nobody")) is None


def test_a_marked_block_is_its_paragraph_or_item() -> None:
    lines = "one\ntwo ^a\n\n- x\n- y ^b\n\nlong\ntable\n\n^c".split("\n")
    assert paragraph(lines, "a") == "one\ntwo ^a"
    assert paragraph(lines, "b") == "- y ^b"
    assert paragraph(lines, "c") == "long\ntable"
    assert paragraph(lines, "d") is None


def test_the_form_knows_what_a_key_holds() -> None:
    rows = fields_of({"title": "A", "tags": ["x", "y"], "id": "1", "sources": [{"id": "s"}], "own": "z"})
    kinds = {row.key: (row.kind, row.value) for row in rows}
    assert kinds["tags"] == ("list", "x, y")
    assert kinds["status"] == ("choice", "")
    assert kinds["id"][0] == "locked"
    assert kinds["sources"] == ("locked", "1 entry")
    assert kinds["own"] == ("text", "z")


def test_only_what_changed_is_set_or_removed() -> None:
    rows = fields_of({"title": "A", "tags": ["x"], "description": "d"})
    rows = [row._replace(value={"tags": "x, y", "description": ""}.get(row.key, row.value)) for row in rows]
    assert changes_in(rows) == ({"tags": ["x", "y"]}, ["description"])


@pytest.mark.parametrize(
    ("key", "kind", "text"),
    [("importance", "number", "2"), ("valid_from", "date", "soon"), ("status", "choice", "x")],
)
def test_values_that_cannot_be_are_refused(key: str, kind: str, text: str) -> None:
    with pytest.raises(BadInput):
        read(key, kind, text)


def test_dates_are_read_as_people_write_them() -> None:
    assert read("valid_from", "date", "2026-11-30") == "2026-11-30"
    assert read("valid_from", "date", "2026-11-30 08:00") == "2026-11-30T08:00:00Z"
    assert read("valid_from", "date", "") is None


def test_changed_words_are_marked_in_a_difference() -> None:
    diff = "--- a\n+++ b\n@@ -3,2 +3,2 @@\n same\n-the old word\n+the new word\n"
    lines = parsed(diff)
    assert [line.kind for line in lines] == ["@", " ", "-", "+"]
    assert [lines[3].text[a:b] for a, b in lines[3].spans] == ["new"]
    rows = laid_out(lines, 60)
    assert line_text(rows[-1].runs) == "+ the new word"


def test_long_lines_are_wrapped_before_words() -> None:
    parts = wrapped([("alpha beta gamma ", ("x",)), ("日本語日本語", ("y",))], 10)
    assert [line_text(part) for part in parts] == ["alpha ", "beta ", "gamma ", "日本語日本", "語"]
    assert all(line_width(part) <= 10 for part in parts)


def test_what_was_picked_where() -> None:
    comparison = Comparison(["a", "b", "c", "d"], ["a", "B", "c", "d"], ["a", "ß", "c", "d", "e"])
    assert comparison.open == 1
    assert [comparison.picked(change) for change in range(2)] == ["", "theirs"]
    comparison.pick(0, "both")
    assert comparison.open == 0
    assert comparison.text() == ["a", "B", "ß", "c", "d", "e"]
    assert comparison.first_line(1) == 6
    comparison.pick_all("mine")
    assert comparison.text() == ["a", "B", "c", "d"]
    texts = [line_text(row.runs) for row in comparison.rows(50)]
    assert any("● mine" in text for text in texts)


def test_finding_reads_capitals_as_meant() -> None:
    lines = ["The the THE", "other"]

    def count(finding: Finding) -> int:
        pattern = finding.pattern()
        assert pattern is not None
        return len(matches_in(lines, pattern))

    assert count(Finding("the")) == 4
    assert count(Finding("THE")) == 1
    assert count(Finding("the", word=True)) == 3
    assert count(Finding("t.e", regex=True)) == 4
    assert Finding("").pattern() is None


def test_the_next_match_goes_round_the_end() -> None:
    pattern = Finding("a").pattern()
    assert pattern is not None
    found = matches_in(["a a", "b", "a"], pattern)
    assert next_match(found, (0, 1)) == 1
    assert next_match(found, (2, 1)) == 0
    assert next_match(found, (0, 0), -1) == 2


def test_groups_count_only_in_patterns() -> None:
    pattern = Finding(r"(\w)\.", regex=True).pattern()
    assert pattern is not None
    assert replaced("a. b.", pattern, r"\1!", regex=True) == "a! b!"
    plain = Finding("a.").pattern()
    assert plain is not None
    assert replaced("a. b.", plain, r"\1!", regex=False) == r"\1! b."


def test_the_editor_is_the_one_that_was_named() -> None:
    there = {"vim", "code", "nano"}.intersection
    which = lambda name: f"/bin/{name}" if there([name]) else None  # noqa: E731
    assert editor_command({"VISUAL": "code --wait", "EDITOR": "vim"}, which) == ["code", "--wait"]
    assert editor_command({"EDITOR": "vim"}, which) == ["vim"]
    assert editor_command({}, which) == ["nano"]
    with pytest.raises(NotFound, match="'emacs', which is not on this machine"):
        editor_command({"EDITOR": "emacs -nw"}, which)
    with pytest.raises(NotFound, match="no editor was found"):
        editor_command({}, lambda _: None)
    assert with_line(["vim"], "/a b.md", 12) == ["vim", "+12", "/a b.md"]
    assert with_line(["code", "--wait"], "/a.md", 12) == ["code", "--wait", "/a.md"]
