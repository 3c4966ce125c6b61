"""Keys: spelling, presets, overrides, contexts, sequences."""

from __future__ import annotations

import pytest

from memex_tui.commands import Command
from memex_tui.keys import KeyMachine, Keymap, key_of, shown, typeable

COMMANDS = (
    Command("go.top", "Top", "Goes up.", "Go", "pane", keys=("g g", "home")),
    Command("go.days", "Days", "Goes to days.", "Go", keys=("g d", "ctrl+d"), vim=("ctrl+y",)),
    Command("page.follow", "Follow", "Follows.", "Page", "page", keys=("g d",)),
    Command("app.quit", "Quit", "Ends.", "App", keys=("ctrl+q",), menu="q"),
    Command("page.make", "Make", "Makes.", "Page", "page", keys=("n",), emacs=("ctrl+x n", "n")),
)


@pytest.mark.parametrize(
    ("name", "character", "expected"),
    [
        ("question_mark", "?", "?"),
        ("G", "G", "G"),
        ("space", " ", "space"),
        ("ctrl+k", "\x0b", "ctrl+k"),
        ("alt+1", "1", "alt+1"),
        ("enter", "\r", "enter"),
        ("backspace", "\x7f", "backspace"),
        ("alt+full_stop", None, "alt+."),
        ("plus", "+", "+"),
        ("ö", "ö", "ö"),
        ("left_square_bracket", "[", "["),
    ],
)
def test_a_key_event_has_one_spelling(name: str, character: str | None, expected: str) -> None:
    assert key_of(name, character) == expected


def test_keys_are_shown_short() -> None:
    assert shown("ctrl+k") == "^k"
    assert shown("g d") == "gd"
    assert shown("space p") == "space p"
    assert shown("enter") == "⏎"
    assert shown("alt+1") == "alt+1"


def test_keys_that_type_or_edit_belong_to_a_text_field() -> None:
    assert all(typeable(key) for key in ("a", "?", "space", "backspace", "left", "ü"))
    assert not any(typeable(key) for key in ("enter", "escape", "ctrl+k", "tab", "down", "alt+n"))


def test_the_most_specific_context_decides() -> None:
    keymap = Keymap(COMMANDS)
    assert keymap.look_up(["g", "d"], ["page", "global"])[0] == COMMANDS[2]
    assert keymap.look_up(["g", "d"], ["global"])[0] == COMMANDS[1]
    assert keymap.look_up(["g"], ["page", "global"]) == (None, True)
    assert keymap.look_up(["x"], ["page", "global"]) == (None, False)


def test_presets_replace_keys_and_the_menu_works_in_all() -> None:
    assert Keymap(COMMANDS).keys("go.days") == ("g d", "ctrl+d")
    assert Keymap(COMMANDS, "vim").keys("go.days") == ("ctrl+y",)
    assert Keymap(COMMANDS, "emacs").keys("page.make") == ("ctrl+x n", "n")
    assert Keymap(COMMANDS, "unheard of").preset == "default"
    for preset in ("default", "vim", "emacs"):
        assert "space q" in Keymap(COMMANDS, preset).keys("app.quit")


def test_keys_are_bound_anew_by_id() -> None:
    keymap = Keymap(COMMANDS, overrides={"page.make": ["ctrl+n", "N"], "app.quit": "alt+q", "go.top": []})
    assert keymap.keys("page.make") == ("ctrl+n", "N")
    assert keymap.look_up(["alt+q"], ["global"])[0] == COMMANDS[3]
    assert keymap.look_up(["ctrl+q"], ["global"]) == (None, False)
    assert keymap.keys("go.top") == ()
    assert keymap.warnings == []


def test_what_cannot_be_bound_is_said() -> None:
    keymap = Keymap(COMMANDS, overrides={"no.such": "x", "page.make": 7, "app.quit": "ctrl+m"})
    assert len(keymap.warnings) == 3
    assert "no.such" in keymap.warnings[0]
    assert "page.make" in keymap.warnings[1]
    assert "enter" in keymap.warnings[2]
    assert keymap.keys("page.make") == ("n",)


