"""Signs, footnotes and source rows of a page, worked out without a screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.model.errors import NotFound, Refused
from memex_tui.render.markdown.model import Property
from memex_tui.screens.page import citing, proofs
from memex_tui.screens.page.filetext import FileText
from memex_tui.screens.page.proofs import Proof, footnotes, nearest, proof_of, source_rows, worst
from memex_tui.screens.sources.presenter import Disputed, Statement
from tests.tui import sources_store

SAID = Statement("a.md", "A", "s1", "x", 3, "evidence", "limits", 4, "x", True)


def proof(sign: str, look: str) -> Proof:
    return Proof(sign, look, SAID)


@pytest.mark.parametrize(
    ("change", "sign", "look"),
    [
        ({}, "E", "evidence"),
        ({"lane": "context"}, "C", "context"),
        ({"found": False}, "✗", "doubtful"),
        ({"found": None}, "E", "evidence"),  # an address cannot be looked up
        ({"disputed": Disputed("me")}, "!", "doubtful"),
        ({"lane": "", "found": False}, "?", "doubtful"),
    ],
)
def test_the_sign_of_a_statement(change: dict[str, object], sign: str, look: str) -> None:
    found = proof_of(SAID._replace(**change))  # type: ignore[arg-type]
    assert (found.sign, found.look) == (sign, look)


def test_proofs_of_a_page_by_footnote_and_by_source(root: Path) -> None:
    sources_store.make_store(root)
    with Memex(root) as memex:
        found = proofs.load(memex, sources_store.RATES)
        assert {name: one.sign for name, one in found.items()} == {
            "s1": "E", "s2": "C", "s3": "✗", "s4": "✗", "s5": "C", "s6": "✗", "nowhere": "?",
            "memex-source:0": "E", "memex-source:1": "C", "memex-source:2": "✗", "memex-source:3": "✗",
            "memex-source:4": "C", "memex-source:5": "✗",
        }  # fmt: skip
        assert found["memex-source:2"].statement.id == "s3"
        assert proofs.load(memex, sources_store.PLAIN) == {}
        with pytest.raises(NotFound):
            proofs.load(memex, "gone.md")


def test_doubt_is_shown_before_evidence_and_evidence_before_context() -> None:
    known = {"a": proof("C", "context"), "b": proof("E", "evidence"), "c": proof("✗", "doubtful")}
    assert worst(known, ["a", "b", "c"]) == known["c"]
    assert worst(known, ["a", "b"]) == known["b"]
    assert worst(known, ["a", "unknown"]) == known["a"]
    assert worst(known, ["unknown"]) is None


def test_footnotes_are_marks_in_the_text_and_not_texts_or_code() -> None:
    assert footnotes("One.[^s1] Two.[^b-2]") == ["s1", "b-2"]
    assert footnotes("[^s1]: the text of it") == []
    assert footnotes("`[^s1]` is code, this is not.[^s2]") == ["s2"]
    assert footnotes("      - nested deep.[^s1]") == ["s1"]


def test_the_footnote_that_a_line_means() -> None:
    lines = ["a", "b[^s1]", "c", "d[^x][^s2]", "e"]
    known = {"s1": proof("E", "evidence"), "s2": proof("E", "evidence")}
    assert [nearest(lines, at, known) for at in range(5)] == [
        ("s1", 1), ("s1", 1), ("s2", 3), ("s2", 3), ("s2", 3),
    ]  # fmt: skip
    assert nearest(lines, 99, known) == ("s2", 3)
    assert nearest(lines, 0, {}) is None
    assert nearest([], 0, known) is None


def test_source_rows() -> None:
    sources = [
        {"id": "s1", "resource": "memex:limits#4", "quote": "use *ruff* [now]"},
        {"resource": "memex:limits", "title": "A [[talk]] | more"},
        {},
        "https://example.org",
    ]
    assert source_rows({"sources": sources}) == [  # type: ignore[dict-item]
        Property("sources", "[[memex-source:0|limits, turn 4]] “use \\*ruff\\* \\[now\\]”"),
        Property("", "[[memex-source:1|A  talk    more]]"),
        Property("", "[[memex-source:3|https://example.org]]"),
    ]
    assert source_rows({"sources": "memex:a#1"}) == [Property("sources", "[[memex-source:0|a, turn 1]]")]
    assert source_rows({}) == []


# -- citations --------------------------------------------------------------------------------------


def test_turns_to_cite_are_the_newest_or_those_that_say_it_or_the_one_that_is_named(root: Path) -> None:
    sources_store.make_store(root)
    with Memex(root) as memex:
        assert {row.key for row in citing.recent_turns(memex, "")} == {f"limits#{n}" for n in range(1, 6)}
        assert [row.key for row in citing.recent_turns(memex, "honour")] == ["limits#4"]
        (row,) = citing.recent_turns(memex, "limits#2")
        assert (row.key, row.role, row.date, row.title) == (
            "limits#2", "agent", "2026-11-21", "limits and retry",
        )  # fmt: skip
        assert citing.recent_turns(memex, "nowhere#2") == []
        assert citing.chosen(memex, row._replace(number=99)) is None


def test_a_citation_is_checked_and_named_apart(root: Path) -> None:
    sources_store.make_store(root)
    with Memex(root) as memex:

        def cite(number: int, quote: str, present: object = None, body: str = "") -> citing.Citation:
            row = citing.recent_turns(memex, f"limits#{number}")[0]
            found = citing.chosen(memex, row)
            assert found is not None
            return citing.cite(memex, "a.md", "limits", found.turn, quote, present, body)  # type: ignore[arg-type]

        made = cite(4, "raise the limit")
        assert (made.label, made.statement.lane) == ("s1", "evidence")
        assert cite(2, "it sleeps").statement.lane == "context"  # an agent proves nothing
        assert cite(4, "raise the limit", made.sources).label == "s1"
        assert cite(4, "raise the limit", made.sources).sources == made.sources
        assert cite(4, "", made.sources).label == "s2"
        assert cite(4, "", body="Old.[^s1]").label == "s2"
        with pytest.raises(Refused, match="does not say"):
            cite(4, "raise it to the sky")


def test_a_citation_in_a_text_with_line_ends_of_its_own() -> None:
    base = FileText(b"# A\r\n\r\nOne.\r\n")
    made = citing.Citation("s1", [{"id": "s1", "resource": "memex:a#1"}], SAID)
    data, line, column = citing.inserted(base, base.lines, (2, 4), made)
    lines = FileText(data).lines
    assert data.endswith(b"# A\r\n\r\nOne.[^s1]\r\n")
    assert (lines[line], column) == ("One.[^s1]", 9)
    again, at, _ = citing.inserted(FileText(data), lines, (line, 0), made)
    assert at == line
    assert FileText(again).lines[line] == "[^s1]One.[^s1]"
    assert again.count(b"memex:a#1") == 1
