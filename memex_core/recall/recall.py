"""From a question to ranked hits: pages, diary entries and turns in one list."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.index.failing import failure
from memex_core.index.stopwords import STOP, drop_stop_words
from memex_core.model import clock
from memex_core.model.errors import BadInput
from memex_core.recall.budget import fit
from memex_core.recall.candidates import Plan, candidates, plan_of
from memex_core.recall.filters import PageFilter, page_filter
from memex_core.recall.options import PLACES, Options
from memex_core.recall.page_hits import PageHit, Shown, page_hits, rows_of
from memex_core.recall.query import Query, parse
from memex_core.recall.rank import PARTS, Scored, asked_of, judge, load

if TYPE_CHECKING:
    from memex_core.index.index import Index
    from memex_core.model.results import Hit, RecallResult

__all__ = ["PLACES", "Options", "search"]

ENGINE = "bm25"

LONGEST = 24
"""Words of a query; a longer text is pasted. (Scripts without spaces make up to four terms of a word.)"""


class _Pages(NamedTuple):
    hits: list[PageHit]
    corrected: Mapping[str, str]
    notes: tuple[str, ...] = ()


class _Rows(NamedTuple):
    hits: "list[Hit]"
    corrected: Mapping[str, str]
    relaxed: bool = False


def search(index: "Index", query: str | Query, options: Options) -> "RecallResult":
    """The best ``options.k`` hits for ``query``; for an empty one, or filters alone, the newest.

    Raises SearchFailed when the engine fails (never "no hits"), Interrupted when it was told to stop, and
    BadInput for ``after``, ``before`` or ``when`` that are no time. A query given as text is searched within
    the time that its words name (:mod:`memex_core.recall.window`).
    """
    if isinstance(query, str):
        from memex_core.recall.window import gated

        def run(text: str, options: Options) -> "RecallResult":
            return search(index, parse(text), options)

        try:
            return gated(sound(query), options, run, index.find)
        except sqlite3.Error as error:
            raise failure(error) from error
    return _timed(index, query, options)


def _timed(index: "Index", asked: Query, options: Options) -> "RecallResult":
    began = time.perf_counter()
    options = _with_days(options)
    try:
        result = _search(index, asked, options)
    except sqlite3.Error as error:
        raise failure(error) from error
    except UnicodeEncodeError as error:
        raise BadInput(f"{error.object!r} is no text", hint="write it in UTF-8") from error
    result["search_time_ms"] = round((time.perf_counter() - began) * 1000, 3)
    return result


def sound(text: str) -> str:
    """``text`` with U+FFFD for each half of a surrogate pair, which no database takes."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _with_days(options: Options) -> Options:
    """``after`` and ``before`` as dates."""
    if not (options.after or options.before):
        return options
    from memex_core.model.dates.when import first_moment

    days: dict[str, Any] = {}
    for name, value in (("after", options.after), ("before", options.before)):
        if value:
            days[name] = first_moment(value, clock.local())
            if days[name] is None:
                raise BadInput(f"{name}: {value!r} is no date", hint="write 2026-11-30, 2026-11 or 7d")
    return options.but(**days)


