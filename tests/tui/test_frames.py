from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tests.tui import frames
from tests.tui.frames import check_app, check_frame, frame, press, running, text_frame


class Dialog(ModalScreen[None]):
    def compose(self) -> ComposeResult:
        yield Static("over it", markup=False)


class SmallApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("[b]日本[/b] text", markup=False)
        yield Input()


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(frames, "FRAMES", tmp_path)
    monkeypatch.setattr(frames, "_UPDATING", False)
    return tmp_path


async def test_a_frame_is_what_the_screen_shows() -> None:
    async with running(SmallApp(), (30, 6)) as pilot:
        lines = frame(pilot.app)
        assert len(lines) == 6
        assert lines[0] == "[b]日本[/b] text"
        await press(pilot, ["a", "b"])
        assert "ab" in text_frame(pilot.app)
        assert not pilot.app.query_one(Input).cursor_blink
        await pilot.app.push_screen(Dialog())
        await press(pilot, [])
        assert frame(pilot.app)[0].startswith("over it")


async def test_a_changed_screen_fails_with_a_diff(stored: Path) -> None:
    with pytest.raises(AssertionError, match="no stored frame a/b"):
        check_frame("a/b", "x\n")
    (stored / "small-30x6.txt").write_text("[b]日本[/b] other\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"-\[b\]日本\[/b\] other\n\+\[b\]日本\[/b\] text"):
        await check_app("small", SmallApp(), (30, 6))


async def test_frames_are_written_when_asked(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_UPDATING", True)
    await check_app("deep/small", SmallApp(), (30, 6), ["h", "i"])
    monkeypatch.setattr(frames, "_UPDATING", False)
    assert "hi" in (stored / "deep" / "small-30x6.txt").read_text(encoding="utf-8")
    await check_app("deep/small", SmallApp(), (30, 6), ["h", "i"])
