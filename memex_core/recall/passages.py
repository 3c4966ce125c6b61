"""Search over conversation turns and diary entries, and the hits that a face shows.

Two stages: :mod:`memex_core.recall.pool` finds a few hundred rows, :mod:`memex_core.recall.dialogue`
judges them. The text of a hit is read from its file.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.files.opening import regular
from memex_core.index.passages import BITS, POSITION
from memex_core.recall.dialogue import PARTS, Scored, judge
from memex_core.recall.pool import Question, candidate_rows, question_of, speaking
from memex_core.recall.query import Query
from memex_core.recall.scope import Scope, scope_of
from memex_core.recall.snippet import snippet

if TYPE_CHECKING:
    from typing import Protocol

    from memex_core.files.layout import Layout
    from memex_core.model.results import Hit
    from memex_core.recall.fusion import Meaning
    from memex_core.recall.scope import Limits

    class Searched(Protocol):
        """The part of the index that is used: its connection and the layout of its store."""

        @property
        def db(self) -> sqlite3.Connection: ...
        @property
        def layout(self) -> "Layout": ...

    class Options(Limits, Protocol):
        @property
        def k(self) -> int: ...
        @property
        def meaning(self) -> "Meaning | None": ...


SNIPPET_WIDTH = 160
NOTHING = Query("")


class Answer(NamedTuple):
    """``hits`` (of :class:`memex_core.model.results.Hit`), the best first. ``corrected`` maps a misspelt
    word to what was searched. ``relaxed`` tells that the best hit does not hold all words, ``total`` how
    many rows there are to be found."""

    hits: list[Any]
    corrected: dict[str, str]
    relaxed: bool
    total: int


def search(index: "Searched", query: Query, options: "Options") -> "list[Hit]":
    """The best ``options.k`` turns and diary entries for a query; see :func:`answer`."""
    return answer(index, query, options).hits


def answer(index: "Searched", query: Query, options: "Options") -> Answer:
    """Ranked turns and diary entries, a turn once; for a blank query, or filters alone, the newest.

    A full match scores about 1, more where what surrounds it agrees. Raises ``sqlite3.Error`` when the
    engine fails: that is never "no hits".
    """
    db = index.db
    total: int = (db.execute("SELECT rows FROM passage_total").fetchone() or (0,))[0]
    scope = scope_of(db, query, options)
    if not total or not scope.possible or query.hopeless:
        return Answer([], {}, False, total)
    if not query.positive:
        return Answer(_hits(index, _newest(db, scope, options.k), query, None), {}, False, total)
    question = question_of(db, query)
    ranked = rank(db, question, scope, options.k, query, options.meaning)
    hits = _hits(index, ranked, query, question)
    words = ranked[0].parts[0] if ranked else 0.0
    relaxed = len(question.loose) > 1 and bool(ranked) and not _holds_all(db, ranked[0].id, question, words)
    return Answer(hits, question.corrected, relaxed, total)


def rank(
    db: sqlite3.Connection,
    question: Question,
    scope: Scope,
    k: int,
    query: Query = NOTHING,
    meaning: "Meaning | None" = None,
) -> list[Scored]:
    """The best ``k`` rows, best first; of the pieces of a long turn only the best."""
    rows, shown = candidate_rows(db, question, scope, k)
    documents = {row.id >> BITS for row in rows}
    judged = judge(question.asked, rows, *speaking(db, question.names, documents))
    judged = [row for row in judged if row.id in shown]
    if meaning is not None:
        judged = meaning.rows(db, judged, scope, query)
    judged.sort(key=lambda row: (-row.score, row.id))
    return _each_turn_once(db, judged, k)


def _each_turn_once(db: sqlite3.Connection, ranked: Sequence[Scored], k: int) -> list[Scored]:
    out: list[Scored] = []
    seen: set[tuple[int, int]] = set()
    for start in range(0, len(ranked), 2 * k):
        part = ranked[start : start + 2 * k]
        marks = ",".join("?" * len(part))
        turns = dict(
            db.execute(f"SELECT id, at FROM passage WHERE id IN ({marks})", [row.id for row in part])
        )
        for row in part:
            turn = (row.id >> BITS, turns[row.id])
            if turn not in seen:
                seen.add(turn)
                out.append(row)
                if len(out) == k:
                    return out
    return out


def _holds_all(db: sqlite3.Connection, row: int, question: Question, words: float) -> bool:
    if not words or any(not needle.df for needle in question.loose):
        return False
    match = " AND ".join(needle.match for needle in question.loose)
    sql = "SELECT 1 FROM passage_fts WHERE passage_fts MATCH ? AND rowid = ?"
    return db.execute(sql, (match, row)).fetchone() is not None


def _newest(db: sqlite3.Connection, scope: Scope, k: int) -> list[Scored]:
    out: list[Scored] = []
    listed = f"SELECT id FROM passage_doc WHERE {scope.listing} ORDER BY last DESC, id DESC"
    sql = f"SELECT id FROM passage r WHERE id BETWEEN ? AND ? AND start = 0 AND {scope.rows or '1'}"
    sql += " ORDER BY id DESC LIMIT ?"
    for (doc,) in db.execute(listed, scope.document_values).fetchall():
        span = (doc << BITS, (doc << BITS) | POSITION)
        out += [Scored(i, 0.0, ()) for (i,) in db.execute(sql, (*span, *scope.row_values, k - len(out)))]
        if len(out) >= k:
            break
    return out


# -- hits --------------------------------------------------------------------------------------


def _hits(
    index: "Searched", ranked: Sequence[Scored], query: Query, question: Question | None
) -> "list[Hit]":
    tokens, weights = _marked(query, question)
    names = set(question.names) if question else set()
    out: list[Hit] = []
    taken_back: dict[str, Callable[[int], bool]] = {}
    for row in _details(index.db, ranked):
        path = _path(index.layout, row)
        read = read_text(path, row["kind"], row["name"], row["at"], row["size"])
        piece = read.text[row["start"] : row["end"]]
        shown = snippet(piece, tokens, width=SNIPPET_WIDTH, weights=weights)
        hit = _hit(row, path, read, shown.text, _typed(query, question, shown.matched, names))
        hit["rank"] = len(out) + 1
        if row["kind"] == "turn":
            if path not in taken_back:
                from memex_core.files.session_meta import abandoned_in

                taken_back[path] = abandoned_in(path.removesuffix(".jsonl") + ".meta.json")
            hit["abandoned"] = taken_back[path](row["turn"])
        out.append(hit)
    return out


def _marked(query: Query, question: Question | None) -> tuple[list[str], dict[str, float]]:
    """The tokens to mark, corrections included, with their weights."""
    tokens = dict.fromkeys(query.tokens)
    weights: dict[str, float] = {}
    for needle in question.loose if question else ():
        for lookup in needle.term.lookups:
            for token in lookup.tokens:
                weights[token] = needle.wanted.idf
                if lookup.kind != "prefix":
                    tokens[token] = None
    return list(tokens), weights


def _typed(query: Query, question: Question | None, found: Iterable[str], names: set[str]) -> list[str]:
    """The query's words that were found, as they were typed."""
    marked = {token.rstrip("*") for token in found}
    terms = [needle.term for needle in question.loose] if question else []
    terms += [*query.phrases, *query.wholes, *(term for group in query.groups for term in group)]
    terms += [term for term in query.terms if term.word in names]
    return list(
        dict.fromkeys(
            term.text.strip("?!.,;:")
            for term in terms
            if marked & {t for one in term.lookups for t in one.tokens}
        )
    )


