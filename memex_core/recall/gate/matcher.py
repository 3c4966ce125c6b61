"""Running the user's expressions with a limit on the work they may do.

An expression cannot be interrupted in the process that runs it, and no look at its text tells whether it
explodes. So they run in a process that can be ended, and its progress says which one was running. A
process that dies otherwise, or waits too long for a busy machine, proves nothing against any expression.
"""

# No `from __future__ import annotations` here: with it each NamedTuple's first field costs a process 1 ms.

import marshal
import os
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from subprocess import Popen

WORK = 0.05
"""Seconds of work for all expressions of one prompt."""

PATIENCE = 10.0
"""Seconds that the start of the process, and then each answer, may take on the clock."""

_WITHOUT_TIMER = 0.5  # the same where the system cannot count a process' work
_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")


class Expression(NamedTuple):
    """A user's expression: ``id``, its text, and flags of :mod:`re`."""

    id: str
    source: str
    flags: int


class Matched(NamedTuple):
    """``ids`` of the expressions that fit. ``culprit``: the id of the one that used up the time.
    ``unavailable``: why nothing can be said, no expression's fault. ``broken`` are those that only compiling
    finds to be no expressions; they fit nothing. ``elapsed_ms`` is time of work."""

    ids: tuple[str, ...] = ()
    culprit: str = ""
    unavailable: str = ""
    elapsed_ms: float = 0.0
    broken: tuple[str, ...] = ()


class Matcher:
    """One process for any number of prompts, started at the first that needs it; close it, or use ``with``.

    Not for several threads at once.
    """

    def __init__(self, *, patience: float | None = None) -> None:
        self._patience = PATIENCE if patience is None else patience
        self._process: Popen[bytes] | None = None
        self._number = 0
        self._hopeless = ""

    def __enter__(self) -> "Matcher":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def started(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def match(self, expressions: Sequence[Expression], text: str, *, work: float = WORK) -> Matched:
        """Which expressions fit somewhere in ``text``. Never raises; no expressions cost nothing."""
        if not expressions or self._hopeless:
            return Matched(unavailable=self._hopeless if expressions else "")
        try:
            return self._asked(expressions, text, work)
        except (OSError, ValueError) as error:
            return self._gave_up(f"the process for own rules failed ({error})")

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    try:
                        pipe.close()
                    except OSError:
                        pass  # what was not read by it

    def _asked(self, expressions: Sequence[Expression], text: str, work: float) -> Matched:
        process = self._process or self._start()
        assert process.stdin is not None and process.stdout is not None
        self._number += 1
        asked = [(one.source, int(one.flags)) for one in expressions]
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._patience, end)
        timer.daemon = True
        timer.start()
        fits: list[str] = []
        broken: list[str] = []
        used: dict[int, float] = {}
        running = -1
        whole = False
        try:
            process.stdin.write(marshal.dumps((self._number, work, asked, text)))
            process.stdin.flush()
            for line in process.stdout:
                number, what, *rest = line.decode("ascii", "replace").split()
                if int(number) != self._number:
                    continue
                if what == ".":
                    whole = True
                    break
                place = int(rest[0])
                if what == "s":
                    running = place
                    continue
                used[place], running = float(rest[2]), -1
                if rest[1] == "1":
                    fits.append(expressions[place].id)
                elif rest[1] == "2":
                    broken.append(expressions[place].id)
        finally:
            timer.cancel()
        spent = sum(used.values()) * 1000
        if whole:
            return Matched(tuple(fits), elapsed_ms=spent, broken=tuple(broken))
        code = process.wait()
        self.close()
        if len(used) == len(expressions):
            return Matched(tuple(fits), elapsed_ms=spent, broken=tuple(broken))
        counted = _counts_work()
        if running >= 0 and (code == -_signal() if counted else late.is_set()):
            used[running] = max(work - sum(used.values()), 0.0)  # what was left for it
            slowest = max(used, key=lambda place: used[place])
            return Matched(tuple(fits), culprit=expressions[slowest].id, elapsed_ms=work * 1000)
        return self._gave_up("the process for own rules did not answer in time")

    def _start(self) -> "Popen[bytes]":
        import subprocess  # only who has own rules pays for it

        if not sys.executable:
            raise OSError("no Python to run it")
        if not _counts_work():
            self._patience = min(self._patience, _WITHOUT_TIMER)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            close_fds=True,
        )
        return self._process

    def _gave_up(self, why: str) -> Matched:
        self._hopeless = why
        self.close()
        return Matched(unavailable=why)


def _counts_work() -> bool:
    import signal

    return hasattr(signal, "setitimer")


def _signal() -> int:
    import signal

    return int(signal.SIGPROF)
