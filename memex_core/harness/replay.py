"""The part of a forked Codex session that repeats its parent, and where it ends."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from memex_core.harness.opening import opened
from memex_core.harness.records import CHUNK
from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    from memex_core.harness.codex import CodexTalk

_TURN_ID = re.compile(rb'"turn_id"\s*:\s*"([^"\\]{1,80})"')


class Replay:
    """While ``on``, what is told is the parent's; it ends at the first turn that the parent has not.

    Where nothing is known of the parent, nothing can be told apart, and all is the session's own.
    """

    def __init__(self, talk: CodexTalk) -> None:
        self.talk = talk
        self.on = False
        self._parents: set[str] = set()

    def begin(self, parent: str, path: str) -> None:
        known = self.talk.stored_meta(parent).get("metadata")
        ids = known.get("turn_ids") if isinstance(known, dict) else None
        self._parents = (
            set(map(str, ids)) if isinstance(ids, list) and ids else _ids_in(_beside(path, parent))
        )
        self.on = bool(self._parents)

    def of_parent(self, turn_id: str) -> bool:
        return self.on and turn_id in self._parents

    def at_turn(self, turn_id: str, *, late: bool) -> None:
        """A turn begins. A context comes ``late``: the prompt of its turn may stand before it."""
        if not self.on:
            return
        if turn_id in self._parents:
            self.talk.turns.clear()
            return
        turns = self.talk.turns
        own = len(turns)
        while late and own and (turns[own - 1]["role"] == "user" or turns[own - 1].get("kind") == "task"):
            own -= 1
        self.talk.drop(turns[:own])
        self.talk.tokens.forget()
        self.talk.memo.update(starts=[], marks=[], events=[], items=[], unmatched=[])
        for name in ("models", "reasoning_efforts"):
            self.talk.memo["lists"].pop(name, None)
        self.on = False


def _beside(path: str, session_id: str) -> str:
    """The file of another session in the same home; empty when there is none."""
    at = os.path.dirname(os.path.abspath(path))
    home = at
    while os.path.basename(home) not in ("sessions", "archived_sessions"):
        up = os.path.dirname(home)
        if up == home:
            home = at
            break
        home = up
    for folder in (home, os.path.join(os.path.dirname(home), "archived_sessions")):
        for where, _, names in os.walk(folder):
            for name in names:
                if session_id in name and ".jsonl" in name:
                    return os.path.join(where, name)
    return ""


def _ids_in(path: str) -> set[str]:
    """Every turn id in a file, read in chunks."""
    found: set[str] = set()
    if path:
        try:
            with opened(path) as file:
                rest = b""
                while chunk := file.read(CHUNK):
                    found.update(one.decode("utf-8", "replace") for one in _TURN_ID.findall(rest + chunk))
                    rest = chunk[-200:]
        except (MemexError, OSError):
            return set()
    return found
