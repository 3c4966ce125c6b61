"""What waits for a model or for a person: unread conversations, jobs that failed, and what holds machines.

Told from the counts of meta files and the journal, so that ``memex status`` reads no transcript through.
``memex jobs list`` looks closer: there an exchange that still goes on is not counted.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.files import transcripts
from memex_core.files.journal import Journal
from memex_core.learn import extract_rules, marks
from memex_core.learn.chat import Model, ModelFailed
from memex_core.learn.failures import told
from memex_core.learn.job_state import Learning, path_of
from memex_core.recall.gate import quarantine
from memex_core.recall.gate.rules import load as load_gate

if TYPE_CHECKING:
    from memex_core.files.config import Config
    from memex_core.files.layout import Layout
    from memex_core.model.results import SessionSummary
    from memex_core.recall.gate.overlay import Problem

READER = "model"
"""Whose marks in the journal say what was read."""

_LOOKED_INTO = 30  # conversations that went on since they were read, of which the new turns are looked at


class Fault(NamedTuple):
    """What is wrong with a rules file: what that does, the next command, and the lines."""

    detail: str
    next: str
    problems: tuple[Problem, ...] = ()


class Backlog(NamedTuple):
    """Of conversations: ``unread`` ones, with ``failed`` and ``retrying`` jobs, and ``held``: ``{code,
    message, cause, next}`` of what keeps all of them waiting, or None."""

    unread: int
    failed: int
    retrying: int
    held: dict[str, str] | None

    @property
    def choosing(self) -> bool:
        """Whether nobody has named a model yet: that is no fault."""
        return self.held is not None and self.held["code"] == "no-model"


def backlog(layout: Layout, config: Config, stored: Sequence[SessionSummary]) -> Backlog:
    """What waits of the ``stored`` conversations."""
    learning = Learning(layout)
    there = {one["session_id"] for one in stored}
    tries = [int(job["attempts"]) for job in learning.jobs.values() if job.get("session") in there]
    most = config.consolidation.max_attempts
    failed = sum(tried >= most for tried in tries)
    retrying = sum(0 < tried < most for tried in tries)
    holds = held(layout, config, learning)
    begun = bool(stored) and (os.path.exists(path_of(layout)) or holds is None or holds["code"] != "no-model")
    known = marks.newest(Journal(layout), READER) if begun else {}  # the journal is long, and has none yet
    return Backlog(
        _unread(layout, stored, known, config.consolidation.settle_minutes), failed, retrying, holds
    )


def _unread(
    layout: Layout, stored: Sequence[SessionSummary], known: dict[str, marks.Mark], quiet: int
) -> int:
    longer = []
    count = 0
    for one in stored:
        mark = known.get(one["session_id"])
        if mark is None:
            count += bool(one["turn_count"])
        elif one["turn_count"] > mark.last:
            longer.append((one["session_id"], mark))
    for session, mark in longer[:_LOOKED_INTO]:
        meta = transcripts.read_meta(layout, session)
        count += bool(marks.fresh(layout, session, meta, mark, quiet=quiet))
    return count + len(longer[_LOOKED_INTO:])


def held(layout: Layout, config: Config, learning: Learning) -> dict[str, str] | None:
    """What no model is asked for: a setting, a rules file, or what these very settings were refused for."""
    model = Model.of(config)
    try:
        model.check()
    except ModelFailed as error:
        return {**told(error.code), "message": error.message}
    cap = next((line for line in config.warnings if "[consolidation] max_calls" in line), "")
    if cap:
        return {**told("bad-settings"), "message": cap}
    fault = extraction_fault(layout, everywhere=True)
    if fault is not None:
        return {**told("rules-invalid"), "message": fault.detail}
    refused = learning.holds(model.fingerprint())
    return {**told(refused["code"]), "message": str(refused.get("message") or "")} if refused else None


def extraction_fault(layout: Layout, *, everywhere: bool = False) -> Fault | None:
    """Why no machine may store anything, if so: in some project, or ``everywhere``."""
    rules = extract_rules.load(layout)
    if rules.problems:
        detail = "extract.toml does not load, so no machine stores anything"
        return Fault(detail, "memex rules validate", rules.problems)
    aside = {row["hash"] for row in quarantine.read(layout, "extract")}
    bans = [one for one in rules.entries if one.kind == "never" and not (everywhere and one.project)]
    slow = next((ban for ban in bans if ban.hash in aside), None)
    if slow is not None:
        where = f" in {slow.project}" if slow.project else ""
        detail = f"{slow.id} took too long, so no machine stores anything{where}"
        return Fault(detail, "memex rules quarantine")
    return None


def gate_fault(layout: Layout) -> Fault | None:
    """Why the person's own rules of the gate are not in force, if so."""
    rules = load_gate(layout)
    if rules.problems:
        return Fault("gate.toml is not applied", "memex gate validate", rules.problems)
    if rules.quarantined:
        detail = f"{rules.quarantined[0]} of gate.toml took too long, so no prompt is judged by it"
        return Fault(detail, "memex gate quarantine")
    return None


def attention(counts: dict[str, int], waits: Backlog, layout: Layout) -> list[dict[str, str]]:
    """``{message, next}`` of all that waits for the person; ``counts`` are of ``draft`` and ``disputed``."""
    from memex_core.care.doctor import count

    found = []
    if counts["draft"]:
        found.append((f"{count(counts['draft'], 'draft')} to review", "memex review"))
    if counts["disputed"]:
        found.append((f"{count(counts['disputed'], 'page')} in dispute", "memex review"))
    if waits.failed:
        verb = "have" if waits.failed > 1 else "has"
        found.append((f"{count(waits.failed, 'job')} {verb} failed", "memex jobs list --state failed"))
    if waits.held is not None and not waits.choosing and waits.held["code"] != "rules-invalid":
        found.append((f"held: {waits.held['message'] or waits.held['cause']}", waits.held["next"]))
    for fault in (extraction_fault(layout), gate_fault(layout)):
        if fault is not None:
            found.append((fault.detail, fault.next))
    return [{"message": message, "next": step} for message, step in found]
