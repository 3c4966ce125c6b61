"""The graph in other programs' formats: every text quoted, every edge at its nodes."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from memex_core.model.graph_text import canvas, dot, mermaid

NODES: list[dict[str, Any]] = [
    {"path": "a.md", "slug": "a", "title": 'A "quoted" [title] #1', "type": "entity", "hop": 0},
    {"path": "b c.md", "slug": "b-c", "title": "B\\ <c>\x1b\nd", "type": "note", "hop": 1},
    {"path": "Nowhere", "slug": "", "title": "Nowhere", "type": "", "hop": 1, "missing": True},
]
EDGES: list[dict[str, Any]] = [
    {"source": "a.md", "target": "b c.md", "rel": "mentions", "form": "wiki"},
    {"source": "a.md", "target": "Nowhere", "rel": "depends-on", "form": "typed"},
    {"source": "a.md", "target": "left-out.md", "rel": "", "form": "wiki"},
]


def test_mermaid() -> None:
    assert mermaid(NODES, EDGES) == (
        "flowchart LR\n"
        '    n0["A #quot;quoted#quot; [title] #35;1"]\n'
        '    n1["B\\ #lt;c#gt;␛ d"]\n'
        '    n2["Nowhere"]\n'
        "    n0 --> n1\n"
        '    n0 -->|"depends-on"| n2\n'
        "    classDef missing stroke-dasharray: 4 4\n"
        "    class n2 missing\n"
    )


def test_dot() -> None:
    text = dot(NODES, EDGES)
    assert text.splitlines()[3:-1] == [
        '    n0 [label="A \\"quoted\\" [title] #1"];',
        '    n1 [label="B\\\\ <c>␛ d"];',
        '    n2 [label="Nowhere", style=dashed];',
        "    n0 -> n1;",
        '    n0 -> n2 [label="depends-on"];',
    ]


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_it() -> None:
    done = subprocess.run(["dot", "-Tplain"], input=dot(NODES, EDGES), capture_output=True, encoding="utf-8")
    assert done.returncode == 0
    assert done.stdout.count("\nedge ") == 2


def test_canvas_holds_files_texts_and_arrows_and_no_two_cards_overlap() -> None:
    many = NODES + [{"path": f"{n}.md", "title": str(n), "hop": 1} for n in range(40)]
    made = json.loads(canvas(many, EDGES))
    assert made["nodes"][0]["file"] == "a.md"
    assert {"id": "n2", "type": "text", "text": "Nowhere"}.items() <= made["nodes"][2].items()
    assert made["edges"] == [
        {"id": "e0", "fromNode": "n0", "toNode": "n1"},
        {"id": "e1", "fromNode": "n0", "toNode": "n2", "label": "depends-on"},
    ]
    cards = made["nodes"]
    for at, one in enumerate(cards):
        for other in cards[at + 1 :]:
            apart = abs(one["x"] - other["x"]) >= one["width"] or abs(one["y"] - other["y"]) >= one["height"]
            assert apart, (one, other)


def test_an_empty_graph_is_well_formed() -> None:
    assert mermaid([], []) == "flowchart LR\n"
    assert dot([], []).endswith("}\n")
    assert json.loads(canvas([], [])) == {"nodes": [], "edges": []}
