"""Search as data: hits become rows, a query its chips and completions, a score its bars. No widgets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from memex_core.model.clock import now
from memex_core.model.results import Hit, RecallResult
from memex_core.recall.complete import Completion, complete
from memex_core.recall.query import parse
from memex_core.recall.rank import Weights
from memex_core.recall.syntax import ALIASES, FILTERS, scan
from memex_tui.render.line import Line
from memex_tui.render.text import printable

FIRST = 24  # hits asked for while typing; the rest follows when typing stops
MOST = 120
HINTS = ("tag:", "type:", "after:", "in:", "-word", '"phrase"')

SIGNS = {
    "turn": "❝",
    "diary": "▦",
    "episode": "◆",
    "event": "◆",
    "rule": "▲",
    "procedure": "▲",
    "list": "▤",
    "summary": "▤",
}
PLAIN_SIGN = "●"
LEVELS = "▁▂▃▄▅▆▇█"


class ResultRow(NamedTuple):
    """One hit as it is listed. ``where`` is its path, or the session and turn; ``sparks`` three levels."""

    key: str
    title: str
    sign: str
    kind: str
    where: str
    snippet: str
    score: str
    sparks: str
    draft: bool
    hit: Hit


class Part(NamedTuple):
    """One part of a score: ``share`` is the bar's length, 0 to 1; ``note`` says what it stands for."""

    name: str
    share: float
    value: str
    note: str


class Chip(NamedTuple):
    """A piece of the query with a role of its own: ``operator``, ``value``, ``phrase``, ``excluded``."""

    start: int
    end: int
    role: str


class Offer(NamedTuple):
    """What can be completed at the caret: ``choices`` replace ``text[start:end]``; ``ghost`` is the rest
    of the first one, shown behind the caret."""

    start: int
    end: int
    choices: tuple[str, ...]
    ghost: str
    listed: bool  # whether the choices are worth a list


NOTHING = Offer(0, 0, (), "", False)


def rows_of(hits: Iterable[Hit], page_folder: str) -> list[ResultRow]:
    """The hits as rows; ``page_folder`` is cut off their files' paths."""
    return [_row(hit, page_folder) for hit in hits]


def _row(hit: Hit, page_folder: str) -> ResultRow:
    path = path_of(hit, page_folder)
    kind = hit["kind"] if hit["kind"] != "page" else hit["node_type"] or "page"
    where = path
    if hit["kind"] == "turn":
        where = f"{hit.get('session_id', '')} · turn {hit.get('turn', 0)} · {hit.get('role', '')}"
    elif hit["kind"] == "diary":
        where = " · ".join(filter(None, (_weekday(hit["date"]), hit["heading"])))  # its title is the date
    heading = hit["heading"]
    return ResultRow(
        key=f"{hit['kind']}:{path}:{hit['slug']}",
        title=hit["title"] or hit["slug"],
        sign=SIGNS.get(kind, PLAIN_SIGN),
        kind=kind,
        where=f"{where} › {heading}" if heading and hit["kind"] != "diary" else where,
        snippet=plain_snippet(hit["snippet"], hit["title"]),
        score=_score(hit["score"]),
        sparks=_sparks(hit["why"]),
        draft=hit["status"] == "draft",
        hit=hit,
    )


_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")


_HEADING = re.compile(r"#{1,6} ")
_RULE = re.compile(r"(?<!\S)(?:={3,}|-{3,}|\|(?:\s*:?-+:?\s*\|)+)(?:\s+|$)")  # under a heading, in a table


def _weekday(day: str) -> str:
    try:
        return date.fromisoformat(day).strftime("%A")
    except ValueError:
        return ""


def plain_snippet(snippet: str, title: str = "") -> str:
    """A snippet without the signs of bold text and wiki-links round its words, rules, and a heading at
    its beginning that only says the title again."""
    if "---" in snippet or "===" in snippet or "|-" in snippet or "| -" in snippet:
        snippet = _RULE.sub("", snippet)
    if found := _HEADING.match(snippet):
        snippet = snippet[found.end() :]
        if snippet.startswith(f"{title} "):
            snippet = snippet[len(title) + 1 :]
    if "**" in snippet or "__" in snippet:
        snippet = _EMPHASIS.sub(r"\2", snippet)
    return _WIKI_LINK.sub(r"\1", snippet) if "[[" in snippet else snippet


def path_of(hit: Hit, page_folder: str) -> str:
    """The hit's file relative to the page folder; absolute for what lies outside it."""
    path = hit["file_path"].replace("\\", "/")
    folder = page_folder.replace("\\", "/").rstrip("/") + "/"
    return path[len(folder) :] if path.startswith(folder) else path


def _score(score: float) -> str:
    return f"{score:.2f}".removeprefix("0") if score else ""


