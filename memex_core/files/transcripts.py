"""Stored conversations: ``transcripts/<session>.jsonl`` and ``<session>.meta.json``.

The transcript is the truth; the file beside it holds what its source told (title, tokens, how far
it was captured) and counts that can be taken again. Writing goes under the store lock. A session
is replaced whole and atomically; a growing one is appended to, and an append cut short by a crash
is repaired by the next.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.files import atomic, session_meta
from memex_core.files.growing import append_bytes, repaired_end
from memex_core.files.layout import Layout
from memex_core.files.lock import StoreLock
from memex_core.files.opening import regular
from memex_core.files.session_meta import Tally
from memex_core.files.turns import check_turns, encode, is_header, read_lines
from memex_core.model.errors import AlreadyExists, BadInput, NotFound

if TYPE_CHECKING:
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.commands.memory import Memory


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}\Z")


class Ingested(NamedTuple):
    """Counts of the stored session after a write; ``new_turns`` are those it brought, ``redacted``
    the secrets taken out of them, by kind."""

    session_id: str
    turn_count: int
    user_turns: int
    agent_turns: int
    tool_turns: int
    new_turns: int
    redacted: dict[str, int] = {}  # noqa: RUF012 - never changed


class Damage(NamedTuple):
    """A damaged line: 1-based in the file, and what is wrong with it."""

    line: int
    message: str


def check_session_id(session_id: str) -> str:
    """``session_id`` itself; raises BadInput when it could not be a file's name."""
    if not isinstance(session_id, str) or not _ID.match(session_id):
        raise BadInput(
            f"{session_id!r} is no session id",
            hint="letters, digits, dot, hyphen and underscore, at most 128, starting with a letter or digit",
        )
    return session_id


def file_of(layout: Layout, session_id: str) -> str:
    """Absolute path of the session's transcript, there or not."""
    return os.path.join(layout.transcripts, f"{check_session_id(session_id)}.jsonl")


def meta_of(layout: Layout, session_id: str) -> str:
    """Absolute path of the file beside it."""
    return os.path.join(layout.transcripts, f"{check_session_id(session_id)}.meta.json")


def exists(layout: Layout, session_id: str) -> bool:
    return os.path.isfile(file_of(layout, session_id))


def session_ids(layout: Layout) -> list[str]:
    """Ids of all stored sessions, in order of their names."""
    try:
        names = os.listdir(layout.transcripts)
    except FileNotFoundError:
        return []
    return sorted(name[:-6] for name in names if name.endswith(".jsonl") and _ID.match(name[:-6]))


# -- writing -----------------------------------------------------------------------------------


def ingest(
    layout: Layout,
    session_id: str,
    turns: Iterable[Any],
    *,
    overwrite: bool = False,
    meta: Mapping[str, Any] | None = None,
    scrubber: Scrubber | None = None,
    dry_run: bool = False,
) -> Ingested:
    """Store a whole conversation.

    ``meta`` may hold the keys of the meta file (harness, project, title, token_usage …); others
    are kept under ``metadata``. Raises BadInput naming the line of a bad turn, and AlreadyExists
    for a session that is stored already, unless ``overwrite`` replaces it.
    """
    path = file_of(layout, session_id)
    scrubber = scrubber or _scrubber(layout)
    checked = check_turns(turns, session_id, scrubber=scrubber, memory=_memory(layout, meta))
    given = clean_meta(scrubber, meta)
    tally = Tally()
    lines = [encode(session_meta.header(session_id, given, checked))] if given.get("harness") else []
    at = len(lines[0]) if lines else 0
    for turn in checked:
        tally.add(turn, at)
        lines.append(encode(turn))
        at += len(lines[-1])
    tally.size = at
    beside = _encode_meta(session_meta.compose(session_id, tally, given, {}))
    if not dry_run:
        make_place(layout, session_id)
    with nullcontext() if dry_run else StoreLock(layout.lock):
        if not overwrite and os.path.lexists(path):
            raise AlreadyExists(f"session {session_id} is stored already", hint="overwrite replaces it")
        if not dry_run:
            atomic.write(path, b"".join(lines))
            atomic.write(meta_of(layout, session_id), beside)
    return _counts(session_id, tally, len(checked), scrubber)


def append(
    layout: Layout,
    session_id: str,
    turns: Iterable[Any],
    *,
    meta: Mapping[str, Any] | None = None,
    scrubber: Scrubber | None = None,
) -> Ingested:
    """Add to a conversation the turns whose ``xid`` it does not hold yet; a new one is begun.

    Turns are numbered on from the last one. ``meta`` replaces those keys of the meta file that it
    holds. Raises BadInput naming the line of a bad turn.
    """
    path = file_of(layout, session_id)
    scrubber = scrubber or _scrubber(layout)
    make_place(layout, session_id)
    with StoreLock(layout.lock):
        if not os.path.lexists(path):
            return ingest(layout, session_id, _unnumbered(turns), meta=meta, scrubber=scrubber)
        tail = repaired_end(path)
        known, tally = _known(path, tail)
        fresh = check_turns(
            (turn for turn in _unnumbered(turns) if turn.get("xid") not in known),
            session_id,
            first=tally.turn + 1,
            scrubber=scrubber,
            memory=_memory(layout, meta),
        )
        fresh = [turn for turn in fresh if turn["xid"] not in known]
        lines = []
        at = tail
        for turn in fresh:
            tally.add(turn, at)
            lines.append(encode(turn))
            at += len(lines[-1])
        tally.size = at
        old = session_meta.read(meta_of(layout, session_id))
        beside = _encode_meta(session_meta.compose(session_id, tally, clean_meta(scrubber, meta), old))
        if lines:
            append_bytes(path, b"".join(lines))
        atomic.write(meta_of(layout, session_id), beside)
    return _counts(session_id, tally, len(fresh), scrubber)


