"""The store behind the server: readers side by side, one writer at a time, the index made behind them.

Every call looks at the folder anew, so edits made outside are seen. An opened ``Memex`` belongs to one call
at a time; it is opened again when the index or the settings were replaced under it.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import anyio.to_thread

from memex_core.index.failing import breakable
from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    from memex_core.memex import Memex

READERS = 4
PATIENCE = 30.0  # seconds that a call waits for an index being made; clients give up at 60
_TOLD_EVERY = 0.5

Act = Callable[["Memex"], Any]
Tell = Callable[[int, int], Awaitable[None]]


class Indexing(MemexError):
    """The index is still being made: asking again later will do, zero hits would be a lie."""

    code = "indexing"


class Made(NamedTuple):
    """How far the index is at start: pages ``done`` of ``total``, 0 when nothing is known."""

    done: int = 0
    total: int = 0


class Lanes:
    """Where acts on the store run. ``root`` is found as the command line does when None."""

    def __init__(self, root: str | None) -> None:
        self.root = root
        self.home = ""  # the store's folder, once one was opened
        self.made = Made()
        self._idle: queue.LifoQueue[_Opened] = queue.LifoQueue()
        self._writer: _Opened | None = None
        self._reading = anyio.CapacityLimiter(READERS)
        self._writing = anyio.CapacityLimiter(1)
        self._started = False
        self._ready = anyio.Event()

    # -- the index -------------------------------------------------------------------------

    def begin(self) -> None:
        """Bring the index up to date in a thread of its own; later calls do nothing."""
        if not self._started:
            self._started = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._make, args=(loop,), name="index", daemon=True).start()

    def _make(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            opened = self._open()
            opened.memex.store.open_index(self._progress)
            opened.run(lambda memex: memex.store.index.total())
            self._idle.put(opened)
        except Exception:
            pass  # the first call meets the same trouble and says it to somebody
        finally:
            try:
                loop.call_soon_threadsafe(self._ready.set)
            except RuntimeError:  # the server has ended meanwhile
                pass

    def _progress(self, done: int, total: int) -> None:
        self.made = Made(done, total)

    async def indexed(self, tell: Tell) -> bool:
        """Wait until the index can be asked; whether that took a wait.

        Raises :class:`Indexing` when it takes too long.
        """
        self.begin()
        waited = not self._ready.is_set()
        told = 0
        with anyio.move_on_after(PATIENCE):
            while not self._ready.is_set():
                with anyio.move_on_after(_TOLD_EVERY):
                    await self._ready.wait()
                done, total = self.made
                if done > told:  # the protocol wants it to grow
                    told = done
                    await tell(done, total)
        if not self._ready.is_set():
            how_far = f": {self.made.done:,} of {self.made.total:,} pages" if self.made.total else ""
            raise Indexing(f"the memory is being indexed{how_far}", hint="ask again in a few seconds")
        return waited

    # -- acts ------------------------------------------------------------------------------

    async def read(self, act: Act, actor: str) -> Any:
        """Run ``act`` beside other readers. When the caller is cancelled it is broken off."""
        turn = _Turn(act, actor)
        try:
            return await anyio.to_thread.run_sync(
                self._read, turn, limiter=self._reading, abandon_on_cancel=True
            )
        except anyio.get_cancelled_exc_class():
            turn.give_up()
            raise

    def _read(self, turn: _Turn) -> Any:
        opened = self._take()
        try:
            return opened.run(turn)
        finally:
            self._idle.put(opened)

    def _take(self) -> _Opened:
        while True:
            try:
                opened = self._idle.get_nowait()
            except queue.Empty:
                return self._open()
            if opened.current():
                return opened
            opened.memex.close()

    def _open(self, *, create: bool = False) -> _Opened:
        opened = _Opened(self.root, create=create)
        self.home = opened.memex.root
        return opened

    async def write(self, act: Act, actor: str, *, create: bool) -> Any:
        """Run ``act`` alone among this server's writes; once begun it is carried through."""
        turn = _Turn(act, actor)
        return await anyio.to_thread.run_sync(self._write, turn, create, limiter=self._writing)

    def _write(self, turn: _Turn, create: bool) -> Any:
        if self._writer is not None and not self._writer.current():
            self._writer.memex.close()
            self._writer = None
        if self._writer is None:
            self._writer = self._open(create=create)
        try:
            done = self._writer.run(turn)
            self._writer.memex.store.newborn = None
            return done
        except BaseException:
            if self._writer.memex.store.newborn is not None:
                from memex_core.actions.newborn import unmake

                unmake(self._writer.memex.store)
                self._writer = None
            raise


class _Opened:
    """An opened store, and which files it holds on to."""

    def __init__(self, root: str | None, *, create: bool = False) -> None:
        from memex_core.memex import Memex

        self.memex = Memex(root, create=create)
        self._files: tuple[int | None, ...] | None = None

    def run(self, act: Act) -> Any:
        self.memex.store.warnings.clear()
        self.memex.store.late.clear()
        self.memex.look_again()
        try:
            with breakable():
                return act(self.memex)
        finally:
            self._files = self._files or self._found()

    def current(self) -> bool:
        """Whether its files are those on disk: index and page folder by identity, settings by age."""
        return self._files is None or self._files == self._found()

    def _found(self) -> tuple[int | None, ...]:
        layout = self.memex.store.layout
        wanted = ((layout.index, "st_ino"), (layout.pages, "st_ino"), (layout.config, "st_mtime_ns"))
        found: list[int | None] = []
        for path, field in wanted:
            try:
                found.append(int(getattr(os.stat(path), field)))
            except OSError:
                found.append(None)
        return tuple(found)


class _Turn:
    """One act, signed by its actor, that may be given up from outside while it runs."""

    def __init__(self, act: Act, actor: str) -> None:
        self._act = act
        self._actor = actor
        self._lock = threading.Lock()
        self._memex: Memex | None = None
        self._given_up = False

    def __call__(self, memex: Memex) -> Any:
        with self._lock:
            if self._given_up:
                return None
            self._memex = memex
        try:
            memex.store.actor = self._actor
            return self._act(memex)
        finally:
            with self._lock:
                self._memex = None

    def give_up(self) -> None:
        with self._lock:
            self._given_up = True
            if self._memex is not None:
                self._memex.interrupt()
