"""Operations of a reviewer: what waits, drafts in or out, twins merged, pages raised or lowered a tier."""

from __future__ import annotations

from memex_core.model.operations.pages import SLUG
from memex_core.model.operations.registry import DRY_RUN, PROJECT, SCOPE, Operation, Param

SLUGS = Param(
    "slugs", "the pages", "items", (), positional=True, required=True, metavar="SLUG", names_page=True
)
WHY = Param("why", "the reason, kept in the journal", default="", metavar="TEXT")
EXPECT = Param("expect", "the digest of the item that was looked at", face="api")

OPERATIONS = (
    Operation(
        "review",
        "list what waits for your verdict, the oldest first",
        "review",
        (
            Param("kind", "only these: draft, change, conflict, dispute", "list", ()),
            PROJECT,
            Param("limit", "at most so many", "int", 200),
        ),
        rows="items",
        common=True,
        example="memex review --kind change,conflict",
    ),
    Operation(
        "approve",
        "accept drafts and proposed changes",
        "review",
        (
            SLUGS,
            Param(
                "text",
                "the body that is accepted instead; - reads standard input",
                metavar="TEXT",
                stdin=True,
            ),
            EXPECT,
            SCOPE,
            PROJECT,
            DRY_RUN,
        ),
        writes=True,
        example="memex approve ruff-linter tabs-or-spaces",
    ),
    Operation(
        "reject",
        "refuse drafts and proposed changes; agents cannot propose the same text again",
        "review",
        (SLUGS, WHY, EXPECT, SCOPE, PROJECT, DRY_RUN),
        writes=True,
        example='memex reject tabs-or-spaces --why "a joke"',
    ),
    Operation(
        "defer",
        "leave what waits for later, behind all else",
        "review",
        (SLUGS, SCOPE, PROJECT, DRY_RUN),
        writes=True,
        example="memex defer tabs-or-spaces",
    ),
    Operation(
        "dispute",
        "doubt a source of a page, which then comes to review",
        "review",
        (
            SLUG,
            Param("source", "the id of the source, as s1, or what it cites", positional=True, required=True),
            WHY,
            Param("withdraw", "take the doubt away again", "bool", False),
            EXPECT,
            SCOPE,
            PROJECT,
            DRY_RUN,
        ),
        writes=True,
        example='memex dispute oven-two s1 --why "the log says 31 s"',
    ),
    Operation(
        "merge",
        "merge one page into another, which then stands for both",
        "review",
        (
            Param("target", "the page that stays", positional=True, required=True, names_page=True),
            Param("source", "the page that goes into it", positional=True, required=True, names_page=True),
            SCOPE,
            PROJECT,
            DRY_RUN,
        ),
        writes=True,
        example="memex merge ruff-linter ruff",
    ),
    Operation(
        "promote",
        "raise a page one tier: branch, project, global",
        "review",
        (SLUG, WHY, SCOPE, PROJECT, DRY_RUN),
        writes=True,
        example="memex promote deploy-steps",
    ),
    Operation(
        "demote",
        "lower a page one tier: global, project, branch",
        "review",
        (
            SLUG,
            Param("project", "the project it then belongs to", metavar="NAME"),
            Param("branch", "the branch it then belongs to", metavar="NAME"),
            WHY,
            SCOPE,
            DRY_RUN,
        ),
        writes=True,
        example="memex demote deploy-steps --project shop",
    ),
)
