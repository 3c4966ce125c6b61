"""Answers cut to size: whole rows, a cursor for the rest, and the heaviest parts shortened first."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from memex_core.mcp import fit
from memex_core.model.errors import BadInput


def weight(answer: fit.Answer) -> int:
    return fit.size(answer.content) + fit.size(answer.text)


def numbered(count: int, text: str) -> dict[str, Any]:
    return {"rows": [{"n": number, "text": text} for number in range(count)], "total": count}


def rows(answer: dict[str, Any], head: str = "") -> fit.Answer:
    total = len(answer["rows"])
    return fit.rows(
        answer,
        "rows",
        head,
        lambda row: f"{row['n']} {row['text']}",
        cursor=lambda taken: str(taken) if taken < total else None,
    )


def test_what_fits_is_whole() -> None:
    answer = rows(numbered(3, "bread"), "Three:")
    assert answer.content == {**numbered(3, "bread"), "cursor": None}
    assert answer.text == "Three:\n0 bread\n1 bread\n2 bread"


def test_rows_are_taken_while_there_is_room() -> None:
    answer = rows(numbered(100, "x" * 1_000))
    taken = len(answer.content["rows"])
    assert 5 < taken < 10
    assert answer.content["cursor"] == str(taken)
    assert answer.text.endswith(f'(more: the same call with cursor "{taken}")')
    assert fit.BYTES * 0.8 < weight(answer) <= fit.BYTES


@given(
    some.lists(some.integers(0, 30_000), max_size=6),
    some.sampled_from(["x", "ß", "東", '"', "\\", "\n", "\x01"]),
)
def test_no_answer_is_larger_than_allowed(sizes: list[int], letter: str) -> None:
    answer = rows({"rows": [{"n": 1, "text": letter * size} for size in sizes], "aside": letter * sum(sizes)})
    assert weight(answer) <= fit.BYTES
    assert len(answer.content["rows"]) >= min(1, len(sizes))  # it goes on, whatever a row weighs


@given(some.text(some.characters(codec="utf-8"), max_size=300), some.integers(1, 120))
def test_parts_of_a_text_make_the_text(text: str, times: int) -> None:
    whole, parts, start = text * times, [], 0
    while True:
        answer = fit.text_part({"body": whole, "links": ["x"] * 50}, "body", "Head", start)
        assert weight(answer) <= fit.BYTES
        parts.append(answer.content["body"])
        assert answer.content["links"] == (["x"] * 50 if start == 0 else [])
        if answer.content["cursor"] is None:
            break
        start = fit.offset(answer.content["cursor"])
    assert "".join(parts) == whole


def test_the_heaviest_part_is_cut_and_named() -> None:
    answer = {"slug": "oven", "links": [{"to": f"page {n}"} for n in range(2_000)], "note": "short", "n": 3}
    cut = fit.clipped(answer, 4_000)
    assert fit.size(cut) <= 4_000
    assert cut["cut"] == ["links"]
    assert (cut["slug"], cut["note"], cut["n"]) == ("oven", "short", 3)
    assert cut["links"] == answer["links"][: len(cut["links"])]
    assert answer["links"] != cut["links"]  # the answer itself is as it was


def test_texts_deep_inside_are_found() -> None:
    cut = fit.clipped({"evidence": [{"turn": 1, "text": "word " * 5_000}, {"turn": 2, "text": "hm"}]}, 3_000)
    assert fit.size(cut) <= 3_000
    assert [turn["turn"] for turn in cut["evidence"]] == [1, 2]
    assert cut["evidence"][0]["text"].endswith("…")
    assert cut["evidence"][1]["text"] == "hm"
    assert cut["cut"] == ["evidence.text"]


def test_a_small_answer_is_left_alone() -> None:
    answer = {"a": "b"}
    assert fit.clipped(answer, 100) is answer
    assert fit.whole({"slug": "x"}, "Wrote x.") == ({"slug": "x"}, "Wrote x.")


def test_a_long_text_beside_an_answer_is_cut() -> None:
    answer = fit.whole({"slug": "x"}, "word " * 5_000)
    assert weight(answer) <= fit.BYTES
    assert answer.text.endswith("…")


@pytest.mark.parametrize(("cursor", "start"), [(None, 0), ("", 0), ("0", 0), ("12", 12)])
def test_a_cursor_is_an_offset(cursor: str | None, start: int) -> None:
    assert fit.offset(cursor) == start


@pytest.mark.parametrize("cursor", ["-1", "1.0", "٣", "1e3", "9999999999", "x"])
def test_no_other_cursor_is_taken(cursor: str) -> None:
    with pytest.raises(BadInput, match="cursor"):
        fit.offset(cursor)
