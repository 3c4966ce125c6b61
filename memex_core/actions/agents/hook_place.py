"""Which project and branch an agent works in, and which pages concern it there."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

from typing import TYPE_CHECKING, NamedTuple

from memex_core.model import clock
from memex_core.model.scope import reaches
from memex_core.model.visibility import visible

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.index.lookup import Row


class Place(NamedTuple):
    """Empty where an agent works in no project."""

    project: str = ""
    branch: str = ""

    @property
    def reach(self) -> tuple[str, str]:
        return self.project, self.branch

    def reaches(self, row: "Row") -> bool:
        """Whether the page concerns this place."""
        return reaches(row.scope, row.project, row.branch, self.project, self.branch)


def holds(row: "Row") -> bool:
    """Whether the page may be given somewhere: in force, reviewed, and not disputed."""
    return row.trust != "disputed" and visible(row.status, row.valid_from, row.valid_until, clock.stamp())


def place_of(store: "Store", cwd: str) -> Place:
    """The project and branch of the folder ``cwd`` (empty: the one this process works in)."""
    from memex_core.actions.here import here

    found = here(store, cwd or None)
    return Place(found.id, found.branch)
