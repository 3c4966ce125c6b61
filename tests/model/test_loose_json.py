"""JSON as models write it."""

from __future__ import annotations

import json

import pytest

from memex_core.model.loose_json import Answer, read

ITEMS = [{"t": "a, ]"}, {"t": 'b "c"'}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ITEMS),
        json.dumps(ITEMS, indent=2),
        f"```json\n{json.dumps(ITEMS)}\n```",
        f"Sure!\n\n```\n{json.dumps(ITEMS)}\n```\nAnything else?",
        '[{"t": "a, ]",}, {"t": "b \\"c\\"",},]',
        "[{'t': 'a, ]'}, {'t': 'b \"c\"'}]",
        '[{t: "a, ]"}, // a comment with ]\n {“t”: “b "c"”} /* and } */ ]',
        f"<think>[1]</think>{json.dumps(ITEMS)}",
    ],
)
def test_faults_of_form_are_read_over(text: str) -> None:
    assert read(text) == Answer([ITEMS], False)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"m":[{"t":"a, ]"},]}', [{"m": [{"t": "a, ]"}]}]),
        ('{"a": 1}{"a": 2}', [{"a": 1}, {"a": 2}]),
        ('[1, -2.5e3, 007, true, False, null, None, NaN, -Infinity, "\\u00e9\\n"]',
         [[1, -2500.0, 7, True, False, None, None, None, None, "é\n"]]),
        ("<think>{\"x\":1}</think>{\"facts\":[]}", [{"facts": []}]),
        ("<thinking>never closed [1]", []),
        ("Sure. <think>\n[1]\n</think>\n[2]", [[2]]),
        ("where it began was swallowed: [1]\n</think>\n\n[2]", [[2]]),
        ("swallowed [1] </think>[2]", [[2]]),
        ('[{"a": "the <think> tag"}]', [[{"a": "the <think> tag"}]]),
        ('```json\n[{"a": "a <think> and a </think> tag"}]\n```', [[{"a": "a <think> and a </think> tag"}]]),
        ("plain prose with [a word] and {another}", [[]]),
        ("", []),
        ("7", []),
        ('"text"', []),
    ],
)  # fmt: skip
def test_every_list_and_object_is_found(text: str, values: list[object]) -> None:
    assert read(text).values == values


def test_a_fence_inside_a_text_stays() -> None:
    snippet = "run\n```sh\nls [a]\n```\nthen {stop}"
    assert read(f"```json\n{json.dumps([{'t': snippet}])}\n```").values == [[{"t": snippet}]]


def test_of_what_breaks_off_the_whole_items_stay_and_it_is_said() -> None:
    items = [{"text": f'item {number}, with ] and "quotes"', "n": [number]} for number in range(5)]
    whole = json.dumps(items)
    counts = []
    for end in range(len(whole) + 1):
        answer = read(whole[:end])
        found = answer.values[0] if answer.values else []
        assert found == items[: len(found)]
        assert answer.cut is (0 < end < len(whole))
        counts.append(len(found))
    assert counts == sorted(counts) and counts[-1] == 5


@pytest.mark.parametrize(
    "piece", ["[", '{"a":', "[{", '"', "[1,", "'[", "/*", "//", '["a" ', "{a:[", "<think>"]
)
def test_no_text_makes_it_hang_or_raise(piece: str) -> None:
    assert isinstance(read(piece * 20_000), Answer)
