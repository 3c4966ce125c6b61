"""Capturing from the app: it runs beside everything else, tells how far it is, and can be stopped."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memex_core.memex import Memex
from memex_core.model.errors import MemexError
from memex_core.model.results import CaptureReport
from memex_tui.gateway import Dropped
from memex_tui.screens.base import AreaScreen
from memex_tui.screens.sessions import deeds
from memex_tui.screens.sessions.dialogs import CaptureFileCard, ReportCard

TICK = 0.1  # seconds between looks at the progress


class Capture:
    """How far a capture is; stopped by a flag at the next step."""

    def __init__(self) -> None:
        self.done = self.total = 0
        self.stopped = threading.Event()

    def step(self, done: int, total: int) -> None:
        """Called by the core, in bytes."""
        self.done, self.total = done, total
        if self.stopped.is_set():
            raise Dropped


class Capturing(AreaScreen):
    """Methods of the commands that capture."""

    def __init__(self) -> None:
        super().__init__()
        self._capture: Capture | None = None
        self._report: CaptureReport | None = None

    if TYPE_CHECKING:

        def _tell(self) -> None: ...
        def do_sessions_reload(self) -> None: ...

    def do_sessions_capture(self) -> None:
        self._begin_capture()

    def do_sessions_capture_file(self) -> None:
        def done(typed: Sequence[str]) -> None:
            path = typed[0].strip()
            if path:
                card.dismiss()
                self._begin_capture((os.path.expanduser(path),))

        card = CaptureFileCard("capture a file or folder", [("Its path", "")], done)
        self.memex_app.push_screen(card)

    def _begin_capture(self, paths: Sequence[str] = ()) -> None:
        if self._capture is not None:
            self.memex_app.toast("A capture is running", hint="esc stops it")
            return
        capture = self._capture = Capture()

        def call(memex: Memex) -> CaptureReport | None:
            try:
                return memex.capture(paths=paths, all=not paths, progress=capture.step)
            except Dropped:
                return None

        if self.memex_app.layout is None:  # only the write lane makes a memory where there is none
            self.write(call, self._captured, self._capture_failed)
        else:
            self.ask("capture", call, self._captured, self._capture_failed, lane="care")
        self._tick_capture()
        self._tell()

    def _tick_capture(self) -> None:
        if self._capture is not None:
            self.set_timer(TICK, self._tick_capture)
            self._tell()

    def do_sessions_stop(self) -> None:
        if self._capture is not None:
            self._capture.stopped.set()

    def _captured(self, report: CaptureReport | None) -> None:
        self._capture = None
        self.do_sessions_reload()
        if report is None:
            self.memex_app.toast("The capture was stopped", hint="c goes on from there")
            return
        self._report = report
        if self.memex_app.screen is self and deeds.told_lines(report):
            self.do_sessions_report()
        else:
            self.memex_app.toast(f"Captured: {deeds.told(report)}")

    def _capture_failed(self, error: MemexError) -> None:
        self._capture = None
        self._tell()
        self.memex_app.report(error)

    def do_sessions_report(self) -> None:
        report = self._report
        if report is not None:
            title = f"capture · {deeds.told(report)}"
            self.memex_app.push_screen(ReportCard(title, deeds.told_lines(report)))
