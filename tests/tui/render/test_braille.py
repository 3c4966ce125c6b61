import pytest

from memex_tui.render.braille import Surface, clip, direction


def shown(surface: Surface) -> list[str]:
    return ["".join(surface.cell(x, y)[0] for x in range(surface.width)) for y in range(surface.height)]


def test_lines_are_dots() -> None:
    surface = Surface(4, 1)
    surface.line(0, 0, 3.9, 0, 1)
    assert shown(surface) == ["⠉⠉⠉⠉"]
    surface = Surface(2, 2)
    surface.line(0.1, 0.1, 0.1, 1.9, 1)
    assert shown(surface) == ["⡇ ", "⡇ "]


def test_dashes_leave_dots_out() -> None:
    surface = Surface(4, 1)
    surface.line(0, 0, 3.9, 0, 1, (1, 1))
    assert shown(surface) == ["⠁⠁⠁⠁"]


def test_the_stronger_ink_wins_where_lines_cross() -> None:
    surface = Surface(3, 3)
    surface.line(0.5, 1.5, 2.9, 1.5, 5)
    surface.line(1.5, 0, 1.5, 2.9, 2)
    assert surface.cell(1, 1)[1] == 5
    assert surface.cell(1, 0)[1] == 2
    assert surface.cell(0, 0) == (" ", 0)


@pytest.mark.parametrize("far", [1e3, 1e7])
def test_far_away_ends_are_clipped_before_drawing(far: float) -> None:
    surface = Surface(10, 4)
    surface.line(-far, 2, far, 2, 1)
    assert all(surface.cell(x, 2)[1] for x in range(10))
    surface.line(-far, -far, -far, far, 1)
    surface.line(far, -5, far, 5, 1)
    assert clip(-5, -5, -1, -1, 10, 4) is None
    assert clip(-5, 2, 15, 2, 10, 4) == (0, 2, 10, 2)
    assert clip(3, 3, 3, 3, 10, 4) == (3, 3, 3, 3)


def test_ascii_draws_slants() -> None:
    surface = Surface(5, 5, ascii_only=True)
    surface.line(0, 0, 4.9, 4.9, 1)
    assert shown(surface)[2] == "  \\  "
    surface = Surface(5, 1, ascii_only=True)
    surface.line(0, 0.5, 4.9, 0.5, 1)
    assert shown(surface) == ["-----"]


def test_an_empty_surface_draws_nothing() -> None:
    surface = Surface(0, 0)
    surface.line(0, 0, 5, 5, 1)
    assert shown(surface) == []


def test_arrow_heads_point_along_the_line() -> None:
    assert [direction(4, 0), direction(-4, 0), direction(0, 2), direction(0, -2), direction(0, 0)] == list(
        "▸◂▾▴•"
    )
