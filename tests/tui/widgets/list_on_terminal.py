"""A list of 100,000 pages as a program, for tests in a real pseudo-terminal.

``q`` ends it, ``p`` has it say that everything before that key is drawn.
"""

from textual import events
from textual.app import App, ComposeResult

from memex_tui.render.line import Line, spread
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

DRAWN = "\x1b]2;drawn\x07"  # a terminal's title: nothing on the screen


def draw(row: int, cells: int, state: RowState) -> list[Line]:
    return [
        spread([(f"Rate limits {row}", ("row--title",))], [("● fact  ", ("row--muted",)), (".92", ())], cells)
    ]


class ListApp(App[None]):
    def compose(self) -> ComposeResult:
        yield VirtualList(draw)

    def on_mount(self) -> None:
        view = self.query_one(VirtualList)
        view.set_rows(range(100_000))
        view.focus()

    def on_descendant_focus(self) -> None:
        self.call_after_refresh(self.say_drawn)

    def say_drawn(self) -> None:
        assert self._driver is not None
        self._driver.write(DRAWN)

    def on_key(self, event: events.Key) -> None:
        if event.key == "q":
            self.exit()
        elif event.key == "p":
            self.call_after_refresh(self.say_drawn)


if __name__ == "__main__":
    ListApp().run()
