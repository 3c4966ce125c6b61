"""The models that learn, and their jobs, without a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memex_tui.screens.settings.presenter import Setting, heading
from memex_tui.screens.settings.wording import TITLES

MODELS, JOBS = SECTIONS = "models", "jobs"
_AGAIN = ("failed", "held", "retrying")


def models(told: Mapping[str, Any] | None) -> list[Setting]:
    """The model that consolidates, as ``models_show`` tells of it, and how to try it."""
    if told is None:
        return []
    held, calls = told["held"], told["calls"]
    ready = "ready" if told["ready"] else str(held["message"])
    help = "" if told["ready"] else f"{held.get('impact', '')} {held.get('next', '')}".strip()
    found = [
        heading("What consolidates", MODELS),
        Setting("model.name", "In use", told["name"] or "none", "", "Conversations become pages by it."),
        Setting("model.ready", "State", ready, "", help, own=not told["ready"]),
    ]
    for one in told["settings"]:
        value = str(one["value"]) if one["value"] not in ("", 0) else "not set"
        name = TITLES.get(f"llm.{one['name']}", one["name"])
        found.append(Setting(f"model.{one['name']}", name, value, one["origin"], _FROM))
    used = f"{calls['day']:,} of {calls['max_per_day']:,}"
    found.append(Setting("model.calls", "Calls in 24 hours", used, "", _CALLS))
    found.append(Setting("model.test", "Try it", "one call", "", _TEST, kind="test"))
    return [row._replace(section=MODELS) for row in found]


_FROM = "In force now, and where it is from; it is changed below."
_CALLS = "consolidation.max_calls_per_day is the limit of all runs together."
_TEST = "Asks the model for one word: exactly one call, which its provider may charge."


def jobs(told: Mapping[str, Any] | None) -> list[Setting]:
    """The conversations that wait, failed or are done, as ``jobs_list`` tells of them."""
    if told is None:
        return []
    counts = told["counts"]
    said = " · ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "none"
    found = [Setting("job.all", "Jobs", said, "", "A job is the unread part of a conversation.")]
    if told["held"]:
        held = told["held"]
        help = f"{held.get('impact', '')} {held.get('next', '')}".strip()
        found.append(Setting("job.held", "Held", str(held["message"]), "", help, own=True))
    for name in counts:
        those = [job for job in told["jobs"] if job["state"] == name]
        if those:
            found.append(heading(name.capitalize(), JOBS))
            found += [_job(job) for job in those]
    return [row._replace(section=JOBS) for row in found]


def _job(job: Mapping[str, Any]) -> Setting:
    turns = f"turns {job['first']} to {job['last']}" if job["turns"] > 1 else f"turn {job['first']}"
    parts = [job["message"], job["cause"], job["impact"], job["next"]]
    said = " ".join(f"{part.rstrip('.')}." for part in parts if part)
    help = said or f"`memex jobs show {job['id']}` tells more."
    kind = "job" if job["state"] in _AGAIN else ""
    value = f"{turns} · {job['message']}" if job["message"] else turns
    return Setting(f"job.{job['id']}", job["title"], value, job["at"][:16].replace("T", " "), help, kind)


def tested(result: Mapping[str, Any]) -> str:
    """What a try of the model gave, in a sentence."""
    if result["ok"]:
        return f"{result['name']} answers in {result['ms']:,} ms: {result['answer']}"
    return " ".join(f"{part.rstrip('.')}." for part in (result["message"], result["next"]) if part)
