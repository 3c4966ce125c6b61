"""From what a person typed to what is looked for. Never raises: what is no operator is text.

``"phrase"``, ``-word``, ``-"phrase"``, ``a OR b``, ``a AND b``, ``NOT a`` and the prefixes of
:data:`memex_core.recall.syntax.FILTERS` (also negated by ``-``). Prefixes that are not in that table,
lone operators, single quotes and brackets are text. Nothing typed reaches the engine unquoted: see
:func:`build_match`.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memex_core.index.analyse import Lookup, Spelling, query_terms, query_tokens, whole
from memex_core.index.stopwords import STOP, drop_stop_words
from memex_core.recall.syntax import FILTERS, Item, in_or, scan, well_formed_or

_CLOSED = frozenset(("in", "is"))  # other values than those of the table make it text
_LISTS = frozenset(("tag", "type", "status", "scope", "in", "is", "project"))
_SPOKEN = r"[^\W\d_]+(?:/[^\W\d_]+)+|(?:[^\W\d_]\.)+[^\W\d_]|[^\W\d_]+\+"
_FOLDED = frozenset(("tag", "type", "status", "scope", "in", "is"))


class Term(NamedTuple):
    """One thing asked for. All its ``lookups`` must hold for it to be found.

    ``text`` is as typed, without quotes; ``start`` and ``end`` are the place of the item it is from.
    ``word`` is the folded spelling of a single plain word (for spelling repair and completion), else
    empty. ``exact`` is a whole form to prefer. ``stop`` says that it only tells how is being asked.
    """

    text: str
    lookups: tuple[Lookup, ...]
    start: int
    end: int
    word: str = ""
    exact: str = ""
    stop: bool = False
    quoted: bool = False

    @property
    def strict(self) -> bool:
        """Meant to the letter: a quoted phrase or an identifier."""
        return self.quoted or (not self.stop and any(one.kind == "whole" for one in self.lookups))


class Filter(NamedTuple):
    """``key:value``. Any of ``values`` will do; ``negated`` asks for none of them.

    Values of ``after`` and ``before`` are a date (or stamp): from it on, and before it. ``tag`` has no
    ``#``; ``prop`` is ``key=value``. Values of tag, type, status, scope, in and is are case-folded.
    """

    key: str
    values: tuple[str, ...]
    negated: bool
    start: int
    end: int


class Query(NamedTuple):
    """A parsed query.

    ``terms`` may be relaxed, rarest kept; ``phrases`` (quoted) and ``wholes`` (identifiers) never;
    of each of ``groups`` (OR) one must be found; ``excluded`` none. ``stopped`` are terms left out
    because they only say how is being asked. ``exacts`` are whole forms worth a better rank.
    ``notes`` say what looked like an operator and was read as text.
    """

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[Term, ...] = ()
    wholes: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()
    groups: tuple[tuple[Term, ...], ...] = ()
    filters: tuple[Filter, ...] = ()
    stopped: tuple[Term, ...] = ()
    exacts: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every token looked for, to mark in a text; a beginning of a token ends in ``*``."""
        found: dict[str, None] = {}
        for term in (
            *self.terms,
            *self.phrases,
            *self.wholes,
            *(one for group in self.groups for one in group),
        ):
            for lookup in term.lookups:
                tokens = drop_stop_words(lookup.tokens, STOP.__contains__)
                found.update(dict.fromkeys(tokens))
                if lookup.kind == "prefix":
                    found.pop(lookup.tokens[-1], None)
                    found[f"{lookup.tokens[-1]}*"] = None
        return tuple(found)

    @property
    def blank(self) -> bool:
        """Nothing was asked: the newest come first."""
        return not self.text.strip()

    @property
    def positive(self) -> bool:
        """There is a text to find (a query of filters only lists what fits them)."""
        return bool(self.terms or self.phrases or self.wholes or self.groups)

    @property
    def hopeless(self) -> bool:
        """Something was typed, and nothing in it can be found or filtered by (``***``): no hits."""
        return not (self.blank or self.positive or self.filters)