def _sparks(why: Mapping[str, Any]) -> str:
    """Words, closeness and name as three bars; empty where nothing was judged (the newest pages)."""
    shares = {part.name: part.share for part in parts_of(why)}
    if not shares:
        return ""
    return "".join(LEVELS[min(int(shares.get(name, 0.0) * 8), 7)] for name in ("words", "together", "title"))


# -- the status line ------------------------------------------------------------------------------


def status(result: RecallResult, shown: int, *, pages: int | None = None, short: bool = False) -> str:
    """How much was found, among how much, how fast: ``38 found · 2,481 pages, 90 turns and days · 11 ms``.

    ``pages`` of all that was searched are pages; None: that is not known yet.
    """
    more = "+" if shown in (FIRST, MOST) else ""
    total, took = result["total_indexed"], result["search_time_ms"]
    ms = f"{took:.0f} ms" if took >= 1 else "<1 ms"
    among = _among(total, pages)
    if not result["query"].strip():
        return f"{among} · {ms}"
    if short:
        return f"{shown:,}{more} found · {ms}"
    return f"{shown:,}{more} found · {among} · {ms}"


def _among(total: int, pages: int | None) -> str:
    """What is searched: pages, and beside them the turns of conversations and the days of the diary."""
    if pages is None:
        return f"{total:,} entr{'y' if total == 1 else 'ies'}"
    said = f"{pages:,} page{'s' * (pages != 1)}"
    return f"{said}, {total - pages:,} turns and days" if total > pages else said


def order(result: RecallResult) -> str:
    """How the results are sorted and what was changed in the query to find them."""
    if not result["query"].strip():
        return "newest first"
    notes = [f"{wrong} → {right}" for wrong, right in result["corrected"].items()]
    if result["relaxed"]:
        notes.append("not all words")
    if window := result.get("time_range"):
        last = (date.fromisoformat(window["end"]) - timedelta(1)).isoformat()
        days = window["start"] if window["start"] == last else f"{window['start']} to {last}"
        notes.append(f"{days}, widened" if window["widened"] else days)
    return printable(" · ".join(notes)) or "best first"


def title_from(query: str) -> str:
    """The title of a page made from a query: its words, operators and exclusions left out."""
    words = [item.text for item in scan(query) if item.kind in ("word", "phrase") and not item.negated]
    return " ".join(" ".join(words).split())


def similar_query(row: ResultRow) -> str:
    """A query for pages like this one: the words of its title and its tags, any of them."""
    words = [word for word in title_from(row.title).split() if len(word) > 2 and ":" not in word][:5]
    tags = [f"tag:{tag}" for tag in row.hit["tags"][:1] if " " not in tag]
    return " OR ".join(words) or " ".join(tags) or row.title


# -- the query ------------------------------------------------------------------------------------


def chips(query: str) -> list[Chip]:
    """The roles of the query's pieces, in order."""
    found: list[Chip] = []
    parsed = parse(query)
    for item in parsed.items:
        if item.kind == "operator":
            found.append(Chip(item.start, item.end, "operator"))
        elif item.kind == "filter":
            colon = query.index(":", item.start) + 1
            found.append(Chip(item.start, colon, "excluded" if item.negated else "operator"))
            found.append(Chip(colon, item.end, "value"))
        elif item.negated:
            found.append(Chip(item.start, item.end, "excluded"))
        elif item.kind == "phrase":
            found.append(Chip(item.start, item.end, "phrase"))
    return found


def notes(query: str) -> str:
    """What looked like an operator and was read as text; empty when all is well."""
    return printable(" · ".join(parse(query).notes))


def offer(query: str, caret: int, known: Mapping[str, Sequence[str]]) -> Offer:
    """What could be completed at the caret. ``known`` gives the store's own values (``tag``, ``type``,
    ``project``), the most used first."""
    at = complete(query, caret)
    if caret < len(query) and not query[caret].isspace():
        return NOTHING
    if at.kind == "operator":
        return _operator(at)
    if at.kind == "value":
        return _value(at, known)
    return NOTHING


def _operator(at: Completion) -> Offer:
    """A name is only offered from its third letter on: most words that begin like one are words."""
    names = [name for name in at.options if len(name) > len(at.typed)]
    if len(at.typed) < 3 or not names:
        return NOTHING
    return Offer(at.start, at.end, tuple(names), names[0][len(at.typed) :], False)


def _value(at: Completion, known: Mapping[str, Sequence[str]]) -> Offer:
    typed = at.typed.casefold()
    options = list(at.options) or [one for one in known.get(at.key, ()) if typed in one.casefold()]
    options.sort(key=lambda one: not one.casefold().startswith(typed))
    if not options or (len(options) == 1 and options[0].casefold() == typed):
        return NOTHING
    choices = tuple(f'"{one}"' if " " in one else one for one in options[:12])
    first = options[0]
    ghost = first[len(at.typed) :] if first.casefold().startswith(typed) and " " not in first else ""
    return Offer(at.start, at.end, choices, ghost, True)


