"""Runs of letters, digits and inner punctuation: plain words, or names that are asked for whole.

``http_client.send`` is three words to a reader and one name to a programmer. Its words go to the
body; the name, and the shorter names inside it (``http_client``), to the column of whole forms.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from itertools import pairwise
from typing import NamedTuple

from memex_core.index.characters import CUT, SOFT, exact, fold

Span = tuple[int, int, str]

_LEVELS = (re.compile(r"[^/\\:@=&]+"), re.compile(r"[^.]+"), re.compile(r"[^_-]+"))
"""What stands between the marks that divide a name, those that divide most first."""

_OUTER = re.compile(r"[/\\:@=&.]")  # the marks of the first two

_MOST_PIECES = 8
_LONGEST_NESTED = 256  # above, only the name itself: a path has fewer letters, a data blob more
_CONTRACTIONS = ("'s", "'re", "'ve", "'ll", "'m", "'d")
_HEAD = re.compile(r"(?:--?|[.%@#$]|_+)$")
_TAIL = re.compile(r"\+{1,2}|_+")
_ATOM = re.compile(r"[uldm]+")
_STAMP = r"(\d{4}-\d\d-\d\d)t(\d\d:\d\d\S*)"
_VERSION = r"v(\d+(?:\.\w+)+.*)"
_PLUS = r"([^\W\d_]+\+\+)\w+"
_SPELLING = frozenset("ulm-'")
_CAMEL = re.compile(r"(?<=[lm])(?=u)|(?<=d)(?=ul)|(?<=u)(?=u[lm])")


class Run(NamedTuple):
    """What one run holds; offsets count from the start of the run.

    ``words`` in reading order, ``parts`` the humps of camelCase and joined spellings (findable, but
    not in reading order), ``name`` the whole form (empty for a plain word) and where it stands,
    ``strict`` when a query for it means it to the letter, ``wholes`` all whole forms, longest first.
    """

    words: list[Span]
    parts: list[Span]
    name: str
    start: int
    end: int
    strict: bool
    wholes: list[str]


def read_run(text: str, kinds: str) -> Run | None:
    """Take apart one run of letters, digits, marks and soft punctuation; None without a letter or digit.

    ``kinds`` is ``text`` through the table of character classes.
    """
    start = len(kinds) - len(kinds.lstrip(SOFT + "m"))
    end = len(kinds.rstrip(SOFT))
    if start >= end:
        return None
    end = _without_contraction(text, start, end)
    atoms = [(m.start(), m.end()) for m in _ATOM.finditer(kinds, start, end)]
    words = _words(text, start, end, atoms)
    parts = _parts(text, kinds, start, end, atoms)
    accented: list[str] = []
    if not text.isascii():
        forms = [(exact(text[a:b])[:CUT], word) for a, b, word in words]
        accented = [form for form, word in forms if form != word and "'" not in form]
    head, tail = _edges(text, kinds, start, end)
    core = text[head:tail]
    if len(atoms) == 1 and head == start and tail == end:
        return Run(words, parts, "", start, end, False, accented)
    name = exact(core)[:CUT]
    strict = _is_strict(core, kinds[head:tail])
    wholes = [name, *accented]
    if len(core) <= _LONGEST_NESTED:
        wholes += _inner_names(exact(core))
    return Run(words, parts, name, head, tail, strict, list(dict.fromkeys(wholes)))


def _without_contraction(text: str, start: int, end: int) -> int:
    """``Caroline's`` is read as ``Caroline``; the end moves before the apostrophe."""
    while True:
        at = text.rfind("'", start, end)
        if at <= start or text[at:end].lower() not in _CONTRACTIONS:
            return end
        end = at


