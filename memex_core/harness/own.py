"""memex's own JSONL: a header, then a turn a line, as ``ingest-transcript`` reads and every store keeps."""

from __future__ import annotations

import os
from typing import Any

from memex_core.files.session_meta import from_header
from memex_core.files.turns import ROLES, is_header
from memex_core.harness.talk import Talk, stamp_of, text_of
from memex_core.model.trust import TRUSTS

AGENT = "memex"

_TEXTS = ("name", "tool_name", "query", "result")


def reader(path: str, head: list[dict[str, Any]]) -> Talk | None:
    """A reader for the file if it begins with a header or with turns; None otherwise."""
    if not head:
        return None
    first = head[0]
    if is_header(first):
        stem = os.path.basename(path).partition(".")[0]
        return OwnTalk(str(first.get("session_id") or stem), str(first.get("harness") or AGENT))
    if all(
        record.get("role") in ROLES and "message" not in record and "type" not in record for record in head
    ):
        return OwnTalk(os.path.basename(path).partition(".")[0], AGENT)
    return None


class OwnTalk(Talk):
    def __init__(self, session_id: str, agent: str) -> None:
        super().__init__(session_id)
        self.agent = agent

    def feed(self, record: dict[str, Any], at: int) -> None:
        if is_header(record):
            told = from_header(record)
            for key in ("cwd", "git_branch"):
                self.fact(key, told.get(key))
            for key, value in {"models": told.get("models"), **told.get("metadata", {})}.items():
                if isinstance(value, list):
                    for one in value:
                        self.listed(key, one)
                else:
                    self.fact(key, value)
            for key in ("started_at", "ended_at"):
                self.at_time(stamp_of(record.get(key)))
            return
        role = record.get("role")
        if role not in ROLES:
            self.unknown(record.get("type") or role)
            return
        xid = record["xid"] if isinstance(record.get("xid"), str) and record["xid"] else self.id_at(at)
        stamp = stamp_of(record.get("ts"))
        self.at_time(stamp)
        turn: dict[str, Any] = {
            "role": role,
            "content": text_of(record.get("content")),
            "ts": stamp,
            "turn": 0,
        }
        turn.update({key: record[key] for key in _TEXTS if isinstance(record.get(key), str)})
        turn["xid"] = xid
        if record.get("trust") in TRUSTS:
            turn["trust"] = record["trust"]
        self.add(turn)
