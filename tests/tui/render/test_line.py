from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from memex_tui.render.line import (
    Line,
    changed,
    crop_line,
    cut_line,
    fit_line,
    line_text,
    line_width,
    marked_runs,
    overlay,
    paint,
    spread,
    stamp,
)
from memex_tui.render.text import printable

LINE: Line = [("Rate ", ("a",)), ("limits", ("b",))]
runs = st.lists(st.tuples(st.text().map(printable), st.sampled_from([(), ("a",), ("b",)])))


def test_cut_keeps_styles() -> None:
    assert cut_line(LINE, 8) == [("Rate ", ("a",)), ("li…", ("b",))]
    assert cut_line(LINE, 5) == [("Rate…", ("a",))]
    assert cut_line(LINE, 11) == LINE
    assert cut_line(LINE, 0) == []


@given(runs, st.integers(0, 40))
def test_fit_gives_the_asked_cells(line: Line, cells: int) -> None:
    assert line_width(fit_line(line, cells)) == cells


@given(runs, st.integers(0, 20), st.integers(0, 20))
def test_crop_gives_the_asked_cells(line: Line, start: int, size: int) -> None:
    total = line_width(line)
    assert line_width(crop_line(line, start, start + size)) == max(min(start + size, total) - start, 0)


def test_crop_halves_a_wide_character_to_a_space() -> None:
    assert crop_line([("日本", ())], 1, 4) == [(" 本", ())]
    assert crop_line([("日本", ())], 0, 3) == [("日 ", ())]


def test_spread_puts_the_right_side_at_the_edge() -> None:
    assert line_text(spread([("left", ())], [("right", ())], 14)) == "left     right"
    assert line_text(spread([("a long left side", ())], [("right", ())], 16)) == "a long l…  right"
    assert line_text(spread([("left side here", ())], [("right side here", ())], 16)) == "left side here  "
    assert line_text(spread([("日本", ())], [("右", ())], 9)) == "日本   右"


def test_overlay_splits_runs() -> None:
    assert overlay(LINE, [(3, 7)], ("m",)) == [
        ("Rat", ("a",)), ("e ", ("a", "m")), ("li", ("b", "m")), ("mits", ("b",)),
    ]  # fmt: skip
    assert overlay(LINE, [], ("m",)) == LINE
    assert line_text(overlay(LINE, [(0, 1), (4, 5), (10, 99)], ("m",))) == "Rate limits"


def test_stamp_keeps_the_length() -> None:
    assert line_text(stamp(LINE, 5, "as", ("h",))) == "Rate asmits"
    assert line_text(stamp([("日本", ())], 1, "a", ("h",))) == " a本"
    assert line_text(stamp([("ab", ())], 4, "x", ("h",))) == "ab  x"


def test_marked_runs_read_only_whole_marks() -> None:
    assert marked_runs("a <mark>b</mark> c", (), ("m",)) == [("a ", ()), ("b", ("m",)), (" c", ())]
    assert line_text(marked_runs("a <mark>b c", (), ("m",))) == "a <mark>b c"
    assert marked_runs("[red]x\x1b", ("n",), ("m",)) == [("[red]x␛", ("n",))]


def test_paint_joins_what_looks_alike() -> None:
    styles = {(): Style(), ("a",): Style(bold=True), ("b",): Style(bold=True), ("u",): Style(underline=True)}
    strip = paint(
        [("x", ("a",)), ("y", ("b",)), ("  ", ()), ("z", ("a",)), (" ", ("u",))], styles.__getitem__
    )
    assert [segment.text for segment in strip] == ["xy  z", " "]
    assert strip.cell_length == 6


def test_changed_cells_are_found() -> None:
    old: Line = [("ab", ()), ("cd", ("x",)), ("ef", ())]
    assert changed(old, list(old), 6) is None
    assert changed(old, [("ab", ()), ("cX", ("x",)), ("ef", ())], 6) == (2, 4)
    assert changed(old, [("日", ()), ("cd", ("x",)), ("ef", ())], 6) == (0, 2)
