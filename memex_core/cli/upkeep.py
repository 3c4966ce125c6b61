"""What is special about upkeep: exit codes of checks, progress, and following a folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from memex_core.cli.run import Call


def verify(call: Call) -> int:
    with call.out.progress("checking pages") as progress:
        result = call.do(progress=progress)
    call.answer(result)
    return 0 if result["ok"] else 1


def doctor(call: Call) -> int:
    """A store that is missing or cannot be reached is a finding too: the rest is checked all the same."""
    from memex_core.model.errors import StoreMissing, Unreachable

    with call.out.progress("looking around") as progress:
        try:
            result = call.do(progress=progress)
        except (StoreMissing, Unreachable) as error:
            from memex_core.care.doctor import doctor as look

            result = look(None, os.environ, os.getcwd(), missing=error, progress=progress)
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
    "doctor": doctor,
    "rebuild-index": rebuild_index,
    "watch": watch,
}
