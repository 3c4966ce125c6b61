"""Unlinked mentions: where a text names a page without linking to it.

Names are kept as a trie of words, so that a text is read once whatever the number of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from memex_core.model.linkscan import spans
from memex_core.model.mask import mask
from memex_core.model.slug import fold

SHORTEST = 2
"""Names of fewer characters (``C``) are mentioned everywhere and mean nothing."""
MOST_WORDS = 24
"""Longer names are titles that were a whole sentence; nobody repeats them by chance."""
CONTEXT = 160
"""How much of a long line is kept on each side of a mention, in characters."""

# Scripts written without blanks: there a word is looked for letter by letter.
_RUN = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u200c\u200d\ufe00-\ufe0f"
)
_WORD = re.compile(rf"[{_RUN}]|(?:(?![{_RUN}])[\w{_MARKS}])+|[^\w\s]")
_URL = re.compile(r"<?[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s<>]*|[\w.+-]{1,64}@[\w-]+\.[\w.-]+")


class Mention(NamedTuple):
    """``text[start:end]`` names the pages at ``paths`` (several: the name is ambiguous).

    ``line`` counts from 1 in the whole file; ``context`` is the line around it, trimmed.
    """

    paths: tuple[str, ...]
    start: int
    end: int
    line: int
    context: str


class _Node:
    """The words that may follow, and the pages named when nothing more follows."""

    __slots__ = ("next", "paths")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.paths: tuple[str, ...] = ()


class MentionFinder:
    """Finds the names it was given. Matching is by whole words, any letter case, the longest first."""

    def __init__(self, names: Iterable[tuple[str, str]] = ()) -> None:
        """``names``: pairs of a title or alias and the path of its page."""
        self._root = _Node()
        for name, path in names:
            self.add(name, path)

    def add(self, name: str, path: str) -> None:
        """Look for ``name`` too. Numbers, single letters and very long names are passed over."""
        name = name.strip()
        words = _words(name)
        if not words or len(words) > 2 * MOST_WORDS or len(name) < SHORTEST or name.isdigit():
            return
        node = self._root
        for word in words:
            node = node.next.setdefault(word, _Node())
        if path not in node.paths:
            node.paths = (*node.paths, path)

    def find(
        self, text: str, *, skip: str = "", first_line: int = 1, masked: str | None = None
    ) -> list[Mention]:
        """The mentions in ``text``, in order, not overlapping.

        Not looked at: code, comments, links and their labels, URLs, mail addresses, ``#tags``. ``skip``
        is the path of the page the text belongs to, which may name itself. Linear in the text.
        """
        if not self._root.next:
            return []
        prose = _prose(text, mask(text) if masked is None else masked)
        tokens = [(match.start(), match.end()) for match in _WORD.finditer(prose)]
        folded = [fold(prose[start:end]) for start, end in tokens]
        found: list[Mention] = []
        line, last = first_line, 0
        index = 0
        while index < len(tokens):
            count, paths = self._longest(text, tokens, folded, index)
            others = tuple(path for path in paths if path != skip)
            if not count or not others or len(others) < len(paths):
                index += count or 1
                continue
            start, end = tokens[index][0], tokens[index + count - 1][1]
            line += text.count("\n", last, start)
            last = start
            found.append(Mention(others, start, end, line, _around(text, start, end)))
            index += count
        return found

    def _longest(
        self, text: str, tokens: list[tuple[int, int]], folded: list[str], index: int
    ) -> tuple[int, tuple[str, ...]]:
        """How many tokens from ``index`` are a name, and whose."""
        node = self._root.next.get(folded[index])
        if node is None or (index and text[tokens[index][0] - 1] in "#@\\"):
            return 0, ()
        count, best = 1, 0
        paths: tuple[str, ...] = ()
        while True:
            if node.paths:
                best, paths = count, node.paths
            following = index + count
            if following >= len(tokens) or not node.next:
                return best, paths
            gap = _gap(text, tokens[following - 1][1], tokens[following][0])
            if gap is None:
                return best, paths
            node = node.next.get(gap + folded[following])
            if node is None:
                return best, paths
            count += 1


def _words(name: str) -> list[str]:
    """The folded tokens of a name; one that follows a blank starts with a blank."""
    words: list[str] = []
    last = 0
    for match in _WORD.finditer(name):
        gap = " " if words and match.start() > last else ""
        words.append(gap + fold(match.group()))
        last = match.end()
    return words


def _gap(text: str, end: int, start: int) -> str | None:
    """What lies between two words: nothing, blanks (one line break too), or what no name runs over (None)."""
    if end == start:
        return ""
    between = text[end : min(start, end + 100)]
    return " " if between.isspace() and between.count("\n") < 2 else None


def _prose(text: str, masked: str) -> str:
    """``masked`` with its links and URLs blanked too."""
    cuts = [(span.start, span.end) for span in spans(text, masked)]
    cuts += [match.span() for match in _URL.finditer(masked)] if "://" in masked or "@" in masked else []
    if not cuts:
        return masked
    parts: list[str] = []
    last = 0
    for start, end in sorted(cuts):
        if end > last:
            start = max(start, last)
            parts += (masked[last:start], " " * (end - start))
            last = end
    return "".join([*parts, masked[last:]])


def _around(text: str, start: int, end: int) -> str:
    left = max(text.rfind("\n", max(0, start - CONTEXT), start) + 1, start - CONTEXT, 0)
    right = text.find("\n", end, end + CONTEXT)
    return text[left : right if right >= 0 else end + CONTEXT].strip()
