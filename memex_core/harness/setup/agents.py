"""The agents that memex can be installed for, and what of it each of them has."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import ModuleType
from typing import NamedTuple

from memex_core.harness.setup import claude, codex, copilot, gemini, pi, where, writing
from memex_core.harness.setup.command import Caller, running
from memex_core.harness.setup.entry import Seen, Settings, together
from memex_core.harness.setup.where import Where
from memex_core.model.errors import MemexError

AGENTS: dict[str, ModuleType] = {
    "claude": claude,
    "codex": codex,
    "pi": pi,
    "copilot": copilot,
    "gemini": gemini,
}
OF_PROJECTS = ("copilot",)
"""Agents whose settings belong to a project."""


class Installed(NamedTuple):
    """What of memex an agent has.

    ``found``: the agent's folder is there. ``config`` are its settings files. ``entries`` are named for
    people; ``hooks`` are memex's events that it calls; ``mcp`` whether it starts the server (an agent
    without MCP in its settings: ``hooks`` or instructions are all there is). ``complete``: all that
    ``memex install`` would write. ``changed`` are entries that somebody edited. ``problem`` is one line,
    or "": settings that cannot be read, a program that is gone.
    """

    agent: str
    title: str
    found: bool
    config: tuple[str, ...]
    entries: tuple[str, ...]
    hooks: tuple[str, ...]
    mcp: bool
    complete: bool
    changed: tuple[str, ...]
    problem: str

    @property
    def installed(self) -> bool:
        return bool(self.entries or self.changed)


def agents(home: str | None, environ: Mapping[str, str], project: str | None = None) -> list[Installed]:
    """Every agent, installed or not; reads settings, writes nothing.

    ``home`` None: the person's, with what ``environ`` says of it. ``project``: the folder for agents that
    have settings per project only (default: none of those). What is wrong there is told, not raised.
    """
    caller = Caller(running(environ))
    here = where.of(environ, home)
    found = []
    for name in AGENTS:
        if name not in OF_PROJECTS:
            found.append(look(name, here, caller))
        elif project:
            found.append(look(name, where.of(environ, home, project), caller))
    return found


def settings_of(name: str, place: Where, caller: Caller) -> tuple[Settings, ...]:
    """The settings files of an agent, with memex's entries for them."""
    made: tuple[Settings, ...] = AGENTS[name].settings(place, caller, windows=os.name == "nt")
    return made


def folder_of(name: str, place: Where) -> str:
    """The agent's folder."""
    return str(AGENTS[name].folder(place))


def look(name: str, place: Where, caller: Caller) -> Installed:
    """What of memex the agent has."""
    folder = folder_of(name, place)
    settings = settings_of(name, place, caller)
    seen: list[Seen] = []
    problem, there, missing = "", False, 0
    for one in settings:
        try:
            data = writing.read(one.path, place.inside(folder))
            there = there or data is not None
            seen.append(one.look(data) if data is not None else Seen())
            whole_file = one.put(data).data or b""
            missing += len(one.look(whole_file).entries) - len(seen[-1].entries)
        except MemexError as error:
            problem = problem or error.message
            missing += 1
    whole = together(seen)
    gone = [program for program in whole.programs if os.path.isabs(program) and not os.path.isfile(program)]
    if gone and not problem:
        problem = f"{gone[0]}, which it starts, is not there"
    return Installed(
        name,
        AGENTS[name].TITLE,
        there or os.path.isdir(folder),
        tuple(one.path for one in settings),
        whole.entries,
        whole.hooks,
        whole.mcp,
        not missing and not problem,
        whole.changed,
        problem,
    )
