"""What a hook has done in a process of its own: capturing its session, and telling the other devices. Agents
wait for seconds only, and some end their hooks' processes when they end themselves."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from memex_core.files import session_state
from memex_core.files.opening import regular

if TYPE_CHECKING:
    import subprocess

    from memex_core.actions.store import Store
    from memex_core.harness.hook_input import HookInput

_PATIENCE = 3.0  # seconds that a compaction is held up for the capture before it
_LONGEST = 600.0  # seconds that ``wait`` waits


def capture_later(store: Store, call: HookInput, result: dict[str, Any], *, wait: bool) -> None:
    """Start ``memex capture`` for the call's session file, and at a session's end tell the other devices;
    ``result`` says what became of the capture."""
    words = _to_capture(store, call, result)
    commands = [words] if words else []
    if call.event == "session-end" and syncs(store):
        commands.append(["sync", "export", "--background"])
    if not commands:
        return
    child = detached(store, *commands)
    if words:
        result["outcome"] = "capturing"
    if wait or (words and call.event == "pre-compact"):
        _wait(child, _LONGEST if wait else _PATIENCE)
        if words:
            result["outcome"] = "captured" if child.returncode == 0 else "capturing"
        result["failed"] = bool(child.returncode)


def import_later(store: Store, *, wait: bool) -> None:
    """Take in what the other devices told; the session's next prompt finds it."""
    if syncs(store):
        child = detached(store, ["sync", "import", "--background"])
        if wait:
            _wait(child, _LONGEST)


def syncs(store: Store) -> bool:
    """Whether sync may be on. Its state is one large file that begins with where the devices meet."""
    try:
        with open(os.path.join(store.layout.sync, "state.json"), "rb", opener=regular) as file:
            return b'\n"target": ""' not in file.read(4096)
    except OSError:
        return False


def _to_capture(store: Store, call: HookInput, result: dict[str, Any]) -> list[str]:
    """The command that captures the session; empty where it is not to be, as ``result`` then says."""
    capture = store.config.capture
    if not capture.auto:
        result["outcome"] = "[capture] auto is off"
        return []
    if capture.agents and call.agent and call.agent not in capture.agents:
        result["outcome"] = f"{call.agent} is not in [capture] agents"
        return []
    if session_state.load(store.layout, call.session_id).excluded and not _is_kept(store, call):
        result["outcome"] = "the user said DO NOT INDEX"
        return []
    path = call.transcript or _found(call)
    if not path or not os.path.isfile(path):
        result["outcome"] = "no session file"
        if path:
            result["notices"].append("the session file that the agent names is not there")
        return []
    return _words(store, call, os.path.abspath(path))


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


def detached(store: Store, *commands: list[str]) -> subprocess.Popen[bytes]:
    """``memex`` with the words of each command in turn, alive when this process and its agent are gone."""
    import json
    import subprocess

    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP}
    lines = [["--root", store.layout.root, "--quiet", *words] for words in commands]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "memex_core.cli.behind", json.dumps(lines)],
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