def _search(index: "Index", asked: Query, options: Options) -> "RecallResult":
    query = _as_meant(index.db, asked, options)
    places = _places(query, options)
    meaning = options.meaning
    if meaning is not None and not (query.positive and meaning.begin(asked)):
        options = options.but(meaning=None)
    all_pages, all_rows = index.total(), _row_total(index.db)
    pages, rows = _Pages([], {}), _Rows([], {})
    if "pages" in places and all_pages and not query.hopeless:
        pages = _pages(index, query, options, all_pages, rows_too=bool(all_rows) and len(places) > 1)
    spoken = tuple(sorted(places - {"pages"}))
    if spoken and all_rows and not query.hopeless:
        rows = _rows(index, query, options.but(kinds=spoken))
    hits = _merged(query, [one.hit for one in pages.hits], rows.hits)[: options.k]
    warnings = [*query.notes, *pages.notes, *(meaning.warnings if meaning is not None else ())]
    by_file = {one.hit["file_path"]: one for one in pages.hits}
    of_pages = [by_file[hit["file_path"]] for hit in hits if hit["kind"] == "page"]
    hits, omitted = fit(hits, options.budget)
    used = [by_file[hit["file_path"]].path for hit in hits if hit["kind"] == "page"]
    if options.expand and used:
        from memex_core.recall.expand import expanded

        hits, more = expanded(index, hits, {file: one.id for file, one in by_file.items()}, query, options)
        omitted += more
    for rank, hit in enumerate(hits, 1):
        hit["rank"] = rank
    if options.count and used and not index.touch(used, clock.stamp()):
        warnings.append("the index cannot be written, so the hits were not counted as used")
    partly = any(hit["why"]["relaxed"] for hit in hits if hit["kind"] == "page")
    return {
        "query": query.text,
        "hits": hits,
        "total_indexed": all_pages + all_rows,
        "search_engine": (meaning.engine if meaning is not None else "") or ENGINE,
        "search_time_ms": 0.0,
        "relaxed": partly or (rows.relaxed and any(hit["kind"] != "page" for hit in hits)),
        "corrected": {**rows.corrected, **pages.corrected},
        "time_range": None,
        "budget_tokens": options.budget,
        "budget_used": sum(hit["tokens"] for hit in hits),
        "omitted": omitted,
        "unresolved_links": list(dict.fromkeys(target for one in of_pages for target in one.missing)),
        "stale": False,
        "warnings": warnings,
    }


def _as_meant(db: sqlite3.Connection, query: Query, options: Options) -> Query:
    """The query, or what a prompt or a pasted text is about."""
    is_pasted = len(query.items) > LONGEST or len(query.terms) > 4 * LONGEST
    if not (is_pasted or options.loose):
        return query
    from memex_core.recall import pasted

    return pasted.core(db, query) if is_pasted else pasted.loosened(query)


def _places(query: Query, options: Options) -> set[str]:
    """Where to look: what the options allow and no ``in:`` of the query excludes."""
    places = set(options.kinds or PLACES)
    for one in query.filters:
        if one.key == "in":
            places = places.difference(one.values) if one.negated else places.intersection(one.values)
    return places


def _merged(query: Query, pages: "list[Hit]", rows: "list[Hit]") -> "list[Hit]":
    """All hits, best first; where nothing was asked, newest first."""
    if not rows:
        return pages
    hits = [*pages, *rows]
    hits.sort(key=lambda hit: hit["slug"])
    if query.positive:
        hits.sort(key=lambda hit: -hit["score"])
    else:
        hits.sort(key=lambda hit: hit["updated"], reverse=True)
    return hits


# -- pages -------------------------------------------------------------------------------------


def _pages(index: "Index", query: Query, options: Options, total: int, *, rows_too: bool) -> _Pages:
    db = index.db
    allowed = page_filter(db, query, options, clock.stamp())
    if not query.positive:
        shown = [Shown(page, why=_why((), {}, ())) for page in _newest(db, query, allowed, options.k)]
        return _Pages(page_hits(db, index.layout, shown, ()), {}, allowed.notes)

    def spoken(word: str) -> bool:
        return db.execute("SELECT 1 FROM passage_word WHERE word = ?", (word,)).fetchone() is not None

    plan = plan_of(db, query, total, spoken if rows_too else None)
    ids = candidates(db, plan, allowed, options.k)
    if not ids and options.meaning is None:
        return _Pages([], {}, allowed.notes)
    asked = asked_of(db, query, plan)
    plain = options.meaning is None and options.priors is None
    ranked = judge(asked, load(db, ids), options.k if plain else len(ids) or 1)
    if options.meaning is not None:
        ranked = options.meaning.pages(db, ranked, allowed, query, len(asked.wanted))
    added: Mapping[int, Mapping[str, float]] = {}
    if options.priors is not None:
        from memex_core.recall.priors import weighed

        ranked, added = weighed(db, ranked, options.priors)
    rows = rows_of(db, [one.id for one in ranked])
    ranked = sorted(
        (one for one in ranked if one.id in rows), key=lambda one: (-one.score, rows[one.id]["slug"], one.id)
    )
    shown = [
        _shown(one, plan, explain=options.explain, added=added.get(one.id, {})) for one in ranked[: options.k]
    ]
    tokens, weights = _to_mark(plan)
    return _Pages(page_hits(db, index.layout, shown, tokens, weights, rows), plan.corrected, allowed.notes)


