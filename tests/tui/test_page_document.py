"""The text under the editor: line ends, edits, and wrapping like Textual's."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from textual._wrap import compute_wrap_offsets
from textual.document._wrapped_document import WrappedDocument

from memex_tui.screens.page.document import PageDocument, PageWrap, plain_cuts


def test_lines_end_only_at_line_feeds() -> None:
    document = PageDocument(["a\x0bb", "c"])
    assert document.text == "a\x0bb\nc"
    result = document.replace_range((0, 0), (0, 0), "x\r\ny\rz\n")
    assert document.lines == ["x", "y", "z", "a\x0bb", "c"]
    assert result.end_location == (3, 0)


def test_pasted_control_characters_cannot_reach_the_terminal() -> None:
    document = PageDocument([""])
    document.replace_range((0, 0), (0, 0), "a\x1b[31mb\u2028c")
    assert len(document.lines) == 1
    assert "\x1b" not in document.text
    assert "\u2028" not in document.text


def test_a_range_gives_back_what_was_replaced() -> None:
    document = PageDocument(["one", "two", "three"])
    result = document.replace_range((0, 2), (2, 1), "X")
    assert result.replaced_text == "e\ntwo\nt"
    assert document.lines == ["onXhree"]
    document.replace_range((0, 2), result.end_location, result.replaced_text)
    assert document.lines == ["one", "two", "three"]


@given(st.text(alphabet="ab  cdé", max_size=90), st.integers(min_value=2, max_value=20))
def test_plain_lines_are_cut_as_textual_cuts_them(line: str, width: int) -> None:
    if line.isascii():
        assert plain_cuts(line, width) == compute_wrap_offsets(line, width, 4)


def test_wrapping_after_edits_is_what_wrapping_anew_gives() -> None:
    chance = random.Random(7)
    words = ["alpha", "日本語", "to", "x" * 30, "\tq", "", "  "]

    def some() -> str:
        return " ".join(chance.choice(words) for _ in range(chance.randrange(9)))

    document = PageDocument([some() for _ in range(30)])
    wrap = PageWrap(document, 17, 4)
    for _ in range(150):
        top = chance.randrange(document.line_count)
        bottom = min(top + chance.randrange(4), document.line_count - 1)
        start = (top, chance.randrange(len(document.lines[top]) + 1))
        end = (bottom, chance.randrange(len(document.lines[bottom]) + 1))
        start, end = sorted((start, end))
        text = "\n".join(some() for _ in range(chance.randrange(4)))
        result = document.replace_range(start, end, text)
        wrap.wrap_range(start, end, result.end_location)
        anew = WrappedDocument(PageDocument(document.lines), 17, 4)
        assert wrap._wrap_offsets == anew._wrap_offsets
        assert [*wrap._offset_to_line_info] == anew._offset_to_line_info
        assert [*wrap._line_index_to_offsets] == anew._line_index_to_offsets
        assert wrap.height == anew.height
