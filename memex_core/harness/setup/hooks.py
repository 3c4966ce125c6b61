"""Hooks in JSON settings: the shape that Claude Code made and Codex and Gemini CLI took over.

``{"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}``
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from memex_core.harness.setup import json_edit
from memex_core.harness.setup.command import Call, Caller, looks_like, recognised_line, shell_line
from memex_core.harness.setup.entry import Seen
from memex_core.harness.setup.jsonc import Child, Node, is_blank, parse

_HANDLER = {"type", "command", "timeout", "name", "description", "statusMessage"}
_GROUP = {"matcher", "hooks"}


class Hook(NamedTuple):
    """One event: the agent's name for it, memex's, and the time it may take as the agent counts it."""

    event: str
    verb: str
    timeout: int


class Place(NamedTuple):
    """A handler in a document: its event, group, list of handlers, itself; and its command, read."""

    event: Child
    group: Child
    handlers: Node
    handler: Child
    line: str
    call: Call | None

    @property
    def command(self) -> Node:
        found = self.handler.node.child("command")
        assert found is not None
        return found.node

    @property
    def ours(self) -> bool:
        """Whether the handler is memex's with nothing in it that memex would not write."""
        names = {child.key for child in self.handler.node.children}
        return self.call is not None and self.call.verb != "serve-mcp" and names <= _HANDLER


class Hooks(NamedTuple):
    """The hooks of one agent. ``more`` is what it wants in a handler besides; ``off`` the setting that
    turns all hooks off, and its value then."""

    agent: str
    caller: Caller
    hooks: tuple[Hook, ...]
    windows: bool
    more: tuple[tuple[str, str], ...] = ()
    off: tuple[tuple[str, ...], bool] | None = None

    def misplaced(self, root: Node) -> Node | None:
        hooks = root.at(("hooks",))
        if hooks is None or hooks.kind != "object":
            return hooks
        wanted = {hook.event for hook in self.hooks}
        return next(
            (one.node for one in hooks.children if one.key in wanted and one.node.kind != "array"), None
        )

    def put(self, text: str) -> tuple[str, list[str]]:
        notes: list[str] = []
        text = self._without_spare(text)
        for hook in self.hooks:
            here = [place for place in self._places(text) if place.event.key == hook.event]
            mine = next((place for place in here if place.ours), None)
            if mine is not None:
                text = self._renewed(text, mine, hook)
            elif here:
                notes.append(f"the hook {hook.event} is kept as you changed it")
            else:
                text = json_edit.insert(text, ("hooks", hook.event), None, self._group(hook))
        if self.off is not None:
            switch = parse(text).at(self.off[0])
            if switch is not None and switch.scalar is self.off[1]:
                notes.append(f"hooks are turned off here by {'.'.join(self.off[0])}: memex' own will not run")
        return text, notes

    def take(self, text: str, before: str | None) -> tuple[str, list[str]]:
        while True:
            places = list(self._places(text))
            mine = next((place for place in places if place.ours), None)
            if mine is None:
                return text, [f"left, since you changed it: the hook {place.event.key}" for place in places]
            text = self._without(text, mine)
            text = json_edit.tidy(text, ("hooks", mine.event.key), before)
            if is_blank(text):
                return text, []

    def look(self, root: Node) -> Seen:
        places = list(_places(root))
        mine = [place for place in places if place.ours]
        return Seen(
            tuple(f"hook {place.event.key}" for place in mine),
            tuple(dict.fromkeys(place.call.verb for place in mine if place.call)),
            programs=tuple(place.call.program[0] for place in mine if place.call),
            changed=tuple(f"hook {place.event.key}" for place in places if not place.ours),
        )

    def _group(self, hook: Hook) -> dict[str, Any]:
        handler: dict[str, Any] = {"type": "command", "command": self._line(hook), "timeout": hook.timeout}
        return {"hooks": [{**handler, **dict(self.more)}]}

    def _line(self, hook: Hook) -> str:
        return shell_line(self.caller.hook(hook.verb, self.agent), windows=self.windows)

    def _places(self, text: str) -> Iterator[Place]:
        return iter(()) if is_blank(text) else _places(parse(text))

    def _renewed(self, text: str, place: Place, hook: Hook) -> str:
        """The command in today's form; what else the handler says is the person's by now."""
        wanted = recognised_line(self._line(hook))
        return text if place.call == wanted else json_edit.replace(text, place.command, self._line(hook))

    def _without_spare(self, text: str) -> str:
        """Without hooks of older versions: of events no longer asked for, and second ones of an event."""
        seen: set[str] = set()
        wanted = {hook.event for hook in self.hooks}
        for place in self._places(text):
            if place.ours and (place.event.key in seen or place.event.key not in wanted):
                text = self._without(text, place)
                if place.event.key not in wanted:
                    text = json_edit.drop_empty(text, ("hooks", place.event.key))
                return self._without_spare(text)
            seen.add(place.event.key)
        return text

    def _without(self, text: str, place: Place) -> str:
        """Without one handler, and without its group when that holds nothing else."""
        names = {child.key for child in place.group.node.children}
        if len(place.handlers.children) == 1 and names <= _GROUP:
            return json_edit.remove(text, place.event.node, place.group)
        return json_edit.remove(text, place.handlers, place.handler)


def _places(root: Node) -> Iterator[Place]:
    """Handlers of memex's, changed ones too."""
    hooks = root.at(("hooks",))
    for event in hooks.children if hooks is not None and hooks.kind == "object" else ():
        for group in event.node.children if event.node.kind == "array" else ():
            listed = group.node.at(("hooks",))
            for handler in listed.children if listed is not None and listed.kind == "array" else ():
                command = handler.node.at(("command",))
                if listed is None or command is None or not isinstance(command.scalar, str):
                    continue
                call = recognised_line(command.scalar)
                if call is not None or looks_like(command.scalar):
                    yield Place(event, group, listed, handler, command.scalar, call)
