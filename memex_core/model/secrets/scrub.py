"""Secrets out of text: found by their shape or by what stands before them, replaced by their kind.

>>> scrub("mysql --password=Tr0ub4dor shop").text
'mysql --password=[REDACTED:password] shop'

Plain prose is told apart in a few microseconds a KB: whatever has the shape of a key is a long
stretch without blanks, and whatever hides behind a word (``password: …``) has that word before it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import NamedTuple

from memex_core.model.patterns import pattern
from memex_core.model.secrets.kinds import KINDS, NEEDLES, Kind
from memex_core.model.secrets.values import How, is_token
from memex_core.model.secrets.words import hinted, told

MARK = "[REDACTED:"
PASSES = 3  # two secrets side by side may hide each other
_LONG = 20  # characters of the shortest secret that is known by its shape alone

_STRETCH = bytes(
    ord("a") if 32 < code < 127 and chr(code) not in "\"'`<>()[]{},;|" else ord(" ") for code in range(256)
)
_RUN = b"a" * _LONG
_DATA = "base64,"
_WORD = r"(?:\\[nrt](?=[A-Za-z0-9])|%[0-9A-Fa-f]{2})?+([A-Za-z0-9]+)"  # behind an escape, too
_MIXED = "[0-9A-Z]"
_BY_HEAD: dict[str, list[tuple[str, Kind]]] = {}
for _kind in KINDS:
    for _mark in _kind.marks:
        _BY_HEAD.setdefault(_mark[:2], []).append((_mark, _kind))


class Secret(NamedTuple):
    """Where a secret stands in a text, and what it is."""

    start: int
    end: int
    kind: str


class Scrubbed(NamedTuple):
    """The text without its secrets, and how many of each kind there were."""

    text: str
    counts: dict[str, int]


def scrub(text: str, keep: Callable[[str], bool] | None = None) -> Scrubbed:
    """``text`` with every secret replaced by ``[REDACTED:kind]``, except those that ``keep`` accepts."""
    counts: dict[str, int] = {}
    for _ in range(PASSES):
        text, found = _once(text, keep)
        if not found:
            break
        for kind, number in found.items():
            counts[kind] = counts.get(kind, 0) + number
    return Scrubbed(text, counts)


def _once(text: str, keep: Callable[[str], bool] | None) -> Scrubbed:
    counts: dict[str, int] = {}
    parts: list[str] = []
    at = 0
    for found in find_secrets(text):
        if keep is None or not keep(text[found.start : found.end]):
            parts += [text[at : found.start], MARK, found.kind, "]"]
            at = found.end
            counts[found.kind] = counts.get(found.kind, 0) + 1
    return Scrubbed("".join([*parts, text[at:]]) if counts else text, counts)


def find_secrets(text: str) -> list[Secret]:
    """Every secret in ``text``, in order, none overlapping another."""
    plain = text.encode("ascii", "replace")  # one byte a character: places are the same in both
    stretches = plain.translate(_STRETCH)
    start = stretches.find(_RUN)
    found = list(_by_shape(text, stretches, start)) if start >= 0 else []
    if hinted(plain, start >= 0):
        found += [Secret(*one) for one in told(text, plain.lower())]
    if len(found) < 2:
        return found
    return _apart(found)


def _apart(found: Iterable[Secret]) -> list[Secret]:
    """Without overlaps: what was found earlier wins."""
    kept: list[Secret] = []
    taken: list[tuple[int, int]] = []
    for one in found:
        at = bisect_left(taken, (one.start, one.end))
        before = at > 0 and taken[at - 1][1] > one.start
        behind = at < len(taken) and taken[at][0] < one.end
        if not before and not behind:
            taken.insert(at, (one.start, one.end))
            kept.append(one)
    return sorted(kept)


def _by_shape(text: str, stretches: bytes, start: int) -> Iterable[Secret]:
    while start >= 0:
        end = stretches.find(b" ", start + _LONG)
        end = len(text) if end < 0 else end
        mixed = pattern(_MIXED).search(text, start, end)  # no key is of small letters alone
        if mixed and not text.endswith(_DATA, 0, start):  # an image in a data: address
            yield from _in_stretch(text, start, end)
        start = stretches.find(_RUN, end)


def _in_stretch(text: str, start: int, end: int) -> Iterable[Secret]:
    if text[max(0, start - 7) : start].lower() == "bearer " and is_token(text[start:end], How()):
        yield Secret(start, end, "bearer_token")
        return
    done = start
    for word in pattern(_WORD).finditer(text, start, end):
        at = word.start(1)
        if at < done:
            continue
        for mark, kind in _BY_HEAD.get(text[at : at + 2], ()):
            if text.startswith(mark, at) and (one := _match(kind, text, at)) is not None:
                yield one
                done = one.end
                break
    for mark, kind in NEEDLES:
        at = text.find(mark, start, end)
        while at >= 0:
            if (one := _match(kind, text, at)) is not None:
                yield one
            at = text.find(mark, at + 1, end)


def _match(kind: Kind, text: str, at: int) -> Secret | None:
    shape = pattern(kind.pattern)
    for start in range(max(0, at - kind.back), at + 1):
        match = shape.match(text, start)
        if match is not None:
            if start != at and start and text[start - 1].isalnum() and text[max(0, start - 2)] != "\\":
                return None
            group = "secret" if "secret" in match.re.groupindex else 0
            return Secret(match.start(group), match.end(group), kind.name)
    return None
