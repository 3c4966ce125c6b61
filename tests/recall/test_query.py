"""The query parser: every operator where it is well-formed, text everywhere else, and never an error."""

import re
import sqlite3
from datetime import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memex_core.index.analyse import TOKENIZE, fields
from memex_core.recall.query import Filter, Query, build_match, parse
from memex_core.recall.syntax import FILTERS

TODAY = datetime(2026, 11, 30, 12, 0)


def roles(text: str) -> dict[str, object]:
    """The parts of a parsed query that hold something, as plain texts."""
    query = parse(text, TODAY)
    found: dict[str, object] = {
        "terms": [term.text for term in query.terms],
        "phrases": [term.text for term in query.phrases],
        "wholes": [term.text for term in query.wholes],
        "excluded": [term.text for term in query.excluded],
        "groups": [[term.text for term in group] for group in query.groups],
        "filters": [f"{'-' * one.negated}{one.key}:{'|'.join(one.values)}" for one in query.filters],
        "stopped": [term.text for term in query.stopped],
    }
    return {key: value for key, value in found.items() if value}


CASES = [
    (
        'multi-agent AND "exact phrase" NOT draft',
        {"terms": ["multi-agent"], "phrases": ["exact phrase"], "excluded": ["draft"]},
    ),
    ('foo -bar -"x y"', {"terms": ["foo"], "excluded": ["bar", "x y"]}),
    ("foo -tag:z", {"terms": ["foo"], "filters": ["-tag:z"]}),
    ("foo NOT type:note", {"terms": ["foo"], "filters": ["-type:note"]}),
    ("tea AND NOT milk", {"terms": ["tea"], "excluded": ["milk"]}),
    ('tea OR "black coffee" OR cocoa hot', {"terms": ["hot"], "groups": [["tea", "black coffee", "cocoa"]]}),
    ("x OR y z OR w", {"groups": [["x", "y"], ["z", "w"]]}),
    ("tag:x OR tag:y rust", {"terms": ["rust"], "filters": ["tag:x|y"]}),
    ("std::map OR C++", {"groups": [["std::map", "C++"]]}),
    # operators that join nothing are words, and such words only tell how is being asked
    ("NOT", {"terms": ["NOT"]}),
    ("AND", {"terms": ["AND"]}),
    ("rust OR", {"terms": ["rust"], "stopped": ["OR"]}),
    ("OR rust", {"terms": ["rust"], "stopped": ["OR"]}),
    ("rust NOT", {"terms": ["rust"], "stopped": ["NOT"]}),
    ("rust OR -go", {"terms": ["rust"], "excluded": ["go"], "stopped": ["OR"]}),
    ("tag:a OR rust", {"terms": ["rust"], "filters": ["tag:a"], "stopped": ["OR"]}),
    ("fish or chips and peas not", {"terms": ["fish", "chips", "peas"], "stopped": ["or", "and", "not"]}),
    # exclusions need something to exclude from
    ("-foo", {"terms": ["foo"]}),
    ("-foo -bar", {"terms": ["foo", "bar"]}),
    ("tag:x -foo", {"excluded": ["foo"], "filters": ["tag:x"]}),
    ("-tag:x", {"filters": ["-tag:x"]}),
    ("word -", {"terms": ["word"]}),
    ("word --flag -> x", {"terms": ["word", "x"], "wholes": ["--flag"], "stopped": ["->"]}),
    # quotes
    ('"open', {"terms": ['"open']}),
    ('a"b', {"terms": ['a"b']}),
    ('""', {}),
    ('"" rust', {"terms": ["rust"]}),
    ("“smart quotes” here's", {"phrases": ["smart quotes"], "stopped": ["here's"]}),
    ('5" screen 3" pipe', {"terms": ['5"', "screen", '3"', "pipe"]}),
    ('"one""two"three', {"terms": ["three"], "phrases": ["one", "two"]}),
    # prefixes that are not ours are text
    ("foo:bar", {"wholes": ["foo:bar"]}),
    ("title:x", {"wholes": ["title:x"]}),
    ("std::map", {"wholes": ["std::map"]}),
    ("http://x", {"wholes": ["http://x"]}),
    ("10:30", {"wholes": ["10:30"]}),
    ("tag:", {"terms": ["tag:"]}),
    ('tag:""', {"terms": ['tag:""']}),
    # stop words go only if something remains
    ("what is the plan", {"terms": ["plan"], "stopped": ["what", "is", "the"]}),
    ("what is the", {"terms": ["what", "is", "the"]}),
    ("don't panic", {"terms": ["panic"], "stopped": ["don't"]}),
    ("the C++", {"wholes": ["C++"], "stopped": ["the"]}),
    ("50 % of", {"terms": ["50"], "stopped": ["%", "of"]}),
    ("%", {"terms": ["%"]}),
    # in a sentence these are spelling, alone they are names
    ("src/app", {"wholes": ["src/app"]}),
    ("LGBTQ+", {"wholes": ["LGBTQ+"]}),
    ("which bands/artists played", {"terms": ["bands", "artists", "played"], "stopped": ["which"]}),
    ("laws of the U.S. about water", {"terms": ["laws", "U.S.", "water"], "stopped": ["of", "the", "about"]}),
    ("repeat repeat Repeated", {"terms": ["repeat"]}),
    ("数 数据 用户身份验证", {"terms": ["数", "数据", "用户", "户身", "身份", "份验", "验证"]}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parts"), CASES)
def test_roles(text, parts):
    assert roles(text) == parts


FILTER_CASES = [
    ("tag:#Work", "tag", ("work",)),
    ("tag:a,b|c", "tag", ("a", "b", "c")),
    ('type:"Big Thing"', "type", ("big thing",)),
    ("Type:Person", "type", ("person",)),
    ("status:DRAFT", "status", ("draft",)),
    ("scope:project", "scope", ("project",)),
    ("project:Memex", "project", ("Memex",)),
    ("in:diary,Pages", "in", ("diary", "pages")),
    ("path:recipes/**/*.md", "path", ("recipes/**/*.md",)),
    ('path:"My Notes/*"', "path", ("My Notes/*",)),
    ("after:2024-05", "after", ("2024-05-01",)),
    ("since:7d", "after", ("2026-11-23",)),
    ('before:"last week"', "before", ("2026-11-23",)),
    ("before:2024", "before", ("2024-01-01",)),
    ("links-to:rye-loaf", "links-to", ("rye-loaf",)),
    ("linked-from:index", "linked-from", ("index",)),
    ("mentions:Ana", "mentions", ("Ana",)),
    ("session:sess-1", "session", ("sess-1",)),
    ("prop:servings=4", "prop", ("servings=4",)),
    ('prop:"due date=2024 05"', "prop", ("due date=2024 05",)),
    ("is:orphan", "is", ("orphan",)),
]


@pytest.mark.parametrize(("text", "key", "values"), FILTER_CASES)
def test_filters(text, key, values):
    query = parse(f"needle {text}", TODAY)
    assert query.filters == (Filter(key, values, False, 7, 7 + len(text)),)
    assert [term.text for term in query.terms] == ["needle"]
    assert query.notes == ()


def test_every_prefix_has_a_case():
    assert {key for _, key, _ in FILTER_CASES} == set(FILTERS)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("after:banana", "after:banana is no date, so it was searched as text"),
        ("in:space", "in: takes pages, diary, transcripts; in:space was searched as text"),
        ("is:green", "is: takes orphan, draft, stale, broken; is:green was searched as text"),
        ("prop:colour", "prop: takes key=value; prop:colour was searched as text"),
        ("tag:#", "tag: has no value, so it was searched as text"),
    ],
)
def test_what_looks_like_a_filter_and_is_none_is_text_and_said_to_be(text, note):
    query = parse(text, TODAY)
    assert query.notes == (note,)
    assert query.filters == ()
    assert [item.text for item in query.items] == [text]


