"""Every command of the registry, done once where it belongs: none fails, none ends the app."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memex_tui.app import MemexApp
from memex_tui.areas import AREAS, BY_ID
from memex_tui.commands import Command, every_command
from memex_tui.messages import Place
from memex_tui.screens.base import AreaScreen
from tests.tui.frames import WIDE, running, settle

PAGE, SESSION = "entities/rate-limits.md", "sess-limits"
LEAVES = ("app.quit", "app.suspend")  # shown to work in a real terminal
FIRST = {  # what leads to a context; others take a story, which tests of their own tell
    "page.editor": ("page.edit",),
    "page.find": ("page.find",),
    "page.history": ("page.history",),
    "page.reader": ("page.read",),
    "page.side": ("page.read", "page.outline"),
    "graph.overview": ("graph.overview",),
    "graph.group": ("graph.overview", "graph.open"),
    "search.input": ("search.query",),
    "sessions.replay": ("sessions.replay",),
    "sessions.pages": ("sessions.pages",),
    "sessions.filter": ("sessions.filter",),
    "sessions.find": ("sessions.replay", "sessions.find"),
}
LISTS = {"settings": "settings", "health": "findings", "sessions": "sessions"}  # where the cursor is to be
ALL = [area.id for area in AREAS]


def belongs(command: Command, area: str) -> bool:
    """Whether the command is to be done in that area; common ones are done where pages are listed."""
    where = command.where.partition(".")[0]
    return where == area or (where not in BY_ID and area == "search")


async def begin(app: MemexApp, pilot: Pilot[Any], area: str) -> AreaScreen:
    """The area in front, nothing over it, a page under the cursor."""
    while len(app.screen_stack) > 1:
        await app.pop_screen()
    path = PAGE if area in ("page", "graph") else ""
    session = SESSION if area == "sources" else ""  # its keys are those of a conversation
    await app.go(Place(area, path, session=session), remember=False)
    await settle(pilot)
    screen = app.current_area
    assert screen is not None
    rows = getattr(screen, LISTS.get(area, ""), None)
    if rows is not None:
        rows.focus()
        rows.move_to(0)
        await settle(pilot)
    return screen


async def bring_back(app: MemexApp, page: Path, text: bytes) -> None:
    """The page as it was, where a command deleted or renamed it."""
    if not page.exists():
        page.write_bytes(text)
        await app.gateway.ask("test.look", lambda memex: (memex.store.look_again(), memex.store.index))


@pytest.mark.parametrize("area", ALL)
async def test_every_command_is_done_without_a_failure(
    store: Path, area: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setattr(MemexApp, "suspend", lambda _: nullcontext())
    monkeypatch.chdir(tmp_path)
    app = MemexApp(str(store), area=area, keep_state=False, watch=False)
    page = store / "docs" / PAGE
    text = page.read_bytes()
    done: list[str] = []
    skipped: set[str] = set()
    async with running(app, WIDE) as pilot:
        for command in every_command():
            if not belongs(command, area) or command.id in LEAVES:
                continue
            await bring_back(app, page, text)
            screen = await begin(app, pilot, area)
            for way in FIRST.get(command.where, ()):
                screen.run_command(way)
                await settle(pilot)
            if "." in command.where and command.where not in screen.contexts():
                skipped.add(command.where)
                continue
            if screen.run_command(command.id):
                done.append(command.id)
            await settle(pilot)
            failed = [note.message for note in app._notifications if note.severity == "error"]
            assert not failed, f"{command.id}: {failed}"
            assert app._exception is None, command.id
            assert app.is_running, command.id
            app.clear_notifications()
    assert not skipped & set(FIRST), "these ways do not lead there any more"
    assert len(done) >= 5, f"hardly a command of {area} could be done: {done}"


def test_every_command_belongs_somewhere() -> None:
    homeless = [one.id for one in every_command() if not any(belongs(one, area) for area in ALL)]
    assert homeless == []
