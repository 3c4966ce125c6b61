"""What is special about hooks: the payload from standard input, and an answer in the form of the agent.

Whatever fails is one line on stderr; :func:`memex_core.cli.run.run` makes the exit code 0 all the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from memex_core.cli.output import is_terminal, say
from memex_core.cli.run import Call
from memex_core.harness.hook_input import LARGEST, HookInput
from memex_core.harness.hook_output import rendered
from memex_core.model.errors import WriteFailed


def hook(call: Call) -> int:
    def emit(told: HookInput, block: str) -> None:
        if sys.stdout is None:  # nobody can have read it, so it does not count as given
            raise WriteFailed("standard output is closed", hint="so nothing was given")
        sys.stdout.write(rendered(told, block))
        sys.stdout.flush()

    if os.environ.get("MEMEX_INTERNAL") == "1":  # a model that memex itself called
        return 0
    result = call.do(payload=call.values["payload"] or _standard_input(), emit=emit)
    for notice in result["notices"]:
        say(notice)
    return 1 if result["failed"] else 0


def _standard_input() -> bytes:
    if sys.stdin is None or is_terminal(sys.stdin):
        return b""
    return sys.stdin.buffer.read(LARGEST + 1)


HANDLERS: dict[str, Callable[[Call], Any]] = {"hook": hook}
