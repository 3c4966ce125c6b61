"""The filter line over the conversations: words, and ``agent:``, ``project:``, ``since:`` with a value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from memex_core.model import clock
from memex_core.model.dates.when import first_moment
from memex_tui.screens.sessions.presenter import Session

SINCE = ("7d", "30d", "1y")  # what the key for it goes through


class Filter(NamedTuple):
    """What the list is narrowed to. ``since`` as it was typed: a date, ``7d``, ``last week`` …"""

    words: tuple[str, ...] = ()
    agent: str = ""
    project: str = ""
    since: str = ""
    wrong: str = ""  # what of it cannot be read


class Chip(NamedTuple):
    """A piece of the filter line: ``text[start:end]`` is an operator, its value, or what is wrong."""

    start: int
    end: int
    role: str


_OPERATOR = re.compile(r"(?<!\S)(agent|project|since):(\"[^\"]*\"?|\S*)")


def read_filter(text: str) -> Filter:
    """What a filter line means; a value that cannot be read narrows nothing and is told in ``wrong``."""
    found = {operator[1]: operator[2].strip('"') for operator in _OPERATOR.finditer(text)}
    words = tuple(_OPERATOR.sub(" ", text).casefold().split())
    since = found.get("since", "")
    wrong = since if since and not first_day(since, clock.today()) else ""
    return Filter(words, found.get("agent", ""), found.get("project", ""), "" if wrong else since, wrong)


def first_day(since: str, today: str) -> str:
    """The day that ``since`` begins with; empty when it is none."""
    return (first_moment(since, datetime.fromisoformat(today)) or "")[:10]


def chips(text: str) -> list[Chip]:
    """The operators of a filter line and their values."""
    found = []
    for one in _OPERATOR.finditer(text):
        wrong = one[1] == "since" and bool(one[2]) and not first_day(one[2].strip('"'), clock.today())
        found.append(Chip(one.start(), one.start(2), "wrong" if wrong else "operator"))
        found.append(Chip(one.start(2), one.end(2), "wrong" if wrong else "value"))
    return found


def with_value(text: str, operator: str, value: str) -> str:
    """The filter line with another value of an operator; without the operator for an empty one."""
    quoted = f'"{value}"' if " " in value else value
    piece = f"{operator}:{quoted}" if value else ""
    rest = re.sub(rf"(?<!\S){operator}:(\"[^\"]*\"?|\S*)\s*", "", text).strip()
    return " ".join(part for part in (piece, rest) if part)


def next_value(current: str, values: Sequence[str]) -> str:
    """The value after the current one; after the last comes none."""
    if current not in values:
        return values[0] if values else ""
    return [*values, ""][values.index(current) + 1]


def values_of(sessions: Iterable[Session], name: str) -> list[str]:
    """The agents or projects of the sessions, those with most of them first."""
    counts = Counter(value for one in sessions if (value := getattr(one, name)))
    return sorted(counts, key=lambda value: (-counts[value], value))


def narrowed(sessions: Iterable[Session], filter: Filter, today: str) -> list[Session]:
    """The sessions that fit, in their order. An agent or project may be given by its beginning."""
    first = first_day(filter.since, today) if filter.since else ""
    agent, project = filter.agent.casefold(), filter.project.casefold()
    found = []
    for one in sessions:
        if not one.agent.casefold().startswith(agent) or not one.project.casefold().startswith(project):
            continue
        if first and (one.ended or one.started) < first:
            continue
        told = f"{one.title} {one.id} {one.agent} {one.project}".casefold()
        if all(word in told for word in filter.words):
            found.append(one)
    return found