def settled(query: str, caret: int, known: Mapping[str, Sequence[str]]) -> str:
    """The query without an operator at the caret whose value is still being chosen."""
    found = offer(query, caret, known)
    if not found.listed:
        return query
    start = max(query.rfind(" ", 0, found.start), 0)
    return (query[:start] + query[found.end :]).strip()


def operators() -> tuple[str, ...]:
    """The names of all operators, as typed."""
    return tuple(f"{name}:" for name in (*FILTERS, *ALIASES))


# -- why --------------------------------------------------------------------------------------------

_PARTS = {
    # key in the hit's parts: our name, note
    "cover": ("covered", "share of the query here"),
    "full": ("complete", "all that was asked"),
    "words": ("words", "how often, and where"),
    "proximity": ("together", "near each other"),
    "order": ("in order", "side by side as asked"),
    "title": ("title", "its names say little else"),
    "name": ("name", "the query is its name"),
    "exact": ("exact", "spelt as asked"),
    "after_question": ("answer", "follows such a question"),
    "around": ("around", "what stands around it"),
    "session": ("session", "its conversation fits"),
    "people": ("people", "said by who was asked for"),
    "date": ("date", "the day that was named"),
    "cue": ("cue", "answers such a question"),
    "vectors": ("meaning", "near in meaning"),
    "importance": ("importance", "what the page says it is worth"),
    "recency": ("fresh", "changed not long ago"),
    "use": ("used", "often recalled"),
}
_FULL_BAR = {"words": 1.25, "around": 1.2, "session": 1.2}  # of turns and days; pages have weights
_OTHER_FULL_BAR = 0.5


def parts_of(why: Mapping[str, Any]) -> list[Part]:
    """The parts of a score that counted, the largest first."""
    parts = why.get("parts")
    if not isinstance(parts, Mapping):
        return []
    full_bars = Weights()._asdict() if "cover" in parts else _FULL_BAR
    found: list[tuple[float, Part]] = []
    for key, value in parts.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value:
            continue
        name, note = _PARTS.get(key, (str(key).replace("_", " "), ""))
        share = max(min(abs(float(value)) / full_bars.get(key, _OTHER_FULL_BAR), 1.0), 0.0)
        found.append((-abs(value), Part(name, share, f"{value:.2f}", note)))
    return [part for _, part in sorted(found, key=lambda pair: pair[0])]


def words_of(hit: Hit) -> list[tuple[str, str]]:
    """The query's words in the hit, each with how common it is: ``("rate", "12 pages")``; then those
    that were left out: ``("limit", "")``."""
    counts = hit["why"].get("pages")
    found: list[tuple[str, str]] = []
    for word in hit["matched"]:
        count = counts.get(word) if isinstance(counts, Mapping) else None
        found.append((word, f"{count:,} page{'s' * (count != 1)}" if isinstance(count, int) else ""))
    return found


def dropped_of(hit: Hit) -> list[str]:
    """The words of the query that the hit does not have."""
    dropped = hit["why"].get("dropped")
    return [str(one) for one in dropped] if isinstance(dropped, list | tuple) else []


def route_of(hit: Hit) -> str:
    """The way over links to a hit that was found through another one; empty for one found itself."""
    route = hit["why"].get("route")
    return " → ".join(map(str, route)) if isinstance(route, list | tuple) else ""


def age(stamp: str, today: str = "") -> str:
    """How long ago a date or stamp was: ``today``, ``3 d``, ``5 mo``, ``2 y``; the text itself if odd."""
    try:
        then = date.fromisoformat(stamp[:10])
        here = date.fromisoformat(today) if today else now().date()
    except ValueError:
        return printable(stamp[:16])
    days = (here - then).days
    if days < 0:
        return stamp[:10]
    if days == 0:
        return "today"
    if days == 1:
        return "yesterday"
    if days < 60:
        return f"{days} d ago"
    return f"{days // 30} mo ago" if days < 730 else f"{days // 365} y ago"


BAR = 14


def bar(share: float, cells: int = BAR) -> Line:
    """A share as a bar."""
    full = round(share * cells)
    return [("━" * full, ("why--bar",)), ("━" * (cells - full), ("why--rest",))]


# -- empty and failing ------------------------------------------------------------------------------


def nothing(query: str, *, missing: bool, pages: int | None) -> str:
    """What the list says when there is no row."""
    if missing:
        return "There is no memory here yet"
    title = title_from(query)
    if query.strip():
        return f"Nothing found. ⏎ writes a new page “{title}”" if title else "Nothing fits these operators"
    if pages is None:
        return "The pages are being read …"  # the first index of a large folder takes a moment
    return "No page yet" if pages == 0 else "Nothing here"


WELCOME = """\
Nothing is remembered yet.

  a name, then ⏎   writes the first page
  memex demo       makes an example memory to look around in
  memex init DIR   makes a memory of a folder of Markdown

Agents write here too, once they are connected: see memex --help."""
