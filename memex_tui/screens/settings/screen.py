"""The Settings area: shows every setting, and writes the ones that a person changes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from memex_core.files.config import Config, load
from memex_core.files.config_edit import Setting as Value
from memex_core.files.config_edit import set_settings
from memex_core.model.errors import MemexError, Refused, StoreMissing
from memex_tui.commands import every_command
from memex_tui.external import edit_outside
from memex_tui.keys import Keymap
from memex_tui.messages import Place
from memex_tui.screens.settings import gate, learning, presenter
from memex_tui.screens.settings.binding import Binding
from memex_tui.screens.settings.machine import terminal, versions
from memex_tui.screens.settings.presenter import SECTIONS, Section, Setting
from memex_tui.screens.settings.widgets import STEPS, Explain, draw_section, draw_setting
from memex_tui.themes import OWN
from memex_tui.widgets.virtual_list import VirtualList

DEFAULTS = ("preset", "number", "switch", "choice", "text", "keys")  # kinds that have a default
Before = tuple[str, Mapping[str, Value]]  # a table and what stood in it; ("look", {"theme": name})


class SettingsScreen(Binding):
    """Sections at the left, their settings at the right."""

    AREA = "settings"
    CSS_PATH = "settings.tcss"
    CRUMBS = True
    HELP_TEXT = (
        "Every setting with where its value comes from and what it may be. What you change is in force at "
        "once; only that is written to memex.toml, and its comments stay. E opens the file."
    )

    def __init__(self) -> None:
        super().__init__()
        self.sections = VirtualList[Section](draw_section, id="sections", classes="pane")
        self.settings = VirtualList[Setting](
            draw_setting, empty="Nothing is called that", id="settings", classes="pane"
        )
        self._config: Config | None = None
        self._problem = ""
        self._before: list[Before] = []
        self._theme_before = ""
        self._shown = ""  # the section whose settings are listed
        self._row_at = 0

    def compose_area(self) -> ComposeResult:
        with Horizontal(id="panes"):
            yield self.sections
            with Vertical(id="right"):
                yield Input(placeholder="Part of a name, a key or a value", id="find")
                yield Input(placeholder="A prompt to try: what would you say to an agent?", id="try")
                yield self.settings
                yield Explain()

    def on_mount(self) -> None:
        self.sections.border_title = "settings"
        self.sections.set_rows(SECTIONS, lambda section: section.id)
        self.sections.focus()
        self.show_settings()
        self._read()

    @property
    def section(self) -> Section:
        """The section that is shown."""
        return self.sections.row or SECTIONS[0]

    @property
    def finding(self) -> str:
        """What is being looked for; empty: a section is shown."""
        return self.query_one("#find", Input).value.strip() if self.has_class("-finding") else ""

    @property
    def teaches(self) -> bool:
        return self._shown in learning.SECTIONS

    # -- what the frame asks ------------------------------------------------------------------

    def contexts(self) -> Sequence[str]:
        found = []
        if self.focused is self.settings:
            row = self.settings.row
            found += ["settings.keys"] if row is not None and row.kind == "keys" else []
            found.append("settings.rows")
        elif isinstance(self.focused, Input):
            found += ["settings.trying"] if self.focused.id == "try" else []
            found.append("settings.field")
        if self.has_class("-finding"):
            found.append("settings.found")
        if self._before:
            found.append("settings.changed")
        if self.has_class("-gate"):
            found.append("settings.gate")
        return [*found, "settings"]

    def allowed(self, command: str) -> bool:
        row = self.settings.row if self.is_mounted else None
        kind = row.kind if row is not None else ""
        if command == "settings.change":
            return bool(kind) and kind != "path"
        if command == "settings.next-value":
            return kind in STEPS
        if command == "settings.default":
            return kind in DEFAULTS and row is not None and row.own
        if command == "settings.copy":
            return row is not None and bool(row.value)
        return True

    async def visit(self, place: Place) -> None:
        if place.purpose:
            self.sections.move_to_key(place.purpose)

    def place(self) -> Place | None:
        return Place("settings", purpose=self.section.id, title=f"Settings · {self.section.title}")

    def save_state(self) -> Mapping[str, Any]:
        return {"section": self.section.id, "setting": self.settings.key}

    def restore_state(self, state: Mapping[str, Any]) -> None:
        section, setting = state.get("section"), state.get("setting")
        if isinstance(section, str) and self.sections.move_to_key(section):
            self.show_settings()
        if isinstance(setting, str):
            self.settings.move_to_key(setting)

    def on_screen_resume(self) -> None:
        if self._theme_before not in ("", self.memex_app.theme):
            self._before.append(("look", {"theme": self._theme_before}))
        self._theme_before = ""
        self._read()

    # -- reading --------------------------------------------------------------------------------

    def _read(self) -> None:
        self.ask(
            "config", lambda memex: load(memex.store.layout, os.environ), self._take, self.settings_failed
        )

    def settings_failed(self, error: MemexError) -> None:
        if not isinstance(error, StoreMissing):
            self._problem = str(error)
        self.show_settings()

    def _take(self, config: Config) -> None:
        """The settings in force: the app follows them at once."""
        self._config, self._problem = config, ""
        if self.teaches:
            self.ask_learning()
        app = self.memex_app
        app.keymap = Keymap(every_command(), config.keys.preset, config.keys.unknown)
        for screen in app.area_screens():
            screen.use_keymap()
            follow = getattr(screen, "use_config", None)  # areas that have settings of their own
            if follow is not None:
                follow(config)
        self.show_settings()

    # -- what is shown --------------------------------------------------------------------------

    def show_settings(self) -> None:
        typed = self.finding
        if self.section.id == gate.SECTION and self._shown != gate.SECTION:
            self.try_prompt()
        if self.section.id in learning.SECTIONS and self._shown != self.section.id:
            self._shown = self.section.id
            self.ask_learning()
        self._shown = self.section.id
        self.set_class(self._shown == gate.SECTION and not typed, "-gate")
        if typed:
            rows = presenter.found(typed, [row for section in SECTIONS for row in self._rows(section)])
        else:
            rows = self._rows(self.section)
        # Headings have no id: their place tells them apart.
        keyed = {id(row): f"{row.id or number}" for number, row in enumerate(rows)}
        self.settings.set_rows(rows, lambda row: keyed.get(id(row), row.id))
        self.settings.border_title = f"found · {len(rows)}" if typed else self.section.title.lower()
        self._skip_headings()
        if self.is_current:
            self.memex_app.history.leave(self.place())  # the breadcrumbs name the section
        self._explain()
        self.refresh_keys()

    def _rows(self, section: Section) -> list[Setting]:
        config, app = self._config, self.memex_app
        if section.id == "look":
            return presenter.look(app.theme, app.current_theme.dark, terminal(app))
        if section.id == "keys":
            return presenter.keys(config, app.keymap)
        if section.id == "editor":
            return presenter.editor(config, os.environ)
        if section.id == gate.SECTION:
            return self.gate_rows()
        rows = presenter.tables(config, section)
        if section.id in learning.SECTIONS:
            return [*self.learning_rows(section.id), *rows]
        if section.id == "paths":
            return [*presenter.paths(app.layout, app.root, app.saved.path), *rows]
        if section.id == "about":
            return [*presenter.about(versions(app.layout)), *rows]
        return rows

    def _warnings(self) -> list[str]:
        found = [self._problem] if self._problem else []
        found += self._config.warnings if self._config is not None else []
        keymap = self.memex_app.keymap
        found += keymap.warnings
        for clash in keymap.clashes():
            titles = " and ".join(f"“{keymap.commands[id].title}”" for id in clash.ids)
            found.append(f"{titles} both want {clash.keys}")
        return found

    def _explain(self) -> None:
        config, layout = self._config, self.memex_app.layout
        file = config.path if config is not None else layout.config if layout is not None else ""
        explain = self.query_one(Explain)
        explain.show(self.settings.row, file, self._warnings())
        self.set_status([(f"{len(self._warnings())} to look at", ("bar--warn",))] if self._warnings() else [])

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if event.view is self.sections:
            if self.section.id != self._shown:
                self.settings.move_to(0)
            self.show_settings()
        else:
            self._skip_headings()
            self._explain()
            self.refresh_keys()

    def _skip_headings(self) -> None:
        """The cursor passes over headings in the direction it goes."""
        rows = self.settings
        row, at = rows.row, rows.cursor
        step = -1 if at < self._row_at and at > 0 else 1
        self._row_at = at
        if row is not None and row.heading and 0 <= at + step < rows.count:
            rows.move_to(at + step)

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        if event.view is self.sections:
            self.settings.focus()
        else:
            self.do_settings_change()

    # -- changing -------------------------------------------------------------------------------

    def do_settings_change(self) -> None:
        row = self.settings.row
        if row is None:
            return
        if row.kind == "theme":
            self._theme_before = self.memex_app.theme
            self.run_command("app.theme")
        elif row.kind in STEPS:
            self._step(1)
        elif row.kind == "keys":
            self.press_key(add=False)
        elif row.kind == "text":
            self.type_value(row)
        elif row.kind == "test":
            self.try_model()
        elif row.kind == "job":
            self.try_job(row)
        elif row.kind == "rule":
            self.turn_rule(row)

    def do_settings_next_value(self) -> None:
        self._step(1)

    def do_settings_previous_value(self) -> None:
        row = self.settings.row
        if row is not None and row.kind in STEPS:
            self._step(-1)
        else:
            self.sections.focus()

    def _step(self, by: int) -> None:
        row = self.settings.row
        if row is None or row.kind not in STEPS:
            return
        value = presenter.stepped(row, by, self._themes())
        if row.kind == "theme":
            self._before.append(("look", {"theme": self.memex_app.theme}))
            self._use_theme(value)
        elif value != row.value:
            table, _, key = row.id.partition(".")
            self._set(table, {key: presenter.stored(row, value)})

    def _themes(self) -> list[str]:
        own = [theme.name for theme in OWN]
        return [
            *own,
            *sorted(name for name in self.app.available_themes if name not in (*own, "textual-ansi")),
        ]

    def _use_theme(self, name: str) -> None:
        self.app.theme = name
        self.memex_app.chosen_theme = name
        self.show_settings()

    def do_settings_default(self) -> None:
        row = self.settings.row
        if row is not None and row.own and row.kind in DEFAULTS:
            table, _, key = row.id.partition(":" if row.kind == "keys" else ".")
            self._set(table, {key: None})

    def set_values(self, table: str, changes: Mapping[str, Value]) -> None:
        self._set(table, changes)

    def _set(self, table: str, changes: Mapping[str, Value], *, undoing: bool = False) -> None:
        if self.memex_app.layout is None:
            raise Refused("there is no memory here yet to keep settings in", hint="run `memex init` first")
        before = (table, {key: self._raw(table, key) for key in changes})

        def then(changed: bool) -> None:
            if changed and not undoing:
                self._before.append(before)
            self._read()

        self.write(lambda memex: set_settings(memex.store.layout, table, changes), then)

    def _raw(self, table: str, key: str) -> Value:
        """What the file says of a setting; None when it says nothing (that could be written back)."""
        if self._config is None:
            return None
        held = getattr(self._config, table)
        if key in held.unknown:
            value = held.unknown[key]
        elif self._config.origin(f"{table}.{key}") == "file":
            value = getattr(held, key)
        else:
            return None
        value = list(value) if isinstance(value, tuple) else value
        return value if isinstance(value, str | bool | int | float | list) else None

    def do_settings_undo(self) -> None:
        table, values = self._before.pop()
        if table == "look":
            self._use_theme(str(values["theme"]))
        else:
            self._set(table, values, undoing=True)

    # -- finding, copying, the file -----------------------------------------------------------------

    def do_settings_find(self) -> None:
        self.add_class("-finding")
        self.query_one("#find", Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input.id == "try":
            self.try_prompt()
            return
        self.settings.move_to(0)
        self.show_settings()

    def do_settings_to_found(self) -> None:
        self.settings.focus()

    do_settings_leave_try = do_settings_to_found

    def do_settings_leave_find(self) -> None:
        self.query_one("#find", Input).value = ""
        self.remove_class("-finding")
        self.settings.focus()
        self.show_settings()

    async def do_settings_copy(self) -> None:
        row = self.settings.row
        if row is not None:
            await self.memex_app.copy(row.value, "path" if row.kind == "path" else "value")

    def do_settings_file(self) -> None:
        layout = self.memex_app.layout
        if layout is None:
            raise Refused("there is no memory here yet to keep settings in", hint="run `memex init` first")
        of_gate = self._shown == gate.SECTION
        file = self.rules_file(layout) if of_gate else layout.config
        try:
            os.makedirs(os.path.dirname(file), exist_ok=True)
            edit_outside(self.app, file)
        finally:
            self.try_prompt() if of_gate else self._read()
