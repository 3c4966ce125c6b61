"""What happened here since the last look: pages written, changed, moved, forgotten and purged.

The files are the truth and may be edited by anything, so each is compared with what was known of it.
"""

from __future__ import annotations

import hashlib
import os
from typing import NamedTuple

from memex_core.care.sync.axes import AXES, split
from memex_core.care.sync.record import GONE, HERE, PURGED, Record, State
from memex_core.care.sync.versions import Clock, join
from memex_core.files import frontmatter
from memex_core.files.atomic import digest, read_file
from memex_core.files.journal import Journal
from memex_core.files.layout import Layout
from memex_core.files.scan import Scan, scan
from memex_core.files.values import text_of
from memex_core.model.errors import Unreachable
from memex_core.model.slug import fold


class _New(NamedTuple):
    path: str
    raw: str
    data: bytes
    ident: str


def observe(layout: Layout, state: State) -> set[str]:
    """Bring ``state`` up to what the folder says; the keys of the pages that changed. Writes nothing."""
    found = scan(layout)
    here: dict[str, str] = {}
    fresh: list[_New] = []
    known = {record.path: key for key, record in state.pages.items() if record.life == HERE}
    for path in sorted(found.pages):
        try:
            data = read_file(layout.file_path(path))
        except OSError as error:
            raise Unreachable(f"{path} cannot be read ({error.strerror})") from error
        raw, key = digest(data), known.get(path, "")
        if key and state.pages[key].raw == raw:
            here[key] = path
        else:
            fresh.append(_New(path, raw, data, ident_of(data)))
    changes = _Changes(state)
    for key, page in _named(known, here, fresh).items():
        changes.page(key, page)
    _missing(layout, state, found, here, changes)
    return changes.keys


class _Changes:
    """The changes of one look; they share one count of this device."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.keys: set[str] = set()
        self._now: Clock = {}

    @property
    def now(self) -> Clock:
        if not self._now:
            self._now = self.state.tick()
        return self._now

    def page(self, key: str, page: _New) -> None:
        record = self.state.pages.get(key)
        if record is not None and record.life == PURGED and key.startswith("id:"):
            return  # erased for good: what lies there again is this device's own affair
        bumped = set()
        if record is None or record.life != HERE:
            past, old = (record.past, record.clocks) if record is not None else ([], {})
            record = self.state.pages[key] = Record(page.path)
            record.past = past
            record.clocks = {name: dict(old.get(name, {})) for name in record.clocks}
            bumped = set(record.clocks)
        digests = split(page.data).digests()
        bumped |= {axis for axis in AXES if record.digests.get(axis) != digests[axis]}
        if record.path != page.path:
            bumped.add("path")
        elif not bumped and record.raw != page.raw:
            bumped.add("text")  # the same words in another layout
        for name in bumped:
            record.clocks[name] = join(record.clocks[name], self.now)
        record.path, record.digests = page.path, digests
        record.remember(page.raw)
        self.keys.add(key)

    def gone(self, key: str, life: str) -> None:
        record = self.state.pages[key]
        record.life = life
        record.clocks["life"] = join(*record.clocks.values(), self.now)
        if life == PURGED:
            record.path = ""
        self.keys.add(key)


def _named(known: dict[str, str], here: dict[str, str], fresh: list[_New]) -> dict[str, _New]:
    """The pages that changed by their keys; adds them to ``here``."""
    keyed: dict[str, _New] = {}
    for page in sorted(fresh, key=lambda one: (known.get(one.path) != f"id:{one.ident}", one.path)):
        before = known.get(page.path, "")
        key = before if before.startswith("path:") or not page.ident else f"id:{page.ident}"
        if not key or key in here or (key.startswith("id:") and not page.ident):
            key = path_key(page.path)
        if key in here:  # a name that only some disks tell from another page's
            key = path_key(page.path, exact=True)
        if key in here:
            continue
        here[key] = page.path
        keyed[key] = page
    return keyed


def _missing(layout: Layout, state: State, found: Scan, here: dict[str, str], changes: _Changes) -> None:
    away = [key for key, record in state.pages.items() if record.life != PURGED and key not in here]
    erased = purged_digests(layout) if away else set()
    for key in away:
        record = state.pages[key]
        if erased.intersection((record.raw, *record.past)):
            changes.gone(key, PURGED)
        elif record.life == HERE and _is_gone(layout, found, record.path):
            changes.gone(key, GONE)


def _is_gone(layout: Layout, found: Scan, path: str) -> bool:
    """Whether the file was removed: not only ignored from now on, or out of reach."""
    if path in found.pages or not found.may_be_deleted(path):
        return path in found.pages
    return not os.path.lexists(layout.file_path(path))


def purged_digests(layout: Layout) -> set[str]:
    """Digests of the files whose text was purged, as the journal keeps them.

    A page that was forgotten before another one took its name is not purged with that one, though the
    journal's lines under that name may be emptied together.
    """
    found: set[str] = set()
    erased: dict[str, set[str]] = {}  # by name, of the page that has it at that moment
    for event in Journal(layout).read(holding=(b'"purged"', b'"before": null', b'"from"')):
        path, source = event["file"], event["detail"].get("from")
        if source in erased:
            erased[path] = erased.get(path, set()) | erased.pop(source)
        before = event["before"]
        if before is None and event["action"] in ("add", "sync"):
            erased.pop(path, None)
        elif before is not None and isinstance(before.get("purged"), str):
            erased.setdefault(path, set()).add(before["purged"])
            if event["action"] == "purge":
                found |= erased.pop(path)
    return found.union(*erased.values())


def ident_of(data: bytes) -> str:
    """The page's ``id``; empty where it has none."""
    value = frontmatter.read(data).fields.get("id") if b"id" in data else None
    return text_of(value).strip() if value is not None else ""


def path_key(path: str, *, exact: bool = False) -> str:
    """The key of a page without an id: the same for names that some disks take for one, unless ``exact``.
    It does not tell the name, so that a tombstone does not either."""
    name = f"/{path}" if exact else fold(path)
    return "path:" + hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:32]
