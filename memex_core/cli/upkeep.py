"""What is special about upkeep: exit codes of checks, progress, and following a folder."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from memex_core.cli.run import Call


def verify(call: Call) -> int:
    with call.out.progress("checking pages") as progress:
        result = call.do(progress=progress)
    call.answer(result)
    return 0 if result["ok"] else 1


def rebuild_index(call: Call) -> int:
    with call.out.progress("indexing pages") as progress:
        result = call.do(progress=progress)
    call.answer(result)
    return 0


def watch(call: Call) -> int:
    """One line, or one JSON document, a batch of changes. SIGTERM ends it well, Ctrl-C with 130."""
    import signal
    import threading

    stop = threading.Event()
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda _number, _frame: stop.set())
    call.out.note(f"watching {call.memex.root}; Ctrl-C ends it")
    for batch in call.do(stop=stop):
        if call.out.mode == "text":
            call.answer(batch)
        else:
            call.out.rows([batch])
        sys.stdout.flush()
    return 0


HANDLERS: dict[str, Callable[[Call], Any]] = {
    "verify": verify,
    "rebuild-index": rebuild_index,
    "watch": watch,
}
