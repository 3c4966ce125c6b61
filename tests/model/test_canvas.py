"""Names in a canvas: just the letters that differ change, whatever the JSON around them looks like."""

from __future__ import annotations

import json

import pytest

from memex_core.model.canvas import relinked
from memex_core.model.page import Link

CANVAS = r"""{
	"nodes":[
		{"id":"a","type":"file","file":"food/Rye loaf.md","subpath":"#Oven","x":1.50,"y":-0},
		{"type":"text", "text":"See [[Rye loaf|the \"rye\"]]\n- [x](food/Rye%20loaf.md) \u00e9 [[Other]]" , "id":"b"},
		{"id":"c","file":"food/Rye loaf.md","type":"link","url":"[[Rye loaf]]"},
		{"id":"d","type":"group","label":"[[Rye loaf]]","nodes":[{"type":"file","file":"food/Rye loaf.md"}]},
		{"id":"e","type":"file","file":"food\/R\u0079e loaf.md" , "text":"[[Rye loaf]]"}
	],
	"edges":[{"id":"f","type":"file","file":"food/Rye loaf.md","text":"[[Rye loaf]]"}],
	"file":"food/Rye loaf.md"
}
"""


def file(path: str) -> str | None:
    return "food/Rye bread.md" if path == "food/Rye loaf.md" else None


def wanted(link: Link) -> str | None:
    return {"Rye loaf": "Rye bread", "food/Rye loaf.md": "food/Rye bread.md"}.get(link.target)


def test_only_the_names_change() -> None:
    made = relinked(CANVAS, file, wanted)
    assert made is not None
    text, changes = made
    lines = CANVAS.split("\n")
    lines[2] = lines[2].replace("Rye loaf", "Rye bread")
    lines[3] = lines[3].replace("[[Rye loaf|", "[[Rye bread|").replace("Rye%20loaf", "Rye%20bread")
    lines[6] = lines[6].replace(r"food\/R\u0079e loaf.md", r"food\/R\u0079e bread.md")
    assert text.split("\n") == lines
    assert [tuple(change) for change in changes] == [
        (3, "food/Rye loaf.md", "food/Rye bread.md"),
        (4, '[[Rye loaf|the "rye"]]', '[[Rye bread|the "rye"]]'),
        (4, "[x](food/Rye%20loaf.md)", "[x](food/Rye%20bread.md)"),
        (7, "food/Rye loaf.md", "food/Rye bread.md"),
    ]
    assert relinked(text, file, wanted) == (text, [])


@pytest.mark.parametrize("ascii_only", [True, False])
def test_letters_that_json_escapes(ascii_only: bool) -> None:
    nodes = [
        {"type": "file", "file": 'a "b" 🚀.md'},
        {"type": "text", "text": '🚀 "x" \\ [[a "b" 🚀#^é|ü]] 🚀'},
    ]
    text = json.dumps({"nodes": nodes, "edges": []}, ensure_ascii=ascii_only)
    new = 'ü "c" 漢 🚀'
    made = relinked(text, lambda path: f"{new}.md", lambda link: new)
    assert made is not None
    assert json.loads(made[0])["nodes"] == [
        {"type": "file", "file": f"{new}.md"},
        {"type": "text", "text": f'🚀 "x" \\ [[{new}#^é|ü]] 🚀'},
    ]
    assert made[0].isascii() == ascii_only
    assert len(made[1]) == 2


def test_a_link_in_the_label_of_another() -> None:
    text = json.dumps(
        {"nodes": [{"type": "text", "text": "[a [[Rye loaf]] b](food/Rye%20loaf.md) [[Rye loaf]]"}]}
    )
    made = relinked(text, file, wanted)
    assert made is not None
    assert json.loads(made[0])["nodes"][0]["text"] == (
        "[a [[Rye bread]] b](food/Rye%20bread.md) [[Rye bread]]"
    )
    assert len(made[1]) == 3


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "1", '"x"', "{}", '{"nodes": 1}', '{"nodes": [1, null]', "[" * 100_000, "\0"]
)
def test_what_is_no_canvas_is_left(text: str) -> None:
    assert relinked(text, file, wanted) is None


@pytest.mark.parametrize(
    "nodes", ["[]", "[1, null, []]", '[{"type": 1, "file": 2}]', '[{"type": "file"}]', "{}"]
)
def test_odd_nodes_are_left(nodes: str) -> None:
    text = '{"nodes": ' + nodes + "}"
    assert relinked(text, file, wanted) in ((text, []), None)
