"""The one reader of what models answer: cut at every byte, in prose and fences, with wrong types."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.learn.answer import read
from tests.learn.conftest import note, said

NOTES = [note(title=f"Note {number}", body=f"It says `a, ]` and {{number {number}}}.") for number in range(5)]
WHOLE = json.dumps(NOTES, ensure_ascii=False)


def titles(text: str) -> list[str]:
    return [one.title for one in read(text).notes]


ALL = [f"Note {number}" for number in range(5)]


@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "```json\n{}\n```",
        "Here you are:\n```\n{}\n```\nDo you want more?",
        '{{"pages": {}}}',
        '<think>[{{"title": "no"}}]</think>{}',
    ],
)
def test_whole_answers_in_any_wrapping(form: str) -> None:
    answer = read(form.format(WHOLE))
    assert [one.title for one in answer.notes] == ALL
    assert (answer.bad, answer.readable, answer.cut) == ([], True, False)


@pytest.mark.parametrize("form", ["{}", '{{"nodes": {}}}', "Sure:\n```json\n{}\n```\n"])
def test_cut_at_every_byte_the_whole_notes_are_kept(form: str) -> None:
    """No exception anywhere, what is kept only grows, and a cut list is never an empty one."""
    text = form.format(WHOLE)
    data = text.encode()
    before = 0
    for at in range(len(data)):
        answer = read(data[:at].decode("utf-8", "replace"))
        kept = [one.title for one in answer.notes]
        assert kept == ALL[: len(kept)] and len(kept) >= before, at
        assert answer.bad == [], at
        assert answer.readable is bool(kept), at
        before = len(kept)
    assert titles(text) == ALL


def test_commas_quotes_and_fences_inside_texts_stay() -> None:
    body = "Use:\n```sh\nruff check ., fix: [all],\n```\nnot “flake8”."
    text = "```json\n" + said(note(body=body)).replace("]}]", "],}],") + "\n```"
    (found,) = read(text).notes
    assert found.body == body


def test_the_last_list_of_notes_counts() -> None:
    text = f'[{{"title": "Draft", "body": "x", "type": "entity"}}]\nBetter:\n{said(note())}'
    assert titles(text) == ["Ruff for linting"]
    assert titles(said(note()) + "\n[1, 2]") == ["Ruff for linting"]


def test_one_note_without_a_list_is_one_note() -> None:
    assert titles(json.dumps(note())) == ["Ruff for linting"]


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "```json\n[]\n```",
        '{"pages": []}',
        "Nothing to keep: []",
        "[]\n\nNothing lasts.",
        "The answer is `[]`.",
        "<think>[1] or x[]?</think>\n[ ]",
    ],
)
def test_an_empty_list_is_an_answer(text: str) -> None:
    answer = read(text)
    assert (answer.notes, answer.bad, answer.readable, answer.cut) == ([], [], True, False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "[",
        "{",
        "[see above]",
        '{"a": 1}',
        "[1, 2]",
        '{"error": "x"}',
        "null",
        '{"error": "overloaded", "details": []}',
        '{"error": "overloaded", "notes": []}',
        "The code says x[] is an array. I cannot help with that.",
        "<html><body>502 []</body></html>",
        "<think>an answer would be []",
    ],
)
def test_what_holds_no_list_is_not_readable(text: str) -> None:
    assert not read(text).readable


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"title": 7}, "its title is no text"),
        ({"title": " "}, "it has no title"),
        ({"type": "banana"}, "its type is none of entity, preference, procedure, summary"),
        ({"type": ["entity"]}, "its type is none of entity, preference, procedure, summary"),
        ({"body": 3.5}, "its body is no text"),
        ({"body": ""}, "its body is empty"),
        ({"body": "x" * 20_001}, "its body is too long"),
        ({"quotes": ["words"]}, "its quotes are no list of turns and words"),
        ({"quotes": [{"turn": "one", "quote": "words"}]}, "its quotes are no list of turns and words"),
        ({"verdict": "perhaps"}, "its verdict is none of independent, duplicate, evolution, contradiction"),
    ],
)
def test_a_bad_note_is_told_and_the_others_stay(values: dict[str, Any], reason: str) -> None:
    answer = read(said(note(**values), note(title="Good")))
    assert [one.title for one in answer.notes] == ["Good"]
    assert [why for _, why in answer.bad] == [reason]


def test_a_model_that_has_lost_its_way_is_cut_short() -> None:
    answer = read(said(*(note(title=f"Note {number}") for number in range(42))))
    assert len(answer.notes) == 40
    assert answer.bad == [(f"Note {n}", "it is one too many: 40 are taken of one answer") for n in (40, 41)]


def test_what_can_be_understood_is() -> None:
    loose = {
        "kind": "Fact",
        "name": "  A\nname ",
        "content": " text ",
        "tags": "a, b",
        "importance": "0.7",
        "links": [{"target": "x"}, "y", 3],
        "evidence": {"turn": "#3", "quote": " said so "},
        "durable": "true",
        "slug": "[[linter]]",
        "verdict": "Duplicate",
    }
    (found,) = read(json.dumps([loose])).notes
    assert (found.type, found.title, found.body, found.tags) == ("entity", "A name", "text", ["a", "b"])
    assert (found.importance, found.links, found.quotes) == (0.7, ["x", "y"], [(3, "said so")])
    assert (found.durable, found.page, found.verdict, found.grounding) == (True, "linter", "duplicate", "")


@pytest.mark.parametrize("value", [None, "high", 7, -1, float("nan"), []])
def test_an_importance_that_is_none_is_left_open(value: Any) -> None:
    (found,) = read(json.dumps([note(importance=value)])).notes
    assert found.importance is None


def test_a_note_that_does_not_say_that_it_is_durable_is_not() -> None:
    unsaid = note()
    del unsaid["durable"]
    assert [one.durable for one in read(said(unsaid)).notes] == [False]


def test_nothing_else_reads_what_models_say() -> None:
    """JSON is parsed by one reader: what the modules that ask models parse themselves is no model's text."""
    import memex_core.learn as learn

    found = {}
    for path in Path(learn.__path__[0]).glob("*.py"):
        if re.search(r"\bjson\.loads\(", path.read_text(encoding="utf-8")):
            found[path.name] = True
    assert set(found) == {"agent_cli.py", "job_state.py"}  # an agent's envelope, and a file of our own


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*note(), "page", "content", "x"]), inner, max_size=6)
    ),
    max_leaves=20,
)


