"""How well a page answers: the second stage, over the few dozen pages that the first one found.

Judged on the analysed text of the index, so that it sees exactly the words the engine saw. A page with
all that was asked scores about 2, more where the words stand together, in order, or in its name.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from memex_core.index.analyse import Lookup, analyse
from memex_core.index.schema import TEXT_COLUMNS, WEIGHTS
from memex_core.recall.candidates import Needle, Plan
from memex_core.recall.query import Query

K1, B = 1.2, 0.75


class Weights(NamedTuple):
    """What each signal is worth at most. Chosen on recorded conversations, sessions and turns as pages:
    the first hit is right in 53 and 27 of 100 questions, where BM25 alone has 49 and 24. All of them are
    scaled to be compared with the scores of turns: a full match is about 2."""

    full: float = 0.35  # the page has all that was asked
    cover: float = 0.70  # squared share of the query's weight that the page has
    words: float = 1.40  # how often, in how prominent a place, in how long a page (BM25)
    proximity: float = 0.35  # the words stand together
    order: float = 0.42  # neighbours in the query are neighbours here
    title: float = 0.42  # the words are in the title or another name, and little else is
    name: float = 0.56  # the query is the page's name
    exact: float = 0.14  # spelt exactly so (résumé, multi-agent)


WEIGHTS_OF_SIGNALS = Weights()
PARTS = Weights._fields

_SATURATED = K1 + 1
_ANCHORS = 6
_ALL = 0.9999
_REACH = 60.0  # code points (about ten words) at which nearness has dropped to half


class Page(NamedTuple):
    """A page's analysed text. ``head`` is all before the body, in which each column has a space at both
    ends, as ``body`` and ``whole`` have; ``columns`` are those of the head."""

    id: int
    columns: tuple[str, ...]
    head: str
    body: str
    whole: str


class Wanted(NamedTuple):
    """One thing asked for: any of ``ways`` will do; of a way all ``(whole form, span)`` must be there: the
    form among the whole forms if there is one, else the span in the text (that of a whole form only tells
    where it is). ``idf`` is its weight, ``simple`` its span when that is all."""

    ways: tuple[tuple[tuple[str, str], ...], ...]
    idf: float
    simple: str


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
    ways = tuple(tuple(map(_span, needle.term.lookups)) for needle in any_of)
    (form, span), *more = ways[0]
    simple = span if len(ways) == 1 and not form and not more else ""
    return Wanted(ways, max(one.idf for one in any_of), simple)


def _span(lookup: Lookup) -> tuple[str, str]:
    joined = " ".join(lookup.tokens)
    if lookup.kind == "whole":
        inside = " ".join(analyse(joined))
        return f" {joined} ", f" {inside} " if inside else ""
    return "", f" {joined}" if lookup.kind == "prefix" else f" {joined} "


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
    for page, *columns, body, whole in db.execute(sql, list(ids)):
        pages.append(Page(page, tuple(columns), f" {'  '.join(columns)} ", f" {body} ", f" {whole} "))
    return pages


def judge(asked: Asked, pages: Iterable[Page], k: int, weights: Weights = WEIGHTS_OF_SIGNALS) -> list[Scored]:
    """The best ``k`` pages, best first, and those that are as good as the last of them."""
    quick = [_quick(asked, page, weights) for page in pages]
    quick.sort(key=lambda one: -one.score)
    places = weights.proximity + weights.order
    done: list[Scored] = []
    least = float("-inf")
    for one in quick:
        if one.score + places < least:
            break
        if one.score < least and len(one.found) - one.found.count(-1) < 2:
            continue
        done.append(_scored(asked, one, weights))
        if len(done) >= k:
            least = sorted([scored.score for scored in done], reverse=True)[k - 1]
    done.sort(key=lambda scored: (-scored.score, scored.id))
    return [scored for scored in done if scored.score >= least]


class _Quick(NamedTuple):
    """A page with the signals that need no places. ``found`` as in :class:`Scored`, ``spans`` are those in
    the body with their weights, ``titled`` those in the title."""

    score: float
    page: Page
    words: float
    parts: tuple[float, ...]
    found: list[int]
    spans: list[tuple[str, float]]
    titled: list[tuple[str, float]]


def _quick(asked: Asked, page: Page, weights: Weights) -> _Quick:
    _, columns, head, body, whole = page
    length = _tokens(body) + _tokens(whole) + head.count(" ") - 5 - columns.count("")
    norm = K1 * (1 - B + B * length / asked.average) if asked.average else K1
    title = f" {columns[0]} "
    names = f"{title} {columns[1]} "
    covered = words = in_names = 0.0
    found: list[int] = []
    spans: list[tuple[str, float]] = []
    titled: list[tuple[str, float]] = []
    for ways, idf, span in asked.wanted:
        if span:
            best = _times(body, span)
            if best:
                spans.append((span, idf))
            if span in head:
                best += _in_head(columns, span)
            which = 0
        else:
            best, which = max((_count(page, way), -number) for number, way in enumerate(ways))
            span = ways[-which][0][1]
            if best and span and span in body:
                spans.append((span, idf))
        if not best:
            found.append(-1)
            continue
        found.append(-which)
        covered += idf
        words += idf * best * _SATURATED / (best + norm)
        if span and span in head and span in names:
            in_names += idf
            if span in title:
                titled.append((span, idf))
    total = asked.total
    cover = covered / total
    named = title == asked.title or page.id in asked.named
    exact = sum(f" {form} " in whole for form in asked.exacts) / len(asked.exacts) if asked.exacts else 0.0
    parts = (
        weights.full if covered and cover > _ALL else 0.0,
        weights.cover * cover * cover,
        weights.words * words / (total * _SATURATED),
        weights.title * in_names / total * (0.5 + 0.5 * _brevity(title, titled)) if in_names else 0.0,
        weights.name if named else 0.0,
        weights.exact * exact,
    )
    return _Quick(sum(parts), page, words, parts, found, spans, titled)


def _tokens(framed: str) -> int:
    """How many tokens a text has that begins and ends with a space."""
    return framed.count(" ") - 1 if len(framed) > 2 else 0


def _brevity(title: str, titled: Iterable[tuple[str, float]]) -> float:
    """The share of the title's words that were asked for."""
    said = sum(max(1, span.count(" ") - 1) for span, _ in titled)
    return min(1.0, said / max(1, title.count(" ") - 1))


