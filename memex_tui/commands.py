"""The one registry of what can be done in the app.

Keys, footer, palette, space menu, ``?`` help and the README's key table are all made from it. The
commands of an area stand in ``screens/<area>/commands.py``; the others stand here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import NamedTuple

from memex_tui.areas import AREAS
from memex_tui.keys import PRESETS, Keymap, shown

Keys = tuple[str, ...]


class Command(NamedTuple):
    """Something a person can ask for.

    ``where`` is the context it is valid in: ``global``, ``pane`` (a list or reader has the focus),
    ``item`` (a page is under the cursor), ``tour`` (it runs), an area's id, or a part of one
    (``search.results``). ``keys`` are the default preset's; ``vim`` and ``emacs`` replace them where
    given. ``menu`` are the keys after ``space``. ``footer`` is its word in the footer (empty: not
    there). ``words`` find it in the palette beside title and help; ``palette`` False keeps it out
    (moving the cursor).
    The method that does it is ``do_<id>``, dots and hyphens as underscores, on the area's screen or
    the app.
    """

    id: str
    title: str
    help: str
    group: str
    where: str = "global"
    keys: Keys = ()
    vim: Keys | None = None
    emacs: Keys | None = None
    menu: str = ""
    footer: str = ""
    words: str = ""
    palette: bool = True

    @property
    def handler(self) -> str:
        return "do_" + self.id.replace(".", "_").replace("-", "_")

    def keys_in(self, preset: str) -> Keys:
        """Its keys in a preset, the one in the space menu included."""
        own = {"vim": self.vim, "emacs": self.emacs}.get(preset)
        keys = self.keys if own is None else own
        return (*keys, f"space {self.menu}") if self.menu else keys


def _areas() -> Iterable[Command]:
    for number, area in enumerate(AREAS, 1):
        yield Command(
            f"go.{area.id}",
            f"Go to {area.title}",
            f"{area.promise}.",
            "Go",
            keys=(str(number), f"alt+{number}", f"g {area.key}"),
            menu=f"g {area.key}",
            words=f"area tab {area.id}",
        )


GLOBAL: tuple[Command, ...] = (
    Command(
        "go.pages",
        "Go to a page",
        "Pages by title, the ones read last first; a title that does not exist can be created.",
        "Go",
        keys=("ctrl+k",),
        emacs=("ctrl+x b",),
        menu="space",
        footer="pages",
        words="switch open find",
    ),
    Command(
        "go.back",
        "Go back",
        "To the place before this one, as it was left.",
        "Go",
        keys=("backspace", "ctrl+o"),
        emacs=("backspace", "alt+left"),
        menu="b",
        words="history previous",
    ),
    Command(
        "go.forward",
        "Go forward",
        "To the place that was left by going back.",
        "Go",
        keys=("ctrl+t",),
        emacs=("alt+right",),
        menu="f",
        words="history next",
    ),
    *_areas(),
    Command(
        "app.palette",
        "All commands",
        "Type a part of a command's name and run it.",
        "App",
        keys=("ctrl+p", ":"),
        emacs=("alt+x",),
        menu="p",
        footer="commands",
        words="palette",
    ),
    Command(
        "app.help",
        "Help for this pane",
        "The keys that work here, and what each does.",
        "App",
        keys=("?", "f1"),
        menu="?",
        footer="help",
        words="keys bindings",
    ),
    Command(
        "app.undo",
        "Undo the last action",
        "Takes back the last thing this app wrote, with every file it touched.",
        "App",
        keys=("u",),
        emacs=("ctrl+underscore",),
        menu="u",
        words="revert",
    ),
    Command(
        "app.theme",
        "Choose a theme",
        "Each theme is shown while it is under the cursor.",
        "App",
        menu="t",
        words="colour color look dark light",
    ),
    Command(
        "app.copy",
        "Copy the selection",
        "Copies the text that was selected with the mouse.",
        "App",
        keys=("ctrl+c",),
        emacs=("ctrl+c", "alt+w"),
        words="clipboard",
    ),
    Command(
        "app.suspend",
        "Suspend to the shell",
        "`fg` in the shell comes back.",
        "App",
        keys=("ctrl+z",),
        words="background shell",
    ),
    Command(
        "app.redraw",
        "Draw the screen again",
        "When another program has written over it.",
        "App",
        keys=("ctrl+l",),
        words="refresh clear",
    ),
    Command(
        "app.quit",
        "Quit",
        "Unsaved text is kept for the next start.",
        "App",
        keys=("ctrl+q",),
        emacs=("ctrl+x ctrl+c", "ctrl+q"),
        menu="q",
        words="exit q wq",
    ),
    Command(
        "item.peek",
        "Peek",
        "A small card of the page under the cursor; K on a link in a card opens the next.",
        "Page under the cursor",
        "item",
        keys=("K",),
        footer="peek",
        words="card preview",
    ),
    Command(
        "item.why",
        "Why it is known",
        "Goes to the turns of conversations that prove the page under the cursor.",
        "Page under the cursor",
        "item",
        keys=("w",),
        words="sources evidence proof provenance",
    ),
    Command(
        "item.graph",
        "Show in the graph",
        "The neighbourhood of the page under the cursor.",
        "Page under the cursor",
        "item",
        menu="l",
        words="links neighbours map",
    ),
    Command(
        "item.copy-link",
        "Copy link",
        "Copies [[title]] to the clipboard.",
        "Page under the cursor",
        "item",
        keys=("y y", "y l"),
        menu="y l",
        words="clipboard yank wiki",
    ),
    Command(
        "item.copy-path",
        "Copy path",
        "Copies the absolute path of the page's file.",
        "Page under the cursor",
        "item",
        keys=("y p",),
        menu="y p",
        words="clipboard yank file",
    ),
    Command(
        "item.copy-text",
        "Copy text",
        "Copies the page's Markdown without its front matter.",
        "Page under the cursor",
        "item",
        keys=("y t",),
        menu="y t",
        words="clipboard yank body",
    ),
    Command(
        "pane.next", "Next pane", "Moves the focus on.", "Move", keys=("tab",), footer="pane", palette=False
    ),
    Command(
        "pane.previous", "Previous pane", "Moves the focus back.", "Move", keys=("shift+tab",), palette=False
    ),
    Command(
        "pane.down",
        "Down",
        "One row down.",
        "Move",
        "pane",
        keys=("j", "down"),
        emacs=("ctrl+n", "down"),
        palette=False,
    ),
    Command(
        "pane.up",
        "Up",
        "One row up.",
        "Move",
        "pane",
        keys=("k", "up"),
        emacs=("ctrl+p", "up"),
        palette=False,
    ),
    Command(
        "pane.half-down",
        "Half a page down",
        "Half a window down.",
        "Move",
        "pane",
        ("ctrl+d",),
        palette=False,
    ),
    Command(
        "pane.half-up", "Half a page up", "Half a window up.", "Move", "pane", ("ctrl+u",), palette=False
    ),
    Command(
        "pane.page-down",
        "Page down",
        "A window down.",
        "Move",
        "pane",
        keys=("pagedown", "ctrl+f"),
        emacs=("pagedown", "ctrl+v"),
        palette=False,
    ),
    Command(
        "pane.page-up",
        "Page up",
        "A window up.",
        "Move",
        "pane",
        keys=("pageup", "ctrl+b"),
        emacs=("pageup", "alt+v"),
        palette=False,
    ),
    Command(
        "pane.top",
        "Top",
        "The first row.",
        "Move",
        "pane",
        keys=("g g", "home"),
        emacs=("alt+<", "home"),
        palette=False,
    ),
    Command(
        "pane.bottom",
        "Bottom",
        "The last row.",
        "Move",
        "pane",
        keys=("G", "end"),
        emacs=("alt+>", "end"),
        palette=False,
    ),
)


@cache
def every_command() -> tuple[Command, ...]:
    """All commands: the common ones, then those of each area."""
    found = [*GLOBAL, *import_module("memex_tui.tour.commands").COMMANDS]
    for area in AREAS:
        found.extend(import_module(f"memex_tui.screens.{area.id}.commands").COMMANDS)
    return tuple(found)


def key_table(preset: str = "default") -> str:
    """The keys of every command as a Markdown table, for the README."""
    keymap = Keymap(every_command(), preset)
    lines = ["| where | key | command | what it does |", "|---|---|---|---|"]
    for command in every_command():
        keys = [shown(keys) for keys in keymap.keys(command.id)]
        if keys:
            cell = ", ".join(f"`{key}`" for key in keys).replace("|", "\\|")
            lines.append(f"| {place_name(command.where)} | {cell} | {command.title} | {command.help} |")
    return "\n".join(lines) + "\n"


def place_name(where: str) -> str:
    """A context in words: ``everywhere``, ``Search``, ``Search, results``."""
    fixed = {
        "global": "everywhere",
        "pane": "lists and pages",
        "item": "on a page's row",
        "tour": "in the tour",
    }
    if where in fixed:
        return fixed[where]
    area, _, part = where.partition(".")
    title = next((one.title for one in AREAS if one.id == area), area)
    return f"{title}, {part.replace('-', ' ')}" if part else title


__all__ = ["GLOBAL", "PRESETS", "Command", "every_command", "key_table", "place_name"]
