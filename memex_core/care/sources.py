"""Whether what pages cite is there: the turn, and the words in it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memex_core.files import transcripts
from memex_core.files.standing import doubt
from memex_core.files.turns import text_of
from memex_core.model.evidence import find_quote, parse_resource

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.model.page import Page, Source


class CitedTurns:
    """The sources of the pages read so far, each session's together: each transcript is read once."""

    def __init__(self) -> None:
        self._cited: dict[str, list[tuple[str, int, Source, int]]] = defaultdict(list)
        self.disputed: list[dict[str, Any]] = []

    def add(self, page: Page, data: bytes) -> None:
        """Note the turns that ``page``, whose file holds ``data``, cites."""
        for source in page.sources:
            if source.disputed is not None:
                self.disputed.append(
                    {"file": page.path, "line": _line(data, source), "column": 0, "message": doubt(source)}
                )
            named = parse_resource(source.resource)
            if named is not None:
                self._cited[named[0]].append((page.path, _line(data, source), source, named[1]))

    def amiss(self, layout: Layout) -> list[dict[str, Any]]:
        """``{file, line, column, message}`` for each turn that is not stored or does not say the quote."""
        found = []
        for session, cited in self._cited.items():
            wanted = {turn for *_, turn in cited if turn}
            last = max(wanted, default=0)
            said = {
                turn["turn"]: text_of(turn)
                for turn in transcripts.iter_turns(layout, session, min(wanted, default=1), last)
                if turn["turn"] in wanted
            }
            stored = transcripts.exists(layout, session)
            for path, line, source, turn in cited:
                message = ""
                if not stored:
                    message = f"session {session} is not stored"
                elif turn and turn not in said:
                    message = f"session {session} has no turn {turn}"
                elif turn and source.quote and not find_quote(source.quote, said[turn]):
                    message = f"turn {turn} of {session} does not say “{source.quote[:60]}”"
                if message:
                    found.append({"file": path, "line": line, "column": 0, "message": message})
        return sorted(found, key=lambda one: (one["file"], one["line"]))


def _line(data: bytes, source: Source) -> int:
    """The line of the file in which the source is named; 0 when it is spelt otherwise there."""
    at = data.find(source.resource.encode()) if source.resource else -1
    return data.count(b"\n", 0, at) + 1 if at >= 0 else 0
