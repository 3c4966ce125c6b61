"""Which turns of a session are copies: a fork repeats its past, record by record, in its own file.

The session it was copied from is named by the fork, or it is one that holds the fork's first record.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from memex_core.files import capturing, transcripts
from memex_core.files.layout import Layout
from memex_core.harness.talk import Talk, Turn


class _Session(NamedTuple):
    agent: str
    started: str
    ended: str
    parent: str
    first: str
    source: tuple[Any, ...]


class Sessions:
    """What the store knows of its sessions' times and parents, read once and kept in step."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._known: dict[str, _Session] | None = None
        self._files: dict[tuple[Any, ...], str] | None = None

    def all(self) -> dict[str, _Session]:
        if self._known is None:
            self._known = {}
            for session_id in transcripts.session_ids(self.layout):
                self.note(session_id, transcripts.read_meta(self.layout, session_id))
        return self._known

    def note(self, session_id: str, meta: dict[str, Any]) -> None:
        """A session was written."""
        if self._known is not None:
            about = meta.get("metadata")
            told = {**meta, **(about if isinstance(about, dict) else {})}
            names = ("harness", "started_at", "ended_at", "forked_from", "first_record")
            words = (told.get(name) for name in names)
            agent, started, ended, parent, first = (word if isinstance(word, str) else "" for word in words)
            source = tuple(map(capturing.source_of(meta).get, ("path", "size", "mtime")))
            self._known[session_id] = _Session(agent, started, ended, parent, first, source)

    def captured_from(self, path: str) -> str:
        """The session that was captured from the file as it is now; empty when there is none."""
        if self._files is None:
            self._files = {known.source: session_id for session_id, known in self.all().items()}
        try:
            at = os.stat(path)
        except OSError:
            return ""
        return self._files.get((path, at.st_size, at.st_mtime_ns), "")

    def copied_into(self, talk: Talk) -> Copies:
        return Copies(self, talk)


class Copies:
    """Called with a turn of ``talk``: whether another session holds it. The first turn tells which."""

    def __init__(self, sessions: Sessions, talk: Talk) -> None:
        self.sessions = sessions
        self.talk = talk
        self._held: set[tuple[str, str]] | None = None

    def __call__(self, turn: Turn) -> bool:
        if self._held is None:
            self._held = self._family(turn)
        return (turn["xid"], turn["ts"]) in self._held

    def _family(self, first: Turn) -> set[tuple[str, str]]:
        talk, layout = self.talk, self.sessions.layout
        named = talk.memo["facts"].get("forked_from")
        roots = {named} if isinstance(named, str) and named else set()
        if not roots and talk.whole and not talk.memo["facts"].get("subagent"):
            roots = self._holding(first)
            for root in roots:
                talk.fact("forked_from", root)
        held: set[tuple[str, str]] = set()
        for session_id in self._related(roots):
            for turn in transcripts.iter_turns(layout, session_id):
                held.add((str(turn.get("xid")), str(turn.get("ts") or "")))
        return held

    def _holding(self, turn: Turn) -> set[str]:
        """Sessions of the same agent that hold the turn.

        A copy that begins at the beginning has its first record in common with them; else they are
        looked through, those that were alive at the time of the turn.
        """
        talk, at = self.talk, turn["ts"]
        others = {
            session_id: known
            for session_id, known in self.sessions.all().items()
            if known.agent == talk.agent and session_id != talk.session_id
        }
        if talk.rooted:
            return {session_id for session_id, known in others.items() if known.first == turn["xid"]}
        return {
            session_id
            for session_id, known in others.items()
            if known.started <= at <= known.ended
            and turn["xid"] in capturing.xids(self.sessions.layout, session_id)
        }

    def _related(self, roots: set[str]) -> set[str]:
        """The sessions named, what they were copied from, and what else was copied from those."""
        if not roots:
            return set()
        every = self.sessions.all()
        found = {root for root in roots if root in every}
        while True:
            more = {every[one].parent for one in found} & every.keys()
            more |= {one for one, known in every.items() if known.parent in found}
            if more <= found:
                return found - {self.talk.session_id}
            found |= more
