"""A list of 100,000 pages as a program, for tests in a real pseudo-terminal. ``q`` ends it."""

from textual import events
from textual.app import App, ComposeResult

from memex_tui.render.line import Line, spread
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList


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

    def on_key(self, event: events.Key) -> None:
        if event.key == "q":
            self.exit()


if __name__ == "__main__":
    ListApp().run()