def _words(text: str, start: int, end: int, atoms: list[tuple[int, int]]) -> list[Span]:
    if text[end - 2 : end].lower() == "'t" and text[end - 3 : end - 2].lower() == "n" and len(atoms) == 2:
        return [(start, end, fold(text[start:end].replace("'", ""))[:CUT])]
    if text.isascii():
        text = text.lower()
        return [(a, b, text[a:b][:CUT]) for a, b in atoms]
    return [(a, b, word) for a, b in atoms if (word := fold(text[a:b])[:CUT])]


def _parts(text: str, kinds: str, start: int, end: int, atoms: list[tuple[int, int]]) -> list[Span]:
    parts: list[Span] = []
    for a, b in atoms:
        if "u" in kinds[a + 1 : b] and b - a <= CUT:
            parts += _humps(text, kinds, a, b)
    if 2 <= len(atoms) <= 3 and end - start <= CUT and set(kinds[start:end]) <= set("ulm-"):
        parts.append((start, end, fold(text[start:end].replace("-", ""))))
    return parts


def _humps(text: str, kinds: str, a: int, b: int) -> list[Span]:
    """``HttpClient`` -> Http, Client. Plurals of initials (``URLs``) stay whole."""
    kind = kinds[a:b]
    if kind.strip("u") == "l" and kind[-1] == "l":
        return []
    cuts = [a, *(a + m.start() for m in _CAMEL.finditer(kind)), b]
    if len(cuts) == 2:
        return []
    return [(i, j, fold(text[i:j])) for i, j in pairwise(cuts) if j - i > 1]


def _edges(text: str, kinds: str, start: int, end: int) -> tuple[int, int]:
    """Where the whole form begins and ends: ``.NET``, ``#tag``, ``--flag``, ``C++``, ``100%``, ``F#``."""
    before = text[max(0, start - 3) : start]
    head = _HEAD.search(before)
    if head and (head[0] not in (".", "%") or kinds[start] in "ul"):
        start -= len(head[0])
    last, after = kinds[end - 1], text[end : end + 3]
    tail = _TAIL.match(after)
    if tail:
        end += tail.end()
    elif (after[:1] == "#" and last in "ul") or (after[:1] == "%" and last == "d"):
        end += 1
    return start, end


def _is_strict(core: str, kinds: str) -> bool:
    """Hyphens and apostrophes between letters are spelling; any other punctuation names a thing."""
    if core[0] == "-":
        return True
    return not _SPELLING.issuperset(kinds)


def _inner_names(name: str) -> list[str]:
    """The shorter names inside ``name``: its segments, what they begin with and what they end with."""
    found: list[str] = []
    stamp = re.fullmatch(_STAMP, name) if name[:4].isdigit() else None
    if stamp:
        found += stamp.groups()
    if name[0] == "v" and (version := re.fullmatch(_VERSION, name)):
        found.append(version[1])
    if "++" in name and (plus := re.fullmatch(_PLUS, name)):
        found.append(plus[1])
    _descend(name, 0 if _OUTER.search(name) else 2, found)
    if "-" in name and not stamp:
        for piece in name.split("-"):  # v1.2.3 of v1.2.3-beta, node.js of node.js-based
            if piece and not piece.isalnum():
                found.append(piece)
    return [form[:CUT] for form in found]


def _descend(name: str, level: int, found: list[str]) -> None:
    whole = [(0, len(name))]
    while (spans := [part.span() for part in _LEVELS[level].finditer(name)]) == whole:
        level += 1
        if level == len(_LEVELS):
            return
    last = len(spans) - 1
    for i in range(1, min(last, _MOST_PIECES)):
        found.append(name[spans[0][0] : spans[i][1]])
    for i in range(max(1, last - _MOST_PIECES), last):
        if not (name[spans[i][0]].isdigit() and name[spans[i - 1][1] - 1].isdigit()):  # 2.3 of v1.2.3
            found.append(name[spans[i][0] :])
    for a, b in spans:
        segment = name[a:b]
        if not segment.isalnum():
            found.append(segment)
            if level + 1 < len(_LEVELS):
                _descend(segment, level + 1, found)
