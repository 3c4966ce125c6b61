"""Whether a command or a tool looks into memory: the store's files, and what agents keep of conversations.

What is read there was said before: it is recalled, and no new evidence. Paths are compared as text, in every
folder the session was in; a link that leads into the store under another name is the caller's to add.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, NamedTuple

from memex_core.model.commands.reach import asked
from memex_core.model.commands.shell import Command, Unreadable
from memex_core.model.names import PAGE_ENDINGS


class Memory(NamedTuple):
    """Where memory lies: ``places`` are folders and files, absolute; in ``vaults``, folders opened as they
    are, only the pages are memory. ``cwds`` are the folders that the session was in, ``home`` is the
    person's."""

    places: tuple[str, ...] = ()
    vaults: tuple[str, ...] = ()
    cwds: tuple[str, ...] = ()
    home: str = ""


NOWHERE = Memory()

_OWN = re.compile(
    r"(?:\A|[/\\\s'\"=:])\.memex(?:[/\\\s'\"]|\Z)|\$\{?MEMEX_(?:HOME|ROOT|DATA_DIR)\b"
    r"|/\.codex/(?:archived_)?sessions\b|/\.claude/projects\b|/\.pi/agent/sessions\b|/\.gemini/tmp\b"
)
"""Memory wherever it lies: stores in their usual place, and what agents keep of their conversations."""

_PATH_KEY = re.compile(r"path|dir|file|folder|pattern|glob|root|uri|cwd|include", re.IGNORECASE)
_PLACE_KEYS = ("path", "dir_path", "directory", "paths")
_FOLDER_KEYS = ("workdir", "working_directory", "cwd", "directory", "dir_path")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete|Move to)(?: File)?: (.+)$", re.MULTILINE)
_HOME = re.compile(r"\A(?:~(?=/|\Z)|\$HOME\b|\$\{HOME\}|%USERPROFILE%)")
_PATH = re.compile(r"[^\s'\"`=,;:()<>|{}\[\]]+")
_LOOKING_HERE = {
    **dict.fromkeys("ls ll dir tree find fd fdfind list gci get-childitem".split(), 1),
    **dict.fromkeys("rg ag ack grep egrep fgrep glob list_dir list_directory grep_files".split(), 2),
    "git": 1_000,
}
"""What looks at the folder it is in when it has no more words than so many, options not counted."""


def reads_memory(tool: str, query: str, result: str, memory: Memory, shell: bool) -> bool:
    """Whether the tool looked into memory. ``shell`` says that its query is commands."""
    if _OWN.search(query) or _named(memory).search(query):
        return True
    if not (memory.places or memory.vaults):
        return False
    hint = _hint(memory)
    if hint is not None and not (hint.search(query) or any(part in result for part in _shown(memory))):
        return False
    value = _value(query)
    folders = _folders(value, memory)
    words = folders[len(memory.cwds) :]
    words += _commanded(query, folders) if shell else [*_paths(value), *_PATCHED.findall(query)]
    if tool in _LOOKING_HERE and not (isinstance(value, dict) and any(map(value.get, _PLACE_KEYS))):
        words.append(".")
    if hint is not None:
        words = [word for word in words if word[:1] in ("/", ".") or hint.search(word)]
    return any(
        _inside(folder, word, result, memory)
        for folder in dict.fromkeys(folders)
        for word in dict.fromkeys(words)
    )


@cache
def _named(memory: Memory) -> re.Pattern[str]:
    """Finds a place of memory that is named in full, wherever it stands in the text."""
    if not memory.places:
        return re.compile(r"(?!)")
    return re.compile("|".join(re.escape(place) + r"(?![\w.-])" for place in memory.places))


