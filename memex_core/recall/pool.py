"""The first stage: from a question to the few hundred rows that are worth judging.

The full-text index is asked for the rows with the question's rarest words, within a budget of
postings, so that a common word costs nothing; a person named narrows it to the documents that
person speaks in, and the unnarrowed question fills up. The rows around the ones found, and those
dated as the question says, come along: an answer often shares no word with its question.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import math
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memex_core.index.analyse import Lookup, query_tokens
from memex_core.index.passages import BITS, POSITION, name_keys
from memex_core.index.spell import candidates
from memex_core.model.dates.named import NamedDate, named_dates
from memex_core.recall.cues import question_cues
from memex_core.recall.dialogue import Asked, Candidate, Wanted
from memex_core.recall.query import Query, Term, match_term
from memex_core.recall.scope import Scope

BUDGET = 5_000  # postings to look at for loose terms
MOST = 4 * BUDGET  # the same, while hardly anything is found
FEW = 20
POOL = 60  # rows with the question's words, or twice as many as are wanted
MENTIONS = 25  # rows besides that mention a person named, in documents without names of speakers
AROUND = 2  # rows before and behind each of them
DATED = 300  # rows that only the date speaks for


class Needle(NamedTuple):
    """A term with what it takes to find and to weigh it; ``df`` in how many rows it is, at most."""

    term: Term
    match: str
    df: int
    wanted: Wanted


class Question(NamedTuple):
    """A query made ready. ``loose`` may be missing in a row, ``strict`` (FTS5) must hold, ``names`` are
    the folded words of people named, ``said`` (FTS5) finds where they are mentioned, ``corrected`` has
    misspelt words and what is searched instead. A ``lookup`` is a word or two, not a question: only
    rows that hold one of them answer it."""

    loose: tuple[Needle, ...]
    strict: str
    excluded: str
    names: tuple[str, ...]
    said: str
    lookup: bool
    dates: tuple[NamedDate, ...]
    corrected: dict[str, str]
    asked: Asked


def question_of(db: sqlite3.Connection, query: Query) -> Question:
    """Weigh the query's terms, tell names from words, repair spelling."""
    rows, tokens = db.execute("SELECT rows, tokens FROM passage_total").fetchone() or (0, 0)
    people, dropped = _people(db, query)
    terms = [term for term in query.terms if term not in dropped] or list(query.terms)
    terms, corrected = _spelt(db, terms)
    loose = tuple(_needle(db, term, rows) for term in terms)
    musts = [(term,) for term in (*query.phrases, *query.wholes)] + list(query.groups)
    strict = [_needle(db, term, rows) for group in musts for term in group]
    dates = tuple(named_dates(query.text))
    return Question(
        loose,
        " AND ".join(_either(map(_match, group)) for group in musts),
        _either(map(_match, query.excluded)) if query.excluded else "",
        tuple(sorted(term.word for term in people)),
        _either(map(_match, people)),
        not query.stopped and not dates and len(query.terms) <= 2,
        dates,
        corrected,
        Asked(
            tuple(needle.wanted for needle in (*loose, *strict)),
            frozenset(term.word for term in people),
            tuple(_span(lookup) for term in people for lookup in term.lookups),
            dates,
            question_cues(query.text),
            tokens / rows if rows else 0.0,
        ),
    )


def candidate_rows(
    db: sqlite3.Connection, question: Question, scope: Scope, k: int
) -> tuple[list[Candidate], set[int]]:
    """The rows to judge, and the ids of those that may be shown, for an answer of ``k`` rows.

    A row around a hit is shown only if it is within ``scope``, and only to a question: where something
    must hold, or one or two words are looked up, only the hits are.
    """
    hits = _hits(db, question, scope, max(POOL, 2 * k))
    near: set[int] = set()
    for i in hits:
        near.update(range(i - min(AROUND, i & POSITION), i + AROUND + 1))
    if question.dates and not question.strict:
        near.update(_dated(db, question.dates, scope))
    rows = _load(db, near)
    if question.strict or question.lookup:
        return rows, set(hits)
    shown = {row.id for row in rows}
    if scope.rows:  # what else a scope asks is asked of the document, and the hits answered that
        shown = set(hits) | _within(db, shown - set(hits), scope)
    if question.excluded:
        shown -= _excluded(db, question, shown)
    return rows, shown