def _count(page: Page, way: Sequence[tuple[str, str]]) -> float:
    """How often, weighted by place, the page has all of ``way``; 0 when it lacks one."""
    least = 0.0
    for form, span in way:
        if form and form not in page.whole:
            return 0.0
        count = _times(page.body, span) if span else 0.0
        if span and span in page.head:
            count += _in_head(page.columns, span)
        if form:
            count = max(1.0, count)
        elif not count:
            return 0.0
        least = min(least, count) if least else count
    return least


def _in_head(columns: Sequence[str], span: str) -> float:
    """How often the span is in the columns before the body, by their weights."""
    count = 0.0
    for column, weight in zip(columns, WEIGHTS, strict=False):
        if span in (framed := f" {column} "):
            count += weight * _times(framed, span)
    return count


def _times(text: str, span: str) -> float:
    """How often the span is in the text. Neighbours share the space between them, and one is not seen."""
    count = text.count(span)
    if count and span[:-1] + span in text:
        token = span.strip()
        return float(text.split().count(token)) if " " not in token else count
    return count


def _scored(asked: Asked, one: _Quick, weights: Weights) -> Scored:
    """With the signals of nearness and order."""
    near = order = 0.0
    if len(one.found) - one.found.count(-1) > 1:
        body, head = one.page.body, one.page.head
        if len(one.spans) > 1:
            near = _nearness(body, one.spans)
        if len(one.titled) > 1:
            near = max(near, _nearness(f" {one.page.columns[0]} ", one.titled))
        near *= weights.proximity / asked.total
        if asked.pairs:
            met = sum([weight for span, weight in asked.pairs if span in body or span in head])
            order = weights.order * met / sum([weight for _, weight in asked.pairs])
    parts = (*one.parts[:3], near, order, *one.parts[3:])
    return Scored(one.page.id, one.score + near + order, -one.words, parts, tuple(one.found))


def _nearness(text: str, spans: Sequence[tuple[str, float]]) -> float:
    """The weight of the spans around the best place of the rarest of them, less the farther they are."""
    anchor, weight = min(spans, key=lambda pair: text.count(pair[0]))
    others = [pair for pair in spans if pair[0] != anchor]
    best = 0.0
    at = text.find(anchor)
    tries = 0
    while at >= 0 and tries < _ANCHORS:
        end = at + len(anchor)
        around = weight
        for span, idf in others:
            after = text.find(span, at)
            before = text.rfind(span, 0, end)
            gap = after - end if after >= 0 else len(text)
            if before >= 0:
                gap = min(gap, at - before - len(span))
            around += idf / (1 + gap / _REACH) if gap > 0 else idf
        best = max(best, around)
        at = text.find(anchor, end)
        tries += 1
    return best
