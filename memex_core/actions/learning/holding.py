"""What keeps every conversation waiting: a setting that is wrong, or one that the model has refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memex_core.learn.chat import Model, ModelFailed
from memex_core.learn.extract_rules import Text, check, load
from memex_core.learn.failures import told

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.learn.job_state import Learning

Hold = dict[str, str]
"""``{code, cause, impact, next, message, since}``; ``since`` is empty for what is wrong at this moment."""


def by_settings(store: Store, model: Model) -> Hold | None:
    """What in the settings or in the user's rules makes asking pointless."""
    try:
        model.check()
    except ModelFailed as error:
        return _hold(error.code, error.message)
    cap = next((line for line in store.config.warnings if "[consolidation] max_calls" in line), "")
    if cap:  # whoever meant to allow fewer calls than usual must not get more
        return _hold("bad-settings", cap)
    reason = rules_fail(store)
    return _hold("rules-invalid", reason) if reason else None


def by_refusal(learning: Learning, model: Model) -> Hold | None:
    """What these very settings were refused for before. Another choice has not been refused yet."""
    held = learning.holds(model.fingerprint())
    return _hold(held["code"], str(held.get("message") or ""), str(held.get("since") or "")) if held else None


def rules_fail(store: Store) -> str:
    """Why the user's rules of what is never kept cannot be tried; empty when they can."""
    return check([Text("text", "a")], load(store.layout)).held


def _hold(code: str, message: str, since: str = "") -> Hold:
    return {**told(code), "message": message, "since": since}
