"""The palette: every command that can be done now, by name."""

from __future__ import annotations

from collections.abc import Sequence

from memex_tui.commands import Command, place_name
from memex_tui.keys import shown
from memex_tui.matching import rank
from memex_tui.render.line import Line, Run, spread
from memex_tui.render.text import printable, width
from memex_tui.screens.overlays.base import Picker
from memex_tui.widgets.rows import RowState


class CommandPalette(Picker[Command]):
    """Type a part of a command's name; Enter does it."""

    TITLE_TEXT = "commands"
    PLACEHOLDER = "What do you want to do?"
    EMPTY = "No command is called that"
    ROW_HEIGHT = 2
    ROWS = 8

    def look_up(self, typed: str) -> None:
        area = self.area
        contexts = area.palette_contexts() if area is not None else ["global"]
        commands = [
            command
            for command in self.memex_app.keymap.commands.values()
            if command.palette and command.where in contexts and (area is None or area.allowed(command.id))
        ]
        order = {where: at for at, where in enumerate(contexts)}
        commands.sort(key=lambda command: order[command.where])
        found = rank(
            typed, commands, lambda command: (command.title, f"{command.words} {command.help} {command.id}")
        )
        self.show(found, lambda command: command.id)
        self.card.border_subtitle = f"{len(found)}"

    def draw(self, row: Command, cells: int, state: RowState) -> Sequence[Line]:
        keys = [shown(keys) for keys in self.memex_app.keymap.keys(row.id)][:3]
        right: list[Run] = []
        for key in keys:
            right += [(key, ("row--accent",)), ("  ", ())]
        first = spread([(row.title, ("row--title",))], right[:-1], cells)
        where = "" if row.where == "global" else f"{place_name(row.where)} · "
        if width(where + row.help) > cells:  # what it does matters more
            where = ""
        return [first, [(where, ("row--faint",)), (printable(row.help), ("row--muted",))]]

    def chosen(self, row: Command) -> None:
        area = self.area
        if area is not None:
            self.app.call_later(area.run_command, row.id)
