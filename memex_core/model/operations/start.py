"""What a face does by itself to get people started."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param

AREAS = ("search", "page", "graph", "sources", "review", "sessions", "diary", "health", "settings")
"""The areas of the app."""

OPERATIONS = (
    Operation(
        "tui",
        "open the app: search, read, edit and walk the memory",
        "start",
        (
            Param("screen", "the area to begin in (default: where it ended)", choices=AREAS, metavar="NAME"),
            Param("dump", "print one frame of an area as text instead", choices=AREAS, metavar="AREA"),
            Param("size", "columns and rows of that frame", "str", "80x24", metavar="WxH"),
        ),
        method=False,
        common=True,
        example="memex tui --screen search",
        detail="memex alone on a terminal does the same; memex --dump AREA prints a frame.",
    ),
    Operation(
        "demo",
        "build a small example store and look around in it",
        "start",
        (Param("dir", "where (default: a new temporary folder)", "path", None, True, metavar="DIR"), DRY_RUN),
        writes=True,
        creates=True,
        method=False,
        common=True,
        example="memex demo",
    ),
    Operation(
        "completion",
        "print a completion script for a shell",
        "start",
        (Param("shell", "the shell", positional=True, required=True, choices=("bash", "zsh", "fish")),),
        method=False,
        example="memex completion bash > ~/.local/share/bash-completion/completions/memex",
    ),
)