def parse(text: str, now: datetime | None = None) -> Query:
    """Read a query. ``now`` (default: the person's own clock) is what ``7d`` counts from."""
    items = scan(text)
    notes: list[str] = []
    filters: list[Filter] = []
    kept: list[Item] = []
    for item in items:
        found, note = _filter(item, now) if item.kind == "filter" else (None, "")
        if found:
            filters.append(found)
            kept.append(item)
            continue
        if item.kind == "filter":
            notes.append(note)
            item = item._replace(kind="word", text=text[item.start : item.end], key="", negated=False)
        kept.append(item)
    kept = well_formed_or(kept)
    return _sorted_out(text, kept, _joined(kept, filters), notes)


def _filter(item: Item, now: datetime | None) -> tuple[Filter | None, str]:
    """The filter an item means, or why it is text after all."""
    key, content = item.key, item.text.strip()
    values = [part.strip() for part in re.split("[,|]", content)] if key in _LISTS else [content]
    if key in _FOLDED:
        values = [value.casefold() for value in values]
    if key == "tag":
        values = [value.lstrip("#") for value in values]
    if key in ("after", "before"):
        from memex_core.model import clock
        from memex_core.model.dates.when import first_moment

        start = first_moment(content, now or clock.local())
        if start is None:
            return None, f"{key}:{content} is no date, so it was searched as text"
        values = [start]
    values = [value for value in values if value]
    if key in _CLOSED and not set(values) <= set(FILTERS[key]):
        return None, f"{key}: takes {', '.join(FILTERS[key])}; {key}:{content} was searched as text"
    if key == "prop" and not re.match(r"[^=\s][^=]*=", content):
        return None, f"prop: takes key=value; prop:{content} was searched as text"
    if not values:
        return None, f"{key}: has no value, so it was searched as text"
    return Filter(key, tuple(dict.fromkeys(values)), item.negated, item.start, item.end), ""


def _joined(items: list[Item], filters: list[Filter]) -> list[Filter]:
    """Filters joined by OR made one, with the values of both."""
    by_start = {one.start: one for one in filters}
    joined: list[Filter] = []
    for i, item in enumerate(items):
        if item.kind != "filter":
            continue
        current = by_start[item.start]
        if joined and i > 1 and items[i - 1].kind == "operator" and items[i - 1].text == "OR":
            values = dict.fromkeys(joined[-1].values + current.values)
            joined[-1] = joined[-1]._replace(values=tuple(values), end=current.end)
        else:
            joined.append(current)
    return joined


def _sorted_out(text: str, items: list[Item], filters: list[Filter], notes: list[str]) -> Query:
    """Texts put where they belong: term, phrase, whole, group or exclusion."""
    anything = any(_is_text(item) and not item.negated for item in items)
    anything = anything or any(not one.negated for one in filters)
    sentence = _is_sentence(items)
    single: list[Term] = []
    excluded: list[Term] = []
    groups: list[tuple[Term, ...]] = []
    for i, item in enumerate(items):
        if not _is_text(item):
            continue
        if item.negated and anything:
            excluded += _as_one(item)
        elif in_or(items, i):
            if not in_or(items, i, before=True):
                groups.append(())
            groups[-1] += tuple(_as_one(item))
        else:
            single += _terms(item, sentence)
    single = list({(term.lookups, term.quoted): term for term in reversed(single)}.values())[::-1]
    strict = [term for term in single if term.strict]
    loose = [term for term in single if not term.strict]
    needed = bool(strict or any(groups))
    kept = [term for term in loose if not term.stop]
    if not kept and not needed:  # only stop words, or only signs
        kept = [term for term in loose if term.word] or loose
    chosen = {id(term) for term in kept}
    return Query(
        text=text,
        terms=tuple(kept),
        phrases=tuple(term for term in strict if term.quoted),
        wholes=tuple(term for term in strict if not term.quoted),
        excluded=tuple(excluded),
        groups=tuple(group for group in groups if group),
        filters=tuple(filters),
        stopped=tuple(term for term in loose if id(term) not in chosen),
        exacts=tuple(dict.fromkeys(term.exact for term in kept if term.exact)),
        items=tuple(items),
        notes=tuple(notes),
    )


def _is_text(item: Item) -> bool:
    return item.kind in ("word", "phrase")


