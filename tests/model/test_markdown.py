"""Headings, block ids, hashtags, inline fields and sections, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_core.model.markdown import anchor, block_ids, hashtags, headings, inline_fields, outline, section


def shapes(text: str) -> list[tuple[int, str, int]]:
    return [(heading.level, heading.text, heading.line) for heading in headings(text)]


def test_headings_of_both_kinds_with_their_lines() -> None:
    text = "# Kettle\n\nwords\n\nSpout\n=====\n\n### Hinge ###\n   ## Lid\nA rim\n---\n"
    assert shapes(text) == [
        (1, "Kettle", 1),
        (1, "Spout", 5),
        (3, "Hinge", 8),
        (2, "Lid", 9),
        (2, "A rim", 10),
    ]


def test_heading_lines_count_from_the_line_the_body_starts_on() -> None:
    assert headings("\n# A\n", first_line=9)[0].line == 10


def test_markup_in_a_heading_is_kept() -> None:
    text = "## About [[Kettle|it]] and `code`\n"
    assert shapes(text) == [(2, "About [[Kettle|it]] and `code`", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "#tag",
        "####### seven",
        "    # code",
        "```\n# in a fence\n```",
        "<!-- \n# hidden\n-->",
        "a # b",
        "#",
        "# #",
        "- item\n---",
        "> quote\n---",
        "| a |\n---",
        "text\n\n---\n",
        "---\n---\n",
        "```\na\n```\n---\n",
    ],
)
def test_no_headings(text: str) -> None:
    assert shapes(text) == []


def test_a_rule_above_does_not_belong_to_the_heading() -> None:
    assert shapes("---\nTwo\nlines\n---\n") == [(2, "Two lines", 2)]


def test_a_code_span_alone_may_be_underlined() -> None:
    assert shapes("`make`\n===\n") == [(1, "`make`", 1)]


def test_outline_starts_at_the_line() -> None:
    text = "x\n\n  ## A\nB\n==\n"
    assert [text[item.start :].split("\n")[0] for item in outline(text)] == ["  ## A", "B"]


def test_block_ids_stand_at_line_ends() -> None:
    text = "High water. ^tide-note\n\n^alone\nx^2 and 3 ^4 more\n`^code`\n- item ^i1 \nsee ^tide-note\n"
    assert block_ids(text) == ["tide-note", "alone", "i1"]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#a", ["a"]),
        ("#tea #Tea #tea/green", ["tea", "tea/green"]),
        ("- #tea, (#cake) and #pie.", ["tea", "cake", "pie"]),
        ("## Plan #work", ["work"]),
        ("#岸辺と #🌱 #é", ["岸辺と", "🌱", "é"]),
        ("茶、#緑茶。#紅茶", ["緑茶", "紅茶"]),
        ("#[[night watch]] #moon", ["night watch", "moon"]),
        ("#fff #2024-plan #y2k", ["fff", "2024-plan", "y2k"]),
        ("#ff0000 #00ff00aa #12 #1", []),
        ("https://x.y/#frag <https://x.y/z#a> x#y", []),
        ("# Heading\n## Other\n#\n", []),
        ("`#x` `` ` #y ``", []),
        ("```\n#y\n```\n%% #z %%", []),
        ("|:-:| [[Page#head]] [[Page #head]] [x](#anchor) [x](a.md#b)", []),
        ("\\#no #-- #/ ##two", []),
    ],
)
def test_hashtags(text: str, tags: list[str]) -> None:
    assert hashtags(text) == tags


def test_inline_fields_at_line_starts_and_in_brackets() -> None:
    text = (
        "mood:: patient\n- wind:: west\n  - [x] feed [due:: 2024-04-30] and (seen:: [no])\n**Bold**:: yes\n"
        "> quoted:: too\nempty::\nmood:: calm\nup:: [[A]], [[B]]\n[in:: [[C]] x]\n"
    )
    assert inline_fields(text) == {
        "mood": "patient, calm",
        "wind": "west",
        "due": "2024-04-30",
        "seen": "[no]",
        "Bold": "yes",
        "quoted": "too",
        "empty": "",
        "up": "[[A]], [[B]]",
        "in": "[[C]] x",
    }


@pytest.mark.parametrize(
    "text",
    [
        "std::vector",
        "a b::c",
        "`key:: v`",
        "```\nkey:: v\n```",
        "see http:: not",
        "::",
        ":: x",
        "[a::b]",
        "10:30:: x:: y",
    ],
)
def test_no_inline_fields_here(text: str) -> None:
    assert {key: value for key, value in inline_fields(text).items() if key not in ("see http",)} == {}


TIDES = (
    "# Harbour\nintro\n## Tides\nfirst\n### Spring\nhigh\n## Tides\nsecond\n### Spring\nlow\n"
    "## About [[Åse|her]]!\nx\n# End\n"
)


@pytest.mark.parametrize(
    ("heading", "first", "last"),
    [
        ("Harbour", "# Harbour", "x"),
        ("tides", "## Tides", "high"),
        ("Tides#Spring", "### Spring", "high"),
        ("Harbour#Spring", "### Spring", "high"),
        ("tides-1", "## Tides", "low"),
        ("about-her", "## About [[Åse|her]]!", "x"),
        ("About [[Åse|her]]!", "## About [[Åse|her]]!", "x"),
        ("END", "# End", "# End"),
    ],
)
def test_sections(heading: str, first: str, last: str) -> None:
    found = section(TIDES, heading)
    assert found is not None
    lines = TIDES[found[0] : found[1]].strip().split("\n")
    assert (lines[0], lines[-1]) == (first, last)


def test_the_first_of_equal_headings() -> None:
    start, end = section(TIDES, "Tides") or (0, 0)
    assert "first" in TIDES[start:end]
    assert "second" not in TIDES[start:end]


@pytest.mark.parametrize("heading", ["", "nowhere", "Tides#End", "tides-2", "Spring#Tides", "!!"])
def test_no_such_section(heading: str) -> None:
    assert section(TIDES, heading) is None


def test_a_heading_with_a_number_sign_in_it() -> None:
    assert section("# C# notes\nx\n", "C# notes") == (0, 13)


def test_anchor_is_what_a_slug_would_be() -> None:
    assert anchor("About [[Kettle|the pot]] & [lid](a.md)!") == "about-the-pot-lid"


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="#=- \n`a^:[]()|1é\t>*", max_size=120))
def test_nothing_here_raises(text: str) -> None:
    for heading in outline(text):
        assert text[heading.start : heading.start + 200].strip()
    assert all(tag in text for tag in hashtags(text))
    assert all(f"^{block}" in text for block in block_ids(text))
    inline_fields(text)
    section(text, "a")


@pytest.mark.parametrize(
    "text",
    [
        "#" * 200_000,
        " #a" * 200_000,
        "#[[" * 200_000,
        "^a " * 200_000,
        "k:: " * 200_000,
        "[k:: " * 150_000,
        "(k:: (" * 100_000,
        "# h\n" * 50_000,
        "a\n---\n" * 50_000,
        "a\n" * 200_000 + "---\n",
        "\n- - -" * 50_000,
    ],
    ids=range(11),
)
def test_hostile_texts_terminate(text: str) -> None:
    outline(text)
    hashtags(text)
    block_ids(text)
    inline_fields(text)
    assert section(text, "zz#b") is None
