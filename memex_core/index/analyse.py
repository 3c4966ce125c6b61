"""The one analyser: what the words of a text are, for the index and for queries alike.

A text becomes two strings of tokens separated by spaces, for two columns of the full-text table:

* the **body**: every word folded (case, diacritics) and stemmed, in reading order, so that phrases
  hold; scripts without spaces as overlapping bigrams and the run's last character; symbols and emoji
  as words; identifiers in their parts. Humps of camelCase and joined spellings (``e-mail`` as
  ``email``) follow at the end, where they disturb no phrase.
* the **whole** forms, each once: identifiers as written (``http_client.send``, ``c++``, ``100%``) and
  words with their diacritics.

Tokens hold no white space and no double quote and are at most 64 code points. The table's own
tokenizer must split at spaces only (:data:`TOKENIZE`).
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.characters import CUT, fold, tidy, unsegmented
from memex_core.index.chunks import (
    GAP,
    GAP_SPELT,
    MARK,
    Chunks,
    operator_of,
    pieces_of,
    plain_word,
    token_of,
    unmarked,
)
from memex_core.index.stem import stem

if TYPE_CHECKING:
    from memex_core.index.identifiers import Run

ANALYSER = 1
"""Goes up whenever the same text would give other tokens: an index made by another one is rebuilt."""

TOKENIZE = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\\]^_`{|}~'''"
"""For ``CREATE VIRTUAL TABLE … USING fts5(…, tokenize="…")``: spaces divide, nothing else."""

_BETWEEN = f" {GAP} "
_BLOCK = 1 << 17  # code points analysed at a time, so that a huge page needs no huge list
_LONGEST_RUN = 4  # characters of an unspaced script that a query means as one piece
_LONGEST_GROUP = 4


class Lookup(NamedTuple):
    """One thing to look for. ``kind`` says how:

    ``words``: the tokens one after the other in a text column; ``prefix``: the same, the last token
    being the beginning of one; ``whole``: the one token, in the column of whole forms.
    """

    kind: str
    tokens: tuple[str, ...]


class Analyser:
    """Analysis with a memory of the chunks (text between spaces) seen before.

    ``learn=True`` collects the spellings of the words met, for :meth:`take_words`.
    """

    __slots__ = ("_look_up", "_words")

    def __init__(self, *, learn: bool = False) -> None:
        self._words: dict[str, str] | None = {} if learn else None
        self._look_up = Chunks(self._words).__getitem__

    def bodies(self, texts: Sequence[str], wholes: dict[str, None]) -> list[str]:
        """The body tokens of each text, separated by spaces; all whole forms become keys of ``wholes``.

        One pass over the chunks of all texts: a page has many short ones, and for those the steps around
        the look-up would cost more than the look-up.
        """
        if not texts:
            return []
        if sum(map(len, texts)) > _BLOCK:
            return [self._long(text, wholes) for text in texts]
        joined = _BETWEEN.join(texts)
        if joined.count(GAP) != len(texts) - 1:  # any other control character means as little
            joined = _BETWEEN.join([text.replace(GAP, MARK) for text in texts])
        spelt = " ".join(map(self._look_up, joined.split()))
        found = [piece[1:-1] for piece in f" {spelt} ".split(GAP_SPELT)]
        if MARK in spelt:
            for at, piece in enumerate(found):
                if MARK in piece:
                    body, parts = unmarked(piece, wholes)
                    found[at] = " ".join([body, *parts])
        return found

    def _long(self, text: str, wholes: dict[str, None]) -> str:
        """The body tokens of a text of any length, in pieces."""
        if len(text) <= _BLOCK:
            return self.bodies((text,), wholes)[0]
        bodies: list[str] = []
        parts: list[str] = []
        for block in _blocks(text.replace(GAP, MARK)):
            body, more = unmarked(" ".join(map(self._look_up, block.split())), wholes)
            bodies.append(body)
            parts += more
        return " ".join(bodies + parts)

    def body(self, text: str, wholes: dict[str, None]) -> str:
        """The body tokens of ``text``, separated by spaces; its whole forms become keys of ``wholes``."""
        return self.bodies((text,), wholes)[0]

    def fields(self, text: str) -> tuple[str, str]:
        """The body and the whole forms of ``text``, both as space-separated tokens."""
        wholes: dict[str, None] = {}
        return self.body(text, wholes), " ".join(wholes)

    def field(self, text: str) -> str:
        """The body tokens of ``text``, separated by spaces."""
        return self.fields(text)[0]

    def take_words(self) -> dict[str, str]:
        """Folded spelling -> token of the words first met since the last call (a word may come again)."""
        if not self._words:
            return {}
        taken = dict(self._words)
        self._words.clear()
        return taken


def _blocks(text: str) -> Iterator[str]:
    """``text`` in blocks cut at white space."""
    space = re.compile(r"\s")
    at = 0
    while at < len(text):
        gap = space.search(text, at + _BLOCK)
        end = gap.end() if gap else len(text)
        yield text[at:end]
        at = end


_shared = Analyser()
fields = _shared.fields
field = _shared.field


def analyse(text: str) -> list[str]:
    """The body tokens of ``text``."""
    return _shared.fields(text)[0].split()


def whole(text: str) -> list[str]:
    """The whole forms of ``text``, each once."""
    return _shared.fields(text)[1].split()


def words(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int, str]]:
    """(start, end, token) of everything findable in ``text[start:end]``, offsets in ``text``.

    Body tokens in order, each chunk's camelCase parts and whole forms after its body tokens. The cut
    should fall on white space.
    """
    for chunk in re.compile(r"\S+").finditer(text, start, len(text) if end is None else end):
        yield from _chunk_words(chunk[0], chunk.start())


def _chunk_words(chunk: str, offset: int) -> Iterator[tuple[int, int, str]]:
    plain = plain_word(chunk)
    if plain:
        start = offset + chunk.lower().find(plain)
        yield start, start + len(plain), stem(plain)
        return
    text = tidy(chunk)
    place = _places(chunk, text)
    found = False
    for start, end, kind, run in pieces_of(text):
        found = True
        if run is not None:
            spans = [(a, b, token_of(word)) for a, b, word in (*run.words, *run.parts)]
            spans += [(a, b, form) for a, b, form in _whole_spans(text[start:end], run)]
            for a, b, token in spans:
                yield offset + place[start + a][0], offset + place[start + b - 1][1], token
        elif kind == "c":
            for i in range(start, end):
                yield offset + place[i][0], offset + place[min(i + 2, end) - 1][1], text[i : min(i + 2, end)]
        else:
            yield offset + place[start][0], offset + place[end - 1][1], text[start:end]
    if not found and (operator := operator_of(chunk)):
        at = chunk.find(operator)
        yield offset + at, offset + at + len(operator), operator


def _whole_spans(text: str, run: "Run") -> Iterator[tuple[int, int, str]]:
    lower = text.lower()
    for form in run.wholes:
        at = lower.find(form, run.start) if len(lower) == len(text) else -1
        if at >= 0:
            yield at, at + len(form), form
        else:
            yield run.start, run.end, form


def _places(chunk: str, text: str) -> list[tuple[int, int]]:
    """For each character of the tidy ``text``, the (start, end) in ``chunk`` that it came from."""
    if chunk == text:
        return [(i, i + 1) for i in range(len(chunk))]
    places: list[tuple[int, int]] = []
    rebuilt: list[str] = []
    start = 0
    for i in range(1, len(chunk) + 1):
        if i < len(chunk) and _joins(chunk[i]):
            continue
        cluster = tidy(chunk[start:i])
        places += [(start, i)] * len(cluster)
        rebuilt.append(cluster)
        start = i
    return places if "".join(rebuilt) == text else [(0, len(chunk))] * len(text)


def _joins(character: str) -> bool:
    """Whether normalisation may merge the character with the one before it."""
    if character < "\u0300":
        return False
    first = unicodedata.normalize("NFKC", character)[0]
    return unicodedata.combining(first) != 0 or "\u1161" <= first <= "\u11ff"


def query_tokens(text: str) -> list[Lookup]:
    """What to look for to find ``text`` (a word, an identifier or a phrase): all of the list must hold.

    Empty when nothing in it can be found. An identifier alone is asked for whole, exactly; inside a
    phrase its words stand in the phrase and its whole form is asked for besides. Signs (``%``) count
    only where there is nothing else.
    """
    tokens: list[str] = []
    names: list[str] = []
    prefix = open_run = False
    runs = 0
    for chunk in text.split():
        for start, end, kind, run in pieces_of(piece := tidy(chunk)):
            runs += 1
            prefix = open_run = False
            if run is not None:
                tokens += [token_of(word) for _, _, word in run.words]
                if run.strict:
                    names.append(run.name)
            elif kind == "c":
                pairs = [piece[i : min(i + 2, end)] for i in range(start, end)]
                tokens += pairs
                prefix, open_run = len(pairs) == 1, len(pairs) > 1
            else:
                tokens.append(piece[start:end])
    if open_run:  # the text found may go on after the query's last character
        tokens.pop()
    if not tokens:
        operators = filter(None, map(operator_of, text.split()))
        return [Lookup("whole", (operator,)) for operator in dict.fromkeys(operators)]
    wholes = [Lookup("whole", (name,)) for name in dict.fromkeys(names)]
    if runs == len(names) == 1 and len(names[0]) < CUT:
        return wholes
    return [Lookup("prefix" if prefix else "words", tuple(tokens)), *wholes]


class Spelling(NamedTuple):
    """One independent piece of a query word, ``text``; ``word`` is its folded spelling, empty unless it
    is one plain word; ``exact`` the whole form to prefer (``résumé``, ``multi-agent``), not to insist on."""

    text: str
    lookups: tuple[Lookup, ...]
    word: str
    exact: str


def query_terms(chunk: str) -> list[Spelling]:
    """A word of a query (text without white space) as the terms it stands for.

    Mostly one. Text of a script without spaces stands apart from what it is glued to, and from its
    fifth character on each pair is a term, so that a sentence can match in part.
    """
    word = plain_word(chunk)
    if word:
        return [Spelling(chunk, (Lookup("words", (stem(word),)),), word, "")]
    text = tidy(chunk)
    groups: list[tuple[int, int, list[Run]]] = []
    spellings: list[Spelling] = []
    closed = True
    for start, end, kind, run in pieces_of(text):
        if kind == "c":
            groups.append((start, end, []))
            closed = True
        elif closed or len(groups[-1][2]) >= _LONGEST_GROUP:
            groups.append((start, end, [run] if run else []))
            closed = False
        else:
            groups[-1] = (groups[-1][0], end, [*groups[-1][2], *([run] if run else [])])
    for start, end, runs in groups:
        spellings += _spelling(text[start:end], runs)
    if not groups and (lookups := query_tokens(chunk)):
        spellings.append(Spelling(chunk, tuple(lookups), "", ""))
    return spellings


def _spelling(text: str, runs: "list[Run]") -> list[Spelling]:
    lookups = query_tokens(text)
    if not runs and lookups and unsegmented(ord(text[0])) and len(text) > _LONGEST_RUN:
        return [
            Spelling(pair, (Lookup("words", (pair,)),), "", "") for pair in dict.fromkeys(lookups[0].tokens)
        ]
    if len(runs) != 1 or not lookups:
        return [Spelling(text, tuple(lookups), "", "")] if lookups else []
    run = runs[0]
    word = run.words[0][2] if len(run.words) == 1 and lookups[0].kind == "words" else ""
    exact = "" if run.strict or not run.wholes else run.wholes[0]
    return [Spelling(text, tuple(lookups), word, exact)]


def folded(word: str) -> str:
    """``word`` as spellings are compared (case and diacritics folded, invisible characters out)."""
    return fold(tidy(word))
