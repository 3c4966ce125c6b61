"""Importance that fades: pages nobody used for a half-life count for less, and for more when used again.

A page's importance becomes what it was, times 2 to the power of minus its half-lives since the last use
(exponential decay, as the specification has it). What it was stays in the page, in ``decay``, so that running
this daily lowers nothing twice, and a person who sets another importance starts anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.actions.terms import plain
from memex_core.files import surgeon
from memex_core.files.commit import Edit
from memex_core.model import clock
from memex_core.model.errors import MemexError, Refused

if TYPE_CHECKING:
    from datetime import datetime

    from memex_core.actions.store import Store
    from memex_core.index.lookup import Row
    from memex_core.model.page import Page, Value

LOWEST = 0.01
_AT_ONCE = 200  # pages an act
_ALL = 1_000_000_000


class _Faded(NamedTuple):
    edit: Edit
    slug: str
    before: float
    after: float
    used: str


def decay(store: Store, *, dry_run: bool = False) -> dict[str, Any]:
    """``{changed: [{slug, path, before, after, used}], checked, spared: {why: pages}, half_life_days}``.

    Spared are drafts, pages that somebody verified, and pages out of use. In a folder opened as it is only
    pages that say how important they are take part.
    """
    rules = store.config.recency_decay
    if not rules.enabled:
        raise Refused("importance does not fade here", hint="[recency_decay] enabled = true lets it")
    now = clock.now()
    spared = {"draft": 0, "verified": 0, "out of use": 0, "unreadable": 0}
    found: list[_Faded] = []
    warnings: list[str] = []
    rows = store.index.rows(limit=_ALL)[0]
    for row in rows:
        try:
            data = store.read_bytes(row.path)
            page = store.page(row.path, data)
            why = _spared(page, row, clock.stamp(now))
            faded = None if why else _faded(store, row, page, data, now, rules.half_life_days)
        except MemexError as error:
            why, faded = "unreadable", None
            warnings.append(f"{row.path}: {error.message}")
        if why:
            spared[why] += 1
        elif faded is not None:
            found.append(faded)
    if not dry_run:
        for at in range(0, len(found), _AT_ONCE):
            part = found[at : at + _AT_ONCE]
            store.commit(
                [one.edit for one in part], action="update", item=part[0].slug, detail={"decay": True}
            )
    return {
        "changed": [
            {
                "slug": one.slug,
                "path": one.edit.path,
                "before": one.before,
                "after": one.after,
                "used": one.used,
            }
            for one in found
        ],
        "checked": len(rows),
        "spared": spared,
        "half_life_days": rules.half_life_days,
        "warnings": warnings,
        "dry_run": dry_run,
    }


def _spared(page: Page, row: Row, now: str) -> str:
    if page.status == "draft":
        return "draft"
    if page.status == "deprecated" or (row.valid_until and clock.normal(row.valid_until) <= now):
        return "out of use"
    return "verified" if page.front.get("verified") else ""


def _faded(store: Store, row: Row, page: Page, data: bytes, now: datetime, half_life: int) -> _Faded | None:
    """The page with the importance that it has by now; None when that is the one it says."""
    if store.layout.folder and "importance" not in page.front:
        return None
    noted = _noted(page.front.get("decay"))
    base = page.importance
    if noted is not None and noted[1] == page.importance:
        base = noted[0]
    written = page.updated or page.created or (noted[2] if noted else row.updated)
    used = max(filter(None, (clock.normal(written), clock.normal(row.last_access))), default="")
    at = clock.parse(used)
    if at is None:
        return None
    days = (now - at).total_seconds() / 86_400
    after = base
    if days >= half_life:
        after = max(round(base * 2 ** (-days / half_life), 2), min(LOWEST, base))
    if after == page.importance:
        return None
    note: Value = None
    if after != base:
        note = {"from": plain(base), "to": plain(after), "used": used}
    changed = surgeon.set_keys(data, {"importance": plain(after), "decay": note})
    return _Faded(Edit(row.path, data, changed), row.slug, page.importance, after, used)


def _noted(value: Value) -> tuple[float, float, str] | None:
    """What a page says of the last time: the importance it had, what it was given, and its last use then."""
    if not isinstance(value, dict):
        return None
    try:
        return float(str(value["from"])), float(str(value["to"])), clock.normal(str(value.get("used") or ""))
    except (KeyError, ValueError):
        return None
