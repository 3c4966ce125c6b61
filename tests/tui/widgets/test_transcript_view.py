from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.app import App, ComposeResult

from memex_tui.render.transcript import Quote, Turn, TurnMark
from memex_tui.widgets.transcript_view import TranscriptView
from tests.tui.frames import frame, press, running, settle

SIZE = (60, 12)


class ViewApp(App[None]):
    """A conversation whose turns are given at once, or when the test gives them (``slow``)."""

    def __init__(self, numbers: Sequence[int], *, lines: int = 1, slow: bool = False) -> None:
        super().__init__()
        self.numbers = numbers
        self.lines = lines
        self.slow = slow
        self.wanted: list[tuple[int, int]] = []
        self.moved: list[int] = []
        self.chosen: list[int] = []
        self.view = TranscriptView()

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.view.focus()

    def begin(self, turn: int = 0) -> None:
        self.view.show(self.numbers, self.want, turn=turn)

    def want(self, first: int, last: int) -> None:
        self.wanted.append((first, last))
        if not self.slow:
            self.call_later(self.give, first, last)

    def turn(self, number: int) -> Turn:
        if number % 3 == 0:
            return Turn(number, "tool", tool="shell", query=f"run {number}", result="done\n" * 2)
        return Turn(number, "user", text="\n".join([f"turn {number} says"] * self.lines))

    def give(self, first: int, last: int) -> None:
        numbers = [number for number in self.numbers if first <= number <= last]
        self.view.turns_loaded([self.turn(number) for number in numbers], first, last)

    def on_transcript_view_moved(self, event: TranscriptView.Moved) -> None:
        self.moved.append(event.number)

    def on_transcript_view_chosen(self, event: TranscriptView.Chosen) -> None:
        assert event.control is self.view
        self.chosen.append(event.number)


def rows(app: ViewApp) -> list[str]:
    return [line.rstrip(" ▁▂▃▄▅▆▇█") for line in frame(app)]


async def test_a_hundred_thousand_turns_open_at_the_one_that_is_wanted() -> None:
    app = ViewApp(range(1, 100_001))
    async with running(app, SIZE) as pilot:
        app.begin(50_000)
        await settle(pilot)
        assert app.view.number == 50_000
        assert app.view.turn == app.turn(50_000)
        shown = rows(app)
        assert shown[4] == " ▌  50000 you     turn 50000 says"
        assert shown[0] == "    49998 tool    ▸ shell  run 49998  3 lines"
        assert sum(last - first + 1 for first, last in app.wanted) < 500
        assert app.moved == []
        assert app.view.virtual_size.height >= 100_000


async def test_keys_move_from_turn_to_turn_and_to_both_ends() -> None:
    app = ViewApp(range(1, 1_001))
    async with running(app, SIZE) as pilot:
        app.begin()
        await settle(pilot)
        view = app.view
        view.action_scroll_down()
        view.action_scroll_down()
        assert view.number == 3
        view.action_scroll_end()
        await settle(pilot)
        assert (view.number, rows(app)[-1]) == (1_000, " ▌ 1000 you     turn 1000 says")
        view.action_scroll_up()
        view.action_scroll_home()
        await settle(pilot)
        assert rows(app)[0] == " ▌    1 you     turn 1 says"
        assert app.moved == [2, 3, 1000, 999, 1]
        await press(pilot, ["enter"])
        assert app.chosen == [1]


async def test_a_long_turn_is_read_to_its_end_before_the_next() -> None:
    app = ViewApp([1, 2], lines=30)
    async with running(app, SIZE) as pilot:
        app.begin()
        await settle(pilot)
        view = app.view
        for _ in range(18):
            view.action_scroll_down()
        assert view.number == 1
        assert view.talk.inside == 18
        view.action_scroll_down()
        assert view.number == 2
        assert app.view.talk.top == 1
        view.action_scroll_down()
        assert view.talk.inside == 1
        view.action_scroll_up()
        view.action_scroll_up()
        assert (view.number, view.talk.top) == (1, 0)
        await settle(pilot)


async def test_windows_of_rows_take_the_cursor_along() -> None:
    app = ViewApp(range(1, 101))
    async with running(app, SIZE) as pilot:
        app.begin()
        await settle(pilot)
        view = app.view
        view.scroll_pages(1)
        await settle(pilot)
        assert view.talk.top == 5
        assert view.number == 7  # the first whose head is in sight
        view.scroll_pages(-1)
        view.scroll_pages(-1)
        assert view.number == 1
        view.action_page_down()
        view.action_page_up()
        await settle(pilot)
        assert (view.talk.top, view.talk.inside) == (0, 0)


async def test_turns_that_come_late_stand_where_they_were_aimed_at() -> None:
    app = ViewApp(range(1, 1_001), lines=5, slow=True)
    async with running(app, SIZE) as pilot:
        app.begin(500)
        await settle(pilot)
        assert app.view.turn is None
        assert "500 …" in rows(app)[4]
        app.give(*app.wanted[-1])
        await settle(pilot)
        assert rows(app)[4] == " ▌  500 you     turn 500 says"


