"""``memex install`` and ``uninstall``: memex's entries in agents' settings, exactly those."""

from __future__ import annotations

import difflib
import os
import shlex
from typing import Any

from memex_core.files import layout as layouts
from memex_core.harness.hook_input import EVENTS
from memex_core.harness.setup import writing
from memex_core.harness.setup.agents import AGENTS, OF_PROJECTS, agents, folder_of, settings_of
from memex_core.harness.setup.command import Caller, running, shell_line
from memex_core.harness.setup.servers import NAME
from memex_core.harness.setup.where import Where, of
from memex_core.harness.setup.writing import Step
from memex_core.model.errors import BadInput
from memex_core.model.secrets.scrub import scrub

CUSTOM = "custom"
NAMES = (*AGENTS, CUSTOM)


def install(
    agent: str | None = None,
    *,
    root: str | None = None,
    home: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Connect an agent, ``custom``: say what to paste; without a name: what there is and what is installed.

    ``{agent, title, root, command, files: [{path, change, backup, diff}], notes, next, dry_run}``; ``diff``
    with ``dry_run`` only. Raises Damaged, Refused, Conflict and WriteFailed; then no file was changed.
    """
    place = _place(agent, home, project)
    at = _root(place, root)
    # Named even where memex would find it: else a repository that holds a memory of its own would put it
    # in the place of the person's, and be given what is said there.
    caller = Caller(running(os.environ), at)
    if agent is None:
        return {"root": at, "agents": _listed(home, project)}
    if agent == CUSTOM:
        return _custom(caller, at, dry_run)
    inside = place.inside(folder_of(agent, place))
    steps = [writing.installing(one, inside) for one in settings_of(agent, place, caller)]
    if not dry_run:
        writing.carry_out(steps)
    return {
        **_told(agent, steps, dry_run),
        "root": at,
        "command": caller.serve(),
        "next": [
            *([] if layouts.is_store(at) else [f"there is no memory yet: memex init {shlex.quote(at)}"]),
            *AGENTS[agent].NEXT,
            f"memex uninstall {agent}{_options(home, project)} removes it",
        ],
    }


def uninstall(
    agent: str, *, home: str | None = None, project: str | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Take memex's entries out again, and nothing else; what somebody changed is left and told of.

    ``{agent, title, files: [{path, change, backup, diff}], notes, next, dry_run}``. Raises as ``install``.
    """
    place = _place(agent, home, project)
    if agent == CUSTOM:
        note = "memex wrote no settings: take out what you pasted"
        return {"agent": agent, "title": CUSTOM, "files": [], "notes": [note], "next": [], "dry_run": dry_run}
    inside = place.inside(folder_of(agent, place))
    caller = Caller(running(place.environ))
    steps = [writing.uninstalling(one, inside) for one in settings_of(agent, place, caller)]
    if not dry_run:
        writing.carry_out(steps)
    told = _told(agent, steps, dry_run)
    changed = any(step.after != step.before for step in steps)
    told["next"] = [f"{told['title']} notices when it starts anew"] if changed else []
    return told


def _place(agent: str | None, home: str | None, project: str | None) -> Where:
    if agent is not None and agent not in NAMES:
        raise BadInput(f"no agent is called {agent!r}", hint=f"one of {', '.join(NAMES)}")
    if agent in OF_PROJECTS and not project:
        project = os.getcwd()
    place = of(os.environ, home, project)
    for what, folder in (("home", place.home), ("project", place.project)):
        if folder and not os.path.isdir(folder):
            raise BadInput(f"the {what} {folder} is no folder", hint="name one that is there")
    return place


def _root(place: Where, root: str | None) -> str:
    """The memory that the agent will have: found as everywhere, in the home that was named."""
    environ = {**os.environ, "HOME": place.home}
    return layouts.find_root(root, environ, os.getcwd())


def _told(agent: str, steps: list[Step], dry_run: bool) -> dict[str, Any]:
    return {
        "agent": agent,
        "title": AGENTS[agent].TITLE,
        "files": [
            {"path": step.path, "change": step.change, "backup": step.backup}
            | ({"diff": _diff(step)} if dry_run else {})
            for step in steps
        ],
        "notes": [note for step in steps for note in step.notes],
        "next": [],
        "dry_run": dry_run,
    }


def _diff(step: Step) -> str:
    """A unified diff of the file, "" when nothing changes. Settings hold keys: none is shown."""
    if step.before == step.after:
        return ""
    old, new = (
        [] if data is None else [f"{line}\n" for line in data.decode("utf-8", "replace").split("\n")]
        for data in (step.before, step.after)
    )
    for lines in (old, new):
        if lines and lines[-1] == "\n":
            lines.pop()
        elif lines:
            lines[-1] += "\\ No newline at end of file\n"
    names = ["/dev/null" if data is None else step.path for data in (step.before, step.after)]
    return scrub("".join(difflib.unified_diff(old, new, names[0], names[1]))).text


def _listed(home: str | None, project: str | None) -> list[dict[str, Any]]:
    found = agents(home, os.environ, project or os.getcwd())
    return [{**one._asdict(), "installed": one.installed} for one in found]


def _custom(caller: Caller, root: str, dry_run: bool) -> dict[str, Any]:
    """What to paste into the settings of an agent that memex does not know, and the store."""
    there = layouts.is_store(root)
    if not there and not dry_run:
        layouts.create_store(root)
    words = caller.serve()
    windows = os.name == "nt"
    return {
        "agent": CUSTOM,
        "title": "an agent of your own",
        "root": root,
        "command": words,
        "created": not there and not dry_run,
        "mcp": {"mcpServers": {NAME: {"command": words[0], "args": words[1:]}}},
        "hooks": [
            {"event": event, "command": shell_line(caller.hook(event, CUSTOM), windows=windows)}
            for event in EVENTS
        ],
        "files": [],
        "notes": [],
        "next": [
            "paste the server into the agent's MCP settings",
            "let it run the hooks at its events, with JSON on their standard input: "
            "session_id, transcript_path, cwd, and prompt; what they print goes to the model",
        ],
        "dry_run": dry_run,
    }


def _options(home: str | None, project: str | None) -> str:
    named = (("--home", home), ("--project", project))
    return "".join(f" {option} {shlex.quote(value)}" for option, value in named if value)