def speaking(
    db: sqlite3.Connection, names: Sequence[str], documents: Iterable[int]
) -> tuple[set[int], set[int]]:
    """Those of ``documents`` in which a person named speaks, and those without names of speakers."""
    if not names:
        return set(), set()
    among = list(documents)
    where = f"IN ({_marks(among)})"
    sql = f"SELECT doc FROM passage_person WHERE key IN ({_marks(names)}) AND doc {where}"
    speak = {doc for (doc,) in db.execute(sql, (*names, *among))}
    unnamed = {
        doc for (doc,) in db.execute(f"SELECT id FROM passage_doc WHERE people = 0 AND id {where}", among)
    }
    return speak, unnamed


# -- the question ------------------------------------------------------------------------------


def _people(db: sqlite3.Connection, query: Query) -> tuple[set[Term], set[Term]]:
    """Words that name a person who speaks somewhere, and those of them that are not searched as words.

    A name is written with a capital (and not just because it begins the question, where it is a
    family name). In a question without capitals a given name counts too, and stays a word.
    """
    careless = query.text == query.text.lower()
    people: set[Term] = set()
    for term in (*query.terms, *query.stopped):
        capital = term.text[:1].isupper()
        if not term.word or not (capital or careless) or (term.stop and (careless or term.start == 0)):
            continue
        found = db.execute("SELECT max(given) FROM passage_person WHERE key = ?", (term.word,)).fetchone()[0]
        if found is not None and (found or not (careless or term.start == 0)):
            people.add(term)
    return people, set() if careless else people


def _spelt(db: sqlite3.Connection, terms: list[Term]) -> tuple[list[Term], dict[str, str]]:
    out, corrected = [], {}
    for term in terms:
        if term.word and not any(_frequency(db, lookup) for lookup in term.lookups):
            near = candidates(term.word, lambda words: _known(db, words))
            if near:
                corrected[term.text] = better = near[0][0]
                term = term._replace(word=better, lookups=tuple(query_tokens(better)))
        out.append(term)
    return out, corrected


def _known(db: sqlite3.Connection, words: Sequence[str]) -> dict[str, int]:
    sql = f"SELECT word, df FROM passage_word JOIN passage_term USING (term) WHERE word IN ({_marks(words)})"
    return dict(db.execute(sql, words))


def _needle(db: sqlite3.Connection, term: Term, rows: int) -> Needle:
    df = min(_frequency(db, lookup) for lookup in term.lookups)
    idf = math.log(1 + max(0.0, rows - df + 0.5) / (df + 0.5))
    return Needle(term, _match(term), df, Wanted(tuple(map(_span, term.lookups)), idf))


def _match(term: Term) -> str:
    return match_term(term, columns="body")


def _either(parts: Iterable[str]) -> str:
    return f"({' OR '.join(parts)})"


def _span(lookup: Lookup) -> str:
    return " " + " ".join(lookup.tokens) + ("" if lookup.kind == "prefix" else " ")


def _frequency(db: sqlite3.Connection, lookup: Lookup) -> int:
    """In how many rows the lookup can be found, at most."""
    if lookup.kind == "prefix":
        low = lookup.tokens[-1]
        sql = "SELECT coalesce(sum(df), 0) FROM passage_term WHERE term >= ? AND term < ?"
        last: int = db.execute(sql, (low, low + "\U0010ffff")).fetchone()[0]
        counts = [last, *(_df(db, token) for token in lookup.tokens[:-1])]
    else:
        counts = [_df(db, token) for token in lookup.tokens]
    return min(counts)


def _df(db: sqlite3.Connection, token: str) -> int:
    row = db.execute("SELECT df FROM passage_term WHERE term = ?", (token,)).fetchone()
    return int(row[0]) if row else 0


# -- the rows ----------------------------------------------------------------------------------


