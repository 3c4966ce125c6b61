"""The entry of memex's MCP server in JSON settings: ``{"mcpServers": {"memex": {"command", "args"}}}``."""

from __future__ import annotations

from typing import Any, NamedTuple

from memex_core.harness.setup import json_edit
from memex_core.harness.setup.command import Call, Caller, recognised
from memex_core.harness.setup.entry import Seen
from memex_core.harness.setup.jsonc import Node, is_blank, parse
from memex_core.model.errors import Refused

NAME = "memex"
_OWN = {"type", "command", "args", "env"}


class Server(NamedTuple):
    """The server's entry in the object ``key``; ``kind`` is its ``type``, if the agent wants one."""

    path: str
    key: str
    caller: Caller
    kind: str = ""

    def misplaced(self, root: Node) -> Node | None:
        servers = root.at((self.key,))
        return servers if servers is not None and servers.kind != "object" else None

    def put(self, text: str) -> tuple[str, list[str]]:
        entry = None if is_blank(text) else parse(text).at((self.key, NAME))
        if entry is None:
            return json_edit.insert(text, (self.key,), NAME, self.value()), []
        call = _call(entry)
        if call is None:
            raise taken(self.path)
        if self.caller.would_call(call):
            return text, []
        words = self.caller.serve() + (["--read-only"] if call.read_only else [])
        text = _set(text, (self.key, NAME), "args", words[1:])
        return _set(text, (self.key, NAME), "command", words[0]), []

    def take(self, text: str, before: str | None) -> tuple[str, list[str]]:
        root = parse(text)
        servers, entry = root.at((self.key,)), root.at((self.key, NAME))
        if servers is None or entry is None or _call(entry) is None:
            return text, []
        if not _is_own(entry):
            return text, [f"left, since you changed it: the MCP server {NAME}"]
        child = servers.child(NAME)
        assert child is not None
        return json_edit.tidy(json_edit.remove(text, servers, child), (self.key,), before), []

    def look(self, root: Node) -> Seen:
        entry = root.at((self.key, NAME))
        call = _call(entry) if entry is not None else None
        if entry is None or call is None:
            return Seen()
        named = (f"MCP server {NAME}",)
        own = _is_own(entry)
        return Seen(named if own else (), mcp=True, programs=call.program[:1], changed=() if own else named)

    def value(self) -> dict[str, Any]:
        """The entry."""
        words = self.caller.serve()
        kind = {"type": self.kind} if self.kind else {}
        return {**kind, "command": words[0], "args": words[1:]}


def taken(path: str) -> Refused:
    """Somebody else's server has our name."""
    return Refused(
        f"{path} has another MCP server called {NAME}", hint="rename that one first; nothing was changed"
    )


def _call(entry: Node) -> Call | None:
    value = entry.value
    if not isinstance(value, dict):
        return None
    args = value.get("args")
    words = [value.get("command"), *(args if isinstance(args, list) else [])]
    call = recognised([word for word in words if isinstance(word, str)])
    return call if call is not None and call.verb == "serve-mcp" else None


def _is_own(entry: Node) -> bool:
    """Whether nothing is in it but what memex, or the agent by itself, writes."""
    value = entry.value
    return set(value) <= _OWN and not value.get("env")


def _set(text: str, path: tuple[str, ...], key: str, value: Any) -> str:
    node = parse(text).at((*path, key))
    if node is None:
        return json_edit.insert(text, path, key, value)
    return text if node.value == value else json_edit.replace(text, node, value)
