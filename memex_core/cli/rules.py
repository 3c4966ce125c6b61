"""What is special about the commands on rules of extraction: exit codes, and the question before a reset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.impact import impact_first
from memex_core.cli.run import Call


def validate(call: Call) -> int:
    result = call.do()
    call.answer(result)
    return 0 if result["ok"] else 1


def test(call: Call) -> int:
    with call.out.progress("trying") as progress:
        result = call.do(progress=progress)
    call.answer(result)
    return 1 if result["held"] else 0


def reset(call: Call) -> int:
    return impact_first(call, question="the rules were kept")


HANDLERS: dict[str, Callable[[Call], Any]] = {
    "rules validate": validate,
    "rules test": test,
    "rules reset": reset,
}
