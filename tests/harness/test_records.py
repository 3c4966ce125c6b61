"""Lines into records: what a killed writer, a strange string or a very long line leaves is read around."""

from __future__ import annotations

import io
import json

import pytest

from memex_core.harness import records as room
from memex_core.harness.records import Damage, records


def read(
    data: bytes, at: int = 0, line: int = 0
) -> tuple[list[tuple[dict[str, object], int, int, int]], list[Damage]]:
    damaged: list[Damage] = []
    file = io.BytesIO(data)
    file.seek(at)
    return [tuple(one) for one in records(file, at, line, damaged)], damaged  # type: ignore[misc]


def values(data: bytes) -> list[dict[str, object]]:
    return [one[0] for one in read(data)[0]]


def test_a_record_knows_where_it_stands() -> None:
    found, damaged = read(b'{"a":1}\n\n{"b":"\xc3\xbc"}\n')
    assert found == [({"a": 1}, 0, 8, 1), ({"b": "ü"}, 9, 20, 3)]
    assert damaged == []


def test_reading_goes_on_from_any_line() -> None:
    data = b'{"a":1}\n{"b":2}\n'
    assert read(data, 8, 1)[0] == [({"b": 2}, 8, 16, 2)]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x1c", "\x0b"])
def test_only_a_newline_ends_a_line(separator: str) -> None:
    line = json.dumps({"text": f"one{separator}two"}, ensure_ascii=False).encode()
    assert values(line + b"\r\n" + line) == [{"text": f"one{separator}two"}] * 2


@pytest.mark.parametrize(
    ("data", "found", "said"),
    [
        (b'{"type":"x","te{"b":2}\n', [{"b": 2}], "a damaged record; 1 on the same line read"),
        (b'{"a":1}{"b":2}\n', [{"a": 1}, {"b": 2}], ""),
        (b'{"a":1} \0\0 {"b":2}\n', [{"a": 1}, {"b": 2}], ""),
        (b"\0" * 4096 + b'{"a":1}\n', [{"a": 1}], ""),
        (b'{"a":1}\0\0\n', [{"a": 1}], ""),
        (b"[1,2]\n", [], "no JSON object"),
        (b"42\n", [], "no JSON object"),
        (b"kettle\n", [], "something that is no record"),
        (b'{"m":{"role":"user","content":[{"type":"text","text":"cut he\n', [], "a damaged record"),
        (b'{"a":{"b":1},"c":"cut{"d":4}\n', [{"d": 4}], "a damaged record; 1 on the same line read"),
    ],
)
def test_what_is_whole_is_read_and_the_rest_named(
    data: bytes, found: list[dict[str, int]], said: str
) -> None:
    read_now, damaged = read(b'{"first":0}\n' + data + b'{"last":9}\n')
    assert [one[0] for one in read_now] == [{"first": 0}, *found, {"last": 9}]
    assert [one.message for one in damaged] == ([said] if said else [])
    assert all(one.line == 2 for one in damaged)


def test_two_records_on_a_line_have_places_of_their_own() -> None:
    found, _ = read(b'{"x":0}\n{"a":1}{"b":2}\n{"c":3}\n')
    assert [(one[1], one[2]) for one in found] == [(0, 8), (8, 23), (9, 23), (23, 31)]


def test_a_byte_order_mark_and_bytes_that_are_no_text() -> None:
    assert values(b'\xef\xbb\xbf{"a":"\xff"}\n') == [{"a": "\ufffd"}]


def test_three_thousand_levels_are_damage_and_the_next_line_is_read() -> None:
    deep = b'{"x":' + b"[" * 3000 + b"]" * 3000 + b"}\n"
    found, damaged = read(deep + b'{"a":1}\n')
    assert [one[0] for one in found] == [{"a": 1}]
    assert damaged == [(1, "nested too deeply", False, len(deep))]


def test_an_endless_number_costs_no_record() -> None:
    found = values(b'{"n":' + b"9" * 5000 + b',"a":1}\n')
    assert found[0]["a"] == 1


def test_a_last_line_is_read_when_it_is_whole() -> None:
    assert values(b'{"a":1}\n{"b":2}') == [{"a": 1}, {"b": 2}]
    found, damaged = read(b'{"a":1}\n{"b":"still wri')
    assert [one[0] for one in found] == [{"a": 1}]
    assert damaged == [(2, "not finished yet; it is read when it is", True, 0)]


def test_a_line_longer_than_memory_is_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHUNK", 64)
    monkeypatch.setattr(room, "LONGEST", 200)
    long = json.dumps({"text": "x" * 1000}).encode()
    found, damaged = read(b'{"a":1}\n' + long + b'\n{"b":2}\n')
    assert [(one[0], one[1]) for one in found] == [({"a": 1}, 0), ({"b": 2}, 8 + len(long) + 1)]
    assert damaged == [(2, f"a line of {len(long):,} bytes is too long to be read", False, 8 + len(long) + 1)]


def test_chunks_cut_lines_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(json.dumps({"n": n, "text": "kettle " * n}).encode() + b"\n" for n in range(40))
    whole = read(data)
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr(room, "CHUNK", size)
        assert read(data) == whole


def test_a_last_line_with_a_number_of_thousands_of_digits_is_whole() -> None:
    found, damaged = read(b'{"a":1}\n{"b":' + b"9" * 5000 + b"}")
    assert [list(one[0]) for one in found] == [["a"], ["b"]]
    assert damaged == []
