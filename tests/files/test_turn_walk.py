from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.files.layout import Layout
from memex_core.files.transcripts import file_of
from memex_core.files.turn_walk import (
    Said,
    Stopped,
    is_prompt,
    next_prompt,
    previous_prompt,
    saying,
    wanted,
)


def turn(role: str, content: str = "", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


@pytest.fixture
def layout(memex: Memex) -> Layout:
    return memex.store.layout


def stored(memex: Memex, turns: list[dict[str, Any]], session: str = "talk") -> None:
    memex.ingest_transcript(session, turns=turns)


def found(layout: Layout, words: str, session: str = "talk") -> list[Said]:
    looked_for = wanted(words)
    assert looked_for is not None
    return list(saying(layout, session, looked_for))


def test_a_prompt_is_what_a_person_typed_and_no_envelope() -> None:
    assert is_prompt(turn("user", "bake it"))
    assert is_prompt(turn("user", "<command-name>/model</command-name>"))
    assert not is_prompt(turn("user", "<system-reminder>be brief</system-reminder>"))
    assert not is_prompt(turn("user", "bake it", trust="agent"))
    assert not is_prompt(turn("user", "bake it", sidechain=True))
    assert not is_prompt(turn("user", "bake it", subagent="a1"))
    assert not is_prompt(turn("agent", "bake it"))
    assert not is_prompt({"role": "user", "content": ["blocks"]})


def test_from_prompt_to_prompt_down_and_up(memex: Memex, layout: Layout) -> None:
    rest = [turn("agent", f"step {number}") for number in range(1_000)]
    stored(memex, [turn("agent", "hello"), turn("user", "first"), *rest, turn("user", "second"), *rest[:3]])
    assert next_prompt(layout, "talk", 0) == 2
    assert next_prompt(layout, "talk", 2) == 1_003
    assert next_prompt(layout, "talk", 1_003) == 0
    assert previous_prompt(layout, "talk", 1_006) == 1_003
    assert previous_prompt(layout, "talk", 1_003) == 2
    assert previous_prompt(layout, "talk", 2) == 0
    assert next_prompt(layout, "no-such", 0) == previous_prompt(layout, "no-such", 9) == 0


def test_a_walk_ends_when_it_is_not_wanted_any_more(memex: Memex, layout: Layout) -> None:
    stored(memex, [turn("agent", "a"), turn("agent", "b"), turn("agent", "c")])
    seen = iter([False, True])
    with pytest.raises(Stopped):
        next_prompt(layout, "talk", 0, stop=lambda: next(seen))
    words = wanted("c")
    assert words is not None
    with pytest.raises(Stopped):
        list(saying(layout, "talk", words, stop=lambda: True))


def test_words_are_found_wherever_a_turn_says_them(memex: Memex, layout: Layout) -> None:
    stored(
        memex,
        [
            turn("user", "Bake the Rye\nloaf"),
            turn("tool", tool_name="shell", query="ls rye", result='a "quoted" loaf.txt'),
            turn("agent", "the rye  loaf is done, 数据模型 and Müsli"),
            turn("agent", "nothing"),
        ],
    )
    assert found(layout, "rye loaf") == [Said(1, "Rye\nloaf"), Said(3, "rye  loaf")]
    assert found(layout, "rye") == [Said(1, "Rye"), Said(2, "rye"), Said(3, "rye")]
    assert found(layout, "Rye") == [Said(1, "Rye")]  # a capital is meant
    assert found(layout, '"quoted"') == [Said(2, '"quoted"')]
    assert found(layout, "shell") == [Said(2, "shell")]
    assert found(layout, "müsli") == [Said(3, "Müsli")]
    assert found(layout, "模型") == [Said(3, "模型")]
    assert found(layout, "...") == []
    assert wanted("  ") is None
    assert found(layout, "rye", "no-such") == []


def test_what_is_looked_for_in_bytes_is_the_longest_run_that_has_but_one_spelling() -> None:
    assert [wanted(text).part for text in ("rye LOAF", "Müsli!", "模型 a", "..")] == [  # type: ignore[union-attr]
        b"loaf",
        b"sli",
        "模型".encode(),
        b"",
    ]


def test_numbers_hold_over_gaps_damage_and_lines_that_others_wrote(memex: Memex, layout: Layout) -> None:
    stored(memex, [turn("user", "one"), turn("user", "rye", turn=40), turn("agent", 'so "turn": 7, rye')])
    path = Path(file_of(layout, "talk"))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"content": "no number, rye", "role": "agent"}\n')
        file.write("{torn rye\n")
        file.write('{"role": "agent", "content": "spelled \\u0072ye"}\n')
        file.write('{"role": "agent", "content": "skipped", "turn": 90}\n')
        file.write('{"role": "agent", "content": "rye at last"}')
    assert [said.turn for said in found(layout, "rye")] == [40, 41, 42, 43, 91]
