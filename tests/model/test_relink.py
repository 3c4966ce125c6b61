"""A page moves, and every link that reached it still does, in its own form; all other bytes stay."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_core.model.links import find_links, link_targets_in_value
from memex_core.model.page import Link
from memex_core.model.relink import (
    encode,
    front_matter_end,
    new_target,
    rewrite,
    rewrite_file,
    rewrite_values,
)
from memex_core.model.resolve import NameTable, answers_alone, resolve

Vault = dict[str, str]
Titles = dict[str, str]


def table_of(paths: Iterable[str], titles: Titles) -> NameTable:
    table = NameTable()
    for path in paths:
        if path.endswith(".md"):
            table.add(path, ["The Pot"] if path.lower().endswith("kettle.md") else [], titles.get(path, ""))
        else:
            table.add_asset(path)
    return table


def move(
    vault: Vault, old: str, new: str, titles: Titles | None = None, new_title: str | None = None
) -> Vault:
    """The vault after the move, done as the rename action does it."""
    titles = titles or {}
    names = table_of(vault, titles)
    after: Vault = {}
    for source, text in vault.items():
        source_after = new if source == old else source

        def wanted(link: Link, source: str = source, source_after: str = source_after) -> str | None:
            to = resolve(link.target, link.form, source, names)
            if to.path is None or (to.path != old and source == source_after):
                return None
            moved = to.path == old
            return new_target(
                link,
                via=to.via,
                old_path=to.path,
                new_path=new if moved else to.path,
                new_title=new_title if moved else None,
                source_before=source,
                source_after=source_after,
                ambiguous=to.ambiguous,
                unique=lambda name: answers_alone(name, (old, new), names),
            )

        after[source_after] = rewrite_file(text, wanted)[0] if source.endswith(".md") else text
    return after


def reached(vault: Vault, titles: Titles | None = None) -> list[tuple[str, str | None]]:
    """Source and destination of every link, in the order of sources and texts."""
    names = table_of(vault, titles or {})
    found = []
    for source, text in sorted(vault.items()):
        if source.endswith(".md"):
            cut, _ = front_matter_end(text)
            links = link_targets_in_value(text[:cut]) + find_links(text[cut:])
            found += [(source, resolve(link.target, link.form, source, names).path) for link in links]
    return found


FORMS = """---
up: "[[Kettle|the pot]]"
also: '[[kitchen/Kettle]]'
plain: [[Kettle]]
---
Plain [[Kettle]], alias [[Kettle|pot]], empty [[Kettle|]], spaced [[ Kettle ]], same [[Kettle|Kettle]].
Heading [[Kettle#Lid]], nested [[Kettle#Lid#Rim|rim]], block [[Kettle#^note]], embed ![[Kettle#Lid]].
Folder [[kitchen/Kettle]], ending [[Kettle.md]], both [[kitchen/Kettle.md#lid|x]], top [[/kitchen/Kettle]].
By alias [[The Pot]], by the alias in small letters [[the pot#lid]].
Markdown [a](kitchen/Kettle.md), [b](./kitchen/Kettle.md#lid), [c](<kitchen/Kettle.md> "t"),
[d](/kitchen/Kettle.md). No ending [e](kitchen/Kettle), reference [f][pot] and [pot],
image ![g](kitchen/Kettle.md).

| cell | [[Kettle\\|pot]] | ![[Kettle\\|300]] |

`[[Kettle]]` <!-- [[Kettle]] --> \\[[Kettle]] [[Kettle wanted]] [web](https://x.y/kitchen/Kettle.md)

```
[[Kettle]] [a](kitchen/Kettle.md)
```

[pot]: kitchen/Kettle.md "Title"
"""


def kitchen() -> Vault:
    return {
        "kitchen/Kettle.md": "# Kettle\nMe [[#Lid]], [[Kettle]], [x](Kettle.md#a), [z](<../all forms.md>)\n",
        "kitchen/Lid.md": "[[Kettle]] and [k](Kettle.md) and [[./Kettle]]\n",
        "all forms.md": FORMS,
        "other/far.md": "[[Kettle]] [](../kitchen/Kettle.md) [[../kitchen/Kettle]] ![](../kitchen/pot.png)\n",
        "kitchen/pot.png": "",
    }


def test_every_form_in_place() -> None:
    after = move(kitchen(), "kitchen/Kettle.md", "kitchen/Tea pot.md")["all forms.md"]
    assert after == (
        FORMS.replace("[[Kettle wanted]]", "[[KEEP]]")
        .replace("`[[Kettle]]` <!-- [[Kettle]] --> \\[[Kettle]]", "`[[K]]` <!-- [[K]] --> \\[[K]]")
        .replace("```\n[[Kettle]] [a](kitchen/Kettle.md)", "```\nCODE")
        .replace("https://x.y/kitchen/Kettle.md", "URL")
        .replace("|Kettle]]", "|ALIAS]]")
        .replace("<kitchen/Kettle.md>", "<kitchen/Tea pot.md>")
        .replace("(kitchen/Kettle", "(kitchen/Tea%20pot")
        .replace("(./kitchen/Kettle", "(./kitchen/Tea%20pot")
        .replace("(/kitchen/Kettle", "(/kitchen/Tea%20pot")
        .replace("[pot]: kitchen/Kettle.md", "[pot]: kitchen/Tea%20pot.md")
        .replace("Kettle", "Tea pot")
        .replace("|ALIAS]]", "|Kettle]]")
        .replace("URL", "https://x.y/kitchen/Kettle.md")
        .replace("```\nCODE", "```\n[[Kettle]] [a](kitchen/Kettle.md)")
        .replace("`[[K]]` <!-- [[K]] --> \\[[K]]", "`[[Kettle]]` <!-- [[Kettle]] --> \\[[Kettle]]")
        .replace("[[KEEP]]", "[[Kettle wanted]]")
    )


def sorted_pairs(pairs: Iterable[tuple[str, str | None]]) -> list[tuple[str, str]]:
    return sorted((source, to or "") for source, to in pairs)


@pytest.mark.parametrize(
    "new",
    [
        "kitchen/Tea kettle.md",
        "Tea kettle.md",
        "Kettle.md",
        "other/Kettle.md",
        "other/deep/Kettle.md",
        "kitchen/old/Pot (1) kettle.md",
        "kitchen/KETTLE.md",
        "k\u00fcche/Baker's & S\u00f8n kettle.md",
        "kitchen/100%25 kettle.md",
    ],
)
def test_no_link_is_lost_and_the_way_back_gives_the_same_bytes(new: str) -> None:
    before = kitchen()
    after = move(before, "kitchen/Kettle.md", new)
    there = {path: path for path in before} | {"kitchen/Kettle.md": new, "": ""}
    assert sorted_pairs(reached(after)) == sorted(
        (there[source], there[to]) for source, to in sorted_pairs(reached(before))
    )
    again = move(after, new, "kitchen/Kettle.md")
    assert sorted_pairs(reached(again)) == sorted_pairs(reached(before))
    if "/" in new and "KETTLE" not in new:  # in the root a path is a name alone: nothing tells them apart
        assert again == before


def test_relative_links_of_the_moved_page_follow_it() -> None:
    vault = {
        "a/page.md": "[n](near.md) [u](../top.md#h) [r](/a/near.md) ![i](pic.png) [w](https://x.y) "
        "[[near]] [[../top|t]]\n"
        "[d]\n\n[d]: ./near.md\n",
        "a/near.md": "",
        "top.md": "",
        "a/pic.png": "",
    }
    after = move(vault, "a/page.md", "b/c/page.md")
    assert after["b/c/page.md"] == (
        "[n](../../a/near.md) [u](../../top.md#h) [r](/a/near.md) ![i](../../a/pic.png) [w](https://x.y) "
        "[[near]] [[../../top|t]]\n[d]\n\n[d]: ../../a/near.md\n"
    )
    assert {to for _, to in reached(after)} == {"a/near.md", "top.md", "a/pic.png"}


def test_a_name_that_is_taken_gets_its_folder() -> None:
    vault = {"a/One.md": "", "b/Two.md": "", "x.md": "[[One]] [[One|o]]"}
    assert move(vault, "a/One.md", "a/Two.md")["x.md"] == "[[a/Two]] [[a/Two|o]]"
    assert move(vault, "a/One.md", "c/d/Two.md")["x.md"] == "[[d/Two]] [[d/Two|o]]"
    assert move(vault, "a/One.md", "Two.md")["x.md"] == "[[Two]] [[Two|o]]"


def test_a_folder_of_the_same_name_gets_one_more() -> None:
    vault = {"a/One.md": "", "b/n/Two.md": "", "x.md": "[[One]]"}
    after = move(vault, "a/One.md", "c/n/Two.md")
    assert after["x.md"] == "[[c/n/Two]]"
    assert reached(after) == [("x.md", "c/n/Two.md")]


def test_the_nearest_of_equals_stays_meant_when_the_source_moves() -> None:
    vault = {"a/Same.md": "", "b/Same.md": "", "a/x.md": "[[Same]]"}
    after = move(vault, "a/x.md", "b/x.md")
    assert after["b/x.md"] == "[[a/Same]]"


def test_the_end_of_a_path_stays_one() -> None:
    vault = {"k/Food/Soup.md": "", "x.md": "[[Food/Soup]] [[Food/Soup.md#a|b]]"}
    assert move(vault, "k/Food/Soup.md", "k/Food/Broth.md")["x.md"] == "[[Food/Broth]] [[Food/Broth.md#a|b]]"
    assert (
        move(vault, "k/Food/Soup.md", "m/Drink/Broth.md")["x.md"] == "[[Drink/Broth]] [[Drink/Broth.md#a|b]]"
    )


def test_slugs_titles_and_aliases_each_in_their_own_way() -> None:
    vault = {
        "docs/tin-kettle.md": "",
        "x.md": "[[tin-kettle]] [[Tin kettle]] [[docs/tin-kettle#a]] [[The Pot]] [[An old one]]",
    }
    titles = {"docs/tin-kettle.md": "An old one"}
    after = move(vault, "docs/tin-kettle.md", "docs/tea-pot.md", titles, "Tea pot")
    assert after["x.md"] == "[[tea-pot]] [[Tea pot]] [[docs/tea-pot#a]] [[The Pot]] [[Tea pot]]"


def test_a_title_that_no_link_can_hold() -> None:
    vault = {"docs/kettle-1.md": "", "x.md": "[[An old one]]"}
    titles = {"docs/kettle-1.md": "An old one"}
    after = move(vault, "docs/kettle-1.md", "docs/a-b.md", titles, "a|b #1")
    assert after["x.md"] == "[[a-b]]"


def test_a_title_that_stays_needs_nothing() -> None:
    vault = {"docs/kettle-1.md": "", "x.md": "[[An old one]] [[AN OLD ONE]]"}
    titles = {"docs/kettle-1.md": "An old one"}
    assert move(vault, "docs/kettle-1.md", "docs/b.md", titles, "An old one")["x.md"] == vault["x.md"]


def test_namespaces_and_back_slashes() -> None:
    vault = {"Tide___Tables.md": "", "a/b.md": "", "x.md": "[[Tide/Tables]] [[a\\b]] [w](a\\b.md)"}
    assert move(vault, "Tide___Tables.md", "Tide___Charts.md")["x.md"].startswith("[[Tide/Charts]]")
    assert move(vault, "a/b.md", "a/c d.md")["x.md"].endswith("[[a\\c d]] [w](a\\c%20d.md)")


def test_what_changed_is_told() -> None:
    text = "---\nup: '[[A]]'\n---\nx\n[[A#h|b]] `[[A]]`\n"
    out, changes = rewrite_file(text, lambda link: "B" if link.target == "A" else None)
    assert out == "---\nup: '[[B]]'\n---\nx\n[[B#h|b]] `[[A]]`\n"
    assert [(link.line, link.form, was, now) for link, was, now in changes] == [
        (2, "front-matter", "[[A]]", "[[B]]"),
        (5, "wiki", "[[A#h|b]]", "[[B#h|b]]"),
    ]


@pytest.mark.parametrize(
    ("text", "target", "out"),
    [
        ('up: "[[A|x]]"\n', 'Say "hi" \\o', 'up: "[[Say \\"hi\\" \\\\o|x]]"\n'),
        ("up: '[[A|x]]'\n", "Baker's", "up: '[[Baker''s|x]]'\n"),
        ("up: [[A]]\n", "'t Huis", 'up: "[[\'t Huis]]"\n'),
        ("up: [[A]]\n", "Baker's & Co", "up: [[Baker's & Co]]\n"),
        ("up: [[A]]\r\nb: 1\r\n", "Salt, Co", 'up: "[[Salt, Co]]"\r\nb: 1\r\n'),
        ("up: [[A]]\n", "Plain", "up: [[Plain]]\n"),
        ("- [[A]]\n", "C: d", '- "[[C: d]]"\n'),
        ("a: 1 # [[A]]\n# [[A]]\n", "B", "a: 1 # [[A]]\n# [[A]]\n"),
        ("a: it's [[A]]\nb: see [[A]]'s\n", "B", "a: it's [[B]]\nb: see [[B]]'s\n"),
        ('note: |\n  say "x" [[A]]\n', "B", 'note: |\n  say "x" [[B]]\n'),
        ('{"up":"[[A\\|a]]","x":["[[A]]"]}\n', "B", '{"up":"[[B\\|a]]","x":["[[B]]"]}\n'),
        ('a: "[t](A)"\n', "B c.md", 'a: "[t](B%20c.md)"\n'),
        ("a: '''[[A]]'''\n", "B", "a: '''[[B]]'''\n"),
    ],
)
def test_front_matter_as_its_quotes_demand(text: str, target: str, out: str) -> None:
    assert rewrite_values(text, lambda link: target if link.target == "A" else None)[0] == out


def test_targets_in_quotes_are_read_as_they_are_meant() -> None:
    seen: list[str] = []
    rewrite_values(
        "a: \"[[\\u00c5se \\\"x\\\"]]\"\nb: '[[Baker''s]]'\n", lambda link: seen.append(link.target)
    )
    assert seen == ['Åse "x"', "Baker's"]


def test_toml_front_matter() -> None:
    text = "+++\ntitle = \"[[A]]\"\nb = '[[A]]'\n[[A]]\nx = 1\n+++\n[[A]]\n"
    out, _ = rewrite_file(text, lambda link: 'B "1"')
    assert out == '+++\ntitle = "[[B \\"1\\"]]"\nb = \'[[B "1"]]\'\n[[A]]\nx = 1\n+++\n[[B "1"]]\n'


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("---\na: 1\n---\nb", "---\nb"),
        ("\ufeff---\r\na: 1\r\n---\r\nb", "---\r\nb"),
        ("---\na: 1\n...\nb", "...\nb"),
        ("---\n    a: 1\n    b: 2\n---\nb", "---\nb"),
        ("---  \n# note\n\n- a\n---\n", "---\n"),
        ('---\n{"a": 1}\n---\n', "---\n"),
        ("---\n---\nb", ""),
        ("---\nA line of prose\n---\nb", ""),
        ("---\na: 1\nno end", ""),
        ("\n---\na: 1\n---\n", ""),
        ("----\na: 1\n---\n", ""),
        ("+++\na = 1\n+++\nb", "+++\nb"),
        ("text", ""),
    ],
)
def test_where_the_front_matter_ends(text: str, cut: str) -> None:
    end, toml = front_matter_end(text)
    assert (text[end:] if end else "") == cut
    assert toml is text.startswith("+++")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_kind_divide_lines(newline: str) -> None:
    before = "---\nup: '[[A]]'\n---\n# H\n\n```\n[[A]]\n```\n\n    [[A]]\n\n[[A]] `[[A]]\n[[A]]` [x][r]\n\n[r]: A.md#h\n"
    after = (
        before.replace("up: '[[A]]'", "up: '[[B]]'")
        .replace("\n[[A]] `", "\n[[B]] `")
        .replace(": A.md", ": B.md")
    )
    text, changes = rewrite_file(before.replace("\n", newline), lambda link: link.target.replace("A", "B"))
    assert text == after.replace("\n", newline)
    assert [link.line for link, *_ in changes] == [2, 12, 15]


def test_code_below_a_rule_at_the_top_is_code() -> None:
    text = "---\nprose\n\n```\n[[A]]\n```\n---\n[[A]]\n"
    assert rewrite_file(text, lambda link: "B")[0] == text[:-6] + "[[B]]\n"


def test_all_other_bytes_stay() -> None:
    text = "\ufeff---\r\nup: '[[A]]'  \r\n---\r\n\r\n[[A]]\t\r\nlast \udce9 line"
    out, _ = rewrite_file(text, lambda link: "B")
    assert out == text.replace("[[A]]", "[[B]]")


def test_references_are_rewritten_at_their_definition_only() -> None:
    text = "[a][r] [r] [s]\n\n[r]: A.md 'A.md'\n[s]: <A.md#x>\n[unused]: A.md\n"
    out, changes = rewrite(text, lambda link: "B c.md")
    assert out == "[a][r] [r] [s]\n\n[r]: B%20c.md 'A.md'\n[s]: <B c.md#x>\n[unused]: B%20c.md\n"
    assert len(changes) == 3


def test_a_link_inside_a_link_text() -> None:
    assert rewrite("[see [[A]] ![i](A)](A)", lambda link: "B")[0] == "[see [[B]] ![i](B)](B)"


def test_nothing_wanted_nothing_changed() -> None:
    assert rewrite(FORMS, lambda link: None) == (FORMS, [])
    assert rewrite(FORMS, lambda link: link.target) == (FORMS, [])


@pytest.mark.parametrize(
    ("target", "written", "angle", "out"),
    [
        ("a/My pot.md", "a/Kettle.md", False, "a/My%20pot.md"),
        ("a/My pot.md", "a/Kettle.md", True, "a/My pot.md"),
        ("my a/b.md", "my%20a/x.md", False, "my%20a/b.md"),
        ("p(1).md", "x.md", False, "p(1).md"),
        ("p(1.md", "x.md", False, "p%281.md"),
        ("å.md", "x.md", False, "å.md"),
        ("å.md", "%C3%B8.md", False, "%C3%A5.md"),
        ("a#b.md", "x.md", False, "a%23b.md"),
        ("50%25.md", "x.md", False, "50%2525.md"),
        ("50%.md", "x.md", False, "50%.md"),
    ],
)
def test_markdown_spelling(target: str, written: str, angle: bool, out: str) -> None:
    assert encode(target, written, angle=angle) == out


@settings(max_examples=500, deadline=None)
@given(
    st.text(alphabet="aé %()<>[]#\\\"'_/.-1F&\u00a0`$~", min_size=1, max_size=14),
    st.sampled_from(["[x](A)", "[x](<A>)"]),
)
def test_every_target_can_be_written_and_read_back(name: str, written: str) -> None:
    target = f"a{name}b"
    text, _ = rewrite(written, lambda link: target)
    assert [link.target for link in find_links(text)] == [target]


STEM = st.sampled_from(["Kettle", "Tea pot", "Åse & Søn", "v1.2 notes", "p(1)", "50%"])
FOLDER = st.sampled_from(["", "a/", "a/b/", "c d/"])
LINKS = st.sampled_from(
    [
        "[[{name}]]",
        "[[{name}|x]]",
        "[[{name}#h]]",
        "![[{name}]]",
        "[[{path}]]",
        "[[/{path}.md]]",
        "| [[{name}\\|x]] |",
        "`[[{name}]]`",
        "[x](</{path}.md>)",
        "prose\n\n",
        "    [[{name}]]\n",
        "[[elsewhere]]",
        "[y](other.md)",
    ]
)


@settings(max_examples=300, deadline=None)
@given(STEM, FOLDER, STEM, FOLDER, st.lists(LINKS, max_size=8), FOLDER)
def test_rename_and_rename_back(
    old: str, old_folder: str, new: str, new_folder: str, links: list[str], source_folder: str
) -> None:
    path, target = f"{old_folder}{old}.md", f"{new_folder}{new}.md"
    text = " ".join(link.format(name=old, path=old_folder + old) for link in links)
    vault = {path: "# Me\n[[#x]]\n", f"{source_folder}source page.md": text}
    after = move(vault, path, target)
    assert [to for _, to in reached(after)].count(target) == [to for _, to in reached(vault)].count(path)
    if new_folder or not old_folder:  # in the root a path is a name alone: nothing tells them apart
        assert move(after, target, path) == vault


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["[[", "]]", "](", "[", "]", ")", "<", ">", "a", "|", "\\", "\n", "`", "#", " ", ": "]
        )
    )
)
def test_rewriting_a_heap_of_brackets(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert rewrite_file(text, lambda link: None) == (text, [])
    out, changes = rewrite(text, lambda link: "new")
    assert len(out) == len(text) + sum(len(now) - len(was) for link, was, now in changes if was != now)
