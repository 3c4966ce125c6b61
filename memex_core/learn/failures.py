"""The one table of what can keep a conversation from being learnt from: cause, impact and the next command.

``held`` waits for a setting, spends no attempt and goes on by itself once the setting is right. ``failed``
has spent one; the turns stay unread until a later run, or ``memex jobs retry``, reads them.
"""

from __future__ import annotations

from typing import NamedTuple


class Failure(NamedTuple):
    """``state`` is ``held``, ``failed`` or ``waiting`` (for time to pass). ``next`` says what to do."""

    code: str
    state: str
    cause: str
    impact: str
    next: str


_UNREAD = "nothing was learnt from these turns; they stay unread"
_HELD = "no attempt is spent; the turns wait"

TABLE: tuple[Failure, ...] = (
    Failure("no-model", "held", "no model is named", _HELD, "memex models set PROVIDER --model NAME"),
    Failure("bad-settings", "held", "the model's settings do not fit together", _HELD, "memex models show"),
    Failure("key-refused", "held", "the API key was refused", _HELD, "memex models set --api-key -"),
    Failure(
        "model-unknown",
        "held",
        "the endpoint does not know the model",
        _HELD,
        "memex models set --model NAME",
    ),
    Failure(
        "agent-missing",
        "held",
        "the agent's command is not installed here",
        _HELD,
        "install it, or memex models set",
    ),
    Failure(
        "agent-too-old",
        "held",
        "the agent's command does not know an option that memex gives it",
        _HELD,
        "update it, then memex models test",
    ),
    Failure(
        "rules-invalid",
        "held",
        "the rules of what is never kept cannot be read",
        _HELD,
        "memex rules validate",
    ),
    Failure("run-cap", "waiting", "the run made as many calls as it may", _HELD, "memex consolidate"),
    Failure(
        "day-cap",
        "waiting",
        "24 hours saw as many calls as [consolidation] max_calls_per_day allows",
        _HELD,
        "wait, or raise [consolidation] max_calls_per_day",
    ),
    Failure("endpoint-down", "failed", "the endpoint could not be reached", _UNREAD, "memex models test"),
    Failure(
        "endpoint-slow",
        "failed",
        "no answer came in time",
        _UNREAD,
        "memex models set --timeout SECONDS, then memex consolidate",
    ),
    Failure(
        "endpoint-busy",
        "failed",
        "the endpoint takes no more requests now",
        _UNREAD,
        "memex consolidate, later",
    ),
    Failure("endpoint-failed", "failed", "the endpoint answered with an error", _UNREAD, "memex models test"),
    Failure(
        "agent-failed",
        "failed",
        "the agent's command ended with an error (a key in its settings file is not seen: its login or the "
        "environment must have it)",
        _UNREAD,
        "memex models test",
    ),
    Failure("empty-answer", "failed", "the model answered nothing", _UNREAD, "memex jobs retry ID"),
    Failure(
        "unreadable-answer",
        "failed",
        "the answer holds no page that can be read; it is kept as it came",
        _UNREAD,
        "memex jobs show ID, then memex jobs retry ID",
    ),
    Failure(
        "cut-answer",
        "failed",
        "the answer broke off; its whole pages were taken",
        "pages may be missing; the turns stay unread and are sent in smaller parts",
        "memex models set --max-tokens N, then memex jobs retry ID",
    ),
    Failure("write-failed", "failed", "a page could not be written", _UNREAD, "memex doctor"),
)

_BY_CODE = {one.code: one for one in TABLE}


def failure(code: str) -> Failure:
    """The row of a code. Of a code that is none the cause is never made up."""
    return _BY_CODE.get(code) or Failure(code, "failed", "not known", _UNREAD, "memex jobs show ID")


def holds(code: str) -> bool:
    """Whether a setting is what is wrong: then no attempt counts."""
    return failure(code).state == "held"


def told(code: str, job: str = "", *, again: bool = False) -> dict[str, str]:
    """``{code, cause, impact, next}`` of a job, its id put into the next command; ``again``: the next run
    tries it by itself."""
    row = failure(code)
    following = row.next.replace("memex jobs retry ID", "memex consolidate") if again else row.next
    following = following.replace(" ID", f" '{job}'") if job else following
    return {"code": code, "cause": row.cause, "impact": row.impact, "next": following}


_OF_TRIAL = {
    "empty-answer": ("the model answered nothing", "memex consolidate"),
    "unreadable-answer": ("the answer holds no page that can be read", "memex consolidate"),
    "cut-answer": ("the answer broke off", "memex models set --max-tokens N"),
}


def of_trial(code: str) -> dict[str, str]:
    """:func:`told` of a dry run, after which there is no job and no answer to look at."""
    cause, following = _OF_TRIAL.get(code, (failure(code).cause, failure(code).next))
    impact = "a dry run keeps nothing of it; the turns stay unread"
    return {"code": code, "cause": cause, "impact": impact, "next": following}