def _hits(db: sqlite3.Connection, question: Question, scope: Scope, pool: int) -> list[int]:
    chosen, left = _chosen(question.loose)
    match = " OR ".join(chosen)
    if question.strict:
        rank_too = " OR ".join([question.strict, *(needle.match for needle in question.loose if needle.df)])
        match = f"({question.strict}) AND ({rank_too})"
    if not match:
        return []
    limited, values = scope.sql("passage_fts.rowid")
    hits: dict[int, None] = {}
    if question.names:
        speak = (
            f"(rowid >> {BITS}) IN (SELECT doc FROM passage_person WHERE key IN ({_marks(question.names)}))"
        )
        hits.update(
            _matching(db, match, question, f"AND {speak} {limited}", (*question.names, *values), pool)
        )
        if (
            not question.strict
            and db.execute("SELECT 1 FROM passage_doc WHERE people = 0 LIMIT 1").fetchone()
        ):
            nobody = f"AND (rowid >> {BITS}) IN (SELECT id FROM passage_doc WHERE people = 0)"
            hits.update(
                _matching(
                    db, f"({match}) AND {question.said}", question, f"{nobody} {limited}", values, MENTIONS
                )
            )
    if len(hits) < pool:
        hits.update(_matching(db, match, question, limited, values, pool))
    if left and scope.narrow and len(hits) < pool:  # what is common elsewhere may be all there is here
        hits.update(_matching(db, _either(left), question, limited, values, pool - len(hits)))
    return list(hits)


def _chosen(loose: Iterable[Needle]) -> tuple[list[str], list[str]]:
    """The rarest terms within the budget (more, while they are in hardly any row), and the rest."""
    chosen: list[str] = []
    left: list[str] = []
    spent = 0
    for needle in sorted(loose, key=lambda one: one.df):
        if not needle.df:
            continue
        room = BUDGET if spent >= FEW else MOST
        if not left and (not chosen or spent + needle.df <= room):
            chosen.append(needle.match)
            spent += needle.df
        else:
            left.append(needle.match)
    return chosen, left


def _matching(
    db: sqlite3.Connection, match: str, question: Question, where: str, values: Sequence[str], limit: int
) -> dict[int, None]:
    if question.excluded:
        match = f"({match}) NOT {question.excluded}"
    sql = (
        f"SELECT rowid FROM passage_fts WHERE passage_fts MATCH ? {where} ORDER BY bm25(passage_fts) LIMIT ?"
    )
    return dict.fromkeys(i for (i,) in db.execute(sql, (match, *values, limit)))


def _dated(db: sqlite3.Connection, dates: Iterable[NamedDate], scope: Scope) -> list[int]:
    """Rows of the months named, of every year where none is."""
    limited, values = scope.sql("passage.id")
    sql = f"SELECT id FROM passage WHERE date BETWEEN ? AND ? {limited} LIMIT ?"
    out: list[int] = []
    for year, month, _ in dates:
        if month is None:
            continue
        years: Iterable[int] = (year,) if year is not None else _years(db)
        for which in years:
            span = (f"{which:04}-{month:02}-01", f"{which:04}-{month:02}-31")
            out += [i for (i,) in db.execute(sql, (*span, *values, DATED - len(out)))]
            if len(out) >= DATED:
                return out
    return out


def _years(db: sqlite3.Connection) -> range:
    first, last = db.execute(
        "SELECT (SELECT min(date) FROM passage WHERE date > ''), (SELECT max(date) FROM passage)"
    ).fetchone()
    return range(int(first[:4]), int(last[:4]) + 1) if first else range(0)


def _within(db: sqlite3.Connection, ids: Iterable[int], scope: Scope) -> set[int]:
    among = list(ids)
    limited, values = scope.sql("passage.id")
    sql = f"SELECT id FROM passage WHERE id IN ({_marks(among)}) {limited}"
    return {i for (i,) in db.execute(sql, (*among, *values))}


def _excluded(db: sqlite3.Connection, question: Question, ids: Iterable[int]) -> set[int]:
    among = list(ids)
    sql = f"SELECT rowid FROM passage_fts WHERE passage_fts MATCH ? AND +rowid IN ({_marks(among)})"
    return {i for (i,) in db.execute(sql, (question.excluded, *among))}


def _load(db: sqlite3.Connection, ids: Iterable[int]) -> list[Candidate]:
    wanted = sorted(ids)
    names: dict[str, frozenset[str]] = {"": frozenset()}
    rows = []
    sql = f"SELECT id, flags, length, date, speaker, body, whole FROM passage WHERE id IN ({_marks(wanted)})"
    for i, flags, length, date, speaker, body, whole in db.execute(sql, wanted):
        if speaker not in names:
            names[speaker] = frozenset(name_keys(speaker))
        words = f" {body} {whole} " if whole else f" {body} "
        rows.append(Candidate(i, flags, length, date, names[speaker], words))
    return rows


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
