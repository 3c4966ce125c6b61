"""Codex CLI: ``~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`` and ``archived_sessions/``, plain or ``.zst``.

Early files hold bare response items, later ones envelopes, the newest ("paginated") completed items.
Most things are said twice, as a response item and as an event; the second saying is matched with the
first and dropped, whichever comes first. A fork begins with its parent's lines under new times.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from memex_core.harness.codex_calls import Calls, output_of, query_of
from memex_core.harness.codex_titles import title_of
from memex_core.harness.codex_usage import Usage
from memex_core.harness.replay import Replay
from memex_core.harness.talk import Talk, kind_of, stamp_of, text_of
from memex_core.model.prompts import typed

AGENT = "codex"

_NAME = re.compile(r"rollout-.*?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl", re.IGNORECASE)
_ENVELOPES = frozenset("session_meta response_item event_msg turn_context compacted".split())
_ITEMS = frozenset("message reasoning function_call function_call_output local_shell_call".split())
_QUIET = frozenset(
    "world_state inter_agent_communication_metadata security_risk_score retained_context realtime_item "
    "ghost_snapshot compaction".split()
)
_QUIET_EVENTS = frozenset(
    "agent_reasoning agent_reasoning_raw_content patch_apply_end thread_goal_updated context_compacted "
    "entered_review_mode exited_review_mode mcp_tool_call_end web_search_end "
    "image_generation_end sub_agent_activity exec_command_end exec_command_begin".split()
)
_UNMATCHED = 40  # sayings that still wait for their twin
_TURNS = 2_000  # turn ids that are remembered, for forks to know where the replay ends


def places(environ: Mapping[str, str], home: str) -> list[str]:
    """The folders that hold session files."""
    at = environ.get("CODEX_HOME") or os.path.join(home, ".codex")
    return [os.path.join(at, "sessions"), os.path.join(at, "archived_sessions")]


def files(folder: str) -> Iterator[str]:
    """Rollouts under ``folder``, oldest first. Of a plain file and its compressed twin, the plain one."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            plain = name.removesuffix(".zst")
            rollout = plain.startswith("rollout-") and plain.endswith((".jsonl", ".json"))
            if rollout and (name == plain or plain not in names):
                yield os.path.join(at, name)


def reader(path: str, head: list[dict[str, Any]]) -> Talk | None:
    """A reader for the file if its first records are Codex's; None otherwise."""
    if not any(_ours(record) for record in head):
        return None
    meta = next((m for record in head if (m := _meta_of(record))), {})
    named = _NAME.search(os.path.basename(path))
    own = str(meta.get("id") or meta.get("session_id") or (named[1] if named else ""))
    stem = os.path.basename(path).partition(".json")[0]
    return CodexTalk(own or stem, path)


def document(data: Any) -> Talk | None:
    """The conversation in an early ``.json`` file, ``{session, items}``; None when it is none."""
    if (
        not isinstance(data, dict)
        or not isinstance(data.get("items"), list)
        or not _meta_of(data.get("session"))
    ):
        return None
    talk = CodexTalk(str(data["session"]["id"]), "")
    for place, record in enumerate((data["session"], *data["items"])):
        if isinstance(record, dict):
            talk.feed(record, place)
    talk.settle()
    return talk


def _ours(record: dict[str, Any]) -> bool:
    kind = kind_of(record)
    if isinstance(record.get("payload"), dict) and kind in _ENVELOPES:
        return True
    return (
        record.get("record_type") == "state"
        or (kind in _ITEMS and "message" not in record)
        or _bare_meta(record)
    )


def _bare_meta(record: dict[str, Any]) -> bool:
    return {"id", "timestamp", "instructions"} <= record.keys() and "type" not in record


def _meta_of(record: Any) -> dict[str, Any]:
    if not isinstance(record, dict):
        return {}
    if kind_of(record) == "session_meta" and isinstance(record.get("payload"), dict):
        return dict(record["payload"])
    return record if _bare_meta(record) else {}


