"""Codex' ``config.toml``: the MCP server's table, and ``notify`` where nobody else has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from memex_core.harness.setup import toml_edit
from memex_core.harness.setup.command import Call, Caller, recognised
from memex_core.harness.setup.entry import Edited, Seen, text_of
from memex_core.harness.setup.servers import NAME, taken
from memex_core.model.errors import Damaged, Refused

_TABLE = ("mcp_servers", NAME)
_OWN = {"command", "args", "tools"}
"""``tools`` is where Codex itself keeps which tools were allowed."""


class CodexToml(NamedTuple):
    """See :class:`memex_core.harness.setup.entry.Settings`. A project's file has no ``notify``."""

    path: str
    caller: Caller
    notify: bool

    @property
    def nothing(self) -> bytes:
        return b""

    def put(self, data: bytes | None) -> Edited:
        text = whole = text_of(self.path, data or b"")
        doc = self._parsed(text)
        notes: list[str] = []
        if self.notify:
            wanted = self.caller.hook("transcript", "codex")
            there = doc.get("notify")
            if there is None or (_is_notify(there) and there != wanted):
                text = self._done(lambda: toml_edit.set_key(whole, "notify", wanted), "notify")
            elif not _is_notify(there):
                notes.append(
                    "Codex runs another notify program, which stays; the hook Stop captures in its place"
                )
        entry = _entry(doc)
        call = _call(entry)
        if entry is not None and call is None:
            raise taken(self.path)
        if call is None or not self.caller.would_call(call):
            words = self.caller.serve() + (["--read-only"] if call is not None and call.read_only else [])
            values: dict[str, str | list[str]] = {"command": words[0], "args": words[1:]}
            text = self._done(lambda: toml_edit.set_table(text, _TABLE, values), f"[mcp_servers.{NAME}]")
        if _hooks_are_off(doc):
            notes.append(f"{self.path} turns hooks off under [features]: memex' hooks will not run")
        if _remembers(doc):
            notes.append(
                "Codex keeps memories of its own ([features] memories = true): neither knows of the other's"
            )
        if isinstance(doc.get("hooks"), dict):
            notes.append("Codex runs the hooks of this file and of hooks.json, and says so when it starts")
        return Edited(text.encode("utf-8"), tuple(notes))

    def take(self, data: bytes, before: bytes | None) -> Edited:
        text = whole = text_of(self.path, data)
        doc = self._parsed(text)
        notes: list[str] = []
        entry = _entry(doc)
        if _call(entry) is not None and entry is not None:
            if set(entry) <= _OWN:
                text = self._done(lambda: toml_edit.unset_table(whole, _TABLE), f"[mcp_servers.{NAME}]")
            else:
                notes.append(f"left, since you changed it: the MCP server {NAME}")
        if _is_notify(doc.get("notify")):
            rest = text
            text = self._done(lambda: toml_edit.unset_key(rest, "notify"), "notify")
        return Edited(None if before is None and not text else text.encode("utf-8"), tuple(notes))

    def look(self, data: bytes) -> Seen:
        doc = self._parsed(text_of(self.path, data))
        entry = _entry(doc)
        call = _call(entry)
        entries: list[str] = []
        programs: list[str] = []
        changed: list[str] = []
        if entry is not None and call is not None:
            (entries if set(entry) <= _OWN else changed).append(f"MCP server {NAME}")
            programs.append(call.program[0])
        notify = doc.get("notify")
        if isinstance(notify, list) and _is_notify(notify):
            entries.append("notify")
            programs.append(notify[0])
        return Seen(tuple(entries), mcp=call is not None, programs=tuple(programs), changed=tuple(changed))

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            return toml_edit.parse(text)
        except toml_edit.TomlError as error:
            raise Damaged(
                f"{self.path} is not TOML: line {error.line}: {error.message}",
                hint="mend it; nothing was changed",
            ) from None

    def _done(self, change: Callable[[], str], what: str) -> str:
        try:
            return change()
        except KeyError:
            raise Refused(
                f"{self.path} writes {what} in a way that cannot be changed line by line",
                hint="change it in your editor; `memex install custom` prints the entries",
            ) from None


def _entry(doc: dict[str, Any]) -> dict[str, Any] | None:
    servers = doc.get("mcp_servers")
    entry = servers.get(NAME) if isinstance(servers, dict) else None
    return entry if isinstance(entry, dict) else None


def _call(entry: dict[str, Any] | None) -> Call | None:
    if entry is None:
        return None
    args = entry.get("args")
    words = [entry.get("command"), *(args if isinstance(args, list) else ())]
    call = recognised([word for word in words if isinstance(word, str)])
    return call if call is not None and call.verb == "serve-mcp" else None


def _is_notify(value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        return False
    call = recognised(value)
    return call is not None and call.verb == "transcript"


def _remembers(doc: dict[str, Any]) -> bool:
    features = doc.get("features")
    return isinstance(features, dict) and True in (features.get("memories"), features.get("memory_tool"))


def _hooks_are_off(doc: dict[str, Any]) -> bool:
    features = doc.get("features")
    return isinstance(features, dict) and False in (features.get("hooks"), features.get("codex_hooks"))
