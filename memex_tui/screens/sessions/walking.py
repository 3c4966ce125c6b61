"""A search through the turns of a conversation that goes on beside everything else, and can be stopped."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right

from memex_core.files.turn_walk import Stopped, Wanted, saying
from memex_core.memex import Memex

MOST = 200_000  # turns that are found at most


class Walk:
    """Looks for words in all turns; one began to look at turn ``start``.

    ``run`` works in a thread; the others may be asked meanwhile. ``found`` are the numbers of turns in
    order, ``words`` what each says first.
    """

    def __init__(self, session: str, wanted: Wanted, start: int) -> None:
        self.session = session
        self.start = start
        self.found: list[int] = []
        self.words: dict[int, str] = {}
        self.done = False
        self.stopped = threading.Event()
        self._wanted = wanted

    def run(self, memex: Memex) -> Walk:
        """Go all the way, or until it is stopped."""
        layout, stop = memex.store.layout, self.stopped.is_set
        try:
            for said in saying(layout, self.session, self._wanted, stop=stop):
                self.words[said.turn] = said.words
                self.found.append(said.turn)
                if len(self.found) >= MOST:
                    break
        except Stopped:
            pass
        self.done = True
        return self

    def next(self, here: int, step: int = 1) -> int:
        """The found turn after ``here`` (with ``step`` -1 before it, with 0 there or after), round the end;
        0 when none is found yet."""
        found = self.found
        if not found:
            return 0
        if step < 0:
            return found[bisect_left(found, here) - 1]
        at = bisect_left(found, here) if step == 0 else bisect_right(found, here)
        if at == len(found) and not self.done:
            return 0  # there may be one further down
        return found[at % len(found)]

    def place(self, turn: int) -> int:
        """Which of the found turns it is, counted from 1; 0 for another one."""
        at = bisect_left(self.found, turn)
        return at + 1 if at < len(self.found) and self.found[at] == turn else 0

    def around(self, turn: int, turns: int) -> list[int]:
        """The found turns at most ``turns`` before or after one."""
        return self.found[bisect_left(self.found, turn - turns) : bisect_right(self.found, turn + turns)]
