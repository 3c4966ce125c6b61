"""What a caller may ask of a search beside the query itself."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

from typing import NamedTuple

PLACES = ("pages", "diary", "transcripts")


class Options(NamedTuple):
    """Empty means no limit.

    ``types``, ``statuses`` and ``kinds`` (of :data:`PLACES`) are any of several, of ``tags`` a page must
    have all. ``after`` and ``before`` are dates as in a query. ``budget`` is in tokens, None for no limit.
    ``count`` says whether the hits count as used.
    """

    k: int = 10
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    scope: str = ""
    project: str = ""
    statuses: tuple[str, ...] = ()
    after: str = ""
    before: str = ""
    kinds: tuple[str, ...] = PLACES
    budget: int | None = None
    expand: bool = False
    explain: bool = False
    count: bool = True
    include_expired: bool = False
    include_inactive: bool = False