async def test_what_is_asked_for_is_not_asked_for_again_until_it_failed() -> None:
    app = ViewApp(range(1, 1_001), slow=True)
    async with running(app, SIZE) as pilot:
        app.begin(500)
        await settle(pilot)
        assert len(app.wanted) == 1
        app.view.scroll_rows(1)
        assert len(app.wanted) == 1
        app.view.turns_failed()
        app.view.scroll_rows(1)
        assert len(app.wanted) == 2
        app.view.go_to(900)
        assert app.wanted[-1][0] <= 900 <= app.wanted[-1][1]
        app.give(*app.wanted[0])  # too late, but true
        await settle(pilot)
        assert app.view.number == 900


async def test_a_quote_deep_in_a_turn_is_brought_into_sight() -> None:
    app = ViewApp([1, 2], slow=True)
    async with running(app, SIZE) as pilot:
        app.begin()
        app.view.turns_loaded(
            [Turn(1, "user", text="a\n" * 50 + "here it is"), Turn(2, "user", text="b")], 1, 2
        )
        quotes = (Quote("here it is", "turn--current-quote"),)
        app.view.set_marks({1: TurnMark("E", "turn--evidence", quotes)})
        app.view.go_to(1)
        await settle(pilot)
        assert any("here it is" in row for row in rows(app))


async def test_tool_calls_unfold_one_by_one_by_click_and_all_at_once() -> None:
    app = ViewApp(range(1, 7))
    async with running(app, SIZE) as pilot:
        app.begin()
        await settle(pilot)
        view = app.view
        assert not view.fold()  # a person's words do not fold
        await pilot.click(view, offset=(20, 4))
        await settle(pilot)
        assert view.number == 3
        assert rows(app)[4:7] == [" ▌ 3 tool    ▾ shell", " ▌             run 3", " ▌             done"]
        assert view.fold()
        await settle(pilot)
        assert rows(app)[4] == " ▌ 3 tool    ▸ shell  run 3  3 lines"
        assert view.fold_all()
        await settle(pilot)
        assert rows(app)[5] == " ▌             run 3"
        assert not view.fold_all()
        await pilot.click(view, offset=(20, 0), times=2)
        await settle(pilot)
        assert app.chosen == [1]


async def test_the_wheel_moves_rows_and_the_scrollbar_turns() -> None:
    app = ViewApp(range(1, 1_001))
    async with running(app, SIZE) as pilot:
        app.begin()
        await settle(pilot)
        view = app.view
        await pilot._post_mouse_events([_wheel()], view, offset=(5, 5))
        await settle(pilot)
        assert (view.talk.top, view.talk.inside) == (1, 1)
        view.scroll_to(y=700, animate=False)
        await settle(pilot)
        assert view.talk.top == 700
        assert view.number == 701


def _wheel() -> Any:
    from textual.events import MouseScrollDown

    return MouseScrollDown


async def test_the_letter_of_what_cites_a_turn_stands_before_it() -> None:
    app = ViewApp(range(1, 4))
    async with running(app, SIZE) as pilot:
        app.begin()
        app.view.set_marks({2: TurnMark("C", "turn--context")})
        await settle(pilot)
        assert rows(app)[2] == "C  2 you     turn 2 says"


async def test_another_width_keeps_the_turn_and_nothing_shown_says_why() -> None:
    app = ViewApp(range(1, 1_001), lines=3)
    async with running(app, SIZE) as pilot:
        app.begin(500)
        await settle(pilot)
        await pilot.resize_terminal(40, 20)
        await settle(pilot)
        assert rows(app)[6] == " ▌  500 you     turn 500 says"
        app.view.clear("No [b]turns[/b] here.\n\nNone.")
        await settle(pilot)
        assert [row.strip() for row in rows(app)[:4]] == ["", "No [b]turns[/b] here.", "", "None."]
        assert app.view.number == 0
        assert app.view.turn is None
        for act in (
            "scroll_down",
            "scroll_up",
            "page_down",
            "page_up",
            "scroll_home",
            "scroll_end",
            "choose",
        ):
            getattr(app.view, f"action_{act}")()
        assert app.chosen == []


async def test_only_the_two_turns_of_a_cursor_move_are_drawn() -> None:
    app = ViewApp(range(1, 101))
    async with running(app, SIZE) as pilot:
        app.begin()
        await settle(pilot)
        drawn: list[int] = []
        strip = app.view._strip
        app.view._strip = lambda y: drawn.append(y) or strip(y)  # type: ignore[method-assign,func-returns-value]
        app.view.action_scroll_down()
        await settle(pilot)
        assert sorted(drawn) == [0, 1, 2, 3]
