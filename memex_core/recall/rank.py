"""How well a page answers: the second stage, over the few dozen pages that the first one found.

Judged on the analysed text of the index, so that it sees exactly the words the engine saw. A page with
all that was asked scores about 1 to 2, more where the words stand together, in order, or in its name.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from memex_core.index.schema import TEXT_COLUMNS, WEIGHTS
from memex_core.recall.candidates import Needle, Plan
from memex_core.recall.query import Query

K1, B = 1.2, 0.75


class Weights(NamedTuple):
    """What each signal is worth at most."""

    cover: float = 1.00  # squared share of the query's weight that the page has
    words: float = 0.70  # how often, in how prominent a place, in how long a page (BM25)
    near: float = 0.25  # the words stand together
    order: float = 0.20  # neighbours in the query are neighbours here
    title: float = 0.30  # the words are in the title or another name, and little else is
    name: float = 0.40  # the query is the page's name
    exact: float = 0.10  # spelt exactly so (résumé, multi-agent)


WEIGHTS_OF_SIGNALS = Weights()
PARTS = Weights._fields

_SATURATED = K1 + 1
_ANCHORS = 6
_REACH = 60.0  # code points (about ten words) at which nearness has dropped to half
_BEFORE_BODY = WEIGHTS[:5]
_BODY, _WHOLE = TEXT_COLUMNS.index("body"), TEXT_COLUMNS.index("whole")


class Page(NamedTuple):
    """A page's analysed text, each column with a space at both ends."""

    id: int
    columns: tuple[str, ...]
    head: str
    length: int

    @property
    def body(self) -> str:
        return self.columns[_BODY]


class Wanted(NamedTuple):
    """One thing asked for: any of ``ways`` will do; of a way all ``(in the whole forms?, span)`` must be
    there. ``idf`` is its weight."""

    ways: tuple[tuple[tuple[bool, str], ...], ...]
    idf: float


class Asked(NamedTuple):
    """A query as this stage sees it. ``pairs`` are (span, weight) of words that follow each other in the
    query; ``named`` the ids of pages whose name the query is; ``average`` the mean length in tokens;
    ``total`` the weight of everything asked, also of what no page has."""

    wanted: tuple[Wanted, ...]
    pairs: tuple[tuple[str, float], ...]
    exacts: tuple[str, ...]
    title: str
    named: Collection[int]
    average: float
    total: float


class Scored(NamedTuple):
    """A judged page. ``bm25`` is the engine's value (lower is better), ``parts`` are what made the score, in
    the order of :data:`PARTS`, ``found`` is for each thing wanted the number of the way in which the page has
    it, -1 where it lacks it."""

    id: int
    score: float
    bm25: float
    parts: tuple[float, ...]
    found: tuple[int, ...]


def asked_of(db: sqlite3.Connection, query: Query, plan: Plan) -> Asked:
    """What to judge by."""
    needles = [(needle,) for needle in plan.loose] + list(plan.musts)
    wanted = tuple(_wanted(needle) for needle in needles)
    unknown = max((one.idf for one in wanted), default=1.0)
    total = sum(one.idf for one in wanted) + unknown * len(plan.absent)
    sequence = _sequence(query, plan)
    return Asked(
        wanted,
        tuple(_pairs(sequence)),
        query.exacts,
        " " + " ".join(token for tokens, _ in sequence for token in tokens) + " ",
        _called(db, query.text),
        average_length(db),
        total or 1.0,
    )


def _wanted(any_of: Sequence[Needle]) -> Wanted:
    ways = tuple(
        tuple(
            (
                lookup.kind == "whole",
                f" {' '.join(lookup.tokens)}" if lookup.kind == "prefix" else f" {' '.join(lookup.tokens)} ",
            )
            for lookup in needle.term.lookups
        )
        for needle in any_of
    )
    return Wanted(ways, max(one.idf for one in any_of))