def _is_sentence(items: list[Item]) -> bool:
    """Whether the query is written as people speak: then ``artists/bands`` is two words."""
    plain = (item.text.strip(".,;:!?'\"") for item in items if item.kind == "word")
    return sum(word.isalpha() for word in plain) >= 2


def _terms(item: Item, sentence: bool) -> list[Term]:
    if item.kind == "phrase":
        return _as_one(item)
    terms: list[Term] = []
    spellings = query_terms(item.text)
    if sentence:
        spellings = [loose for one in spellings for loose in _loosened(one)]
    for one in spellings:
        sign = not one.word and one.lookups[0].kind == "whole" and not _has_letters(one.lookups)
        text = item.text if len(spellings) == 1 else one.text
        stop = sign or one.word in STOP
        terms.append(Term(text, one.lookups, item.start, item.end, one.word, one.exact, stop))
    return terms


def _loosened(spelling: Spelling) -> list[Spelling]:
    """In a sentence ``either/or``, ``U.S.`` and ``LGBTQ+`` are spelling, where alone they are names."""
    lookup = spelling.lookups[0]
    if lookup.kind != "whole" or len(spelling.lookups) > 1 or not re.fullmatch(_SPOKEN, lookup.tokens[0]):
        return [spelling]
    parts = [
        one
        for part in re.split(r"[/+]", spelling.text)
        for one in query_terms(part.replace(".", " ").strip())
    ]
    return [one._replace(exact=lookup.tokens[0]) for one in parts]


def _has_letters(lookups: Sequence[Lookup]) -> bool:
    return any(character.isalnum() for lookup in lookups for token in lookup.tokens for character in token)


def _as_one(item: Item) -> list[Term]:
    """The item as one term: a phrase, an alternative, or something to leave out."""
    lookups = query_tokens(item.text)
    if not lookups:
        return []
    if item.kind != "phrase":
        return [Term(item.text, tuple(lookups), item.start, item.end)]
    if len(item.text.split()) == 1 and len(lookups) == 1 and (forms := whole(item.text)):
        lookups = [Lookup("whole", (forms[0],))]  # a word in quotes is meant as it is spelt
    return [Term(item.text.strip(), tuple(lookups), item.start, item.end, quoted=True)]


def quoted(token: str) -> str:
    """A token as an FTS5 string."""
    return '"' + token.replace('"', '""') + '"'


def match_of(lookup: Lookup, *, columns: str = "", whole_column: str = "whole") -> str:
    """One lookup as an FTS5 expression. ``columns`` (ours, as in ``{title body}``) limits where words
    are looked for; whole forms are looked for in ``whole_column``."""
    if lookup.kind == "whole":
        return f"{whole_column} : {quoted(lookup.tokens[0])}"
    phrase = quoted(" ".join(lookup.tokens)) + (" *" if lookup.kind == "prefix" else "")
    return f"{columns} : {phrase}" if columns else phrase


def match_term(term: Term, *, columns: str = "", whole_column: str = "whole") -> str:
    """A term as an FTS5 expression: all its lookups."""
    parts = [match_of(one, columns=columns, whole_column=whole_column) for one in term.lookups]
    return parts[0] if len(parts) == 1 else f"({' AND '.join(parts)})"


def build_match(
    query: Query,
    terms: Sequence[Term] | None = None,
    *,
    any_term: bool = False,
    columns: str = "",
    whole_column: str = "whole",
) -> str:
    """The FTS5 MATCH expression of a query; empty when there is nothing to find.

    ``terms`` (default: the query's) are joined by AND, or by OR with ``any_term``; phrases, wholes
    and groups must hold in either case, and what is excluded must not.
    """

    def of(term: Term) -> str:
        return match_term(term, columns=columns, whole_column=whole_column)

    wanted = query.terms if terms is None else terms
    must = [of(term) for term in (*query.phrases, *query.wholes)]
    must += [_either([of(term) for term in group]) for group in query.groups]
    if wanted:
        loose = [of(term) for term in wanted]
        must += [_either(loose)] if any_term else loose
    if not must:
        return ""
    expression = " AND ".join(must)
    if query.excluded:
        expression = f"({expression}) NOT {_either([of(term) for term in query.excluded])}"
    return expression


def _either(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"
