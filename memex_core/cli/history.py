"""What is special about the commands on the journal: ``purge`` shows its impact first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.impact import impact_first
from memex_core.cli.parse import Usage
from memex_core.cli.run import Call


def purge(call: Call) -> int:
    if bool(call.values["slug"]) == bool(call.values["session"]):
        raise Usage(
            "purge needs a page or --session ID, one of them", hint=f"for example: {call.operation.example}"
        )
    return impact_first(call, question="nothing was erased")


HANDLERS: dict[str, Callable[[Call], Any]] = {"purge": purge}
