"""The three states of a page, and the older words for them."""

from __future__ import annotations

DRAFT = "draft"
STABLE = "stable"
DEPRECATED = "deprecated"

STATUSES = (DRAFT, STABLE, DEPRECATED)
"""In the order of a page's life: waits for review, in force, archived or superseded."""

INACTIVE = (DRAFT, DEPRECATED)
"""States that recall and context leave out unless asked."""

_OLDER = {
    "pending": DRAFT,
    "active": STABLE,
    "superseded": DEPRECATED,
    "archived": DEPRECATED,
    "inactive": DEPRECATED,
}


def read_status(text: str | None) -> str:
    """One of :data:`STATUSES` for what a page says.

    Case and blanks do not matter. An unknown word (a vault's own ``status: done``) is ``stable``:
    a page is hidden only where it says so in words memex knows.
    """
    word = (text or "").strip().lower()
    if word in STATUSES:
        return word
    return _OLDER.get(word, STABLE)


def is_known(text: str | None) -> bool:
    """Whether ``text`` is empty, a status, or an older spelling of one."""
    word = (text or "").strip().lower()
    return not word or word in STATUSES or word in _OLDER
