"""The one follower of outside edits: a thread round ``Memex.watch`` that posts a message a batch."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from textual.message import Message

from memex_core.care.watch import AGAIN
from memex_core.memex import Memex
from memex_core.model.errors import MemexError
from memex_tui.faults import describe
from memex_tui.messages import PagesChanged, Watching

AGAIN_AFTER = (1.0, 3.0, 10.0)  # seconds before a failed watch is begun anew; the last one repeats

Post = Callable[[Message], object]
IsOwn = Callable[[str, str | None], bool]


class Follower:
    """Runs the watch until :meth:`stop`. A failure is posted once and the watch begun anew later.

    ``post`` is called from the follower's thread, ``is_own`` says which changes this app made itself.
    """

    def __init__(
        self, root: str | None, post: Post, is_own: IsOwn, *, opened: Callable[[], Memex] | None = None
    ) -> None:
        self._root = root
        self._post = post
        self._is_own = is_own
        self._opened = opened or (lambda: Memex(root))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memex-watch", daemon=True)
        self._told = Watching()
        self.ready = threading.Event()  # from now on every change is told
        self._since: int | None = None  # the journal event up to which all is told

    def start(self) -> None:
        self._thread.start()

    def stop(self, wait: float = 0.0) -> None:
        """End the watch; ``wait`` at most so many seconds for the thread."""
        self._stop.set()
        if wait and self._thread.is_alive():
            self._thread.join(wait)

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                with self._opened() as memex:
                    journal = memex.store.journal
                    if self._since is None:  # other lanes open now: what they find, they tell the journal
                        self._since = journal.last_seq()
                    for report in memex.watch(stop=self._stop, since=self._since):
                        failures = 0
                        self._take(report, memex)
                        self._since = journal.last_seq()
            except Exception as error:
                failure = error if isinstance(error, MemexError) else describe(error, self._root)
                self._tell(problem=failure.message)
            pause = AGAIN_AFTER[min(failures, len(AGAIN_AFTER) - 1)]
            failures += 1
            self._stop.wait(pause)

    def _take(self, report: Mapping[str, Any], memex: Memex) -> None:
        if "ready" in report:
            self.ready.set()
        if "polling" in report:
            self._tell(polling=bool(report["polling"]))
        warnings = [str(warning) for warning in report.get("warnings", ())]
        for warning in warnings:
            self._tell(problem=warning)
        if warnings and warnings[-1].endswith(AGAIN):  # that is no problem, it ends one
            self._tell()
        change = self._foreign(report, memex)
        if change:
            if self._told.problem:
                self._tell(polling=self._told.polling)
            self._post(change)

    def _foreign(self, report: Mapping[str, Any], memex: Memex) -> PagesChanged:
        """The report without what this app wrote."""

        def foreign(paths: Iterable[str]) -> Iterator[str]:
            for path in paths:
                row = memex.store.index.row(path)
                if not self._is_own(path, row.digest if row is not None else None):
                    yield path

        renamed = report.get("renamed") or {}
        kept = frozenset(foreign(renamed))
        return PagesChanged(
            tuple(foreign(path for path in report.get("added", ()) if path not in renamed)),
            tuple(foreign(path for path in report.get("changed", ()) if path not in renamed)),
            tuple(foreign(path for path in report.get("removed", ()) if path not in renamed.values())),
            {new: old for new, old in renamed.items() if new in kept},
        )

    def _tell(self, *, polling: bool | None = None, problem: str = "") -> None:
        told = Watching(polling=self._told.polling if polling is None else polling, problem=problem)
        if (told.polling, told.problem) != (self._told.polling, self._told.problem) or problem:
            self._post(told)
        self._told = told
