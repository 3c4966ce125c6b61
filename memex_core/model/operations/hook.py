"""What agents call by themselves, and what was answered."""

from __future__ import annotations

from memex_core.model.operations.registry import Operation, Param

OPERATIONS = (
    Operation(
        "hook",
        "answer an agent's hook: memory for its context, and the capture of its session",
        "hook",
        (
            Param(
                "event",
                "session-start, prompt, transcript, pre-compact, post-compact or session-end",
                positional=True,
                required=True,
                metavar="EVENT",
            ),
            Param(
                "payload",
                "what the agent tells, as JSON; default: standard input",
                default="",
                positional=True,
                metavar="JSON",
            ),
            Param("agent", "who calls, where the payload does not say", default="", metavar="NAME"),
            Param("wait", "end only when what runs by itself has", "bool", False),
            Param("emit", "prints the block; only then its pages count as given", face="api"),
        ),
        example="memex hook prompt < payload.json",
        detail="It exits 0 whatever happens, unless MEMEX_STRICT=1 is set: an agent must not stop for it.",
    ),
    Operation(
        "receipts",
        "list what agents were given, and why not more",
        "hook",
        (
            Param("session", "only of this session", metavar="ID"),
            Param("prompt", "only of this prompt: why was something not given with it", metavar="TEXT"),
            Param("limit", "at most so many", "int", 20),
        ),
        rows="receipts",
        example='memex receipts --prompt "how do we deploy the shop"',
    ),
)
