"""One page as two devices have it, made one: each thing about it by itself."""

from __future__ import annotations

from typing import NamedTuple

from memex_core.care.sync.axes import AXES, Parts, compose, split
from memex_core.care.sync.conflict import said_at
from memex_core.care.sync.fields import canonical, merge_fields, merge_sets
from memex_core.care.sync.merging import merge_pages
from memex_core.care.sync.record import GONE, HERE, PURGED, Record
from memex_core.care.sync.versions import APART, NEWER, OLDER, SAME, Clock, compare, join
from memex_core.files.atomic import digest
from memex_core.model.errors import Refused
from memex_core.model.page import Value
from memex_core.model.status import read_status

_RANK = {HERE: 0, GONE: 1, PURGED: 2}
_USE = {"stable": 0, "draft": 1, "deprecated": 2}


class Side(NamedTuple):
    """A page on one device."""

    record: Record
    data: bytes


class One(NamedTuple):
    """What the page is from now on. ``other`` is the text that lost against it, if any did."""

    record: Record
    data: bytes
    other: bytes | None = None


def life_of(key: str, ours: Record, theirs: Record) -> str:
    """Whether the page is here, gone or purged, when both devices are asked.

    What was purged never comes back. Whoever forgot a page forgot what others were still writing into
    it; only who made it anew knowing that it was gone has it again.
    """
    if PURGED in (ours.life, theirs.life) and key.startswith("id:"):
        return PURGED
    order = compare(ours.clocks["life"], theirs.clocks["life"])
    if order in (NEWER, OLDER):
        return ours.life if order == NEWER else theirs.life
    return max(ours.life, theirs.life, key=lambda life: _RANK[life])


def joined(record: Record, ours: Record, theirs: Record) -> Record:
    """``record`` with all that both have seen."""
    made = record.copy()
    made.clocks = {name: join(ours.clocks[name], theirs.clocks[name]) for name in made.clocks}
    return made


def common(ours: Record, theirs: Record) -> str:
    """The digest of the newest file that both had once; empty where none is known."""
    mine = {raw: age for age, raw in enumerate([ours.raw, *reversed(ours.past)])}
    other = {raw: age for age, raw in enumerate([theirs.raw, *reversed(theirs.past)])}
    both = mine.keys() & other.keys() - {""}
    return min(both, key=lambda raw: (mine[raw] + other[raw], raw), default="")


def made_apart(ours: Record, theirs: Record) -> bool:
    """Whether a common file is needed: something was changed on both devices."""
    return any(_relation(axis, ours, theirs) == APART for axis in AXES)


def merge(ours: Side, theirs: Side, base: bytes | None, now: Clock) -> One:
    """The page that both have, from its two files and the one they come from, if that is known.

    ``now`` is a clock with a new change of this device, for what neither file says.
    """
    mine, other = split(ours.data), split(theirs.data)
    was = split(base) if base is not None else None
    text, lost = _text(ours, theirs, mine, other, was)
    status = _status(_relation("status", ours.record, theirs.record), mine, other, was)
    sources = _sources(_relation("sources", ours.record, theirs.record), mine, other, text, was)
    data = _data(ours, theirs, mine, other, Parts(text, status, sources))
    record = joined(ours.record, ours.record, theirs.record)
    record.path = _path(ours.record, theirs.record)
    record.digests = split(data).digests()
    for axis in AXES:
        if record.digests[axis] not in (ours.record.digests[axis], theirs.record.digests[axis]):
            record.clocks[axis] = join(record.clocks[axis], now)
    if data == theirs.data:
        record.past = [*record.past, *(raw for raw in theirs.record.past if raw not in record.past)]
    record.remember(digest(data))
    return One(record, data, lost)


def _relation(axis: str, ours: Record, theirs: Record) -> str:
    if ours.digests[axis] == theirs.digests[axis]:
        return SAME
    order = compare(ours.clocks[axis], theirs.clocks[axis])
    return APART if order == SAME else order


def _text(
    ours: Side, theirs: Side, mine: Parts, other: Parts, was: Parts | None
) -> tuple[bytes, bytes | None]:
    """The text that stays, and the one that does not."""
    order = _relation("text", ours.record, theirs.record)
    if order != APART:
        return (other.text if order == OLDER else mine.text), None
    late, early = sorted(
        (mine.text, other.text), key=lambda text: (said_at(text), digest(text)), reverse=True
    )
    try:
        merged = merge_pages(was.text if was is not None else None, late, early)
    except Refused:
        return late, early
    return (merged.data, None) if merged.clean else (late, early)


def _status(order: str, mine: Parts, other: Parts, was: Parts | None) -> dict[str, Value]:
    if order != APART:
        return other.status if order == OLDER else mine.status
    sides = sorted((mine.status, other.status), key=_out_of_use, reverse=True)
    return merge_fields(was.status if was is not None else None, *sides).values


def _out_of_use(status: dict[str, Value]) -> tuple[int, str]:
    word = status.get("status")
    return _USE.get(read_status(word if isinstance(word, str) else ""), 0), canonical(status)


def _sources(order: str, mine: Parts, other: Parts, text: bytes, was: Parts | None) -> dict[str, Value]:
    """The sources of both; labels stay those of the side whose text stays, for its footnotes' sake."""
    if order != APART:
        return other.sources if order == OLDER else mine.sources
    first, second = sorted((mine, other), key=lambda side: (side.text != text, canonical(side.sources)))
    found: dict[str, Value] = {}
    for key in dict.fromkeys([*first.sources, *second.sources]):
        before = was.sources.get(key) if was is not None else None
        value = merge_sets(key, before, first.sources.get(key), second.sources.get(key))
        if value is not None:
            found[key] = value
    return found


def _data(ours: Side, theirs: Side, mine: Parts, other: Parts, wanted: Parts) -> bytes:
    """A file that says what is wanted: one of the two as it is, if it does."""
    fits = [side.data for side, parts in ((ours, mine), (theirs, other)) if parts == wanted]
    if len(fits) == 1:
        return fits[0]
    if fits:
        order = compare(ours.record.clocks["text"], theirs.record.clocks["text"])
        return fits[0] if order == NEWER else fits[1] if order == OLDER else max(fits)
    try:
        return compose(wanted)
    except Refused:
        return wanted.text


def _path(ours: Record, theirs: Record) -> str:
    if ours.path == theirs.path:
        return ours.path
    order = compare(ours.clocks["path"], theirs.clocks["path"])
    if order in (NEWER, OLDER):
        return ours.path if order == NEWER else theirs.path
    return min(ours.path, theirs.path)
