"""SQLite's errors as ours, and what an interruption leaves behind.

SQLite counts an interruption as over only when no statement of the connection is open any more. A cursor that
the traceback of the broken-off call keeps alive holds it open, and the next call on the connection is broken
off too: so whoever interrupts runs calls inside :func:`breakable`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from memex_core.index.connection import is_busy, is_damaged
from memex_core.model.errors import Interrupted, SearchFailed

REBUILD = "memex rebuild-index --force"


def failure(error: sqlite3.Error, what: str = "the search", hint: str = REBUILD) -> SearchFailed:
    """What went wrong in the engine, in one line; :class:`Interrupted` when another thread asked for it."""
    text = " ".join(str(error).split()) or type(error).__name__
    if _tells(error):
        return Interrupted(f"{what} was stopped")
    if is_busy(error):
        return SearchFailed(f"the index is busy: {text}", hint="try again in a moment")
    if is_damaged(error):
        return SearchFailed(f"the index is damaged: {text}", hint=REBUILD)
    return SearchFailed(f"{what} failed: {text}", hint=hint)


@contextmanager
def index_errors() -> Iterator[None]:
    """SQLite's own errors as ours: there is no room for an index, or no disk that holds one."""
    try:
        yield
    except sqlite3.Error as error:
        raise failure(error, "the index", "is the disk full or broken?") from error


@contextmanager
def breakable() -> Iterator[None]:
    """Raise Interrupted for whatever an interruption made of the call inside, and let go of its cursors."""
    broken = False
    try:
        yield
    except Exception as error:
        if not interrupted(error):
            raise
        _let_go(error)
        broken = True
    if broken:
        raise Interrupted("the search was stopped")


def interrupted(error: BaseException | None) -> bool:
    """Whether an interruption is behind the error, however it was wrapped."""
    while error is not None:
        if isinstance(error, Interrupted) or (isinstance(error, sqlite3.Error) and _tells(error)):
            return True
        error = error.__cause__
    return False


def _tells(error: sqlite3.Error) -> bool:
    return "interrupted" in str(error).lower()


def _let_go(error: BaseException | None) -> None:
    """Clear the ended frames that an error and those behind it hold: their cursors close."""
    while error is not None:
        trace = error.__traceback__
        while trace is not None:
            try:
                trace.tb_frame.clear()
            except RuntimeError:  # it runs still: a frame of the caller
                pass
            trace = trace.tb_next
        error = error.__cause__ or error.__context__


__all__ = ["breakable", "failure", "index_errors", "interrupted"]
