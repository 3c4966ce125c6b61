"""The core's answer to what stands in the query box."""

from __future__ import annotations

from memex_core.index.groups import projects
from memex_core.memex import Memex
from memex_core.model.results import RecallResult


def find(memex: Memex, text: str, k: int, *, typing: bool = True) -> RecallResult:
    """The best ``k`` hits for a query; with ``typing`` its last word may go on. Uses are not counted."""
    from memex_core.recall.options import Options
    from memex_core.recall.recall import search
    from memex_core.recall.snippet import visible
    from memex_core.recall.unfinished import search_unfinished

    store = memex.store
    options = Options(k=k, explain=True, count=False, expand=store.config.recall.expand)
    result = (search_unfinished if typing else search)(store.index, text, options)
    result["stale"] = store.stale
    result["warnings"] = [*result["warnings"], *(visible(one) for one in store.warnings)]
    return result


def values(memex: Memex) -> dict[str, list[str]]:
    """What operators are completed with: the store's own tags, types and projects."""
    index = memex.store.index
    return {
        "tag": [tag for tag, _ in index.tags()],
        "type": list(index.counts()["type"]),
        "project": projects(index.db),
    }
