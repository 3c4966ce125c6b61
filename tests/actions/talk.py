"""One invented conversation that pages can cite."""

from __future__ import annotations

from typing import Any

SESSION = "sess-abc"


def turn(role: str, content: str, minute: int, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "ts": f"2026-03-04T10:{minute:02}:00Z", **more}


TURNS = [
    turn("user", "Please use ruff,\nnever flake8.", 0),
    turn("agent", "I will use ruff from now on.", 1),
    turn("tool", "", 2, tool_name="Bash", query="ruff --version", result="ruff 0.9.2"),
    turn("tool", "", 3, tool_name="WebFetch", query="https://example.org", result="flake8 is fine"),
    turn("tool", "", 4, tool_name="memex_recall", query="linter", result="Use black."),
    turn("user", "And black? No, ruff formats too.", 5),
]