def test_blank_hopeless_and_positive():
    assert parse(" \n").blank
    assert parse("***").hopeless
    assert parse("{").hopeless
    assert not parse("tag:x").hopeless
    assert not parse("tag:x").positive
    assert parse("x").positive


def test_items_name_the_places_of_everything_typed():
    text = 'foo  -tag:"a b" AND "x y" NOT bar'
    items = parse(text).items
    assert [(item.kind, text[item.start : item.end], item.negated, item.key) for item in items] == [
        ("word", "foo", False, ""),
        ("filter", '-tag:"a b"', True, "tag"),
        ("operator", "AND", False, ""),
        ("phrase", '"x y"', False, ""),
        ("operator", "NOT", False, ""),
        ("word", "bar", True, ""),
    ]


def test_exact_forms_are_preferred_and_in_quotes_required():
    query = parse('résumé multi-agent "naïve"')
    assert query.exacts == ("résumé", "multi-agent")
    assert [term.lookups for term in query.phrases] == [(("whole", ("naïve",)),)]


def test_tokens_to_mark():
    assert parse('running "state of the art" C++ 数 -gone').tokens == ("run", "数*", "state", "art", "c++")


def test_a_huge_input_is_read():
    assert len(parse("x" * 5000).terms) == 1
    many = " ".join(f"w{i}" for i in range(15_000))
    assert len(parse(many).terms) == 15_000
    for hostile in ('"a ' * 30_000, "“x " * 30_000, "a OR " * 20_000, 'tag:"x ' * 15_000, "(" * 100_000):
        assert isinstance(parse(hostile), Query)


