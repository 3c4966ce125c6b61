"""What is special about upkeep of all pages: the exit code of a check, and progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.run import Call


def okf_check(call: Call) -> int:
    result = call.do()
    call.answer(result)
    return 0 if result["ok"] else 1


def okf_index(call: Call) -> int:
    with call.out.progress("writing") as progress:
        result = call.do(progress=progress)
    call.answer(result)
    return 1 if result["refused"] else 0


HANDLERS: dict[str, Callable[[Call], Any]] = {"okf check": okf_check, "okf index": okf_index}
