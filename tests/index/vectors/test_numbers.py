"""Vectors in plain Python: unit length, cosine, sign bits, and what is no vector."""

from __future__ import annotations

import math
import random
import subprocess
import sys
import zlib
from array import array

import pytest

from memex_core.index.vectors.numbers import cosine, packed, signs, unit, unpacked


def test_a_unit_vector_has_length_one_and_zeros_stay_zeros() -> None:
    vector = unit([3.0, 4.0])
    assert list(vector) == pytest.approx([0.6, 0.8])
    nothing = unit([0, 0, 0])
    assert list(nothing) == [0.0, 0.0, 0.0]
    assert cosine(nothing, unit([1, 2, 3])) == 0.0


@pytest.mark.parametrize("values", [[], [1.0, math.nan], [math.inf, 0.0], ["a"], [None], 7, [1e300]])
def test_what_is_no_vector_is_refused(values: object) -> None:
    with pytest.raises(ValueError):
        unit(values)  # type: ignore[arg-type]


def test_cosine_is_that_of_the_angle() -> None:
    assert cosine(unit([1, 0]), unit([1, 1])) == pytest.approx(math.sqrt(0.5), abs=1e-6)
    assert cosine(unit([1, 0]), unit([-2, 0])) == pytest.approx(-1.0, abs=1e-6)


def test_packed_bytes_are_little_endian_floats_and_come_back_only_when_whole() -> None:
    vector = array("f", [1.0, -2.0])
    data = packed(vector)
    assert data == b"\x00\x00\x80?\x00\x00\x00\xc0"
    assert unpacked(data, zlib.crc32(data), 2) == vector
    assert unpacked(data, zlib.crc32(data), 3) is None
    assert unpacked(data[:-1] + b"\x01", zlib.crc32(data), 2) is None
    assert unpacked(b"", zlib.crc32(b""), 2) is None


def test_a_sign_bit_a_number_the_first_one_highest() -> None:
    assert signs(packed(array("f", [1.0, -1.0, 0.5, -0.5, -2.0]))) == 0b01011
    draw = random.Random(1)
    values = [draw.uniform(-1, 1) for _ in range(100)]
    expected = int("".join("1" if value < 0 else "0" for value in values), 2)
    assert signs(packed(array("f", values))) == expected


def test_nothing_heavy_is_imported() -> None:
    """Fusion without numpy: importing it would cost more than the whole arithmetic of a search."""
    code = (
        "import sys, memex_core.recall.recall, memex_core.recall.fusion, memex_core.actions.asking.meaning\n"
        "print([name for name in ('numpy', 'openai', 'httpx', 'rich', 'textual') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_search_by_words_does_not_even_load_the_vectors() -> None:
    code = "import sys, memex_core.recall.recall, memex_core.actions.asking.recalling\n"
    code += "print([name for name in sys.modules if 'vectors' in name or 'fusion' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
