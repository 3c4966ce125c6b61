"""What is painted again when a window, its frame or its scrollbar changes: over a slow line it counts."""

from random import Random
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip

from memex_tui.widgets.markdown_view import MarkdownView
from memex_tui.widgets.scrolling import set_frame
from tests.tui.frames import frame, running, settle

SIZE = (40, 14)


class Watched(MarkdownView):
    """Counts the lines that are drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []

    def render_line(self, y: int) -> Strip:
        self.lines.append(y)
        return super().render_line(y)

    def drawn(self) -> list[int]:
        """The lines drawn since the last call."""
        lines, self.lines = sorted(set(self.lines)), []
        return lines


class OneView(App[None]):
    CSS = "Watched { border: round white; overflow-y: scroll; }"

    def compose(self) -> ComposeResult:
        yield Watched()

    @property
    def view(self) -> Watched:
        return self.query_one(Watched)


async def test_only_lines_that_look_otherwise_are_drawn() -> None:
    app = OneView()
    async with running(app, SIZE) as pilot:
        view = app.view
        view.set_page("one\n\ntwo\n\nthree")
        await settle(pilot)
        view.drawn()
        view.set_page("one\n\nTWO\n\nthree")
        await settle(pilot)
        assert view.drawn() == [2]
        view.search("three")
        await settle(pilot)
        assert view.drawn() == [4]
        view.set_page("one\n\nTWO\n\nthree")
        await settle(pilot)
        assert view.drawn() == []
        assert [line.strip("│╭╮╰╯─ ") for line in frame(app)[1:6]] == ["one", "", "TWO", "", "three"]


async def test_a_page_that_changed_while_its_window_was_hidden_is_there_afterwards() -> None:
    app = OneView()
    async with running(app, SIZE) as pilot:
        view = app.view
        view.set_page("before")
        await settle(pilot)
        view.display = False
        await settle(pilot)
        view.set_page("after")
        set_frame(view, "later")
        await settle(pilot)
        view.display = True
        await settle(pilot)
        assert "later" in frame(app)[0] and "after" in frame(app)[1]


async def test_another_title_draws_its_line_of_the_frame() -> None:
    app = OneView()
    async with running(app, SIZE) as pilot:
        view = app.view
        view.set_page("text")
        set_frame(view, "first", "1/2")
        await settle(pilot)
        view.drawn()
        set_frame(view, "second [b]", "2/2")
        await settle(pilot)
        assert view.drawn() == []
        assert "second [b]" in frame(app)[0] and "2/2" in frame(app)[-1]
        set_frame(view, "")
        await settle(pilot)
        assert "second" not in frame(app)[0] and "2/2" not in frame(app)[-1]


async def test_a_scrollbar_is_drawn_where_its_thumb_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    app = OneView()
    async with running(app, SIZE) as pilot:
        view = app.view
        view.set_page("\n\n".join(f"Paragraph {n}" for n in range(200)))
        await settle(pilot)
        bar = view.vertical_scrollbar
        painted: list[Region] = []
        real = bar.refresh

        def refresh(*regions: Region, **options: Any) -> Any:
            painted.extend(regions or [Region(0, 0, 1, 99)])
            return real(*regions, **options)

        monkeypatch.setattr(bar, "refresh", refresh)
        view.scroll_rows(20)
        await settle(pilot)
        assert 0 < sum(region.height for region in painted) <= 4
        chance = Random(7)
        for _ in range(40):
            if chance.random() < 0.3:
                view.set_page("\n\n".join(f"Paragraph {n}" for n in range(chance.choice((1, 9, 40, 400)))))
            view.scroll_rows(chance.randint(-300, 300))
            await settle(pilot)
            shown = frame(app)
            real()
            await settle(pilot)
            assert frame(app) == shown
