"""The operation that makes vectors."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param

OPERATIONS = (
    Operation(
        "embed",
        "make the vectors that are missing, where [embed] in memex.toml turns them on",
        "embed",
        (
            Param("kinds", "whose: pages, diary, transcripts", "list", (), flags=("--in",)),
            Param("limit", "send at most so many texts this time (0: all)", "int", 0),
            Param("progress", "called with (done, total)", face="api"),
            DRY_RUN,
        ),
        writes=True,
        example="memex embed --dry-run",
        detail=(
            "Texts go, without secrets, to the endpoint that you named; --dry-run says how many and how long "
            "they are. Nothing is sent twice, and an interrupted run goes on where it was."
        ),
    ),
)
