"""Arithmetic of vectors in plain Python: unit length, cosine, sign bits.

No numpy: a search compares a question with a few hundred vectors, which takes a few milliseconds here,
while importing numpy alone takes ninety.
"""

from __future__ import annotations

import math
import sys
import zlib
from array import array
from collections.abc import Iterable
from operator import mul

_SIGN = bytes(48 if top < 128 else 49 for top in range(256))  # the top byte of a float says its sign
_product = getattr(math, "sumprod", None)  # Python 3.12


def unit(values: Iterable[float]) -> array[float]:
    """The vector scaled to length 1; all zeros stay zeros. Raises ValueError for what is no vector."""
    try:
        vector = array("f", values)
    except (TypeError, OverflowError) as error:
        raise ValueError("not a list of numbers") from error
    if not vector:
        raise ValueError("no numbers")
    length = math.sqrt(math.fsum(value * value for value in vector))
    if not math.isfinite(length):
        raise ValueError("a number is not finite")
    return array("f", [value / length for value in vector]) if length else vector


def cosine(one: array[float], other: array[float]) -> float:
    """The cosine of two unit vectors of the same width; 0 where one is all zeros."""
    return float(_product(one, other)) if _product else sum(map(mul, one, other))


def packed(vector: array[float]) -> bytes:
    """The vector as little-endian float32."""
    if sys.byteorder == "big":
        vector = vector[:]
        vector.byteswap()
    return vector.tobytes()


def unpacked(data: bytes, checksum: int, width: int) -> array[float] | None:
    """The vector of what :func:`packed` gave; None when it is torn or of another width."""
    if len(data) != 4 * width or zlib.crc32(data) != checksum:
        return None
    vector = array("f")
    vector.frombytes(data)
    if sys.byteorder == "big":
        vector.byteswap()
    return vector


def signs(data: bytes) -> int:
    """One bit a number of packed ``data``: set where it is negative."""
    return int(data[3::4].translate(_SIGN), 2)
