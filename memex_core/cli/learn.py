"""What is special about learning: its progress, its exit code, and a capture before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.parse import Usage
from memex_core.cli.run import Call


def consolidate(call: Call) -> int:
    path = call.values["capture"]
    session = call.values["session"]
    if path:
        if session or call.dry_run or call.values["mode"] == "dry-run":
            raise Usage("--capture goes with neither --session nor a dry run")
        captured = call.memex.capture(paths=[path])["sessions"]
        if not captured:
            return 0  # nothing of it is kept, so nothing is learnt from it
        session = captured[0]["session_id"]  # its agents' sessions come after it
        call.memex.look_again()
    with call.out.progress("reading conversations") as progress:
        result = call.do(session=session, progress=progress)
    call.answer(result)
    wrong = result["held"] or result["failed"]
    if not result["dry_run"]:
        wrong = wrong or result["waiting"] or result["given_up"]
    return 1 if wrong and not call.values["background"] else 0


HANDLERS: dict[str, Callable[[Call], Any]] = {"consolidate": consolidate}
