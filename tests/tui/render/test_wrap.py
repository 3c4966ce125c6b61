from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_tui.render.text import printable, width
from memex_tui.render.wrap import wrap


def lines(text: str, cells: int, first: int | None = None) -> list[str]:
    return [text[a:b] for a, b in wrap(text, cells, first)]


def test_breaks_at_spaces() -> None:
    assert lines("one two three", 8) == ["one two", "three"]
    assert lines("one two three", 8, first=4) == ["one", "two", "three"]
    assert lines("one   two   three  ", 9) == ["one   two", "three"]
    assert lines("a\nb", 5) == ["a", "b"]
    assert lines("", 5) == [""]


def test_long_words_are_cut() -> None:
    assert lines("abcdefghij xy", 4) == ["abcd", "efgh", "ij", "xy"]
    assert lines("ééééééé x", 3) == ["ééé", "ééé", "é x"]


def test_cjk_breaks_anywhere_but_keeps_closing_marks() -> None:
    assert lines("日本語です。次", 10) == ["日本語で", "す。次"]
    assert lines("「日本」語", 4) == ["「日", "本」", "語"]
    assert lines("word日本", 6) == ["word日", "本"]


@pytest.mark.parametrize("cells", [1, 2, 3, 7, 20])
@given(text=st.text())
def test_ranges_fit_and_lose_nothing_but_spaces(cells: int, text: str) -> None:
    text = printable(text)
    ranges = wrap(text, cells)
    for start, end in ranges:
        widest = max((width(char) for char in text[start:end]), default=0)
        assert width(text[start:end]) <= max(cells, widest, 2)
    kept = "".join(text[a:b] for a, b in ranges)
    assert kept.replace(" ", "") == text.replace(" ", "")
    assert all(a[1] <= b[0] for a, b in pairwise(ranges))
