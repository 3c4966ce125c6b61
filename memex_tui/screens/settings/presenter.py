"""What the Settings area shows, without a terminal: sections, settings, where each value comes from."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.files.config import ENVIRONMENT, Config, Editor
from memex_core.files.config_schema import Field, fields, typed
from memex_core.files.layout import Layout
from memex_tui.commands import Command, place_name
from memex_tui.keys import PRESETS, UNSAFE, Keymap, shown
from memex_tui.matching import score
from memex_tui.screens.settings.wording import HELP, TABLES, TITLES

FILE = "memex.toml"
NOTHING = ("not set", "none")  # how no value is shown
STEPPED = 100  # a number with a wider range is typed


class Section(NamedTuple):
    """A page of settings; ``tables`` are the tables of the file that it shows."""

    id: str
    title: str
    tables: tuple[str, ...] = ()


SECTIONS = (
    Section("look", "Look"),
    Section("keys", "Keys", ("keys",)),
    Section("editor", "Editor", ("editor",)),
    Section("memory", "Memory", ("pages", "recall", "governance", "recency_decay", "bm25", "index")),
    Section("gate", "Gate"),
    Section("agents", "Agents", ("capture",)),
    Section("models", "Models", ("llm", "consolidation", "embed")),
    Section("jobs", "Jobs"),
    Section("paths", "Paths", ("data_dir", "logging")),
    Section("about", "About"),
)


class Setting(NamedTuple):
    """A row: a heading (no ``id``) or a setting.

    ``kind`` says what can be done with it: ``theme``, ``preset``, ``number``, ``switch``, ``choice``,
    ``text``, ``keys``, ``path``, ``job``, ``test`` or ``""`` (read only). ``choices`` are all values of a
    choice, ``low``, ``high`` and ``step`` those of a number. ``origin`` is where the value comes from, in
    words; ``own`` whether a person set it.
    """

    id: str
    name: str
    value: str = ""
    origin: str = ""
    help: str = ""
    kind: str = ""
    own: bool = False
    section: str = ""
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = 0
    step: float = 1

    @property
    def heading(self) -> bool:
        return not self.id

    @property
    def table(self) -> str:
        """The table of the file in which it stands; empty for all that stands in none."""
        return self.id.partition(".")[0] if self.id in TITLES else ""


class Terminal(NamedTuple):
    """What is known of the terminal."""

    colours: str
    size: str
    name: str
    clipboard: str
    motion: str


def heading(text: str, section: str) -> Setting:
    return Setting("", text, section=section)


def look(theme: str, dark: bool, terminal: Terminal) -> list[Setting]:
    """The app's looks, and what the terminal makes possible."""
    kept = f"{'dark' if dark else 'light'} · kept here"
    help = "Each theme is shown while it is under the cursor; ← and → go on to the next."
    found = [
        Setting("look.theme", "Theme", theme, kept, help, "theme", True, "look"),
        heading("This terminal", "look"),
    ]
    for name, (origin, help) in _TERMINAL.items():
        id = f"look.{name.lower()}"
        found.append(Setting(id, name, getattr(terminal, name.lower()), origin, help, section="look"))
    return found


_TERMINAL = {
    "Colours": (
        "COLORTERM, TERM",
        "Set COLORTERM=truecolor where the terminal can do more; NO_COLOR turns colours off.",
    ),
    "Size": ("now", "From 100 columns lists get a pane beside them, from 120 more of it."),
    "Name": ("TERM", "What the terminal calls itself."),
    "Clipboard": (
        "found out when copying",
        "How copied text leaves the app. In tmux the terminal's way needs `set -g set-clipboard on`.",
    ),
    "Motion": (
        "TEXTUAL_ANIMATIONS",
        "none, basic or full: set TEXTUAL_ANIMATIONS before the start.",
    ),
}


def keys(config: Config | None, keymap: Keymap) -> list[Setting]:
    """The preset, and every command with its keys."""
    own = config.keys.unknown if config is not None else {}
    rows = [_of_file(config, "keys.preset", TITLES["keys.preset"], keymap.preset, "preset", "keys")]
    place = ""
    for command in keymap.commands.values():
        where = place_name(command.where)
        if where != place:
            rows.append(heading(where[:1].upper() + where[1:], "keys"))
            place = where
        bound = keymap.keys(command.id)
        mine = command.id in own
        rows.append(
            Setting(
                f"keys:{command.id}",
                command.title,
                "  ".join(shown(one) for one in bound) or "none",
                FILE if mine else f"{keymap.preset} preset",
                f"{command.help}  ({command.id})",
                "keys",
                mine,
                "keys",
            )
        )
    return rows


