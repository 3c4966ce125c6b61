"""One hop along the links of hits: what they link to and what links to them, after each of them."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.model import clock
from memex_core.recall.budget import cost
from memex_core.recall.filters import PageFilter, neighbourly
from memex_core.recall.options import Options
from memex_core.recall.page_hits import Shown, page_hits
from memex_core.recall.query import Query

if TYPE_CHECKING:
    from memex_core.index.index import Index
    from memex_core.model.results import Hit

SHARE = 0.5
"""What a page reached by a link gets of the score of the hit that led to it."""

_MOST = 500  # neighbours looked at


class Step(NamedTuple):
    """A page one link away from ``hit`` (an id): it is linked from there (``link``) or links there."""

    hit: int
    page: int
    via: str
    rel: str


def expanded(
    index: "Index", hits: "Sequence[Hit]", ids: Mapping[str, int], query: Query, options: Options
) -> "tuple[list[Hit], int]":
    """``hits`` with their neighbours behind them, and how many neighbours are left out.

    ``ids`` are the pages' ids by file. Neighbours take what is left of the budget; without one there are
    at most ``options.k``. Hidden pages are no neighbours, nor are those of another project than was asked
    for, and none comes twice.
    """
    present = [ids[hit["file_path"]] for hit in hits if hit["kind"] == "page"]
    allowed = neighbourly(index.db, query, options, clock.stamp())
    steps = neighbours(index.db, present, allowed)
    most = len(steps) if options.budget is not None else options.k
    by_id = {ids[hit["file_path"]]: hit for hit in hits if hit["kind"] == "page"}
    shown = [_shown(step, by_id[step.hit]) for step in steps[:most]]
    made = {one.id: one.hit for one in page_hits(index.db, index.layout, shown, query.tokens)}
    left = None if options.budget is None else options.budget - sum(hit["tokens"] for hit in hits)
    behind: dict[int, list[Hit]] = {}
    kept = 0
    for step in steps[:most]:
        hit = made.get(step.page)
        if hit is None:
            continue
        hit["tokens"] = cost(hit)
        hit["why"]["route"] = [by_id[step.hit]["slug"], hit["slug"]]
        if left is not None:
            if hit["tokens"] > left:
                continue
            left -= hit["tokens"]
        kept += 1
        behind.setdefault(step.hit, []).append(hit)
    out: list[Hit] = []
    for hit in hits:
        out.append(hit)
        if hit["kind"] == "page":
            out += behind.get(ids[hit["file_path"]], [])
    return out, len(steps) - kept


def _shown(step: Step, hit: "Hit") -> Shown:
    why = {
        "matched": [],
        "parts": {},
        "relaxed": False,
        "dropped": [],
        "route": [],
        "via": step.via,
        "rel": step.rel,
    }
    return Shown(step.page, hit["score"] * SHARE, 0.0, (), why)


def neighbours(db: sqlite3.Connection, pages: Sequence[int], allowed: PageFilter) -> list[Step]:
    """The pages one link away from ``pages``, in their order; of each first what it links to, in the order
    of its text, then what links to it."""
    among = ",".join("?" * len(pages))
    found: dict[int, list[Step]] = {}
    for here, there, via, order in (
        ("page", "dst", "link", "l.page, l.ord"),
        ("dst", "page", "backlink", "l.dst, page.slug, l.ord"),
    ):
        sql = (
            f"SELECT l.{here}, l.{there}, l.rel FROM link l JOIN page ON page.id = l.{there} "
            f"WHERE l.{here} IN ({among}) AND {allowed.where} ORDER BY {order} LIMIT {_MOST}"
        )
        for hit, page, rel in db.execute(sql, (*pages, *allowed.values)):
            found.setdefault(hit, []).append(Step(hit, page, via, rel))
    seen = set(pages)
    steps: list[Step] = []
    for hit in pages:
        for step in found.get(hit, ()):
            if step.page not in seen:
                seen.add(step.page)
                steps.append(step)
    return steps