def _sequence(query: Query, plan: Plan) -> list[tuple[tuple[str, ...], float]]:
    """The tokens of the query's words in order with their weights; 0 for words that only ask."""
    terms = [(needle.term, needle.idf) for needle in plan.loose]
    terms += [(one.term, one.idf) for must in plan.musts if len(must) == 1 for one in must]
    terms += [(term, 0.0) for term in query.stopped]
    terms.sort(key=lambda pair: pair[0].start)
    return [
        (lookup.tokens, idf) for term, idf in terms for lookup in term.lookups[:1] if lookup.kind == "words"
    ]


def _pairs(sequence: Sequence[tuple[tuple[str, ...], float]]) -> Iterable[tuple[str, float]]:
    """Each two weighty words with what stands between them, as one span."""
    last = -1
    for i, (_, idf) in enumerate(sequence):
        if not idf:
            continue
        if last >= 0:
            between = [token for tokens, _ in sequence[last : i + 1] for token in tokens]
            yield f" {' '.join(between)} ", idf + sequence[last][1]
        last = i


def _called(db: sqlite3.Connection, text: str) -> frozenset[int]:
    """The pages that have ``text`` as title, alias, file name or slug."""
    from memex_core.model.names import KEY_LENGTH, squash

    key = squash(text)[:KEY_LENGTH]
    if not key:
        return frozenset()
    return frozenset(page for (page,) in db.execute("SELECT page FROM name WHERE key = ? LIMIT 1000", (key,)))


def average_length(db: sqlite3.Connection) -> float:
    """The mean number of tokens of a page, from the totals that FTS5 keeps; 0 when there are none."""
    row = db.execute("SELECT block FROM page_fts_data WHERE id = 1").fetchone()
    numbers = _varints(row[0]) if row and row[0] else []
    return sum(numbers[1:]) / numbers[0] if numbers and numbers[0] else 0.0


def _varints(block: bytes) -> list[int]:
    numbers: list[int] = []
    value = 0
    for byte in block:
        value = value << 7 | byte & 127
        if byte < 128:
            numbers.append(value)
            value = 0
    return numbers


def load(db: sqlite3.Connection, ids: Sequence[int]) -> list[Page]:
    """The analysed text of those pages."""
    sql = f"SELECT id, {', '.join(TEXT_COLUMNS)} FROM page_text WHERE id IN ({','.join('?' * len(ids))})"
    pages = []
    for page, *texts in db.execute(sql, list(ids)):
        columns = tuple([f" {text} " for text in texts])
        head = "".join(columns[:_BODY])
        pages.append(Page(page, columns, head, head.count(" ") + columns[_BODY].count(" ") - 7))
    return pages


def judge(asked: Asked, pages: Iterable[Page], k: int, weights: Weights = WEIGHTS_OF_SIGNALS) -> list[Scored]:
    """The best ``k`` pages, best first, and those that are as good as the last of them."""
    quick = [_quick(asked, page, weights) for page in pages]
    quick.sort(key=lambda one: -one[0].score)
    most = weights.near + weights.order
    done: list[Scored] = []
    least = float("-inf")
    for scored, page, spans in quick:
        if scored.score + most < least:
            break
        done.append(_with_places(asked, scored, page, spans, weights))
        if len(done) >= k:
            least = sorted([one.score for one in done], reverse=True)[k - 1]
    done.sort(key=lambda scored: (-scored.score, scored.id))
    return [one for one in done if one.score >= least]