def editor(config: Config | None, environ: Mapping[str, str]) -> list[Setting]:
    """The app's own editor, and the one it can hand pages to."""
    values = config.editor if config is not None else Editor()
    variable = next((name for name in ("VISUAL", "EDITOR") if environ.get(name)), "")
    origin = f"${variable}" if variable else "neither $VISUAL nor $EDITOR is set"
    help = "E hands a page to it; set EDITOR in your shell."
    program = environ.get(variable, "") or "none"
    width = _of_file(
        config, "editor.tab_width", TITLES["editor.tab_width"], str(values.tab_width), "number", "editor"
    )
    schema = fields()["editor.tab_width"]
    return [
        width._replace(low=schema.low or 1, high=schema.high or 16),
        _of_file(config, "editor.wrap", TITLES["editor.wrap"], _plain(values.wrap), "switch", "editor"),
        Setting("editor.program", "Your editor", program, origin, help, section="editor"),
    ]


def _of_file(config: Config | None, id: str, name: str, value: str, kind: str, section: str) -> Setting:
    origin = config.origin(id) if config is not None else "default"
    return Setting(id, name, value, in_words(id, origin), HELP.get(id, ""), kind, origin == "file", section)


def in_words(id: str, origin: str) -> str:
    """Where a value comes from: ``default``, the file, or the variable that set it."""
    if origin == "file":
        return FILE
    if origin == "env":
        table, _, key = id.partition(".")
        return next(
            (f"${name}" for name, place in ENVIRONMENT.items() if place == (table, key)), "environment"
        )
    return "default"


def tables(config: Config | None, section: Section) -> list[Setting]:
    """The settings of the file's tables that a section shows; what each may be is what the schema says."""
    rows: list[Setting] = []
    schema = fields()
    described = config.described() if config is not None else []
    for table in section.tables:
        found = [row for row in described if row["key"].startswith(f"{table}.")]
        if found:
            rows.append(heading(TABLES.get(table, f"[{table}]"), section.id))
        for row in found:
            id, origin = row["key"], row["origin"]
            help = HELP.get(id, "memex does not know this setting; it is kept as it is.")
            own = origin != "default"
            name = TITLES.get(id, id.partition(".")[2])
            made = Setting(id, name, _plain(row["value"]), in_words(id, origin), help, "", own, section.id)
            rows.append(changeable(made, schema[id]) if id in schema else made)
    return rows


def changeable(row: Setting, field: Field) -> Setting:
    """A row with what can be done with it, and what it may be."""
    if field.secret:
        return row._replace(help=f"{row.help} E opens the file: it is never shown here.")
    if field.may_be and field.may_be not in row.help:
        row = row._replace(help=f"{row.help} {field.may_be[:1].upper()}{field.may_be[1:]}.")
    if field.kind == "bool":
        return row._replace(kind="switch")
    if field.choices:
        return row._replace(kind="choice", choices=field.choices)
    if field.low is not None and field.high is not None and field.high - field.low <= STEPPED:
        step = 1 if field.kind == "int" else 0.05
        return row._replace(kind="number", low=field.low, high=field.high, step=step)
    return row._replace(kind="text")


