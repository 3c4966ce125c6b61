"""The checks of ``memex doctor`` on the store: places, rights, journal, index, settings and what was left."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from memex_core.care.doctor import Check, check, count, free_space, guarded
from memex_core.files.opening import regular
from memex_core.model import clock

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.files.scan import Scan
    from memex_core.recall.gate.overlay import Problem

_LITTLE, _NONE = 200 << 20, 20 << 20  # bytes of disk below which it warns, and fails
_SHOWN = 20


def checks(layout: Layout) -> list[Callable[[], Check]]:
    """The checks of this module, to be made one after the other: the page folder is walked once for all."""
    from memex_core.files.scan import scan

    @cache
    def walked() -> Scan:
        return scan(layout)

    return [
        partial(store, layout, walked),
        partial(rights, layout),
        partial(disk, layout),
        partial(journal, layout),
        partial(index, layout, walked),
        partial(leftovers, layout, walked),
        partial(time, layout),
        partial(settings, layout),
        partial(rules, layout),
        partial(learning, layout),
    ]


@guarded("store")
def store(layout: Layout, walked: Callable[[], Scan]) -> Check:
    seen = walked()
    kind = "a folder opened as it is" if layout.folder else "a store"
    files = [{"file": one.path, "line": 0, "message": one.message} for one in seen.problems[:_SHOWN]]
    if seen.unread:
        files += [{"file": one, "line": 0, "message": "cannot be read"} for one in seen.unread[:_SHOWN]]
        return check(
            "store", "fail", f"{len(seen.unread)} folders cannot be read", "give yourself the right", files
        )
    detail = f"{layout.root}, {kind}, {count(len(seen.pages), 'page')}"
    return check("store", "warn" if files else "ok", detail, "memex verify", files)


@guarded("rights")
def rights(layout: Layout) -> Check:
    wanted = [layout.pages] + ([layout.state] if os.path.isdir(layout.state) else [])
    closed = [path for path in wanted if not os.access(path, os.R_OK | os.W_OK | os.X_OK)]
    if closed:
        return check("rights", "fail", f"{closed[0]} cannot be written", f"chmod u+rwx '{closed[0]}'")
    state = os.stat(wanted[-1])
    if os.name != "nt" and state.st_mode & stat.S_IWOTH and not state.st_mode & stat.S_ISVTX:
        return check("rights", "warn", f"{wanted[-1]} can be written by anyone", f"chmod o-w '{wanted[-1]}'")
    if os.path.exists(layout.config) and os.name != "nt":
        with open(layout.config, "rb", opener=regular) as file:
            secret = b"api_key" in file.read()
        if secret and os.stat(layout.config).st_mode & (stat.S_IRGRP | stat.S_IROTH):
            detail = "memex.toml names an api_key, and others can read it"
            return check("rights", "warn", detail, f"chmod go-r '{layout.config}'")
    return check("rights", "ok", "pages and state can be read and written")


@guarded("disk")
def disk(layout: Layout) -> Check:
    free = free_space(layout.state)
    level = "fail" if free < _NONE else "warn" if free < _LITTLE else "ok"
    return check("disk", level, f"{free / 1e9:.1f} GB free", "make room: a write that fails loses nothing")


@guarded("journal")
def journal(layout: Layout) -> Check:
    """Whether every line is an event. What a crash left of a last line is mended by the next write."""
    from memex_core.files.journal import Journal

    if not os.path.exists(layout.journal):
        return check("journal", "ok", "none yet")
    problems = Journal(layout).problems()
    files = [{"file": "journal.jsonl", "line": line, "message": text} for line, text in problems[:_SHOWN]]
    if problems:
        detail = f"{len(problems)} lines are no events: what they undo is lost"
        return check("journal", "warn", detail, "memex backup -o FILE, before anything else", files)
    with open(layout.journal, "rb", opener=regular) as file:
        file.seek(max(0, os.path.getsize(layout.journal) - 1))
        whole = file.read() in (b"", b"\n")
    if not whole:
        return check("journal", "warn", "the last line is cut off", "the next write mends it")
    return check("journal", "ok", count(Journal(layout).last_seq(), "event"))


@guarded("clock")
def time(layout: Layout) -> Check:
    """Whether the clock is later than what was written: else the order of changes is lost."""
    from memex_core.files.journal import Journal

    now = clock.now()
    last = next(iter(Journal(layout).read(reverse=True)), None)
    if last is not None and last["ts"] > (now + timedelta(minutes=10)).strftime("%Y-%m-%dT%H:%M:%SZ"):
        detail = f"it is {clock.stamp()}, but the last change was at {last['ts']}"
        return check("clock", "warn", detail, "set the clock")
    return check("clock", "ok", clock.stamp())


@guarded("index")
def index(layout: Layout, walked: Callable[[], Scan]) -> Check:
    """Whether the index can be read, is whole and has what the files say."""
    import sqlite3

    from memex_core.index.freshness import compare
    from memex_core.index.index import Index

    again = "memex rebuild-index --force"
    if not os.path.exists(layout.index):
        return check("index", "warn", "none yet; the next command makes it", "memex rebuild-index")
    try:
        with Index.open(layout, write=False) as opened:
            said = opened.db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if said != "ok":
                return check("index", "fail", f"{opened.path} is damaged ({said})", again)
            seen = compare(opened.db, layout, walked())
            total, known = opened.total(), opened.digests() if seen.read else {}
            newer = [one for one in seen.read if _digest(layout, one.path) != known.get(one.path)]
            behind = len(seen.gone) + len(newer)
    except sqlite3.Error as error:
        return check("index", "fail", f"{layout.index} cannot be read ({error})", again)
    if behind:
        return check("index", "warn", f"{count(behind, 'file')} newer than it", "memex rebuild-index")
    where = "" if layout.index.startswith(layout.state + os.sep) else f", at {layout.index}"
    return check("index", "ok", f"{count(total, 'page')}{where}")


def _digest(layout: Layout, path: str) -> str:
    """Of the file as it is; a file written this moment counts as new for the index, and need not be."""
    from memex_core.files.atomic import digest

    with open(layout.file_path(path), "rb", opener=regular) as file:
        return digest(file.read())


@guarded("leftovers")
def leftovers(layout: Layout, walked: Callable[[], Scan]) -> Check:
    found = [name for folder in _folders(layout, walked()) for name in _temporary(folder)]
    if layout.interrupted and not _held(layout):
        found.append("a write that was cut off")
    if found:
        return check(
            "leftovers", "warn", f"killed writers left {len(found)}: {found[0]}", "memex doctor --fix"
        )
    return check("leftovers", "ok", "none")


@guarded("settings")
def settings(layout: Layout) -> Check:
    from memex_core.files.config import load

    loaded = load(layout, os.environ)
    warnings = list(loaded.warnings)
    if loaded.capture.scrub == "off":
        from memex_core.files.config import SCRUB_OFF

        warnings.append(SCRUB_OFF)
    files = [{"file": "memex.toml", "line": 0, "message": text} for text in warnings]
    if warnings:
        return check("settings", "warn", f"{len(warnings)} to look at", "edit memex.toml", files)
    return check("settings", "ok", "memex.toml" if os.path.exists(layout.config) else "the defaults")


@guarded("rules")
def rules(layout: Layout) -> Check:
    """The person's own rules: of what is never kept, and of when memory is recalled."""
    from memex_core.care import backlog
    from memex_core.recall.gate.rules import load

    for fault in (backlog.extraction_fault(layout), backlog.gate_fault(layout)):
        if fault is not None:
            return check("rules", "fail", fault.detail, fault.next, _lines(fault.problems))
    found = load(layout).warnings
    if found:
        detail = f"{len(found)} to look at in gate.toml"
        return check("rules", "warn", detail, "memex gate validate", _lines(found))
    own = os.path.exists(os.path.join(layout.rules, "gate.toml"))
    return check("rules", "ok", "gate.toml holds" if own else "the built-in ones")


