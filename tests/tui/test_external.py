"""What is handed to other programs, and when there is none to hand it to."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.memex import Memex
from memex_tui.app import MemexApp
from memex_tui.external import has_desktop
from tests.tui.frames import running, settle


@pytest.mark.parametrize(
    ("environ", "platform", "there"),
    [
        ({}, "linux", False),
        ({"SSH_CONNECTION": "1 2 3 4"}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"WSL_DISTRO_NAME": "Debian"}, "linux", True),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "1 2 3 4"}, "darwin", False),
        ({}, "win32", True),
    ],
)
def test_a_desktop_is_known(environ: dict[str, str], platform: str, there: bool) -> None:
    assert has_desktop(environ, platform) is there


async def test_without_a_desktop_an_address_is_copied_and_nothing_is_started(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser for terminals would draw over the app."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSH_CONNECTION", "1 2 3 4")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url, **_: opened.append(url))
    Memex(root, create=True).close()
    app = MemexApp(str(root), keep_state=False, watch=False)
    async with running(app) as pilot:
        app.open_url("https://example.org/a.pdf")
        await settle(pilot)
        await app.workers.wait_for_complete()
        said = [(note.title, note.message) for note in app._notifications]
    assert opened == []
    assert any("There is no desktop here to open it" in f"{title} {text}" for title, text in said)
    assert any("Copied address" in f"{title} {text}" for title, text in said)
