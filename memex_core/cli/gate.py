"""What is special about the gate's commands: exit codes of a check, and the question before a reset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.impact import impact_first
from memex_core.cli.run import Call


def validate(call: Call) -> int:
    result = call.do()
    call.answer(result)
    return 0 if result["ok"] else 1


def reset(call: Call) -> int:
    return impact_first(call, question="the own rules were kept")


HANDLERS: dict[str, Callable[[Call], Any]] = {"gate validate": validate, "gate reset": reset}
