"""Conversations that are gone while pages still name them: ``clear-transcripts`` keeps the episode pages."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memex_core.care.ordering import line_of
from memex_core.files.journal import Journal

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.index.index import Index


def cleared_at(layout: Layout) -> str:
    """When all transcripts were removed last; empty when they never were."""
    for event in Journal(layout).read(reverse=True):
        if event["action"] == "remove" and event["file"] == "transcripts":
            return str(event["ts"])
    return ""


def is_stored(layout: Layout, ref: str) -> bool:
    """Whether the transcript that a page's ``transcript_ref`` names is there."""
    return bool(ref) and os.path.isfile(os.path.join(layout.transcripts, os.path.basename(ref)))


def dangling(layout: Layout, index: Index) -> list[dict[str, Any]]:
    """``{file, line, column, message}`` of each page whose own conversation was cleared since."""
    rows = index.db.execute(
        "SELECT path, transcript_ref, coalesce(created, '') FROM page "
        "WHERE coalesce(transcript_ref, '') <> '' ORDER BY path"
    )
    gone = [row for row in rows if not is_stored(layout, row[1])]
    when = cleared_at(layout) if gone else ""
    return [
        {
            "file": path,
            "line": line_of(layout, path, "transcript_ref"),
            "column": 0,
            "message": f"its conversation was cleared on {when[:10]}",
        }
        for path, _, created in gone
        if when and created <= when
    ]
