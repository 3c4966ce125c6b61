"""The time a text speaks of: English, Chinese, Korean and German day words, and dates in digits.

Narrow beats wrong. A wrong stretch of days hides the very memory that is asked for, and nobody notices:
so what has no clear bounds (``recently``, ``the other day``, ``2 or 3 days ago``), what is open to one
side (``before yesterday``) and what might be something else (``last`` as a verb, ``may``, a version, a
name) gives none.

Weeks begin on Monday. *Last Tuesday* is the last one before today, 上周二 the one of last week.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from memex_core.model.dates.days import Days
from memex_core.model.dates.grammar import Grammar
from memex_core.model.dates.named import named_dates
from memex_core.model.dates.tail import with_tail


class TimeRange(NamedTuple):
    """The days from ``start`` on, before ``end``. ``words`` say so, at ``spans`` of the text: two where the
    same is said twice."""

    start: date
    end: date
    words: str
    spans: tuple[tuple[int, int], ...]


class _Phrase(NamedTuple):
    at: int
    end: int
    days: Days
    grammar: Grammar
    clear: bool = True


_DIGITS = re.compile(r"(?:19|20)\d\d[-/]\d")
_ENGLISH = frozenset("yesterday today tonight tomorrow ago last past this next".split())
_GERMAN = re.compile(
    r"gestern|heute|morgen|\bvor\b|\b(?:letzt|vorig|vergangen|dies|nächst|kommend)e", re.IGNORECASE
)
_SENTENCE_START = re.compile(r"(?:\A|[.!?:\n…][\"'”’)]*)[\s\"'“‘(¿¡-]*\Z")
_HUGE = 4_000
"""Longer texts are pasted: what day they speak of is no question."""


def parse_time_range(text: str, now: datetime) -> TimeRange | None:
    """The one stretch of days that ``text`` speaks of; None when it speaks of none, of several or of one
    without clear bounds. ``now`` is the person's own clock: its date is today."""
    if len(text) > _HUGE:
        return None
    today = now.date()
    phrases = _apart([one for grammar in _grammars(text) for one in _found(text, grammar, today)])
    if not phrases:
        return None
    try:
        ranges = list(_ranges(text, phrases, today))
    except OverflowError:  # a day after the last of the calendar
        return None
    if not all(one.clear for one in ranges) or len({one.days for one in ranges}) > 1:
        return None
    if named_dates(blanked(text, [(one.at, one.end) for one in phrases])):
        return None  # "last week, as you said on 6 November": not counted from today
    first = ranges[0]
    spans = tuple((one.at, _clinging(text, one)) for one in ranges)
    return TimeRange(first.days.start, first.days.end, text[first.at : first.end], spans)


def _clinging(text: str, one: _Phrase) -> int:
    """Where the phrase ends with the particle behind it: left alone, that would be searched as a word."""
    particle = one.grammar.particle.match(text[one.end :])
    return one.end + (particle.end() if particle else 0)


def blanked(text: str, spans: "list[tuple[int, int]] | tuple[tuple[int, int], ...]") -> str:
    """``text`` with spaces in these places, as long as before."""
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _grammars(text: str) -> Iterator[Grammar]:
    """The languages that may say something here: most texts need none of their patterns."""
    if _DIGITS.search(text):
        from memex_core.model.dates import digits

        yield digits.GRAMMAR
    lowered = text.lower()
    if not _ENGLISH.isdisjoint(re.findall("[a-z]+", lowered)):
        from memex_core.model.dates import english

        yield english.GRAMMAR
    if _GERMAN.search(lowered):
        from memex_core.model.dates import german

        yield german.GRAMMAR
    if text.isascii():
        return
    if any("가" <= character <= "힣" for character in text):
        from memex_core.model.dates import korean

        yield korean.GRAMMAR
    if any(character in "天周週月年日晚早期拜号號" for character in text):
        from memex_core.model.dates import chinese

        yield chinese.GRAMMAR


def _found(text: str, grammar: Grammar, today: date) -> Iterator[_Phrase]:
    for match in grammar.phrase.finditer(text):
        if grammar.cased and _is_name(text, match):
            continue
        try:
            days = grammar.read(match, today)
        except (ValueError, OverflowError):
            continue
        if days:
            yield _Phrase(match.start(), match.end(), days, grammar)


def _is_name(text: str, match: re.Match[str]) -> bool:
    """A capital within a sentence: *the Today view*."""
    first = match[0][0]
    return first.isupper() and not text.isupper() and not _SENTENCE_START.search(text[: match.start()])


def _apart(phrases: list[_Phrase]) -> list[_Phrase]:
    """In order of the text, the longer of two that overlap."""
    kept: list[_Phrase] = []
    for one in sorted(phrases, key=lambda phrase: (phrase.at, -phrase.end)):
        if not kept or one.at >= kept[-1].end:
            kept.append(one)
    return kept


def _ranges(text: str, phrases: list[_Phrase], today: date) -> Iterator[_Phrase]:
    """The phrases with what is said around them, those that are the two ends of a range made one."""
    i = 0
    while i < len(phrases):
        one = phrases[i]
        joined = _joined(text, one, phrases[i + 1]) if i + 1 < len(phrases) else None
        i += 2 if joined else 1
        yield joined or _around(text, one, today)


def _joined(text: str, one: _Phrase, other: _Phrase) -> _Phrase | None:
    between = text[one.end : other.at]
    join = next(filter(None, (end.grammar.joined.fullmatch(between) for end in (one, other))), None)
    if join is None:
        return None
    first, last = sorted((one.days, other.days))
    if any(join.groups()) and not one.grammar.opened.search(text[: one.at]) and first.end < last.start:
        return None
    days = Days(first.start, max(first.end, last.end))
    return _Phrase(one.at, other.end, days, one.grammar)


def _around(text: str, one: _Phrase, today: date) -> _Phrase:
    grammar, before, behind = one.grammar, text[: one.at], text[one.end :]
    tail = grammar.tail.match(behind)
    if tail:
        opened = grammar.opened.search(before)
        days = with_tail(one.days, tail, grammar.weekdays, opened is not None)
        return one._replace(end=one.end + tail.end(), days=days or one.days, clear=days is not None)
    since = grammar.since_before.search(before)
    on = grammar.since_behind.match(behind)
    if since or on:
        opened = since or grammar.opened.search(before)
        return _Phrase(
            opened.start() if opened else one.at,
            one.end + (on.end() if on else 0),
            Days(one.days.start, max(one.days.end, today + timedelta(1))),
            grammar,
            clear=one.days.start <= today,
        )
    if grammar.until_before.search(before) or grammar.until_behind.match(behind):
        return one._replace(clear=False)
    return one
