"""What is special about the commands on models: a test that fails says so in its exit code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.run import Call


def test(call: Call) -> int:
    result = call.do()
    call.answer(result)
    return 0 if result["ok"] else 1


HANDLERS: dict[str, Callable[[Call], Any]] = {"models test": test}
