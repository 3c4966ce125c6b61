import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_tui.render.markdown.blocks import split
from memex_tui.render.markdown.model import LONG_FENCE, LONG_LINE, LONG_PARAGRAPH, LONG_TABLE


def kinds(text: str) -> list[tuple[str, int, int]]:
    return [(block.kind, block.start, block.end) for block in split(text.split("\n"))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("one\ntwo\n\nthree", [("text", 0, 2), ("text", 3, 4)]),
        ("# A\ntext\n## B ##", [("heading", 0, 1), ("text", 1, 2), ("heading", 2, 3)]),
        ("#tag line", [("text", 0, 1)]),
        ("Title\n===\nSub\n---", [("heading", 0, 2), ("heading", 2, 4)]),
        ("---\n***\n- - -", [("rule", 0, 1), ("rule", 1, 2), ("rule", 2, 3)]),
        ("```py\ncode\n\n# no\n```\nafter", [("code", 0, 5), ("text", 5, 6)]),
        ("~~~\na\n```\n~~~~", [("code", 0, 4)]),
        ("```\nnever closed\n\nmore", [("code", 0, 4)]),
        ("    indented\n\n    code\ntext", [("code", 0, 3), ("text", 3, 4)]),
        ("- a\n- b\n  more\n\n- c", [("item", 0, 1), ("item", 1, 3), ("item", 4, 5)]),
        ("- a\n  - nested\n    deep\nlazy", [("item", 0, 4)]),
        ("1. a\n2. b\n5) c", [("item", 0, 1), ("item", 1, 2), ("item", 2, 3)]),
        ("text\n2. is no list", [("text", 0, 2)]),
        ("> a\nlazy\n\n> b", [("quote", 0, 2), ("quote", 3, 4)]),
        ("|a|b|\n|-|-|\n|1|2|\n\nx", [("table", 0, 3), ("text", 4, 5)]),
        ("intro\n|a|b|\n|-|-|", [("text", 0, 1), ("table", 1, 3)]),
        ("a | b\n--- | --- | ---", [("text", 0, 2)]),
        ("[^1]: note\n    more\n\ntext", [("footnote", 0, 2), ("text", 3, 4)]),
        ("[ref]: http://x 'title'\ntext", [("definition", 0, 1), ("text", 1, 2)]),
        ("<div>\nx\n</div>\n\ny", [("html", 0, 3), ("text", 4, 5)]),
        ("<b>bold</b> text", [("text", 0, 1)]),
        ("<!-- a\n\nb -->\nc", [("html", 0, 3), ("text", 3, 4)]),
        ("<https://x.y>", [("text", 0, 1)]),
        ("$$\nx\n$$\ny", [("math", 0, 3), ("text", 3, 4)]),
        ("%%\nhidden\n%%", [("html", 0, 3)]),
        ("- [ ] task\n- [/] half", [("item", 0, 1), ("item", 1, 2)]),
    ],
)
def test_blocks(text: str, found: list[tuple[str, int, int]]) -> None:
    assert kinds(text) == found


def test_headings_have_level_and_title() -> None:
    blocks = split(["### C# and F# ###", "##", "Two", "lines", "==="])
    assert [block.data for block in blocks] == [(3, "C# and F#"), (2, ""), (1, "Two lines")]


def test_ordered_lists_are_counted_from_their_start() -> None:
    blocks = split(["3. a", "3. b", "1. c", "", "text", "", "7. d"])
    assert [block.data.marker for block in blocks if block.kind == "item"] == ["3.", "4.", "5.", "7."]


def test_gaps_follow_the_source() -> None:
    blocks = split(["a", "- x", "- y", "", "- z", "# H", "b"])
    assert [block.gap for block in blocks] == [0, 0, 0, 1, 1, 0]


def test_long_blocks_come_in_pieces() -> None:
    assert len(split(["word"] * (LONG_PARAGRAPH * 3))) == 3
    assert len(split(["```", *["code"] * (LONG_FENCE * 3), "```"])) == 3
    assert len(split(["|a|", "|-|", *["|x|"] * (LONG_TABLE * 3)])) == 3
    assert len(split(["x" * LONG_LINE * 4])) == 4
    pieces = split(["word " * LONG_LINE])
    assert pieces[0].data == (0, LONG_LINE)
    assert pieces[-1].data[1] == LONG_LINE * 5


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(alphabet="#>-*+1.`~|[]()!<>$%:= \tab\n\\_^", max_size=12), max_size=12))
def test_every_line_belongs_to_at_most_one_block(lines: list[str]) -> None:
    lines = [line.replace("\n", "").expandtabs(4) for line in lines]
    blocks = split(lines)
    end = 0
    for block in blocks:
        assert block.start >= end or block.start == block.end
        assert all(not line.strip() for line in lines[end : block.start])
        end = max(end, block.end)
    assert all(not line.strip() for line in lines[end:])
