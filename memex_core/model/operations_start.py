"""What a face does by itself to get people started."""

from __future__ import annotations

from memex_core.model.operations import DRY_RUN, Operation, Param

OPERATIONS = (
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
