"""Installing needs no store: these commands open none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.run import Call


def install(call: Call) -> int:
    from memex_core.actions.agents.installing import install as do

    call.answer(do(**call.values, root=call.request.root))
    return 0


def uninstall(call: Call) -> int:
    from memex_core.actions.agents.installing import uninstall as do

    call.answer(do(**call.values))
    return 0


HANDLERS: dict[str, Callable[[Call], Any]] = {"install": install, "uninstall": uninstall}
