"""The pages that matter most of those that a filter lets through, where nothing was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memex_core.model import clock
from memex_core.recall.filters import page_filter
from memex_core.recall.page_hits import Shown, page_hits
from memex_core.recall.query import Query

if TYPE_CHECKING:
    from memex_core.index.index import Index
    from memex_core.model.results import Hit
    from memex_core.recall.options import Options


def foremost(index: Index, options: Options) -> list[Hit]:
    """The ``options.k`` most important pages, the newest of equals first."""
    allowed = page_filter(index.db, Query(""), options, clock.stamp())
    sql = (
        f"SELECT page.id FROM page WHERE {allowed.listing} "
        "ORDER BY page.importance DESC, page.updated DESC, page.slug LIMIT ?"
    )
    shown = [Shown(page) for (page,) in index.db.execute(sql, (*allowed.values, options.k))]
    return [one.hit for one in page_hits(index.db, index.layout, shown, ())]
