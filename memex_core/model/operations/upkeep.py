"""Operations that look after a store: its state, checks, and the disposable index."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param

PROGRESS = Param("progress", "called with (done, total)", face="api")

OPERATIONS = (
    Operation(
        "status",
        "say what the store holds and whether it is well",
        "upkeep",
        (),
        common=True,
        example="memex status",
    ),
    Operation("info", "print paths, versions and settings in force", "upkeep", (), example="memex info"),
    Operation(
        "verify",
        "check every page, link and file; exit 1 if a check does not hold",
        "upkeep",
        (
            Param("since", "look for use from this time on", metavar="TIME"),
            Param("require_recall", "fail unless memory was recalled", "bool", False),
            Param("require_write", "fail unless something was written", "bool", False),
            PROGRESS,
        ),
        common=True,
        example="memex verify",
    ),
    Operation(
        "doctor",
        "look for what keeps memex from working, on disk, in agents and in the terminal",
        "upkeep",
        (Param("fix", "clear up what killed writers left", "bool", False), PROGRESS, DRY_RUN),
        writes=False,
        example="memex doctor",
        detail="Exit code 1 when a check fails; a warning is none.",
    ),
    Operation(
        "rebuild-index",
        "build the search index anew from the files",
        "upkeep",
        (Param("force", "also when it looks right", "bool", False), PROGRESS, DRY_RUN),
        example="memex rebuild-index",
    ),
    Operation(
        "watch",
        "follow outside edits into the index until interrupted",
        "upkeep",
        (
            Param("poll_interval", "seconds between looks at all files; 0: none (default: 60)", "float"),
            Param("poll", "compare only, where the system cannot tell of changes", "bool", False),
            Param("stop", "a threading.Event that ends it", face="api"),
            Param("since", "the journal event after which others' writes are told too", "int", face="api"),
        ),
        stream=True,
        example="memex watch",
    ),
)
