"""``sync/state.json``: which device this is, where it meets the others, and what it knows of each page.

The file is this device's own and never travels. Who copies a store, or brings back a backup of it, copies
this file too; counts that were given twice would hide changes. So the state names its place, and a store
that finds itself elsewhere goes on as a new device.
"""

from __future__ import annotations

import json
import os
import platform
import uuid
from collections.abc import Mapping
from typing import Any

from memex_core.care.sync.axes import AXES
from memex_core.care.sync.versions import Clock
from memex_core.files import atomic
from memex_core.files.layout import Layout
from memex_core.files.opening import regular
from memex_core.model.errors import Damaged
from memex_core.model.slug import fold

VERSION = 1
HERE, GONE, PURGED = "here", "gone", "purged"
KEPT = 40  # earlier versions of a page that are remembered, by their digests


class Record:
    """What is known of one page: where it is, a digest of its file, and a clock for each thing about it
    that changes by itself: its ``text``, ``status``, ``sources``, ``path`` and ``life``.

    ``life`` is ``here``, ``gone`` or ``purged``. ``past`` holds digests of earlier files, the newest last.
    """

    __slots__ = ("clocks", "digests", "life", "past", "path", "raw")

    def __init__(self, path: str = "", raw: str = "", life: str = HERE) -> None:
        self.path = path
        self.raw = raw
        self.life = life
        self.past: list[str] = []
        self.digests: dict[str, str] = {}
        self.clocks: dict[str, Clock] = {name: {} for name in (*AXES, "path", "life")}

    def copy(self) -> Record:
        made = Record(self.path, self.raw, self.life)
        made.past, made.digests = list(self.past), dict(self.digests)
        made.clocks = {name: dict(clock) for name, clock in self.clocks.items()}
        return made

    def remember(self, raw: str) -> None:
        """The file is another from now on."""
        if raw != self.raw:
            self.past = [one for one in [*self.past, self.raw] if one and one != raw][-KEPT:]
            self.raw = raw

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("path", "raw", "life", "past", "digests", "clocks")}

    @classmethod
    def of(cls, told: dict[str, Any]) -> Record:
        """The record in a map. KeyError, TypeError or ValueError where it holds none."""
        record = cls(str(told["path"]), str(told["raw"]), str(told["life"]))
        if record.life not in (HERE, GONE, PURGED):
            raise ValueError(f"no page is {record.life}")
        record.past = [str(one) for one in told["past"]]
        record.digests = {str(axis): str(value) for axis, value in told["digests"].items()}
        record.clocks = {name: clock_of(told["clocks"][name]) for name in record.clocks}
        return record


def clock_of(told: Any) -> Clock:
    """A clock from JSON. TypeError or ValueError where it is none."""
    found: Clock = {}
    for device, count in dict(told).items():
        if type(device) is not str or type(count) is not int or count < 0:
            raise ValueError("a clock counts from 0")
        found[device] = count
    return found


class State:
    """All of the file. ``count`` is the number of this device's last change."""

    def __init__(self, place: str) -> None:
        self.device = uuid.uuid4().hex[:16]
        self.name = platform.node() or "this device"
        self.place = place
        self.count = 0
        self.target = ""  # a folder or an archive; empty: sync is off
        self.pages: dict[str, Record] = {}
        self.seen: set[str] = set()  # digests of diary entries that were here
        self.struck: set[str] = set()  # of those that were taken out
        self.sessions: set[str] = set()  # conversations that were here
        self.left: set[str] = set()  # of those deleted here
        self.peers: dict[str, dict[str, Any]] = {}
        self.aliases: dict[str, str] = {}  # what the others call a project -> its name here
        self.exported: dict[str, Any] = {}
        self.imported_at = ""
        self.seq = 0  # the journal's last event when this was written

    @property
    def enabled(self) -> bool:
        return bool(self.target)

    def labels(self, others: Mapping[str, str]) -> dict[str, str]:
        """What a person tells devices apart by, this one, those that are known and ``others``: the name,
        with the start of the id where several have the same."""
        names = {device: str(told["name"]) for device, told in self.peers.items()}
        names = {**names, **others, self.device: self.name}
        found = {}
        for device, name in names.items():
            alike = [one for one, its in names.items() if fold(its) == fold(name) and one != device]
            length = next(
                (n for n in range(4, len(device)) if not any(one[:n] == device[:n] for one in alike)), 16
            )
            found[device] = f"{name} {device[:length]}" if alike else name
        return found

    def tick(self) -> dict[str, int]:
        """A clock with this device's next change."""
        self.count += 1
        return {self.device: self.count}

    def rename_device(self) -> None:
        """Go on as a device that nobody has heard of."""
        self.device = uuid.uuid4().hex[:16]
        self.count = 0
        self.exported = {}


_SETS = ("seen", "struck", "sessions", "left")
_PLAIN = ("device", "name", "place", "count", "target", "peers", "aliases", "exported", "imported_at", "seq")


def file_of(layout: Layout) -> str:
    return os.path.join(layout.sync, "state.json")


def place_of(layout: Layout) -> str:
    """By which a store knows that it is still where it was; a computer's name may change any day."""
    try:
        number = os.stat(layout.state).st_ino
    except OSError:
        number = 0
    return f"{os.path.realpath(layout.state)}#{number}"


def load(layout: Layout) -> State:
    """The state as its file says; a new one where there is none. Raises Damaged naming the file."""
    state = State(place_of(layout))
    path = file_of(layout)
    try:
        with open(path, "rb", opener=regular) as file:
            told = json.loads(file.read())
        if told["version"] != VERSION:
            raise ValueError(f"version {told['version']}")
        for name in _PLAIN:
            setattr(state, name, type(getattr(state, name))(told[name]))
        for name in _SETS:
            setattr(state, name, {str(one) for one in told[name]})
        state.pages = {str(key): Record.of(one) for key, one in told["pages"].items()}
    except FileNotFoundError:
        return state
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Damaged(
            f"{path} cannot be read ({error})",
            hint="move it away: this store then goes on as a new device, and nothing is lost",
        ) from None
    if state.place != place_of(layout):
        state.place = place_of(layout)
        state.rename_device()
    return state


def save(layout: Layout, state: State) -> None:
    """Write the state, whole or not at all. Raises WriteFailed."""
    told: dict[str, Any] = {"version": VERSION}
    told |= {name: getattr(state, name) for name in _PLAIN}
    told |= {name: sorted(getattr(state, name)) for name in _SETS}
    told["pages"] = {key: one.as_json() for key, one in sorted(state.pages.items())}
    try:
        os.makedirs(layout.sync, exist_ok=True)
    except OSError as error:
        raise atomic.failure(layout.sync, error) from error
    atomic.write(file_of(layout), json.dumps(told, ensure_ascii=False, indent=0).encode("utf-8"))
