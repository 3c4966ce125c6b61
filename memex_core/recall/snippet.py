"""The part of a text that shows why it was found, its matches marked.

Long texts are not analysed: the tokens' likely spellings are sought as plain substrings, the best
windows compared, and only the words hit inside a window go through the analyser, which decides.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from heapq import nlargest
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.analyse import folded, words
from memex_core.index.characters import unsegmented
from memex_core.index.irregular import IRREGULAR
from memex_core.index.stem import stem

if TYPE_CHECKING:
    from typing import Protocol

    class HeadingLike(Protocol):
        """A heading: ``level`` from 1, ``text``, 1-based ``line``."""

        @property
        def level(self) -> int: ...
        @property
        def text(self) -> str: ...
        @property
        def line(self) -> int: ...


MARK = ("<mark>", "</mark>")
_HITS_PER_TOKEN = 200
_TRIES_PER_TOKEN = 4000
_WINDOWS = 8
_SMALL = 4096
_REACH = 72  # code points a word hit may extend to either side: the longest token and some
_CHUNK = re.compile(r"\S+")

Hit = tuple[int, str]
"""Where a likely spelling begins, and the token it may be."""


class Snippet(NamedTuple):
    """``text`` in one line, marked; ``line`` of the first match (0-based in the given text); ``matched``
    tokens. Without a match: the beginning of the text."""

    text: str
    line: int
    matched: frozenset[str]


def snippet(
    text: str,
    tokens: Iterable[str],
    *,
    width: int = 160,
    mark: tuple[str, str] = MARK,
    weights: Mapping[str, float] | None = None,
) -> Snippet:
    """The best window of ``text`` for ``tokens``, at most ``width`` terminal columns without the marks.

    ``tokens`` are the analyser's (:attr:`memex_core.recall.query.Query.tokens`); one that ends in ``*``
    is the beginning of one. ``weights`` (default: by rarity in this text) tells which matter most.
    White space collapses, control characters become visible, direction controls go, and the marks'
    own spelling in the text is escaped.
    """
    needles = {token: _needles(token) for token in dict.fromkeys(tokens)}
    hay = _searchable(text)
    hits = sorted(hit for token, forms in needles.items() for hit in _find(hay, token, forms))
    if not hits and len(text) <= _SMALL and not text.isascii():  # ligatures and the like
        hits = [(at, token) for at, _, token in words(text) if token in needles]
    spans, matched, first = _best(text, hits, needles, width, weights)
    start = _start(text, first, width)
    return Snippet(
        _render(text, start, spans, width, mark),
        text.count("\n", 0, spans[0][0] if spans else start),
        frozenset(matched),
    )


def _best(
    text: str,
    hits: list[Hit],
    needles: dict[str, list[str]],
    width: int,
    weights: Mapping[str, float] | None,
) -> tuple[list[tuple[int, int]], set[str], int]:
    """The marked spans and tokens of the best window, and where its first match begins."""
    counts: dict[str, int] = {}
    for _, token in hits:
        counts[token] = counts.get(token, 0) + 1
    weight = {token: (weights or {}).get(token, 1 / (1 + log2(count))) for token, count in counts.items()}
    best: tuple[float, list[tuple[int, int]], set[str], int] = (0.0, [], set(), 0)
    reach = max(1, width * 3 // 4 if text.isascii() else width // 2)
    for expected, at in _windows(hits, weight, reach):
        if expected <= best[0]:
            break
        spans, found = _verified(text, hits, needles, at, at + reach)
        score = sum(weight.get(token, 0.0) for token in found)
        if spans and score > best[0]:
            best = (score, spans, found, spans[0][0])
    return best[1], best[2], best[3]


def _windows(hits: list[Hit], weight: Mapping[str, float], reach: int) -> list[tuple[float, int]]:
    """(weight of the different tokens hit, start) of the most promising windows, the best first."""
    inside: dict[str, int] = {}
    score = 0.0
    right = 0
    windows: list[tuple[float, int]] = []
    for left, (at, token) in enumerate(hits):
        while right < len(hits) and (right <= left or hits[right][0] < at + reach):
            entering = hits[right][1]
            inside[entering] = inside.get(entering, 0) + 1
            if inside[entering] == 1:
                score += weight[entering]
            right += 1
        windows.append((score, -at))
        inside[token] -= 1
        if inside[token] == 0:
            score -= weight[token]
    return [(one, -at) for one, at in nlargest(_WINDOWS, windows)]


def _verified(
    text: str, hits: list[Hit], needles: dict[str, list[str]], start: int, end: int
) -> tuple[list[tuple[int, int]], set[str]]:
    """What the analyser confirms of the hits in ``text[start:end]``: merged spans, and the tokens."""
    first = bisect_left(hits, (start, ""))
    last = bisect_left(hits, (end, ""))
    chunks = dict.fromkeys(_chunk_around(text, at) for at, _ in hits[first:last])
    spans: list[tuple[int, int]] = []
    found: set[str] = set()
    for low, high in chunks:
        for a, b, token in words(text, low, high):
            wanted = token if token in needles else _prefix_of(token, needles)
            if wanted and start <= a < end:
                found.add(wanted)
                spans.append((a, a + len(wanted) - 1 if _is_short(wanted) else b))
    return _merged(spans), found


def _chunk_around(text: str, at: int) -> tuple[int, int]:
    """The text between white space around ``at``, but not more than a long word to either side."""
    low = high = at
    while low > 0 and at - low < _REACH and not text[low - 1].isspace():
        low -= 1
    while high < len(text) and high - at < _REACH and not text[high].isspace():
        high += 1
    return low, high


def _prefix_of(token: str, needles: Iterable[str]) -> str:
    return next((one for one in needles if one[-1] == "*" and token.startswith(one[:-1])), "")


def _is_short(wanted: str) -> bool:
    """Whether just the typed character is to be marked: one of a script without spaces."""
    return wanted[-1] == "*" and unsegmented(ord(wanted[0]))


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for a, b in sorted(spans):
        if merged and a <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(b, merged[-1][1]))
        else:
            merged.append((a, b))
    return merged


def _find(hay: str, token: str, forms: Sequence[str]) -> list[Hit]:
    """Where the forms stand; at the beginnings of words if there are such places."""
    at_words: list[Hit] = []
    inside: list[Hit] = []
    for form in forms:
        at = hay.find(form)
        tries = 0
        while at >= 0 and len(at_words) < _HITS_PER_TOKEN and tries < _TRIES_PER_TOKEN:
            plain = at > 0 and form[0].isalnum() and hay[at - 1].isalnum() and not unsegmented(ord(form[0]))
            (inside if plain else at_words).append((at, token))
            at = hay.find(form, at + 1)
            tries += 1
    return at_words or inside[:_HITS_PER_TOKEN]


def _needles(token: str) -> list[str]:
    """What the words that become ``token`` may look like at their beginning, case and accents off."""
    if token.endswith("*"):
        return [token[:-1]] if len(token) > 1 else []
    if not (token.isascii() and token.isalpha()):
        return [folded(token)] if token else []
    forms = [token[:-1] if len(token) > 2 and token[-1] in "ei" else token, *_irregular().get(token, ())]
    if token.endswith("nt"):
        forms.append(f"{token[:-1]}'t")
    return forms


@cache
def _irregular() -> dict[str, list[str]]:
    forms: dict[str, list[str]] = {}
    for form, base in IRREGULAR.items():
        forms.setdefault(stem(base), []).append(form)
    return forms


class _Plain(dict[int, int]):
    """Each character as one folded character, so that offsets stay."""

    def __missing__(self, code: int) -> int:
        plain = folded(chr(code))
        to = self[code] = ord(plain) if len(plain) == 1 else code
        return to


_PLAIN = _Plain()


def _searchable(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_PLAIN)


def _start(text: str, first: int, width: int) -> int:
    """Where to begin so that the match has some words before it: at a line's or a word's beginning."""
    lead = width // 4
    if first <= lead or len(text) <= width // 2:
        return 0
    low = first - lead
    line = text.rfind("\n", low, first)
    if line >= 0:
        return line + 1
    for at in range(low, first):
        if text[at - 1].isspace():
            return at
    while low < first and _glued(text, low):
        low += 1
    return low


def _glued(text: str, at: int) -> bool:
    """Whether a cut before ``text[at]`` would split what is seen as one character."""
    here, before = text[at], text[at - 1]
    return before == "\u200d" or here in "\u200d\ufe0f\u20e3" or unicodedata.category(here)[0] == "M"


class _Visible(dict[int, str | int | None]):
    """Code point -> what is shown of it; filled as characters turn up."""

    def __missing__(self, code: int) -> str | int | None:
        to = self[code] = _shown(code)
        return to


def _shown(code: int) -> str | int | None:
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    hidden = code in _HIDDEN or 0x80 <= code < 0xA0 or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069
    return None if hidden else code


_HIDDEN = frozenset((0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x2060, 0xFEFF))
_VISIBLE = _Visible()


def visible(text: str) -> str:
    """``text`` without anything that a terminal or a reader's eye would not see for what it is.

    Control characters become their pictures (ESC: ``␛``), direction and zero-width controls go (the
    joiner inside emoji stays), half surrogates become ``�``.
    """
    return text if text.isascii() and text.isprintable() else text.translate(_VISIBLE)


def columns(text: str) -> int:
    """How many terminal columns ``text`` takes."""
    if text.isascii():
        return len(text)
    count = 0
    for character in text:
        if character < "\u0300":
            count += 1
        elif unicodedata.category(character) not in ("Mn", "Me", "Cf"):
            count += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return count


def _render(text: str, start: int, spans: list[tuple[int, int]], width: int, mark: tuple[str, str]) -> str:
    """From ``start`` on as many words as fit into ``width`` columns, in one line."""
    out: list[str] = []
    used = 0
    if start > 0 and text[:start].strip():
        out.append("…")
        used = 1
    end = min(len(text), start + 4 * width)
    stop = len(text.rstrip())
    around = text[start:end]
    plain = around.isascii() and "<" not in around  # nothing to escape; control characters are looked for
    first = 0
    for number, chunk in enumerate(_CHUNK.finditer(text, start, end)):
        gap = " " if number else ""
        word, (low, high) = chunk[0], chunk.span()
        easy = plain and word.isprintable()
        size = (len(word) if easy else columns(_plain_text(word, mark))) + len(gap)
        if size > width - used - (high < stop):
            if number == 0 or size > width // 3:
                last = _fitting(text, low, high, width - used - 1 - len(gap))
                if last > low:
                    out.append(gap + _marked(text, low, last, spans, mark))
            return "".join((*out, "…"))
        while first < len(spans) and spans[first][1] <= low:
            first += 1
        if easy and (first == len(spans) or spans[first][0] >= high):
            out.append(gap + word)
        else:
            out.append(gap + _marked(text, low, high, spans, mark))
        used += size
    if end < stop:
        out.append("…")
    return "".join(out)


def _fitting(text: str, start: int, end: int, room: int) -> int:
    """The last place in ``text[start:end]`` up to which it takes at most ``room`` columns."""
    used = 0
    for at in range(start, end):
        used += columns(visible(text[at]))
        if used > room:
            while at > start and _glued(text, at):
                at -= 1
            return at
    return end


def _marked(text: str, start: int, end: int, spans: list[tuple[int, int]], mark: tuple[str, str]) -> str:
    out: list[str] = []
    at = start
    for a, b in spans:
        a, b = max(a, at), min(b, end)
        if a < b:
            out += (_plain_text(text[at:a], mark), mark[0], _plain_text(text[a:b], mark), mark[1])
            at = b
    out.append(_plain_text(text[at:end], mark))
    return "".join(out)


def _plain_text(text: str, mark: tuple[str, str]) -> str:
    shown = visible(text)
    for sign in mark:
        if sign.startswith("<") and sign in shown:
            shown = shown.replace(sign, "&lt;" + sign[1:])
    return shown


def unmarked(text: str) -> str:
    """A snippet's text without :data:`MARK` and with what was escaped for its sake as it was."""
    plain = text.replace(MARK[0], "").replace(MARK[1], "")
    return plain.replace("&lt;" + MARK[0][1:], MARK[0]).replace("&lt;" + MARK[1][1:], MARK[1])


def heading_path(headings: "Iterable[HeadingLike]", line: int) -> str:
    """The headings that ``line`` stands under, outermost first, joined by " › "; empty before the first."""
    path: list[HeadingLike] = []
    for heading in headings:
        if heading.line > line:
            break
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
    return " › ".join(visible(" ".join(heading.text.split())) for heading in path)
