"""Snippets: the window shown, what is marked in it, and that nothing stored acts in it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.model.page import Heading
from memex_core.recall.query import parse
from memex_core.recall.snippet import columns, heading_path, snippet, visible

NOTE = (
    "# Bread\n\nSome intro words go here.\n\n"
    "The children went to the café; they don't like C++ or <b>bold</b> [x].\n"
    + "filler words follow " * 40
    + "\nThe dough rises overnight in a cold oven.\n"
)


def marked(text: str, query: str, **options: int) -> list[str]:
    return re.findall("<mark>(.*?)</mark>", snippet(text, parse(query).tokens, **options).text)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("child", ["children"]),
        ("going children", ["go", "children", "went"]),
        ("cafe", ["café"]),
        ("café", ["café"]),
        ("C++", ["C++"]),
        ("rise ovens", ["rises", "oven"]),
        ("bold", ["bold"]),
        ('"don\'t"', ["don't"]),
    ],
)
def test_matches_are_marked_as_they_stand_in_the_text(query, words):
    assert marked(NOTE, query) == words


@pytest.mark.parametrize(
    ("text", "query", "words"),
    [
        ("用户身份验证与数据库设计", "数据库", ["数据库"]),
        ("用户身份验证与数据库设计", "数", ["数"]),
        ("역사는 길다", "역사", ["역사"]),
        ("HttpClient and http_client.send()", "client", ["client"]),
        ("HttpClient only", "client", ["Client"]),
        ("call http_client.send() now", "http_client.send", ["http_client.send"]),
        ("C and C++ differ", "C++", ["C++"]),
        ("Ｆｕｌｌ width", "full", ["Ｆｕｌｌ"]),
        ("ﬁne print", "fine", ["ﬁne"]),
        ("👨‍👩‍👧 home 🇩🇪", "🇩🇪", ["🇩🇪"]),
        ("Hoping to see", "hope", ["Hoping"]),
        ("many parties", "party", ["parties"]),
    ],
)
def test_every_script_and_identifier(text, query, words):
    assert marked(text, query) == words


def test_the_window_with_most_of_the_rarer_words_is_chosen():
    found = snippet(NOTE, parse("intro dough oven").tokens)
    assert found.text.endswith("The <mark>dough</mark> rises overnight in a cold <mark>oven</mark>.")
    assert found.matched == {"dough", "oven"}
    assert NOTE.split("\n")[found.line].startswith("The dough")


def test_weights_decide_when_they_are_given():
    text = "alpha " + "x " * 300 + "beta"
    assert snippet(text, ["alpha", "beta"], weights={"alpha": 1, "beta": 5}).matched == {"beta"}
    assert snippet(text, ["alpha", "beta"], weights={"alpha": 5, "beta": 1}).matched == {"alpha"}


def test_a_beginning_of_a_token_marks_the_word():
    assert re.findall("<mark>(.*?)</mark>", snippet("The oven is hot", ["ov*"]).text) == ["oven"]


def test_without_a_match_the_text_begins():
    found = snippet(NOTE, ["zzz"], width=30)
    assert found == ("# Bread Some intro words go…", 0, frozenset())
    assert snippet("", ["x"]) == ("", 0, frozenset())


def test_a_word_inside_another_word_is_no_match():
    assert marked("scattered cats", "cat") == ["cats"]
    assert marked("scatter", "cat") == []


def test_stored_marks_controls_and_directions_do_nothing():
    text = "a\x1b[31mred\x07 \u202eevil \u200bneedle <mark>fake</mark> \x9b2J \ud800"
    shown = snippet(text, ["needl"]).text
    assert shown == "a␛[31mred␇ evil <mark>needle</mark> &lt;mark>fake&lt;/mark> 2J �"


def test_other_marks():
    assert snippet("a needle <mark>", ["needl"], mark=("[", "]")).text == "a [needle] <mark>"


@pytest.mark.parametrize("width", [20, 40, 80, 160])
@pytest.mark.parametrize(
    ("text", "query"),
    [
        (NOTE, "children"),
        (NOTE, "oven"),
        ("用户身份" * 50 + "特殊" + "验证" * 50, "特殊"),
        ("x" * 600 + " needle", "needle"),
    ],
)
def test_the_snippet_fits_and_holds_a_match(text, query, width):
    found = snippet(text, parse(query).tokens, width=width)
    plain = found.text.replace("<mark>", "").replace("</mark>", "")
    assert columns(plain) <= width
    assert found.text.count("<mark>") >= 1
    assert "\n" not in plain


def test_clusters_are_not_cut():
    for width in range(8, 20):
        shown = snippet("e\u0301" * 60 + "👨‍👩‍👧" * 10, [], width=width).text
        assert shown.rstrip("…")[-1] in "\u0301👧"


def test_huge_texts():
    lorem = "lorem ipsum dolor sit amet " * 40_000
    assert snippet(lorem + "needle end", ["needl"]).matched == {"needl"}
    assert snippet("a " * 400_000 + "needle", ["a", "needl"]).matched == {"needl"}
    assert snippet("数据" * 300_000 + "针", ["针*"]).matched == {"针*"}
    assert snippet("x" * 900_000, ["needl"]).text == "x" * 159 + "…"


@given(st.text(max_size=200), st.lists(st.sampled_from(["a", "数*", "c++", "run", "é", "🚀"]), max_size=4))
def test_any_text_gives_one_harmless_line(text, tokens):
    found = snippet(text, tokens, width=40)
    assert not set(found.text) & set("\x1b\x00\n\r\u202e\u2028")
    found.text.encode("utf-8")
    assert 0 <= found.line <= text.count("\n")


def test_visible_keeps_the_joiner_of_emoji():
    assert visible("👨‍👩‍👧\u200b\ufeff") == "👨‍👩‍👧"


def test_columns():
    assert [columns(text) for text in ("abc", "数据", "e\u0301", "🚀", "é")] == [3, 4, 1, 2, 1]


def test_heading_path():
    headings = [
        Heading(1, "Bread", 1),
        Heading(2, "Dough", 5),
        Heading(3, "Rest\x1b", 8),
        Heading(2, "Oven", 20),
    ]
    assert heading_path(headings, 9) == "Bread › Dough › Rest␛"
    assert heading_path(headings, 25) == "Bread › Oven"
    assert heading_path(headings, 0) == ""
