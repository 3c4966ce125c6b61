"""What a model is told when a call fails: one line with the next step, in the words of the tools.

Errors are written for a person at a command line, who owns the disk and may see its paths. A model gets
what it needs to go on: no absolute path, no text of the engine or of a library, no option with hyphens.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container

from memex_core.model.errors import MemexError

_PLAIN = {
    "search-failed": ("the search engine failed", "try again; `memex verify` tells a person what is wrong"),
    "locked": ("another process is writing to the memory", "try again in a moment"),
    "unreachable": ("the memory's folder cannot be read now", "a person has to look at the disk"),
    "write-failed": ("the disk did not take it; nothing was changed", "a person has to look at the disk"),
    "damaged": ("a file of the memory is damaged", "`memex verify` tells a person which one"),
    "no-store": ("there is no memory here yet", "`memex write` makes it"),
    "conflict": ("the page changed since it was read; nothing was changed", "read it with memex_show again"),
}
"""Failures of the place rather than of the call, whose own words name files: code -> (what, next step)."""

_OPTIONS = {"in": "kinds", "link": "links", "alias": "aliases", "source": "sources"}
"""Options of the command line whose parameter has another name."""

_SWITCHES = frozenset("update new overwrite expand back dry-run include-expired include-inactive".split())

_COMMANDS = {
    "list": "memex_recall",
    "session": "memex_read_transcript",
    "sessions": "memex_search_transcripts",
    "trace": "memex_provenance",
    **{
        name: f"memex_{name}"
        for name in (
            "show",
            "recall",
            "links",
            "write",
            "edit",
            "forget",
            "export",
            "import",
            "status",
            "diary",
        )
    },
}
"""Commands a hint may name -> the tool that does it. Others are left: they are a person's to run."""

_COMMAND = re.compile(r"`memex ([a-z-]+)( [^`]*)?`")
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
_PATH = re.compile(r"(?<![\w/.:<])(?:[A-Za-z]:[\\/]|\\\\|/)(?:[^\s'\"`;,:()]+[\\/])+[^\s'\"`;,:()]*")


def told(
    error: BaseException, *, home: str = "", asked: str = "", tools: Container[str] | None = None
) -> tuple[str, str]:
    """(code, line) for a failure. ``home`` is the root of the store, never to be named; paths that stand
    in ``asked``, the call's own arguments as JSON, may be said back. Of the tools only ``tools`` are offered:
    what another one does is a person's to do."""
    if not isinstance(error, MemexError):
        return "unexpected", f"memex failed ({type(error).__name__}); the call can be tried again"
    what, following = _PLAIN.get(error.code) or (error.message, error.hint)
    line = f"{what}; {following}" if following else what
    return error.code, _one_line(_translated(_without_paths(line, home, asked), tools))


def _without_paths(line: str, home: str, asked: str) -> str:
    if home:
        line = line.replace(home + os.sep, "").replace(home, "the memory")
    return _PATH.sub(lambda found: found[0] if found[0] in asked else "a file", line)


def _translated(line: str, tools: Container[str] | None) -> str:
    def named(found: re.Match[str]) -> str:
        tool = _COMMANDS.get(found[1], "")
        return tool if tool and (tools is None or tool in tools) else found[0]

    line = _COMMAND.sub(named, line)
    return _OPTION.sub(lambda found: _parameter(found[1]), line)


def _parameter(option: str) -> str:
    name = _OPTIONS.get(option, option.replace("-", "_"))
    return f"{name}: true" if option in _SWITCHES else name


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 600 else line[:599] + "…"
