"""What the Diary area shows, without the screen: the weeks of a month, and a day as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from memex_core.model.dates.days import begin
from memex_core.model.links import find_links
from memex_tui.render.markdown.literal import literal

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SESSION = "memex:"
"""How a link to a conversation begins."""


class Shown(NamedTuple):
    """A day as it is shown. ``facts`` are lines for the side: what there is of it."""

    day: date
    text: str
    facts: tuple[str, ...]
    times: tuple[tuple[int, str], ...] = ()  # the line in the day's file and the time of each entry
    missing: frozenset[str] = frozenset()  # targets of links that lead to no page yet


def weeks(day: date) -> list[list[date]]:
    """The weeks of the month of ``day``, Monday first, with the days of other months at its ends."""
    first = begin(begin(day, "month"), "week")
    found = []
    while not found or (first.year, first.month) == (day.year, day.month):
        found.append([first + timedelta(i) for i in range(7)])
        first += timedelta(7)
    return found


def month_name(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.year}"


def title_of(day: date, today: date) -> str:
    """``Sunday, 29 November 2026 · yesterday``."""
    name = f"{WEEKDAYS[day.weekday()]}, {day.day} {month_name(day)}"
    ago = (today - day).days
    near = {0: "today", 1: "yesterday", -1: "tomorrow"}.get(ago)
    return f"{name} · {near or distance(day, today)}"


def distance(day: date, today: date) -> str:
    """``3 days ago``, ``2 months ago``, ``in 5 days``: whole units, the largest that fits."""
    ago = abs((today - day).days)
    months = abs((today.year - day.year) * 12 + today.month - day.month)
    if ago < 31 or not months:
        text = count(ago, "day")
    elif months % 12 == 0 or months > 24:
        text = count(max(months // 12, 1), "year")
    else:
        text = count(months, "month")
    return f"{text} ago" if day < today else f"in {text}"


def count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def sign(counts: Mapping[str, int] | None) -> str:
    """What stands beside a day of the calendar: an entry, something else, nothing."""
    if not counts:
        return " "
    return "•" if counts["entries"] else "·"


def shown(
    of_day: Mapping[str, Any],
    earlier: Sequence[Mapping[str, Any]],
    today: date,
    there: Callable[[str], bool] = lambda target: True,
) -> Shown:
    """A day, with what the diary says of the same day before. ``there``: whether a link leads to a page."""
    day = date.fromisoformat(of_day["date"])
    entries, sessions = of_day["entries"], of_day["sessions"]
    pages = [page for page in of_day["pages"] if page["type"] != "episode"]  # its conversation is listed
    parts = [_entries(entries)] if entries else [_nothing(day, today)]
    if pages:
        parts.append("## Pages\n\n" + "\n".join(map(_page, pages)))
    if sessions:
        parts.append("## Conversations\n\n" + "\n".join(map(_session, sessions)))
    if earlier:
        parts.append("## On this day\n\n" + "\n\n".join(_earlier(earlier, day)))
    facts = [count(len(entries), "entry").replace("entrys", "entries")]
    facts += [count(len(pages), "page")] if pages else []
    facts += [count(len(sessions), "conversation")] if sessions else []
    said = (str(entry["text"]) for entry in (*entries, *earlier))
    targets = {link.target for text in said for link in find_links(text, context=False)}
    missing = frozenset(target for target in targets if not there(target))
    times = tuple((entry.get("line", 0), entry["time"]) for entry in entries)
    return Shown(day, "\n\n".join(parts) + "\n", tuple(facts), times, missing)


def _nothing(day: date, today: date) -> str:
    if day > today:
        return "*This day is still to come.*"
    return "*Nothing was noted" + (" yet. Press i and write a line.*" if day == today else " on this day.*")


def _entries(entries: Iterable[Mapping[str, Any]]) -> str:
    return "\n\n".join(f"## {entry['time']}\n\n{entry['text']}" for entry in entries)


def _page(page: Mapping[str, Any]) -> str:
    title = literal(page["title"]) or "untitled"
    return f"- [{title}](<{page['path']}>) · {literal(page['type'])}, {page['what']}"


def _session(session: Mapping[str, Any]) -> str:
    title = literal(session["title"] or session["session"]) or "untitled"
    agent = f", {literal(session['agent'])}" if session["agent"] else ""
    return f"- [{title}]({SESSION}{session['session']}) · {count(session['turns'], 'turn')}{agent}"


def _earlier(entries: Sequence[Mapping[str, Any]], day: date) -> Iterable[str]:
    last = ""
    for entry in entries:
        head = ""
        if entry["date"] != last:
            last = entry["date"]
            then = date.fromisoformat(last)
            head = f"### {then.day} {month_name(then)} · {distance(then, day)}\n\n"
        yield f"{head}**{entry['time']}** {entry['text']}"
