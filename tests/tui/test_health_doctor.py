"""What the Health area says beside the pages' own findings, and what its numbers do about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memex_core.memex import Memex
from memex_tui.app import MemexApp
from memex_tui.screens.health import doctoring
from memex_tui.screens.health.presenter import Finding, Seen, fixes
from memex_tui.screens.health.screen import HealthScreen
from tests.tui.frames import NARROW, WIDE, check_frame, press, running, settle, text_frame, until

CHECKS = [
    {"name": "disk", "level": "ok", "detail": "9 GB free", "files": [], "fix": ""},
    {"name": "agents", "level": "warn", "detail": "none is connected", "files": [], "fix": "memex install"},
    {
        "name": "rules",
        "level": "fail",
        "detail": "gate.toml is not applied",
        "files": [{"file": "gate.toml", "line": 3, "message": "no such key"}],
        "fix": "memex gate validate",
    },
]
examine = doctoring.examine  # before the fixture of this folder takes it away


def test_findings_of_the_doctor() -> None:
    group = doctoring.of_doctor(CHECKS)
    assert (group.ok, group.error) == (False, True)
    assert [(one.file, one.line, one.message, one.advice) for one in group.findings] == [
        ("agents", 0, "none is connected", "memex install"),
        ("rules", 0, "gate.toml is not applied", "memex gate validate"),
        ("gate.toml", 3, "rules: no such key", "memex gate validate"),
    ]
    assert doctoring.of_doctor(CHECKS[:1]).ok


def test_findings_of_other_devices() -> None:
    told = {
        "problems": [{"file": "/mnt/b.zip", "reason": "is cut off"}],
        "devices": [{"label": "laptop", "new": True}, {"label": "phone", "new": False}],
        "unexported": True,
        "label": "desk",
    }
    group = doctoring.of_sync(told)
    assert group.error
    assert [(one.file, one.advice) for one in group.findings] == [
        ("/mnt/b.zip", "memex sync status"),
        ("laptop", "memex sync import"),
        ("desk", "memex sync export"),
    ]


@pytest.mark.parametrize(
    ("check", "file", "kinds"),
    [
        ("doctor", "leftovers", ["clear", "copy-text", "again"]),
        ("doctor", "index", ["rebuild", "copy-text", "again"]),
        ("doctor", "settings", ["settings", "copy-text", "again"]),
        ("doctor", "clock", ["copy-text", "again"]),
        ("sync", "laptop", ["copy-text", "again"]),
        ("journal-whole", "journal.jsonl", ["copy-text", "copy-text", "again"]),
    ],
)
def test_every_finding_has_a_fix(check: str, file: str, kinds: list[str]) -> None:
    finding = Finding(check, file, 0, 0, "…", advice="memex something")
    assert [one.kind for one in fixes(finding, Seen(), 1)] == kinds
    assert [one.kind for one in fixes(finding._replace(advice=""), Seen(), 1)][-1] == "again"


def test_fixes_of_pages_say_what_they_write() -> None:
    seen = Seen(is_page=True, proposal="Probes of the service.")
    found = fixes(Finding("okf", "a.md", 1, 0, "description is missing"), seen, 1)
    assert [(one.kind, one.label) for one in found] == [
        ("describe", "Describe it: Probes of the service."),
        ("open", "Open the page at line 1"),
        ("edit", "Edit the page at line 1"),
    ]
    assert fixes(Finding("sources-hold", "a.md", 4, 0, "…"), Seen(is_page=True), 1)[0].kind == "sources"


def test_a_real_store_is_looked_at(root: Path) -> None:
    with Memex(root, create=True) as memex:
        memex.write("entity", "Health checks", "Probes of the service.\n")
        (root / "docs" / "entities" / ".health.md.memex-tmp").write_text("")
        names = {group.name: group for group in examine(memex, False)}
        assert set(names) == {"doctor", "okf"}
        assert [one.message for one in names["okf"].findings] == ["description is missing"]
        assert "mcp" not in {one.file for one in names["doctor"].findings}


# -- in the app -------------------------------------------------------------------------------------


def real_okf(memex: Memex, thorough: bool) -> list[Any]:
    """The doctor's answer of a machine like no other, and this store's own bundle."""
    return [doctoring.of_doctor(CHECKS), doctoring.of_okf(memex.okf_check()["findings"])]


async def ready(pilot: Pilot[Any]) -> HealthScreen:
    """Wait until both checks are done and the row under the cursor was looked at."""
    screen = pilot.app.screen
    assert isinstance(screen, HealthScreen)
    await until(pilot, lambda: screen._job is None and screen._others != ())
    await settle(pilot)
    timer = screen._row_timer
    await until(pilot, lambda: timer is None or timer._task is None or timer._task.done())
    await settle(pilot)
    return screen


def app_on(root: Path) -> MemexApp:
    return MemexApp(str(root), area="health", keep_state=False, watch=False)


def on(screen: HealthScreen, check: str, file: str) -> None:
    """Put the cursor on a finding."""
    keys = [row.key for row in screen._listed if row.finding is not None and row.finding.file == file]
    screen.findings.move_to_key(next(key for key in keys if key.startswith(check)))


@pytest.fixture
def described(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(doctoring, "examine", real_okf)
    with Memex(root, create=True) as memex:
        memex.write("entity", "Health checks", "Probes of the service.\n")
    return root


async def test_a_page_is_described_and_it_is_taken_back(described: Path) -> None:
    app = app_on(described)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        screen._folded.clear()
        screen._list()
        on(screen, "okf", "entities/health-checks.md")
        await ready(pilot)
        await until(pilot, lambda: bool(screen._fixes) and screen._fixes[0].kind == "describe")
        await press(pilot, ["1", "1"])
        file = described / "docs/entities/health-checks.md"
        await until(pilot, lambda: "description: Probes of the service." in file.read_text())
        await press(pilot, ["u"])
        await until(pilot, lambda: "description" not in file.read_text())


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_as_it_looks(described: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    import re

    from memex_tui.screens.health import presenter

    monkeypatch.setattr(presenter, "facts", lambda *given: [("pages", "1", "text")])
    app = app_on(described)
    async with running(app, size) as pilot:
        screen = await ready(pilot)
        on(screen, "doctor", "rules")
        await ready(pilot)
        shown = re.sub(r"\d\d:\d\d · \d+\.\d s", "09:00 · 0.1 s", text_frame(app))
        check_frame(f"health/doctor-{size[0]}x{size[1]}", shown)
