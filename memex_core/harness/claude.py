"""Claude Code, 1.0 to 2.1: ``~/.claude/projects/<folder>/<session>.jsonl`` and the subagents beside it.

An answer is spread over records with one ``message.id``; most "user" records are not the user; what
a person typed while the agent worked is an attachment. Records form a tree: a typed prompt beside an
earlier answer or prompt takes back what followed there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from memex_core.harness.billing import bill, follow_answer
from memex_core.harness.branches import Branches
from memex_core.harness.talk import Talk, kind_of, stamp_of, text_of
from memex_core.model.prompts import one_line, typed

AGENT = "claude"

_QUIET = frozenset(
    "progress file-history-snapshot file-history-delta permission-mode mode last-prompt pr-link frame-link "
    "worktree-state relocated bridge-session agent-setting started result attachment system".split()
)
_MACHINERY = ("agent-acompact-", "agent-aprompt_suggestion-")
_SYNTHETIC = "<synthetic>"
_TITLES = {"custom-title": "customTitle", "agent-name": "agentName", "ai-title": "aiTitle"}
_TITLE_RANK = ("summary", "ai-title", "agent-name", "custom-title")
_USAGE = {
    "input": "input_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_creation": "cache_creation_input_tokens",
    "output": "output_tokens",
}
_CHANGING = ("cwds", "git_branches", "versions")
_MESSAGES = 64  # message ids whose tokens may still change


def places(environ: Mapping[str, str], home: str) -> list[str]:
    """The folders that hold session files."""
    return [os.path.join(environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), "projects")]


def files(folder: str) -> Iterator[str]:
    """Session files under ``folder``, a session before its subagents."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        if os.path.basename(at) == "tool-results":
            folders.clear()
            continue
        for name in sorted(names, key=lambda name: (name.startswith("agent-"), name)):
            if name.endswith(".jsonl") and name != "journal.jsonl" and not name.startswith(_MACHINERY):
                yield os.path.join(at, name)


def reader(path: str, head: list[dict[str, Any]]) -> Talk | None:
    """A reader for the file if its first records are Claude Code's; None otherwise."""
    if not any(_ours(record) for record in head):
        return None
    stem = os.path.basename(path).partition(".")[0]
    return ClaudeTalk(stem, stem.startswith("agent-"), head)


def _ours(record: dict[str, Any]) -> bool:
    if "sessionId" not in record and "leafUuid" not in record:
        return kind_of(record) == "file-history-snapshot" and "snapshot" in record
    return "parentUuid" in record or "message" in record or kind_of(record) in {*_QUIET, *_TITLES, "summary"}


