"""Days written in digits: ``2026-07-21``, ``2026/7/1``, a time of day behind it or not."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from datetime import date

from memex_core.model.dates.days import Days, one
from memex_core.model.dates.grammar import Grammar

PATTERN = re.compile(
    r"""(?<![A-Za-z0-9_/:@\#=+-])(?<![A-Za-z0-9_]\.)
        (?P<y>(?:19|20)\d\d)(?P<mark>[-/])(?P<m>\d{1,2})(?P=mark)(?P<d>\d{1,2})
        (?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?
        (?![A-Za-z0-9_/:@]|[-.][A-Za-z0-9_])""",
    re.VERBOSE,
)


def read(found: re.Match[str], today: date) -> Days | None:
    """The day that a match of :data:`PATTERN` names. ValueError for one that no calendar has."""
    return one(date(int(found["y"]), int(found["m"]), int(found["d"])))


GRAMMAR = Grammar(
    PATTERN,
    read,
    joined=re.compile(
        r"\s+(?:to|until|through|bis|(and|und))\s+|\s*(?:\.\.|[–—~～到至]|부터|([和与與]))\s*|\s+-\s+",
        re.IGNORECASE,
    ),
    opened=re.compile(r"\b(?:from|between|von|vom|zwischen)\s+\Z", re.IGNORECASE),
    until_before=re.compile(
        r"(?:\b(?:before|after|until|till|by|than|not|except|vor|nach|bis|als|ab|außer|or|oder)\s*|[比除])\Z",
        re.IGNORECASE,
    ),
    until_behind=re.compile(
        r"\s*(?:\.\.|[~～–—到至]|\s(?:to|until|through|bis)\s)\s*\d(?!\d?:)|\s*(?:[之以][前后後]|[前后後](?![来來端台面])|까지|이전|이후)"
    ),
    since_before=re.compile(r"\b(?:since|seit)\s+(?:dem\s+)?\Z", re.IGNORECASE),
    since_behind=re.compile(r"\s*(?:起|开始|開始|以[来來]|到现在|到現在|至今|부터)"),
    tail=re.compile(
        r"(?:\s*(?P<to>\.\.|[~～–—到至]|\s(?:to|until|through|bis)\s)|\s*(?P<also>[和与與]))\s*"
        r"(?:(?P<month>\d{1,2})[-/])?(?P<day>\d{1,2})(?![\d/:.-])(?!\s*[a-z])[日号號일]?",
        re.IGNORECASE,
    ),
)