def _quick(asked: Asked, page: Page, weights: Weights) -> tuple[Scored, Page, list[tuple[str, float]]]:
    """The signals that need no places, and the spans found in the body with their weights."""
    norm = K1 * (1 - B + B * page.length / asked.average) if asked.average else K1
    covered = words = in_title = 0.0
    matched = 0
    found: list[int] = []
    spans: list[tuple[str, float]] = []
    names = page.columns[0] + page.columns[1]
    for want in asked.wanted:
        best, which = 0.0, -1
        for number, way in enumerate(want.ways):
            count = _count(page, way)
            if count > best:
                best, which = count, number
        found.append(which)
        if which < 0:
            continue
        covered += want.idf
        words += want.idf * best * _SATURATED / (best + norm)
        in_whole, span = want.ways[which][0]
        if not in_whole and span in page.body:
            spans.append((span, want.idf))
        if span in names:
            in_title += want.idf
            matched += span.count(" ") - 1 or 1
    cover = covered / asked.total
    share = in_title / asked.total
    brevity = min(1.0, matched / max(1, page.columns[0].count(" ") - 1)) if share else 0.0
    named = 1.0 if asked.title == page.columns[0] or page.id in asked.named else 0.0
    whole = page.columns[_WHOLE]
    exact = sum(f" {form} " in whole for form in asked.exacts) / len(asked.exacts) if asked.exacts else 0.0
    parts = (
        weights.cover * cover * cover,
        weights.words * words / (asked.total * _SATURATED),
        0.0,
        0.0,
        weights.title * share * (0.5 + 0.5 * brevity),
        weights.name * named,
        weights.exact * exact,
    )
    return Scored(page.id, sum(parts), -words, parts, tuple(found)), page, spans


def _count(page: Page, way: tuple[tuple[bool, str], ...]) -> float:
    """How often, weighted by place, the page has all of ``way``; 0 when it lacks one."""
    least = 0.0
    for in_whole, span in way:
        if in_whole:
            count = float(span in page.columns[_WHOLE])
            if count and span in page.columns[0]:
                count = WEIGHTS[0]
        else:
            count = float(page.body.count(span))
            if span in page.head:
                for column, weight in zip(page.columns, _BEFORE_BODY, strict=False):
                    if span in column:
                        count += weight * column.count(span)
        if not count:
            return 0.0
        least = min(least, count) if least else count
    return least


def _with_places(
    asked: Asked, scored: Scored, page: Page, spans: list[tuple[str, float]], weights: Weights
) -> Scored:
    """``scored`` with the signals of nearness and order."""
    if len(scored.found) - scored.found.count(-1) < 2:
        return scored
    near = max(_nearness(page.body, spans), _nearness(page.columns[0], _spans_in(asked, page.columns[0])))
    order = 0.0
    if asked.pairs:
        sought = sum(weight for _, weight in asked.pairs)
        order = sum(weight for span, weight in asked.pairs if span in page.body or span in page.head) / sought
    parts = list(scored.parts)
    parts[2] = weights.near * near / asked.total
    parts[3] = weights.order * order
    return scored._replace(score=sum(parts), parts=tuple(parts))


def _spans_in(asked: Asked, text: str) -> list[tuple[str, float]]:
    return [
        (way[0][1], want.idf)
        for want in asked.wanted
        for way in want.ways[:1]
        if not way[0][0] and way[0][1] in text
    ]


def _nearness(text: str, spans: list[tuple[str, float]]) -> float:
    """The weight of the spans around the best place of the rarest of them, less the farther they are."""
    if len(spans) < 2:
        return 0.0
    anchor = min(spans, key=lambda pair: text.count(pair[0]))
    best = 0.0
    at = text.find(anchor[0])
    tries = 0
    while at >= 0 and tries < _ANCHORS:
        sum_ = anchor[1]
        for other in spans:
            if other is not anchor:
                after = text.find(other[0], at)
                before = text.rfind(other[0], 0, at + len(anchor[0]))
                gap = min(
                    after - at - len(anchor[0]) if after >= 0 else len(text),
                    at - before - len(other[0]) if before >= 0 else len(text),
                )
                sum_ += other[1] / (1 + max(0, gap) / _REACH)
        best = max(best, sum_)
        at = text.find(anchor[0], at + 1)
        tries += 1
    return best
