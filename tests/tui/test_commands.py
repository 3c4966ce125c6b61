"""The registry: every command is whole, can be done, and has keys that arrive."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memex_tui.app import MemexApp
from memex_tui.areas import AREAS, BY_ID
from memex_tui.commands import Command, every_command, key_table, place_name
from memex_tui.keys import PRESETS, UNSAFE, Keymap, key_of
from memex_tui.screens.base import AreaScreen

COMMANDS = every_command()
BY_NAME = {command.id: command for command in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_every_command_is_described(command: Command) -> None:
    assert re.fullmatch(r"[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*)+", command.id)
    assert command.title and command.title == command.title.strip()
    assert len(command.title) <= 40
    assert command.help.endswith(".") and len(command.help) > 8
    assert command.group


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_every_command_can_be_done(command: Command, tmp_path: Path) -> None:
    area = command.where.partition(".")[0]
    owners: list[type] = [MemexApp, AreaScreen]
    if area in BY_ID:
        module = __import__(f"memex_tui.screens.{area}.screen", fromlist=["screen"])
        owners.append(getattr(module, BY_ID[area].screen))
    else:
        assert area in ("global", "pane", "item", "tour")
    assert any(callable(getattr(owner, command.handler, None)) for owner in owners), command.handler


def test_ids_are_unique() -> None:
    ids = [command.id for command in COMMANDS]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_uses_keys_that_do_not_arrive(preset: str) -> None:
    used = {key for command in COMMANDS for keys in command.keys_in(preset) for key in keys.split()}
    assert not used & set(UNSAFE)
    assert not {key for key in used if key.startswith("ctrl+") and key[5:] in "mihj["}
    assert not {key for key in used if key in ("ctrl+@", "ctrl+left_square_bracket", "ctrl+shift+enter")}


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_has_two_commands_on_one_key(preset: str) -> None:
    assert Keymap(COMMANDS, preset).clashes() == []


@pytest.mark.parametrize("preset", PRESETS)
def test_every_key_is_spelt_as_events_are(preset: str) -> None:
    for command in COMMANDS:
        for keys in command.keys_in(preset):
            for key in keys.split():
                assert key_of(key, key if len(key) == 1 else None) == key


@pytest.mark.parametrize("preset", PRESETS)
def test_the_app_can_be_left_and_explained_in_every_preset(preset: str) -> None:
    keymap = Keymap(COMMANDS, preset)
    for id in ("app.quit", "app.help", "app.palette", "go.pages", "go.back"):
        assert any(len(keys.split()[0]) > 1 for keys in keymap.keys(id)), f"{id} has no key in a text field"


def test_every_area_has_a_way_to_it() -> None:
    for number, area in enumerate(AREAS, 1):
        assert f"alt+{number}" in BY_NAME[f"go.{area.id}"].keys


def test_the_key_table_names_every_command_with_a_key() -> None:
    table = key_table()
    assert table.startswith("| where | key |")
    for command in COMMANDS:
        if command.keys or command.menu:
            assert f"| {command.title} |" in table
    assert all(line.count("|") - line.count("\\|") == 5 for line in table.splitlines())


def test_contexts_have_names() -> None:
    assert place_name("global") == "everywhere"
    assert place_name("search.input") == "Search, input"
    assert place_name("page") == "Page"
