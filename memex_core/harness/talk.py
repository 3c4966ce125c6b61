"""A conversation while it is being read: the turns made so far, and what else its source told.

A reader of one agent's records says what happened (``prompt``, ``answer``, ``call``, ``result``,
``event``); this class makes turns of it, one a record id, however often the source repeats it.
Everything that must survive from one reading to the next is in ``memo``, which is plain JSON.
"""

from __future__ import annotations

import json
import os
import re
from _blake2 import blake2b
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from memex_core.model import clock
from memex_core.model.evidence import SESSION_ID
from memex_core.model.trust import trust_of

Turn = dict[str, Any]

_USUAL = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z").fullmatch
_encode = json.JSONEncoder(ensure_ascii=False).encode
_REMEMBERED = 50_000  # record ids kept in memory, at most twice as many; older ones are looked up on disk
_OPEN_TURNS = 200  # a call that so many turns followed gets no result any more
_EVENT_TEXT = 8_000  # characters of a summary or an error that are kept
_EVENTS = 1_000
_VALUES = 200  # different values of one fact


class Rewound(Exception):
    """A reading that began in the middle met something only the whole file explains: begin at the top."""


class Talk(ABC):
    """What a reader makes of one session.

    ``turns`` are those not yet taken; ``taken`` counts the others. ``memo`` is the reader's memory.
    ``stored_meta`` gives what is stored of another session, ``elsewhere`` tells of a turn whether another
    one holds it (a fork copies its past), and ``earlier`` of an id whether this one does. ``admit`` raises
    before anything is written of a session that is not wanted.
    """

    agent = ""
    at_large = False  # whether any turn may change until the file's end: then it is read whole each time

    def __init__(self, session_id: str) -> None:
        self.session_id = file_name(session_id)
        self.turns: list[Turn] = []
        self.memo: dict[str, Any] = {
            "taken": 0,
            "facts": {},
            "lists": {},
            "events": [],
            "unknown": {},
            "marks": [],
        }
        self.whole = True
        self.rooted = True  # whether the file begins where its conversation began
        self.copied = False  # whether the last turn refused is another session's
        self.elsewhere: Callable[[Turn], bool] = _nowhere
        self.earlier: Callable[[str], bool] = _not_earlier
        self.admit: Callable[[Talk], None] = _welcome
        self.stored_meta: Callable[[str], dict[str, Any]] = _nothing_stored
        self.calls: dict[str, Turn] = {}
        self._recent: set[str] = set()
        self._older: set[str] = set()
        self._horizon = ""

    # -- the reader's side -----------------------------------------------------------------

    @abstractmethod
    def feed(self, record: dict[str, Any], at: int) -> None:
        """Take in one record, which begins at byte ``at`` of the source."""

    def finish(self) -> None:  # noqa: B027 - most readers have nothing to say at the end
        """The source has nothing more for now."""

    @property
    def closed(self) -> bool:
        """Whether no turn made so far can still change: here a later reading may begin."""
        return not self.calls and not self.at_large

    def restore(self, memo: dict[str, Any]) -> None:
        """Go on from the memory of an earlier reading, in the middle of the source."""
        memo["facts"] = {**memo["facts"], **self.memo["facts"]}  # what was told before reading is newer
        self.memo = memo
        self.whole = False
        self._horizon = str(memo.get("last") or "")

    def id_at(self, at: int, part: int = 0) -> str:
        """An id for a record that has none: its session and its place."""
        made = blake2b(f"{self.session_id}:{at}:{part}".encode(), digest_size=8)
        return f"at-{made.hexdigest()}"

    def remember(self) -> dict[str, Any]:
        """The memory to go on from later; call it where :attr:`closed` holds."""
        return self.memo

    @property
    def next_number(self) -> int:
        return int(self.memo["taken"]) + len(self.turns) + 1

    def known(self, xid: str, stamp: str) -> bool:
        """Whether this session has a turn of that record; older ids are asked of the disk."""
        if xid in self._recent or xid in self._older:
            return True
        return stamp <= self._horizon and self.earlier(xid)

    def add(self, turn: Turn) -> bool:
        """Append ``turn`` unless its ``xid`` is known; whether it was appended."""
        xid, stamp = turn["xid"], turn["ts"]
        if self.known(xid, stamp):
            return False
        self._recent.add(xid)
        if len(self._recent) > _REMEMBERED:
            self._older, self._recent = self._recent, set()
            self._horizon = str(self.memo.get("last") or "")
        self.memo["facts"].setdefault("first_record", xid)
        if self.elsewhere(turn):
            self.copied = True
            return False
        if stamp > self.memo.get("last", ""):
            self.memo["last"] = stamp
        self.turns.append(turn)
        if self.calls and len(self.turns) > _OPEN_TURNS:
            self.settle()
        return True

    def take(self) -> list[Turn]:
        """The turns made since the last taking."""
        turns, self.turns = self.turns, []
        self.memo["taken"] += len(turns)
        return turns

    def prompt(self, text: str, ts: str, xid: str, **more: Any) -> bool:
        """What a person typed. Calls that are still open were broken off, unless it was ``queued``."""
        if not more.get("queued"):
            self.settle()
        return self.add(_turn("user", text, ts, xid, more))

    def answer(self, text: str, ts: str, xid: str, **more: Any) -> bool:
        new = self.add(_turn("agent", text, ts, xid, more))
        if new:
            self.memo["answered"] = self.next_number - 1
        return new

    def call(self, call_id: str, name: str, query: Any, ts: str, **more: Any) -> Turn | None:
        """A tool that was asked to do something; its result may come later. None when it is known."""
        turn = _turn("tool", "", ts, call_id, more, name, query)
        if not self.add(turn):
            return None
        self.calls[call_id] = turn
        return turn

    def shell(self, xid: str, command: Any, ts: str) -> Turn | None:
        """A command that the person ran by hand, in the agent's prompt."""
        said = command if isinstance(command, str) else ""
        return self.call(xid, "user-shell", said, ts, trust=trust_of("tool", "user-shell", query=said))

    def result(self, call_id: str, text: str, ts: str, *, error: bool | None = None, **more: Any) -> None:
        """The result of a call. One whose call is not in the source is a turn of its own."""
        turn = self.calls.pop(call_id, None)
        if turn is None:
            if call_id in self._recent or call_id in self._older or not text:
                return
            turn = _turn("tool", "", ts, call_id, {})
            if not self.add(turn):
                return
        turn["result"] = text
        if error is not None:
            turn["is_error"] = error
        turn.update(more)

    def settle(self) -> None:
        """No result is expected any more."""
        self.calls.clear()

    def drop(self, turns: list[Turn]) -> None:
        """Take back turns that are not yet taken."""
        gone = {id(turn) for turn in turns}
        self.turns = [turn for turn in self.turns if id(turn) not in gone]

    # -- what is no turn -------------------------------------------------------------------

    def fact(self, key: str, value: Any) -> None:
        """The latest value of something said of the whole session."""
        if value not in (None, ""):
            self.memo["facts"][key] = value

    def listed(self, key: str, value: Any) -> None:
        """One more value of something that changes during a session, in order, each once."""
        if isinstance(value, str) and value:
            known = self.memo["lists"].setdefault(key, [])
            if value not in known and len(known) < _VALUES:
                known.append(value)

    def at_time(self, stamp: str) -> None:
        """The session was alive at this time."""
        if stamp:
            facts = self.memo["facts"]
            if stamp < facts.get("started_at", "~"):
                facts["started_at"] = stamp
            if stamp > facts.get("ended_at", ""):
                facts["ended_at"] = stamp

    def event(self, kind: str, text: str, ts: str, **more: Any) -> None:
        """Something that nobody said: a compaction, an error, a command. ``after`` is the turn before it."""
        events = self.memo["events"]
        if len(events) < _EVENTS:
            made = {"kind": kind, "after": self.next_number - 1, "ts": ts, "text": text[:_EVENT_TEXT], **more}
            events.append({key: value for key, value in made.items() if value not in (None, "")})

    def unknown(self, kind: Any) -> None:
        """Count a kind of record that the reader has no meaning for."""
        counts = self.memo["unknown"]
        name = str(kind)[:80]
        if name in counts or len(counts) < _VALUES:
            counts[name] = counts.get(name, 0) + 1

    def abandon(self, first: int, last: int) -> None:
        """Turns ``first`` to ``last`` were taken back; they stay, marked."""
        if 0 < first <= last:
            self.memo["marks"].append([first, last])

    def abandoned(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.memo["marks"])

    def regain(self, first: int, last: int) -> None:
        """Turns ``first`` to ``last`` count again."""
        marks: list[list[int]] = []
        for low, high in self.memo["marks"]:
            parts = [[low, min(high, first - 1)], [max(low, last + 1), high]]
            marks.extend(part for part in parts if part[0] <= part[1])
        self.memo["marks"] = marks

    def usage(self) -> dict[str, int] | None:
        """Tokens of the whole session; None when the source told none."""
        found = self.memo.get("usage")
        return dict(found) if found else None

    def meta(self) -> dict[str, Any]:
        """The keys of the meta file that this reader knows."""
        facts, lists = dict(self.memo["facts"]), self.memo["lists"]
        made: dict[str, Any] = {
            "harness": self.agent,
            "token_usage": self.usage(),
            "turn_token_usage": self.memo.get("turn_usage"),
        }
        for key in ("title", "title_source", "cwd", "git_branch", "started_at", "ended_at", "project"):
            if facts.get(key):
                made[key] = facts.pop(key)
        if made.get("cwd"):
            made.setdefault("project", os.path.basename(str(made["cwd"]).replace("\\", "/").rstrip("/")))
        if lists.get("models"):
            made["models"] = list(lists["models"])
        extra = {key: list(values) for key, values in lists.items() if key != "models"}
        extra.update(facts)
        extra["abandoned"] = self.memo["marks"]  # empty too: what counts again must lose its mark
        for key, name in (("events", "events"), ("unknown", "unknown_records")):
            if self.memo[key]:
                extra[name] = self.memo[key]
        if self.memo.get("skipped"):
            extra["skipped_lines"] = self.memo["skipped"]
        made["metadata"] = extra
        return made


