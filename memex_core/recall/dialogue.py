"""How well a row answers: the second stage, over the few hundred rows that the first one found.

An answer often shares no word with its question: it stands in the turn after the one that asks, in
a conversation that is about the thing, on the day that is named. So a row is scored by its own words
and by what stands around it. The signals and weights are those of a study on recorded conversations
(two people, English); see the table in :data:`WEIGHTS`. Without cues, speakers and dates (other
languages, an agent's session) the rest of the signals remain.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

from collections.abc import Container, Iterable, Sequence
from datetime import date
from typing import NamedTuple

from memex_core.index.cues import FIRST_PERSON, NUMBER, PLACE, QUESTION, TIME
from memex_core.index.passages import BITS
from memex_core.model.dates.named import NamedDate

K1, B = 1.2, 0.75


class Weights:
    """What each signal is worth, a row with all words of the question being 1."""

    after_question: float = 0.80  # the turn before asks, and matches
    two_before: float = 0.35
    after: float = 0.20
    two_after: float = 0.30
    cover: float = 0.35  # share of the question's words in this row and the two beside it
    session_best: float = 0.45  # mean of the document's three best rows
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
    """A term of the question: any of ``spans`` (tokens with a space at each end) in a row's words, and
    ``idf``, its weight."""

    spans: tuple[str, ...]
    idf: float


class Asked(NamedTuple):
    """The question as the second stage sees it. ``people`` are folded words of names, ``said`` what a row
    that mentions them holds (spans as in :class:`Wanted`), ``cues`` the bits of
    :mod:`memex_core.index.cues`, ``average`` the mean length of a row in tokens."""

    wanted: tuple[Wanted, ...]
    people: frozenset[str]
    said: tuple[str, ...]
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
    """A judged row. ``parts`` are what made the score, in the order of :data:`PARTS`."""

    id: int
    score: float
    parts: tuple[float, ...]


PARTS = ("words", "after_question", "around", "session", "people", "date", "cue")
"""``words``: the row's own; ``around``: the rows beside it; the rest as in :class:`Weights`."""


def judge(
    asked: Asked,
    rows: Sequence[Candidate],
    speaking: Container[int] = (),
    unnamed: Container[int] = (),
    weights: Weights = WEIGHTS,
) -> list[Scored]:
    """The rows with their scores, in no order.

    ``rows`` should hold the neighbours (two each side) of the rows that matter; what is missing
    counts as silent. ``speaking`` holds the documents in which a person named speaks, ``unnamed`` those
    without names of speakers: there it is enough to be mentioned anywhere.
    """
    own, found = _own_scores(asked, rows)
    shares = _Shares(asked.wanted)
    session = _sessions(own, found, shares, weights)
    flags = {row.id: row.flags for row in rows}
    single = next(iter(asked.people)) if len(asked.people) == 1 else ""
    mentions = {row.id for row in rows if any(span in row.words for span in asked.said)}
    about = {i >> BITS for i in mentions if i >> BITS in unnamed}
    fits: dict[str, float] = {}
    out = []
    for row in rows:
        i = row.id
        before = own.get(i - 1, 0.0)
        reply = weights.after_question * before if before and flags[i - 1] & QUESTION else 0.0
        around = (
            weights.two_before * own.get(i - 2, 0.0)
            + weights.after * own.get(i + 1, 0.0)
            + weights.two_after * own.get(i + 2, 0.0)
            + weights.cover * shares[found.get(i, 0) | found.get(i - 1, 0) | found.get(i + 1, 0)]
        )
        people = 0.0
        if asked.people:
            document = i >> BITS
            if not (document in speaking or document in about or i in mentions):
                people = weights.stranger
            elif single and single in row.speaker:
                people = weights.speaker + (weights.speaks_of_self if row.flags & FIRST_PERSON else 0.0)
        dated = 0.0
        if asked.dates and row.date:
            if row.date not in fits:
                fits[row.date] = weights.date * date_fit(row.date, asked.dates)
            dated = fits[row.date]
        parts = (
            own.get(i, 0.0),
            reply,
            around,
            session.get(i >> BITS, 0.0),
            people,
            dated,
            _cue(asked.cues, row.flags, weights),
        )
        out.append(Scored(i, sum(parts), parts))
    return out


def _own_scores(asked: Asked, rows: Sequence[Candidate]) -> tuple[dict[int, float], dict[int, int]]:
    """BM25 of each row as a share of the question's weight, and the terms found, as bits.

    Rows without any term are in neither.
    """
    total = sum(one.idf for one in asked.wanted) or 1.0
    average = asked.average or 1.0
    terms = [
        (1 << n, span, one.idf * (K1 + 1) / total) for n, one in enumerate(asked.wanted) for span in one.spans
    ]
    own: dict[int, float] = {}
    found: dict[int, int] = {}
    for row in rows:
        words = row.words
        here = [(bit, span, weight) for bit, span, weight in terms if span in words]
        if not here:
            continue
        norm = K1 * (1 - B + B * row.length / average)
        bits, score = 0, 0.0
        for bit, span, weight in here:
            bits |= bit
            count = words.count(span)
            score += weight * count / (count + norm)
        own[row.id], found[row.id] = score, bits
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


def _sessions(
    own: dict[int, float], found: dict[int, int], shares: "_Shares", weights: Weights
) -> dict[int, float]:
    """For each document what its being about the question is worth to all its rows."""
    scores: dict[int, list[float]] = {}
    cover: dict[int, int] = {}
    for i, score in own.items():
        document = i >> BITS
        scores.setdefault(document, []).append(score)
        cover[document] = cover.get(document, 0) | found[i]
    return {
        document: weights.session_best * sum(sorted(all_, reverse=True)[:3]) / 3
        + weights.session_cover * shares[cover[document]]
        for document, all_ in scores.items()
    }


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
