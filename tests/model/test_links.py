"""Every form of link is found as written, and nothing that only looks like one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_core.model.links import external, find_links, link_targets_in_value
from memex_core.model.page import Link, Value


def parts(link: Link) -> tuple[str, str | None, str | None, str | None]:
    return link.target, link.heading, link.block, link.alias


def targets(text: str) -> list[str]:
    return [link.target for link in find_links(text)]


@pytest.mark.parametrize(
    ("written", "target", "heading", "block", "alias"),
    [
        ("[[Kettle]]", "Kettle", None, None, None),
        ("[[Kettle|the pot]]", "Kettle", None, None, "the pot"),
        ("[[ Kettle ]]", "Kettle", None, None, None),
        ("[[Kettle | the pot ]]", "Kettle", None, None, "the pot"),
        ("[[Kettle|]]", "Kettle", None, None, ""),
        ("[[Kettle#Lid]]", "Kettle", "Lid", None, None),
        ("[[Kettle#Lid#Rim|rim]]", "Kettle", "Lid#Rim", None, "rim"),
        ("[[Kettle#]]", "Kettle", "", None, None),
        ("[[#Lid]]", "", "Lid", None, None),
        ("[[Kettle#^note]]", "Kettle", None, "note", None),
        ("[[#^note]]", "", None, "note", None),
        ("[[Kettle#Lid#^note]]", "Kettle", "Lid", "note", None),
        ("[[kitchen/Kettle.md]]", "kitchen/Kettle.md", None, None, None),
        ("[[../Kettle]]", "../Kettle", None, None, None),
        ("[[/Kettle]]", "/Kettle", None, None, None),
        ("[[Kettle/]]", "Kettle/", None, None, None),
        ("[[Kettle\\|pot]]", "Kettle", None, None, "pot"),
        ("[[Kettle|a\\|b]]", "Kettle", None, None, "a|b"),
        ("[[Kettle|a|b]]", "Kettle", None, None, "a|b"),
        ("[[Salt & Co: prices]]", "Salt & Co: prices", None, None, None),
        ("[[味噌汁]]", "味噌汁", None, None, None),
        ("[[🍲 Soups|`code`]]", "🍲 Soups", None, None, "`code`"),
        ("[[Kettle\u00a0]]", "Kettle", None, None, None),
        ('[[Say "hi"]]', 'Say "hi"', None, None, None),
        ("[[[Draft] Kettle]]", "[Draft] Kettle", None, None, None),
        ("[[Kettle [old]]]", "Kettle [old]", None, None, None),
        ("[[v1.2_notes]]", "v1.2_notes", None, None, None),
        ("[[a:b]]", "a:b", None, None, None),
    ],
)
def test_wiki_links(
    written: str, target: str, heading: str | None, block: str | None, alias: str | None
) -> None:
    text = f"See {written}, please."
    (link,) = find_links(text)
    assert (link.form, parts(link)) == ("wiki", (target, heading, block, alias))
    assert text[link.start : link.end] == written


@pytest.mark.parametrize(
    ("written", "target", "heading", "alias"),
    [
        ("![[pot.png]]", "pot.png", None, None),
        ("![[pot.png|300]]", "pot.png", None, "300"),
        ("![[pot.png|the pot|140]]", "pot.png", None, "the pot"),
        ("![[pot.png|the pot|140x90]]", "pot.png", None, "the pot"),
        ("![[pot.png#left|a|b]]", "pot.png", "left", "a|b"),
        ("![[Kettle#Lid]]", "Kettle", "Lid", None),
        ("![the pot](kitchen/my%20pot.png)", "kitchen/my pot.png", None, "the pot"),
        ("![](<my pot.png>)", "my pot.png", None, ""),
    ],
)
def test_embeds(written: str, target: str, heading: str | None, alias: str | None) -> None:
    (link,) = find_links(f"a {written} b")
    assert (link.form, link.target, link.heading, link.alias) == ("embed", target, heading, alias)
    assert (link.start, link.end) == (2, 2 + len(written))


@pytest.mark.parametrize(
    ("written", "target", "heading", "alias"),
    [
        ("[pot](Kettle.md)", "Kettle.md", None, "pot"),
        ("[pot](./a/My%20Kettle.md#lid)", "./a/My Kettle.md", "lid", "pot"),
        ("[pot](<../My Kettle.md#h-1>)", "../My Kettle.md", "h-1", "pot"),
        ('[pot](Kettle.md "a title")', "Kettle.md", None, "pot"),
        ("[pot](Kettle.md 'a title')", "Kettle.md", None, "pot"),
        ("[pot]( Kettle.md (a title) )", "Kettle.md", None, "pot"),
        ("[pot](kettle_(old).md)", "kettle_(old).md", None, "pot"),
        ("[pot](kettle\\(old.md)", "kettle(old.md", None, "pot"),
        ("[pot](Kettle)", "Kettle", None, "pot"),
        ("[pot](/Kettle.md)", "/Kettle.md", None, "pot"),
        ("[pot](kitchen\\Kettle.md)", "kitchen\\Kettle.md", None, "pot"),
        ("[pot](a%23b.md#c%20d)", "a#b.md", "c d", "pot"),
        ("[pot](#lid)", "", "lid", "pot"),
        ("[](Kettle.md)", "Kettle.md", None, ""),
        ("[a [b] c](Kettle.md)", "Kettle.md", None, "a [b] c"),
        ("[the `x]` pot](Kettle.md)", "Kettle.md", None, "the `x]` pot"),
        ("[100%](100%.md)", "100%.md", None, "100%"),
        ("[bad](%ff.md)", "%ff.md", None, "bad"),
        ("[odd](A: b.md)".replace(": ", ":"), "A:b.md", None, "odd"),
        ("[[1]](notes/one.md)", "notes/one.md", None, "[1]"),
    ],
)
def test_markdown_links(written: str, target: str, heading: str | None, alias: str) -> None:
    text = f"See {written}, please."
    (link,) = find_links(text)
    assert (link.form, link.target, link.heading, link.alias) == ("markdown", target, heading, alias)
    assert text[link.start : link.end] == written


def test_a_block_in_a_markdown_link() -> None:
    (link,) = find_links("[x](Kettle.md#^note)")
    assert (link.heading, link.block) == (None, "note")


def test_references_take_the_target_of_their_definition() -> None:
    text = (
        "[full][Pot], [pot][] and [pot], ![image][pic], [none][nothing], [ pot ][web]\n\n"
        '[pot]: kitchen/My%20Kettle.md#lid "Title"\n[pic]: <my pot.png>\n[web]: https://x.y\n[^1]: [[Note]]\n'
        "[pot]: second.md\n[unused]: unused.md\n"
    )
    found = [(link.target, link.heading, link.alias, link.form) for link in find_links(text)]
    assert found == [
        ("kitchen/My Kettle.md", "lid", "full", "markdown"),
        ("kitchen/My Kettle.md", "lid", "pot", "markdown"),
        ("kitchen/My Kettle.md", "lid", "pot", "markdown"),
        ("my pot.png", None, "image", "embed"),
        ("Note", None, None, "wiki"),
    ]


def test_a_definition_longer_than_any_path_leads_nowhere() -> None:
    """Each use repeats the destination: a page of 400 KB would have had 40 GB of links."""
    text = f"[a] [b]\n\n[a]: {'x' * 1025}\n[b]: {'y' * 1024}\n"
    assert [(link.alias, len(link.target)) for link in find_links(text)] == [("b", 1024)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[[[A]] b]]", ["A"]),
        ("[[]]", []),
        ("[[ ]]", []),
        ("[[|x]]", []),
        ("[[#]]", []),
        ("[[a\nb]]", []),
        ("[[a]", []),
        ("[[a]]]", ["a"]),
        ("[[[a]]]", ["a"]),
        ("\\[[a]]", []),
        ("\\\\[[a]]", ["a"]),
        ("\\[[[a]]", ["a"]),
        ("\\[\\[a\\]\\]", []),
        ("an open [[ bracket\n[[b]]", ["b"]),
        ("[[a [[b]]", ["b"]),
        ("[[a]][[b]]", ["a", "b"]),
        ("{{embed [[a]]}}", ["a"]),
        ("#[[a b]]", ["a b"]),
        ("[[Kettle]](s)", ["Kettle"]),
        ("[[1]](https://x.y/z)", []),
        ("[![pot](pot.png)](Kettle.md)", ["Kettle.md", "pot.png"]),
        ("[see [[Kettle]] now](pot.md)", ["pot.md", "Kettle"]),
        ("| [[a\\|b]] | [[c|d]] | ![[e\\|9]] |", ["a", "c", "e"]),
        ("- Added [[Kettle]] to the list with [[Lid]]", ["Kettle", "Lid"]),
    ],
)
def test_odd_brackets_have_one_reading(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "`[[a]]` ``[a](b.md)``",
        "```sh\nif [[ -f a ]]; then\n[[section.name]]\n```",
        "~~~\n[[a]]\n~~~",
        "<!-- [[a]] --> %% [[b]] %% $$ [[c]] $$",
        "```\n[[never closed",
        "if [[ -f boat.txt ]]; then; [[ $x == 1 ]]; [[ ! -d y ]]",
        "[[:space:]] and [[_TOC_]]",
        "[[1, 2], [3, 4]]",
        "[[{{title}}]] [[<% tp.date %>]] [x]({{url}})",
        "[[https://x.y]] [[dendron://food/soup]] [[mailto:a@b.c]] [[//host/x]]",
        "[a](https://x.y/a_(b)) <https://x.y> [m](mailto:a@b.c) [o](obsidian://open?x) [n](//host/a.md)",
        "[raw space](My Kettle.md) [empty]() [e2](<>) [odd](scheme:thing)",
        "- [ ] todo\n- [x] done\n- [/] half\n> [!note] callout\n- [24:33 - 24:41] speech",
        "[[`code`]]",
        "\\[a](b.md)",
        "a [^1]\n\n[^1]: note\n",
        "[label]: a definition.md alone\n",
    ],
)
def test_no_links(text: str) -> None:
    assert find_links(text) == []


def test_line_and_surrounding_text() -> None:
    text = "intro\n\n  see [[A]] here\nand [b](b.md)\n"
    found = [(link.line, link.text) for link in find_links(text, first_line=10)]
    assert found == [(12, "see [[A]] here"), (13, "and [b](b.md)")]


def test_of_a_very_long_line_only_the_part_near_the_link_is_kept() -> None:
    text = "x" * 5_000 + " [[A]] " + "y" * 5_000
    (link,) = find_links(text)
    assert "[[A]]" in link.text
    assert len(link.text) < 400
    assert link.text.startswith("…")
    assert link.text.endswith("…")


def test_offsets_are_code_points() -> None:
    text = "🚀é [[A]]"
    (link,) = find_links(text)
    assert (link.start, link.end) == (3, 8)


def test_crlf_text() -> None:
    text = "a [[B]]\r\n[c]\r\n\r\n[c]: d.md\r\n"
    assert [(link.target, link.line) for link in find_links(text)] == [("B", 1), ("d.md", 2)]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("[[Kettle|pot]] and [x](a.md)", [("Kettle", "pot"), ("a.md", "x")]),
        (["[[A]]", None, "plain", "[[B#c]]"], [("A", None), ("B", None)]),
        ([["Kettle"]], [("Kettle", None)]),
        ([["Salt, pepper"]], [("Salt, pepper", None)]),
        ([["Salt", "pepper"]], [("Salt, pepper", None)]),
        ([[{"Salt": "a history"}]], [("Salt: a history", None)]),
        ([["Kettle|pot"]], [("Kettle", "pot")]),
        ([[["A"]], [["B"]]], [("A", None), ("B", None)]),
        ({"up": "[[A]]", "more": {"down": ["[[B]]"]}}, [("A", None), ("B", None)]),
        ("![[banner.png]]", [("banner.png", None)]),
        ("`[[kept]]`", [("kept", None)]),
        ("no link", []),
        (None, []),
        ([], []),
        ([[]], []),
    ],
)
def test_front_matter_values(value: Value, found: list[tuple[str, str | None]]) -> None:
    links = link_targets_in_value(value)
    assert [(link.target, link.alias) for link in links] == found
    assert {(link.form, link.start, link.end) for link in links} <= {("front-matter", -1, -1)}


def test_a_value_nested_without_end_is_survived() -> None:
    value: Value = "[[A]]"
    for _ in range(20_000):
        value = [value, None]
    assert link_targets_in_value(value) == []


@pytest.mark.parametrize(
    ("target", "outside"),
    [
        ("https://example.org/a_(b)", True),
        ("HTTP://X.Y", True),
        ("mailto:a@b.c", True),
        ("obsidian://open?vault=x", True),
        ("anything://x", True),
        ("//host/x.md", True),
        ("memex:sess-1#2", True),
        ("Kettle: a history", False),
        ("C:\\pots\\a.md", False),
        ("a/b.md", False),
        ("", False),
    ],
)
def test_external(target: str, outside: bool) -> None:
    assert external(target) is outside


BRACKETS = "[]()!|#^\\`<>%{}\n \"'ab.:/-1_"


def test_ten_thousand_random_bracket_strings() -> None:
    chance = random.Random(11)
    for _ in range(10_000):
        text = "".join(chance.choice(BRACKETS) for _ in range(chance.randint(0, 60)))
        last = 0
        for link in find_links(text):
            assert last <= link.start < link.end <= len(text)
            assert "\n" not in link.target
            assert link.target or link.heading or link.block
            last = link.start


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["[[", "]]", "](", "[", "]", ")", "<", ">", "a", "|", "\\", "\n", "![", "]: b"]))
)
def test_found_links_are_what_the_text_holds(pieces: list[str]) -> None:
    text = "".join(pieces)
    for link in find_links(text):
        written = text[link.start : link.end]
        if link.form == "wiki":
            assert written.startswith("[[")
            assert written.endswith("]]")
            assert link.target in written
        assert "\n" not in written or link.form != "wiki"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "[[" * 500_000,
        "[[\n" * 200_000,
        "](a" * 150_000,
        "[a](b" * 100_000,
        "[](<" * 100_000,
        '[](a "' * 100_000,
        "[a]: b\n" + "[a][" * 100_000,
        "[[x|" * 150_000,
        "\\[[" * 200_000 + "]]",
        "[a](" + "(" * 200_000,
        "[x](((" * 80_000,
        "[a]: x.md\n" + "[" * 80_000 + "]" * 80_000,
        "](<a" * 150_000,
        "[a] " * 50_000 + "\n\n[b]: c",
        "\\" * 300_000 + "[[a]]",
        "`" * 100_000 + "[[a]]",
    ],
    ids=range(17),
)
def test_hostile_texts_terminate(text: str) -> None:
    assert len(find_links(text)) < 10


def test_fifty_thousand_links_on_one_line() -> None:
    assert len(find_links("[[a]] [b](c.md) " * 25_000)) == 50_000


def test_a_wiki_link_as_destination_is_the_link() -> None:
    assert [(link.form, link.target) for link in find_links("[text]([[A]]) [b](B.md)")] == [
        ("wiki", "A"),
        ("markdown", "B.md"),
    ]
