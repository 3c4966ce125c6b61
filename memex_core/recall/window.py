"""The time gate: which stretch of days a search is about, by ``when`` or by the query's own words.

Time filters what may be found and never scores it. Words that name the time are not searched. Days are
those of the machine's calendar, as the diary's files are named.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.stopwords import STOP
from memex_core.model import clock
from memex_core.recall.options import Options
from memex_core.recall.query import parse

if TYPE_CHECKING:
    from memex_core.model.dates.days import Days
    from memex_core.model.dates.parse import TimeRange
    from memex_core.model.results import RecallResult
    from memex_core.recall.syntax import Item

STEPS = (0, 1, 7)
"""Days on either side by which a window that holds nothing is widened, one after the other."""

LONGEST = 24
"""Words of a query; in a longer text, which is pasted, a day is only mentioned."""

_SIGNS = (
    *("today", "night", "yesterday", "tomorrow", " ago", "last ", "past ", "this ", "next ", "19", "20"),
    *("gestern", "heute", "morgen", "vor ", "letzt", "vorig", "vergangen", "dies", "kommend"),
)
"""Without any of these an ASCII text names no time: most queries need no more than this look."""

_ASKING = frozenset(
    """happened happen happens going goes went worked working talk talked talking discuss discussed
    wrote written get got say said chat chatted mention mentioned tell show summary summarize summarise
    recap remind remember recall erzähl zeig zeige zusammenfassung geredet diskutiert gesagt was wer wo
    wie wann haben hat habe hatten wir ich man mich mir uns gemacht getan passiert geschehen los war
    waren ist es da denn das alles an besprochen geschrieben gearbeitet 뭐 뭘 뭐가 무엇을 무엇이 무슨
    무슨일이 일 일이 일을 우리 우리가 우리는 나 나는 내가 했지 했어 했나 했니 했나요 했더라 했는지 했던
    얘기 얘기했지 얘기했어 이야기 이야기했지 이야기했어 알려줘 보여줘 요약 있었지 있었어 있었나
    있었나요""".split()
)
"""Beside the stop words: what only asks, in English, German and Korean."""
_ASKING_CHINESE = frozenset(
    "我你他她它们們咱大家都在的了吗嗎呢吧啊做干幹过過发發生什么麼甚些事情哪有是怎样樣聊谈談说說讨討论論讲講提及嘛告诉訴总總结結写寫和一下"
)


class Window(NamedTuple):
    """From the day ``start`` on, before the day ``end`` (``YYYY-MM-DD``). Without ``pages`` they are found
    whenever they are from: what holds competes with what happened."""

    start: str
    end: str
    pages: bool = True


def gated(
    text: str,
    options: Options,
    run: "Callable[[str, Options], RecallResult]",
    names_a_page: Callable[[str], object] = lambda name: False,
) -> "RecallResult":
    """What ``run`` finds for ``text`` within the window that options or text name, if they name one.

    A window in which nothing is found is widened by :data:`STEPS`. One that the text names is given up after
    that, and its words are searched like others; a text that is the name of a page means that page.
    ``time_range`` of the result says what applied. Raises BadInput for a ``when`` that is no time.
    """
    if options.when:
        from memex_core.model.dates.when import asked

        return _within(asked(options.when, clock.local()), options.when, True, text, options, run)
    found = named_window(text, options)
    if found is None or names_a_page(text.strip()):
        return run(text, options)
    from memex_core.model.dates.days import Days
    from memex_core.model.dates.parse import blanked

    days = Days(found.start, found.end)
    result = _within(days, found.words, False, blanked(text, found.spans), options, run)
    if result["hits"]:
        return {**result, "query": text}
    result = run(text, options)
    note = f"nothing is dated {found.words} ({_shown(days)}) or near it: all times were searched"
    result["warnings"] = [*result["warnings"], note]
    return result


def _within(
    days: "Days",
    words: str,
    explicit: bool,
    text: str,
    options: Options,
    run: "Callable[[str, Options], RecallResult]",
) -> "RecallResult":
    wanted = _about(text)
    to_come = not explicit and days.start > clock.local().date()
    for step in STEPS[:1] if to_come else STEPS:
        wider = days.wider(step)
        start, end = wider.start.isoformat(), wider.end.isoformat()
        everything = explicit or not options.loose
        result = run(wanted, options.but(when="", window=Window(start, end, everything)))
        if result["hits"]:
            break
    result["query"] = text
    zone = clock.local().strftime("%z")
    result["time_range"] = {
        "start": start,
        "end": end,
        "source": "explicit" if explicit else "parsed",
        "words": words,
        "zone": f"{zone[:3]}:{zone[3:5]}",
        "widened": step > 0,
    }
    return result


def _shown(days: "Days") -> str:
    first, last = days.start.isoformat(), days.last.isoformat()
    return first if first == last else f"{first} to {last}"


def named_window(text: str, options: Options) -> "TimeRange | None":
    """The window that the words of a query name: in plain words, outside filters, and where nothing else says
    when. Who writes quotes and operators means the words themselves."""
    lowered = text.lower()
    if text.isascii() and not any(sign in lowered for sign in _SIGNS):
        return None
    if options.after or options.before or len(text.split()) > LONGEST:
        return None
    from memex_core.model.dates.parse import parse_time_range

    found = parse_time_range(text, clock.local())
    if found is None:
        return None
    for item in parse(text).items:
        if item.kind == "filter":
            if item.key in ("after", "before", "session") or _overlap(item, found):
                return None
        elif item.kind != "word" or item.negated:
            return None
    return found


def _overlap(item: "Item", found: "TimeRange") -> bool:
    return any(item.start < end and start < item.end for start, end in found.spans)


def _about(text: str) -> str:
    """The text without its words where those are a question for all there is: *what did we do*."""
    from memex_core.model.dates.parse import blanked

    words = [item for item in parse(text).items if item.kind != "filter"]
    plain = all(item.kind == "word" and not item.negated for item in words)
    if not plain or not all(map(_asks, _letters(item.text for item in words))):
        return text
    return blanked(text, [(item.start, item.end) for item in words])


def _letters(words: Iterable[str]) -> list[str]:
    return re.findall(r"[^\W_]+", " ".join(words).lower().replace("'", " ").replace("’", " "))


def _asks(word: str) -> bool:
    return word in STOP or word in _ASKING or _ASKING_CHINESE.issuperset(word)
