"""What the gate knows of the session a prompt belongs to, and how a prompt changes it."""

# No `from __future__ import annotations` here: with it each NamedTuple's first field costs a process 1 ms.

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memex_core.recall.gate.decision import Decision

_TOPIC = 64  # tokens that are kept


class State(NamedTuple):
    """``epoch_changed``: the agent's context began anew; ``topic``: tokens of what is being worked on;
    ``since_retrieval``: prompts that said something since memory was looked at; ``resident``: titles of
    pages that the context holds; ``corrections``: one of those pages changed or went."""

    epoch_changed: bool = False
    topic: tuple[str, ...] = ()
    since_retrieval: int = 0
    resident: tuple[str, ...] = ()
    corrections: bool = False


NEUTRAL = State()


def after(state: State, decision: "Decision", retrieved: bool) -> State:
    """The state for the next prompt. ``retrieved``: memory was looked at, whatever it gave.

    What is resident is for the caller to say, who knows which pages were given.
    """
    topic = state.topic
    if decision.substantive and decision.tokens:
        kept = () if retrieved else state.topic
        topic = tuple(dict.fromkeys([*decision.tokens, *kept]))[:_TOPIC]
    since = 0 if retrieved else state.since_retrieval + decision.substantive
    return State(False, topic, since, state.resident, False)
