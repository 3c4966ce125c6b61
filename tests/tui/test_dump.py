"""Frames of the app as text."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memex_core.model.errors import BadInput
from memex_tui.areas import AREAS
from memex_tui.dump import dump, parse_size
from memex_tui.messages import Place


@pytest.mark.parametrize(
    ("text", "size"), [("80x24", (80, 24)), (" 120 X 40 ", (120, 40)), ("100×30", (100, 30))]
)
def test_sizes_are_columns_by_rows(text: str, size: tuple[int, int]) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "80", "80x", "0x0", "5x5", "9999x24", "80x24x3", "-80x24", "wide"])
def test_other_sizes_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_size(text)


def test_an_area_there_is_none_of_is_refused(store: Path) -> None:
    with pytest.raises(BadInput) as caught:
        dump(str(store), "kitchen")
    assert "search" in caught.value.hint


@pytest.mark.parametrize("area", [area.id for area in AREAS])
@pytest.mark.parametrize("size", ["120x40", "80x24"])
def test_every_area_is_a_frame_of_its_size(store: Path, area: str, size: str) -> None:
    lines = dump(str(store), area, size).splitlines()
    width, height = parse_size(size)
    assert len(lines) == height
    assert max(map(len, lines)) <= width
    assert not any("\x1b" in line for line in lines)
    assert "1" in lines[0] and "9" in lines[0]


def test_a_place_can_be_shown(store: Path) -> None:
    shown = dump(str(store), "search", "100x30", Place("search", query="bucket"))
    assert "❯ bucket" in shown and "Rate limits" in shown


def test_nothing_is_left_behind(store: Path) -> None:
    before = {path.name for path in store.iterdir()}
    dump(str(store), "search")
    assert {path.name for path in store.iterdir()} == before
    assert not [thread for thread in threading.enumerate() if thread.name == "memex-watch"]


def test_a_folder_is_read_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "a.md").write_text("# Alpha\n\nHello.\n")
    assert "Alpha" in dump(str(tmp_path / "vault"), "search")
    assert [path.name for path in (tmp_path / "vault").iterdir()] == ["a.md"]
