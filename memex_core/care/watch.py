"""Following outside edits: events where the system tells of them, comparison with the disk always.

Events only say where to look. What changed is decided by the index's own diff, so that a lost, doubled
or late event can delay an update but never make the index wrong.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memex_core.care.notice import notice
from memex_core.care.others import Others, together
from memex_core.files.lock import StoreLock
from memex_core.model.errors import MemexError, Unreachable

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.index.freshness import Refresh
    from memex_core.index.index import Index

STEP_MS = 10  # how soon a single save is seen
DEBOUNCE_MS = 400  # how long a burst is gathered
BULK = 200  # changed paths in one batch, above which the whole folder is compared
POLL_S = 2.0  # between comparisons where there are no events
AGAIN = "is readable again"  # how the warning ends that is none: the folder is back
TICK_MS = 1000  # between looks at whether the folder itself is still there: no event tells of that


def watch(
    layout: Layout,
    index: Index,
    *,
    poll_interval: float = 60.0,
    poll: bool = False,
    stop: threading.Event | None = None,
    since: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield ``{added, changed, removed, renamed, duration_ms, warnings}`` a batch, until ``stop`` is set.

    That is what was edited by hand, and what other processes wrote after journal event ``since`` (default:
    from now on).

    The first report is ``{"ready": true, "polling": bool, …}``. With ``poll``, or where the system has no
    room for watches, the folder is compared every two seconds; otherwise every ``poll_interval`` seconds
    beside the events. A folder that cannot be read is reported once, and again when it is back.
    """
    stop = stop or threading.Event()
    follower = Follower(layout, index, since)
    with _said_to_others(layout):
        yield {"ready": True, "polling": poll, "root": layout.root, **follower.compare()}
        yield from _follow(layout, follower, poll_interval, poll, stop)


@contextmanager
def _said_to_others(layout: Layout) -> Iterator[None]:
    """Hold the lock by which other processes know that the index is kept in step."""
    from memex_core.index.index import WATCH_LOCK

    lock = StoreLock(layout.index + WATCH_LOCK, timeout=0)
    try:
        lock.__enter__()
    except MemexError:  # another one watches, or the state folder cannot be written
        yield
        return
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


def _follow(
    layout: Layout, follower: Follower, poll_interval: float, poll: bool, stop: threading.Event
) -> Iterator[dict[str, Any]]:
    if not poll:
        try:
            yield from _events(layout, follower, poll_interval, stop)
        except OSError as error:
            reason = error.strerror or str(error).partition(" about [")[0].rstrip(".")
            yield {
                "polling": True,
                "warnings": [f"no change events ({reason}); comparing every {POLL_S:g} s"],
            }
    while not stop.wait(POLL_S if not poll else min(poll_interval, POLL_S)):
        yield from _told(follower.compare())


def _events(
    layout: Layout, follower: Follower, poll_interval: float, stop: threading.Event
) -> Iterator[dict[str, Any]]:
    """Reports as events come; begun anew when folders come or go, since only listed folders are watched."""
    while not stop.is_set():
        folders = follower.folders()
        try:
            yield from _watched(layout, follower, folders, poll_interval, stop)
        except OSError:
            if follower.listed() == folders:  # else one of them went before it could be watched
                raise
        if not folders:
            stop.wait(POLL_S)
        yield from _told(follower.compare())


def _watched(
    layout: Layout, follower: Follower, folders: set[str], poll_interval: float, stop: threading.Event
) -> Iterator[dict[str, Any]]:
    """Reports until there are other folders than those being watched."""
    last = None
    for paths, shaped in _batches(layout, folders, stop) if folders else ():
        if shaped or follower.root_moved():
            return
        # The first look after the watches stand is at everything: edits made meanwhile told nobody.
        due = last is None or time.monotonic() - last >= poll_interval
        bulk = len(paths) > BULK
        if not bulk and (paths or due or follower.others.stirred):
            yield from _told(follower.look(paths))
        if due or bulk:
            last = time.monotonic()
            yield from _told(follower.compare())
            if follower.listed() != folders:  # one that was moved meanwhile tells its old name
                return


