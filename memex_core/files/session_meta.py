"""``<session>.meta.json``: what is known of a conversation beside its turns.

The counts and byte offsets in it are kept so that listing sessions and reading a window of turns
need not read the transcript. They hold for a transcript of the size noted beside them; a file
that a person changed has another size and is counted anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from memex_core import __version__
from memex_core.files.opening import regular
from memex_core.files.turns import HEADER, is_header, number_of
from memex_core.model import clock
from memex_core.model.prompts import one_line, typed

STEP = 64  # turns from one noted byte offset to the next
_TITLE_LENGTH = 80

_OWN = (
    "harness",
    "project",
    "title",
    "title_source",
    "cwd",
    "git_branch",
    "models",
    "started_at",
    "ended_at",
    "agent_version",
    "token_usage",
    "turn_token_usage",
    "source",
)


class Tally:
    """Counts of a transcript, taken line by line; ``offsets`` holds ``[turn, byte]`` each STEP turns."""

    __slots__ = ("_lines", "ended", "offsets", "prompt", "roles", "size", "started", "turn")

    def __init__(self) -> None:
        self.roles = {"user": 0, "agent": 0, "tool": 0}
        self.turn = 0
        self.started = ""
        self.ended = ""
        self.prompt = ""
        self.offsets: list[list[int]] = []
        self.size = 0
        self._lines = 0

    @property
    def count(self) -> int:
        return sum(self.roles.values())

    @classmethod
    def resumed(cls, meta: Mapping[str, Any], size: int) -> Tally | None:
        """The tally noted in ``meta`` if it was taken of a transcript of ``size`` bytes."""
        noted = meta.get("index")
        if not isinstance(noted, dict) or noted.get("size") != size:
            return None
        tally = cls()
        try:
            for role in tally.roles:
                tally.roles[role] = int(meta[f"{role}_turns"])
            tally.offsets = [[int(turn), int(at)] for turn, at in noted["offsets"]]
            tally.turn = int(noted["turn"])
            tally.started = str(noted.get("first") or "")
            tally.ended = str(noted.get("last") or "")
            tally.prompt = str(noted.get("prompt") or "")
        except (KeyError, TypeError, ValueError):
            return None
        tally.size = size
        tally._lines = tally.count
        return tally

    def before(self, records: list[dict[str, Any]], at: int) -> Tally:
        """The tally as it was before the last turns, ``records``, which begin at byte ``at``."""
        found = Tally()
        if self.count <= len(records):
            return found
        for name in ("started", "ended", "prompt"):
            setattr(found, name, getattr(self, name))
        found.roles = dict(self.roles)
        for record in records:
            found.roles[str(record["role"])] -= 1
        found.turn = number_of(records[0], 0) - 1
        found.offsets = [noted for noted in self.offsets if noted[1] < at]
        found._lines = found.count
        found.size = at
        return found

    def add(self, record: Mapping[str, Any], at: int) -> int:
        """Count one record at byte ``at``; returns its turn number, 0 for a header."""
        if is_header(record):
            return 0
        self.turn = number_of(record, self.turn)
        if self._lines % STEP == 0:
            self.offsets.append([self.turn, at])
        self._lines += 1
        role = str(record["role"])
        self.roles[role] += 1
        stamp = clock.normal(str(record.get("ts") or ""))
        if stamp:
            self.started = min(self.started or stamp, stamp)
            self.ended = max(self.ended, stamp)
        if not self.prompt and role == "user":
            content = record.get("content")
            self.prompt = one_line(typed(content if isinstance(content, str) else ""), _TITLE_LENGTH)
        return self.turn


def compose(
    session_id: str, tally: Tally, given: Mapping[str, Any], old: Mapping[str, Any]
) -> dict[str, Any]:
    """The content of the file: ``given`` over ``old`` over what the turns themselves say.

    Keys that the format does not know go under ``metadata``.
    """
    meta: dict[str, Any] = {"session_id": session_id}
    extra = dict(old.get("metadata") or {})
    for source in (old, given):
        meta.update({key: source[key] for key in _OWN if source.get(key) is not None})
    extra.update(given.get("metadata") or {} if isinstance(given.get("metadata"), dict) else {})
    extra.update({key: value for key, value in given.items() if key not in (*_OWN, "metadata", "session_id")})
    if not extra.get("abandoned"):
        extra.pop("abandoned", None)
    counted = {
        "started_at": tally.started or None,
        "ended_at": tally.ended or None,
        "turn_count": tally.count,
        **{f"{role}_turns": number for role, number in tally.roles.items()},
    }
    for key in ("started_at", "ended_at"):
        if given.get(key) or not counted[key]:
            counted[key] = meta.get(key)
    meta.update(counted)
    meta.setdefault("agent_version", f"memex/{__version__}")
    meta["metadata"] = extra
    meta["index"] = {
        "size": tally.size,
        "turn": tally.turn,
        "first": tally.started,
        "last": tally.ended,
        "prompt": tally.prompt,
        "offsets": tally.offsets,
    }
    return meta


def header(session_id: str, meta: Mapping[str, Any], turns: list[dict[str, Any]]) -> dict[str, Any]:
    """The first line of a transcript: where the conversation is from, as far as ``meta`` tells."""
    stamps = sorted(turn["ts"] for turn in turns if turn.get("ts"))
    started = meta.get("started_at") or (stamps[0] if stamps else None)
    ended = meta.get("ended_at") or (stamps[-1] if stamps else None)
    told = meta.get("metadata")
    told = told if isinstance(told, dict) else {}
    versions = told.get("versions") or [None]
    git = {"branch": meta.get("git_branch"), "commit_hash": told.get("git_commit")}
    inner = {
        "cli_version": versions[-1] if isinstance(versions, list) else None,
        "provider": told.get("provider"),
        "cwd": meta.get("cwd"),
        "git": {key: value for key, value in git.items() if value},
        "models": meta.get("models"),
        "reasoning_efforts": told.get("reasoning_efforts"),
    }
    line = {
        "type": HEADER,
        "harness": meta["harness"],
        "session_id": session_id,
        "captured_at": clock.stamp(),
        "started_at": started,
        "ended_at": ended,
        "duration_s": _seconds(started, ended),
        "meta": {key: value for key, value in inner.items() if value},
    }
    return {key: value for key, value in line.items() if value not in (None, "", {})}


def _seconds(started: Any, ended: Any) -> float | None:
    begun, done = clock.parse(str(started or "")), clock.parse(str(ended or ""))
    return max(0.0, (done - begun).total_seconds()) if begun and done else None


def from_header(line: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of the meta file that a transcript's first line tells, the other way round; only texts and
    lists of texts are believed."""
    told = line.get("meta")
    told = told if isinstance(told, dict) else {}
    git = told.get("git")
    git = git if isinstance(git, dict) else {"branch": git}
    own = {key: line.get(key) for key in ("harness", "started_at", "ended_at")}
    own |= {"cwd": told.get("cwd"), "git_branch": git.get("branch"), "models": told.get("models")}
    version = told.get("cli_version")
    more = {
        "versions": [version] if isinstance(version, str) else None,
        "provider": told.get("provider"),
        "git_commit": git.get("commit_hash"),
        "reasoning_efforts": told.get("reasoning_efforts"),
    }
    found = {key: value for key, value in own.items() if _is_told(key, value)}
    about = {key: value for key, value in more.items() if _is_told(key, value)}
    return {**found, "metadata": about} if about else found


