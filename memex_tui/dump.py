"""One frame of the app as text: for agents, screen readers, bug reports and places without a terminal."""

from __future__ import annotations

import asyncio
import re

from textual.strip import Strip

from memex_core.model.errors import BadInput
from memex_tui.app import MemexApp
from memex_tui.areas import BY_ID
from memex_tui.messages import Place

SMALLEST, LARGEST = (20, 5), (500, 300)
PATIENCE = 30.0  # seconds until the frame is taken as it is


def parse_size(text: str) -> tuple[int, int]:
    """``WIDTHxHEIGHT`` in cells. Raises BadInput."""
    found = re.fullmatch(r"\s*(\d{1,4})\s*[xX×]\s*(\d{1,4})\s*", text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(low <= one <= high for low, one, high in zip(SMALLEST, size, LARGEST, strict=True)):
        raise BadInput(f"{text!r} is no size for a frame", hint="for example 80x24")
    return size


def dump(
    root: str | None, area: str, size: str | tuple[int, int] = (80, 24), place: Place | None = None
) -> str:
    """The area as a person would find it, as lines of text. Nothing is saved or followed.

    ``place`` is shown in it if given. Raises BadInput for an area or a size there is none of.
    """
    if area not in BY_ID:
        raise BadInput(f"there is no area {area!r}", hint=", ".join(BY_ID))
    cells = parse_size(size) if isinstance(size, str) else size
    return asyncio.run(_frame(root, area, cells, place))


async def _frame(root: str | None, area: str, size: tuple[int, int], place: Place | None) -> str:
    app = MemexApp(root, area=area, keep_state=False, watch=False)
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        if place is not None:
            await app.go(place)
        await _settle(app)
        await pilot.pause()
        update = app.screen._compositor.render_update(
            full=True, screen_stack=app._background_screens, simplify=True
        )
        lines = [Strip.join(strips).text.rstrip() for strips in getattr(update, "strips", [])]
    await asyncio.to_thread(app.gateway.join, reads=True)
    return "\n".join(lines) + "\n"


async def _settle(app: MemexApp) -> None:
    """Wait until no request to the core is under way."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    quiet = 0
    while quiet < 3 and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(0.05)
        busy = any(worker.group == "requests" and not worker.is_finished for worker in app.workers)
        quiet = 0 if busy else quiet + 1
