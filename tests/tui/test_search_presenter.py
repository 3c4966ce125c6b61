"""Search as data: rows, status, chips, completions, why, marks."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.memex import Memex
from memex_core.model.results import Hit
from memex_core.recall.rank import Weights
from memex_tui.screens.search import presenter
from memex_tui.screens.search.asking import find
from memex_tui.screens.search.marking import pattern
from memex_tui.screens.search.presenter import Chip, Offer, chips, offer, parts_of, plain_snippet, rows_of

FULL = Weights()


def hit(**changed: Any) -> Hit:
    made: dict[str, Any] = {
        "rank": 1,
        "kind": "page",
        "slug": "rate-limits",
        "file_path": "/m/docs/entities/Rate limits.md",
        "title": "Rate limits",
        "node_type": "entity",
        "status": "stable",
        "scope": "global",
        "importance": 0.5,
        "score": 0.92,
        "bm25": 3.0,
        "snippet": "per-key <mark>bucket</mark>",
        "snippet_source": "body",
        "tags": ["api", "limits"],
        "created": "2026-11-01",
        "updated": "2026-11-27T10:00:00Z",
        "last_access": None,
        "transcript_ref": None,
        "links": [],
        "matched": ["bucket"],
        "why": {
            "parts": {"cover": FULL.cover, "words": FULL.words / 2, "proximity": 0.01},
            "pages": {"bucket": 3},
            "dropped": ["x"],
        },
        "date": "2026-11-27",
        "heading": "Why",
        "line": 12,
        "trust": "human",
        "tokens": 9,
    }
    made.update(changed)
    return made  # type: ignore[return-value]


def test_a_page_is_a_row_with_its_place() -> None:
    (row,) = rows_of([hit()], "/m/docs")
    assert (row.title, row.kind, row.sign) == ("Rate limits", "entity", "●")
    assert row.where == "entities/Rate limits.md › Why"
    assert (row.score, row.sparks) == (".92", "▅▁▁")
    assert not row.draft


def test_turns_and_days_are_told_from_pages() -> None:
    turn = hit(kind="turn", slug="s#4", session_id="sess-1", turn=4, role="user", heading="")
    day = hit(
        kind="diary", slug="2026-11-27#1", file_path="/m/diary/2026-11-27.md", heading="09:20", score=0.0
    )
    first, second = rows_of([turn, day], "/m/docs")
    assert (first.sign, first.kind, first.where) == ("❝", "turn", "sess-1 · turn 4 · user")
    assert (second.sign, second.where, second.score) == ("▦", "Friday · 09:20", "")
    assert first.key != second.key


def test_rows_of_one_page_have_keys_of_their_own() -> None:
    rows = rows_of(
        [hit(kind="turn", slug=f"s#{n}", session_id="s", turn=n, role="user") for n in range(5)], "/m"
    )
    assert len({row.key for row in rows}) == 5


def test_a_page_without_a_title_or_type_still_has_a_row() -> None:
    (row,) = rows_of([hit(title="", node_type="", why={}, matched=[])], "/m/docs")
    assert (row.title, row.kind, row.sparks) == ("rate-limits", "page", "")


@pytest.mark.parametrize(
    ("snippet", "plain"),
    [
        ("We use **<mark>ruff</mark>** here", "We use <mark>ruff</mark> here"),
        ("see [[HTTP client]] and [[x|the <mark>y</mark>]]", "see HTTP client and the <mark>y</mark>"),
        ("__init__ ran", "init ran"),
        ("2 ** 3 and * item", "2 ** 3 and * item"),
        ("[/red] [[unclosed", "[/red] [[unclosed"),
    ],
)
def test_snippets_lose_the_signs_round_words(snippet: str, plain: str) -> None:
    assert plain_snippet(snippet) == plain


@pytest.mark.parametrize(
    ("snippet", "plain"),
    [
        ("# Fog all morning weather:: fog", "weather:: fog"),
        ("## Another heading and text", "Another heading and text"),
        ("# Fog all morning", "Fog all morning"),
        ("Rye loaf ======== ## Baking", "Rye loaf ## Baking"),
        ("| what | where | |------|:-----:| | port | 300 |", "| what | where | | port | 300 |"),
        ("--- Just a line --- still", "Just a line still"),
        ("a-b --- c | d", "a-b c | d"),
        ("x---y a == b #tag", "x---y a == b #tag"),
    ],
)
def test_snippets_lose_rules_and_their_own_title(snippet: str, plain: str) -> None:
    assert plain_snippet(snippet, "Fog all morning") == plain


def result(**changed: Any) -> Any:
    return {
        "query": "a",
        "total_indexed": 2481,
        "search_time_ms": 11.2,
        "corrected": {},
        "relaxed": False,
        **changed,
    }


def test_the_status_says_how_much_and_how_fast() -> None:
    assert presenter.status(result(), 18, pages=2481) == "18 found · 2,481 pages · 11 ms"
    many = presenter.status(result(), presenter.FIRST, pages=2481)
    assert many == f"{presenter.FIRST}+ found · 2,481 pages · 11 ms"
    assert presenter.status(result(search_time_ms=0.3), 1, short=True) == "1 found · <1 ms"
    assert presenter.status(result(query=" ", total_indexed=1), 1, pages=1) == "1 page · 11 ms"


def test_the_status_tells_pages_from_turns_and_days() -> None:
    assert presenter.status(result(), 18, pages=2400) == "18 found · 2,400 pages, 81 turns and days · 11 ms"
    assert presenter.status(result(), 18) == "18 found · 2,481 entries · 11 ms"
    assert presenter.status(result(query="", total_indexed=1), 1) == "1 entry · 11 ms"


def test_the_order_says_what_was_changed_to_find_something() -> None:
    assert presenter.order(result(query="")) == "newest first"
    assert presenter.order(result()) == "best first"
    assert presenter.order(result(corrected={"ruf": "ruff"}, relaxed=True)) == "ruf → ruff · not all words"
    day = {"start": "2026-11-24", "end": "2026-11-25", "widened": False}
    assert presenter.order(result(time_range=day)) == "2026-11-24"
    wider = {**day, "end": "2026-11-27", "widened": True}
    assert presenter.order(result(time_range=wider)) == "2026-11-24 to 2026-11-26, widened"


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("rate limits", "rate limits"),
        ("tag:api  rate   limits -old", "rate limits"),
        ('"exact words" type:entity', "exact words"),
        ("tag:api", ""),
        ("[[odd]] names", "[[odd]] names"),
        ("a OR b", "a b"),
    ],
)
def test_a_page_is_called_like_the_query_without_operators(query: str, title: str) -> None:
    assert presenter.title_from(query) == title


def test_similar_pages_are_found_by_title_and_tag() -> None:
    (row,) = rows_of([hit(title="The rate limits of api keys")], "/m")
    assert presenter.similar_query(row) == "The OR rate OR limits OR api OR keys"
    (row,) = rows_of([hit(title="A b", tags=["api"])], "/m")
    assert presenter.similar_query(row) == "tag:api"


def test_operators_phrases_and_exclusions_are_chips() -> None:
    query = 'rate tag:api -old "two words" -tag:x a OR b'
    found = chips(query)
    assert [(query[chip.start : chip.end], chip.role) for chip in found] == [
        ("tag:", "operator"),
        ("api", "value"),
        ("-old", "excluded"),
        ('"two words"', "phrase"),
        ("-tag:", "excluded"),
        ("x", "value"),
        ("OR", "operator"),
    ]
    assert chips("plain words: here") == []
    assert chips("in:nowhere") == []
    assert Chip(0, 5, "operator") in chips("type:entity")


KNOWN = {"tag": ["api", "python", "two words", "apiary"], "type": ["entity", "episode"]}


def test_values_are_offered_while_typing_them() -> None:
    assert offer("tag:", 4, KNOWN).choices == ("api", "python", '"two words"', "apiary")
    assert offer("x tag:ap", 8, KNOWN) == Offer(6, 8, ("api", "apiary"), "i", True)
    assert offer("type:epi", 8, KNOWN).ghost == "sode"
    assert offer("status:", 7, KNOWN).choices == ("stable", "draft", "deprecated")
    assert offer("tag:words", 9, KNOWN) == Offer(4, 9, ('"two words"',), "", True)


def test_nothing_is_offered_where_nothing_fits() -> None:
    for query, caret in (("", 0), ("tag:zzz", 7), ("ta", 2), ("plain", 5), ("tag:api", 2), ("in:diary", 8)):
        assert offer(query, caret, KNOWN).choices == (), query


def test_operator_names_are_completed_from_the_third_letter() -> None:
    assert offer("pro", 3, KNOWN) == Offer(0, 3, ("project:", "prop:"), "ject:", False)
    assert offer("rate sta", 8, KNOWN).ghost == "tus:"


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("tag:", ""),
        ("rate tag:ap", "rate"),
        ("rate -tag:ap", "rate"),
        ("tag:python", "tag:python"),
        ("type:entity rate", "type:entity rate"),
        ("tag:nowhere", "tag:nowhere"),
        ('x "two', 'x "two'),
    ],
)
def test_a_value_that_is_being_chosen_is_not_asked_for(query: str, asked: str) -> None:
    assert presenter.settled(query, len(query), KNOWN) == asked


def test_parts_of_a_score_come_largest_first() -> None:
    parts = {part.name: part for part in parts_of(hit()["why"])}
    assert (parts["covered"].share, parts["words"].share) == (1.0, 0.5)
    assert [float(part.value) for part in parts.values()] == sorted(
        (float(part.value) for part in parts.values()), reverse=True
    )
    assert parts_of({"parts": {"words": 5.0, "around": 0.6}})[1].share == 0.5
    assert parts_of({}) == []
    assert parts_of({"parts": {"odd_new": 3.0, "flag": True, "text": "x", "zero": 0}})[0].name == "odd new"


def test_words_of_a_hit_say_how_common_they_are() -> None:
    assert presenter.words_of(hit()) == [("bucket", "3 pages")]
    assert presenter.words_of(hit(matched=["a", "b"], why={"pages": {"a": 1}})) == [
        ("a", "1 page"),
        ("b", ""),
    ]
    assert presenter.dropped_of(hit()) == ["x"]
    assert presenter.dropped_of(hit(why={})) == []
    assert presenter.route_of(hit(why={"route": ["a", "b"]})) == "a → b"


@pytest.mark.parametrize(
    ("stamp", "said"),
    [
        ("2026-11-30T08:00:00Z", "today"),
        ("2026-11-29", "yesterday"),
        ("2026-11-20", "10 d ago"),
        ("2026-03-01", "9 mo ago"),
        ("2020-01-01", "6 y ago"),
        ("2027-01-01", "2027-01-01"),
        ("odd", "odd"),
        ("", ""),
    ],
)
def test_ages_are_short(stamp: str, said: str) -> None:
    assert presenter.age(stamp, "2026-11-30") == said


def test_bars_are_as_long_as_asked() -> None:
    for share in (0.0, 0.33, 1.0):
        assert sum(len(text) for text, _ in presenter.bar(share, 14)) == 14


def test_what_an_empty_list_says_depends_on_why() -> None:
    assert "no memory" in presenter.nothing("", missing=True, pages=None)
    assert presenter.nothing("rye loaf tag:x", missing=False, pages=3).endswith("new page “rye loaf”")
    assert presenter.nothing("tag:x", missing=False, pages=3) == "Nothing fits these operators"
    assert presenter.nothing("", missing=False, pages=None) == "The pages are being read …"
    assert presenter.nothing("", missing=False, pages=0) == "No page yet"


# -- marks ------------------------------------------------------------------------------------------


def marked(query: str, text: str, *matched: str) -> list[str]:
    found = pattern(query, text, matched)
    return found.findall(text) if found else []


def test_words_are_marked_in_every_form_that_was_found() -> None:
    assert marked("running", "He ran. Runs, runner, RUN! rung") == ["ran", "Runs", "RUN"]
    assert marked("café", "Cafe café CAFÉS") == ["Cafe", "café", "CAFÉS"]
    assert marked("limit", "limits limited Limit unlimited") == ["limits", "limited", "Limit"]


def test_only_words_are_marked_not_parts() -> None:
    assert marked("cat", "cat catalogue concat") == ["cat"]
    assert marked("sour", "sourdough", "sourdough") == ["sourdough"]


def test_identifiers_and_other_scripts_are_marked_as_they_stand() -> None:
    assert "http_client.send" in marked("http_client.send", "in http_client.send here")
    assert marked("数据", "这是数据模型") == ["数据"]
    assert marked("", "text") == []
    assert marked("tag:x", "text x") == []
    assert marked("[/red]", "a [/red] b") == ["red"]


# -- asking ------------------------------------------------------------------------------------------


@pytest.fixture
def memex(root: Any) -> Any:
    with Memex(root, create=True) as opened:
        opened.write("entity", "Sourdough", "Bread made with a sourdough starter.")
        opened.write("entity", "Rye", "Rye bread; also sour cream. Sourdough too.")
        opened.write("entity", "Cat", "The cat sat.")
        opened.write("entity", "Categories", "Every category and its catalogue.")
        yield opened


def titles(found: Any) -> list[str]:
    return [one["title"] for one in found["hits"]]


def test_only_what_is_typed_may_go_on(memex: Memex) -> None:
    assert titles(find(memex, "catalo", 10)) == ["Categories"]
    assert titles(find(memex, "catego", 10, typing=False)) == []
    assert find(memex, "", 10)["query"] == ""
    assert len(titles(find(memex, "", 10))) == 4


def test_looking_is_not_using(memex: Memex) -> None:
    find(memex, "cat", 10)
    assert memex.show("cat")["access_count"] == 0
