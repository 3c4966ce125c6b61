"""Operations on the journal: what happened to a page, undoing it, and erasing it for good."""

from __future__ import annotations

from memex_core.model.operations.pages import SLUG
from memex_core.model.operations.registry import DRY_RUN, PROJECT, SCOPE, Operation, Param

YES = Param("yes", "do it; without it only the impact is shown", "bool", False, face="cli")

OPERATIONS = (
    Operation(
        "history",
        "list the changes of a page, newest first",
        "history",
        (SLUG, Param("limit", "at most so many", "int", 50), SCOPE, PROJECT),
        rows="events",
        example="memex history ruff-linter",
    ),
    Operation(
        "revert",
        "undo the last change of a page, or bring a forgotten one back",
        "history",
        (
            SLUG,
            Param("to", "back to how it was right after this change", "int", metavar="SEQ"),
            Param("group", "undo an act on many pages for all of them", "bool", False),
            SCOPE,
            PROJECT,
            DRY_RUN,
        ),
        writes=True,
        common=True,
        example="memex revert ruff-linter",
        detail="A rename, move or merge is undone with the links it changed. Of an import, sync, decay or "
        "new tag name only this page's part is undone; --group undoes it on all pages.",
    ),
    Operation(
        "diff",
        "compare versions of a page",
        "history",
        (
            SLUG,
            Param("old", "the older change (default: the last one)", "int", None, True, metavar="SEQ"),
            Param("new", "the newer change (default: the file as it is)", "int", None, True, metavar="SEQ"),
            SCOPE,
            PROJECT,
        ),
        example="memex diff ruff-linter 12",
        detail="A version is named by the change that made it, as history lists them.",
    ),
    Operation(
        "purge",
        "erase a page or a conversation for good, journal text included",
        "history",
        (
            Param("slug", "the page", positional=True, names_page=True),
            Param("id", "the page's UUID, against mistakes; show prints it", metavar="UUID"),
            Param("session", "the conversation instead of a page", metavar="ID"),
            YES,
            SCOPE,
            PROJECT,
            DRY_RUN,
        ),
        writes=True,
        destroys=True,
        example="memex purge old-password --id 5f0c… --yes",
    ),
)
