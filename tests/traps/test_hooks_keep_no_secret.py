"""A secret that somebody pastes into a prompt reaches no file by way of a hook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memex_core.files.session_state import load
from tests.traps.test_no_secret_in_the_store import LINES, WHOLE, hidden


def test_prompts(memex: Any, root: Path) -> None:
    memex.write(type="procedure", title="Deploy the ferry", body="Pull, migrate, restart the server.")
    shown = []
    for number, line in enumerate([*LINES, WHOLE]):
        said = f"How do we deploy the ferry with {line}?"
        shown.append(str(memex.hook("prompt", {"session_id": f"s{number}", "prompt": said})))
    hidden(root, *shown)
    topics = [set(load(memex.store.layout, f"s{number}").topic) for number in range(len(shown))]
    assert all(topic <= {"deploy", "ferry", "server", "restart", "pull", "migrate"} for topic in topics)
    assert sum({"deploy", "ferry"} <= topic for topic in topics) > len(topics) / 2
