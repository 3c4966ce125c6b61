"""Which words of a page a query found, as a pattern that the reader can mark."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memex_core.index.analyse import analyse
from memex_core.index.characters import unsegmented
from memex_core.recall.query import parse

LOOKED_AT = 300_000  # characters of a long page that are searched for spellings
MOST = 400  # spellings in one pattern

_WORD = re.compile(r"\w+(?:['’]\w+)*")


def pattern(query: str, text: str, matched: Iterable[str] = ()) -> re.Pattern[str] | None:
    """A pattern for all words of ``text`` that the search counts as the query's (or that it says it
    ``matched``); None: nothing to mark.

    The analyser decides, as it did for the search: ``ran`` is marked for ``running``.
    """
    parsed = parse(query)
    tokens = {*parsed.tokens, *(token for word in matched for token in parse(f'"{word}"').tokens)}
    if not tokens:
        return None
    beginnings = tuple(token[:-1] for token in tokens if token.endswith("*") and len(token) > 1)
    forms: set[str] = set()
    for word in set(_WORD.findall(text[:LOOKED_AT])):
        if not word.isascii() and any(unsegmented(ord(letter)) for letter in word):
            continue  # no spaces between words there: what was typed is marked as it stands
        found = analyse(word)
        if any(token in tokens or (beginnings and token.startswith(beginnings)) for token in found):
            forms.add(word)
    whole = {term.text for term in parsed.wholes}
    inside = {token.rstrip("*") for token in tokens if not token.isascii()}
    pieces = [rf"(?<!\w){re.escape(one)}(?!\w)" for one in sorted(forms, key=len, reverse=True)[:MOST]]
    pieces += [re.escape(one) for one in sorted(whole | inside, key=len, reverse=True) if one]
    return re.compile("|".join(pieces), re.IGNORECASE) if pieces else None
