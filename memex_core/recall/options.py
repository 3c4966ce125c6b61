"""What a caller may ask of a search beside the query itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memex_core.recall.fusion import Meaning
    from memex_core.recall.priors import Priors
    from memex_core.recall.window import Window

PLACES = ("pages", "diary", "transcripts")


class Options:
    """Empty means no limit.

    ``types``, ``statuses`` and ``kinds`` (of :data:`PLACES`) are any of several, of ``tags`` a page must
    have all. ``after`` and ``before`` are dates as in a query. ``budget`` is in tokens, None for no limit.
    ``count`` says whether the hits count as used, ``explain`` that each hit should say more of why,
    ``loose`` that what is searched is something said (a prompt) and not a query: quoted phrases and
    identifiers in it may be missing, and nothing in it excludes. ``reach`` is a project and a branch (both
    may be empty): only pages that concern who works there. ``but_session`` leaves out pages of that
    conversation. ``meaning`` is what vectors have to say, None for words only. ``when`` is a time as people
    write it, ``window`` what :mod:`memex_core.recall.window` made of it, or of the query's words.
    ``root`` is the folder of ``project`` where it is known. ``priors`` lets importance, freshness and use
    count a little, None for not at all.
    """

    __slots__ = (
        "after", "before", "budget", "but_session", "count", "expand", "explain", "include_expired",
        "include_inactive", "k", "kinds", "loose", "meaning", "priors", "project", "reach", "root",
        "scope", "statuses", "tags", "types", "when", "window",
    )  # fmt: skip

    def __init__(
        self,
        k: int = 10,
        *,
        types: Sequence[str] = (),
        tags: Sequence[str] = (),
        scope: str = "",
        project: str = "",
        root: str = "",
        statuses: Sequence[str] = (),
        after: str = "",
        before: str = "",
        kinds: Sequence[str] = PLACES,
        budget: int | None = None,
        expand: bool = False,
        explain: bool = False,
        count: bool = True,
        include_expired: bool = False,
        include_inactive: bool = False,
        loose: bool = False,
        reach: tuple[str, str] | None = None,
        but_session: str = "",
        meaning: Meaning | None = None,
        when: str = "",
        window: Window | None = None,
        priors: Priors | None = None,
    ) -> None:
        self.k = k
        self.types = types
        self.tags = tags
        self.scope = scope
        self.project = project
        self.root = root
        self.statuses = statuses
        self.after = after
        self.before = before
        self.kinds = kinds
        self.budget = budget
        self.expand = expand
        self.explain = explain
        self.count = count
        self.include_expired = include_expired
        self.include_inactive = include_inactive
        self.loose = loose
        self.reach = reach
        self.but_session = but_session
        self.meaning = meaning
        self.when = when
        self.window = window
        self.priors = priors

    def but(self, **changes: Any) -> Options:
        """The same with some of it changed."""
        return Options(**{name: changes.get(name, getattr(self, name)) for name in self.__slots__})
