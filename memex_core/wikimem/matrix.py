"""A float32 matrix in NumPy's ``.npy`` format, read by memory map, without NumPy."""

from __future__ import annotations

import ast
import mmap
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

_MAGIC = b"\x93NUMPY\x01\x00"
_ALIGNED = 64


class Rows(Protocol):
    """Rows of numbers: a :class:`Matrix`, a list of lists, a NumPy array."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int, /) -> Sequence[float]: ...


class Matrix:
    """Rows of ``width`` numbers each, a view of the file; the system decides what is in memory."""

    def __init__(self, numbers: memoryview[float], rows: int, width: int) -> None:
        self._numbers = numbers
        self._rows = rows
        self.width = width

    @classmethod
    def open(cls, path: Path, rows: int) -> Matrix | None:
        """The matrix of a file; None unless it is whole and has so many rows."""
        try:
            with open(path, "rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            return None
        start = 10 + int.from_bytes(data[8:10], "little")
        try:
            head = ast.literal_eval(data[10:start].decode("latin-1"))
            count, width = head["shape"]
            plain = head["descr"] == "<f4" and head["fortran_order"] is False
        except (ValueError, SyntaxError, KeyError, TypeError):
            return None
        whole = data[:8] == _MAGIC and plain and count == rows and len(data) == start + 4 * count * width
        if not whole:
            return None
        numbers = memoryview(data)[start:].cast("f")
        if sys.byteorder == "big":
            turned = array("f", numbers)
            turned.byteswap()
            numbers = memoryview(turned)
        return cls(numbers, rows, width)

    @staticmethod
    def encoded(rows: Iterable[Sequence[float]], count: int, width: int) -> bytes:
        """The bytes of a file with these rows."""
        head = repr({"descr": "<f4", "fortran_order": False, "shape": (count, width)}).encode()
        head += b" " * (-(len(_MAGIC) + 3 + len(head)) % _ALIGNED) + b"\n"
        numbers = array("f", (number for row in rows for number in row))
        if sys.byteorder == "big":
            numbers.byteswap()
        return _MAGIC + len(head).to_bytes(2, "little") + head + numbers.tobytes()

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, row: int) -> memoryview[float]:
        if not 0 <= row < self._rows:
            raise IndexError(row)
        return self._numbers[row * self.width : (row + 1) * self.width]

    def __iter__(self) -> Iterator[memoryview[float]]:
        return (self[row] for row in range(self._rows))
