"""Capturing the session that a hook was called in, in a process of its own: agents wait for seconds only,
and some end their hooks' processes when they end themselves."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from memex_core.files import session_state

if TYPE_CHECKING:
    import subprocess

    from memex_core.actions.store import Store
    from memex_core.harness.hook_input import HookInput

_PATIENCE = 3.0  # seconds that a compaction is held up for the capture before it
_LONGEST = 600.0  # seconds that ``wait`` waits


def capture_later(store: Store, call: HookInput, result: dict[str, Any], *, wait: bool) -> None:
    """Start ``memex capture`` for the call's session file; ``result`` says what became of it."""
    capture = store.config.capture
    if not capture.auto:
        result["outcome"] = "[capture] auto is off"
        return
    if capture.agents and call.agent and call.agent not in capture.agents:
        result["outcome"] = f"{call.agent} is not in [capture] agents"
        return
    if session_state.load(store.layout, call.session_id).excluded and not _is_kept(store, call):
        result["outcome"] = "the user said DO NOT INDEX"
        return
    path = call.transcript or _found(call)
    if not path or not os.path.isfile(path):
        result["outcome"] = "no session file"
        if path:
            result["notices"].append("the session file that the agent names is not there")
        return
    child = detached(store, _words(store, call, os.path.abspath(path)))
    result["outcome"] = "capturing"
    if wait or call.event == "pre-compact":
        _wait(child, _LONGEST if wait else _PATIENCE)
        result["outcome"] = "captured" if child.returncode == 0 else "capturing"


def _words(store: Store, call: HookInput, path: str) -> list[str]:
    """The command that captures the file, and at a session's end learns from it too, where that is on."""
    if call.event == "session-end" and store.config.consolidation.auto:
        return ["consolidate", "--background", "--capture", path]
    return ["capture", "--", path]


def _is_kept(store: Store, call: HookInput) -> bool:
    """Whether an earlier capture has kept the session: then the next one removes it."""
    from memex_core.files import transcripts

    return bool(call.session_id) and transcripts.exists(store.layout, call.session_id)


def _found(call: HookInput) -> str:
    """The session's file where its agent keeps such, for those that tell the session's id alone."""
    if not call.session_id:
        return ""
    from memex_core.harness import places

    agents = (call.agent,) if call.agent in places.AGENTS else ()
    named = (one.path for one in places.at_home(os.environ, agents))
    return max((path for path in named if call.session_id in os.path.basename(path)), default="")


def detached(store: Store, words: list[str]) -> subprocess.Popen[bytes]:
    """``memex`` with these words on this store, alive when this process and its agent are gone."""
    import subprocess

    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "memex_core.cli", "--root", store.layout.root, "--quiet", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **apart,
    )


def _wait(child: subprocess.Popen[bytes], seconds: float) -> None:
    import subprocess

    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        pass  # it goes on by itself
