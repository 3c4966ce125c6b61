"""The gate in Settings: a prompt tried letter by letter, rules switched off and on, damaged rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memex_core import Memex
from memex_core.recall.gate import matcher
from memex_tui.app import MemexApp
from memex_tui.screens.settings import gate
from memex_tui.screens.settings.screen import SettingsScreen
from tests.tui.frames import NARROW, WIDE, check_frame, frame, press, running, settle, text_frame, until

RULES = """\
[rules]
disable = ["memory.en.again"]

[thresholds]
ack_max_tokens = 3

[[pattern]]
intent = "memory"
source = "runbook"
flags = "i"
note = "how we do things"
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(matcher, "PATIENCE", 300.0)
    at = tmp_path / "store"
    with Memex(at, create=True) as memex:
        memex.write(type="entity", title="Ada", body="x")
    (at / "rules").mkdir()
    (at / "rules" / "gate.toml").write_text(RULES)
    return at


def app_on(root: Path) -> MemexApp:
    return MemexApp(str(root), area="settings", keep_state=False, watch=False)


async def at_gate(pilot: Pilot[Any]) -> SettingsScreen:
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, SettingsScreen)
    screen.sections.move_to_key("gate")
    await until(pilot, lambda: bool(screen.gate_rows()))
    await settle(pilot)
    return screen


async def typed(pilot: Pilot[Any], screen: SettingsScreen, prompt: str) -> None:
    """Type a prompt, and wait for the gate's answer to all of it."""
    await press(pilot, ["t"])
    screen.query_one("#try", Input).value = prompt
    await until(pilot, lambda: (screen._gate_tried or {}).get("prompt") == prompt)
    await settle(pilot)


def values(screen: SettingsScreen) -> dict[str, str]:
    return {row.id: row.value for row in screen.gate_rows() if row.id}


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_gate_as_it_looks(root: Path, size: tuple[int, int]) -> None:
    async with running(app_on(root), size) as pilot:
        screen = await at_gate(pilot)
        check_frame(f"settings/gate-{size[0]}x{size[1]}", text_frame(pilot.app))
        await typed(pilot, screen, "Open the runbook")
        check_frame(f"settings/gate-tried-{size[0]}x{size[1]}", text_frame(pilot.app))


async def test_what_is_typed_is_judged_with_and_without_own_rules(root: Path) -> None:
    async with running(app_on(root)) as pilot:
        screen = await at_gate(pilot)
        assert "gate.own" not in values(screen)
        await typed(pilot, screen, "Open the runbook")
        found = values(screen)
        assert found["gate.own"] == "retrieve: it asks for something remembered"
        assert found["gate.builtin"] == "ambiguous"
        assert found["gate.tokens"] == "2  open runbook"
        await typed(pilot, screen, "thanks")
        found = values(screen)
        assert (found["gate.own"], found["gate.builtin"]) == ("skip: it only acknowledges", "the same")
        assert [row.id for row in screen.gate_rows()[:6]][-1] == "gate.rule.ack.en.words"
        assert screen.settings.key == "gate.own"
        await press(pilot, ["escape"])
        assert screen.focused is screen.settings


async def test_letters_are_judged_as_they_come(root: Path) -> None:
    async with running(app_on(root)) as pilot:
        screen = await at_gate(pilot)
        await press(pilot, ["t", *"ok"])
        await until(pilot, lambda: values(screen).get("gate.own", "").startswith("skip"))
        assert screen.query_one("#try", Input).value == "ok"
        await press(pilot, ["backspace", "backspace"])
        await until(pilot, lambda: "gate.own" not in values(screen))


async def test_a_rule_is_switched_off_and_on(root: Path) -> None:
    file = root / "rules" / "gate.toml"
    async with running(app_on(root)) as pilot:
        screen = await at_gate(pilot)
        screen.settings.focus()
        for id, state in (("memory.en.again", "on"), ("memory.en.remind", "off"), ("memory.en.remind", "on")):
            assert screen.settings.move_to_key(f"gate.rule.{id}")
            await press(pilot, ["enter"])
            await until(pilot, lambda: values(screen)[f"gate.rule.{id}"] == f"memory · {state}")  # noqa: B023
            await settle(pilot)
        assert file.read_text() == RULES.replace('"memory.en.again"', "")
        assert not pilot.app._notifications


async def test_damaged_rules_are_told_and_the_built_in_ones_judge(root: Path) -> None:
    (root / "rules" / "gate.toml").write_text("[rules\n[/red]")
    async with running(app_on(root)) as pilot:
        screen = await at_gate(pilot)
        first = screen.gate_rows()[0]
        assert (first.name, "line 1" in first.value) == ("Not applied", True)
        await typed(pilot, screen, "Open the [/runbook] again")
        assert values(screen)["gate.builtin"] == "the same"
        assert any("Not applied" in line for line in frame(pilot.app))


async def test_another_section_has_no_field_for_prompts(root: Path) -> None:
    async with running(app_on(root)) as pilot:
        screen = await at_gate(pilot)
        assert screen.query_one("#try").display
        screen.sections.move_to_key("look")
        await settle(pilot)
        assert not screen.query_one("#try").display
        assert "settings.gate" not in screen.contexts()


def test_rows_without_an_answer() -> None:
    assert gate.rows(None, None) == []


def test_words_of_own_lists_are_told(root: Path) -> None:
    (root / "rules" / "gate.toml").write_text('[words]\nack = ["roger"]\n')
    with Memex(root) as memex:
        found = gate.rows(memex.gate_test("roger", compare_builtin=True), memex.gate_show())
    row = next(one for one in found if one.id == "gate.ack.user.words")
    assert (row.value, row.origin, row.kind) == ("own words", "rules/gate.toml", "")
    assert next(one for one in found if one.id == "gate.builtin").value == "ambiguous"
