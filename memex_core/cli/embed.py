"""What is special about making vectors: its progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.run import Call


def embed(call: Call) -> int:
    with call.out.progress("making vectors") as progress:
        result = call.do(progress=progress)
    call.answer(result)
    return 0


HANDLERS: dict[str, Callable[[Call], Any]] = {"embed": embed}
