"""What the preview shows of a hit: a page, a day of the diary, or a turn with those around it."""

from __future__ import annotations

import re
from typing import NamedTuple

from memex_core.files.turns import text_of
from memex_core.memex import Memex
from memex_tui.pages import Reading, read
from memex_tui.render.markdown.literal import literal
from memex_tui.render.markdown.model import Hooks
from memex_tui.screens.search.marking import pattern
from memex_tui.screens.search.presenter import ResultRow

AROUND = 2  # turns shown before and after the one that was found
LONGEST_TURN = 6_000  # characters of a turn that are shown


class Preview(NamedTuple):
    """A hit's text; ``line`` is the line to bring into sight, ``marks`` what to mark in it."""

    key: str
    query: str
    title: str
    text: str
    first_line: int
    line: int
    marks: re.Pattern[str] | None
    hooks: Hooks
    page: Reading | None


def preview_of(memex: Memex, row: ResultRow, path: str, query: str) -> Preview:
    """Read what a hit stands for. Called in a lane of the gateway."""
    hit = row.hit
    if hit["kind"] == "turn":
        text, line = turns_text(memex, str(hit.get("session_id", "")), int(hit.get("turn", 0)))
        return Preview(
            row.key, query, row.where, text, 1, line, pattern(query, text, hit["matched"]), Hooks(), None
        )
    if hit["kind"] == "diary":
        entries = memex.diary_show(hit["date"])["entries"]
        text = "\n\n".join(_entry(entry) for entry in entries)
        title = f"{row.title} · {row.where}" if row.where else row.title
        return Preview(row.key, query, title, text, 1, 0, pattern(query, text, hit["matched"]), Hooks(), None)
    page = read(memex, path)
    line = hit["line"] if query.strip() and hit["snippet_source"] == "body" else 0
    marks = pattern(query, page.body, hit["matched"])
    return Preview(row.key, query, page.title, page.body, page.first_line, line, marks, page.hooks(), page)


def turns_text(memex: Memex, session: str, turn: int) -> tuple[str, int]:
    """The turns around one as Markdown, and the line on which that one begins."""
    found = memex.session(session, turns=f"{max(turn - AROUND, 1)}-{turn + AROUND}")["turns"]
    lines: list[str] = []
    line = 0
    for one in found:
        number = int(one.get("turn") or 0)
        if number == turn:
            line = len(lines) + 1
        who = str(one.get("name") or one.get("role") or "")
        text = text_of(one)[:LONGEST_TURN]
        said = ["```", *text.splitlines(), "```"] if one.get("role") == "tool" else text.splitlines()
        lines += [f"**{number} {literal(who)}**", "", *said, ""]
    return "\n".join(lines), line


def _entry(entry: object) -> str:
    if not isinstance(entry, dict):
        return str(entry)
    time, text = str(entry.get("time") or ""), str(entry.get("text") or "")
    return f"**{time}** {text}" if time else text
