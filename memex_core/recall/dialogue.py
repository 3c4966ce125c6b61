"""How well a row answers: the second stage, over the few hundred rows that the first one found.

An answer often shares no word with its question: it stands in the turn after the one that asks, in
a conversation that is about the thing, on the day that is named. So a row is scored by its own words
and by what stands around it. The signals and weights are those of a study on recorded conversations
(two people, English); see the table in :data:`WEIGHTS`. Without cues, speakers and dates (other
languages, an agent's session) the rest of the signals remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import NamedTuple

from memex_core.index.cues import FIRST_PERSON, NUMBER, PLACE, QUESTION, TIME
from memex_core.index.passages import BITS
from memex_core.recall.dates import NamedDate

K1, B = 1.2, 0.75


class Weights(NamedTuple):
    """What each signal is worth, a row with all words of the question being 1."""

    after_question: float = 0.80  # the turn before asks, and matches
    two_before: float = 0.35
    after: float = 0.20
    two_after: float = 0.30
    cover: float = 0.35  # share of the question's words in this row and the two beside it
    session_best: float = 0.30  # mean of the document's three best rows
    session_cover: float = 0.30  # share of the question's words found in the document
    stranger: float = -1.00  # none of the people named takes part or is mentioned
    speaker: float = 0.10  # the one person named is speaking
    speaks_of_self: float = 0.10  # and says I, my, we
    date: float = 0.40
    when: float = 0.30
    number: float = 0.20
    place: float = 0.30
    question: float = -0.10  # the row only asks


WEIGHTS = Weights()


class Wanted(NamedTuple):
    """A term of the question. ``token`` is looked for among a row's words; where it is empty, one of
    the ``spans`` (texts of tokens with a space at each end) in its text. ``idf`` is its weight."""

    token: str
    spans: tuple[str, ...]
    idf: float


class Asked(NamedTuple):
    """The question as the second stage sees it. ``people`` are folded words of names, ``cues`` the
    bits of :mod:`memex_core.index.cues`, ``average`` the mean length of a row in tokens."""

    wanted: tuple[Wanted, ...]
    people: frozenset[str]
    dates: tuple[NamedDate, ...]
    cues: int
    average: float


class Candidate(NamedTuple):
    """A row to be judged. ``words`` is its analysed text, ``speaker`` folded words of the name."""

    id: int
    flags: int
    length: int
    date: str
    speaker: frozenset[str]
    words: str


class Scored(NamedTuple):
    """A judged row; ``own`` is the score of its own words alone, ``parts`` what made the sum."""

    id: int
    score: float
    own: float
    parts: dict[str, float]


def judge(
    asked: Asked,
    rows: Sequence[Candidate],
    takes_part: Callable[[int], bool],
    weights: Weights = WEIGHTS,
) -> list[Scored]:
    """The rows with their scores, in no order.

    ``rows`` should hold the neighbours (two each side) of the rows that matter; what is missing
    counts as silent. ``takes_part(document)`` says whether a person named is among its speakers.
    """
    own, found = _own_scores(asked, rows)
    shares = _Shares(asked.wanted)
    best, cover = _documents(rows, own, found)
    out = []
    flags = {row.id: row.flags for row in rows}
    single = next(iter(asked.people)) if len(asked.people) == 1 else ""
    names_of = {f" {name} " for name in asked.people}
    fits: dict[str, float] = {}
    for row in rows:
        i, document = row.id, row.id >> BITS
        parts = {"words": own[i]}
        before = own.get(i - 1, 0.0)
        if before and flags.get(i - 1, 0) & QUESTION:
            parts["after_question"] = weights.after_question * before
        around = (
            weights.two_before * own.get(i - 2, 0.0)
            + weights.after * own.get(i + 1, 0.0)
            + weights.two_after * own.get(i + 2, 0.0)
        )
        parts["around"] = around + weights.cover * shares[
            found[i] | found.get(i - 1, 0) | found.get(i + 1, 0)
        ]
        parts["session"] = weights.session_best * best.get(document, 0.0) + weights.session_cover * shares[
            cover.get(document, 0)
        ]
        if asked.people:
            if not takes_part(document) and not any(name in row.words for name in names_of):
                parts["people"] = weights.stranger
            elif single and single in row.speaker:
                of_self = weights.speaks_of_self if row.flags & FIRST_PERSON else 0.0
                parts["people"] = weights.speaker + of_self
        if asked.dates and row.date:
            fit = fits.get(row.date)
            if fit is None:
                fit = fits[row.date] = date_fit(row.date, asked.dates)
            if fit:
                parts["date"] = weights.date * fit
        cue = _cue(asked.cues, row.flags, weights)
        if cue:
            parts["cue"] = cue
        out.append(Scored(i, sum(parts.values()), own[i], parts))
    return out


def _own_scores(asked: Asked, rows: Sequence[Candidate]) -> tuple[dict[int, float], dict[int, int]]:
    """BM25 of each row as a share of the question's weight, and the terms found, as bits."""
    place = {wanted.token: n for n, wanted in enumerate(asked.wanted) if wanted.token}
    spans = [(n, wanted.spans) for n, wanted in enumerate(asked.wanted) if not wanted.token]
    idf = [wanted.idf for wanted in asked.wanted]
    total = sum(idf) or 1.0
    average = asked.average or 1.0
    own: dict[int, float] = {}
    found: dict[int, int] = {}
    for row in rows:
        times: dict[int, int] = {}
        for word in row.words.split(" "):
            if word in place:
                n = place[word]
                times[n] = times.get(n, 0) + 1
        for n, texts in spans:
            if count := sum(row.words.count(text) for text in texts):
                times[n] = count
        if not times:
            own[row.id], found[row.id] = 0.0, 0
            continue
        norm = K1 * (1 - B + B * row.length / average)
        bits, score = 0, 0.0
        for n, count in times.items():
            bits |= 1 << n
            score += idf[n] * count * (K1 + 1) / (count + norm)
        own[row.id], found[row.id] = score / total, bits
    return own, found


