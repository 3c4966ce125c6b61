"""The Settings area's rows, and the pane that explains the one under the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from memex_tui.render.line import Line, spread
from memex_tui.render.text import cut, fit, printable, width
from memex_tui.render.wrap import wrap
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.settings.presenter import Section, Setting
from memex_tui.widgets.rows import RowState

STEPS = ("theme", "preset", "number", "switch", "choice")  # kinds whose value has a next one


def draw_section(row: Section, cells: int, state: RowState) -> Sequence[Line]:
    """The name of a section."""
    return [[(row.title, ("row--title",) if state.cursor else ("row--muted",))]]


def draw_setting(row: Setting, cells: int, state: RowState) -> Sequence[Line]:
    """Name, value, and where the value comes from."""
    if row.heading:
        return [[("── ", ("row--faint",)), (printable(row.name), ("row--muted",))]]
    roomy = cells >= 64
    name = fit(printable(row.name), min(28, cells * 2 // 5))
    stepping = row.kind in STEPS and state.cursor
    line: Line = [(name, ("row--muted",)), ("‹ " if stepping else "  ", ("row--faint",))]
    style = "row--accent" if row.kind and row.kind != "path" else "row--title" if row.own else "row--muted"
    origin: Line = []
    if row.origin and (roomy or row.own):
        origin = [(cut(printable(row.origin), cells // 3), ("row--good",) if row.own else ("row--faint",))]
    room = cells - len(name) - 6
    taken = sum(len(text) for text, _ in origin)
    if not roomy and width(printable(row.value)) > room - taken:
        origin, taken = [], 0  # the line below the list says it
    room = max(room - taken, 6)
    value = cut(printable(row.value), room, keep="tail" if row.kind == "path" else "head")
    line += [(value, (style,)), (" ›" if stepping else "", ("row--faint",))]
    return [spread(line, origin, cells)]


class Explain(LineBar):
    """What the setting under the cursor is for, and where its value comes from."""

    def __init__(self) -> None:
        super().__init__(id="explain", classes="pane")
        self._setting: Setting | None = None
        self._file = ""
        self._warnings: Sequence[str] = ()

    def show(self, setting: Setting | None, file: str, warnings: Sequence[str]) -> None:
        """Explain a setting; ``file`` is the path of memex.toml, ``warnings`` what is odd in it."""
        self._setting, self._file, self._warnings = setting, file, warnings
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        setting = self._setting
        lines: list[Line] = []
        if setting is not None and not setting.heading:
            title: Line = [(f" {printable(setting.name)}", ("bar--key",))]
            if setting.table:
                title.append((f"  {setting.id}", ("bar--faint",)))
            where = self._file if setting.own and setting.origin == "memex.toml" else setting.origin
            keep = "tail" if where == self._file else "head"
            right: Line = [(cut(printable(where), cells // 2, keep=keep), ("bar--muted",)), (" ", ())]
            lines.append(spread(title, right, cells))
            if setting.kind == "path" or len(setting.value) > cells // 2:
                lines.append([(f" {cut(printable(setting.value), cells - 2, keep='ends')}", ("bar--text",))])
            text = printable(setting.help)
            lines += [
                [(f" {text[start:end]}", ("bar--text",))] for start, end in wrap(text, max(cells - 2, 8))
            ]
            lines += [[(f" {hint}", ("bar--faint",))] for hint in [self._hint(setting)] if hint]
        elif self._warnings:
            lines.append([(" memex.toml", ("bar--key",))])
        for warning in self._warnings[:2]:
            lines.append([(f" ! {cut(printable(warning), cells - 4)}", ("bar--warn",))])
        return lines

    @staticmethod
    def _hint(setting: Setting) -> str:
        hints = {
            "keys": "⏎ press new keys · a add · x none · d default",
            "theme": "⏎ choose from the list · ← → next",
            "preset": "← → next · d default",
            "number": "← → less and more · d default",
            "switch": "⏎ turn · d default",
            "choice": "← → next · d default",
            "text": "⏎ type another · d default",
            "job": "⏎ try again",
            "test": "⏎ ask it for one word",
            "path": "yy copies it",
            "rule": "⏎ off or on · t tries a prompt",
        }
        read_only = "changed in memex.toml: E opens it" if setting.id and "." in setting.id else ""
        if (
            setting.id.split(".")[0] in ("look", "about", "path", "gate", "model", "job")
            or setting.id == "editor.program"
        ):
            read_only = ""
        return hints.get(setting.kind, read_only)
