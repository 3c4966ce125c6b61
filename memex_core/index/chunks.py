"""One chunk (text between spaces) as its tokens, with a memory of the chunks seen before.

Nearly all chunks are old acquaintances, and of the new ones most are plain words: both have ways of
their own, which say what the full one (:func:`spell`) says.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from memex_core.index.characters import CUT, tidy
from memex_core.index.stem import stem

if TYPE_CHECKING:
    from memex_core.index.pieces import Piece

GAP = "\x02"
"""The chunk that stands between texts (the analyser takes it out of them), and what it becomes: neither is a
token, nor part of one."""

GAP_SPELT = "\n"

MARK = "\x01"
"""Around each part of a chunk that has more to it: its tokens, its trailing parts, its whole forms. No token
holds a control character."""

_CACHED_LENGTH = 48
_CACHED_CHUNKS = 300_000
_RUN_BLOCK = 4096


class Chunks(dict[str, str]):
    """Chunk -> body tokens, between marks when there is more to it (:func:`marked`). Bounded: emptied when
    full, and long chunks are never kept."""

    __slots__ = ("_words",)

    def __init__(self, words: dict[str, str] | None) -> None:
        super().__init__({GAP: GAP_SPELT})
        self._words = words

    def __missing__(self, chunk: str) -> str:
        words = self._words
        if chunk.isalpha() and chunk.islower() and chunk.isascii() and 1 < len(chunk) <= _CACHED_LENGTH:
            spelt = stem(chunk)  # what plain() says, without three calls: most of what is new
            if words is not None:
                words[chunk] = spelt
        else:
            spelt = plain(chunk, words) or pair(chunk, words) or marked_or_not(chunk, words)
        if len(chunk) <= _CACHED_LENGTH:
            if len(self) >= _CACHED_CHUNKS:
                self.clear()
                self[GAP] = GAP_SPELT
            self[chunk] = spelt
        return spelt


def marked(body: str, parts: str, wholes: Iterable[str]) -> str:
    """The body tokens, the trailing parts and the whole forms of a chunk as one text."""
    return f"{MARK}{body}{MARK}{parts}{MARK}{' '.join(wholes)}{MARK}"


def unmarked(spelt: str, wholes: dict[str, None]) -> tuple[str, list[str]]:
    """The body tokens and the trailing parts of chunks, marked ones among them, separated by spaces.

    The whole forms become keys of ``wholes``.
    """
    pieces = spelt.split(MARK)
    for names in filter(None, pieces[3::4]):
        wholes.update(dict.fromkeys(names.split(" ")))
    parts = list(filter(None, pieces[2::4]))
    del pieces[3::4], pieces[2::3]
    return "".join(pieces), parts


def plain(chunk: str, words: dict[str, str] | None) -> str:
    """The token of an ordinary English word, the quick way; empty for all else."""
    word = plain_word(chunk)
    token = stem(word) if word else ""
    if words is not None and len(word) > 1:
        words[word] = token
    return token


def plain_word(chunk: str) -> str:
    """The lower-case word when the chunk is one English word with mere punctuation around it, else empty."""
    if chunk.islower() and chunk.isalpha() and chunk.isascii() and len(chunk) <= CUT:
        return chunk
    word = chunk.rstrip(".:").strip('"()[]{}*,;!?`<>|^').rstrip(".:")
    if not word.isascii() or not word.isalpha() or len(word) > CUT:
        return ""
    if not (word.islower() or word[1:].islower() or word.isupper() or len(word) == 1):
        return ""
    return word.lower()


def pair(chunk: str, words: dict[str, str] | None) -> str:
    """Two lower-case words or numbers with a hyphen between them, the quick way; empty for all else.

    The commonest marked chunk, in prose and in the names of files: taking it apart piece by piece takes
    over ten times as long.
    """
    name = chunk.rstrip(".,;:!?)").lstrip("(")
    first, _, second = name.partition("-")
    if not (first.isalnum() and second.isalnum() and name.isascii() and len(name) <= CUT):
        return ""
    if name != name.lower():
        return ""
    body = f"{token_of(first, words)} {token_of(second, words)}"
    joined = token_of(first + second, words) if first.isalpha() and second.isalpha() else ""
    return marked(body, joined, (name,))


def marked_or_not(chunk: str, words: dict[str, str] | None) -> str:
    """The body tokens of any chunk, marked when it has parts or whole forms."""
    body, parts, wholes = spell(chunk, words)
    return marked(body, parts, wholes) if parts or wholes else body


def spell(chunk: str, words: dict[str, str] | None) -> tuple[str, str, tuple[str, ...]]:
    """The body tokens of any chunk, its trailing parts, and its whole forms."""
    text = tidy(chunk)
    body: list[str] = []
    parts: list[str] = []
    wholes: list[str] = []
    for start, end, kind, run in pieces_of(text):
        if run is not None:
            for _, _, word in run.words:
                body.append(token_of(word, words))
            parts += [token_of(part, words) for _, _, part in run.parts]
            wholes += run.wholes
        elif kind == "c":
            body += _bigrams(text[start:end])
        else:
            body.append(text[start:end])
    if not body and (operator := operator_of(chunk)):
        wholes.append(operator)
    if "\u200b" in chunk:  # a place to break that nobody sees: both readings are right
        parts.append(" ".join(spell(piece, words)[0] for piece in chunk.split("\u200b")))
    return " ".join(body), " ".join(parts), tuple(dict.fromkeys(wholes))


def _bigrams(run: str) -> Iterator[str]:
    """Overlapping pairs and the last character, joined in blocks to stay small in memory."""
    for at in range(0, len(run), _RUN_BLOCK):
        yield " ".join([run[i : i + 2] for i in range(at, min(at + _RUN_BLOCK, len(run)))])


def token_of(word: str, words: dict[str, str] | None = None) -> str:
    """The body token of a folded word."""
    token = stem(word) if word.isascii() and word.isalpha() else word
    if words is not None and len(word) > 1 and not word.isdigit():
        words[word] = token
    return token


def pieces_of(text: str) -> Iterator["Piece"]:
    """See :mod:`memex_core.index.pieces`, which plain English words never load."""
    from memex_core.index.pieces import pieces

    return pieces(text)


def operator_of(chunk: str) -> str:
    from memex_core.index.pieces import operator

    return operator(chunk)
