"""What is known of a page before anything is asked: how important it is, how fresh, how often used.

Off by default. Where it is on, each of the three raises a page's score by at most :data:`SHARE` of itself:
enough to settle which of two pages that answer alike comes first, never enough to lift one that answers
worse by more than that.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memex_core.model import clock
from memex_core.recall.rank import Scored

SHARE = 0.05
NAMES = ("importance", "recency", "use")

_OFTEN = 20  # uses that count in full
_USUAL = 0.5  # the importance of a page that does not say


class Priors(NamedTuple):
    """``weight`` 0 to 1 scales all of them; a page's freshness halves every ``half_life`` days."""

    weight: float
    half_life: int


def weighed(
    db: sqlite3.Connection, ranked: Sequence[Scored], priors: Priors
) -> tuple[list[Scored], dict[int, dict[str, float]]]:
    """The pages with their new scores, best first, and what each prior added, by page."""
    marks = ",".join("?" * len(ranked))
    sql = f"SELECT id, importance, updated, access_count FROM page WHERE id IN ({marks})"
    known = {
        page: (importance, updated, uses)
        for page, importance, updated, uses in db.execute(sql, [one.id for one in ranked])
    }
    now = clock.now()
    found, added = [], {}
    for one in ranked:
        importance, updated, uses = known.get(one.id, (None, "", 0))
        shares = _shares(importance, updated, uses, now, priors.half_life)
        parts = {
            name: one.score * SHARE * priors.weight * share for name, share in zip(NAMES, shares, strict=True)
        }
        added[one.id] = parts
        found.append(one._replace(score=one.score + sum(parts.values())))
    return sorted(found, key=lambda one: (-one.score, one.id)), added


def _shares(
    importance: float | None, updated: str | None, uses: int | None, now: datetime, half_life: int
) -> tuple[float, float, float]:
    """Each from 0 to 1: the most important, the newest, the most used page."""
    from math import log

    weight = _USUAL if importance is None else min(max(importance, 0.0), 1.0)
    then = clock.parse(updated) if updated else None
    days = max((now - then).total_seconds() / 86_400, 0.0) if then is not None else None
    fresh = 0.0 if days is None else 0.5 ** (days / half_life)
    used = min(log(1 + max(uses or 0, 0)) / log(1 + _OFTEN), 1.0)
    return weight, fresh, used
