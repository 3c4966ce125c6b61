from collections.abc import Sequence
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.message import Message

from memex_tui.render.line import Line, line_width, spread
from memex_tui.render.text import printable
from memex_tui.widgets.rows import RowState, SequenceRows
from memex_tui.widgets.virtual_list import VirtualList
from tests.tui.brackets import AWKWARD, BRACKETS
from tests.tui.frames import check_frame, frame, running, settle, text_frame


def draw(row: Any, cells: int, state: RowState) -> list[Line]:
    title = printable(str(row))
    return [
        spread([(title, ("row--title",))], [("● fact", ("row--muted",))], cells),
        [(f"pages/{title}.md", ("row--path",))],
    ]


class Asked:
    """A provider that notes what it is asked for; rows from ``loaded`` on are missing."""

    def __init__(self, count: int, loaded: int | None = None) -> None:
        self._count = count
        self.loaded = count if loaded is None else loaded
        self.asked: list[tuple[int, int]] = []

    def count(self) -> int:
        return self._count

    def rows(self, start: int, stop: int) -> Sequence[int | None]:
        self.asked.append((start, stop))
        return [index if index < self.loaded else None for index in range(start, stop)]

    def key(self, row: int) -> str:
        return str(row)

    def index_of(self, key: str) -> int | None:
        return int(key) if key.isdigit() and int(key) < self._count else None


class ListApp(App[None]):
    def __init__(self, rows: Any = (), height: int = 2) -> None:
        super().__init__()
        self.rows = rows
        self.height = height
        self.heard: list[tuple[str, int, str]] = []
        self.painted: list[Region] = []

    def compose(self) -> ComposeResult:
        yield VirtualList(draw, row_height=self.height, empty="No [pages] yet")

    def on_mount(self) -> None:
        self.list.set_rows(self.rows)
        self.list.focus()

    @property
    def list(self) -> VirtualList[Any]:
        return self.query_one(VirtualList)

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        self.heard.append(("highlighted", event.index, event.key))

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        self.heard.append(("selected", event.index, event.key))


async def test_only_rows_in_sight_are_asked_for() -> None:
    provider = Asked(100_000)
    app = ListApp(provider)
    async with running(app, (60, 20)) as pilot:
        assert sum(stop - start for start, stop in provider.asked) < 200
        provider.asked.clear()
        await pilot.press("end")
        await settle(pilot)
        assert app.list.cursor == 99_999
        assert all(start > 99_000 for start, _ in provider.asked)
        assert "99999" in frame(app)[-2]


async def test_keys_move_and_choose() -> None:
    app = ListApp(range(50))
    async with running(app, (60, 20)) as pilot:
        await pilot.press("down", "down", "up", "enter", "pagedown", "home", "up")
        await settle(pilot)
        assert app.heard == [
            ("highlighted", 0, "0"), ("highlighted", 1, "1"), ("highlighted", 2, "2"),
            ("highlighted", 1, "1"), ("selected", 1, "1"), ("highlighted", 10, "10"), ("highlighted", 0, "0"),
        ]  # fmt: skip


async def test_a_cursor_move_repaints_two_rows_only(monkeypatch: pytest.MonkeyPatch) -> None:
    app = ListApp(range(50))
    async with running(app, (60, 20)) as pilot:
        regions: list[Region] = []
        plain = app.list.refresh

        def refresh(*args: Region, **options: Any) -> Any:
            regions.extend(args or [app.list.size.region])
            return plain(*args, **options)

        monkeypatch.setattr(app.list, "refresh", refresh)
        await pilot.press("down")
        assert {region.y for region in regions} <= {0, 1, 2, 3}
        assert sum(region.area for region in regions) <= 2 * 60 + 4


