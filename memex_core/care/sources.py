"""Whether what pages cite is there: the turn, the words in it, and the source that a footnote mark names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memex_core.files import transcripts
from memex_core.files.standing import doubt
from memex_core.files.turns import says
from memex_core.model.evidence import parse_resource

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.model.page import Source


_LABEL = re.compile(r"s\d{1,4}")
"""The labels that memex gives: a mark of one is meant for a source, even where the page has none any more."""


class CitedTurns:
    """The sources of the pages read so far, each session's together: each transcript is read once."""

    def __init__(self) -> None:
        self._cited: dict[str, list[tuple[str, int, Source, int]]] = defaultdict(list)
        self.disputed: list[dict[str, Any]] = []
        self._marks: list[dict[str, Any]] = []

    def add(self, path: str, sources: Iterable[Source], data: bytes) -> None:
        """Note the turns that the page at ``path``, whose file holds ``data``, cites."""
        sources = tuple(sources)
        if b"[^" in data:
            self._marks += _loose_marks(path, {source.id for source in sources}, data)
        for source in sources:
            if source.disputed is not None:
                self.disputed.append(
                    {"file": path, "line": _line(data, source), "column": 0, "message": doubt(source)}
                )
            named = parse_resource(source.resource)
            if named is not None:
                self._cited[named[0]].append((path, _line(data, source), source, named[1]))

    def amiss(self, layout: Layout) -> list[dict[str, Any]]:
        """``{file, line, column, message}`` for each turn that is not stored or does not say the quote, and
        each footnote mark that leads to no source."""
        found = [*self._marks]
        for session, cited in self._cited.items():
            wanted = {turn for *_, turn in cited if turn}
            last = max(wanted, default=0)
            said = {
                turn["turn"]: turn
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
                elif turn and source.quote and not says(said[turn], source.quote, source.lane):
                    message = f"turn {turn} of {session} does not say “{source.quote[:60]}”"
                if message:
                    found.append({"file": path, "line": line, "column": 0, "message": message})
        return sorted(found, key=lambda one: (one["file"], one["line"]))


def _loose_marks(path: str, known: set[str], data: bytes) -> list[dict[str, Any]]:
    """The footnote marks that lead to nothing. In a page without sources others than memex's are not judged:
    ``[^a-z]`` may be meant as it stands."""
    from memex_core.files import frontmatter
    from memex_core.model.footnotes import defined, statements
    from memex_core.model.mask import mask

    front = frontmatter.read(data)
    masked = mask(front.body)
    own = known | defined(front.body, masked)
    return [
        {
            "file": path,
            "line": one.line,
            "column": 0,
            "message": f"[^{one.id}] leads to no source: name one, or take the mark out",
        }
        for one in statements(front.body, front.body_line, masked)
        if one.id not in own and (known or _LABEL.fullmatch(one.id))
    ]


def _line(data: bytes, source: Source) -> int:
    """The line of the file in which the source is named; 0 when it is spelt otherwise there."""
    at = data.find(source.resource.encode()) if source.resource else -1
    return data.count(b"\n", 0, at) + 1 if at >= 0 else 0
