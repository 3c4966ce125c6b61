"""The numbers of the gate, which the user's rules may change."""

from __future__ import annotations

DEFAULTS: dict[str, float] = {
    "ack_max_tokens": 4,
    "correction_max_tokens": 6,
    "substantive_min_tokens": 5,
    "refresh_after": 6,
    "drift_min_tokens": 5,
    "drift_overlap": 0.12,
    "coverage_min_tokens": 8,
    "coherent_overlap": 0.35,
    "coherent_short_overlap": 0.30,
}
"""Name -> value. Overlaps are shares (Jaccard) of the prompt's tokens and the topic's."""

HELP = {
    "ack_max_tokens": "tokens up to which an acknowledgement is skipped",
    "correction_max_tokens": "tokens up to which a small correction is skipped",
    "substantive_min_tokens": "tokens from which a prompt counts as saying something",
    "refresh_after": "prompts that say something after which memory is looked at anyway",
    "drift_min_tokens": "tokens from which a change of topic is noticed",
    "drift_overlap": "overlap with the topic below which it has changed",
    "coverage_min_tokens": "tokens from which a prompt about nothing that was given before retrieves",
    "coherent_overlap": "overlap with the topic from which a prompt is skipped",
    "coherent_short_overlap": "the same for a prompt that says little",
}


def why_wrong(name: str, value: object) -> str:
    """What is wrong with a value for a threshold; empty: nothing."""
    if name not in DEFAULTS:
        return f"{name!r} is no threshold"
    whole = isinstance(DEFAULTS[name], int)
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (whole and isinstance(value, float) and not value.is_integer())
    ):
        return f"{name} must be a {'whole ' if whole else ''}number"
    high = 1000 if whole else 1
    return "" if 0 <= value <= high else f"{name} must lie between 0 and {high}"