def _plain(value: Any) -> str:
    """A value for people."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value)) or "none"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if value != "" else "not set"


def paths(layout: Layout | None, root: str, state: str | None) -> list[Setting]:
    """Where everything lies on disk."""
    if layout is None:
        return [_path("memory", "Memory", root, "There is none here yet: `memex init` makes one.")]
    found = [
        _path("memory", "Memory", layout.root, "The folder that you named."),
        _path("pages", "Pages", layout.pages, "The Markdown files: the truth."),
        _path("config", "Settings", layout.config, "This file need not exist; E opens it in your editor."),
        _path("journal", "Journal", layout.journal, "What was changed, by whom, with the text before."),
        _path("index", "Index", layout.index, "Made from the files; it can be deleted at any time."),
        _path("diary", "Diary", layout.diary, "One file a day."),
        _path("transcripts", "Conversations", layout.transcripts, "Captured sessions, a line for each turn."),
        _path("rules", "Rules", layout.rules, "What agents may remember, and how."),
        _path("logs", "Logs", layout.logs, "What memex did, and what went wrong inside it."),
    ]
    return [*found, _path("state", "App's state", state, "Area, places, theme.")] if state else found


def _path(id: str, name: str, path: str, help: str) -> Setting:
    there = "there" if os.path.exists(path) else "not there yet"
    return Setting(f"path.{id}", name, path, there, help, "path", section="paths")


def about(facts: Mapping[str, str]) -> list[Setting]:
    """Versions."""
    return [Setting(f"about.{name}", name, value, "", section="about") for name, value in facts.items()]


_WORDS = re.compile(r"[._]")  # between the words of a key


def found(text: str, rows: Sequence[Setting]) -> list[Setting]:
    """The settings that fit what is typed, by name or key, the best first; each says what it belongs to."""
    rows = [row._replace(name=f"{row.name} · {row.table}") if row.table else row for row in rows]
    scored = [
        (score(text, row.name, f"{row.id} {_WORDS.sub(' ', row.id)} {row.value} {row.help}"), row)
        for row in rows
        if row.id
    ]
    return [row for _, row in sorted((one for one in scored if one[0]), key=lambda one: -one[0])]


# -- keys -----------------------------------------------------------------------------------------


def rebound(keymap: Keymap, id: str, typed: str, *, add: bool) -> tuple[str, ...]:
    """The keys of a command when ``typed`` is bound to it: instead of its keys or beside them. What
    leads to it through the space menu stays."""
    now = keymap.keys(id)
    kept = [one for one in now if add or one.startswith("space ")]
    new = [one for one in kept if not one.startswith("space ")]
    menu = [one for one in kept if one.startswith("space ")]
    return tuple(dict.fromkeys([*new, typed, *menu]))


def in_the_way(keymap: Keymap, id: str, typed: str) -> list[Command]:
    """The commands of the same place that have the keys, or whose keys begin with them or begin them."""
    where = keymap.commands[id].where
    found = []
    for command in keymap.commands.values():
        if (
            command.id != id
            and command.where == where
            and any(_meet(typed, one) for one in keymap.keys(command.id))
        ):
            found.append(command)
    return found


def _meet(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other} ") or other.startswith(f"{one} ")


def elsewhere(keymap: Keymap, id: str, typed: str) -> list[str]:
    """What the keys mean in other places that are valid at the same time, and which goes before."""
    mine = keymap.commands[id]
    found = []
    for command in keymap.commands.values():
        if _depth(command.where) != _depth(mine.where) and any(
            _meet(typed, one) for one in keymap.keys(command.id)
        ):
            place = place_name(command.where)
            before = _depth(command.where) > _depth(mine.where)
            text = (
                f"{place}: “{command.title}” goes before"
                if before
                else f"goes before “{command.title}”, {place}"
            )
            found.append(text)
    return found


def _depth(where: str) -> int:
    """How special a place is; the more special one is asked first."""
    return {"global": 0, "pane": 1, "item": 2}.get(where, 3)


def freed(keymap: Keymap, command: Command, typed: str) -> list[str]:
    """The keys of a command without those that are in the way of ``typed``."""
    return [one for one in keymap.keys(command.id) if not _meet(typed, one)]


def written(keymap: Keymap, id: str, bound: Sequence[str]) -> str | list[str] | None:
    """How keys are written in the file: None when they are the preset's, text when it is one."""
    if tuple(bound) == keymap.commands[id].keys_in(keymap.preset):
        return None
    return bound[0] if len(bound) == 1 else list(bound)


def remarks(keymap: Keymap, id: str, typed: str) -> list[tuple[str, str]]:
    """What to know before a key is taken: (style, text)."""
    said = []
    for key in typed.split():
        if key in UNSAFE:
            said.append(("warn", f"{shown(key)} {UNSAFE[key]} in most terminals"))
    for command in in_the_way(keymap, id, typed)[:3]:
        said.append(("warn", f"taken from “{command.title}”"))
    said += [("muted", text) for text in elsewhere(keymap, id, typed)[:2]]
    if len(typed.split()[0]) == 1 and typed.split()[0].isprintable():
        said.append(("muted", "not while a text field has the focus"))
    return said


def stepped(setting: Setting, by: int, themes: Sequence[str]) -> str:
    """The value one step on; round the end for choices, not beyond the end for numbers."""
    if setting.kind == "number":
        value = float(setting.value) + by * setting.step
        return f"{min(max(round(value, 4), setting.low), setting.high):g}"
    if setting.kind == "switch":
        return "off" if setting.value == "on" else "on"
    choices = list(themes) if setting.kind == "theme" else list(setting.choices or PRESETS)
    at = choices.index(setting.value) if setting.value in choices else -1
    return choices[(at + by) % len(choices)]


def stored(setting: Setting, value: str) -> str | bool | int | float | list[str]:
    """A shown value as it is written to the file. Raises BadInput for one that it may not be."""
    field = fields().get(setting.id)
    return typed(field, value) if field is not None else value
