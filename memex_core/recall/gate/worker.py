"""The process that runs the user's expressions: started as a script of its own, importing nothing of memex.

Reads marshalled requests ``(number, seconds, [(source, flags)], text)`` and writes lines: ``number s place``
when it begins to compile or to run an expression, ``number e place fits seconds`` when a run has ended
(``fits`` is 2 for what is no expression), ``number .`` when all have. The seconds are of work, not of
waiting: where the system can, it ends this process by a signal when they are used up, in the middle of an
expression if need be.
"""

import marshal
import os
import re
import signal
import sys
import time

COMPILING = 0.25
"""Seconds of work for compiling all expressions of a request; those seen before cost nothing."""


def main() -> None:
    source = sys.stdin.buffer
    while True:
        try:
            number, seconds, patterns, text = marshal.load(source)
        except EOFError:
            return
        compiled: list[re.Pattern[str] | None] = []
        _limit(COMPILING)
        for place, (pattern, flags) in enumerate(patterns):
            _say(f"{number} s {place}")
            try:
                compiled.append(re.compile(pattern, flags))
            except (re.error, OverflowError, RecursionError):
                compiled.append(None)
        _limit(seconds)
        for place, expression in enumerate(compiled):
            _say(f"{number} s {place}")
            before = time.process_time()
            fits = 2 if expression is None else int(expression.search(text) is not None)
            _say(f"{number} e {place} {fits} {time.process_time() - before:.6f}")
        _limit(0)
        _say(f"{number} .")


def _limit(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    main()
