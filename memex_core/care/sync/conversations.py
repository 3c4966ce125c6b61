"""Stored conversations of two devices: what one has more of is added, and no turn comes twice.

What was excluded or purged never leaves, and goes on the others too. What was deleted here to make room
does not come back here, and stays on the others.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from memex_core.care.sync.archive import Generation, sha
from memex_core.care.sync.naming import Naming
from memex_core.care.sync.record import State
from memex_core.files import transcripts
from memex_core.files.atomic import digest, read_file
from memex_core.files.exclusion import excluded_sessions
from memex_core.files.layout import Layout
from memex_core.files.turns import encode, is_header, read_lines
from memex_core.model.errors import BadInput, Damaged

_COUNTED = frozenset(
    ("session_id", "turn_count", "user_turns", "agent_turns", "tool_turns", "index", "source", "metadata")
)


class Fresh(NamedTuple):
    """A conversation as it shall be: all its turns, and what is told of it."""

    session: str
    turns: list[dict[str, Any]]
    meta: dict[str, Any]
    new: int


def observe(layout: Layout, state: State) -> list[str]:
    """Note which conversations came and went since the last look; those that may be shared."""
    here = set(transcripts.session_ids(layout))
    state.left = (state.left | (state.sessions - here)) - here
    state.sessions = here
    barred = excluded_sessions(layout)
    return sorted(here - set(barred))


def files_of(layout: Layout, session: str) -> Iterator[tuple[str, str]]:
    """``turns`` and, where there is one, ``meta`` with their absolute paths."""
    yield "turns", transcripts.file_of(layout, session)
    if os.path.exists(transcripts.meta_of(layout, session)):
        yield "meta", transcripts.meta_of(layout, session)


def news(layout: Layout, state: State, generation: Generation, naming: Naming) -> list[Fresh]:
    """The conversations of which they have more. Raises Damaged naming the archive."""
    barred = {*excluded_sessions(layout), *generation.manifest["excluded"]}
    found = []
    for session, told in sorted(generation.manifest["sessions"].items()):
        try:
            path = transcripts.file_of(layout, session)
            turns, meta = generation.blob(str(told["turns"])), told.get("meta")
            about = generation.blob(str(meta)) if meta else b""
        except (BadInput, KeyError, TypeError, AttributeError) as error:
            raise Damaged(
                f"{generation.file}: its manifest lists {session!r} ({error})", hint="nothing was changed"
            ) from None
        if session in barred or session in state.left:
            continue
        old = read_file(path) if os.path.exists(path) else b""
        if sha(old) == told["turns"]:
            continue
        mine, theirs = turns_in(old), turns_in(turns)
        whole = united(mine, theirs)
        if len(whole) > len(mine) or [_name(one) for one in whole] != [_name(one) for one in mine]:
            given = _meta(layout, session, about, naming)
            found.append(Fresh(session, whole, given, len(whole) - len(mine)))
    return found


def united(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The turns of both: the longer where one goes on from the other, else one with the other's own
    turns behind its own. The same whichever comes first."""
    first, second = sorted((one, other), key=lambda turns: (-len(turns), _print(turns)))
    known = {_name(turn) for turn in first}
    extra = [turn for turn in second if _name(turn) not in known]
    if not extra:
        return first
    return [*first, *({key: value for key, value in turn.items() if key != "turn"} for turn in extra)]


def turns_in(data: bytes) -> list[dict[str, Any]]:
    lines = read_lines(io.BytesIO(data))
    return [line.record for line in lines if line.record is not None and not is_header(line.record)]


def apply(layout: Layout, fresh: list[Fresh]) -> None:
    for one in fresh:
        transcripts.ingest(layout, one.session, one.turns, overwrite=True, meta=one.meta)


def _name(turn: dict[str, Any]) -> str:
    xid = turn.get("xid")
    return xid if isinstance(xid, str) and xid else digest(encode({**turn, "turn": 0}))


def _print(turns: list[dict[str, Any]]) -> str:
    return digest("\n".join(map(_name, turns)).encode("utf-8", "surrogatepass"))


def _meta(layout: Layout, session: str, about: bytes, naming: Naming) -> dict[str, Any]:
    """What both know of it; how far this device's own agent was read stays this device's."""
    import json

    try:
        theirs = json.loads(about) if about else {}
    except (ValueError, RecursionError):
        theirs = {}
    mine = transcripts.read_meta(layout, session)
    made: dict[str, Any] = {}
    for told in (theirs if isinstance(theirs, dict) else {}, mine):
        made.update({key: value for key, value in told.items() if key not in _COUNTED and value is not None})
        more = told.get("metadata")
        made["metadata"] = {**made.get("metadata", {}), **(more if isinstance(more, dict) else {})}
    if isinstance(mine.get("source"), dict):
        made["source"] = mine["source"]
    if isinstance(made.get("project"), str):
        made["project"] = naming.project(made["project"])
    return made
