"""What vectors say to a search: nearness in meaning, added to the score that the words gave.

Linear, on the pool that the words found: score + weight × (cosine − background). The background is what the
question's cosine with any text is, so that a page without a vector stands where an unrelated one does. Ranks
are never fused: with equal weights that loses more than vectors gain. What only the vectors find joins the
pool with nothing for its words, and only when it stands out of the background.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.passages import BITS, POSITION
from memex_core.index.vectors import prints
from memex_core.index.vectors.nearest import EXACT_UP_TO, Background, background, nearest
from memex_core.index.vectors.numbers import cosine
from memex_core.index.vectors.store import Vectors
from memex_core.recall import dialogue, rank
from memex_core.recall.query import match_term
from memex_core.recall.question import Asked, Embedder, vector_of

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.recall.filters import PageFilter
    from memex_core.recall.query import Query
    from memex_core.recall.scope import Scope

ENGINE = "bm25+vectors"

LEAST = 0.08
OUTSTANDING = 3.0
"""How far above the background a text must be that no word of the question found: at least :data:`LEAST`, and
so many times the background's own spread."""

_LOOKED_AT = 100  # nearest vectors, which filters may turn down


class Spot(NamedTuple):
    """A text near the question: the vectors' part of its score, and where it stands."""

    part: float
    kind: str
    name: str
    at: int
    print: bytes


