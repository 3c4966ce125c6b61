"""Giving commands other keys, and settings other values, from the Settings area."""

from __future__ import annotations

from collections.abc import Mapping

from memex_core.files.config_edit import Setting as Value
from memex_tui.commands import Command
from memex_tui.screens.settings import presenter
from memex_tui.screens.settings.dialogs import KeyCard, ValueCard
from memex_tui.screens.settings.presenter import Setting
from memex_tui.screens.settings.teaching import Teaching


class Binding(Teaching):
    """The part of the Settings screen that asks for keys and texts."""

    def set_values(self, table: str, changes: Mapping[str, Value]) -> None:
        """Write settings into a table of the file."""

    def _command(self) -> Command | None:
        row = self.settings.row
        if row is None or row.kind != "keys":
            return None
        return self.memex_app.keymap.commands.get(row.id.partition(":")[2])

    def do_settings_add_key(self) -> None:
        self.press_key(add=True)

    def press_key(self, *, add: bool) -> None:
        """Ask for the keys of the command under the cursor."""
        command = self._command()
        if command is not None:
            keymap, id = self.memex_app.keymap, command.id
            self.app.push_screen(KeyCard(keymap, command, lambda typed: self._bind(id, typed, add), add=add))

    def _bind(self, id: str, typed: str, add: bool) -> None:
        """Bind the pressed keys, and take them from the commands that they would not reach past."""
        keymap = self.memex_app.keymap
        changes: dict[str, Value] = {}
        for other in presenter.in_the_way(keymap, id, typed):
            changes[other.id] = presenter.written(keymap, other.id, presenter.freed(keymap, other, typed))
        changes[id] = presenter.written(keymap, id, presenter.rebound(keymap, id, typed, add=add))
        self.set_values("keys", changes)

    def do_settings_no_key(self) -> None:
        command = self._command()
        if command is not None:
            self.set_values("keys", {command.id: []})

    def type_value(self, row: Setting) -> None:
        """Ask for the text of a setting."""
        table, _, key = row.id.partition(".")

        def chosen(text: str) -> None:
            self.set_values(table, {key: presenter.stored(row, text) if text.strip() else None})

        self.app.push_screen(ValueCard(row, chosen))
