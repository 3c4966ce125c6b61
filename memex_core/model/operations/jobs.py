"""Operations on what is to be learnt: what waits, what failed, and what to do about it."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param

_JOB = Param("job", "the job's id, as in memex jobs list", positional=True, required=True, metavar="ID")

OPERATIONS = (
    Operation(
        "jobs list",
        "list conversations that are unread, held, tried again, failed or done",
        "jobs",
        (
            Param("state", "only these: pending, held, running, retrying, failed, done", "list", ()),
            Param("limit", "so many at most", "int", 50),
        ),
        rows="jobs",
        example="memex jobs list --state failed,held",
    ),
    Operation(
        "jobs show",
        "show a job with its failures and the answer that could not be read",
        "jobs",
        (_JOB,),
        example="memex jobs show sess-abc#1",
    ),
    Operation(
        "jobs retry",
        "let failed and held jobs be tried again by the next consolidate",
        "jobs",
        (
            Param("job", "the job's id", positional=True, default="", metavar="ID"),
            Param("all", "all that have failed, also those that are tried again anyway", "bool", False),
            DRY_RUN,
        ),
        writes=True,
        example="memex jobs retry --all",
    ),
    Operation(
        "jobs dismiss",
        "give a job's turns up: they count as read, and nothing is learnt from them",
        "jobs",
        (_JOB, Param("why", "the reason, kept in the journal", default="", metavar="TEXT"), DRY_RUN),
        writes=True,
        example="memex jobs dismiss sess-abc#1 --why 'only small talk'",
    ),
)
