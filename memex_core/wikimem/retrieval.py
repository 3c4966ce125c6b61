"""From a query to the memories that answer it: ranked, one hop of links after each, cut to a budget."""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from memex_core.files.items import one_space
from memex_core.wikimem.bm25 import Words, matched, query_terms, scores
from memex_core.wikimem.gate import Window, window_of
from memex_core.wikimem.models import RecallItem, RetrievalResult, RetrievedItem
from memex_core.wikimem.store import MemoryStore
from memex_core.wikimem.timeparse import TimeRange
from memex_core.wikimem.tokenize import est_tokens

if TYPE_CHECKING:
    from memex_core.wikimem.fusion import Meaning
    from memex_core.wikimem.vectors import Embedder, Entry


class MemoryIndex:
    """Finds the items of a store, and the diary's entries where a query is about a time.

    ``use_jieba`` as in :func:`tokenize`. An ``embedder`` adds meaning to words, its vectors kept in
    ``vectors_dir`` (default: the store's root); ``fusion_weight`` is the words' share of a score, and
    above ``binary_threshold`` items vectors are compared by sign bits first. Built at the first query and
    again after a change by ``store``; never written to disk.
    """

    def __init__(
        self,
        store: MemoryStore,
        *,
        use_jieba: bool | None = None,
        embedder: Embedder | None = None,
        vectors_dir: Path | str | None = None,
        fusion_weight: float = 0.5,
        binary_threshold: int = 10_000,
    ) -> None:
        self.store = store
        self._use_jieba = use_jieba
        self._weight = fusion_weight
        self._meaning: Meaning | None = None
        if embedder is not None:
            from memex_core.wikimem.fusion import Meaning

            folder = os.fspath(store.root if vectors_dir is None else vectors_dir)
            self._meaning = Meaning(embedder, folder, binary_threshold)
        self._revision = -1
        self._items: list[RecallItem] = []
        self._by_name: dict[tuple[str, str], RecallItem] = {}
        self._words = Words([], use_jieba)

    def rebuild(self) -> None:
        """Read the store anew: needed after a change that did not go through ``store``."""
        revision = self.store.revision
        self._items = self.store.items()
        self._by_name = {(item.file, item.name): item for item in self._items}
        self._words = self._words_of(self._items)
        if self._meaning is not None:
            self._meaning.sync(_entries(self._items))
        self._revision = revision

    def retrieve(
        self,
        query: str,
        *,
        limit: int = 10,
        budget_tokens: int | None = None,
        expand_links: bool = True,
        explain: bool = False,
        time_range: TimeRange | None = None,
        tz: tzinfo | str | None = None,
    ) -> RetrievalResult:
        """The ``limit`` best items for ``query``, with the items they link to, within ``budget_tokens``.

        ``time_range`` (two days, both included), or days that the query names as counted in ``tz``, bring
        in the diary's entries of those days; items have no time and always compete. Calls no model, and
        does not raise where an embedder fails. Raises ValueError for a window or zone that is none.
        """
        if self._revision != self.store.revision:
            self.rebuild()
        window = window_of(query, time_range, tz, self.store.diary)
        terms = query_terms(query, self._use_jieba)
        hits, embedding_used = self._hits(query, terms, limit, window)
        result = RetrievalResult(budget_tokens=budget_tokens, embedding_used=embedding_used)
        if window is not None:
            result.time_range, result.time_range_source = window.days, window.source
            result.time_range_widened = window.widened
        found = list(self._expanded(hits, result.unresolved_links) if expand_links else hits)
        for one in found:
            one.matched_terms = matched(_text(one.item), terms, self._use_jieba)
            one.tokens_est = est_tokens(_text(one.item))
        kept = _within(found, budget_tokens)
        result.items = found[:kept]
        result.dropped = found[kept:] if explain else []
        result.budget_used = sum(one.tokens_est for one in result.items)
        return result

    def _hits(
        self, query: str, terms: Sequence[str], limit: int, window: Window | None
    ) -> tuple[list[RetrievedItem], bool]:
        """The best ones, and whether meaning took part."""
        entries = window.entries if window is not None else []
        if window is not None and entries and not query_terms(window.rest, self._use_jieba):
            newest = sorted(
                enumerate(entries), key=lambda one: (one[1].file, one[1].name, one[0]), reverse=True
            )
            return [RetrievedItem(item, "hit", 0.0, 0.0) for _, item in newest[: max(0, limit)]], False
        groups = [self._words, self._words_of(entries)] if entries else [self._words]
        words = scores(groups, terms)
        meaning = None
        if self._meaning is not None and query.strip() and limit > 0:
            rows = [row for row in words if row < len(self._items)]
            meaning = self._meaning.cosines(query, limit, rows, _entries(entries))
        ranked = words
        if meaning is not None:
            from memex_core.wikimem.fusion import fused

            ranked = fused(words, meaning, self._weight)
        best = heapq.nsmallest(max(0, limit), ranked, key=lambda row: (-ranked[row], row))
        hits = [
            RetrievedItem(
                self._items[row] if row < len(self._items) else entries[row - len(self._items)],
                "hit",
                ranked[row],
                words.get(row, 0.0),
                None if meaning is None else meaning.get(row, 0.0),
            )
            for row in best
        ]
        return hits, meaning is not None

    def _expanded(self, hits: Sequence[RetrievedItem], unresolved: list[str]) -> Iterator[RetrievedItem]:
        """Each hit with the items it links to after it; nothing twice. Links to nothing are noted."""
        seen: set[int] = set()
        for hit in hits:
            if id(hit.item) in seen:
                continue
            seen.add(id(hit.item))
            yield hit
            for link in hit.item.links:
                target = self._by_name.get((link.file, one_space(link.name)))
                if target is None:
                    if link.render() not in unresolved:
                        unresolved.append(link.render())
                elif id(target) not in seen:
                    seen.add(id(target))
                    yield RetrievedItem(target, "link", via=hit.item.name)

    def _words_of(self, items: Sequence[RecallItem]) -> Words:
        return Words([_text(item) for item in items], self._use_jieba)


def _text(item: RecallItem) -> str:
    """What of an item is searched and counted."""
    return f"{item.name}\n{item.content}"


def _entries(items: Sequence[RecallItem]) -> list[Entry]:
    return [((item.file, item.name), _text(item)) for item in items]


def _within(found: Sequence[RetrievedItem], budget: int | None) -> int:
    """How many of the first fit; the first one always does."""
    if budget is None:
        return len(found)
    used = 0
    for number, one in enumerate(found):
        used += one.tokens_est
        if number and used > budget:
            return number
    return len(found)
