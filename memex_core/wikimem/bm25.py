"""BM25 over texts held in memory: k1 1.5, b 0.75, and an idf that is never negative."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from memex_core.index.characters import unsegmented
from memex_core.wikimem.tokenize import signs, tokenize

K1, B = 1.5, 0.75


def query_terms(query: str, use_jieba: bool | None) -> list[str]:
    """What to look for, each once: the query's tokens, and the signs in it."""
    return list(dict.fromkeys([*tokenize(query, use_jieba=use_jieba), *signs(query)]))


def matched(text: str, terms: Sequence[str], use_jieba: bool | None) -> list[str]:
    """Those of ``terms`` that ``text`` has, sorted."""
    found = Words([text], use_jieba)
    return sorted(term for term in terms if found.counts(term))


class Words:
    """The words of some texts: for a term the texts that have it, and how often."""

    def __init__(self, texts: Sequence[str], use_jieba: bool | None) -> None:
        self._texts = texts
        self.lengths: list[int] = []
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for number, text in enumerate(texts):
            tokens = tokenize(text, use_jieba=use_jieba)
            self.lengths.append(len(tokens))
            for term, count in Counter(tokens).items():
                self._postings.setdefault(term, []).append((number, count))

    def counts(self, term: str) -> list[tuple[int, int]]:
        """(text, how often) in order. A single character of an unspaced script, and a sign, are counted
        wherever they stand: no token of a longer text is one."""
        if len(term) > 1 or not (unsegmented(ord(term)) or signs(term)):
            return self._postings.get(term, [])
        counts = ((number, text.count(term)) for number, text in enumerate(self._texts))
        return [(number, count) for number, count in counts if count]


def scores(groups: Sequence[Words], terms: Sequence[str]) -> dict[int, float]:
    """Text -> score of those that have a term. Texts are numbered on from group to group, and all count
    as one collection."""
    total = sum(len(group.lengths) for group in groups)
    average = sum(sum(group.lengths) for group in groups) / total if total else 0.0
    found: dict[int, float] = {}
    for term in terms:
        lists = [group.counts(term) for group in groups]
        having = sum(map(len, lists))
        if not having:
            continue
        idf = math.log(1 + (total - having + 0.5) / (having + 0.5))
        first = 0
        for group, postings in zip(groups, lists, strict=True):
            lengths = group.lengths
            for number, count in postings:
                norm = K1 * (1 - B + B * lengths[number] / average) if average else K1
                share = idf * count * (K1 + 1) / (count + norm)
                found[first + number] = found.get(first + number, 0.0) + share
            first += len(lengths)
    return found
