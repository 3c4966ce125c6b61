"""What is looked at beside the pages: store and machine, other devices, the bundle for others."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from memex_core.care.doctor import doctor
from memex_core.memex import Memex
from memex_tui.screens.health.presenter import Finding, Group


def examine(memex: Memex, thorough: bool) -> list[Group]:
    """The groups of findings. ``thorough`` also starts the server as an agent would."""
    store = memex.store
    checks = doctor(store.layout, os.environ, store.cwd or os.getcwd(), quick=not thorough)["checks"]
    found = [of_doctor(checks)]
    told = memex.sync_status()
    if told["enabled"]:
        found.append(of_sync(told))
    if not store.layout.folder:
        found.append(of_okf(memex.okf_check()["findings"]))
    return found


def of_doctor(checks: Sequence[Mapping[str, Any]]) -> Group:
    """A finding for each check that does not hold, or for each file that it names."""
    findings = []
    for one in checks:
        if one["level"] == "ok":
            continue
        findings.append(Finding("doctor", one["name"], 0, 0, one["detail"], advice=one["fix"]))
        for file in one["files"]:
            message = f"{one['name']}: {file['message']}"
            findings.append(Finding("doctor", file["file"], file["line"], 0, message, advice=one["fix"]))
    failed = any(one["level"] == "fail" for one in checks)
    return Group("doctor", not findings, failed, tuple(findings))


def of_sync(told: Mapping[str, Any]) -> Group:
    """What other devices wrote and is not here, what cannot be read, what they were not told."""
    findings = [
        Finding("sync", one["file"], 0, 0, one["reason"], advice="memex sync status")
        for one in told["problems"]
    ]
    findings += [
        Finding("sync", one["label"], 0, 0, "has told something new", advice="memex sync import")
        for one in told["devices"]
        if one["new"]
    ]
    if told["unexported"]:
        said = "what changed here was not told to other devices"
        findings.append(Finding("sync", told["label"], 0, 0, said, advice="memex sync export"))
    return Group("sync", not findings, bool(told["problems"]), tuple(findings))


def of_okf(found: Sequence[Mapping[str, Any]]) -> Group:
    """What the check of the format says."""
    findings = tuple(Finding("okf", one["file"], one["line"], 0, one["message"]) for one in found)
    return Group("okf", not findings, any(one["level"] == "error" for one in found), findings)