def _is_told(key: str, value: Any) -> bool:
    if key in ("models", "versions", "reasoning_efforts"):
        return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)
    return isinstance(value, str) and bool(value)


def encode(meta: Mapping[str, Any]) -> bytes:
    """The bytes of the file. Raises TypeError or ValueError for what JSON cannot say."""
    text = json.dumps(meta, ensure_ascii=False, allow_nan=False, indent=1)
    return text.encode("utf-8", "replace") + b"\n"


def read(path: str) -> dict[str, Any]:
    """The file's map; empty when it is missing or damaged, for all in it can be had again."""
    try:
        with open(path, "rb", opener=regular) as file:
            meta = json.loads(file.read().decode("utf-8-sig", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return meta if isinstance(meta, dict) else {}


def abandoned(meta: Mapping[str, Any]) -> Callable[[int], bool]:
    """Tells of a turn's number whether the turn was taken back."""
    about = meta.get("metadata")
    noted = about.get("abandoned") if isinstance(about, dict) else None
    marks = [mark for mark in noted if _is_mark(mark)] if isinstance(noted, list) else []
    return lambda number: any(first <= number <= last for first, last in marks)


def abandoned_in(path: str) -> Callable[[int], bool]:
    """:func:`abandoned` of the file at ``path``, which is parsed only where it tells of any."""
    try:
        with open(path, "rb", opener=regular) as file:
            told = b'"abandoned"' in file.read()
    except OSError:
        told = False
    return abandoned(read(path) if told else {})


def _is_mark(mark: object) -> bool:
    return isinstance(mark, list) and len(mark) == 2 and all(type(end) is int for end in mark)


def title_of(meta: Mapping[str, Any], prompt: str, session_id: str) -> tuple[str, str]:
    """The session's title and where it is from: ``title``, ``prompt`` or ``id``."""
    title = meta.get("title")
    if isinstance(title, str) and title.strip():
        return one_line(title, 2 * _TITLE_LENGTH), str(meta.get("title_source") or "title")
    return (prompt, "prompt") if prompt else (session_id, "id")
