"""A stored conversation that follows a session file of an agent.

``source`` in the meta file says how far: ``offset`` is a byte of the source up to which everything
was read, ``stored`` the byte of the transcript up to which it was written; ``memo`` is the reader's
memory at that point. What stands behind ``stored`` is provisional: the next capture makes those turns
again from the source, keeps what is the same, and puts a turn that has changed (a call that got its
result) in the place of the old one. So the order of the writes (turns, then meta) needs no more care:
whatever a killed process left behind ``stored`` is compared, completed, never doubled.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from memex_core.files import atomic, session_meta, transcripts
from memex_core.files.growing import append_bytes, repaired_end
from memex_core.files.layout import Layout
from memex_core.files.lock import StoreLock
from memex_core.files.memory_places import memory_of
from memex_core.files.opening import regular
from memex_core.files.scrubbing import Scrubber
from memex_core.files.session_meta import Tally
from memex_core.files.turns import encode_sound, is_header, read_lines
from memex_core.model import trust
from memex_core.model.commands.memory import Memory
from memex_core.model.errors import MemexError
from memex_core.model.exclusion import Excluded, why_excluded

_WHOLE_REWRITE = 8 << 20  # bytes of a transcript that is replaced whole; of a larger one the end is
_TAIL = 1024
_NO_TEXT = frozenset(("role", "ts", "turn", "xid", "trust", "kind"))
_IDS = frozenset(("tree", "used", "turn_ids", "message"))
_XID = re.compile(rb'"xid": "((?:[^"\\]|\\.)*)"')


class Overtaken(MemexError):
    """Another process captured the session meanwhile: begin again from what it wrote."""


class Stored(NamedTuple):
    """What a write did: turns that are new, all turns now, and where the transcript ends (bytes)."""

    new: int
    turns: int
    end: int
    source: dict[str, Any]


class Position(NamedTuple):
    """How far a session was captured; ``offset`` 0 and ``stored`` 0 mean nothing yet."""

    offset: int
    line: int
    stored: int
    memo: dict[str, Any]


def position(layout: Layout, session_id: str) -> Position | None:
    """Where the stored session goes on; None when the transcript is not what was written."""
    source = source_of(transcripts.read_meta(layout, session_id))
    try:
        found = Position(
            int(source["offset"]), int(source["line"]), int(source["stored"]), dict(source["memo"])
        )
        if tail_of(transcripts.file_of(layout, session_id), found.stored) != source["stored_tail"]:
            return None
    except (KeyError, TypeError, ValueError):
        return None
    return found


def source_of(meta: Mapping[str, Any]) -> dict[str, Any]:
    found = meta.get("source")
    return found if isinstance(found, dict) else {}


def episode_due(meta: Mapping[str, Any]) -> bool:
    """Whether the session has turns that its episode page does not know of."""
    source = source_of(meta)
    return bool(source) and source.get("episode") != meta.get("turn_count")


def note_episode(layout: Layout, session_id: str) -> None:
    """The episode page tells of all turns that are stored now."""
    with StoreLock(layout.lock):
        meta = transcripts.read_meta(layout, session_id)
        if episode_due(meta):
            meta["source"] = {**source_of(meta), "episode": meta.get("turn_count")}
            atomic.write(transcripts.meta_of(layout, session_id), session_meta.encode(meta), sync=False)


def store(
    layout: Layout,
    session_id: str,
    turns: list[dict[str, Any]],
    given: Mapping[str, Any],
    *,
    since: int,
    seen: Mapping[str, Any],
    scrubber: Scrubber,
    settled: bool = True,
    dry_run: bool = False,
) -> Stored:
    """Write ``turns`` behind byte ``since`` of the transcript, and the meta file.

    ``given`` holds the keys of the meta file; its ``source`` becomes the new position if ``settled``,
    else the position stays ``since`` and what is behind it may be made again. ``seen`` is the source as
    it was when reading began; when it is another now, Overtaken is raised and nothing written. Raises
    Excluded when the user asked for the conversation not to be kept.
    """
    if why := why_excluded(turns):
        raise Excluded(why)
    taken_back = {turn["xid"] for turn in turns if turn.pop("abandoned", False)}
    if dry_run:
        stored = {turn.get("xid") for turn, _ in _behind(transcripts.file_of(layout, session_id), since)}
        turns = _wanted(turns, taken_back, stored)
        new = sum(turn["xid"] not in stored for turn in turns)
        return Stored(new, new, since, dict(seen))
    harness = str(given.get("harness") or "")
    memory = memory_of(layout, given)
    turns = [_cleaned(turn, harness, memory, scrubber) for turn in turns]
    given = transcripts.clean_meta(scrubber, given)
    path = transcripts.file_of(layout, session_id)
    transcripts.make_place(layout, session_id)
    with StoreLock(layout.lock):
        old = session_meta.read(transcripts.meta_of(layout, session_id))
        if _mark(source_of(old)) != _mark(seen):
            raise Overtaken(f"session {session_id} was captured by another process meanwhile")
        lead = b""
        end = repaired_end(path) if os.path.lexists(path) else 0
        if end:
            tally = _tally(path, old, end)
        elif since:
            raise Overtaken(f"session {session_id} was removed meanwhile")
        else:
            lead = encode_sound(session_meta.header(session_id, given, []))
            end, tally = len(lead), Tally()
        held = list(_behind(path, since))
        turns = _wanted(turns, taken_back, {turn.get("xid") for turn, _ in held})
        merged, new = _merged(held, turns)
        same = _same(held, merged)
        tally, lines, at = _numbered(tally, held, merged, same, end)
        if not settled and not since:
            given = _marked(given, merged, {turn["xid"] for turn in turns} - taken_back)
        if lead or lines:
            _put(path, at, end, b"".join([lead, *lines]))
        end = tally.size
        kept = {**given["source"], "memo": _without_secrets(given["source"]["memo"], scrubber)}
        at_end = {"stored": end, "stored_tail": tail_of(path, end)}
        reached = at_end if settled else _kept(source_of(old), since, path)
        source = {**kept, **reached, "episode": source_of(old).get("episode", 0)}
        beside = session_meta.compose(session_id, tally, {**given, "source": source}, old)
        atomic.write(transcripts.meta_of(layout, session_id), session_meta.encode(beside))
    return Stored(new, tally.count, end, source)


def _wanted(turns: list[dict[str, Any]], taken_back: set[Any], stored: set[Any]) -> list[dict[str, Any]]:
    """Without what the agent had dropped before it was ever stored; what is stored stays, and is marked."""
    return [turn for turn in turns if turn["xid"] in stored or turn["xid"] not in taken_back]


def _cleaned(turn: dict[str, Any], harness: str, memory: Memory, scrubber: Scrubber) -> dict[str, Any]:
    """A turn as it is stored: without secrets, with its trust. Its id stays: it names a record."""
    done = dict(trust.settled(turn, harness, memory))
    if not done["ts"]:
        del done["ts"]
    for key, value in done.items():
        if key not in _NO_TEXT and value:
            if type(value) is str:
                done[key] = scrubber.text(value)
            elif type(value) not in (bool, int):
                done[key] = scrubber.value(value)
    return done


def _mark(source: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(source.get(key) for key in ("path", "offset", "stored", "size", "mtime"))


def _without_secrets(memo: Mapping[str, Any], scrubber: Scrubber) -> dict[str, Any]:
    """The memory may hold what was said last; ids of records must stay what they are."""
    return {key: value if key in _IDS else scrubber.value(value) for key, value in memo.items()}


def _kept(old: Mapping[str, Any], since: int, path: str) -> dict[str, Any]:
    """The position as it was: what was read after it is not settled."""
    if "stored" in old and old["stored"] == since:
        return {
            key: old[key] for key in ("offset", "line", "tail", "memo", "stored", "stored_tail") if key in old
        }
    return {
        "offset": 0,
        "line": 0,
        "tail": "",
        "memo": {},
        "stored": since,
        "stored_tail": tail_of(path, since),
    }


def _tally(path: str, old: Mapping[str, Any], end: int) -> Tally:
    tally = Tally.resumed(old, end)
    if tally is None:
        tally = Tally()
        with open(path, "rb", opener=regular) as file:
            for line in read_lines(file):
                if line.record is not None:
                    tally.add(line.record, line.at)
        tally.size = end
    return tally


def _behind(path: str, since: int) -> Iterator[tuple[dict[str, Any], int]]:
    """The turns behind byte ``since``, each with the byte it begins at."""
    try:
        with open(path, "rb", opener=regular) as file:
            for line in read_lines(file, since):
                if line.record is not None and not is_header(line.record):
                    yield line.record, line.at
    except (FileNotFoundError, NotADirectoryError):
        return


Held = list[tuple[dict[str, Any], int]]


def _merged(held: Held, turns: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """The held turns, each as the source tells it now, with those behind them that are new."""
    made = {turn["xid"]: turn for turn in turns}
    merged = []
    for old, _ in held:
        turn = made.pop(str(old.get("xid")), None)
        merged.append({**turn, "turn": old["turn"]} if turn is not None and "turn" in old else turn or old)
    fresh = [turn for turn in turns if turn["xid"] in made]
    return merged + fresh, len(fresh)


def _marked(given: Mapping[str, Any], turns: list[dict[str, Any]], told: set[str]) -> dict[str, Any]:
    """The whole source was read: what it does not tell any more was taken back, and is marked so."""
    marks = [list(mark) for mark in given.get("metadata", {}).get("abandoned", ())]
    for turn in turns:
        number = turn.get("turn")
        if turn.get("xid") not in told and isinstance(number, int):
            if marks and marks[-1][1] == number - 1:
                marks[-1][1] = number
            else:
                marks.append([number, number])
    return {**given, "metadata": {**given.get("metadata", {}), "abandoned": marks}}


def _same(held: Held, merged: list[dict[str, Any]]) -> int:
    """How many of the held turns stay as they are, from the first on."""
    for place, (old, _) in enumerate(held):
        if encode_sound(old) != encode_sound(merged[place]):
            return place
    return len(held)


def _numbered(
    tally: Tally, held: Held, merged: list[dict[str, Any]], same: int, end: int
) -> tuple[Tally, list[bytes], int]:
    """The lines from the first changed turn on, where they go, and the counts with them."""
    at = held[same][1] if same < len(held) else end
    if same < len(held):
        tally = tally.before([turn for turn, _ in held[same:]], at)
    lines = []
    for turn in merged[same:]:
        if not turn.get("turn"):
            turn["turn"] = tally.turn + 1
        lines.append(encode_sound(turn))
        tally.add(turn, at)
        at += len(lines[-1])
    start = held[same][1] if same < len(held) else end
    tally.size = at
    return tally, lines, start


def _put(path: str, at: int, end: int, data: bytes) -> None:
    if at == end:
        append_bytes(path, data)
    elif end <= _WHOLE_REWRITE:
        with open(path, "rb", opener=regular) as file:
            before = file.read(at)
        atomic.write(path, before + data)
    else:  # the source still holds what a crash would take from here
        try:
            os.truncate(path, at)
        except OSError as error:
            raise atomic.failure(path, error) from error
        append_bytes(path, data)


def tail_of(path: str, end: int) -> str:
    """A digest of the bytes before ``end``; empty when the file is shorter or not there."""
    try:
        with open(path, "rb", opener=regular) as file:
            size = min(end, _TAIL)
            file.seek(end - size)
            tail = file.read(size)
    except OSError:
        return ""
    return atomic.digest(tail) if len(tail) == size else ""


def xids(layout: Layout, session_id: str, end: int | None = None) -> Iterator[str]:
    """The record ids of a stored session's turns, up to byte ``end`` of the transcript."""
    try:
        with open(transcripts.file_of(layout, session_id), "rb", opener=regular) as file:
            at = 0
            for line in file:
                at += len(line)
                if end is not None and at > end:
                    return
                found = _XID.findall(line)
                if found:
                    yield found[-1].decode("utf-8", "replace")
    except OSError:
        return