@cache
def _hint(memory: Memory) -> re.Pattern[str] | None:
    """Finds what a path must have that leads into memory without naming it in full: most commands have
    nothing of it, and cost no more. None for a session inside memory, where any word may be such a path."""
    every = (*memory.places, *memory.vaults)
    if any(_within(cwd, place) for cwd in memory.cwds for place in every):
        return None
    names = "|".join(re.escape(place.rpartition("/")[2]) for place in every)
    return re.compile(rf"\.\.|~|HOME|USERPROFILE|[*?\]][^\s/]*/|(?:\A|[/\s'\"=:\\])(?:{names})(?![\w.-])")


@cache
def _shown(memory: Memory) -> tuple[str, ...]:
    """What a search shows that came by memory: its places, named in full or from a folder above them."""
    below = [
        place[len(cwd) + 1 :] + end
        for place in memory.places
        for cwd in memory.cwds
        for end in "/:"
        if place.startswith(cwd + "/")
    ]
    return (*memory.places, *below)


def _value(query: str) -> Any:
    if query[:1] in ("{", "["):
        try:
            return json.loads(query)
        except (ValueError, RecursionError):
            pass
    return query


def _folders(value: Any, memory: Memory) -> list[str]:
    """The folders from which a path may be meant."""
    found = list(memory.cwds)
    if isinstance(value, dict):
        for key in _FOLDER_KEYS:
            if isinstance(value.get(key), str):
                found += [_joined(cwd, value[key], memory.home) for cwd in memory.cwds or ("/",)]
    return found or ["/"]


def _commanded(query: str, folders: list[str]) -> Iterator[str]:
    """The words of commands that may be paths. A folder that they change to is added to ``folders``."""
    try:
        commands = asked(query)
    except Unreadable:
        yield from _PATH.findall(query)
        return
    for command in commands:
        yield from _of_command(command, folders)


def _of_command(command: Command, folders: list[str]) -> Iterator[str]:
    yield from command.files
    if command.fed:
        yield from _PATH.findall(command.fed)
    words = command.words
    if words[:1] in (["cd"], ["pushd"]) and len(words) > 1:
        folders += [_joined(folder, words[1], "") for folder in folders[:20]]
    for word in words:
        yield word
        if " " in word or "=" in word:
            yield from _PATH.findall(word)
    least = _LOOKING_HERE.get(words[0].rpartition("/")[2], 0) if words else 0
    if least and sum(not word.startswith("-") for word in words) <= least:
        yield "."


def _paths(value: Any) -> Iterator[str]:
    """The values of a tool's arguments that name files."""
    if isinstance(value, dict):
        for key, one in value.items():
            if isinstance(one, str) and _PATH_KEY.search(str(key)):
                yield one
            elif isinstance(one, dict | list):
                yield from _paths(one) if not isinstance(one, list) else _listed(one)
    elif isinstance(value, str) and "\n" not in value and len(value) < 1_000:
        yield value


def _listed(values: list[Any]) -> Iterator[str]:
    for one in values:
        yield from _paths(one)


def _joined(folder: str, word: str, home: str) -> str:
    path = word.replace("\\", "/")
    if home:
        path = _HOME.sub(lambda _: home, path)
    return posixpath.normpath(posixpath.join(folder, path))


def _inside(folder: str, word: str, result: str, memory: Memory) -> bool:
    path = _joined(folder, word, memory.home)
    for place in memory.places:
        if _within(path, place):
            return True
        if place.startswith(path.rstrip("/") + "/"):  # a search may have come by there
            below = place[len(path.rstrip("/")) + 1 :]
            if f"{below}/" in result or f"{below}:" in result:
                return True
    for vault in memory.vaults:
        if path == vault or _within(path, vault):
            name = path.lower()
            shown = any(ending in result.lower() for ending in PAGE_ENDINGS)
            if name.endswith(PAGE_ENDINGS) or (shown and "." not in posixpath.basename(path[len(vault) :])):
                return True
    return False


def _within(path: str, place: str) -> bool:
    if path == place or path.startswith(place + "/"):
        return True
    if "*" not in path and "?" not in path and "[" not in path:
        return False
    parts, wanted = path.split("/"), place.split("/")
    return len(parts) >= len(wanted) and all(map(fnmatchcase, wanted, parts))
