"""What is special about the commands on the journal: ``purge`` shows its impact first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.impact import impact_first
from memex_core.cli.parse import Usage
from memex_core.cli.run import Call


def purge(call: Call) -> int:
    slug, session, ident = (call.values[name] for name in ("slug", "session", "id"))
    if bool(slug) == bool(session):
        raise Usage(
            "purge needs a page or --session ID, one of them", hint=f"for example: {call.operation.example}"
        )
    if slug and call.values["yes"] and not ident:
        raise Usage("purging a page needs its --id UUID", hint="memex purge SLUG --dry-run prints it")
    return impact_first(call, question="nothing was erased")


HANDLERS: dict[str, Callable[[Call], Any]] = {"purge": purge}
