"""What can go wrong, in the words a person reads.

Every failure that memex foresees is a :class:`MemexError`. Its text is one line that names the
file or thing concerned; ``hint`` is the next step. Faces turn it into
``memex: <message>; <hint>`` and the exit code, or into ``{"error": {code, message, hint}}``.
"""

from __future__ import annotations


class MemexError(Exception):
    """A refused or failed operation: one line for people, a stable ``code`` for programs."""

    code = "failed"
    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class BadInput(MemexError, ValueError):
    """A parameter that no store could make sense of (wrong type, empty, out of range)."""

    code = "bad-input"
    exit_code = 2


class NotFound(MemexError):
    """Nothing has that name."""

    code = "not-found"


class Ambiguous(MemexError):
    """Several things have that name; ``candidates`` are their paths."""

    code = "ambiguous"

    def __init__(self, message: str, candidates: list[str], *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.candidates = candidates


class Refused(MemexError):
    """Understood, and not done: it would leave the root, overwrite, or break a rule."""

    code = "refused"


class AlreadyExists(Refused):
    """A page, file or session of that name is there already."""

    code = "exists"


class Conflict(MemexError):
    """The file changed since it was read; neither text is lost."""

    code = "conflict"


class StoreMissing(MemexError):
    """No store at that place."""

    code = "no-store"


class Unreachable(MemexError):
    """The folder cannot be read now (unmounted, no permission); the index is kept."""

    code = "unreachable"


class Locked(MemexError):
    """A live process holds the store's lock."""

    code = "locked"


class WriteFailed(MemexError):
    """The disk refused (full, read-only, no permission); the old file is intact."""

    code = "write-failed"


class SearchFailed(MemexError):
    """The search engine failed: never to be shown as zero hits."""

    code = "search-failed"


class Interrupted(SearchFailed):
    """Another thread asked the search to stop: its answer is no longer wanted."""

    code = "interrupted"


class Damaged(MemexError):
    """An archive, journal or config file that cannot be trusted."""

    code = "damaged"
