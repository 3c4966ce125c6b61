"""Keys: how they are written, which command they mean, and sequences like ``g g`` or ``space p``.

A key is written as its character (``n``, ``G``, ``?``) or by name (``ctrl+k``, ``enter``,
``space``, ``alt+1``); a sequence has spaces between its keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from memex_tui.commands import Command

Allowed = Callable[[str], bool]  # whether the command with that id makes sense now

PRESETS = ("default", "vim", "emacs")

# What a plain terminal cannot send, or sends as another key: never a default.
UNSAFE = {
    "ctrl+m": "arrives as enter",
    "ctrl+i": "arrives as tab",
    "ctrl+h": "arrives as backspace",
    "ctrl+j": "arrives as enter in many terminals",
    "ctrl+[": "arrives as escape",
    "ctrl+space": "arrives as ctrl+@",
    "shift+enter": "arrives as enter",
    "ctrl+enter": "arrives as enter",
}

_NAMES = {
    "question_mark": "?",
    "full_stop": ".",
    "comma": ",",
    "colon": ":",
    "semicolon": ";",
    "slash": "/",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "percent_sign": "%",
    "space": "space",
    "plus": "+",
    "minus": "-",
    "exclamation_mark": "!",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}
_SHOWN = {
    "enter": "⏎",
    "escape": "esc",
    "backspace": "⌫",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


def key_of(name: str, character: str | None) -> str:
    """Our spelling of a key event's ``key`` and ``character``."""
    if name == "space" or character == " ":
        return "space"
    plain = "+" not in name or len(name) == 1
    if plain and character is not None and len(character) == 1 and character.isprintable():
        return character
    head, plus, last = name.rpartition("+")
    return f"{head}{plus}{_NAMES.get(last, last)}"


def shown(keys: str) -> str:
    """A key or sequence as people read it: ``^k``, ``⏎``, ``gd``, ``space p``."""
    parts = []
    for key in keys.split():
        if key.startswith("ctrl+") and len(key) == 6:
            parts.append("^" + key[5:])
        else:
            parts.append(_SHOWN.get(key, key))
    return "".join(parts) if all(len(part) == 1 for part in parts) else " ".join(parts)


_EDITING = frozenset(("space", "backspace", "delete", "left", "right", "home", "end"))


def typeable(key: str) -> bool:
    """Whether the key writes or moves in a text field."""
    return len(key) == 1 or key in _EDITING


