"""What proves a page: a turn of a session, and the exact words found there."""

from __future__ import annotations

import re
import unicodedata

LANES = ("evidence", "context")
"""``evidence`` proves the page; ``context`` was needed to read the evidence and proves nothing."""

SESSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
"""What a session may be called (matched in full): safe as a file name everywhere."""

_RESOURCE = re.compile(rf"memex:({SESSION_ID.pattern})(?:#([0-9]{{1,9}}))?")
_REFERENCE = re.compile(rf"(?:memex:)?({SESSION_ID.pattern})(?:#([0-9]{{1,9}}))?(?::(evidence|context))?")


def parse_resource(text: str) -> tuple[str, int] | None:
    """Session and turn of ``memex:sess-abc#12``; turn 0 is the whole session. None for anything else."""
    found = _RESOURCE.fullmatch(text.strip())
    if found is None:
        return None
    session, turn = found.groups()
    return None if turn is not None and int(turn) == 0 else (session, int(turn or 0))


def resource(session: str, turn: int = 0) -> str:
    """The ``resource`` of a turn (counted from 1), or with 0 of a whole session."""
    return f"memex:{session}#{turn}" if turn else f"memex:{session}"


def parse_reference(text: str) -> tuple[str, int, str] | None:
    """What people type: ``SESSION#TURN`` with ``:context`` or ``:evidence`` (the default) behind it,
    ``memex:`` before it or not. Session, turn and lane; None when it is nothing of the kind."""
    found = _REFERENCE.fullmatch(text.strip())
    if found is None:
        return None
    session, turn, lane = found.groups()
    return None if turn is not None and int(turn) == 0 else (session, int(turn or 0), lane or LANES[0])


def find_quote(quote: str, text: str) -> bool:
    """Whether these exact words stand in ``text``: blanks and line ends count as one space, and
    Unicode composition does not matter; letters, case and punctuation do. Words are whole: "use it"
    is not found in "refuse it". Nothing is no quote."""
    words, said = _plain(quote), _plain(text)
    at = said.find(words) if words else -1
    while at >= 0:
        end = at + len(words)
        if not _in_a_word(said, at) and not _in_a_word(said, end):
            return True
        at = said.find(words, at + 1)
    return False


def _in_a_word(text: str, at: int) -> bool:
    """Whether a word goes on over this place. Thai and what is written east of it has no blanks."""
    return 0 < at < len(text) and all(char.isalnum() and char < "\u0e00" for char in text[at - 1 : at + 1])


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