class Meaning:
    """The vectors' part in one search. ``warnings`` say why they had none."""

    def __init__(self, layout: "Layout", embedder: Embedder, weight: float) -> None:
        self.layout = layout
        self.embedder = embedder
        self.weight = weight
        self.warnings: list[str] = []
        self._asked: Asked | None = None
        self._background = Background(0.0, 0.0)
        self._spots: list[Spot] | None = None
        self._begun = False

    @property
    def engine(self) -> str:
        """The name of the ranking, empty when the vectors took no part."""
        return ENGINE if self._asked is not None else ""

    def begin(self, query: "Query") -> bool:
        """Get the question's vector, once; whether there is one."""
        if not self._begun and self.weight:
            self._begun = True
            vectors = None
            try:
                vectors = Vectors.open(self.layout)
                if vectors is None:
                    self.warnings.append("no text has a vector yet: words only; memex embed makes them")
                    return False
                asked = vector_of(vectors, self.embedder, query, self.warnings)
                if asked is not None:
                    self._background = background(vectors, asked.space, asked.vector)
                    self._asked = asked
            except sqlite3.Error:
                self._damaged()
            finally:
                if vectors is not None and self._asked is None:
                    vectors.close()
        return self._asked is not None

    def close(self) -> None:
        if self._asked is not None:
            self._asked.vectors.close()

    # -- pages -----------------------------------------------------------------------------

    def pages(
        self,
        db: sqlite3.Connection,
        judged: Sequence[rank.Scored],
        allowed: "PageFilter",
        query: "Query",
        wanted: int,
    ) -> list[rank.Scored]:
        """The judged pages with the vectors' part behind their others, and pages that only the vectors find.
        ``wanted`` is how many things were asked for."""
        near = self._nearness(prints.pages(db, [one.id for one in judged]))
        out = [
            one._replace(score=one.score + near.get(one.id, 0.0), parts=(*one.parts, near.get(one.id, 0.0)))
            for one in judged
        ]

        def there(spots: Sequence[Spot]) -> Iterable[tuple[int, float]]:
            paths = list(dict.fromkeys(spot.name for spot in spots))
            sql = f"SELECT path, id, digest, title FROM page WHERE path IN ({_marks(paths)})"
            sql += f" AND {allowed.listing}"
            now = {
                path: (page, prints.page_print(digest, title))
                for path, page, digest, title in db.execute(sql, (*paths, *allowed.values))
            }
            return [
                (now[spot.name][0], spot.part)
                for spot in spots
                if spot.name in now and now[spot.name][1] == spot.print
            ]

        few = _few_pages(db, allowed) if allowed.narrow else None
        among = None if few is None else prints.pages(db, few)
        known = {one.id for one in judged}
        for page, part in self._added(db, query, there, among, known, page=True).items():
            parts = (*(0.0 for _ in rank.PARTS), part)
            out.append(rank.Scored(page, part, 0.0, parts, (-1,) * wanted))
        return out

    # -- turns and diary entries -----------------------------------------------------------

    def rows(
        self, db: sqlite3.Connection, judged: Sequence[dialogue.Scored], scope: "Scope", query: "Query"
    ) -> list[dialogue.Scored]:
        """The same for turns and diary entries, whose vectors are read only where there are such rows."""
        near = self._nearness(prints.passages(db, [one.id for one in judged]))
        out = [
            one._replace(score=one.score + near.get(one.id, 0.0), parts=(*one.parts, near.get(one.id, 0.0)))
            for one in judged
        ]
        limited, values = scope.sql("passage.id")

        def there(spots: Sequence[Spot]) -> Iterable[tuple[int, float]]:
            rows = [prints.passage_id(db, spot.kind, spot.name, spot.at) for spot in spots]
            among = list(dict.fromkeys(row for row in rows if row is not None))
            sql = f"SELECT id FROM passage WHERE id IN ({_marks(among)}) {limited}"
            shown = [row for (row,) in db.execute(sql, (*among, *values))]
            now = dict(prints.passages(db, shown))
            return [
                (row, spot.part)
                for row, spot in zip(rows, spots, strict=True)
                if row is not None and now.get(row) == spot.print
            ]

        few = _few_rows(db, scope) if scope.narrow else None
        among = None if few is None else prints.passages(db, few)
        known = {one.id for one in judged}
        for row, part in self._added(db, query, there, among, known, page=False).items():
            out.append(dialogue.Scored(row, part, (*(0.0 for _ in dialogue.PARTS), part)))
        return out

    # -- both ------------------------------------------------------------------------------

    def _nearness(self, marked: Iterable[tuple[int, bytes]]) -> dict[int, float]:
        """Id -> the vectors' part of its score, by its best section; what has no vector is missing."""
        asked = self._asked
        if asked is None:
            return {}
        of: dict[bytes, list[int]] = {}
        for number, mark in marked:
            of.setdefault(mark, []).append(number)
        try:
            return _best(
                (number, self._part(cosine(asked.vector, vector)))
                for mark, vector in asked.vectors.by_print(asked.space, of)
                for number in of[mark]
            )
        except sqlite3.Error:
            self._damaged()
            return {}

    def _part(self, near: float) -> float:
        return self.weight * (near - self._background.level)

    def _added(
        self,
        db: sqlite3.Connection,
        query: "Query",
        there: Callable[[Sequence[Spot]], Iterable[tuple[int, float]]],
        among: Iterable[tuple[int, bytes]] | None,
        known: set[int],
        *,
        page: bool,
    ) -> dict[int, float]:
        """Ids, with their part of the score, that only the vectors find and that may be shown.

        They are looked for in all vectors, of which ``there`` picks, or ``among`` the few that a filter lets
        through. Where something must be there to the letter, the words alone decide what is found.
        """
        if query.phrases or query.wholes or query.groups:
            return {}
        least = self.weight * max(LEAST, OUTSTANDING * self._background.spread)
        if among is not None:
            near = {number: part for number, part in self._nearness(among).items() if part >= least}
        else:
            spots = [one for one in self._nearest() if one.part >= least and (one.kind == "page") is page]
            near = _best(there(spots))
        found = {number: part for number, part in near.items() if number not in known}
        if query.excluded and found:
            table = "page_fts" if page else "passage_fts"
            match = " OR ".join(match_term(term) for term in query.excluded)
            sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid IN ({_marks(list(found))})"
            for (number,) in db.execute(sql, (match, *found)).fetchall():
                del found[number]
        return found

    def _nearest(self) -> list[Spot]:
        """The texts nearest to the question, looked for once a search."""
        if self._spots is None:
            self._spots = []
            if self._asked is None:
                return []
            vectors, space, vector = self._asked
            try:
                near = nearest(vectors, space, vector, _LOOKED_AT)
                parts = {one.id: part for one in near if (part := self._part(one.cosine)) > 0}
                self._spots = [
                    Spot(parts[number], place.kind, place.name, place.at, place.print)
                    for number, place in vectors.places_of(list(parts))
                ]
            except sqlite3.Error:
                self._damaged()
        return self._spots

    def _damaged(self) -> None:
        if self._asked is not None:
            self._asked.vectors.close()
            self._asked = None
        self.warnings.append("the vectors cannot be read: words only; memex embed mends them")


def _few_pages(db: sqlite3.Connection, allowed: "PageFilter") -> list[int] | None:
    """All pages that a filter lets through, when they are few enough to be compared one by one."""
    sql = f"SELECT page.id FROM page WHERE {allowed.listing} LIMIT ?"
    ids = [page for (page,) in db.execute(sql, (*allowed.values, EXACT_UP_TO + 1))]
    return ids if len(ids) <= EXACT_UP_TO else None


def _few_rows(db: sqlite3.Connection, scope: "Scope") -> list[int] | None:
    """The same for turns and diary entries."""
    sql = f"SELECT id, rows FROM passage_doc WHERE {scope.listing}"
    documents = db.execute(sql, scope.document_values).fetchall()
    if sum(rows for _, rows in documents) > EXACT_UP_TO:
        return None
    limited, values = scope.sql("passage.id")
    sql = f"SELECT id FROM passage WHERE id BETWEEN ? AND ? {limited}"
    spans = [(doc << BITS, (doc << BITS) | POSITION) for doc, _ in documents]
    return [row for span in spans for (row,) in db.execute(sql, (*span, *values))]


def _best(found: Iterable[tuple[int, float]]) -> dict[int, float]:
    best: dict[int, float] = {}
    for number, part in found:
        if part > best.get(number, float("-inf")):
            best[number] = part
    return best


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
