"""``?``: what the keys do in the pane that has the focus."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

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

ABOVE, SHARE = 2, 0.9  # rows over the card, and how much of the rest it may take, as the styles say
OTHERS = 3  # rows for its frame, and above the note
_NUMBER = re.compile(r"-\d+$")
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
            yield Static("", markup=False, classes="help-note")
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
                families = groupby(here, lambda one: _NUMBER.sub("", one.id))
                entries += [self._entry(list(alike)) for _, alike in families]
        rows.set_rows(entries, lambda entry: entry[1])
        rows.styles.height = min(len(entries), max(self.app.size.height // 3, 4))
        rows.move_to(1)  # the first is a heading
        rows.focus()
        self.call_after_refresh(self._fit)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        """Give the list what the texts above and below it leave."""
        rows = self.query_one(VirtualList)
        others = sum(one.outer_size.height for one in self.query(Static)) + OTHERS
        rows.styles.height = min(rows.count, max(int((self.app.size.height - ABOVE) * SHARE) - others, 2))

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        """What a row has no room for stands below, in full."""
        event.stop()
        row = event.view.row
        self.query_one(".help-note", Static).update(row[2] if row is not None else "")

    def _entry(self, alike: Sequence[Command]) -> Entry:
        """A command, or in one row those that only a number tells apart."""
        first, last = alike[0], alike[-1]
        keys = [shown(keys) for keys in self.memex_app.keymap.keys(first.id)]
        if first is last:
            return " ".join(keys[:4]), first.title, first.help
        others = [shown(keys) for keys in self.memex_app.keymap.keys(last.id)]
        return f"{keys[0]} … {others[0]}", first.title.removesuffix(" 1"), first.help.replace(" 1", "")

    def draw(self, row: Entry, cells: int, state: RowState) -> Sequence[Line]:
        keys, title, help = row
        if not help:
            return [[(title.upper(), ("row--faint",))]]
        column = max(cells // 4, 12)
        return [
            [
                (f"{fit(keys, column - 1)} ", ("row--accent",)),
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
