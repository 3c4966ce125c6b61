"""The nine areas of the app: one table that says where each is and what it is called.

An area is a folder ``memex_tui/screens/<id>/`` with ``screen.py`` (the class named here) and
``commands.py`` (its ``COMMANDS``).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memex_tui.screens.base import AreaScreen


NO_MEMORY = "There is no memory here yet: 1 goes to Search, where a name and ⏎ begin one"


class Area(NamedTuple):
    """``short`` is the name where 80 columns must do; ``key`` follows ``g``; ``promise`` is its one line."""

    id: str
    title: str
    short: str
    key: str
    screen: str
    promise: str


AREAS = (
    Area(
        "search", "Search", "Search", "s", "SearchScreen", "Find pages, diary entries and turns as you type"
    ),
    Area("page", "Page", "Page", "p", "PageScreen", "Read and edit a page beside what links to it"),
    Area("graph", "Graph", "Graph", "r", "GraphScreen", "Walk along the links of a page"),
    Area(
        "sources",
        "Sources",
        "Source",
        "t",
        "SourcesScreen",
        "See the turns of a conversation that prove a page",
    ),
    Area(
        "review",
        "Review",
        "Review",
        "v",
        "ReviewScreen",
        "Accept, edit or reject what agents want to remember",
    ),
    Area(
        "sessions",
        "Sessions",
        "Sess",
        "n",
        "SessionsScreen",
        "Replay conversations beside the pages they wrote",
    ),
    Area("diary", "Diary", "Diary", "d", "DiaryScreen", "The days, one line at a time"),
    Area(
        "health", "Health", "Health", "h", "HealthScreen", "What is wrong in the memory, and the fix for it"
    ),
    Area("settings", "Settings", "Set", ",", "SettingsScreen", "How the app looks and behaves, and why"),
)
BY_ID = {area.id: area for area in AREAS}


def open_screen(area: str) -> AreaScreen:
    """A new screen for the area; modules are loaded when it is first opened."""
    module = import_module(f"memex_tui.screens.{area}.screen")
    screen: AreaScreen = getattr(module, BY_ID[area].screen)()
    return screen
