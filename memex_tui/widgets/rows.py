"""Where a virtual list gets its rows from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

T = TypeVar("T")


class RowProvider(Protocol[T]):
    """A list of any length of which only the rows in sight are asked for.

    ``rows`` must answer at once; a row that is not loaded yet is None, and the owner calls
    ``VirtualList.rows_loaded`` when it is there.
    """

    def count(self) -> int: ...
    def rows(self, start: int, stop: int) -> Sequence[T | None]: ...
    def key(self, row: T) -> str:
        """What the row is, whatever its place: the selection follows it."""
        ...

    def index_of(self, key: str) -> int | None: ...


class SequenceRows(Generic[T]):
    """Rows that are all in memory. The sequence is used as it is, not copied."""

    def __init__(self, items: Sequence[T], key: Callable[[T], str] = str) -> None:
        self._items = items
        self._key = key
        self._places: dict[str, int] | None = None

    def count(self) -> int:
        return len(self._items)

    def rows(self, start: int, stop: int) -> Sequence[T | None]:
        return self._items[start:stop]

    def key(self, row: T) -> str:
        return self._key(row)

    def index_of(self, key: str) -> int | None:
        """The place of a row, by a table made on first use."""
        if self._places is None:
            self._places = {self._key(item): index for index, item in enumerate(self._items)}
        return self._places.get(key)


class RowState(NamedTuple):
    """How a row stands while it is drawn."""

    cursor: bool = False
    marked: bool = False
