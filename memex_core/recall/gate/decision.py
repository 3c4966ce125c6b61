"""Whether a prompt is worth a look into memory: ``retrieve``, ``skip``, or ``ambiguous``.

The order matters, and the first that holds decides. Asking for something remembered goes before
everything; a bare "yes, go on" is skipped; large changes retrieve; then come drifting topics. What none of
them settles is ambiguous, and a word search, which is cheap, tells.
"""

# No `from __future__ import annotations` here: with it each NamedTuple's first field costs a process 1 ms.

import time
from typing import TYPE_CHECKING, NamedTuple

from memex_core.recall.gate.rules import Rules
from memex_core.recall.gate.state import NEUTRAL, State
from memex_core.recall.gate.tokens import fingerprint, looked_at, overlap, weight, words

if TYPE_CHECKING:
    from memex_core.recall.gate.matcher import Matched, Matcher


class Fired(NamedTuple):
    """A rule that fired; ``source`` is ``built-in`` or ``user``."""

    id: str
    intent: str
    source: str


class Decision(NamedTuple):
    """What to do with a prompt and why.

    ``triggers`` are all reasons to retrieve that held, ``reason`` the one that decided. ``tokens`` tell the
    topic, and ``size`` is how many words they amount to; ``substantive``: the prompt says something.
    ``quarantined``: own rules set aside, ``overran`` the one that was set aside just now; ``unavailable``:
    why own rules could not run. ``cut``: only the beginning and the end of the prompt were looked at.
    """

    action: str
    reason: str
    triggers: tuple[str, ...] = ()
    fired: tuple[Fired, ...] = ()
    tokens: tuple[str, ...] = ()
    substantive: bool = False
    elapsed_ms: float = 0.0
    quarantined: tuple[str, ...] = ()
    size: int = 0
    overlap: float = 0.0
    overran: str = ""
    unavailable: str = ""
    cut: bool = False


REASONS = {
    "empty": "there is nothing in it",
    "memory": "it asks for something remembered",
    "trace": "it asks for a reason, a time or a source",
    "resident_changed": "a page given earlier has changed or no longer counts here",
    "context_epoch_changed": "the agent's context began anew",
    "acknowledgement": "it only acknowledges",
    "continuation": "it only says to go on",
    "minor_correction": "it is a small correction of what was just done",
    "high_impact": "it decides or changes something large",
    "safety_refresh": "memory was not looked at for some prompts",
    "topic_drift": "the topic has changed",
    "uncovered": "nothing given before is about it",
    "coherent": "it goes on with the topic",
    "unsure": "the words do not tell; a word search will",
}
"""Reason -> what a person is told."""


def decide(
    prompt: str, rules: Rules, state: State = NEUTRAL, *, matcher: "Matcher | None" = None
) -> Decision:
    """The decision on a prompt of any length. Never raises, changes nothing.

    One exception: an own rule that uses up its time is set aside in ``rules/quarantine.json``. ``matcher``
    runs own rules; without one a process is started for this prompt, where there are any.
    """
    start = time.perf_counter()
    text, cut = looked_at(prompt)
    folded = text.casefold()
    fired = [Fired(rule.id, rule.intent, "built-in") for rule in rules.built_in if rule.fires(folded)]
    found = words(folded)
    kind, id = rules.lexicon.reads(found)
    if kind:
        fired.append(Fired(id, kind, "user" if ".user." in id else "built-in"))
    aside, overran, unavailable = rules.quarantined, "", ""
    if rules.patterns and text.strip():
        matched = _own(text, rules, matcher)
        intents = {pattern.id: pattern.intent for pattern in rules.patterns}
        fired += [Fired(one, intents[one], "user") for one in matched.ids]
        overran, unavailable = matched.culprit, matched.unavailable
        aside = [*aside, overran] if overran else aside
    tokens = fingerprint(found)
    seen = _Seen(bool(text.strip()), {one.intent for one in fired}, tokens, rules.thresholds, state)
    action, reason = seen.verdict()
    return Decision(
        action,
        reason,
        seen.triggers,
        tuple(fired),
        tokens,
        seen.substantive,
        (time.perf_counter() - start) * 1000,
        tuple(aside),
        seen.size,
        seen.overlap,
        overran,
        unavailable,
        cut,
    )


def _own(text: str, rules: Rules, matcher: "Matcher | None") -> "Matched":
    """Run the user's rules, and set aside the one that used up the time."""
    from memex_core.recall.gate import quarantine
    from memex_core.recall.gate.matcher import Expression, Matcher

    expressions = [Expression(one.id, one.source, one.re_flags) for one in rules.patterns]
    if matcher is not None:
        matched = matcher.match(expressions, text)
    else:
        with Matcher() as own:
            matched = own.match(expressions, text)
    if matched.culprit and rules.layout is not None:
        hash = next(one.hash for one in rules.patterns if one.id == matched.culprit)
        quarantine.put(rules.layout, matched.culprit, hash, matched.elapsed_ms, len(text))
    return matched


class _Seen:
    """A prompt measured against thresholds and session."""

    def __init__(
        self,
        any_text: bool,
        intents: set[str],
        tokens: tuple[str, ...],
        thresholds: dict[str, float],
        state: State,
    ) -> None:
        self.any_text = any_text
        self.intents = intents
        self.tokens = tokens
        self.limits = thresholds
        self.state = state
        self.size = weight(tokens)
        self.overlap = overlap(tokens, state.topic)
        self.brief = bool(intents & {"ack", "continue"})
        asks = bool(intents & {"memory", "trace", "impact"})
        self.substantive = any_text and (
            asks or (not self.brief and self.size >= thresholds["substantive_min_tokens"])
        )
        self.triggers = tuple(self._triggers()) if any_text else ()

    def verdict(self) -> tuple[str, str]:
        """``(action, reason)``."""
        if not self.any_text:
            return "skip", "empty"
        at_once = [one for one in self.triggers if one in _AT_ONCE]
        if at_once:
            return "retrieve", at_once[0]
        if self.brief and self.size <= self.limits["ack_max_tokens"]:
            return "skip", "continuation" if "continue" in self.intents else "acknowledgement"
        if (
            not self.substantive
            and "correction" in self.intents
            and self.size <= self.limits["correction_max_tokens"]
        ):
            return "skip", "minor_correction"
        if self.triggers:
            return "retrieve", self.triggers[0]
        enough = "coherent_overlap" if self.substantive else "coherent_short_overlap"
        if self.overlap >= self.limits[enough]:
            return "skip", "coherent"
        return "ambiguous", "unsure"

    def _triggers(self) -> list[str]:
        """All reasons to retrieve, in their order."""
        state, limits = self.state, self.limits
        found: list[str] = [one for one in ("memory", "trace") if one in self.intents]
        if state.corrections:
            found.append("resident_changed")
        if state.epoch_changed:
            found.append("context_epoch_changed")
        if "impact" in self.intents:
            found.append("high_impact")
        if self.substantive and state.since_retrieval >= limits["refresh_after"]:
            found.append("safety_refresh")
        if state.topic and self.size >= limits["drift_min_tokens"] and self.overlap < limits["drift_overlap"]:
            found.append("topic_drift")
        if self.size >= limits["coverage_min_tokens"] and not self._covered():
            found.append("uncovered")
        return found

    def _covered(self) -> bool:
        """Whether a page that was given has one of the tokens in its title."""
        wanted = frozenset(self.tokens)
        for title in self.state.resident[-200:]:
            if wanted.intersection(fingerprint(words(title[:500].casefold()))):
                return True
        return False


_AT_ONCE = ("memory", "trace", "resident_changed", "context_epoch_changed")