@given(JSON, st.text(max_size=40), st.integers(min_value=0, max_value=400))
def test_whatever_comes_is_read_without_an_exception(value: Any, prose: str, cut: int) -> None:
    text = prose + json.dumps(value)
    for one in (text, text[:cut], text[cut:]):
        answer = read(one)
        assert answer.readable or not answer.notes
        assert all(found.title and (found.body or found.verdict == "duplicate") for found in answer.notes)


@pytest.mark.parametrize("number", ["1" + "0" * 400, "9" * 5000, "Infinity", "NaN"])
def test_numbers_beyond_all_reason_are_none(number: str) -> None:
    (found,) = read(said(note(importance=0.8)).replace("0.8", number)).notes
    assert found.importance is None


@pytest.mark.parametrize("turn", ["²", "9" * 5000, "1.5", "-1", ""])
def test_a_turn_that_is_no_number_spoils_the_note_and_nothing_else(turn: str) -> None:
    answer = read(said(note(quotes=[{"turn": turn, "quote": "some words"}]), note()))
    assert [one.title for one in answer.notes] == ["Ruff for linting"]
    assert [why for _, why in answer.bad] == ["its quotes are no list of turns and words"]


@pytest.mark.parametrize("turn", [3, 3.0, "3", "#3", "turn 3", "Turn #3"])
def test_a_turn_may_be_written_in_several_ways(turn: Any) -> None:
    (found,) = read(said(note(quotes=[{"turn": turn, "quote": "some words"}]))).notes
    assert found.quotes == [(3, "some words")]


def test_tags_and_links_without_end_are_cut() -> None:
    tags = ["x" * 101, *(f"tag-{number}" for number in range(3000))]
    (found,) = read(said(note(tags=tags, links=tags))).notes
    assert found.tags == found.links == [f"tag-{number}" for number in range(24)]


def test_a_title_is_one_line_that_reads_in_one_direction() -> None:
    (found,) = read(said(note(title="a\x00b\u202ec\n---\nstatus: \ud800stable\u200b"))).notes
    assert found.title == "abc --- status: stable"


def test_ten_thousand_notes_are_forty_and_the_rest_is_told() -> None:
    answer = read(said(*[note()] * 10_000))
    assert (len(answer.notes), len(answer.bad)) == (40, 9_960)
    assert answer.bad[0][1] == "it is one too many: 40 are taken of one answer"
