"""Captures a session file again and again in processes that die at a random moment; run by a test.

``killing.py STORE FILE RECORDS KILLS SEED``: RECORDS is the whole session; before each capture some of
its lines are added to FILE. A child counts what Python does and is killed at one of these events, so
that the moments are spread over all of the work, however fast the machine is.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from types import FrameType
from typing import Any

from memex_core.files.layout import open_layout
from memex_core.files.scrubbing import Scrubber
from memex_core.harness import following
from memex_core.harness.places import reader_of


def capture(store: str, path: str) -> None:
    begin = reader_of(path)
    assert begin is not None
    following.follow(open_layout(store), path, begin, scrubber=Scrubber())


def events_of(store: str, path: str, deadly: int) -> int:
    """Capture, and die at event ``deadly``; the number of events when it is never reached."""
    count = 0

    def step(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal count
        count += 1
        if count == deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(step)
    try:
        capture(store, path)
    finally:
        sys.setprofile(None)
    return count


def main() -> None:
    store, path, records = sys.argv[1:4]
    kills, chance = int(sys.argv[4]), random.Random(int(sys.argv[5]))
    following.PORTION = 2_000
    with open(records, "rb") as file:
        lines = file.readlines()
    died = 0
    for number in range(kills):
        if number % 2 == 0:  # the other half finish what was broken off
            with open(path, "ab") as file:
                file.writelines(lines[number * len(lines) // kills : (number + 2) * len(lines) // kills])
        child = os.fork()
        if child == 0:
            events_of(store, path, int(10 ** chance.uniform(3, 5)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        died += os.WIFSIGNALED(status)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            sys.exit("a capture failed")
    print(died)


if __name__ == "__main__":
    main()
