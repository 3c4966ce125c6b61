"""Stored conversations as they are shown: a list of summaries, and one session with its turns."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memex_core.files.layout import Layout
from memex_core.files.opening import regular
from memex_core.files.session_meta import Tally, abandoned, from_header, title_of
from memex_core.files.transcripts import Damage, file_of, iter_turns, read_meta, session_ids
from memex_core.files.turns import read_lines
from memex_core.model.errors import NotFound

if TYPE_CHECKING:
    from memex_core.model.results import SessionSummary

_MORE = ("is_error", "exit_code", "thinking", "kind", "subagent", "queued", "command", "stopped")


def list_sessions(layout: Layout) -> list[SessionSummary]:
    """A summary of each stored session, in order of their ids; ``episode_slug`` stays empty.

    What an agent's own agent said is kept as a session too, but it is not one of the list.
    """
    found = []
    for session_id in session_ids(layout):
        meta, tally = _known_of(layout, session_id)
        if not about(meta).get("subagent"):
            found.append(_summary(layout, session_id, meta, tally))
    return found


def summary(layout: Layout, session_id: str) -> SessionSummary:
    """What is known of one session. Raises NotFound."""
    return _summary(layout, session_id, *_known_of(layout, session_id))


def _summary(layout: Layout, session_id: str, meta: Mapping[str, Any], tally: Tally) -> SessionSummary:
    return {
        "session_id": session_id,
        "agent": _text(meta.get("harness")) or None,
        "title": title_of(meta, tally.prompt, session_id)[0],
        "project": _text(meta.get("project")),
        "started_at": _text(meta.get("started_at")) or tally.started or None,
        "ended_at": _text(meta.get("ended_at")) or tally.ended or None,
        "turn_count": tally.count,
        "user_turns": tally.roles["user"],
        "agent_turns": tally.roles["agent"],
        "tool_turns": tally.roles["tool"],
        "episode_slug": "",
        "file_path": file_of(layout, session_id),
        "token_usage": meta["token_usage"] if isinstance(meta.get("token_usage"), dict) else None,
    }


def read_session(layout: Layout, session_id: str, start: int = 1, end: int | None = None) -> dict[str, Any]:
    """One conversation with its turns ``start`` to ``end``, in the shape of ``memex session``.

    ``abandoned`` turns are those that were taken back when the user went another way. ``metadata`` holds
    what else the source told; ``events`` in it are what nobody said (compactions, errors, commands), each
    ``after`` a turn. ``warnings`` names damaged lines. Raises NotFound.
    """
    meta, tally = _known_of(layout, session_id)
    damaged: list[Damage] = []
    taken_back = abandoned(meta)
    turns = [
        {
            "turn": turn["turn"],
            "role": turn["role"],
            "content": _text(turn.get("content")),
            **{key: turn.get(key) for key in ("name", "ts", "trust", "tool_name", "query", "result", "xid")},
            "sidechain": bool(turn.get("sidechain")),
            "abandoned": taken_back(turn["turn"]),
            **{key: turn[key] for key in _MORE if key in turn},
        }
        for turn in iter_turns(layout, session_id, start, end, damaged=damaged)
    ]
    title, source = title_of(meta, tally.prompt, session_id)
    path = file_of(layout, session_id)
    return {
        "session_id": session_id,
        "agent": _text(meta.get("harness")) or None,
        "title": title,
        "title_source": source,
        "cwd": meta.get("cwd"),
        "git_branch": meta.get("git_branch"),
        "started_at": _text(meta.get("started_at")) or tally.started or None,
        "ended_at": _text(meta.get("ended_at")) or tally.ended or None,
        "models": meta.get("models") or [],
        "token_usage": meta.get("token_usage"),
        "turn_token_usage": meta.get("turn_token_usage"),
        "turn_count": tally.count,
        "turns": turns,
        "metadata": about(meta),
        "warnings": [{"file": path, "line": found.line, "message": found.message} for found in damaged],
    }


def agents_of(layout: Layout, session_id: str) -> list[str]:
    """The stored sessions of agents that this session's agent sent out."""
    found = []
    for one in session_ids(layout):
        told = about(read_meta(layout, one))
        if told.get("subagent") and told.get("parent_session") == session_id:
            found.append(one)
    return found


def about(meta: Mapping[str, Any]) -> dict[str, Any]:
    """The ``metadata`` of a meta file: what its format does not name."""
    found = meta.get("metadata")
    return found if isinstance(found, dict) else {}


def _known_of(layout: Layout, session_id: str) -> tuple[dict[str, Any], Tally]:
    """The meta file (or the header that stands in for it) and the counts, taken anew if need be."""
    path = file_of(layout, session_id)
    meta = read_meta(layout, session_id)
    try:
        size = os.stat(path).st_size
        tally = Tally.resumed(meta, size)
        if tally is None:
            tally = Tally()
            with open(path, "rb", opener=regular) as file:
                for line in read_lines(file):
                    if line.record is not None and not tally.add(line.record, line.at):
                        meta = {**from_header(line.record), **meta}
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"no session {session_id!r}", hint="`memex sessions` lists them") from None
    return meta, tally


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
