import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from memex_tui.render import text as text_module
from memex_tui.render.text import (
    clusters,
    content,
    cut,
    fit,
    head,
    pad,
    printable,
    tail,
    use_simple_emoji,
    width,
)
from tests.tui.brackets import AWKWARD, BRACKETS

FAMILY = "👩‍👩‍👧"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred", "␛[31mred"),
        ("a\tb\nc\r", "a b c "),
        ("\x00\x07\x7f", "␀␇␡"),
        ("\x9b31m", "⟨9B⟩31m"),
        ("a\u202eb\u2066", "a⟨RLO⟩b⟨LRI⟩"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("\ud800", "\ufffd"),
        ("soft\xadhyphen", "softhyphen"),
        ("\U000e0041\U000e0042", "⟨A⟩⟨B⟩"),
        ("\u2028x\u2029", " x "),
        ("o" + "\u0301" * 50, "o" + "\u0301" * 3),
        (FAMILY, FAMILY),
        ("[red]x[/]", "[red]x[/]"),
    ],
)
def test_printable(raw: str, shown: str) -> None:
    assert printable(raw) == shown


def test_flag_of_england_is_no_hidden_text() -> None:
    assert printable("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e007f") == "\U0001f3f4"


@given(st.text())
def test_printable_never_moves_the_cursor(raw: str) -> None:
    shown = printable(raw)
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in shown)
    assert not any(0xD800 <= ord(char) < 0xE000 for char in shown)
    shown.encode("utf-8")
    assert printable(shown) == shown


@given(st.text() | st.text(alphabet="a0中👍\u200d\u0301\ufe0f🇩🇪", max_size=8))
@example("\u200d0")
@example("a\u200d0")
def test_clusters_cover_the_text_and_its_width(raw: str) -> None:
    shown = printable(raw)
    parts = list(clusters(shown))
    assert "".join(part for part, _ in parts) == shown
    assert sum(cells for _, cells in parts) == width(shown) == cell_len(shown)


def test_clusters_keep_joined_signs_together() -> None:
    assert [part for part, _ in clusters(f"a{FAMILY}e\u0301🇩🇪👍🏽")] == ["a", FAMILY, "e\u0301", "🇩🇪", "👍🏽"]


@given(st.text() | st.text(alphabet="a 中👍\u200d\u0301", max_size=8), st.integers(0, 30))
@example("a\u200d", 5)
def test_cut_and_fit_keep_to_the_cells(raw: str, cells: int) -> None:
    shown = printable(raw)
    for keep in ("head", "tail", "ends"):
        assert width(cut(shown, cells, keep=keep)) <= cells
        assert width(fit(shown, cells, keep=keep)) == cells
    assert width(head(shown, cells)) <= cells
    assert width(tail(shown, cells)) <= cells


def test_cut_says_that_something_is_missing() -> None:
    assert cut("Rate limits", 8) == "Rate li…"
    assert cut("Rate limits", 6) == "Rate…"
    assert cut("concepts/rate-limits.md", 12, keep="tail") == "…e-limits.md"
    assert cut("abcdefghij", 6, keep="ends") == "abc…ij"
    assert cut("日本語のページ", 6) == "日本…"
    assert cut("short", 8) == "short"
    assert cut("x", 0) == ""


def test_pad_aligns() -> None:
    assert (pad("日", 5), pad("日", 5, align="right"), pad("日", 5, align="center")) == (
        "日   ",
        "   日",
        " 日  ",
    )
    assert pad("too long", 3) == "too long"


@pytest.mark.parametrize("title", [*BRACKETS, *AWKWARD])
def test_content_is_never_markup(title: str) -> None:
    shown = content(title)
    assert isinstance(shown, Content)
    assert shown.plain == printable(title)
    assert not shown.spans


def test_simple_emoji_for_terminals_that_do_not_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "_simple_emoji", False)
    use_simple_emoji(True)
    assert printable(f"{FAMILY} 👍🏽 ❤️") == "👩 👍 ❤"
    assert printable("क्\u200dष") == "क्\u200dष"  # a joiner inside a script stays
    use_simple_emoji(False)
    assert printable("👍🏽") == "👍🏽"
