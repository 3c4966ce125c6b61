"""A moment as the three kinds of dated things have it: bare dates, instants, and a clock on a wall."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

from typing import NamedTuple

from memex_core.model import clock


class Moment(NamedTuple):
    """``day`` (``YYYY-MM-DD``) and ``local`` (``YYYY-MM-DDTHH:MM``) are on the machine's calendar and clock,
    ``stamp`` is the same in UTC. Each compares as text."""

    day: str
    local: str
    stamp: str


def moment_of(value: str) -> Moment:
    """The beginning of a day ``YYYY-MM-DD``, or the moment of a stamp."""
    if len(value) == 10:
        return Moment(value, f"{value}T00:00", clock.midnight(value))
    at = clock.parse(value)
    local = at.astimezone().isoformat()[:16] if at else value[:16]
    return Moment(local[:10], local, value)
