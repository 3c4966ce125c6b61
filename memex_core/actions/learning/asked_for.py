"""What of a consolidation its caller narrows: which conversations are read, and whether notes have links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memex_core.actions import terms
from memex_core.files import transcripts
from memex_core.learn.answer import Note
from memex_core.model.errors import BadInput, NotFound

if TYPE_CHECKING:
    from memex_core.actions.store import Store

_LINK = re.compile(r"\[\[([^\[\]|#^]*)[^\[\]|]*(?:\|([^\[\]]*))?\]\]")


def sessions_of(store: Store, asked: Any) -> frozenset[str] | None:
    """The conversations named by their ids or by their episode pages; None where none is named.

    Raises BadInput for what names none, NotFound for one that is not stored.
    """
    if asked is None:
        return None
    names = [asked] if isinstance(asked, str) else terms.as_list(asked, "session")
    if not names:
        raise BadInput("no session is named", hint="`memex sessions` lists them")
    return frozenset(_session(store, name) for name in names)


def _session(store: Store, name: str) -> str:
    try:
        if transcripts.exists(store.layout, transcripts.check_session_id(name)):
            return name
    except BadInput:
        pass  # the path of an episode page is no session id
    try:
        session = store.find(name).session_id
    except NotFound:
        session = ""
    if session and transcripts.exists(store.layout, session):
        return str(session)
    transcripts.check_session_id(name)
    raise NotFound(f"no session {name!r}", hint="`memex sessions` lists them")


def unlinked(note: Note) -> Note:
    """The note without links: of those in its text the words stay."""
    body = _LINK.sub(lambda link: (link[2] or link[1]).strip(), note.body)
    return note._replace(body=body, links=[])
