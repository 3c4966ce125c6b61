"""A parser process: files in, entries out, in batches. It imports what parsing needs and nothing else."""

from __future__ import annotations

import gc
import marshal
import struct
import sys
from collections.abc import Sequence
from typing import IO, Any

from memex_core.files.layout import Layout
from memex_core.files.scan import Stat
from memex_core.index.analyse import Analyser
from memex_core.index.entries import Entry, make

Batch = tuple[list[Entry], dict[str, str], int]
"""Entries, the spellings first met in them, and how many files the batch stands for (some may be gone)."""

_FRAME = struct.Struct("<I")


def parse(layout: Layout, batch: Sequence[Sequence[Any]], analyser: Analyser) -> Batch:
    """The entries of the files at the paths of ``batch`` (stats as tuples); those that are gone left out."""
    entries = make(layout, [Stat(*stat) for stat in batch], analyser)
    return entries, analyser.take_words(), len(batch)


def send(pipe: IO[bytes], value: Any) -> None:
    """Write one framed message."""
    data = marshal.dumps(value)
    pipe.write(_FRAME.pack(len(data)) + data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """One framed message; None at the end of the pipe."""
    head = pipe.read(_FRAME.size)
    if len(head) < _FRAME.size:
        return None
    size = _FRAME.unpack(head)[0]
    data = pipe.read(size)
    return data if len(data) == size else None


def main() -> None:
    """A parser process: the layout first, then batches of stats, until the input ends."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; it closes our input
    gc.disable()  # entries hold no cycles
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but frames on the pipe
    first = receive(source)
    if first is None:
        return
    layout = Layout(*marshal.loads(first))
    analyser = Analyser(learn=True)
    while (message := receive(source)) is not None:
        try:
            send(sink, parse(layout, marshal.loads(message), analyser))
        except BrokenPipeError:
            return
