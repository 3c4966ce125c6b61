"""A stored conversation made ready for ``TranscriptView``: what is known of it, and its turns by range.

Called in a lane of the gateway, never on the loop.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memex_core.files import session_meta, transcripts
from memex_core.files.session_meta import Tally
from memex_core.memex import Memex
from memex_tui.render.transcript import Turn, turn_of


class Conversation(NamedTuple):
    """A stored conversation. ``numbers`` are those of its turns."""

    session: str
    title: str
    agent: str
    started: str
    numbers: Sequence[int]


def open_session(memex: Memex, session: str) -> Conversation:
    """What is known of a stored conversation, without reading its turns. Raises NotFound."""
    head = memex.session(session, turns="1-1")
    return Conversation(
        session,
        head["title"],
        head["agent"] or "",
        head["started_at"] or "",
        _numbers(memex, session, head["turn_count"]),
    )


def _numbers(memex: Memex, session: str, count: int) -> Sequence[int]:
    """The turns' numbers; a conversation whose numbers have gaps is read through for them."""
    layout = memex.store.layout
    size = os.path.getsize(transcripts.file_of(layout, session))
    noted = Tally.resumed(session_meta.read(transcripts.meta_of(layout, session)), size)
    if noted is not None and noted.turn == count:
        return range(1, count + 1)
    return [turn["turn"] for turn in transcripts.iter_turns(layout, session)]


def turns(memex: Memex, session: str, first: int, last: int) -> list[Turn]:
    """The turns numbered ``first`` to ``last``."""
    return [turn_of(record) for record in memex.session(session, turns=f"{first}-{last}")["turns"]]


def next_cited(numbers: Iterable[int], here: int, step: int) -> int:
    """The next (or with ``step`` -1 the previous) turn that is cited; 0 when there is none."""
    ahead = [number for number in numbers if (number > here if step > 0 else number < here)]
    return (min(ahead) if step > 0 else max(ahead)) if ahead else 0
