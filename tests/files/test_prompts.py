"""What people typed, newest first, without what hosts put around it."""

from __future__ import annotations

from typing import Any

from memex_core.files.prompts import newest_prompts


def test_the_newest_prompts_come_first(memex: Any) -> None:
    def said(role: str, content: str, minute: int, **more: Any) -> dict[str, Any]:
        return {"role": role, "content": content, "ts": f"2026-11-02T10:{minute:02}:00Z", **more}

    memex.ingest_transcript(
        "b", turns=[said("user", "one", 1), said("agent", "two", 2), said("user", "three", 3)]
    )
    memex.ingest_transcript(
        "a",
        turns=[
            said("user", "<system-reminder>x</system-reminder> four", 4),
            said("user", "five", 5, sidechain=True),
            said("user", "six", 6, trust="recall"),
            said("tool", "seven", 7),
        ],
        project="/w/shop",
    )
    layout = memex.store.layout
    assert [(one.session, one.turn, one.text) for one in newest_prompts(layout, 9)] == [
        ("a", 1, "four"),
        ("b", 3, "three"),
        ("b", 1, "one"),
    ]
    assert [one.text for one in newest_prompts(layout, 2)] == ["four", "three"]
    assert [one.text for one in newest_prompts(layout, 9, project="shop")] == ["four"]
    assert [one.text for one in newest_prompts(layout, 9, project="/w/shop")] == ["four"]
    assert list(newest_prompts(layout, 9, project="none")) == []
    assert next(newest_prompts(layout, 1)).ts == "2026-11-02T10:04:00Z"
