"""Stored text is shown on a terminal, never obeyed by it."""

from __future__ import annotations

import pytest

from memex_core.model.printable import one_line, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb", "a\nb"),
        ("a\rb", "a␍b"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("\x9b31m", "\ufffd31m"),
        ("\x00\x7f", "␀␡"),
        ("\u202etxt.exe\u202c", "\ufffdtxt.exe\ufffd"),
        ("caf\udce9", "caf\ufffd"),
        ("数据 🚀 e\u0301 \u200d", "数据 🚀 e\u0301 \u200d"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_nothing_a_terminal_obeys_is_left() -> None:
    every = "".join(map(chr, [*range(0x110000)]))
    left = printable(every)
    assert "\x1b" not in left
    assert [char for char in left if ord(char) < 32 or 0x7F <= ord(char) < 0xA0] == ["\t", "\n"]
    left.encode("utf-8")


def test_one_line() -> None:
    assert one_line(" a\n\tb \x1b ") == "a b ␛"
