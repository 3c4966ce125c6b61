"""How far a turn of a conversation can be believed: who said it, and how it came about.

``human`` and ``local-tool`` turns may prove a page. What an agent wrote, what came from elsewhere and
what memex itself recalled may not: an answer that repeats a memory is no second witness for it. A tool
that is not known to look at this machine alone counts as one that does not.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

TRUSTS = ("human", "local-tool", "external-tool", "agent", "recall")
PROVING = ("human", "local-tool")
"""The kinds of turn that may stand in the evidence lane."""

_LOCAL = frozenset(
    # Claude Code, pi, OpenCode
    "read write edit multiedit notebookedit notebookread glob grep find ls list bash bashoutput killbash "
    "killshell lsp "
    # Codex
    "shell local_shell local_shell_call shell_command exec exec_command container.exec unified_exec "
    "write_stdin apply_patch read_file list_dir grep_files view_image "
    # Gemini CLI
    "read_many_files list_directory search_file_content replace write_file run_shell_command "
    "search_files edit_file create_file delete_file file_search terminal run_terminal_cmd cmd "
    "powershell".split()
)
_SHELLS = frozenset(
    "bash shell local_shell local_shell_call shell_command exec exec_command container.exec unified_exec "
    "run_shell_command terminal run_terminal_cmd cmd powershell bashoutput write_stdin".split()
)
_AGENTS = frozenset(
    "task agent spawn_agent send_input wait_agent close_agent todowrite todoread write_todos update_plan "
    "exitplanmode enterplanmode think skill subagent delegate".split()
)
_MEMEX = r"(?:\A|__|[./:-])memex(?:\Z|__|[_./:-])"
_START = r"(?:\A|[\n;&|(`\"'\[,]|\b(?:sudo|exec|time|env|xargs|then|do)\b)\s*"
_OWN_COMMAND = _START + r"(?:\S*/)?memex(?=\s|\"|'|\Z)"
_NETWORK = (
    _START
    + r"(?:\S*/)?(?:curl|wget|https?|xh|ssh|scp|sftp|rsync|ftp|telnet|nc|ncat|dig|nslookup|whois|gh|glab|aws"
    r"|gcloud|az|kubectl|lynx|w3m|aria2c|yt-dlp|git\s+(?:-\S+\s+)*(?:fetch|pull|clone|ls-remote|remote\s+show)"
    r"|docker\s+(?:pull|search)|npm\s+(?:view|info|search)|pip3?\s+(?:download|index|search))(?=\s|\Z)"
)


def trust_of(role: str, tool_name: str = "", harness: str = "", query: str = "", result: str = "") -> str:
    """The trust of a turn, one of :data:`TRUSTS`.

    ``query`` is what a tool was asked (a command of a shell may reach into the network, or ask memex),
    ``result`` what it answered. ``harness`` is the agent's name; the tables know the tools of all of them.
    """
    if role == "user":
        return "human"
    if role != "tool":
        return "agent"
    name = tool_name.strip().lower()
    if _pattern(_MEMEX).search(name) or holds_memory(result):
        return "recall"
    if name in _AGENTS:
        return "agent"
    if name not in _LOCAL and name.removeprefix(f"{harness.lower()}.") not in _LOCAL:
        return "external-tool"
    if name in _SHELLS or not name:
        if _pattern(_OWN_COMMAND).search(query):
            return "recall"
        if _pattern(_NETWORK).search(query):
            return "external-tool"
    return "local-tool"


@cache
def _pattern(source: str) -> re.Pattern[str]:
    """Compiled at first use: reading turns, as recall does, needs none of them."""
    return re.compile(source)


def settled(turn: dict[str, Any], harness: str = "") -> dict[str, Any]:
    """The turn as it may count: without memory that memex put into it, and with its ``trust``.

    A trust that is given is kept, unless recalled memory is what the turn holds.
    """
    from memex_core.model.prompts import without_memory

    said, result = (str(turn.get(key) or "") for key in ("content", "result"))
    role, given = turn["role"], turn.get("trust")
    if role == "user" and holds_memory(said):
        own = without_memory(said)
        return {**turn, "content": own, "trust": (given or "human") if own else "recall"}
    if role == "tool" and (given is None or holds_memory(said + result)):
        name, query = (str(turn.get(key) or "") for key in ("tool_name", "query"))
        return {**turn, "trust": trust_of(role, name, harness, query, said + result)}
    return turn if given else {**turn, "trust": trust_of(role)}


def holds_memory(text: str) -> bool:
    """Whether a block of recalled memory begins in ``text``."""
    from memex_core.model.prompts import MEMORY_HEAD

    return MEMORY_HEAD in text