def _told(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The report, if it says anything."""
    if any(report.values()):
        yield report


def _batches(layout: Layout, folders: set[str], stop: threading.Event) -> Iterator[tuple[list[str], bool]]:
    """(page paths, whether folders or ignore rules changed) a batch; an empty one when time is up.

    Ignored folders are not watched at all: each watch costs the system one of a limited number.
    """
    import watchfiles

    from memex_core.files.scan import is_page

    def wanted(_: watchfiles.Change, name: str) -> bool:
        path = layout.page_path(name)
        return path is not None and (is_page(layout, path) or _shapes(name))

    def _shapes(name: str) -> bool:
        return name in folders or os.path.basename(name) == ".memexignore" or os.path.isdir(name)

    try:
        for changes in watchfiles.watch(
            *sorted(folders),
            recursive=False,
            watch_filter=wanted,
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            stop_event=stop,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            raise_interrupt=True,
            ignore_permission_denied=False,  # true hides that there is no room for a watch, too
        ):
            names = {name for _, name in changes}
            shaped = any(_shapes(name) for name in names)
            yield sorted({path for name in names if (path := layout.page_path(name))}), shaped
    except RuntimeError as error:
        raise OSError(None, str(error)) from error


class Follower:
    """Brings the index up to date and says what that changed; unreadable folders change nothing."""

    def __init__(self, layout: Layout, index: Index, since: int | None = None) -> None:
        self.layout, self.index = layout, index
        self.others = Others(layout, since)
        self.unreachable = ""
        self._root = self._root_now()

    def folders(self) -> set[str]:
        """The folders to watch from now on, and in them the page folder that stands there now."""
        self._root = self._root_now()
        return self.listed()

    def listed(self) -> set[str]:
        """Absolute paths of the folders with pages, ignored ones left out; none while the root is away."""
        from memex_core.files.scan import scan

        try:
            found = scan(self.layout).dirs
        except Unreachable:
            return set()
        return {self.layout.file_path(name) if name else self.layout.pages for name in found}

    def root_moved(self) -> bool:
        """Whether the page folder is gone, or another one than when the watch began."""
        return self._root_now() != self._root or self._root is None

    def _root_now(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.layout.pages)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def compare(self) -> dict[str, Any]:
        """Compare the whole folder."""
        return self._run(self.index.refresh, whole=True)

    def look(self, paths: list[str]) -> dict[str, Any]:
        """Read just these pages again; one that is not there now gets a moment to come back first."""
        if any(not os.path.exists(self.layout.file_path(path)) for path in paths):
            time.sleep(0.06)
        return self._run(lambda: self.index.update(paths), whole=False)

    def _run(self, act: Any, *, whole: bool) -> dict[str, Any]:
        began = time.perf_counter()
        try:
            change: Refresh = act()
            self.others.note(change)
            written = self.others.news()
            if written.digests or written.removed:  # its writer may not have brought the index in step yet
                late = self.index.update([*written.digests, *written.removed])
                self.others.note(late)
                change = together(change, late)
        except Unreachable as error:
            said = str(error)
            warnings = [] if said == self.unreachable else [said]
            self.unreachable = said
            return _report(None, warnings, 0.0)
        except MemexError as error:
            return _report(None, [str(error)], 0.0)
        warnings = list(change.warnings)
        if self.unreachable and whole:  # a few paths prove nothing of the folder
            warnings.append(f"{self.layout.pages} {AGAIN}")
            self.unreachable = ""
        notice(self.layout, change)
        return _report(together(written, change), warnings, (time.perf_counter() - began) * 1000)


def _report(change: Refresh | None, warnings: list[str], ms: float) -> dict[str, Any]:
    """What one look found; all values are empty when nothing did."""
    if change is None or not (change.added or change.changed or change.removed or change.renamed):
        return {"added": [], "changed": [], "removed": [], "renamed": {}, "warnings": warnings}
    return {
        "added": sorted(change.added),
        "changed": sorted(change.changed),
        "removed": sorted(change.removed),
        "renamed": dict(change.renamed),
        "warnings": warnings,
        "duration_ms": round(ms, 1),
    }
