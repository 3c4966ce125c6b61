"""What every area has to bear: any size of window, and a mouse that points anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from memex_tui.app import MemexApp
from memex_tui.areas import AREAS
from memex_tui.messages import Place
from tests.tui.frames import NARROW, frame, running, settle

PAGE = "entities/rate-limits.md"
IDS = [area.id for area in AREAS]


async def begin(app: MemexApp, area: str) -> None:
    await app.go(Place(area, PAGE if area in ("page", "graph") else ""))


@pytest.mark.parametrize("area", IDS)
async def test_a_mouse_that_points_anywhere(store: Path, area: str) -> None:
    """Terminals report places outside the window: negative ones, and those of an old size."""
    app = MemexApp(str(store), area="search", keep_state=False, watch=False)
    async with running(app, NARROW) as pilot:
        await begin(app, area)
        await settle(pilot)
        kinds = (
            events.MouseMove,
            events.MouseDown,
            events.MouseMove,
            events.MouseUp,
            events.MouseScrollDown,
            events.MouseScrollUp,
        )
        for x, y in ((-1, -1), (0, 0), (79, 23), (80, 24), (40, -3), (-3, 12), (40, 12), (500, 500)):
            for button in (1, 3):
                for kind in kinds:
                    app.post_message(kind(None, x, y, 1, 1, button, False, False, False, x, y, None))
            await settle(pilot)
        assert app._exception is None
        assert app.is_running
        assert len(frame(app)) == 24


@pytest.mark.parametrize("area", IDS)
async def test_a_window_of_any_size(store: Path, area: str) -> None:
    app = MemexApp(str(store), area="search", keep_state=False, watch=False)
    async with running(app, NARROW) as pilot:
        await begin(app, area)
        for columns, rows in ((60, 15), (20, 5), (1, 1), (119, 29), (250, 70), (80, 24)):
            await pilot.resize_terminal(columns, rows)
            await settle(pilot)
            lines = frame(app)
            assert len(lines) == rows
            assert app._exception is None
        assert not [note.message for note in app._notifications if note.severity == "error"]