def _turn(
    role: str, content: str, ts: str, xid: str, more: dict[str, Any], tool: str = "", query: Any = None
) -> Turn:
    turn: Turn = {"role": role, "content": content, "ts": ts, "turn": 0}
    if tool:
        turn["tool_name"] = tool
    if query is not None:
        turn["query"] = query if isinstance(query, str) else said_as_json(query)
    turn["xid"] = xid
    for key, value in more.items():
        if value not in (None, "", False):
            turn[key] = value
    return turn


def file_name(session_id: str) -> str:
    """A session id that can be a file's name; a strange one is replaced by its digest."""
    if SESSION_ID.fullmatch(session_id):
        return session_id
    return f"session-{blake2b(session_id.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"


def kind_of(record: dict[str, Any]) -> str | None:
    """The record's ``type``, if it is one."""
    kind = record.get("type")
    return kind if isinstance(kind, str) else None


def said_as_json(value: Any) -> str:
    """A tool's arguments as text."""
    try:
        return _encode(value)
    except (TypeError, ValueError, RecursionError):
        return ""


def stamp_of(value: Any) -> str:
    """A time as sources write it (ISO, epoch seconds, milli- or microseconds) as a stamp; empty for none."""
    if isinstance(value, str):
        return value[:19] + "Z" if _USUAL(value) else clock.normal(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        for unit in (1, 1_000, 1_000_000):
            if 1e8 <= value / unit < 1e10:
                return clock.normal(str(int(value / unit)))
    return ""


def text_of(content: Any) -> str:
    """The text of content in any of its shapes: a string, blocks, one block, nothing.

    A picture or a file says only that it was there.
    """
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(text_of, content)))
    if isinstance(content, dict):
        kind = content.get("type")
        if isinstance(kind, str) and kind.lower() in (
            "image",
            "input_image",
            "image_url",
            "document",
            "file",
        ):
            return f"[{kind.removeprefix('input_')}]"
        for key in ("text", "output_text", "content", "output", "thinking"):
            found = content.get(key)
            if isinstance(found, str | list) and found:
                return text_of(found)
    return ""


def _nowhere(turn: Turn) -> bool:
    return False


def _welcome(talk: Talk) -> None:
    pass


def _nothing_stored(session_id: str) -> dict[str, Any]:
    return {}


def _not_earlier(xid: str) -> bool:
    return False
