import json
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memex_core import Memex
from memex_tui.app import MemexApp
from memex_tui.messages import Place
from memex_tui.screens.overlays.themes import ThemePicker
from memex_tui.screens.settings import presenter
from memex_tui.screens.settings.dialogs import KeyCard, ValueCard
from memex_tui.screens.settings.screen import SettingsScreen
from tests.tui.frames import NARROW, WIDE, check_frame, frame, press, running, settle, text_frame, until

FILE = """\
# mine
[keys]     # how I type
preset = "default"
"go.forward" = "ctrl+y"   # as in the browser

# about models
[llm]
model = "llama3.1"
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    at = tmp_path / "store"
    with Memex(at, create=True) as memex:
        memex.write(type="entity", title="Ada", body="x")
    (at / "memex.toml").write_text(FILE)
    for name in ("TERM", "COLORTERM", "TMUX", "SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return at


def app_on(root: Path, **options: Any) -> MemexApp:
    return MemexApp(str(root), area="settings", **{"keep_state": False, "watch": False, **options})


async def ready(pilot: Pilot[Any]) -> SettingsScreen:
    await settle(pilot)
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, SettingsScreen)
    return screen


async def at(pilot: Pilot[Any], section: str, setting: str = "") -> SettingsScreen:
    """Open a section, with the cursor on a setting."""
    screen = await ready(pilot)
    screen.sections.move_to_key(section)
    await ready(pilot)
    screen.settings.focus()
    if setting:
        assert screen.settings.move_to_key(setting)
    await ready(pilot)
    return screen


def written(root: Path) -> str:
    return (root / "memex.toml").read_text()


def row(screen: SettingsScreen, id: str) -> presenter.Setting:
    rows = [one for section in presenter.SECTIONS for one in screen._rows(section)]
    return next(one for one in rows if one.id == id)


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("state", ["look", "keys", "editor", "memory", "agents", "press", "find"])
async def test_settings_as_they_look(
    root: Path, state: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = presenter.paths

    def fixed(*args: Any) -> list[presenter.Setting]:
        return [one._replace(value=f"~/store/{one.id[5:]}") for one in paths(*args)]

    monkeypatch.setattr(presenter, "paths", fixed)
    async with running(app_on(root), size) as pilot:
        screen = await ready(pilot)
        if state == "find":
            await press(pilot, ["/", *"budget"])
        elif state == "press":
            await at(pilot, "keys", "keys:go.back")
            await press(pilot, ["enter", "ctrl+h", "alt+z"])
        else:
            await at(pilot, state)
            if state == "keys":
                screen.settings.move_to_key("keys:app.undo")
        await settle(pilot)
        check_frame(f"settings/{state}-{size[0]}x{size[1]}", text_frame(pilot.app))


async def test_every_section_can_be_walked(root: Path) -> None:
    async with running(app_on(root), NARROW) as pilot:
        screen = await ready(pilot)
        seen = []
        for _ in presenter.SECTIONS:
            seen.append(screen.section.id)
            await press(pilot, ["enter"])
            assert screen.focused is screen.settings
            assert screen.settings.row is not None
            for _ in range(8):
                assert screen.settings.row is not None
                assert not screen.settings.row.heading
                await press(pilot, ["j"])
            await press(pilot, ["k"])
            assert not screen.settings.row.heading
            screen.sections.focus()
            await press(pilot, ["j"])
        assert seen == [section.id for section in presenter.SECTIONS]
        assert written(root) == FILE  # looking writes nothing
        assert not pilot.app._notifications


async def test_themes_step_with_the_arrows_and_are_taken_back(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot, "look", "look.theme")
        assert app.theme == "memex-dark"
        await press(pilot, ["right"])
        assert app.theme == app.chosen_theme == "memex-light"
        await press(pilot, ["l", "left"])
        assert app.theme == "memex-light"
        assert row(screen, "look.theme").value == "memex-light"
        for _ in range(3):
            await press(pilot, ["u"])
        assert app.theme == "memex-dark"
        assert "settings.changed" not in screen.contexts()
        assert written(root) == FILE


async def test_the_list_of_themes_previews_and_escape_restores(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot, "look", "look.theme")
        await press(pilot, ["enter", "down"])
        assert isinstance(app.screen, ThemePicker)
        assert app.theme == "memex-light"
        await press(pilot, ["escape"])
        assert app.theme == "memex-dark"
        assert "settings.changed" not in screen.contexts()
        await press(pilot, ["enter", "down", "enter"])
        await ready(pilot)
        assert app.theme == "memex-light"
        await press(pilot, ["u"])
        assert app.theme == "memex-dark"


async def test_a_command_is_bound_by_pressing_a_key(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot, "keys", "keys:settings.copy")
        await press(pilot, ["enter"])
        assert isinstance(app.screen, KeyCard)
        await press(pilot, ["ctrl+g"])
        assert "the terminal sent ctrl+g" in text_frame(app)
        await press(pilot, ["x", "backspace", "enter"])
        await ready(pilot)
        text = FILE.replace("browser\n", 'browser\n"settings.copy" = "ctrl+g"\n')
        assert written(root) == text
        assert app.keymap.keys("settings.copy") == ("ctrl+g",)
        assert row(screen, "keys:settings.copy").origin == "memex.toml"
        copied = []

        async def copy(value: str, what: str) -> None:
            copied.append((value, what))

        app.copy = copy  # type: ignore[method-assign]
        await press(pilot, ["ctrl+g"])
        assert copied == [("^g", "value")]
        await press(pilot, ["u"])
        await ready(pilot)
        assert written(root) == FILE
        assert app.keymap.keys("settings.copy") == ("y y", "y p")


async def test_a_key_is_added_taken_away_and_the_default_comes_back(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await at(pilot, "keys", "keys:go.forward")
        await press(pilot, ["a", "alt+f", "enter"])
        await ready(pilot)
        assert written(root) == FILE.replace('= "ctrl+y"  ', '= ["ctrl+y", "alt+f"]  ')
        await press(pilot, ["x"])
        await ready(pilot)
        assert app.keymap.keys("go.forward") == ()
        assert '"go.forward" = []   # as in the browser' in written(root)
        await press(pilot, ["d"])
        await ready(pilot)
        assert written(root) == FILE.replace('"go.forward" = "ctrl+y"   # as in the browser\n', "")
        assert app.keymap.keys("go.forward") == ("ctrl+t", "space f")


async def test_a_key_that_is_taken_is_taken_from_its_owner(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await at(pilot, "keys", "keys:app.redraw")
        await press(pilot, ["enter", "u"])
        assert "taken from “Undo the last action”" in text_frame(app)
        await press(pilot, ["enter"])
        await ready(pilot)
        keys = tomllib.loads(written(root))["keys"]
        assert keys["app.redraw"] == "u"
        assert keys["app.undo"] == "space u"
        assert app.keymap.clashes() == []


async def test_every_key_can_be_pressed_and_escape_leaves(root: Path) -> None:
    app = app_on(root)
    async with running(app, NARROW) as pilot:
        screen = await at(pilot, "keys", "keys:app.redraw")
        await press(pilot, ["enter", "enter"])
        assert "⏎" in text_frame(app)
        await press(pilot, ["tab", "ctrl+c", "f1", "escape"])
        assert app.screen is screen
        assert written(root) == FILE
        await press(pilot, ["enter", "backspace", "backspace", "escape"])
        assert app.screen is screen


async def test_the_preset_changes_every_key_at_once(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await at(pilot, "keys", "keys.preset")
        await press(pilot, ["right"])
        await ready(pilot)
        assert written(root) == FILE.replace('"default"', '"vim"')
        await press(pilot, ["left", "left"])
        await ready(pilot)
        assert app.keymap.preset == "emacs"
        assert "^" in frame(app)[-1]
        await press(pilot, ["d"])
        await ready(pilot)
        assert written(root) == FILE.replace('preset = "default"\n', "")
        assert app.keymap.preset == "default"


async def test_the_editors_settings_reach_the_file_and_the_areas(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        heard = []
        screen = await at(pilot, "editor", "editor.tab_width")
        screen.use_config = lambda config: heard.append(  # type: ignore[attr-defined]
            (config.editor.tab_width, config.editor.wrap)
        )
        await press(pilot, ["right", "right", "left"])
        await ready(pilot)
        await press(pilot, ["down", "enter"])
        await ready(pilot)
        assert written(root) == FILE + "\n[editor]\ntab_width = 5\nwrap = false\n"
        assert heard[-1] == (5, False)
        await press(pilot, ["d", "u"])
        await ready(pilot)
        assert tomllib.loads(written(root))["editor"] == {"tab_width": 5, "wrap": False}


async def test_keys_of_models_are_only_shown(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot, "models", "llm.api_key")
        assert screen.allowed("settings.change") is False
        await press(pilot, ["enter", "d", "right", "a", "x"])
        await ready(pilot)
        assert written(root) == FILE
        await press(pilot, ["left"])
        assert screen.focused is screen.sections


async def test_a_setting_is_typed_checked_and_taken_back(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot, "models", "llm.model")
        await press(pilot, ["enter", *"other", "enter"])
        await ready(pilot)
        assert tomllib.loads(written(root))["llm"] == {"model": "other"}
        assert row(screen, "llm.model").origin == "memex.toml"
        await press(pilot, ["u"])
        await ready(pilot)
        assert written(root) == FILE
        await at(pilot, "models", "llm.timeout")
        await press(pilot, ["enter", *"99999", "enter"])
        assert isinstance(app.screen, ValueCard)  # it may not be that: the card stays
        assert "1 and 3600" in " ".join(str(one.message) for one in app._notifications)
        await press(pilot, ["escape"])
        await ready(pilot)
        assert written(root) == FILE


async def test_choices_and_shares_step(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await at(pilot, "memory", "governance.knowledge_approval")
        await press(pilot, ["right"])
        await ready(pilot)
        assert tomllib.loads(written(root))["governance"] == {"knowledge_approval": "auto"}
        await at(pilot, "memory", "recall.priors")
        await press(pilot, ["right"])
        await ready(pilot)
        assert tomllib.loads(written(root))["recall"] == {"priors": 0.05}
        await press(pilot, ["u"])
        await ready(pilot)
        assert "priors" not in written(root)


async def test_models_and_jobs_are_shown(root: Path) -> None:
    with Memex(root) as memex:
        turns = [
            {"role": "user", "content": "we deploy on Mondays", "ts": "2026-11-01T09:00:00Z"},
            {"role": "agent", "content": "noted", "ts": "2026-11-01T09:01:00Z"},
        ]
        memex.ingest_transcript("sess-deploy", turns=turns)
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot, "models")
        await until(pilot, lambda: screen._models is not None)
        assert row(screen, "model.test").kind == "test"
        await at(pilot, "jobs")
        await until(
            pilot, lambda: any(one.id.startswith("job.sess-deploy") for one in screen._rows(screen.section))
        )
        assert not app._notifications


async def test_jobs_follow_what_another_process_does(root: Path) -> None:
    turn = {"role": "user", "content": "we deploy on Mondays", "ts": "2026-11-01T09:00:00Z"}
    app = app_on(root)

    def jobs(screen: SettingsScreen) -> dict[str, str]:
        told = screen._jobs or {"jobs": []}
        return {job["id"]: job["state"] for job in told["jobs"]}

    async with running(app, WIDE) as pilot:
        screen = await at(pilot, "jobs")
        await until(pilot, lambda: screen._jobs is not None)
        assert jobs(screen) == {}
        with Memex(root) as memex:
            memex.ingest_transcript("sess-deploy", turns=[turn])
        await until(pilot, lambda: jobs(screen) == {"sess-deploy#1": "held"})  # while it is in sight
        assert any(one.id == "job.sess-deploy#1" for one in screen._rows(screen.section))
        await press(pilot, ["1"])
        with Memex(root) as memex:
            memex.jobs_dismiss("sess-deploy#1")
        await app.go(Place("settings"))
        await until(pilot, lambda: jobs(screen) == {"sess-deploy#1": "done"})
        assert not app._notifications


async def test_settings_are_found_in_every_section(root: Path) -> None:
    app = app_on(root)
    async with running(app, NARROW) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["/", *"tab width"])
        assert screen.query_one(Input).value == "tab width"
        await press(pilot, ["enter"])
        assert screen.settings.row is not None
        assert screen.settings.row.id == "editor.tab_width"
        await press(pilot, ["right"])
        await ready(pilot)
        assert tomllib.loads(written(root))["editor"] == {"tab_width": 5}
        await press(pilot, ["/", *"qqq"])
        assert "Nothing is called that" in text_frame(app)
        await press(pilot, ["escape"])
        assert screen.finding == ""
        assert "Theme" in text_frame(app)


async def test_values_are_copied(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await at(pilot, "paths", "path.journal")
        copied = []

        async def copy(value: str, what: str) -> None:
            copied.append((value, what))

        app.copy = copy  # type: ignore[method-assign]
        await press(pilot, ["y", "p"])
        assert copied == [(str(root / "journal.jsonl"), "path")]


@contextmanager
def lent() -> Iterator[None]:
    yield


async def test_the_file_is_opened_in_the_persons_editor_and_read_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "my editor"
    script.write_text('#!/bin/sh\nprintf \'[keys]\\npreset = "vim"\\n\' > "$2"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", f"'{script}' -w")
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await at(pilot, "editor")
        monkeypatch.setattr(app, "suspend", lent)
        await press(pilot, ["E"])
        await ready(pilot)
        assert written(root) == '[keys]\npreset = "vim"\n'
        assert app.keymap.preset == "vim"


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("", "no editor was found"),
        ("/no/such/editor", "is not on this machine"),
        ("'x", "cannot be read"),
        ("false", "code 1"),
    ],
)
async def test_an_editor_that_fails_is_named(
    root: Path, editor: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr("memex_tui.external.FALLBACKS", ())
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await ready(pilot)
        monkeypatch.setattr(app, "suspend", lent)
        await press(pilot, ["E"])
        assert [said in one.message for one in app._notifications] == [True]
        assert written(root) == FILE


async def test_a_file_that_cannot_be_edited_line_by_line_is_left_alone(root: Path) -> None:
    text = 'keys = { preset = "vim" }\n'
    (root / "memex.toml").write_text(text)
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await at(pilot, "keys", "keys.preset")
        assert app.keymap.preset == "vim"
        await press(pilot, ["right"])
        await ready(pilot)
        assert any("line by line" in one.message for one in app._notifications)
        assert written(root) == text


async def test_a_broken_file_is_named_and_nothing_is_written(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await at(pilot, "keys", "keys.preset")
        (root / "memex.toml").write_text("[keys\n")
        await press(pilot, ["right"])
        await ready(pilot)
        assert any("line 1" in one.message for one in app._notifications)
        assert written(root) == "[keys\n"
        await app.show_area("search")
        await app.show_area("settings")
        await ready(pilot)
        assert "1 to look at" in frame(app)[1]


async def test_what_is_odd_in_the_file_is_said(root: Path) -> None:
    (root / "memex.toml").write_text(
        '[keys]\n"no.such" = "x"\n"go.back" = "ctrl+m"\n[pages]\nslug_algo = "odd"\n'
    )
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot, "keys")
        said = " ".join(screen._warnings())
        for part in ("no.such", "ctrl+m arrives as enter", "slug_algo"):
            assert part in said
        assert "to look at" in frame(app)[1]


async def test_without_a_memory_nothing_is_made(tmp_path: Path) -> None:
    app = app_on(tmp_path / "none")
    async with running(app, NARROW) as pilot:
        await at(pilot, "keys", "keys.preset")
        await press(pilot, ["right", "E"])
        assert ["memex init" in one.message for one in app._notifications] == [True]
        assert not (tmp_path / "none").exists()
        await at(pilot, "look", "look.theme")
        await press(pilot, ["right"])
        assert app.theme == "memex-light"


async def test_where_it_was_is_kept(root: Path) -> None:
    app = app_on(root, keep_state=True)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot, "keys", "keys:go.back")
        place = screen.place()
        assert place is not None
        assert place.title == "Settings · Keys"
        app.save_state()
    saved = json.loads(Path(app.saved.path or "").read_text())
    assert saved["areas"]["settings"] == {"section": "keys", "setting": "keys:go.back"}
    app = app_on(root, keep_state=True)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        assert (screen.section.id, screen.settings.key) == ("keys", "keys:go.back")
        await app.go(Place("settings", purpose="about"))
        await ready(pilot)
        assert screen.section.id == "about"
        screen.restore_state({"section": 3, "setting": None})
