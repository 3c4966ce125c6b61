"""The tree of a session's records: which turns were taken back when a person went another way.

Only as much of the tree is kept as rewinding can reach: the last records, by id.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from memex_core.harness.talk import Rewound, Talk

_KEPT = 50_000  # records; the older half of twice as many is forgotten
_NOTED = 64  # of these go into the memo, so that the next reading knows where it stands


class Branches:
    """Parent, turn and answered-or-not of the last records of ``talk``."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self._parent: dict[str, str] = {}
        self._turn: dict[str, int] = {}
        self._answered: set[str] = set()
        self.leaf = ""  # the last prompt or answer
        self.last = ""  # the last record of all

    def __contains__(self, xid: str) -> bool:
        return xid in self._parent

    def restore(self) -> None:
        noted = self.talk.memo.get("tree")
        if isinstance(noted, dict):
            self.leaf = str(noted.get("leaf") or "")
            self.last = str(noted.get("last") or "")
            for xid, parent, turn, answered in noted.get("nodes") or ():
                self._parent[xid] = parent
                if turn:
                    self._turn[xid] = turn
                if answered:
                    self._answered.add(xid)

    def note(self) -> None:
        """Write what the next reading needs into the memo."""
        last = list(self._parent)[-_NOTED:]
        nodes = [[x, self._parent[x], self._turn.get(x, 0), x in self._answered] for x in last]
        self.talk.memo["tree"] = {"leaf": self.leaf, "last": self.last, "nodes": nodes}

    def grow(self, xid: str, parent: Any) -> None:
        """A record of any kind."""
        self.last = xid
        if xid in self._parent:
            return
        self._parent[xid] = parent if isinstance(parent, str) else ""
        if len(self._parent) > 2 * _KEPT:
            for old in list(self._parent)[:_KEPT]:
                del self._parent[old]
                self._turn.pop(old, None)
                self._answered.discard(old)

    def message(self, xid: str, parent: Any) -> None:
        """The record is a prompt or an answer, of which the next turn is made."""
        if isinstance(parent, str):
            self._answered.add(parent)
        self._turn.setdefault(xid, self.talk.next_number)
        self.leaf = xid

    def rewind(self, parent: Any) -> None:
        """A prompt was typed under ``parent``: what had been said under it before is taken back.

        Raises Rewound when the reading began behind that record.
        """
        if isinstance(parent, str) and parent and self.leaf:
            if parent in self._answered or self.talk.abandoned(self._turn.get(parent, 0)):
                self._leave(self.leaf, parent)
            elif parent not in self._parent and not self.talk.whole:
                raise Rewound

    def follow(self, parent: Any) -> None:
        """The next record hangs under ``parent``: unless that is the last one, another way is taken."""
        if isinstance(parent, str) and self.last and parent != self.last:
            if parent not in self._parent and not self.talk.whole:
                raise Rewound
            self._leave(self.last, parent)

    def _leave(self, end: str, parent: str) -> None:
        """Take back what lies between ``end`` and the way to ``parent``; what lies there counts again."""
        kept = self._way(parent)
        on_it = set(kept)
        left = []
        for xid in self._way(end):
            if xid in on_it:
                break
            left.append(xid)
        else:
            if not self.talk.whole:
                raise Rewound
            return
        back = kept[: kept.index(xid)]
        first = min((self._turn[one] for one in left if one in self._turn), default=0)
        self.talk.abandon(first, self.talk.next_number - 1)
        if back:
            starts = sorted(set(self._turn.values()))
            for number in sorted(self._turn[one] for one in back if one in self._turn):
                place = bisect_right(starts, number)
                last = starts[place] - 1 if place < len(starts) else self.talk.next_number - 1
                self.talk.regain(number, last)

    def _way(self, xid: str) -> list[str]:
        """From the record up to its root, as far as it is known."""
        way: list[str] = []
        while xid in self._parent and len(way) <= 2 * _KEPT:
            way.append(xid)
            xid = self._parent[xid]
        return way
