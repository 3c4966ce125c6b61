"""What an agent tells a hook, whoever the agent is.

Claude Code and Codex send JSON on standard input (``hook_event_name``, ``session_id``,
``transcript_path``, ``cwd``, ``prompt``, ``source``), Codex' ``notify`` gives it as an argument with
hyphens in its keys, Gemini CLI has names of its own for the events, Copilot writes camelCase, and pi's
extension says what it likes. One reader for all: a key counts however its words are joined.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from memex_core.model.errors import BadInput
from memex_core.model.evidence import SESSION_ID

EVENTS = ("session-start", "prompt", "transcript", "pre-compact", "post-compact", "session-end")

LARGEST = 16 << 20
"""Bytes of a payload that are read; an agent's are a few hundred beside the prompt."""

SOURCES = ("startup", "resume", "clear", "compact")
_SOURCE_NAMES = {"new": "startup", "start": "startup", "compacted": "compact", "continue": "resume"}

_AGENT_NAMES = {
    "claude-code": "claude",
    "claudecode": "claude",
    "codex-cli": "codex",
    "gemini-cli": "gemini",
    "copilot-cli": "copilot",
    "github-copilot": "copilot",
    "vscode": "copilot",
}
_BY_PLACE = {".claude": "claude", ".codex": "codex", ".gemini": "gemini", ".pi": "pi", ".copilot": "copilot"}
_OF_GEMINI = frozenset(("BeforeAgent", "AfterAgent", "PreCompress", "BeforeModel", "AfterModel"))


class HookInput(NamedTuple):
    """One call of a hook; what the agent does not say is empty.

    ``session_id`` can be a file's name. ``source`` (of a session's start) is one of :data:`SOURCES`.
    ``named`` is the agent's own name of the event: with one the answer is JSON, without it plain text.
    ``guessed``: the agent names no session; its id stands for whichever it has in that folder.
    """

    event: str
    agent: str = ""
    session_id: str = ""
    prompt: str = ""
    transcript: str = ""
    cwd: str = ""
    source: str = ""
    named: str = ""
    guessed: bool = False


def payload_of(value: Any) -> bytes:
    """A payload given as text, bytes or a map, as bytes."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return json.dumps(value).encode()


def read(event: str, data: bytes, agent: str = "") -> HookInput:
    """The call that ``data`` describes. A prompt may also come as bare text.

    Raises BadInput, in one line without a word of the payload, for an event that there is not and for
    data that is empty, too large, or no JSON object.
    """
    if event not in EVENTS:
        raise BadInput(f"no hook is called {event[:40]!r}", hint=f"one of {', '.join(EVENTS)}")
    if len(data) > LARGEST:
        raise BadInput(f"the payload of hook {event} is larger than {LARGEST >> 20} MB")
    text = data.decode("utf-8-sig", "replace").strip()
    if not text:
        raise BadInput(f"hook {event} got no payload", hint="an agent sends it JSON on standard input")
    if event == "prompt" and text[0] not in '{["':
        return HookInput(event, _agent(agent, "", "", ""), prompt=text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput(f"the payload of hook {event} is no JSON") from None
    if not isinstance(value, dict):
        raise BadInput(f"the payload of hook {event} is no JSON object")
    return _of(event, {_plain(key): one for key, one in value.items()}, agent)


def _of(event: str, said: Mapping[str, Any], agent: str) -> HookInput:
    named = _text(said, "hookeventname", "eventname")
    transcript = _text(
        said, "transcriptpath", "agenttranscriptpath", "sessiontranscript", "rolloutpath", "sessionfile"
    )
    cwd = _text(said, "cwd", "workspaceroot", "directory")
    agent = _agent(agent or _text(said, "agent", "harness", "client"), named, _text(said, "type"), transcript)
    if not agent and "timestamp" in said and not named and "sessionid" not in said:
        agent = "copilot"  # the one that sends a time and no event
    session = _text(said, "sessionid", "threadid", "conversationid")
    source = _text(said, "source", "reason", "trigger").lower()
    name = session_name(session) if session else _by_place(agent, cwd)
    return HookInput(
        event,
        agent,
        name,
        _prompt(said),
        os.path.expanduser(transcript) if transcript else "",
        cwd,
        _SOURCE_NAMES.get(source, source if source in SOURCES else ""),
        named,
        bool(name) and not session,
    )


def session_name(session: str) -> str:
    """The session's id as conversations are stored under it; a strange one is replaced by its digest."""
    if SESSION_ID.fullmatch(session):
        return session
    from memex_core.harness.talk import file_name

    return file_name(session)


def _by_place(agent: str, cwd: str) -> str:
    """An agent that names no session has one at a time in a folder."""
    if not (agent and cwd):
        return ""
    from memex_core.files.atomic import digest

    return f"{agent}-{digest(cwd.encode('utf-8', 'surrogatepass'))[:12]}"


def _agent(given: str, named: str, kind: str, transcript: str) -> str:
    name = given.strip().lower()
    if name:
        name = _AGENT_NAMES.get(name, name)
        return name if SESSION_ID.fullmatch(name) else ""
    if named in _OF_GEMINI:
        return "gemini"
    if kind.startswith("agent-turn"):
        return "codex"
    for part in transcript.replace("\\", "/").split("/"):
        if part in _BY_PLACE:
            return _BY_PLACE[part]
    return ""


def _prompt(said: Mapping[str, Any]) -> str:
    for key in ("prompt", "userprompt", "initialprompt", "query", "inputmessages"):
        value = said.get(key)
        if isinstance(value, list):
            value = "\n".join(one for one in map(_block, value) if one)
        if isinstance(value, str) and value:
            return value
    return ""


def _block(value: Any) -> str:
    """One message or content block of a prompt."""
    if isinstance(value, dict):
        value = value.get("text") or value.get("content")
    return value if isinstance(value, str) else ""


def _text(said: Mapping[str, Any], *keys: str) -> str:
    for key in keys:
        value = said.get(key)
        if isinstance(value, str) and value:
            return value.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
    return ""


def _plain(key: str) -> str:
    """``session_id``, ``session-id`` and ``sessionId`` are one key."""
    return key.replace("_", "").replace("-", "").lower()