class _Shares(dict[int, float]):
    """Bits of terms -> their share of the question's weight."""

    def __init__(self, wanted: Iterable[Wanted]) -> None:
        super().__init__()
        self.idf = [one.idf for one in wanted]
        self.total = sum(self.idf) or 1.0

    def __missing__(self, bits: int) -> float:
        share = sum(idf for n, idf in enumerate(self.idf) if bits >> n & 1) / self.total
        self[bits] = share
        return share


def _documents(
    rows: Sequence[Candidate], own: dict[int, float], found: dict[int, int]
) -> tuple[dict[int, float], dict[int, int]]:
    """For each document the mean of its three best rows, and the terms found in it."""
    scores: dict[int, list[float]] = {}
    cover: dict[int, int] = {}
    for row in rows:
        if own[row.id]:
            document = row.id >> BITS
            scores.setdefault(document, []).append(own[row.id])
            cover[document] = cover.get(document, 0) | found[row.id]
    return {document: sum(sorted(all_, reverse=True)[:3]) / 3 for document, all_ in scores.items()}, cover


def _cue(asked: int, flags: int, weights: Weights) -> float:
    worth = 0.0
    if asked & TIME and flags & TIME:
        worth += weights.when
    if asked & NUMBER and flags & NUMBER:
        worth += weights.number
    if asked & PLACE and flags & PLACE:
        worth += weights.place
    if flags & QUESTION:
        worth += weights.question
    return worth


def date_fit(day: str, dates: Iterable[NamedDate]) -> float:
    """How well ``day`` (``YYYY-MM-DD``) fits the best of the dates named, 0 to 1.

    1 in the month named, or on the day named and the week after it (things are told later than they
    happen); 0.5 on other days of that month; 0.3 in a year named alone.
    """
    try:
        at = date.fromisoformat(day)
    except ValueError:
        return 0.0
    return max((_fit(at, *named) for named in dates), default=0.0)


def _fit(at: date, year: int | None, month: int | None, day: int | None) -> float:
    if month is None:
        return 0.3 if year == at.year else 0.0
    if day is not None:
        for which in (year,) if year is not None else (at.year, at.year - 1):
            try:
                if 0 <= (at - date(which, month, day)).days <= 7:
                    return 1.0
            except ValueError:
                continue
    if at.month != month or (year is not None and at.year != year):
        return 0.0
    return 1.0 if day is None else 0.5
