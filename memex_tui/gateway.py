"""The one way from the app to the core: calls run in threads of their own, answers come back in order.

Four lanes, each a thread with a ``Memex`` of its own, so that a long write never delays typing:
``search`` (as-you-type queries), ``read`` (everything else that looks), ``care`` (looks that take long:
checking every file) and ``write``. A request has a channel and a number; when a newer one is made on its
channel, an older one is dropped: not begun if it still waits, interrupted in SQLite if it runs, unheard
if it comes too late.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from memex_core.index.failing import breakable
from memex_core.memex import Memex
from memex_core.model.errors import MemexError, StoreMissing
from memex_tui.faults import describe

T = TypeVar("T")
Call = Callable[[Memex], T]

LANES = ("search", "read", "care", "write")


class Dropped(Exception):
    """The answer is not wanted any more: a newer request was made on the channel, or the app ends."""


class Written(NamedTuple):
    """What one call on the write lane changed: path -> digest of the new text (None: it is gone).

    ``renamed`` maps new paths to old ones, ``added`` are paths that were not there; ``undo`` names a page
    for each act of the journal: reverting those, last first, takes the call back.
    """

    digests: Mapping[str, str | None]
    added: frozenset[str]
    renamed: Mapping[str, str]
    title: str
    undo: tuple[str, ...]


class _Lane:
    """One thread with a store of its own."""

    def __init__(self, name: str, opened: Callable[[], Memex]) -> None:
        self.name = name
        self._opened = opened
        self._memex: Memex | None = None
        self._lock = threading.Lock()
        self._running: tuple[str, int] | None = None
        self._threads = ThreadPoolExecutor(1, thread_name_prefix=f"memex-{name}")

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work)

    def run(self, channel: str, number: int, call: Call[T]) -> T:
        """In the lane's thread: open the store if need be, and call."""
        if self._memex is None:
            self._memex = self._opened()
        with self._lock:
            self._running = (channel, number)
        try:
            with breakable():
                return call(self._memex)
        finally:
            with self._lock:
                self._running = None

    def interrupt(self, channel: str | None = None) -> None:
        """Break off what runs, if it is of ``channel``. The lock keeps the next call from being hit."""
        with self._lock:
            if self._running is None or self._memex is None:
                return
            if channel is None or self._running[0] == channel:
                self._memex.interrupt()

    def close(self) -> None:
        """Take no more calls. A read under way is broken off, a write is not."""
        if self.name != "write":
            self.interrupt()
        self._threads.submit(self._close_store)
        self._threads.shutdown(wait=False, cancel_futures=False)

    def join(self) -> None:
        """Wait until what runs is done and the store let go of."""
        self._threads.shutdown(wait=True)

    def _close_store(self) -> None:
        memex, self._memex = self._memex, None
        if memex is not None:
            memex.close()


class Gateway:
    """Asks the core for the app.

    ``root`` as for ``Memex``. ``written`` is called on the loop after a call of :meth:`write` that
    changed files.
    """

    def __init__(self, root: str | None, *, written: Callable[[Written], None] = lambda _: None) -> None:
        self.root = root
        self._written = written
        self._numbers: dict[str, int] = {}
        self._closed = False
        self._own: dict[str, str | None] = {}
        self._writing = threading.Lock()
        self._lanes = {name: _Lane(name, self._open) for name in LANES if name != "write"}
        self._lanes["write"] = _Lane("write", self._open_to_write)
        self._there = False  # whether there was a memory: one that vanishes is not made anew

    def _open(self) -> Memex:
        return self._followed(Memex(self.root))

    def _open_to_write(self) -> Memex:
        return self._open() if self._there else self._followed(Memex(self.root, create=True))

    def _followed(self, memex: Memex) -> Memex:
        self._there = True
        memex.store.followed = True  # by the app's watcher: no call waits for a look of its own
        return memex

    async def ask(self, channel: str, call: Call[T], *, lane: str = "read") -> T:
        """The answer of ``call(memex)``. Raises Dropped when a newer request of the channel was made,
        MemexError when it failed; any other failure becomes one, and is written to the log."""
        number = self._numbers[channel] = self._numbers.get(channel, 0) + 1
        where = self._lanes[lane]
        where.interrupt(channel)

        def work() -> T:
            if not self._wanted(channel, number):
                raise Dropped
            return where.run(channel, number, call)

        try:
            answer = await where.submit(work)
        except (Dropped, asyncio.CancelledError):
            raise
        except Exception as error:
            if not self._wanted(channel, number):
                raise Dropped from None
            raise describe(error, self.root) from error
        if not self._wanted(channel, number):
            raise Dropped
        return answer

    def _wanted(self, channel: str, number: int) -> bool:
        return not self._closed and self._numbers.get(channel) == number

    def drop(self, channel: str) -> None:
        """Take back what was asked on the channel."""
        self._numbers[channel] = self._numbers.get(channel, 0) + 1
        for lane in self._lanes.values():
            if lane.name != "write":
                lane.interrupt(channel)

    async def write(self, call: Call[T]) -> T:
        """Run a call that may change files; writes run one after the other and are never dropped.

        Raises MemexError. What was changed is told to ``written`` before this returns.
        """
        lane = self._lanes["write"]

        def work() -> tuple[T, Written]:
            with self._writing:
                return lane.run("write", 0, lambda memex: self._noting(memex, call))

        try:
            answer, written = await asyncio.shield(lane.submit(work))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            raise describe(error, self.root) from error
        if written.digests:
            self._written(written)
        return answer

    def _noting(self, memex: Memex, call: Call[T]) -> tuple[T, Written]:
        """Call, and read from the journal which files that changed."""
        journal = memex.store.journal
        before = journal.last_seq()
        answer = call(memex)
        digests: dict[str, str | None] = {}
        renamed: dict[str, str] = {}
        added: set[str] = set()
        title = ""
        acts: dict[int, str] = {}
        for event in reversed(list(journal.read(reverse=True, after=before))):
            if event["action"] == "hand" or event["actor"] != memex.store.actor:
                continue
            path, detail = event["file"], event["detail"]
            digests[path] = detail.get("after")
            if detail.get("from"):
                renamed[path] = detail["from"]
                digests[detail["from"]] = None
            elif event["before"] is None:
                added.add(path)
            title = title or event["action"]
            acts.setdefault(detail.get("group", event["seq"]), path)
        self._own.update(digests)
        return answer, Written(digests, frozenset(added), renamed, title, tuple(acts.values()))

    def is_own(self, path: str, digest: str | None) -> bool:
        """Whether this app wrote the page as it is now (None: deleted it). Asked by the watcher, which may
        see a file before the write is through: then it waits."""
        with self._writing:
            return path in self._own and self._own[path] == digest

    def close(self) -> None:
        """Break off what runs; nothing is answered any more. Closing twice is closing once."""
        if self._closed:
            return
        self._closed = True
        for lane in self._lanes.values():
            lane.close()

    def join(self, *, reads: bool = False) -> None:
        """After :meth:`close`: wait until a write under way is done (and with ``reads`` the reads too)."""
        for name, lane in self._lanes.items():
            if reads or name == "write":
                lane.join()


__all__ = ["LANES", "Dropped", "Gateway", "MemexError", "StoreMissing", "Written"]
