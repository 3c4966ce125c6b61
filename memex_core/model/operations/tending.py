"""Operations that go through all pages: importance that fades, and navigation for other readers."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param
from memex_core.model.operations.upkeep import PROGRESS

OPERATIONS = (
    Operation(
        "decay",
        "lower the importance of pages that were not used for a half-life",
        "tending",
        (DRY_RUN,),
        writes=True,
        rows="changed",
        example="memex decay --dry-run",
        detail="Running it often lowers nothing twice: it counts from the last use and from what the "
        "page had. Drafts, verified and archived pages are spared; a page that is used again gets it back.",
    ),
    Operation(
        "okf check",
        "check that a folder is an Open Knowledge Format bundle",
        "tending",
        (
            Param("folder", "another bundle than this store's pages", "path", positional=True, metavar="DIR"),
            Param("strict", "warnings count as well", "bool", False),
        ),
        rows="findings",
        example="memex okf check",
        detail=(
            "Exit code 1 when it is not one. Where memex made the navigation, it also says which files of it "
            "are not as the pages are."
        ),
    ),
    Operation(
        "okf index",
        "write index.md and log.md for other readers of the bundle",
        "tending",
        (PROGRESS, DRY_RUN),
        writes=True,
        rows="written",
        example="memex okf index --dry-run",
        detail="Only files that changed are written, and none that memex did not make.",
    ),
)
