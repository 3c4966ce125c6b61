from collections.abc import Sequence

from memex_tui.render.line import line_text
from memex_tui.render.talk import HELD, NEAR, Talk
from memex_tui.render.transcript import Quote, Turn, TurnMark


def turns(numbers: Sequence[int], lines: int = 1) -> list[Turn]:
    return [Turn(number, "user", text="\n".join([f"turn {number}"] * lines)) for number in numbers]


def talk_of(count: int, lines: int = 1) -> Talk:
    """A conversation that is loaded; a turn of one line takes two rows."""
    talk = Talk(range(1, count + 1), 60)
    talk.put(turns(talk.numbers, lines), 1, count)
    return talk


def seen(talk: Talk, room: int) -> list[tuple[int, int]]:
    return [(talk.numbers[row.index], row.row) for row in talk.rows(room)]


def test_only_what_is_in_sight_is_wanted_with_some_around_it() -> None:
    talk = Talk(range(1, 100_001), 60)
    assert talk.wanted(20) == (1, 90)
    assert talk.wanted(20, (1, 90)) is None
    talk.put(turns(range(1, 91)), 1, 90)
    assert talk.wanted(20) is None
    talk.put_at(50_000, 0, 20)
    assert talk.wanted(20, (1, 90)) == (49_971, 50_090)
    talk.put(turns(range(49_971, 50_091)), 49_971, 50_090)
    assert talk.wanted(20) is None
    assert seen(talk, 3) == [(50_001, 0), (50_001, 1), (50_002, 0)]
    assert Talk().wanted(20) is None
    assert Talk().rows(20) == []


def test_the_window_moves_by_rows_and_stops_at_both_ends() -> None:
    talk = talk_of(10, 2)  # 3 rows each
    talk.shift(4, 6)
    assert (talk.top, talk.inside) == (1, 1)
    talk.shift(-2, 6)
    assert (talk.top, talk.inside) == (0, 2)
    talk.shift(-9, 6)
    assert (talk.top, talk.inside) == (0, 0)
    talk.shift(900, 6)
    assert (talk.top, talk.inside) == (8, 0)
    assert seen(talk, 6)[-1] == (10, 2)
    talk.shift(-1, 6)
    assert (talk.top, talk.inside) == (7, 2)


def test_a_short_conversation_stands_still() -> None:
    talk = talk_of(2)
    talk.shift(5, 20)
    assert (talk.top, talk.inside) == (0, 0)


def test_turns_loaded_above_move_nothing_in_sight() -> None:
    talk = Talk(range(1, 1001), 60)
    talk.put(turns(range(500, 520)), 500, 519)
    talk.put_at(504, 0, 10)
    before = seen(talk, 10)
    talk.put(turns(range(400, 500), 7), 400, 499)
    assert seen(talk, 10) == before
    talk.shift(-3, 10)
    assert seen(talk, 10)[3:] == before[:-3]


def test_numbers_with_gaps_and_turns_that_cannot_be_read() -> None:
    talk = Talk([3, 7, 900_000_000], 60)
    assert [talk.index_of(number) for number in (1, 3, 4, 7, 8, 900_000_000, 999_999_999)] == [
        0,
        0,
        1,
        1,
        2,
        2,
        2,
    ]
    assert talk.wanted(20) == (3, 900_000_000)
    talk.put(turns([3, 900_000_000]), 3, 900_000_000)
    texts = [line_text(row.line).strip() for row in talk.rows(9)]
    assert texts[2] == "7 ?       This turn cannot be read."
    assert talk.wanted(20) is None


def test_turns_far_away_are_let_go() -> None:
    talk = Talk(range(1, 10_001), 60)
    talk.put(turns(range(1, HELD + 1)), 1, HELD)
    assert talk.turn(0) is not None
    talk.put_at(2_000, 0, 20)
    talk.put(turns(range(2_001, 2_101)), 2_001, 2_100)
    assert talk.turn(0) is None
    assert talk.turn(2_000 + 99) is not None
    assert talk.turn(2_000 - NEAR) is None


def test_tool_calls_are_folded_but_for_those_that_are_cited() -> None:
    talk = Talk(range(1, 4), 60)
    talk.put([Turn(n, "tool", tool="sh", result="42 rows") for n in (1, 2, 3)], 1, 3)
    assert [talk.height(index) for index in range(3)] == [2, 2, 2]
    talk.set_marks({2: TurnMark("E", "turn--evidence", (Quote("42 rows", "turn--evidence-quote"),))})
    assert [talk.folded(index) for index in range(3)] == [True, False, True]
    assert [talk.height(index) for index in range(3)] == [2, 3, 2]
    talk.fold(0)
    talk.fold(1)
    assert [talk.folded(index) for index in range(3)] == [False, True, True]
    talk.open_all(True)
    assert [talk.folded(index) for index in range(3)] == [False, False, False]


def test_only_turns_whose_mark_changed_are_laid_out_anew() -> None:
    talk = talk_of(3)
    lines = [talk.lines(index) for index in range(3)]
    mark = TurnMark("E", "turn--evidence", (Quote("turn 2", "turn--current-quote"),))
    talk.set_marks({2: mark})
    assert talk.lines(0) is lines[0]
    assert talk.lines(1) is not lines[1]
    assert talk.mark(1) == mark
    assert talk.quote_row(1) == 0
    talk.resize(30)
    assert talk.lines(0) is not lines[0]


def test_the_row_of_the_current_quote() -> None:
    talk = Talk([1], 60)
    talk.put([Turn(1, "user", text="a\n" * 30 + "here it is")], 1, 1)
    talk.set_marks({1: TurnMark("E", "turn--evidence", (Quote("here it is", "turn--current-quote"),))})
    assert talk.quote_row(0) == 30