def delete(layout: Layout, session_id: str) -> None:
    """Remove the transcript and the file beside it. Raises NotFound when there is neither."""
    paths = [file_of(layout, session_id), meta_of(layout, session_id)]
    if not any(map(os.path.lexists, paths)):
        raise NotFound(f"no session {session_id!r}", hint="`memex sessions` lists them")
    with StoreLock(layout.lock):
        for path in paths:
            try:
                os.unlink(path)
            except FileNotFoundError:
                pass
            except OSError as error:
                raise atomic.failure(path, error) from error
        atomic.sync_folders(paths)


def _unnumbered(turns: Iterable[Any]) -> Iterator[Any]:
    for turn in turns:
        if isinstance(turn, Mapping):
            yield {key: value for key, value in turn.items() if key != "turn"}
        else:
            yield turn


def _encode_meta(meta: Mapping[str, Any]) -> bytes:
    try:
        return session_meta.encode(meta)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"the metadata cannot be written as JSON ({error})") from None


def _scrubber(layout: Layout) -> Scrubber:
    from memex_core.files.scrubbing import Scrubber

    return Scrubber.load(layout)


def _memory(layout: Layout, meta: Mapping[str, Any] | None) -> Memory:
    from memex_core.files.memory_places import memory_of

    return memory_of(layout, meta)


def clean_meta(scrubber: Scrubber, meta: Mapping[str, Any] | None) -> dict[str, Any]:
    """``meta`` scrubbed, all but the path of its ``source``, by which a session is known again."""
    made: dict[str, Any] = scrubber.value(meta or {})
    source = (meta or {}).get("source")
    if isinstance(source, Mapping) and "path" in source:
        made["source"]["path"] = source["path"]
    return made


def _counts(session_id: str, tally: Tally, new: int, scrubber: Scrubber) -> Ingested:
    roles, redacted = tally.roles, dict(scrubber.counts)
    return Ingested(session_id, tally.count, roles["user"], roles["agent"], roles["tool"], new, redacted)


def make_place(layout: Layout, session_id: str) -> None:
    """The folder of the transcripts, made where it is missing. Raises Refused where a file of the session
    is a link that leads out of it."""
    layout.ensure_state()
    try:
        os.makedirs(layout.transcripts, exist_ok=True)
    except OSError as error:
        raise atomic.failure(layout.transcripts, error) from error
    for path in file_of(layout, session_id), meta_of(layout, session_id):
        atomic.inside(layout.transcripts, os.path.basename(path))


def _known(path: str, end: int) -> tuple[set[str], Tally]:
    known: set[str] = set()
    tally = Tally()
    with open(path, "rb", opener=regular) as file:
        for line in read_lines(file):
            if line.record is not None:
                tally.add(line.record, line.at)
                if isinstance(line.record.get("xid"), str):
                    known.add(line.record["xid"])
    tally.size = end
    return known, tally


# -- reading -----------------------------------------------------------------------------------


def read_meta(layout: Layout, session_id: str) -> dict[str, Any]:
    """The meta file's map; empty when missing or damaged."""
    return session_meta.read(meta_of(layout, session_id))


def iter_turns(
    layout: Layout,
    session_id: str,
    start: int = 1,
    end: int | None = None,
    *,
    damaged: list[Damage] | None = None,
) -> Iterator[dict[str, Any]]:
    """Turns ``start`` to ``end`` (inclusive, by number), each with ``turn`` filled in.

    Nothing for an unknown session. Damaged lines are left out, and named in ``damaged`` when the
    reading began at the top. A window is read from the nearest noted byte offset.
    """
    try:
        file = open(file_of(layout, session_id), "rb", opener=regular)  # noqa: SIM115 - closed below, by the generator
    except (BadInput, FileNotFoundError, NotADirectoryError):
        return
    with file:
        tally = Tally()
        at = 0
        if start > session_meta.STEP:
            tally.turn, at = _nearest(read_meta(layout, session_id), os.fstat(file.fileno()).st_size, start)
        for line in read_lines(file, at):
            if line.record is None:
                if damaged is not None and at == 0:
                    damaged.append(Damage(line.number, line.problem))
                continue
            if is_header(line.record):
                continue
            number = tally.add(line.record, line.at)
            if end is not None and number > end:
                return
            if number >= start:
                line.record["turn"] = number
                yield line.record


def read_turns(
    layout: Layout, session_id: str, start: int = 1, end: int | None = None
) -> list[dict[str, Any]]:
    """The turns of :func:`iter_turns` in a list; empty for an unknown session."""
    return list(iter_turns(layout, session_id, start, end))


def _nearest(meta: Mapping[str, Any], size: int, start: int) -> tuple[int, int]:
    """The turn before the nearest noted offset at or before ``start``, and that offset."""
    noted = Tally.resumed(meta, size)
    best = (0, 0)
    for turn, at in noted.offsets if noted else ():
        if turn > start:
            break
        best = (turn - 1, at)
    return best
