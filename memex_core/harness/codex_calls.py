"""Codex' tool calls: arguments and outputs in their many shapes, and calls that are told twice."""

from __future__ import annotations

import json
import re
from typing import Any

from memex_core.harness.talk import Talk, Turn, text_of

_EXIT = re.compile(r"\A(?:.{0,200}\n){0,4}?(?:Exit code:|Process exited with code) (-?\d+)", re.DOTALL)
_SHELLS = (
    "exec",
    "exec_command",
    "shell",
    "shell_command",
    "local_shell",
    "local_shell_call",
    "unified_exec",
)


def query_of(item: dict[str, Any]) -> Any:
    """The arguments of a call: JSON text, plain text or a map; None when there are none."""
    for key in ("arguments", "input", "action"):
        if item.get(key) is not None:
            return item[key]
    return None


def output_of(output: Any) -> tuple[str, bool | None, int | None]:
    """Text of an output, whether it is an error, and the exit code where one is told."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            inner = json.loads(output)
        except (ValueError, RecursionError):
            inner = None
        if isinstance(inner, dict) and "output" in inner:
            output = inner
    if isinstance(output, dict):
        about = output.get("metadata")
        code = about.get("exit_code") if isinstance(about, dict) else output.get("exit_code")
        failed = output.get("success") is False
        text = text_of(output.get("output", output.get("content")))
        return text, failed or bool(code), code if isinstance(code, int) else None
    text = text_of(output)
    found = _EXIT.search(text[:2_000])
    return text, bool(found and int(found[1])), int(found[1]) if found else None


class Calls:
    """Puts calls, outputs and completed items together: one turn for what was done once."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        talk.memo.setdefault("items", [])

    def call(self, item: dict[str, Any], query: Any, stamp: str, at: int, thought: str) -> None:
        call_id = item.get("call_id") or item.get("id")
        call_id = call_id if isinstance(call_id, str) and call_id else self.talk.id_at(at)
        name = str(item.get("name") or str(item.get("type")).removesuffix("_call"))
        if isinstance(item.get("namespace"), str) and item["namespace"]:
            name = f"{item['namespace']}.{name}"
        for told in self.talk.memo["items"]:
            if told["call"] == "" and _twins(told["kind"], told["words"], name, query):
                told["call"] = call_id  # the completed item said it already
                return
        self.talk.call(call_id, name, query, stamp, thinking=thought)

    def result(
        self, item: dict[str, Any], text: str, error: bool | None, code: int | None, stamp: str
    ) -> None:
        call_id = item.get("call_id")
        if not isinstance(call_id, str) or any(told["call"] == call_id for told in self.talk.memo["items"]):
            return
        self.talk.result(call_id, text, stamp, error=error, **({"exit_code": code} if code else {}))

    def completed(self, item: dict[str, Any], stamp: str, xid: str, thought: str) -> None:
        """An item tells a call and its result at once; the call may stand before or behind it too."""
        kind = str(item["type"])
        words = _words(item)
        code = item.get("exit_code")
        failed = item.get("status") in ("failed", "declined") or bool(code) or bool(item.get("error"))
        more: dict[str, Any] = {"exit_code": code} if isinstance(code, int) and code else {}
        for turn in self._open():
            if _twins(kind, words, turn["tool_name"], turn.get("query")):
                turn.update(is_error=failed, **more)
                return
        name = {"CommandExecution": "exec", "FileChange": "apply_patch"}.get(kind, ".".join(words))
        if self.talk.call(xid, name, _asked(item), stamp, thinking=thought) is None:
            return
        self.talk.result(xid, _done(item), stamp, error=failed, **more)
        self.talk.memo["items"] = [*self.talk.memo["items"], {"kind": kind, "words": words, "call": ""}][-40:]

    def _open(self) -> list[Turn]:
        """Calls that no item was matched with yet, answered or not, the latest first."""
        return [t for t in reversed(self.talk.turns[-40:]) if t["role"] == "tool" and "is_error" not in t]


def _words(item: dict[str, Any]) -> list[str]:
    if item["type"] == "McpToolCall":
        return [str(item.get("server") or "mcp"), str(item.get("tool") or "tool")]
    command = item.get("command")
    return [str(word)[:2_000] for word in command[:20]] if isinstance(command, list) else [str(command or "")]


def _asked(item: dict[str, Any]) -> Any:
    if item["type"] == "CommandExecution":
        command = item.get("command")
        return " ".join(map(str, command)) if isinstance(command, list) else command
    return item.get("arguments") if item["type"] == "McpToolCall" else item.get("changes")


def _done(item: dict[str, Any]) -> str:
    for key in ("aggregated_output", "result", "error", "stdout", "stderr"):
        text = text_of(item.get(key))
        if text:
            return text
    return ""


def _twins(kind: str, words: list[str], name: str, query: Any) -> bool:
    """Whether a completed item and a call can be the same deed."""
    if not words:
        return False
    last = name.rpartition(".")[2]
    if kind == "FileChange":
        return last == "apply_patch"
    if kind == "McpToolCall":
        return last.endswith(words[-1])
    if last not in _SHELLS or not words[-1]:
        return False
    said = query if isinstance(query, str) else json.dumps(query, ensure_ascii=False)
    if said.startswith("{"):
        try:
            said = said + "\n" + "\n".join(map(str, json.loads(said).values()))
        except (ValueError, RecursionError, AttributeError):
            pass
    return (
        words[-1] in said
        if len(words) < 3 or words[0].endswith("sh")
        else all(word in said for word in words)
    )
