"""Operations on the diary: one file a day, one section an event."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param

OPERATIONS = (
    Operation(
        "diary append",
        "add an entry to the diary",
        "diary",
        (
            Param(
                "text",
                "what happened; - reads standard input",
                "words",
                "",
                True,
                required=True,
                stdin=True,
            ),
            Param("date", "the day (default: today)", metavar="YYYY-MM-DD"),
            Param("time", "the time (default: now)", metavar="HH:MM"),
            Param(
                "tz", "the time zone of both, such as Europe/Berlin (default: the machine's)", metavar="ZONE"
            ),
            DRY_RUN,
        ),
        writes=True,
        creates=True,
        common=True,
        example='memex diary append "Moved the server to Falkenstein."',
    ),
    Operation(
        "diary show",
        "print diary entries",
        "diary",
        (
            Param(
                "date",
                "a day, a range of days, or a time such as yesterday (default: the last day)",
                positional=True,
                metavar="DATE[..DATE]",
            ),
        ),
        rows="entries",
        example="memex diary show 2026-11-01..2026-11-30",
    ),
    Operation(
        "diary dates",
        "list the days that have entries",
        "diary",
        (),
        rows="dates",
        example="memex diary dates",
    ),
    Operation(
        "diary on-this-day",
        "print what the diary says of this day in earlier months and years",
        "diary",
        (Param("date", "another day than today", positional=True, metavar="DATE"),),
        rows="entries",
        example="memex diary on-this-day",
    ),
)
