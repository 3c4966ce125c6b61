"""What hits cost in tokens, and which of them fit into a budget."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memex_core.recall.pack import est_tokens, pack
from memex_core.recall.snippet import MARK, unmarked

if TYPE_CHECKING:
    from memex_core.model.results import Hit

_MARKS = f"({MARK[0]}|{MARK[1]})"


def cost(hit: Hit) -> int:
    """The tokens of everything a reader of the hit gets to see; the marks around words are no text."""
    return _around(hit) + est_tokens(unmarked(hit["snippet"]))


def _around(hit: Hit) -> int:
    parts = (hit["title"], hit["node_type"], hit["date"], hit["trust"], hit["file_path"], hit["heading"])
    return est_tokens(" ".join((*parts, *hit["tags"], *hit["links"])) + "\n")


def fit(hits: Sequence[Hit], budget: int | None) -> tuple[list[Hit], int]:
    """The hits that fit, best first, and how many are left out. Sets ``tokens`` of each.

    The first always stays: alone too large, it loses the end of its snippet, its links and its tags.
    """
    for hit in hits:
        hit["tokens"] = cost(hit)
    packed = pack(hits, budget, lambda hit: hit["tokens"])
    if packed.cut and budget is not None:
        _cut(hits[0], budget)
    return [hits[i] for i in packed.kept], packed.omitted


def _cut(hit: Hit, budget: int) -> None:
    for key in ("links", "tags"):
        room = budget - _around(hit)
        if room < est_tokens(unmarked(hit["snippet"])):
            hit[key] = []
    hit["snippet"] = shortened(hit["snippet"], budget - _around(hit))
    hit["tokens"] = cost(hit)


def shortened(snippet: str, tokens: int) -> str:
    """The beginning of a marked snippet that costs at most ``tokens``, ``…`` where it is cut."""
    if est_tokens(unmarked(snippet)) <= tokens:
        return snippet
    low, high = 0, len(snippet)
    pieces = re.split(_MARKS, snippet)
    while low < high:
        middle = (low + high + 1) // 2
        if est_tokens(unmarked(_first(pieces, middle)) + "…") <= tokens:
            low = middle
        else:
            high = middle - 1
    return _first(pieces, low) + "…" if low else ""


def _first(pieces: Sequence[str], count: int) -> str:
    """The first ``count`` characters of a snippet cut at its marks, each mark that opens closed again."""
    out: list[str] = []
    left = count
    inside = False
    for piece in pieces:
        if piece in MARK:
            inside = piece == MARK[0]
            out.append(piece)
            continue
        out.append(_cut_at(piece, left))
        left -= len(piece)
        if left <= 0:
            break
    if inside:
        out.append(MARK[1])
    return "".join(out).replace("".join(MARK), "")


def _cut_at(piece: str, count: int) -> str:
    """The first ``count`` characters, without the beginning of an escaped mark that would be cut in two."""
    kept = piece[:count]
    for mark in MARK:
        escaped = f"&lt;{mark[1:]}"
        at = piece.rfind(escaped, 0, count + len(escaped))
        if 0 <= at < count < at + len(escaped):
            return kept[:at]
    return kept
