"""How an agent calls memex, and how such a call is recognised in its settings later."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from typing import NamedTuple

from memex_core.harness.hook_input import EVENTS
from memex_core.model.errors import Refused

_NAMES = ("memex", "memex.exe")
_LIKE = re.compile(r"\bmemex(?:\.exe)?\b|\bmemex_core\b")


class Caller(NamedTuple):
    """The program that agents are to start, and the memory it opens ("" where it finds that by itself)."""

    program: tuple[str, ...]
    root: str = ""

    def hook(self, event: str, agent: str) -> list[str]:
        """The words of a hook's command."""
        return [*self.program, "hook", event, "--agent", agent, *self._rooted()]

    def serve(self) -> list[str]:
        """The words of the MCP server's command."""
        return [*self.program, "serve-mcp", *self._rooted()]

    def would_call(self, call: Call) -> bool:
        """Whether a call starts the same program on the same memory."""
        return (call.program, call.root) == (self.program, self.root)

    def _rooted(self) -> list[str]:
        return ["--root", self.root] if self.root else []


class Call(NamedTuple):
    """A command of memex's as somebody's settings hold it. ``verb`` is ``serve-mcp`` or a hook's event."""

    program: tuple[str, ...]
    verb: str
    agent: str
    root: str
    read_only: bool


def running(environ: Mapping[str, str]) -> tuple[str, ...]:
    """This memex by absolute path: its script as it was called or beside Python, else Python itself.

    A link is not followed: ``~/.local/bin/memex`` outlives the environment it points into. ``-P`` keeps
    the folder that an agent works in from being searched for modules.
    """
    beside = os.path.join(os.path.dirname(sys.executable), _NAMES[os.name == "nt"])
    called = sys.argv[0] if sys.argv else ""
    if os.path.basename(called).lower() in _NAMES:
        found = os.path.abspath(called) if os.path.dirname(called) else shutil.which(called)
        if found and os.path.isfile(found) and os.access(found, os.X_OK):
            return (_writable(found),)
    if os.path.isfile(beside) and os.access(beside, os.X_OK):
        return (_writable(beside),)
    return (_writable(sys.executable), "-P", "-m", "memex_core.cli")


def _writable(path: str) -> str:
    """A path that a settings file can hold."""
    if re.search("[\ud800-\udfff\0\r\n]", path):
        raise Refused("the path of memex cannot be written into settings", hint="install it elsewhere")
    return path


def shell_line(words: list[str], *, windows: bool) -> str:
    """One line that the agent's shell splits into these words again.

    On Windows that may be cmd, PowerShell or Git's bash. All of them take a program in double quotes
    with forward slashes.
    """
    if not windows:
        return shlex.join(words)
    program = words[0].replace("\\", "/")
    rest = [word.replace("\\", "/") if "\\" in word else word for word in words[1:]]
    return " ".join(
        [f'"{program}"', *(f'"{word}"' if re.search(r"[^\w:/.=+-]", word) else word for word in rest)]
    )


def recognised(words: list[str]) -> Call | None:
    """The call if ``words`` are memex's ``hook`` or ``serve-mcp`` and nothing else."""
    if not words:
        return None
    name = re.split(r"[\\/]", words[0])[-1].lower()
    if name in _NAMES:
        program, rest = words[:1], words[1:]
    elif name.startswith("py") and "-m" in words:
        at = words.index("-m") + 2
        if words[at - 1 : at] not in (["memex_core.cli"], ["memex_core"]):
            return None
        program, rest = words[:at], words[at:]
    else:
        return None
    options = {"--root": "", "--agent": ""}
    plain: list[str] = []
    read_only = False
    at = 0
    while at < len(rest):
        option, equals, value = rest[at].partition("=")
        at += 1
        if option in options:
            if not equals:
                value = rest[at] if at < len(rest) else ""
                at += 1
            options[option] = value
        elif option == "--read-only":
            read_only = True
        else:
            plain.append(rest[at - 1])
    if plain == ["serve-mcp"] or (len(plain) == 2 and plain[0] == "hook" and plain[1] in EVENTS):
        return Call(tuple(program), plain[-1], options["--agent"], options["--root"], read_only)
    return None


def recognised_line(line: str) -> Call | None:
    """The same for a line of a shell; None for one that does more, such as a pipe."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)  # `;` and `|` are words of their own
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return recognised(list(lexer))
    except ValueError:
        return None


def looks_like(line: str) -> bool:
    """Whether a command that is not just memex's starts memex's hooks or server somehow."""
    return bool(_LIKE.search(line)) and bool(re.search(r"\bhook\b|\bserve-mcp\b", line))