class CodexTalk(Talk):
    agent = AGENT

    def __init__(self, session_id: str, path: str) -> None:
        super().__init__(session_id)
        self.path = path
        self.memo.update(metas=0, own="", unmatched=[], starts=[], turn_ids=[], thought="")
        title = title_of(path, session_id) if path else ""
        self.fact("title", title)
        self.fact("title_source", "thread_name" if title else None)
        self.replay = Replay(self)
        self.tools = Calls(self)
        self.tokens = Usage(self)

    @property
    def closed(self) -> bool:
        return not self.calls and not self.replay.on

    def restore(self, memo: dict[str, Any]) -> None:
        super().restore(memo)
        self.replay.on = False

    def finish(self) -> None:
        if self.replay.on:  # nothing of its own yet
            self.turns.clear()

    def feed(self, record: dict[str, Any], at: int) -> None:
        kind, payload = kind_of(record), record.get("payload")
        stamp = stamp_of(record.get("timestamp"))
        if not isinstance(payload, dict):
            if record.get("record_type") == "state":
                return
            meta = _meta_of(record)
            if meta:
                self._session(meta)
                self.at_time(stamp)
            else:
                self._item(record, stamp, at)
            return
        self.at_time(stamp)
        if kind == "response_item":
            self._item(payload, stamp, at)
        elif kind == "event_msg":
            self._event(payload, stamp, at)
        elif kind == "turn_context":
            self._turn_id(payload.get("turn_id"), late=True)
            self.listed("models", payload.get("model"))
            self.listed("cwds", payload.get("cwd"))
            self.listed("reasoning_efforts", _effort(payload))
        elif kind == "session_meta":
            self._session(payload)
        elif kind == "token_usage_record":
            if not self.tokens.record(payload):
                self.unknown(kind)
        elif kind == "compacted":
            self.event("compaction", text_of(payload.get("message")), stamp)
        elif kind not in _QUIET:
            self.unknown(kind)

    # -- the session -----------------------------------------------------------------------

    def _session(self, meta: dict[str, Any]) -> None:
        """The first is the file's own; a later one is a parent's, replayed, or its own after a resume."""
        self.memo["metas"] += 1
        first = self.memo["metas"] == 1
        named = meta.get("id") or meta.get("session_id") or ""
        if first:
            self.memo["own"] = named
        elif named != self.memo.get("own"):
            return
        else:
            self.fact("resumed", True)
        self._surroundings(meta)
        self.at_time(stamp_of(meta.get("timestamp")))
        if first:
            self._ancestry(meta)

    def _surroundings(self, meta: dict[str, Any]) -> None:
        self.listed("cwds", meta.get("cwd"))
        self.listed("versions", meta.get("cli_version"))
        self.fact("cwd", meta.get("cwd"))
        self.fact("provider", meta.get("model_provider"))
        git = meta.get("git")
        if isinstance(git, dict):
            self.fact("git_branch", git.get("branch"))
            self.fact("git_commit", git.get("commit_hash"))

    def _ancestry(self, meta: dict[str, Any]) -> None:
        parent = meta.get("forked_from_id")
        source = meta.get("source")
        sent = source.get("subagent") if isinstance(source, dict) else None
        spawned = sent.get("thread_spawn") if isinstance(sent, dict) else None
        sender = (
            spawned.get("parent_thread_id") if isinstance(spawned, dict) else meta.get("parent_thread_id")
        )
        if sent or sender:
            self.fact("subagent", True)
            self.fact("parent_session", sender)
            parent = parent or sender
        if isinstance(parent, str) and parent:
            self.fact("forked_from", parent)
            self.replay.begin(parent, self.path)

    def _turn_id(self, turn_id: Any, *, late: bool = False) -> None:
        if isinstance(turn_id, str) and turn_id:
            known = self.memo["turn_ids"]
            if turn_id not in known[-8:] and len(known) < _TURNS and not self.replay.of_parent(turn_id):
                known.append(turn_id)
            self.replay.at_turn(turn_id, late=late)

    def meta(self) -> dict[str, Any]:
        made = super().meta()
        made["metadata"]["turn_ids"] = list(self.memo["turn_ids"])
        return made

    # -- what was said ---------------------------------------------------------------------

    def _item(self, item: dict[str, Any], stamp: str, at: int) -> None:
        kind = kind_of(item)
        through = item.get("internal_chat_message_metadata_passthrough")
        if isinstance(through, dict):
            self._turn_id(through.get("turn_id"))
        if kind == "message":
            if item.get("role") in ("user", "assistant"):
                self._said(str(item["role"]), text_of(item.get("content")), stamp, item, at, "item")
        elif kind == "agent_message":
            self._among_agents(item, stamp, at)
        elif kind == "reasoning":
            self._thought(item.get("summary"))
        elif kind in ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call"):
            self.tools.call(item, query_of(item), stamp, at, self._take_thought())
        elif kind in ("web_search_call", "image_generation_call"):
            name, xid = str(kind).removesuffix("_call"), self._own_id(item, at)
            self.call(xid, name, _asked(item.get("action")), stamp, thinking=self._take_thought())
            self.calls.pop(xid, None)  # its result is not told
        elif isinstance(kind, str) and kind.endswith("_output"):
            self.tools.result(item, *output_of(item.get("output")), stamp)
        elif kind not in _QUIET:
            self.unknown(kind)

    def _event(self, event: dict[str, Any], stamp: str, at: int) -> None:
        kind = kind_of(event)
        if kind == "item_completed":
            self._turn_id(event.get("turn_id"))
            if isinstance(event.get("item"), dict):
                self._completed(event["item"], stamp, at)
        elif kind in ("user_message", "agent_message"):
            role = "user" if kind == "user_message" else "assistant"
            self._said(role, text_of(event.get("message")), stamp, {}, at, "event")
        elif kind == "token_count":
            self.tokens.count(event.get("info"))
        elif kind == "task_started":
            self._turn_id(event.get("turn_id"))
            self.fact("ended_state", "unfinished")
        elif kind == "task_complete":
            self.fact("ended_state", "complete")
        elif kind == "thread_rolled_back":
            self._roll_back(event.get("num_turns"))
        elif kind == "turn_aborted":
            self.settle()
            self.fact("ended_state", "interrupted")
            self.event("interrupted", str(event.get("reason") or ""), stamp)
        elif kind in ("error", "stream_error"):
            self.event("error", text_of(event.get("message")), stamp)
        elif kind not in _QUIET_EVENTS:
            self.unknown(kind)

    def _completed(self, item: dict[str, Any], stamp: str, at: int) -> None:
        kind = kind_of(item)
        if kind == "UserMessage":
            self._said("user", text_of(item.get("content")), stamp, item, at, "event")
        elif kind == "AgentMessage":
            self._said("assistant", text_of(item.get("content")), stamp, item, at, "event")
        elif kind == "Reasoning":
            self._thought(item.get("summary_text"))
        elif kind in ("CommandExecution", "McpToolCall", "FileChange"):
            self.tools.completed(item, stamp, self._own_id(item, at), self._take_thought())
        elif kind not in ("Plan", "Extension", "WebSearch", "Sleep"):
            self.unknown(f"item {kind}")

    def _own_id(self, item: dict[str, Any], at: int) -> str:
        return item["id"] if isinstance(item.get("id"), str) and item["id"] else self.id_at(at)

    def _said(self, role: str, text: str, stamp: str, item: dict[str, Any], at: int, form: str) -> None:
        """A saying in one of its two forms; its twin in the other form is the same saying."""
        text = typed(text) if role == "user" else text
        if not text.strip():
            return
        other = "event" if form == "item" else "item"
        mark = [role, _short(text), form]
        waiting: list[list[str]] = self.memo["unmatched"]
        twin = [mark[0], mark[1], other]
        if twin in waiting:
            waiting.remove(twin)
            return
        self.memo["unmatched"] = [*waiting, mark][-_UNMATCHED:]
        xid = self._own_id(item, at)
        aside = bool(self.memo["facts"].get("subagent"))
        if role == "user" and aside:  # the agent that sent this one out wrote its task
            self.settle()
            self.answer(text, stamp, xid, sidechain=True, kind="task")
        elif role == "user":
            self.memo["starts"] = [*self.memo["starts"], self.next_number][-_TURNS:]
            self.prompt(text, stamp, xid)
        else:
            self.answer(text, stamp, xid, sidechain=aside, thinking=self._take_thought())

    def _among_agents(self, item: dict[str, Any], stamp: str, at: int) -> None:
        """What one agent wrote to another: nobody asked the user for it, nobody told it to him."""
        text = text_of(item.get("content")) or text_of(item.get("text"))
        if not text.strip():
            self.unknown("agent_message without plain text")
            return
        author = item.get("author")
        name = author if isinstance(author, str) else ""
        self.answer(text, stamp, self._own_id(item, at), name=name, sidechain=True, kind="agent-message")

    def _thought(self, summary: Any) -> None:
        text = text_of(summary)
        if text.strip():
            self.memo["thought"] = text

    def _take_thought(self) -> str:
        thought, self.memo["thought"] = self.memo["thought"], ""
        return str(thought)

    def _roll_back(self, count: Any) -> None:
        starts: list[int] = self.memo["starts"]
        if isinstance(count, int) and count > 0 and starts:
            first = starts[-min(count, len(starts))]
            self.memo["starts"] = starts[:-count]
            self.abandon(first, self.next_number - 1)

    def usage(self) -> dict[str, int] | None:
        return self.tokens.sums()


def _effort(context: dict[str, Any]) -> Any:
    mode = context.get("collaboration_mode")
    settings = mode.get("settings") if isinstance(mode, dict) else None
    chosen = settings.get("reasoning_effort") if isinstance(settings, dict) else None
    return chosen or context.get("reasoning_effort") or context.get("effort")


def _asked(action: Any) -> Any:
    """What a web search looked for; ``{"type": "search"}`` says no more than the tool's name does."""
    if isinstance(action, dict) and action.get("type") == "search":
        return {key: value for key, value in action.items() if key != "type"}
    return action


def _short(text: str) -> str:
    from _blake2 import blake2b

    return blake2b(text.strip().encode("utf-8", "replace"), digest_size=8).hexdigest()
