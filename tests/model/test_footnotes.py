"""One statement, one source."""

from __future__ import annotations

import pytest

from memex_core.model.footnotes import defined, statements, without_marks


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("Use ruff.[^s1]", [("s1", "Use ruff.", 1)]),
        ("Use ruff[^s1].", [("s1", "Use ruff", 1)]),
        ("Old. Use ruff.[^s1] Never flake8.[^s2]", [("s1", "Use ruff.", 1), ("s2", "Never flake8.", 1)]),
        ("Use ruff.[^s1][^s2]", [("s1", "Use ruff.", 1), ("s2", "Use ruff.", 1)]),
        (
            "# Title[^t]\n\nText\nover two\nlines.[^s1]\n",
            [("t", "Title", 1), ("s1", "Text over two lines.", 5)],
        ),
        ("- one\n- two[^a]\n- [ ] three[^b]\n", [("a", "two", 2), ("b", "three", 3)]),
        ("| a | b[^x] |\n|---|---|\n| c | d[^y] |\n", [("x", "b", 1), ("y", "d", 3)]),
        ("`code[^no]` and\n```\n[^no]\n```\n<!-- [^no] -->", []),
        ("Said.[^s1]\n\n[^s1]: where it is from\n", [("s1", "Said.", 1)]),
        ("[^s1] alone", [("s1", "", 1)]),
        ("用 ruff。不用 flake8。[^s1]", [("s1", "不用 flake8。", 1)]),
        ("no footnote [^ s] [^]", []),
    ],
)
def test_the_statement_before_a_mark(body: str, found: list[tuple[str, str, int]]) -> None:
    assert [tuple(one) for one in statements(body)] == found


def test_lines_count_in_the_file() -> None:
    assert [one.line for one in statements("a[^1]\n\nb[^2]\n", 8)] == [8, 10]


def test_footnotes_with_a_text_of_their_own() -> None:
    assert defined("Said.[^a]\n\n[^a]: text\n  [^b]: more\nx [^c]: no\n`[^d]: no`\n") == {"a", "b"}


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("Use ruff.[^s1]", "Use ruff."),
        ("Use ruff [^s1].\n", "Use ruff.\n"),
        ("Use ruff [^s1]now", "Use ruff now"),
        ("Use[^s1] ruff.[^s2][^s1]", "Use ruff.[^s2]"),
        ("`[^s1]` and\n\n    [^s1]\n", "`[^s1]` and\n\n    [^s1]\n"),
        ("Own.[^s1]\n\n[^s1]: a text\n", "Own.[^s1]\n\n[^s1]: a text\n"),
        ("Use ruff.[^s10] \udcff[^s1]", "Use ruff.[^s10] \udcff"),
        ("no mark", "no mark"),
    ],
)
def test_marks_are_taken_out(body: str, left: str) -> None:
    assert without_marks(body, {"s1"}) == left
