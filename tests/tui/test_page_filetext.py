"""Bytes to editor lines and back: untouched lines keep every byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_tui.render.text import width
from memex_tui.screens.page.filetext import FileText, drawn, tame, wild

AWKWARD = [
    b"",
    b"\n",
    b"one",
    b"one\n",
    b"one\r\ntwo\nthree\rfour",
    b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\nbody\r\n",
    b"form\x0cfeed\nvertical\x0btab\nnel\xc2\x85\nls\xe2\x80\xa8\n",
    b"not utf-8 \xff\xfe\n\x1b[31mred\x1b[0m\x00\n",
    "zero\u200bwidth \u202eoverride\ufeff \U000e0041tag\n".encode(),
]


@pytest.mark.parametrize("data", AWKWARD)
def test_unedited_text_is_the_same_bytes(data: bytes) -> None:
    text = FileText(data)
    assert text.encode(text.lines) == data
    assert text.encode(list(text.lines)) == data


@given(st.binary(max_size=80))
def test_any_bytes_come_back(data: bytes) -> None:
    text = FileText(data)
    assert text.encode([*text.lines]) == data


@pytest.mark.parametrize("data", AWKWARD)
def test_a_line_appended_changes_nothing_before_it(data: bytes) -> None:
    text = FileText(data)
    after = text.encode([*text.lines[:-1], text.lines[-1], "new"])
    assert after.startswith(data)
    assert after.endswith(b"new")


def test_a_line_edited_in_place_keeps_its_line_end() -> None:
    text = FileText(b"one\r\ntwo\nthree\rfour\r\n")
    assert text.lines == ["one", "two", "three", "four", ""]
    edited = ["one", "2", "3", "four", ""]
    assert text.encode(edited) == b"one\r\n2\n3\rfour\r\n"


def test_a_new_line_takes_the_file_s_own_line_end() -> None:
    text = FileText(b"a\r\nb\r\n")
    assert text.encode(["a", "new", "b", ""]) == b"a\r\nnew\r\nb\r\n"


def test_a_removed_last_line_end_stays_removed() -> None:
    text = FileText(b"a\nb\n")
    assert text.encode(["a", "b"]) == b"a\nb"


def test_bytes_that_are_no_text_survive_an_edit_of_their_line() -> None:
    text = FileText(b"caf\xe9 \x1b[31m and more\nrest\n")
    line = text.lines[0]
    assert text.encode([line + "!", "rest", ""]) == b"caf\xe9 \x1b[31m and more!\nrest\n"


def test_the_byte_order_mark_is_not_text() -> None:
    text = FileText(b"\xef\xbb\xbf# Title\n")
    assert text.lines == ["# Title", ""]
    assert text.encode(["# Other", ""]) == b"\xef\xbb\xbf# Other\n"


@given(st.text(max_size=40))
def test_tame_text_is_as_long_and_comes_back(text: str) -> None:
    one_line = text.replace("\n", " ").replace("\r", " ")
    if any(ord(char) >= 0x100000 for char in one_line):
        return
    safe = tame(one_line)
    assert len(safe) == len(one_line)
    assert wild(safe) == one_line
    assert len(drawn(safe)) == len(safe)


def test_stand_ins_are_drawn_in_one_cell() -> None:
    safe = tame("\x1b\x00\u200b\u202e\udc80\ufeff\U000e0041")
    assert width(safe) == 7
    assert width(drawn(safe)) == 7
    assert "\x1b" not in drawn(safe)
    assert drawn(safe)[0] == "␛"


def test_what_cannot_be_edited_here_says_why() -> None:
    assert FileText(b"x").why_not == ""
    assert "MB" in FileText(b"x" * (3 << 20)).why_not
    assert "line of 30,000" in FileText(b"x" * 30_000).why_not
    assert "outside" in FileText("\U00100041".encode()).why_not
