"""What a new rule must pass before it is written, be it of the gate or of extraction."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memex_core.model.errors import BadInput, Refused

if TYPE_CHECKING:
    from memex_core.files.scrubbing import Scrubber


def check_new(scrubber: Scrubber, words: str, why: str, hint: str, slow: Callable[[], str]) -> None:
    """Raise Refused for ``words`` of a rule that hold a secret and for a rule that ``slow`` says would take
    too long, BadInput for one that is none: ``why`` it is not, with a ``hint``."""
    if scrubber.holds(words):
        raise Refused("the rule or its note holds a secret", hint="leave the secret out")
    if why:
        raise BadInput(why, hint=hint)
    reason = slow()  # only of what is a rule
    if reason:
        raise Refused(reason, hint="avoid repeats inside repeats, and neighbours that fit the same text")
