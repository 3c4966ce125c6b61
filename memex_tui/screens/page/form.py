"""The properties form: a row a key, edited in the field below the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from memex_core.model.errors import BadInput
from memex_core.model.page import Value
from memex_tui.render.line import Line
from memex_tui.render.text import content, cut, fit, printable
from memex_tui.screens.overlays.base import Overlay
from memex_tui.screens.page import loading
from memex_tui.screens.page.properties import (
    CHOICES,
    OFFERED,
    Field,
    changes_in,
    fields_of,
    kind_of,
    next_choice,
    read,
)
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

KEY_CELLS = 14
KEYS = "⏎ edit · a add · x remove · ←→ choose · ^s save · esc close"

Done = Callable[[dict[str, Any], list[str]], None]


class PropertiesCard(Overlay):
    """``done`` is called with the keys to set and the keys to remove."""

    def __init__(self, title: str, front: Mapping[str, Value], done: Done) -> None:
        super().__init__()
        self._title = title
        self._rows: list[Field] = fields_of(front)
        self._done = done
        self._types: list[str] = []
        self._adding = False
        self._warned = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="card form") as card:
            yield VirtualList[Field](self._draw, empty="No properties: a adds one")
            yield Input(compact=True, select_on_focus=False)
        card.border_title = content(f"properties · {self._title}")
        card.border_subtitle = KEYS
        self.card = card

    @property
    def list(self) -> VirtualList[Field]:
        return self.query_one(VirtualList)

    @property
    def input(self) -> Input:
        return self.query_one(Input)

    def on_mount(self) -> None:
        self.input.display = False
        self._show()
        self.list.focus()
        self.ask("types", loading.types, self._types.extend)

    def _show(self, key: str = "") -> None:
        self.list.set_rows(self._rows, lambda row: row.key)
        self.list.styles.height = max(min(len(self._rows), 16), 1)
        if key:
            self.list.move_to_key(key)

    def _draw(self, row: Field, cells: int, state: RowState) -> Sequence[Line]:
        sign = "● " if row.changed else "  "
        looks = ("row--faint",) if row.kind == "locked" else ("row--text",)
        value = row.value or "—"
        kind = f"  {row.kind}"
        room = cells - 2 - KEY_CELLS - len(kind)
        line: Line = [
            (sign, ("row--warn",)),
            (fit(printable(row.key), KEY_CELLS), ("row--muted",)),
            (fit(printable(value), room), looks if row.value else ("row--faint",)),
            (kind, ("row--faint",)),
        ]
        return [line]

    # -- keys -------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        if event.key == "ctrl+s":
            event.stop()
            self._save()
        elif self.input.has_focus:
            if event.key == "escape":
                event.stop()
                event.prevent_default()
                self._end_input()
        elif event.key == "escape":
            event.stop()
            event.prevent_default()
            self._leave()
        else:
            acts: dict[str, Callable[[], None]] = {
                "j": lambda: self.list.move(1),
                "k": lambda: self.list.move(-1),
                "enter": self._edit,
                "e": self._edit,
                "a": self._add,
                "x": self._remove,
                "delete": self._remove,
                "right": lambda: self._choose(1),
                "left": lambda: self._choose(-1),
            }
            act = acts.get(event.key)
            if act is not None:
                event.stop()
                event.prevent_default()
                act()

    def _leave(self) -> None:
        if any(row.changed for row in self._rows) and not self._warned:
            self._warned = True
            self.card.border_subtitle = "not saved: ^s saves · esc again drops the changes"
            return
        self.close()

    def _edit(self) -> None:
        row = self.list.row
        if row is None:
            return
        if row.kind == "locked":
            self._say(f"{row.key} is edited in the text")
            return
        self._adding = False
        self._open_input(
            row.value, f"{row.key} ({row.kind}{', separated by commas' if row.kind == 'list' else ''})"
        )

    def _add(self) -> None:
        self._adding = True
        free = [key for key in OFFERED if key not in {row.key for row in self._rows}]
        self._open_input("", f"key, for example {' · '.join(free[:4]) or 'source'}")

    def _open_input(self, value: str, placeholder: str) -> None:
        field = self.input
        field.display = True
        field.placeholder = placeholder
        field.value = value
        field.cursor_position = len(value)
        field.focus()

    def _end_input(self) -> None:
        self.input.display = False
        self.list.focus()
        self._say(KEYS)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        if self._adding:
            self._new_row(text)
            return
        row = self.list.row
        if row is None:
            return
        try:
            read(row.key, row.kind, text)
        except BadInput as error:
            self._say(f"{error.message}; {error.hint}")
            return
        self._end_input()
        self._set(row, text)

    def _new_row(self, key: str) -> None:
        if not key or any(char in key for char in ":#\n[]{}"):
            self._say("a key is a word without : # [ ] { }")
            return
        if key not in {row.key for row in self._rows}:
            self._rows.append(Field(key, kind_of(key), "", None))
        self._end_input()
        self._show(key)
        self._edit()

    def _remove(self) -> None:
        row = self.list.row
        if row is not None and row.kind != "locked":
            self._set(row, "")

    def _choose(self, by: int) -> None:
        row = self.list.row
        if row is not None and row.kind == "choice":
            choices = self._types if row.key == "type" else CHOICES.get(row.key, ())
            self._set(row, next_choice(row, choices, by))

    def _set(self, row: Field, value: str) -> None:
        self._warned = False
        self._rows = [one._replace(value=value) if one.key == row.key else one for one in self._rows]
        self._show(row.key)
        self._say(KEYS)

    def _say(self, text: str) -> None:
        self.card.border_subtitle = content(cut(text, 66))

    def _save(self) -> None:
        try:
            wanted, unset = changes_in(self._rows)
        except BadInput as error:
            self._say(f"{error.message}; {error.hint}")
            return
        self.close()
        if wanted or unset:
            with self.memex_app.guarded():
                self._done(wanted, unset)

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        self._edit()
