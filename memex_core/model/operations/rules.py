"""Operations on the rules of extraction, which say what never becomes a memory."""

from __future__ import annotations

from memex_core.model.operations.history import YES
from memex_core.model.operations.registry import DRY_RUN, Operation, Param
from memex_core.model.operations.upkeep import PROGRESS

_EXPECT = Param("expect", "only if the rules' revision is still this one", metavar="REVISION")
_PROJECT = Param("project", "only in this project", metavar="NAME")

OPERATIONS = (
    Operation(
        "rules show",
        "list the rules of extraction and what they tell a model",
        "rules",
        (_PROJECT,),
        rows="rules",
        example="memex rules show",
    ),
    Operation(
        "rules validate",
        "check a file of rules; exit code 1 when it is not sound",
        "rules",
        (Param("file", "another file than rules/extract.toml", "path", positional=True),),
        example="memex rules validate",
        detail="A file that is not sound holds back everything that a machine would store.",
    ),
    Operation(
        "rules add",
        "keep something out of what machines remember",
        "rules",
        (
            Param(
                "kind",
                "never: what fits is not stored; avoid: a topic, hint: words of a decision, and language are "
                "for a model",
                positional=True,
                required=True,
                choices=("never", "avoid", "hint", "language"),
            ),
            Param(
                "said",
                "a regular expression, a topic, words, or a code such as ko",
                positional=True,
                required=True,
                metavar="TEXT",
            ),
            Param(
                "scope",
                "where a pattern is looked for: what would be stored, what it is drawn from, or both",
                default="both",
                choices=("text", "evidence", "both"),
            ),
            Param("flags", "i: capitals do not matter; s: a dot is a line end too; empty: none", default="i"),
            Param("note", "what it is for", default="", metavar="TEXT"),
            _PROJECT,
            _EXPECT,
            DRY_RUN,
        ),
        writes=True,
        example=r"memex rules add never 'ACME-\d{4}' --note 'customer numbers'",
    ),
    Operation(
        "rules remove",
        "take a rule out",
        "rules",
        (Param("id", "the rule's id", positional=True, required=True), _EXPECT, DRY_RUN),
        writes=True,
        example="memex rules remove never.1a2b3c4d",
    ),
    Operation(
        "rules test",
        "say what the rules would keep out of pages and recent turns",
        "rules",
        (
            Param("limit", "so many of the newest turns", "int", 200),
            Param("project", "only pages and sessions of this project", metavar="NAME"),
            PROGRESS,
        ),
        rows="pages",
        example="memex rules test --limit 1000",
        detail="Nothing is changed. Exit code 1 when the rules cannot be tried.",
    ),
    Operation(
        "rules reset",
        "give all rules of extraction up",
        "rules",
        (YES, _EXPECT, DRY_RUN),
        writes=True,
        destroys=True,
        example="memex rules reset --yes",
        detail="memex rules rollback brings them back.",
    ),
    Operation(
        "rules rollback",
        "put the rules back as they were before a change",
        "rules",
        (Param("to", "the number of a kept state; default: the newest", "int"), _EXPECT, DRY_RUN),
        writes=True,
        example="memex rules rollback",
        detail="A second one takes the first back.",
    ),
    Operation(
        "rules quarantine",
        "list patterns that took too long, or let them try again",
        "rules",
        (
            Param("action", "clear: let patterns try again", positional=True, choices=("clear",)),
            Param("id", "the rule's id", positional=True),
            Param("all", "all of them", "bool", False),
            DRY_RUN,
        ),
        writes=True,
        rows="quarantine",
        example="memex rules quarantine clear --all",
        detail="While one is set aside, nothing that a machine writes is stored.",
    ),
)
