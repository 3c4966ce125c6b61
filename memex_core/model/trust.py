"""How far a turn of a conversation can be believed: who said it, and how it came about.

``human`` and ``local-tool`` turns may prove a page. What an agent wrote, what came from elsewhere and
what memex itself recalled may not: an answer that repeats a memory is no second witness for it. A tool, or
a program of a command, that is not known to look at this machine alone counts as one that does not
(:mod:`memex_core.model.commands`). Of a tool's turn only what the tool gave back is proof
(:func:`memex_core.files.turns.quotable_text`): what it was asked is the agent's own text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memex_core.model.prompts import MEMORY_HEAD, without_memory

if TYPE_CHECKING:
    from memex_core.model.commands.memory import Memory

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
    "powershell user-shell".split()
)
_SHELLS = frozenset(
    "bash shell local_shell local_shell_call shell_command exec exec_command container.exec unified_exec "
    "run_shell_command terminal run_terminal_cmd cmd powershell user-shell bashoutput write_stdin".split()
)
_AGENTS = frozenset(
    "task agent spawn_agent send_input wait_agent close_agent todowrite todoread write_todos update_plan "
    "exitplanmode enterplanmode think skill subagent delegate".split()
)
_POSSIBLE = {
    "user": ("human", "agent", "recall"),
    "agent": ("agent", "recall"),
    "tool": ("local-tool", "external-tool", "agent", "recall"),
}


def possible(role: str, trust: str) -> bool:
    """Whether a turn of this role can have this trust: only a person's words are a person's."""
    return trust in _POSSIBLE.get(role, ())


def trust_of(
    role: str,
    tool_name: str = "",
    harness: str = "",
    query: str = "",
    result: str = "",
    memory: Memory | None = None,
) -> str:
    """The trust of a turn, one of :data:`TRUSTS`.

    ``query`` is what a tool was asked (a command of a shell may reach into the network, or ask memex),
    ``result`` what it answered. ``harness`` is the agent's name; the tables know the tools of all of them.
    ``memory`` says where memory lies: what is read there is recalled.
    """
    if role == "user":
        return "human"
    if role != "tool":
        return "agent"
    name = tool_name.strip().lower()
    if ("memex" in name and _of_memex(name)) or holds_memory(result):
        return "recall"
    if name in _AGENTS:
        return "agent"
    name = name.removeprefix(f"{harness.lower()}.") if name not in _LOCAL else name
    if name not in _LOCAL:
        return "external-tool"
    from memex_core.model.commands import memory as memories
    from memex_core.model.commands.reach import EXTERNAL, RECALL, reach_of

    shell = name in _SHELLS
    if memories.reads_memory(name, query, result, memory or memories.NOWHERE, shell):
        return "recall"
    reach = reach_of(query) if shell else ""
    return {RECALL: "recall", EXTERNAL: "external-tool"}.get(reach, "local-tool")


def _of_memex(name: str) -> bool:
    """Whether a tool is memex's own, by one of the parts of its name."""
    return any(part == "memex" for part in re.split(r"__|[_./:-]", name))


def settled(turn: dict[str, Any], harness: str = "", memory: Memory | None = None) -> dict[str, Any]:
    """The turn as it may count: without memory that was put into it, and with its ``trust``.

    A trust that is given is kept where it is possible for who speaks, unless the turn shows something worse
    of itself: recalled memory in it, or a command that reaches elsewhere.
    """
    role, given = turn["role"], turn.get("trust")
    if given is not None and not possible(role, given):
        given = None
    said = "" if role == "agent" else str(turn.get("content") or "")
    if role == "user" and holds_memory(said):
        own = without_memory(said)
        return {**turn, "content": own, "trust": (given or "human") if own else "recall"}
    if role != "tool":
        return turn if given else {**turn, "trust": trust_of(role)}
    if given in ("recall", "agent", "external-tool"):
        return turn
    name, query, result = (str(turn.get(key) or "") for key in ("tool_name", "query", "result"))
    found = trust_of(role, name, harness, query, said + result, memory)
    if given and found == "external-tool" and name.strip().lower() not in _SHELLS:
        found = given  # who tells of a tool that is not known here knows more of it
    return turn if found == given else {**turn, "trust": found}


def holds_memory(text: str) -> bool:
    """Whether a block of recalled memory begins in ``text``."""
    return MEMORY_HEAD in text