def _flat(overrides: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The overrides by id: unquoted, ``go.pages`` is a table in a table to TOML."""
    for key, value in overrides.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _meet(where: str, other: str) -> bool:
    """Whether two contexts can be valid at the same time."""
    if where == other or {where, other} & {"global", "pane", "item"}:
        return True
    return where.startswith(f"{other}.") or other.startswith(f"{where}.")


class Clash(NamedTuple):
    """Two commands of one context with the same keys, or where one's keys begin the other's."""

    where: str
    keys: str
    ids: tuple[str, str]


class Keymap:
    """The keys in force: a preset's, some of them bound anew.

    ``warnings`` are lines for people about overrides that could not be taken.
    """

    def __init__(
        self,
        commands: Sequence[Command],
        preset: str = "default",
        overrides: Mapping[str, Any] | None = None,
    ) -> None:
        self.preset = preset if preset in PRESETS else "default"
        self.warnings: list[str] = []
        self.commands = {command.id: command for command in commands}
        self._keys = {command.id: command.keys_in(self.preset) for command in commands}
        self._own: set[str] = set()  # commands that the person bound
        for id, value in _flat(overrides or {}):
            self._override(id, value)
        self._make_room()
        self._tables: dict[str, dict[tuple[str, ...], Command]] = {}
        self._beginnings: dict[str, set[tuple[str, ...]]] = {}
        for command in commands:
            for keys in self._keys[command.id]:
                self._bind(command, tuple(keys.split()))

    def _override(self, id: str, value: Any) -> None:
        if id not in self.commands:
            self.warnings.append(f"[keys] {id}: there is no such command")
            return
        wanted = [value] if isinstance(value, str) else value
        if not isinstance(wanted, list) or not all(isinstance(one, str) for one in wanted):
            self.warnings.append(f"[keys] {id}: give a key or a list of keys")
            return
        keys = tuple(" ".join(one.split()) for one in wanted if one.strip())
        for one in keys:
            for key in one.split():
                if key in UNSAFE:
                    self.warnings.append(f"[keys] {id}: {key} {UNSAFE[key]} in most terminals")
        self._keys[id] = keys
        self._own.add(id)

    def _make_room(self) -> None:
        """Take the keys that the person gave to a command from others that would get them first."""
        for id in self._own:
            where, taken = self.commands[id].where, self._keys[id]
            for other, several in self._keys.items():
                if other not in self._own and _meet(where, self.commands[other].where):
                    self._keys[other] = tuple(
                        keys for keys in several if not any(f"{keys} ".startswith(f"{one} ") for one in taken)
                    )

    def _bind(self, command: Command, keys: tuple[str, ...]) -> None:
        table = self._tables.setdefault(command.where, {})
        table.setdefault(keys, command)
        starts = self._beginnings.setdefault(command.where, set())
        starts.update(keys[:size] for size in range(1, len(keys)))

    def keys(self, id: str) -> tuple[str, ...]:
        """The keys of a command; empty when it has none (or does not exist)."""
        return self._keys.get(id, ())

    def clashes(self) -> list[Clash]:
        """What cannot work: keys that two commands of one context share, or that begin a sequence."""
        found = []
        owners: dict[tuple[str, str], str] = {}
        for id, several in self._keys.items():
            where = self.commands[id].where
            for keys in several:
                other = owners.setdefault((where, keys), id)
                if other != id:
                    found.append(Clash(where, keys, (other, id)))
        for (where, keys), id in owners.items():
            for (place, longer), other in owners.items():
                if place == where and other != id and longer.startswith(keys + " "):
                    found.append(Clash(where, keys, (id, other)))
        return found

    def look_up(
        self, typed: Sequence[str], contexts: Iterable[str], allowed: Allowed = lambda _: True
    ) -> tuple[Command | None, bool]:
        """The command that ``typed`` means, and whether it begins a longer sequence instead.

        Contexts come most specific first; the first one that knows the keys decides. A command that is
        not ``allowed`` (by its id) leaves its keys to the contexts behind it.
        """
        keys = tuple(typed)
        for where in contexts:
            command = self._tables.get(where, {}).get(keys)
            if command is not None and allowed(command.id):
                return command, False
            if keys in self._beginnings.get(where, ()):
                return None, True
        return None, False

    def continuations(
        self, typed: Sequence[str], contexts: Iterable[str]
    ) -> list[tuple[str, Command | None]]:
        """What may follow ``typed``: the next key and its command (None: yet more keys follow)."""
        size = len(typed)
        found: dict[str, Command | None] = {}
        for where in contexts:
            for keys, command in self._tables.get(where, {}).items():
                if keys[:size] == tuple(typed) and len(keys) > size:
                    found.setdefault(keys[size], command if len(keys) == size + 1 else None)
        return sorted(found.items(), key=lambda entry: (entry[0].lower(), entry[0]))


class KeyMachine:
    """Takes keys one at a time and says which command they mean."""

    def __init__(self, keymap: Keymap) -> None:
        self.keymap = keymap
        self.typed: list[str] = []

    @property
    def pending(self) -> bool:
        """Whether a sequence has begun."""
        return bool(self.typed)

    def cancel(self) -> None:
        """Forget the sequence."""
        self.typed.clear()

    def feed(
        self, key: str, contexts: Sequence[str], *, in_text: bool = False, allowed: Allowed = lambda _: True
    ) -> tuple[bool, Command | None]:
        """(whether the key is ours, the command it completes). ``in_text``: a text field has the focus,
        so keys that type a character are not ours unless a sequence has begun."""
        if self.typed and key == "escape":
            self.cancel()
            return True, None
        if in_text and not self.typed and typeable(key):
            return False, None
        began = bool(self.typed)
        self.typed.append(key)
        command, more = self.keymap.look_up(self.typed, contexts, allowed)
        if command is not None:
            self.cancel()
            return True, command
        if more:
            return True, None
        self.cancel()
        return began, None
