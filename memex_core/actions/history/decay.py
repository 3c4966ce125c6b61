"""Importance that fades: pages nobody used for a half-life count for less, and for more when used again.

A page's importance becomes what it was, times 2 to the power of minus its half-lives since the last use
(exponential decay, as the specification has it). What it was stays in the page, in ``decay``, so that running
this daily lowers nothing twice, and a person who sets another importance starts anew. The page is as old
as before: where it does not say when it was changed, its file keeps its time. What cannot be read stays.
"""

from __future__ import annotations

import os
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
    since: int  # when the file was changed, in ns; 0 where the page says it itself

    def told(self) -> dict[str, Any]:
        return {
            "slug": self.slug,
            "path": self.edit.path,
            "before": self.before,
            "after": self.after,
            "used": self.used,
        }


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
    waiting: list[_Faded] = []
    changed: list[dict[str, Any]] = []
    warnings: list[str] = []
    checked = 0
    for row in store.index.rows(limit=_ALL)[0]:
        checked += 1
        try:
            data = store.read_bytes(row.path)
            page = store.page(row.path, data)
            why = _spared(page, row, clock.stamp(now))
            if not why:
                _check(page)
            faded = None if why else _faded(store, row, page, data, now, rules.half_life_days)
        except MemexError as error:
            why, faded = "unreadable", None
            warnings.append(f"{row.path}: {error.message}")
        if why:
            spared[why] += 1
        elif faded is not None:
            changed.append(faded.told())
            if not dry_run:
                waiting.append(faded)
        if len(waiting) == _AT_ONCE:
            _commit(store, waiting)
            waiting = []
    _commit(store, waiting)
    return {
        "changed": changed,
        "checked": checked,
        "spared": spared,
        "half_life_days": rules.half_life_days,
        "warnings": warnings,
        "dry_run": dry_run,
    }


def _commit(store: Store, part: list[_Faded]) -> None:
    """Write some pages, and let go of their texts."""
    from memex_core.actions.exchange.importing import keep_times

    if part:
        edits = [one.edit for one in part]
        store.commit(edits, action="update", item=part[0].slug, detail={"decay": True})
        keep_times(store, {one.edit.path: one.since for one in part if one.since})


def _spared(page: Page, row: Row, now: str) -> str:
    if page.status == "draft":
        return "draft"
    if page.status == "deprecated" or (row.valid_until and clock.normal(row.valid_until) <= now):
        return "out of use"
    return "verified" if page.front.get("verified") else ""


def _check(page: Page) -> None:
    """Raise Refused where a value means nothing here: whoever wrote it keeps it."""
    told = next((value for key, value in page.front.items() if key.lower() == "importance"), None)
    wrong = any(problem.message.startswith("importance ") for problem in page.problems)
    if wrong or isinstance(told, list | dict):
        raise Refused(f"importance {told!r} is no number between 0 and 1; it is left as it is")
    note = page.front.get("decay")
    if note is not None and _noted(note) is None:
        raise Refused("decay is not what memex writes there; it is left as it is")


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
    edit = Edit(row.path, data, changed)
    since = 0 if page.updated else _changed_at(store.file_path(row.path))
    return _Faded(edit, row.slug, page.importance, after, used, since)


def _changed_at(file: str) -> int:
    """When a file was changed, in ns; 0 when it is gone by now."""
    try:
        return os.stat(file).st_mtime_ns
    except OSError:
        return 0


def _noted(value: Value) -> tuple[float, float, str] | None:
    """What a page says of the last time: the importance it had, what it was given, and its last use then."""
    if not isinstance(value, dict):
        return None
    try:
        return float(str(value["from"])), float(str(value["to"])), clock.normal(str(value.get("used") or ""))
    except (KeyError, ValueError):
        return None
