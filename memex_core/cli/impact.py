"""Destroying for good: first what it would destroy, then, only when confirmed, the deed."""

from __future__ import annotations

from memex_core.cli.run import Call
from memex_core.model.errors import Refused


def impact_first(call: Call, *, question: str) -> int:
    """Print the impact; with ``--yes`` do it. Without, it is refused: exit code 1.

    ``question`` says what was not done. A dry run ends after the impact and succeeds.
    """
    confirmed = bool(call.values["yes"]) and not call.dry_run
    if not confirmed or call.out.mode == "text":
        call.answer(call.do(dry_run=True))
    if call.dry_run:
        return 0
    if not confirmed:
        raise Refused(question, hint="add --yes to do it")
    call.answer(call.do(dry_run=False))
    return 0
