"""What a reader of another tool's store hands on."""

from __future__ import annotations

from typing import NamedTuple


class Arrival(NamedTuple):
    """One page on its way in.

    ``path`` is where it would like to be, ``data`` its file, ``mtime_ns`` when it was last changed there (0:
    unknown). ``key`` names it in its own store, the same every time.
    """

    path: str
    data: bytes
    key: str
    mtime_ns: int = 0


class Damage(NamedTuple):
    """What could not be taken in, or is odd: a file, a line in it (0: the whole), and why."""

    file: str
    line: int
    message: str


class Found(NamedTuple):
    """All of a store: pages, files beside them, what was ``damaged`` and left out, and what is only odd."""

    arrivals: list[Arrival]
    attachments: list[str]
    damaged: list[Damage]
    odd: list[Damage]
