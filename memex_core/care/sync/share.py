"""This device's own generation: what it has to tell, written where the others find it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

import memex_core
from memex_core.care.sync import archive, conversations, days
from memex_core.care.sync.naming import Naming
from memex_core.care.sync.observe import observe
from memex_core.care.sync.record import HERE, State
from memex_core.files.atomic import digest, read_file
from memex_core.files.exclusion import excluded_sessions
from memex_core.files.layout import Layout
from memex_core.files.scan import is_page
from memex_core.model import clock
from memex_core.model.errors import Conflict


class Shared:
    """A generation before it is written: the manifest, and where each file of it is to be read."""

    def __init__(self) -> None:
        self.manifest: dict[str, Any] = {}
        self.sources: dict[str, tuple[str, str]] = {}  # SHA-256 -> (page path or "", absolute path)
        self.made: dict[str, bytes] = {}  # those that are in no file
        self.naming = Naming({})

    def files(self, layout: Layout) -> Iterator[tuple[str, bytes]]:
        """(SHA-256, bytes) of each. Raises Conflict when one changed since it was looked at."""
        for name in sorted({*self.sources, *self.made}):
            data = self.made.get(name)
            if data is None:
                page, full = self.sources[name]
                data = read_file(full)
                data = self.naming.data(data) if page else data
            if archive.sha(data) != name:
                raise Conflict(
                    f"{self.sources[name][1]} changed while it was exported", hint="export once more"
                )
            yield name, data


def gather(layout: Layout, state: State) -> Shared:
    """Look at the store and describe all of it that is shared. The caller keeps writers out."""
    shared = Shared()
    observe(layout, state)
    entries = days.observe(layout, state)
    sessions = conversations.observe(layout, state)
    shared.naming = Naming.outward(state.aliases)
    sizes: dict[str, int] = {}

    def listed(data: bytes, page: str, full: str) -> str:
        name = archive.sha(data)
        sizes[name] = len(data)
        shared.sources[name] = page, full
        return name

    pages: dict[str, Any] = {}
    for key, record in sorted(state.pages.items()):
        told = record.as_json()
        if record.life != HERE:
            told |= {"path": "", "raw": "", "past": [], "digests": {}}
        elif not is_page(layout, record.path) or not os.path.exists(layout.file_path(record.path)):
            continue  # hidden here: nothing is known of it
        else:
            full = layout.file_path(record.path)
            data = read_file(full)
            if digest(data) != record.raw:
                raise Conflict(f"{record.path} changed while it was exported", hint="export once more")
            told["blob"] = listed(shared.naming.data(data), record.path, full)
            told["path"] = shared.naming.path(record.path)
        pages[key] = told
    listed_sessions: dict[str, dict[str, str]] = {}
    for session in sessions:
        parts = listed_sessions[session] = {}
        for part, full in conversations.files_of(layout, session):
            parts[part] = listed(read_file(full), "", full)
    diary = "".join(json.dumps(days.as_json(entries[name])) + "\n" for name in sorted(entries)).encode()
    name = archive.sha(diary)
    shared.made[name], sizes[name] = diary, len(diary)
    shared.manifest = {
        "memex_sync": archive.VERSION,
        "memex": memex_core.__version__,
        "device": state.device,
        "name": state.name,
        "count": state.count,
        "at": clock.stamp(),
        "pages": pages,
        "sessions": listed_sessions,
        "excluded": excluded_sessions(layout),
        "diary": name,
        "struck": sorted(state.struck),
        "files": sizes,
    }
    return shared


def content_print(shared: Shared) -> str:
    """A digest of all that is shared, whenever it was written."""
    told = {key: value for key, value in shared.manifest.items() if key not in ("at", "count", "memex")}
    return digest(json.dumps(told, sort_keys=True).encode())


def file_name(state: State) -> str:
    """The archive of this device in a shared folder."""
    name = re.sub(r"[^a-z0-9]+", "-", state.name.lower()).strip("-")[:40] or "device"
    return f"{name}-{state.device}{archive.SUFFIX}"