def _details(db: sqlite3.Connection, ranked: Sequence[Scored]) -> list[dict[str, Any]]:
    """The rows with what their documents say, in the order of ``ranked``."""
    marks = ",".join("?" * len(ranked))
    cursor = db.execute(
        "SELECT p.id, p.turn, p.role, p.speaker, p.date, p.time, p.at, p.size, p.start, p.end, "
        "d.kind, d.name, d.title, d.agent, d.project, d.last "
        f"FROM passage p JOIN passage_doc d ON d.id = p.id >> {BITS} WHERE p.id IN ({marks})",
        [row.id for row in ranked],
    )
    columns = [column[0] for column in cursor.description]
    found = {row[0]: dict(zip(columns, row, strict=True)) for row in cursor}
    return [{**found[row.id], "scored": row} for row in ranked if row.id in found]


class Text(NamedTuple):
    """What a row's file says now: the text of the turn or entry, its 1-based line in the file (0 for a
    turn) and whose word it is."""

    text: str
    line: int
    trust: str


def read_text(file_path: str, kind: str, name: str, at: int, size: int) -> Text:
    """The text of a row from its bytes; empty when the file has changed since it was indexed."""
    try:
        with open(file_path, "rb", opener=regular) as file:
            line = 1 + file.read(at).count(b"\n") if kind == "diary" else 0
            file.seek(at)
            data = file.read(size)
    except OSError:
        return Text("", 0, "human")
    if kind == "diary":
        from memex_core.files import diary

        found = diary.entries(data, name)
        return Text(diary.text_of(found[0]) if found else "", line, "human")
    from memex_core.files import turns

    record = turns.parse(data)[0] or {}
    trust = record.get("trust")
    known = trust if trust in turns.TRUSTS else turns.TRUST_OF.get(str(record.get("role")), "human")
    return Text(turns.sound(turns.text_of(record)), 0, str(known))


def _path(layout: "Layout", row: dict[str, Any]) -> str:
    if row["kind"] == "turn":
        return os.path.join(layout.transcripts, f"{row['name']}.jsonl")
    return os.path.join(layout.diary, f"{row['name']}.md")


def _hit(row: dict[str, Any], path: str, read: Text, shown: str, matched: list[str]) -> "Hit":
    scored: Scored = row["scored"]
    is_turn = row["kind"] == "turn"
    stamp = f"{row['date']}T{row['time']}:00Z" if is_turn and row["time"] else row["date"]
    hit: Hit = {
        "rank": 0,
        "kind": row["kind"],
        "slug": f"{row['name']}#{row['turn']}",
        "file_path": path,
        "title": row["title"],
        "node_type": row["kind"],
        "status": "stable",
        "scope": "project" if row["project"] else "global",
        "importance": 0.5,
        "score": round(scored.score, 6),
        "bm25": round(scored.parts[0], 6) if scored.parts else 0.0,
        "snippet": shown,
        "snippet_source": "body",
        "tags": [],
        "created": stamp,
        "updated": stamp,
        "last_access": None,
        "transcript_ref": f"transcripts/{row['name']}.jsonl" if is_turn else None,
        "links": [],
        "matched": matched,
        "why": {
            name: round(part, 4)
            for name, part in zip((*PARTS, "vectors"), scored.parts, strict=False)
            if part or name == "words"
        },
        "date": row["date"],
        "heading": row["time"] if not is_turn else "",
        "line": read.line,
        "trust": read.trust,
        "tokens": 0,
    }
    if is_turn:
        hit["session_id"] = row["name"]
        hit["turn"] = row["turn"]
        hit["role"] = row["role"]
        hit["name"] = row["speaker"]
    return hit