class ClaudeTalk(Talk):
    agent = AGENT

    def __init__(self, session_id: str, subagent: bool, head: list[dict[str, Any]]) -> None:
        super().__init__(session_id)
        self.subagent = subagent
        self.tree = Branches(self)
        self.memo.update(
            used={},
            said=[],
            said_parts=[],
            message="",
            done=True,
            titles={},
            queue=[],
            shell="",
            command=None,
            around=None,
        )
        inside = next((str(record["sessionId"]) for record in head if record.get("sessionId")), "")
        if subagent:
            self.fact("subagent", True)
            self.fact("parent_session", inside)
        elif inside and inside != session_id:
            self.fact("forked_from", inside)
        first = next((record for record in head if record.get("uuid")), {})
        self.rooted = first.get("parentUuid") is None and first.get("subtype") != "compact_boundary"
        copied = next((record["forkedFrom"] for record in head if record.get("forkedFrom")), None)
        if isinstance(copied, dict):
            self.fact("forked_from", copied.get("sessionId"))

    @property
    def closed(self) -> bool:
        return not self.calls and self.memo["done"]

    def remember(self) -> dict[str, Any]:
        self.tree.note()
        return self.memo

    def restore(self, memo: dict[str, Any]) -> None:
        super().restore(memo)
        self.tree.restore()

    def feed(self, record: dict[str, Any], at: int) -> None:
        kind = kind_of(record)
        message = record.get("message")
        message = message if isinstance(message, dict) else {}
        if kind is None and message.get("role") in ("user", "assistant"):
            kind = message["role"]
        stamp = stamp_of(record.get("timestamp"))
        xid = record["uuid"] if isinstance(record.get("uuid"), str) else ""
        if xid:
            self._surroundings(record, stamp)
            self.tree.grow(xid, record.get("parentUuid"))
        elif message:
            self.at_time(stamp)
        xid = xid or self.id_at(at)
        if kind == "assistant":
            self._assistant(record, message, stamp, xid)
        elif kind == "user":
            self._user(record, message, stamp, xid)
        elif kind == "attachment":
            self._attachment(record.get("attachment"), stamp, xid)
        elif kind == "queue-operation":
            self._queue(record, stamp, at)
        elif kind == "system":
            self._system(record, stamp, xid)
        elif kind in _TITLES:
            self._title(str(kind), record.get(_TITLES[str(kind)]))
        elif kind == "summary":
            self._summary(record)
        elif kind not in _QUIET:
            self.unknown(kind)

    # -- prompts and results ---------------------------------------------------------------

    def _user(self, record: dict[str, Any], message: dict[str, Any], stamp: str, xid: str) -> None:
        self.memo["done"] = True
        content = message.get("content")
        parts: list[str] = []
        if isinstance(content, list):
            for block in content:
                if isinstance(block, dict) and block.get("type") == "tool_result":
                    self._result(block, record, stamp)
                else:
                    parts.append(text_of(block))
        else:
            parts.append(text_of(content))
        text = "\n".join(part for part in parts if part)
        if not text.strip():
            return
        if record.get("isCompactSummary"):
            self.event("summary", text, stamp)
        elif self.subagent or record.get("isSidechain"):
            if not record.get("isMeta") and typed(text):
                self.settle()
                self.answer(text, stamp, xid, sidechain=True, kind="task")
                if self.subagent and "title" not in self.memo["facts"]:
                    self.fact("title", one_line(text))
                    self.fact("title_source", "task")
        elif self._envelope(text, stamp, xid, record.get("parentUuid")) or record.get("isMeta"):
            return
        else:
            self._typed(typed(text), stamp, xid, record.get("parentUuid"))

    def _typed(self, text: str, stamp: str, xid: str, parent: Any) -> None:
        self._run_command()
        if not text:
            return
        self._prompt(text, stamp, xid, parent)

    def _prompt(self, text: str, stamp: str, xid: str, parent: Any, **more: Any) -> None:
        if not self.known(xid, stamp):
            self.tree.rewind(parent)
            self.tree.message(xid, parent)
            self.prompt(text, stamp, xid, **more)

    def _envelope(self, text: str, stamp: str, xid: str, parent: Any) -> bool:
        """Whether the text is a host's word on a command, a shell or an interruption; it is dealt with."""
        lead = text.lstrip()
        if lead.startswith(("<command-name>", "<command-message>")):
            command = typed(text)
            self._run_command()
            if command.startswith("/rename "):
                self._title("agent-name", command[8:])
            if command.startswith("/"):
                self.memo["command"] = [command, stamp, xid, parent]
                return True
            return False
        if lead.startswith(("<local-command-stdout>", "<local-command-stderr>")):
            command, self.memo["command"] = self.memo["command"], None
            said = lead.partition(">")[2].rpartition("</")[0]
            self.event("command", command[0] if command else "", stamp, output=said[:2_000])
            return True
        if lead.startswith("<bash-input>"):
            self.memo["shell"] = xid
            self.shell(xid, _inner(lead, "bash-input"), stamp)
            return True
        if lead.startswith(("<bash-stdout>", "<bash-stderr>")):
            shell, self.memo["shell"] = self.memo["shell"], ""
            if shell:
                parts = (_inner(lead, "bash-stdout"), _inner(lead, "bash-stderr"))
                self.result(shell, "\n".join(part for part in parts if part), stamp)
            return True
        if lead.startswith("[Request interrupted by user"):
            self.settle()
            self.event("interrupted", lead, stamp)
            return True
        return False

    def _run_command(self) -> None:
        """A slash command that the agent answered was a prompt; one that only printed something was not."""
        command, self.memo["command"] = self.memo["command"], None
        if command:
            text, stamp, xid, parent = command
            self._prompt(text, stamp, xid, parent, command=True)

    def _result(self, block: dict[str, Any], record: dict[str, Any], stamp: str) -> None:
        call_id = block.get("tool_use_id")
        if not isinstance(call_id, str) or not call_id:
            return
        more: dict[str, Any] = {}
        detail = record.get("toolUseResult")
        if isinstance(detail, dict) and isinstance(detail.get("agentId"), str):
            more["subagent"] = detail["agentId"]
            self.memo["facts"].setdefault("subagents", {})[detail["agentId"]] = call_id
        self.result(call_id, text_of(block.get("content")), stamp, error=bool(block.get("is_error")), **more)

    def _attachment(self, attachment: Any, stamp: str, xid: str) -> None:
        if not isinstance(attachment, dict) or attachment.get("commandMode") not in (None, "prompt"):
            return
        if attachment.get("type") == "queued_command":
            text = typed(text_of(attachment.get("prompt")))
            if text in self.memo["queue"]:
                self.memo["queue"].remove(text)
            elif text:
                self.add_queued(text, stamp, xid)

    def _queue(self, record: dict[str, Any], stamp: str, at: int) -> None:
        """A prompt taken out of the queue to be said at once has, in some versions, no other record."""
        text = typed(text_of(record.get("content")))
        if record.get("operation") == "remove" and text and text not in self.memo["said"]:
            self.add_queued(text, stamp, self.id_at(at))
            self.memo["queue"] = [*self.memo["queue"], text][-20:]

    def add_queued(self, text: str, stamp: str, xid: str) -> None:
        """A prompt typed while the agent worked: it breaks nothing off."""
        self.memo["said"] = [*self.memo["said"], text][-20:]
        self.prompt(text, stamp, xid, queued=True)

    # -- answers ---------------------------------------------------------------------------

    def _assistant(self, record: dict[str, Any], message: dict[str, Any], stamp: str, xid: str) -> None:
        content = message.get("content")
        if message.get("model") == _SYNTHETIC or record.get("isApiErrorMessage"):
            self.settle()
            self.event("error", text_of(content), stamp)
            return
        self._run_command()
        aside = bool(self.subagent or record.get("isSidechain"))
        if not aside:
            self.tree.message(xid, record.get("parentUuid"))
        if message.get("id") != self.memo["message"] or not message.get("id"):
            self.memo.update(message=message.get("id") or "", said_parts=[])
        self.memo["done"] = bool(message.get("stop_reason")) or "stop_reason" not in message
        self.listed("models", message.get("model"))
        blocks = content if isinstance(content, list) else [{"type": "text", "text": text_of(content)}]
        known = self.copied = False
        for part, block in enumerate(blocks):
            if isinstance(block, dict):
                known |= not self._block(block, stamp, f"{xid}#{part}" if part else xid, aside)
        self._count(message, stamp, known)

    def _block(self, block: dict[str, Any], stamp: str, xid: str, aside: bool) -> bool:
        """Make a turn of one block; false when that turn is known already."""
        kind = kind_of(block)
        if kind == "text":
            text = text_of(block)
            return not text.strip() or self._said(text, stamp, xid, aside)
        if kind == "thinking":
            thought = block.get("thinking")
            if isinstance(thought, str) and thought.strip():
                self.memo["thought"] = thought
            return True
        if kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            call_id, name = block.get("id"), str(block.get("name") or "tool")
            call_id = call_id if isinstance(call_id, str) and call_id else xid
            thought = self.memo.pop("thought", "")
            made = self.call(call_id, name, block.get("input"), stamp, sidechain=aside, thinking=thought)
            return made is not None
        if isinstance(kind, str) and kind.endswith("_tool_result"):
            self._result(block, {}, stamp)
        return True

    def _said(self, text: str, stamp: str, xid: str, aside: bool) -> bool:
        """Some versions repeat a growing answer under one message id: the longest is what was said."""
        parts: list[str] = self.memo["said_parts"]
        for place, said in enumerate(parts):
            if said.startswith(text):
                return True
            if text.startswith(said):
                for turn in reversed(self.turns):
                    if turn["role"] == "agent" and turn["content"] == said:
                        turn["content"] = parts[place] = text
                        return True
        parts.append(text)
        return self.answer(text, stamp, xid, sidechain=aside, thinking=self.memo.pop("thought", ""))

    def _count(self, message: dict[str, Any], stamp: str, known: bool) -> None:
        """Tokens of a message: its last record holds them, all others repeat or foretell them."""
        usage, name = message.get("usage"), message.get("id")
        if not isinstance(usage, dict) or not isinstance(name, str):
            return
        used: dict[str, Any] = self.memo["used"]
        before = used.get(name)
        now = [usage.get(key) or 0 for key in _USAGE.values()]
        if now == before and not self.copied:
            follow_answer(self, name)
            return
        now = [value if isinstance(value, int) else 0 for value in now]
        if name not in used and known and not self.copied and stamp < self.memo.get("last", ""):
            return  # written again after a compaction
        if self.copied or (name in used and before is None):
            used[name], now = None, [0] * len(now)
        elif before is not None and now[-1] < before[-1]:
            return
        else:
            used[name] = now
            told = dict(zip(_USAGE, before, strict=True)) if before else None
            bill(self, dict(zip(_USAGE, now, strict=True)), name, told)
        before = before or [0] * len(now)
        if used[name] is not None or any(before):
            total = self.memo.setdefault("usage", dict.fromkeys(_USAGE, 0))
            for key, new, old in zip(_USAGE, now, before, strict=True):
                total[key] += new - old
        while len(used) > _MESSAGES:
            del used[next(iter(used))]

    # -- the session -----------------------------------------------------------------------

    def _surroundings(self, record: dict[str, Any], stamp: str) -> None:
        self.at_time(stamp)
        now = [record.get("cwd"), record.get("gitBranch"), record.get("version")]
        if now == self.memo["around"]:
            return
        self.memo["around"] = now
        for value, fact, many in zip(now, ("cwd", "git_branch", ""), _CHANGING, strict=True):
            if value and isinstance(value, str):
                self.listed(many, value)
                if fact:
                    self.memo["facts"].setdefault(fact, value)

    def _system(self, record: dict[str, Any], stamp: str, xid: str) -> None:
        kind = record.get("subtype")
        if kind == "compact_boundary":
            about = record.get("compactMetadata")
            about = about if isinstance(about, dict) else {}
            self.event(
                "compaction",
                "",
                stamp,
                trigger=about.get("trigger"),
                pre_tokens=about.get("preTokens"),
                post_tokens=about.get("postTokens"),
            )
        elif kind == "local_command" and isinstance(record.get("content"), str):
            self._envelope(record["content"], stamp, xid, record.get("parentUuid"))

    def _title(self, source: str, title: Any) -> None:
        if isinstance(title, str) and title.strip():
            titles = self.memo["titles"]
            titles[source] = title.strip()
            source = max(titles, key=_TITLE_RANK.index)
            self.fact("title", titles[source])
            self.fact("title_source", source)

    def _summary(self, record: dict[str, Any]) -> None:
        """A summary names the record it ends at; most belong to another session."""
        leaf = record.get("leafUuid")
        if isinstance(leaf, str) and (leaf in self.tree or (not self.whole and self.earlier(leaf))):
            self._title("summary", record.get("summary"))


def _inner(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