@pytest.fixture(scope="module")
def library():
    """An index over a few texts, and a way to ask it."""
    db = sqlite3.connect(":memory:")
    db.execute(f'CREATE VIRTUAL TABLE t USING fts5(body, whole, tokenize="{TOKENIZE}")')

    def ask(query: str) -> list[str]:
        match = build_match(parse(query, TODAY), columns="{body}")
        rows = db.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid", (match,)) if match else []
        return [TEXTS[rowid] for (rowid,) in rows]

    for number, text in enumerate(TEXTS):
        db.execute("INSERT INTO t(rowid, body, whole) VALUES (?, ?, ?)", (number, *fields(text)))
    return ask


EXACT = {
    "multi-agent": "a multi-agent system", "POL-358": "see POL-358.", "node.js": "runs node.js,",
    "v1.2.3": "since v1.2.3", "C++": "in C++ today", "C#": "in C# today", ".NET": "on .NET today",
    "a@b.c": "mail <a@b.c>", "src/app": "under src/app/main.py", "#tag": "has #tag here", "100%": "all 100%",
    "x=1": "set (x=1)", "std::map": "a std::map<int>", "http://x": "at http://x.", "10:30": "at 10:30 sharp",
    "http_client.send": "calls http_client.send()", "ERR_MODULE_NOT_FOUND": "ERR_MODULE_NOT_FOUND: no",
    "a_b": "the a_b field", "don't": "we don't", "🚀": "launch 🚀", "→": "left → right", "∀": "∀ all",
    "数据": "用户身份验证与数据库设计", "역사": "역사는 길다", "ไทย": "ภาษาไทยง่าย",
    "itgc": "重跑gen-itgc后50条",
    "[[Link]]": "goes [[Link]]", "%": "some % sign", "needle": "before\0after needle",
}  # fmt: skip
DECOYS = [
    "agent multi", "POL 358", "js node", "v 1 2 3", "C", "net", "a b c", "app src", "100", "x 1", "map std",
    "http x", "10 30", "http client send", "err module not found", "a b", "Don is", "rocket", "數", "100,5",
]  # fmt: skip
TEXTS = [*EXACT.values(), *DECOYS]


@pytest.mark.parametrize("query", EXACT)
def test_punctuation_and_scripts_find_exactly_the_text_that_holds_them(library, query):
    assert library(query) == [EXACT[query]]


@pytest.mark.parametrize(
    "query", ["a\u00a0b", "用户", "身份", "数据库", "gen", "map", "why?", "'", "NEAR(a b)", "^a"]
)
def test_other_queries_are_answered_without_an_error(library, query):
    assert isinstance(library(query), list)


def test_operators_reach_the_engine(library):
    assert library("today NOT C++") == ["in C# today", "on .NET today"]
    assert library("C++ OR C#") == ["in C++ today", "in C# today"]
    assert library('"all 100"') == ["all 100%"]
    assert library('"b a"') == []
    assert library("数") == ["用户身份验证与数据库设计"]


def test_any_of_the_terms(library):
    query = parse("launch sharp -rocket")
    assert build_match(query, any_term=True) == '(("launch" OR "sharp")) NOT "rocket"'
    assert build_match(query, query.terms[:1]) == '("launch") NOT "rocket"'
    assert build_match(parse("-x")) == '"x"'
    assert build_match(parse("tag:x")) == ""


def test_columns_are_ours_and_tokens_are_quoted():
    match = build_match(
        parse('title:x OR body* NEAR "a"" b" ^c'), columns="{title body}", whole_column="exact"
    )
    outside = "".join(match.split('"')[::2])
    assert set(re.findall(r"\w+", outside)) == {"exact", "title", "body", "AND", "OR"}
    assert set(re.sub(r"[\w\s]", "", outside)) <= set(":{}()")


PIECES = """
    " “ ” - OR AND NOT tag: in: after: prop: a b_c 数 🚀 % ( ) * ^ : NEAR( ' is:draft \\ { + 2024 é = -tag:a
"""
QUERY_PIECES = st.sampled_from([*PIECES.split(), " ", "\0", "\ud800", "\u2028", "x y"])


@given(st.lists(QUERY_PIECES, max_size=25).map("".join) | st.text(max_size=60))
@example('"')
@example("NOT NOT NOT")
@example("a OR OR b AND")
@example("-" * 50)
def test_nothing_typed_raises_here_or_in_the_engine(text):
    query = parse(text, TODAY)
    for item in query.items:
        assert 0 <= item.start < item.end <= len(text)
    db = sqlite3.connect(":memory:")
    db.execute(f'CREATE VIRTUAL TABLE t USING fts5(body, whole, tokenize="{TOKENIZE}")')
    for any_term in (False, True):
        match = build_match(query, any_term=any_term)
        assert bool(match) == query.positive
        if match:
            db.execute("SELECT rowid FROM t WHERE t MATCH ?", (match,)).fetchall()
    assert query.blank == (not text.strip())
