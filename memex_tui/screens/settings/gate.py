"""The recall gate in the Settings area, without a terminal: a prompt tried on it, and its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memex_tui.screens.settings.presenter import Setting, heading

FILE = "rules/gate.toml"
SECTION = "gate"
_MEANS = {
    "retrieve": "Memory is looked at, and what fits goes to the agent.",
    "skip": "Nothing is looked up.",
    "ambiguous": "A word search decides: only what is clearly about it goes to the agent.",
}


def rows(told: Mapping[str, Any] | None, shown: Mapping[str, Any] | None) -> list[Setting]:
    """The tried prompt's decision (``told``, of ``gate_test``), then the rules (``shown``)."""
    if shown is None:
        return []
    found: list[Setting] = []
    for number, problem in enumerate(shown["problems"]):
        help = f"{problem}. Until it is corrected only built-in rules are in force."
        found.append(_row(f"problem.{number}", "Not applied", problem, FILE, help, own=True))
    if told is not None and told["chars"]:
        found += _decision(told)
    rules = {row["id"]: row for row in shown["rules"]}
    fired = [one["id"] for intent in told["intents"] for one in intent["rules"]] if told else []
    if fired:
        found.append(heading("Rules that fire", SECTION))
        found += [_rule(rules[id]) for id in dict.fromkeys(fired) if id in rules]
        found += [
            _row(id, id, "own words", FILE, "Words of your own lists.", own=True)
            for id in fired
            if id not in rules
        ]
    told_of = set(fired)
    own = [row for row in shown["rules"] if row["id"] not in told_of and _is_own(row)]
    if own:
        found += [heading("Your rules", SECTION), *map(_rule, own)]
    found.append(heading("Thresholds", SECTION))
    found += [_threshold(row) for row in shown["thresholds"]]
    rest = [row for row in shown["rules"] if row["id"] not in told_of and not _is_own(row)]
    found += [heading("Built-in rules", SECTION), *map(_rule, rest)]
    return found


def _decision(told: Mapping[str, Any]) -> list[Setting]:
    plain = told["built_in"]
    found = [
        heading("This prompt", SECTION),
        _row("own", "With your rules", f"{told['action']}: {told['why']}", "", _reasons(told), own=True),
    ]
    if told["differs"]:
        help = f"{_MEANS[plain['action']]} Changed by {', '.join(told['changed_by'])}."
        found.append(
            _row("builtin", "Without them", plain["action"], plain["reason"].replace("_", " "), help)
        )
    else:
        found.append(_row("builtin", "Without them", "the same", "", _MEANS[plain["action"]]))
    said = "says something" if told["substantive"] else "says little"
    text = f"{told['token_count']}  {' '.join(told['tokens'])}".strip()
    help = "The words that tell its topic; two pairs of Chinese characters weigh as much as a word."
    found.append(_row("tokens", "Words", text, said, help))
    if told["overran"]:
        found.append(
            _row("overran", "Set aside", told["overran"], "took too long", "Change the rule to release it.")
        )
    if told["unavailable"]:
        found.append(_row("unavailable", "Own rules", "did not run", "", told["unavailable"]))
    return found


def _reasons(told: Mapping[str, Any]) -> str:
    others = [one.replace("_", " ") for one in told["triggers"] if one != told["reason"]]
    return _MEANS[told["action"]] + (f" Also: {', '.join(others)}." if others else "")


def _is_own(row: Mapping[str, Any]) -> bool:
    return row["source"] == "user" or row["state"] != "on"


def _rule(row: Mapping[str, Any]) -> Setting:
    own = row["source"] == "user"
    note = f"{row['note']}: " if row.get("note") else ""
    return Setting(
        f"gate.rule.{row['id']}",
        row["id"],
        f"{row['intent']} · {row['state']}",
        FILE if own else "built-in",
        f"{note}{row['pattern']}",
        "rule",
        own or row["state"] != "on",
        SECTION,
    )


def _threshold(row: Mapping[str, Any]) -> Setting:
    own = row["origin"] == "user"
    name = row["name"].replace("_", " ")
    help = f"{row['help'][:1].upper()}{row['help'][1:]}.  (memex gate set {row['name']} …)"
    return _row(
        f"threshold.{row['name']}", name, f"{row['value']:g}", FILE if own else "built-in", help, own=own
    )


def _row(id: str, name: str, value: str, origin: str, help: str, *, own: bool = False) -> Setting:
    return Setting(f"gate.{id}", name, value, origin, help, "", own, SECTION)


def rule_of(setting: Setting) -> tuple[str, bool]:
    """The id of a rule's row, and whether it is switched off."""
    return setting.id.removeprefix("gate.rule."), setting.value.endswith("· off")
