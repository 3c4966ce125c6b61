"""The one place that decides whether a page is shown by recall, context and lists.

The rule exists twice, as Python and as SQL over the index's ``page`` table; a test holds the two
together. Times are normalised by :func:`memex_core.model.clock.normal`: a stamp, a bare date, or
empty for "no limit". A bare date means that day at 00:00Z, and compared as text it does: it is a
prefix of that day's first stamp, so it sorts just before it.
"""

from __future__ import annotations

from .status import INACTIVE


def visible(
    status: str | None,
    valid_from: str | None,
    valid_until: str | None,
    now_stamp: str,
    *,
    expired: bool = False,
    inactive: bool = False,
) -> bool:
    """Whether a page shows at ``now_stamp``: it is in force, and from ≤ now < until.

    ``expired`` lifts the time window (past and future), ``inactive`` the status.
    """
    if not inactive and status in INACTIVE:
        return False
    if expired:
        return True
    now = moment(now_stamp)
    return (valid_from or "") <= now and not (valid_until and valid_until <= now)


def clause(
    now_stamp: str, *, expired: bool = False, inactive: bool = False, table: str = "page"
) -> tuple[str, list[str]]:
    """The same rule as an SQL condition on ``table`` and its parameters; ``1`` when nothing is hidden."""
    parts: list[str] = []
    params: list[str] = []
    if not inactive:
        marks = ", ".join("?" for _ in INACTIVE)
        parts.append(f"ifnull({table}.status, '') NOT IN ({marks})")
        params += INACTIVE
    if not expired:
        now = moment(now_stamp)
        parts.append(f"ifnull({table}.valid_from, '') <= ?")
        parts.append(f"(ifnull({table}.valid_until, '') = '' OR {table}.valid_until > ?)")
        params += [now, now]
    return (" AND ".join(parts) or "1"), params


def moment(stamp: str) -> str:
    """``stamp``, a bare date made that day at 00:00Z."""
    return f"{stamp}T00:00:00Z" if len(stamp) == 10 else stamp
