"""The next hits of an answer: those before stay where they were, and none comes twice.

A longer answer is no longer beginning of the same list. More candidates are judged for it, and they fall
in between; so what follows is the longer answer without what was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memex_core.model.results import Hit, RecallResult


def leafed(run: Callable[[int], RecallResult], k: int, start: int, lengths: Iterable[int]) -> RecallResult:
    """At most ``k`` hits behind the first ``start`` of the list that an answer of ``k`` begins.

    ``run`` answers with so many hits; ``lengths`` are those of the longer answers that are asked, one
    after the other, for as long as the list is too short.
    """
    found = run(k)
    every = _by_source(found["hits"])
    for length in lengths:
        if len(every) >= start + k:
            break
        if length > k:
            found = run(length)
            for source, hit in _by_source(found["hits"]).items():
                every.setdefault(source, hit)
    found["hits"] = list(every.values())[start : start + k]
    for rank, hit in enumerate(found["hits"], start + 1):
        hit["rank"] = rank
    return found


def _by_source(hits: Iterable[Hit]) -> dict[tuple[str, str, str], Hit]:
    return {(hit["kind"], hit["file_path"], hit["slug"]): hit for hit in hits}
