"""Asking a model through a coding agent's own command in print mode: its model, its credentials, its bill.

What is asked holds conversations, and somebody's words in them may be an instruction to the agent. So the
agent gets no tools, none of its servers, hooks, extensions, skills and settings files, keeps no session, and
runs in an empty folder. A version that does not know one of these options refuses it; it is never asked
without. Names of files and skills in the prompt are written so that no command takes them for a reference
and reads the file. A mark in the environment tells memex's own hooks that nobody is talking there, and the
prompt begins with the mark by which a stored conversation of it would be known and left alone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from typing import NamedTuple

from memex_core.learn import child
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


def _claude(model: str, reasoning: str = "") -> list[str]:
    return [
        *("claude", "-p", "--output-format", "json"),
        *("--tools", "", "--strict-mcp-config", "--disable-slash-commands"),
        *("--setting-sources", "", "--no-session-persistence"),
        *(["--model", model] if model else []),
        *(["--effort", reasoning] if reasoning else []),
    ]


_CODEX_ABILITIES = ("shell_tool", "unified_exec", "apps", "plugins")
"""Switched off by an option that an unknown name makes fail."""

_CODEX_MORE = (
    "code_mode_host",
    "hooks",
    "multi_agent",
    "view_image",
    "image_generation",
    "browser_use",
    "computer_use",
    "memories",
)
"""Switched off by a setting: not every version has them, and one that has not ignores it."""


def _codex(model: str, reasoning: str = "") -> list[str]:
    return [
        *("codex", "exec", "--skip-git-repo-check", "--sandbox", "read-only", "--ephemeral"),
        *("--ignore-user-config", "--ignore-rules"),
        *(word for name in _CODEX_ABILITIES for word in ("--disable", name)),
        *(word for name in _CODEX_MORE for word in ("-c", f"features.{name}=false")),
        *("-c", "web_search=disabled"),
        *(["--model", model] if model else []),
        *(["-c", f"model_reasoning_effort={reasoning}"] if reasoning else []),
        "-",
    ]


def _pi(model: str, reasoning: str = "") -> list[str]:
    return [
        *("pi", "-p", "--no-session", "--no-tools", "--no-extensions", "--no-skills"),
        *("--no-prompt-templates", "--no-context-files", "--no-themes"),
        *(["--model", model] if model else []),
        *(["--thinking", "off" if reasoning == "none" else reasoning] if reasoning else []),
    ]


_THINKING = ("--effort", "--thinking")

AGENTS: Mapping[str, Callable[[str, str], list[str]]] = {"claude": _claude, "codex": _codex, "pi": _pi}
"""Provider -> the words of its command; the prompt comes on standard input."""

_SET = {
    INTERNAL: "1",
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",  # nor would it read a file that the prompt names
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",  # nor ask a second time, for a title
}
_UNSET = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT")
"""Marks of an agent's session, within which memex may run: what it starts is no part of that."""

_REFERENCE = re.compile(r"@|\$(?=[A-Za-z])")
_SPELT = re.compile(r"\\{1,2}u00(40|24)")
_REFUSED = re.compile(
    r"\b(?:unknown|unexpected|unrecogni[sz]ed) (?:option|argument|feature(?: flag)?):? ?['\"`]?([\w-]{3,})",
    re.I,
)


def installed(agent: str) -> bool:
    return shutil.which(agent) is not None


def ask(agent: str, model: str, prompt: str, timeout: float, reasoning: str = "") -> Said:
    """What the agent answers. Raises AgentFailed; nothing that it started lives on."""
    words = AGENTS[agent](model, reasoning)
    path = shutil.which(words[0])
    if path is None:
        raise AgentFailed("agent-missing", f"the command {agent} is not installed")
    environ = {name: value for name, value in os.environ.items() if name not in _UNSET} | _SET
    with tempfile.TemporaryDirectory(prefix="memex-model-", ignore_cleanup_errors=True) as folder:
        try:
            ended = child.run(
                [path, *words[1:]],
                folder=folder,
                environ=environ,
                given=_inert(prompt).encode("utf-8", "replace"),
                timeout=timeout,
                most=_LARGEST,
            )
        except OSError as error:
            reason = (error.strerror or "unknown error").lower()
            raise AgentFailed("agent-missing", f"the command {agent} cannot be started ({reason})") from None
    if ended.why == "late":
        raise AgentFailed("endpoint-slow", f"{agent} did not answer within {timeout:g} seconds")
    text = ended.out.decode("utf-8", "replace").strip()
    if ended.why == "flood":
        raise AgentFailed("agent-failed", f"{agent} said more than {_LARGEST:,} bytes", raw=text)
    if ended.code != 0:
        option = _refused(words, ended.err.decode("utf-8", "replace"))
        if option:
            tools = ", and is not asked with its tools on"
            why = f"{agent} refuses {option}{'' if option in _THINKING else tools}"
            raise AgentFailed("agent-too-old", why, raw=text)
        raise AgentFailed("agent-failed", f"{agent} ended with code {ended.code}", raw=text)
    said = _unwrapped(agent, text)
    return said._replace(text=_spelt_back(said.text))


def _inert(prompt: str) -> str:
    """The prompt without a word that a command takes for a file or a skill to read: ``@notes.txt``,
    ``$skill``. The sign is spelt as in JSON, which is what the turns are written in."""
    return _REFERENCE.sub(lambda found: f"\\u{ord(found[0]):04x}", prompt)


def _spelt_back(answer: str) -> str:
    return _SPELT.sub(lambda found: chr(int(found[1], 16)), answer)


def _refused(words: list[str], said: str) -> str:
    """Which of its options a command complains of not to know; empty when it complains of something else."""
    return next((found for found in _REFUSED.findall(said) if found in words), "")


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
