"""Operations on the recall gate, which decides whether a prompt is worth a look into memory."""

from __future__ import annotations

from memex_core.model.operations.history import YES
from memex_core.model.operations.registry import DRY_RUN, Operation, Param

_EXPECT = Param("expect", "only if the rules' revision is still this one", metavar="REVISION")
_ID = Param("id", "the rule's id", positional=True, required=True)

OPERATIONS = (
    Operation(
        "gate test",
        "say what the gate does with a prompt, and which rules fired",
        "gate",
        (
            Param(
                "prompt",
                "the prompt; - reads it from standard input",
                positional=True,
                required=True,
                stdin=True,
            ),
            Param("session", "as the next prompt of this session", metavar="ID"),
            Param("compare_builtin", "also decide without own rules", "bool", False),
        ),
        example='memex gate test "how did we handle retries?"',
        detail="Nothing is recorded; only an own rule that takes too long is set aside for real.",
    ),
    Operation(
        "gate show",
        "list the rules in force, thresholds and what was set aside",
        "gate",
        (),
        rows="rules",
        example="memex gate show",
    ),
    Operation(
        "gate validate",
        "check a file of rules; exit code 1 when it is not sound",
        "gate",
        (Param("file", "another file than rules/gate.toml", "path", positional=True),),
        example="memex gate validate ~/gate.toml",
    ),
    Operation(
        "gate add",
        "add an own rule",
        "gate",
        (
            Param(
                "intent",
                "what a prompt that fits does: memory, trace, impact, ack, continue, correction",
                positional=True,
                required=True,
            ),
            Param("pattern", "a regular expression that fits anywhere", positional=True, required=True),
            Param("flags", "i: capitals do not matter; s: a dot is a line end too; empty: none", default="i"),
            Param("note", "what it is for", default="", metavar="TEXT"),
            _EXPECT,
            DRY_RUN,
        ),
        writes=True,
        example=r"memex gate add memory '\brunbook\b' --note 'how we do things'",
    ),
    Operation(
        "gate disable",
        "switch a rule off",
        "gate",
        (_ID, _EXPECT, DRY_RUN),
        writes=True,
        example="memex gate disable memory.en.again",
    ),
    Operation(
        "gate enable",
        "switch a rule on again",
        "gate",
        (_ID, _EXPECT, DRY_RUN),
        writes=True,
        example="memex gate enable memory.en.again",
    ),
    Operation(
        "gate set",
        "set a threshold",
        "gate",
        (
            Param("threshold", "its name, as in memex gate show", positional=True, required=True),
            Param("value", "a number, or default", positional=True, required=True),
            _EXPECT,
            DRY_RUN,
        ),
        writes=True,
        example="memex gate set ack_max_tokens 3",
    ),
    Operation(
        "gate reset",
        "give all own rules up",
        "gate",
        (YES, _EXPECT, DRY_RUN),
        writes=True,
        destroys=True,
        example="memex gate reset --yes",
        detail="memex gate rollback brings them back.",
    ),
    Operation(
        "gate rollback",
        "put the rules back as they were before a change",
        "gate",
        (
            Param("to", "the number of a kept state; default: the newest", "int"),
            _EXPECT,
            DRY_RUN,
        ),
        writes=True,
        example="memex gate rollback",
        detail="A second one takes the first back.",
    ),
    Operation(
        "gate quarantine",
        "list own rules that took too long, or let them try again",
        "gate",
        (
            Param("action", "clear: let rules try again", positional=True, choices=("clear",)),
            Param("id", "the rule's id", positional=True),
            Param("all", "all of them", "bool", False),
            DRY_RUN,
        ),
        writes=True,
        rows="quarantine",
        example="memex gate quarantine clear --all",
        detail="Editing a rule releases it too.",
    ),
    Operation(
        "gate replay",
        "list recent prompts on which own rules decide otherwise",
        "gate",
        (
            Param("limit", "so many of the newest typed prompts", "int", 20),
            Param("project", "only of this project's sessions", metavar="NAME"),
        ),
        rows="changed",
        example="memex gate replay --limit 100",
    ),
)
