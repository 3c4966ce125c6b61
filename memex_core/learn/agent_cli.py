"""Asking a model through a coding agent's own command in print mode: its model, its credentials, its bill.

The command runs in an empty folder, so that no project's instructions or hooks are read, and with a mark in
its environment by which memex's own hooks know that nobody is talking there. Its prompt begins with the mark
by which a stored conversation of it would be known and left alone.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from memex_core.model.errors import MemexError
from memex_core.model.internal import INTERNAL

_LARGEST = 4_000_000  # bytes of an answer


class AgentFailed(MemexError):
    """The command did not answer. ``code`` is one of :mod:`memex_core.learn.failures`."""

    def __init__(self, code: str, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.raw = raw


class Said(NamedTuple):
    """The answer; tokens are None where the command does not tell them."""

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def _claude(model: str) -> list[str]:
    return ["claude", "-p", "--output-format", "json", *(["--model", model] if model else [])]


def _codex(model: str) -> list[str]:
    chosen = ["--model", model] if model else []
    return ["codex", "exec", "--skip-git-repo-check", "--sandbox", "read-only", "--ephemeral", *chosen, "-"]


def _pi(model: str) -> list[str]:
    return ["pi", "-p", "--no-session", "--no-tools", *(["--model", model] if model else [])]


AGENTS: Mapping[str, Callable[[str], list[str]]] = {"claude": _claude, "codex": _codex, "pi": _pi}
"""Provider -> the words of its command; the prompt comes on standard input."""


def installed(agent: str) -> bool:
    return shutil.which(agent) is not None


def ask(agent: str, model: str, prompt: str, timeout: float) -> Said:
    """What the agent answers. Raises AgentFailed; nothing that it started lives on."""
    words = AGENTS[agent](model)
    path = shutil.which(words[0])
    if path is None:
        raise AgentFailed("agent-missing", f"the command {agent} is not installed")
    with tempfile.TemporaryDirectory(prefix="memex-model-", ignore_cleanup_errors=True) as folder:
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            child = subprocess.Popen(
                [path, *words[1:]],
                cwd=folder,
                env={**os.environ, INTERNAL: "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                **apart,
            )
        except OSError as error:
            reason = (error.strerror or "unknown error").lower()
            raise AgentFailed("agent-missing", f"the command {agent} cannot be started ({reason})") from None
        try:
            out, _ = child.communicate(prompt.encode("utf-8", "replace"), timeout)
        except subprocess.TimeoutExpired:
            raise AgentFailed("endpoint-slow", f"{agent} did not answer within {timeout:g} seconds") from None
        finally:
            _end(child)
    text = out[:_LARGEST].decode("utf-8", "replace").strip()
    if child.returncode != 0:
        raise AgentFailed("agent-failed", f"{agent} ended with code {child.returncode}", raw=text)
    return _unwrapped(agent, text)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Kill the command with all it started."""
    if child.poll() is None:
        if sys.platform == "win32":
            child.kill()
        else:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                child.kill()
        child.communicate()


def _unwrapped(agent: str, text: str) -> Said:
    """The answer out of the envelope that Claude Code puts around it; any other text as it is."""
    if agent != "claude":
        return Said(text)
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        return Said(text)
    if not isinstance(envelope, dict) or not isinstance(envelope.get("result"), str):
        return Said(text)
    if envelope.get("is_error") is True:
        raise AgentFailed("agent-failed", f"{agent} told of an error", raw=text)
    usage = envelope.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    counts = [usage[name] for name in read if isinstance(usage.get(name), int)]
    written = usage.get("output_tokens")
    return Said(
        envelope["result"], sum(counts) if counts else None, written if isinstance(written, int) else None
    )
