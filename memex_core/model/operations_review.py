"""Operations of a reviewer: drafts in or out, twins merged, pages raised or lowered a tier."""

from __future__ import annotations

from memex_core.model.operations import DRY_RUN, SCOPE, Operation, Param
from memex_core.model.operations_pages import SLUG

SLUGS = Param(
    "slugs", "the pages", "items", (), positional=True, required=True, metavar="SLUG", names_page=True
)
WHY = Param("why", "the reason, kept in the journal", default="", metavar="TEXT")

OPERATIONS = (
    Operation(
        "approve",
        "accept drafts",
        "review",
        (SLUGS, SCOPE, DRY_RUN),
        writes=True,
        example="memex approve ruff-linter tabs-or-spaces",
    ),
    Operation(
        "reject",
        "refuse drafts",
        "review",
        (SLUGS, WHY, SCOPE, DRY_RUN),
        writes=True,
        example='memex reject tabs-or-spaces --why "a joke"',
    ),
    Operation(
        "merge",
        "merge one page into another, which then stands for both",
        "review",
        (
            Param("target", "the page that stays", positional=True, required=True, names_page=True),
            Param("source", "the page that goes into it", positional=True, required=True, names_page=True),
            SCOPE,
            DRY_RUN,
        ),
        writes=True,
        example="memex merge ruff-linter ruff",
    ),
    Operation(
        "promote",
        "raise a page one tier: branch, project, global",
        "review",
        (SLUG, WHY, SCOPE, DRY_RUN),
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
