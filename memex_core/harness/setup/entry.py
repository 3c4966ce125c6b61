"""What an installer says of one settings file: what it would become, and what of memex is in it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from memex_core.model.errors import Damaged


class Edited(NamedTuple):
    """A file's new bytes (None: the file goes) and what the person should know."""

    data: bytes | None
    notes: tuple[str, ...] = ()


class Seen(NamedTuple):
    """What of memex is in a file.

    ``entries`` are named for people, ``hooks`` by memex's events. ``mcp``: the server's entry is there.
    ``programs`` are what the entries start; ``changed`` names entries that somebody edited.
    """

    entries: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    mcp: bool = False
    programs: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


class Settings(Protocol):
    """One settings file of an agent, and memex's entries for it.

    All raise Damaged (naming file and line) for bytes that are not what the agent reads, and Refused
    where an entry cannot be made without harm to what is there.
    """

    @property
    def path(self) -> str:
        """The absolute path."""

    @property
    def nothing(self) -> bytes:
        """What an empty file of the kind holds."""

    def put(self, data: bytes | None) -> Edited:
        """The file with memex's entries, each once, in today's form. None: there is no file."""

    def take(self, data: bytes, before: bytes | None) -> Edited:
        """The file without them. ``before``: its bytes from before they were put, None if there was no
        file: then it goes again if nothing else is in it."""

    def look(self, data: bytes) -> Seen:
        """What of memex is in it."""


def together(seen: list[Seen]) -> Seen:
    """Several as one."""
    return Seen(
        tuple(entry for one in seen for entry in one.entries),
        tuple(hook for one in seen for hook in one.hooks),
        any(one.mcp for one in seen),
        tuple(dict.fromkeys(program for one in seen for program in one.programs)),
        tuple(entry for one in seen for entry in one.changed),
    )


def text_of(path: str, data: bytes) -> str:
    """The text of a settings file. Damaged names the line that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Damaged(f"{path} is not UTF-8 (line {line})", hint="nothing was changed") from None