def _newest(db: sqlite3.Connection, query: Query, allowed: PageFilter, k: int) -> list[int]:
    where, values = allowed.listing, list(allowed.values)
    if query.excluded:
        where += " AND page.id NOT IN (SELECT rowid FROM page_fts WHERE page_fts MATCH ?)"
        values.append(plan_of(db, query, 0).excluded)
    sql = f"SELECT page.id FROM page WHERE {where} ORDER BY page.updated DESC, page.slug LIMIT ?"
    return [page for (page,) in db.execute(sql, (*values, k))]


def _shown(one: Scored, plan: Plan, *, explain: bool, added: Mapping[str, float]) -> Shown:
    asked = [(needle,) for needle in plan.loose] + list(plan.musts)
    pairs = list(zip(asked, one.found, strict=True))
    matched = dict.fromkeys(_typed(any_of[way].term.text) for any_of, way in pairs if way >= 0)
    dropped = [any_of[0].term for any_of, way in pairs if way < 0] + list(plan.absent)
    parts = {name: round(part, 4) for name, part in zip((*PARTS, "vectors"), one.parts, strict=False) if part}
    parts.update({name: round(part, 4) for name, part in added.items() if round(part, 4)})
    why = _why(matched, parts, [_typed(term.text) for term in dropped])
    if explain:
        why["pages"] = {_typed(needle.term.text): needle.df for any_of in asked for needle in any_of}
    return Shown(one.id, one.score, one.bm25, tuple(matched), why)


def _why(matched: Iterable[str], parts: dict[str, float], dropped: Iterable[str]) -> dict[str, Any]:
    """``relaxed``: this hit lacks some of what was asked."""
    lacking = list(dropped)
    return {"matched": list(matched), "parts": parts, "relaxed": bool(lacking), "dropped": lacking}


def _typed(text: str) -> str:
    return text.strip("?!.,;:") or text


def _to_mark(plan: Plan) -> tuple[list[str], dict[str, float]]:
    """The tokens to mark, corrections included, with their weights; a beginning of one ends in ``*``."""
    weights: dict[str, float] = {}
    for needle in (*plan.loose, *(one for must in plan.musts for one in must)):
        for lookup in needle.term.lookups:
            tokens = drop_stop_words(lookup.tokens, STOP.__contains__)
            if lookup.kind == "prefix":
                tokens[-1] = f"{lookup.tokens[-1]}*"
            weights.update(dict.fromkeys(tokens, needle.idf))
    return list(weights), weights


# -- conversations and the diary ---------------------------------------------------------------


def _row_total(db: sqlite3.Connection) -> int:
    found = db.execute("SELECT rows FROM passage_total").fetchone()
    return int(found[0]) if found else 0


def _rows(index: "Index", query: Query, options: Options) -> _Rows:
    from memex_core.recall.passages import answer

    found = answer(index, query, options)
    wanted = [_typed(term.text) for term in query.terms]
    for hit in found.hits:
        said = set(hit["matched"])
        hit["why"] = _why(hit["matched"], hit["why"], [word for word in wanted if word not in said])
    return _Rows(found.hits, found.corrected, found.relaxed)