def _lines(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    return [{"file": one.file, "line": one.line, "message": one.message} for one in problems[:_SHOWN]]


@guarded("learning")
def learning(layout: Layout) -> Check:
    """Whether conversations are read by the model that is named, or what keeps them waiting."""
    from memex_core.care.backlog import backlog
    from memex_core.files.config import load
    from memex_core.files.sessions import list_sessions

    waits = backlog(layout, load(layout, os.environ), list_sessions(layout))
    unread = f"{count(waits.unread, 'conversation')} unread"
    if waits.choosing:
        return check("learning", "ok", f"no model is named; {unread}")
    if waits.held is not None:
        why = waits.held["message"] or waits.held["cause"]
        return check("learning", "warn", f"held: {why}; {unread}", waits.held["next"])
    if waits.failed:
        detail = f"{count(waits.failed, 'job')} failed for good; {unread}"
        return check("learning", "warn", detail, "memex jobs list --state failed")
    return check("learning", "ok", unread + (f", {waits.retrying} tried again" if waits.retrying else ""))


def clear_up(layout: Layout, *, dry_run: bool = False) -> list[str]:
    """Remove what killed writers left, and finish or undo a write that was cut off; what was done, or with
    ``dry_run`` would be."""
    from memex_core.files.atomic import leftovers, remove_leftovers
    from memex_core.files.commit import recover
    from memex_core.files.scan import scan

    done = []
    if layout.interrupted:
        if not dry_run:
            recover(layout)
        if dry_run or not layout.interrupted:
            done.append("a write that was cut off")
    for folder in _folders(layout, scan(layout)):
        done += leftovers(folder) if dry_run else remove_leftovers(folder)
    return done


def _folders(layout: Layout, seen: Scan) -> list[str]:
    """Every folder that memex writes to."""
    pages = [layout.file_path(folder) if folder else layout.pages for folder in seen.dirs]
    own = [layout.state, layout.diary, layout.transcripts, layout.rules, layout.logs, layout.sync]
    return list(dict.fromkeys([*pages, *own]))


def _temporary(folder: str) -> list[str]:
    from memex_core.files.atomic import leftovers

    return leftovers(folder)


def _held(layout: Layout) -> bool:
    """Whether a writer is at work at this moment."""
    from memex_core.files.lock import StoreLock
    from memex_core.model.errors import Locked

    try:
        with StoreLock(layout.lock, timeout=0):
            return False
    except Locked:
        return True
