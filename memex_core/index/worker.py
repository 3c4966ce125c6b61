"""Parsing in other processes: files in, entries out, in batches.

Reading, parsing and analysing a page takes longer than inserting it, and Python runs one thread at a
time; two parser processes keep one inserting process busy. They are plain child processes of this
interpreter that talk over pipes (no fork of a program with threads, no second import of the main
script), and when one dies its batches are parsed here instead.
"""

from __future__ import annotations

import marshal
import os
import queue
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memex_core.files.layout import Layout
from memex_core.files.scan import Stat
from memex_core.index.analyse import Analyser
from memex_core.index.parser import Batch, parse, receive, send

if TYPE_CHECKING:
    from subprocess import Popen

PROCESSES = 2
SERIAL_BELOW = 1_500
"""Pages up to which starting processes costs more than they save."""

_BATCH = 200
_IN_FLIGHT = 3  # batches a process has waiting: it never waits for the parent


def parse_all(
    layout: Layout,
    stats: Sequence[Stat],
    processes: int | None = None,
    analyser: Analyser | None = None,
) -> Iterator[Batch]:
    """The entries of all ``stats`` in batches, in no certain order. Files gone meanwhile are left out.

    ``processes``: how many parsers to start; by default none for few pages or a single processor.
    ``analyser`` (with ``learn``) is used for those parsed here: one that has seen much is faster.
    """
    if processes is None:
        enough = len(stats) >= SERIAL_BELOW and (os.cpu_count() or 1) > 1 and bool(sys.executable)
        processes = PROCESSES if enough else 0
    batches = [stats[at : at + _BATCH] for at in range(0, len(stats), _BATCH)]
    if processes:
        yield from _Pool(layout, batches, processes).run()
    else:
        analyser = analyser or Analyser(learn=True)
        for batch in batches:
            yield parse(layout, batch, analyser)


class _Pool:
    """The parent's side: a thread for each process feeds it and collects what it made."""

    def __init__(self, layout: Layout, batches: Sequence[Sequence[Stat]], processes: int) -> None:
        self.layout = layout
        self.batches = batches
        self.processes = processes
        self.next = iter(batches)
        self.turn = threading.Lock()
        self.made: queue.Queue[bytes | list[Sequence[Stat]]] = queue.Queue(maxsize=8)
        self.children: list[Popen[bytes]] = []
        self.stopped = False

    def run(self) -> Iterator[Batch]:
        running = min(self.processes, len(self.batches))
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(running)]
        analyser = Analyser(learn=True)
        try:
            for thread in threads:
                thread.start()
            while running:
                made = self.made.get()
                if isinstance(made, bytes):
                    yield marshal.loads(made)
                    continue
                running -= 1
                for undone in made:  # what a process left when it died
                    yield parse(self.layout, undone, analyser)
            while (batch := self._take()) is not None:  # none of them lives, or none could be started
                yield parse(self.layout, batch, analyser)
        finally:
            self._stop(threads)

    def _start(self) -> Popen[bytes]:
        import subprocess

        home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        code = f"import sys; sys.path.insert(0, {home!r}); from memex_core.index.parser import main; main()"
        child = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=os.path.dirname(os.path.abspath(sys.executable)),
        )
        self.children.append(child)
        return child

    def _serve(self) -> None:
        """One process from start to end. The last thing put into the queue is what it left undone."""
        waiting: list[Sequence[Stat]] = []
        try:
            child = self._start()
            with child.stdin as source, child.stdout as sink:  # type: ignore[union-attr]
                at = self.layout
                send(source, (at.root, at.pages, at.state, at.folder))
                while not self.stopped:
                    while len(waiting) < _IN_FLIGHT and (batch := self._take()) is not None:
                        waiting.append(batch)
                        send(source, [tuple(stat) for stat in batch])
                    if not waiting or (made := receive(sink)) is None:
                        break
                    waiting.pop(0)
                    self.made.put(made)
        except (OSError, ValueError):
            pass  # it could not be started, or its pipes broke
        finally:
            self.made.put(waiting)

    def _take(self) -> Sequence[Stat] | None:
        with self.turn:
            return next(self.next, None)

    def _stop(self, threads: list[threading.Thread]) -> None:
        """Leave no process and no thread behind, wherever the work was broken off."""
        self.stopped = True
        for child in self.children:
            if any(thread.is_alive() for thread in threads):
                child.kill()
        while any(thread.is_alive() for thread in threads):
            try:
                self.made.get(timeout=0.01)  # a thread may be waiting for room
            except queue.Empty:
                pass
        for child in self.children:
            child.wait()
