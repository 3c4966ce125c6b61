"""``?``: what the keys do in the pane that has the focus."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from memex_tui.areas import BY_ID
from memex_tui.commands import Command, place_name
from memex_tui.keys import shown
from memex_tui.render.line import Line
from memex_tui.render.text import fit
from memex_tui.screens.overlays.base import Overlay
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

Entry = tuple[str, str, str]  # keys, title, help; a heading has only a title


class HelpCard(Overlay):
    """The keys valid now, most specific first."""

    def compose(self) -> ComposeResult:
        area = self.area
        with Vertical(classes="card help") as card:
            text = area.HELP_TEXT if area is not None else ""
            if text:
                yield Static(text, markup=False, classes="help-text")
            yield VirtualList[Entry](self.draw, classes="picks")
        card.border_title = (
            f"help · {BY_ID[area.AREA].title}" if area is not None and area.AREA in BY_ID else "help"
        )
        card.border_subtitle = "esc close"

    def on_mount(self) -> None:
        area = self.area
        rows = self.query_one(VirtualList)
        contexts = area.palette_contexts() if area is not None else ["global"]
        commands = list(self.memex_app.keymap.commands.values())
        entries: list[Entry] = []
        for context in contexts:
            here = [one for one in commands if one.where == context and self.memex_app.keymap.keys(one.id)]
            if here:
                entries += [("", "", "")] if entries else []
                entries.append(("", place_name(context), ""))
                entries += [self._entry(command) for command in here]
        rows.set_rows(entries, lambda entry: entry[1])
        rows.styles.height = min(len(entries), max(self.app.size.height - 8, 5))
        rows.focus()

    def _entry(self, command: Command) -> Entry:
        keys = [shown(keys) for keys in self.memex_app.keymap.keys(command.id)]
        return " ".join(keys[:4]), command.title, command.help

    def draw(self, row: Entry, cells: int, state: RowState) -> Sequence[Line]:
        keys, title, help = row
        if not help:
            return [[(title.upper(), ("row--faint",))]]
        column = max(cells // 4, 12)
        return [
            [
                (fit(keys, column), ("row--accent",)),
                (fit(title, min(26, cells // 3)), ("row--title",)),
                (f"  {help}", ("row--muted",)),
            ]
        ]

    def on_key(self, event: object) -> None:
        key = getattr(event, "key", "")
        rows = self.query_one(VirtualList)
        if key in ("question_mark", "q", "f1"):
            self.close()
        elif key in ("j", "k"):
            rows.move(1 if key == "j" else -1)