async def test_the_selection_follows_its_row() -> None:
    app = ListApp([f"page {n}" for n in range(30)])
    async with running(app, (60, 20)) as pilot:
        app.list.move_to(12)
        await settle(pilot)
        y = next(i for i, line in enumerate(frame(app)) if "page 12" in line)
        app.heard.clear()
        app.list.set_rows([f"new {n}" for n in range(5)] + [f"page {n}" for n in range(30)])
        await settle(pilot)
        assert (app.list.key, app.list.cursor) == ("page 12", 17)
        assert "page 12" in frame(app)[y]
        assert app.heard == []
        app.list.set_rows([f"page {n}" for n in range(12)])
        await settle(pilot)
        assert app.list.key == "page 11"
        assert app.heard == [("highlighted", 11, "page 11")]
        app.list.set_rows([])
        await settle(pilot)
        assert (app.list.key, app.list.row, app.list.count) == ("", None, 0)
        assert frame(app)[0] == "  No [pages] yet"
        await pilot.press("down", "enter", "end", "pageup")
        assert len(app.heard) == 1


async def test_rows_that_come_later_are_filled_in() -> None:
    provider = Asked(100, loaded=0)
    app = ListApp(provider)
    async with running(app, (60, 20)) as pilot:
        assert frame(app)[0].strip() == "▌…"
        assert app.list.row is None
        provider.loaded = 100
        app.list.rows_loaded(0, 50)
        await settle(pilot)
        assert "0" in frame(app)[0]
        assert (app.list.key, app.heard) == ("0", [("highlighted", 0, "0")])


async def test_mouse_chooses_and_stays_inside() -> None:
    app = ListApp(range(3))
    async with running(app, (60, 20)) as pilot:
        await pilot.click(VirtualList, offset=(5, 3))
        assert app.list.cursor == 1
        await pilot.click(VirtualList, offset=(5, 15))  # below the last row
        assert app.list.cursor == 1
        await pilot.click(VirtualList, offset=(5, 4), times=2)
        assert app.heard[-1] == ("selected", 2, "2")
        for y in (-1, 0, 19, 20, 10_000):
            assert app.list.index_at(y) == (0 if y == 0 else None)
        app.list.move_to(-5)
        app.list.move_to(10_000)
        assert app.list.cursor == 2


async def test_the_wheel_scrolls_and_the_cursor_comes_back_into_sight() -> None:
    app = ListApp(range(100))
    async with running(app, (60, 20)) as pilot:
        app.list.scroll_to(y=100, animate=False)
        await settle(pilot)
        assert frame(app)[0].strip().startswith("50")
        await pilot.press("down")
        await settle(pilot)
        assert frame(app)[0].strip().startswith("▌1 ")


async def test_marks() -> None:
    app = ListApp(range(9))
    async with running(app, (60, 20)) as pilot:
        app.list.toggle_marks(["0"])
        await pilot.press("down")
        app.list.toggle_marks(["0", "1"])  # one of them has no mark: both have one then
        await settle(pilot)
        assert app.list.marked == {"0", "1"}
        assert [frame(app)[y][:2].strip() for y in (0, 2, 4)] == ["✓", "✓▌", ""]
        app.list.toggle_marks(["1"])
        assert app.list.marked == {"0"}
        app.list.clear_marks()
        assert app.list.marked == frozenset()


async def test_any_title_in_any_terminal() -> None:
    titles = [*BRACKETS, *AWKWARD]
    for size in ((60, 40), (20, 5), (3, 2)):
        async with running(ListApp(SequenceRows(list(enumerate(titles)), str)), size) as pilot:
            await pilot.press("pagedown", "end", "home")
            for line in frame(pilot.app):
                assert line_width([(line, ())]) <= size[0]


async def test_looks() -> None:
    app = ListApp(
        ["Rate limits", "日本語のページ", "[/red] title", "A title that is too long for the row " * 2]
    )
    async with running(app, (50, 10)) as pilot:
        await pilot.press("down")
        await settle(pilot)
        check_frame("widgets/virtual-list", text_frame(app))


def test_messages_name_their_list() -> None:
    view: VirtualList[int] = VirtualList(draw)
    message: Message = VirtualList.Highlighted(view, 0, "k", 1)
    assert message.control is view  # type: ignore[attr-defined]