def test_clashes_are_found() -> None:
    assert Keymap(COMMANDS).clashes() == []
    keymap = Keymap(COMMANDS, overrides={"page.make": "g d", "page.follow": "g d"})
    assert [(clash.where, clash.keys) for clash in keymap.clashes()] == [("page", "g d")]
    keymap = Keymap(COMMANDS, overrides={"page.make": "g", "page.follow": "g d"})
    assert [(clash.keys, clash.ids) for clash in keymap.clashes()] == [("g", ("page.make", "page.follow"))]


def test_keys_that_a_person_binds_are_taken_from_other_commands() -> None:
    keymap = Keymap(COMMANDS, overrides={"app.quit": "n", "go.top": "g d"})
    assert keymap.keys("page.make") == ()
    assert keymap.keys("page.follow") == () and keymap.keys("go.days") == ("ctrl+d",)
    assert keymap.look_up(["n"], ["page", "global"])[0] == COMMANDS[3]
    assert Keymap(COMMANDS, overrides={"page.make": "g"}).keys("go.top") == ("home",)


def test_ids_need_no_quotes_in_the_file() -> None:
    keymap = Keymap(COMMANDS, overrides={"page": {"make": "ctrl+n"}, "app": {"quit": ["Q"], "nope": "x"}})
    assert keymap.keys("page.make") == ("ctrl+n",)
    assert keymap.keys("app.quit") == ("Q",)
    assert keymap.warnings == ["[keys] app.nope: there is no such command"]


def test_what_may_follow_is_listed_in_order() -> None:
    following = Keymap(COMMANDS).continuations(["g"], ["page", "pane", "global"])
    assert [(key, command.id if command else None) for key, command in following] == [
        ("d", "page.follow"),
        ("g", "go.top"),
    ]
    nested = Keymap((Command("a", "A", "A.", "G", menu="y l"),)).continuations(["space"], ["global"])
    assert nested == [("y", None)]


def test_a_sequence_is_taken_key_by_key() -> None:
    machine = KeyMachine(Keymap(COMMANDS))
    assert machine.feed("g", ["page", "global"]) == (True, None)
    assert machine.pending
    assert machine.feed("d", ["page", "global"]) == (True, COMMANDS[2])
    assert not machine.pending


def test_a_sequence_that_leads_nowhere_is_swallowed_and_forgotten() -> None:
    machine = KeyMachine(Keymap(COMMANDS))
    machine.feed("g", ["page"])
    assert machine.feed("z", ["page"]) == (True, None)
    assert machine.feed("z", ["page"]) == (False, None)


def test_escape_ends_a_sequence() -> None:
    machine = KeyMachine(Keymap(COMMANDS))
    machine.feed("g", ["global"])
    assert machine.feed("escape", ["global"]) == (True, None)
    assert not machine.pending
    assert machine.feed("escape", ["global"]) == (False, None)


def test_a_text_field_keeps_its_letters_until_a_sequence_has_begun() -> None:
    machine = KeyMachine(Keymap(COMMANDS, "emacs"))
    assert machine.feed("n", ["page"], in_text=True) == (False, None)
    assert machine.feed("ctrl+x", ["page"], in_text=True) == (True, None)
    assert machine.feed("n", ["page"], in_text=True) == (True, COMMANDS[4])


def test_a_command_that_makes_no_sense_leaves_its_keys_to_others() -> None:
    machine = KeyMachine(Keymap(COMMANDS))
    machine.feed("g", ["page", "global"])
    found = machine.feed("d", ["page", "global"], allowed=lambda id: id != "page.follow")
    assert found == (True, COMMANDS[1])
    assert machine.feed("n", ["page"], allowed=lambda _: False) == (False, None)
