"""What this store keeps of all that was purged in it: no word, only by what it is known again when an older
backup or export brings it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memex_core.care.sync import record
from memex_core.care.sync.observe import ident_of, purged_digests
from memex_core.files.atomic import digest
from memex_core.files.exclusion import excluded_sessions
from memex_core.files.journal import Journal
from memex_core.model.errors import Damaged

if TYPE_CHECKING:
    from memex_core.files.layout import Layout


class Tombstones(NamedTuple):
    """``digests`` of files, ``ids`` of pages, ``sessions``: all of it is not to come back."""

    digests: frozenset[str]
    ids: frozenset[str]
    sessions: frozenset[str]

    def page(self, data: bytes) -> bool:
        """Whether a page's file is of one that was purged, in that text or in another."""
        return digest(data) in self.digests or bool(self.ids and ident_of(data) in self.ids)

    def transcript(self, name: str) -> bool:
        """Whether ``transcripts/ID.jsonl``, or its ``.meta.json``, is of a session that was purged."""
        head, _, file = name.partition("/")
        return (
            head == "transcripts" and file.removesuffix(".jsonl").removesuffix(".meta.json") in self.sessions
        )


def of(layout: Layout) -> Tombstones:
    """All that was purged here, or on a device that told this one. Reads the journal."""
    acts = Journal(layout).read(holding=(b'"purge"',))
    ids = {event["detail"].get("ident") for event in acts if event["action"] == "purge"}
    try:
        pages = record.load(layout).pages
    except Damaged:  # a restore may be what mends it
        pages = {}
    ids |= {key[3:] for key, one in pages.items() if one.life == record.PURGED and key.startswith("id:")}
    return Tombstones(
        frozenset(purged_digests(layout)),
        frozenset(one for one in ids if isinstance(one, str) and one),
        frozenset(excluded_sessions(layout)),
    )
