"""What a conversation left in pages, and what of it goes when the conversation is to leave no trace.

A page that a program or a model drew from it goes whole: nobody can tell which of its words came from where.
It stays where something else proves it too, and where a person reviewed or changed it, unless it repeats
what is to be forgotten. What a person wrote always stays. A page that stays loses the sources that name the
conversation, with their quotes and the footnote marks that lead to them, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from memex_core.actions.conversations import replaced
from memex_core.actions.history.history import events_of
from memex_core.files import surgeon, transcripts
from memex_core.files.commit import Edit
from memex_core.files.journal import bytes_before
from memex_core.files.turns import quotable_text
from memex_core.files.values import as_actors, text_of
from memex_core.model.actor import is_person
from memex_core.model.errors import MemexError, Refused
from memex_core.model.evidence import LANES, find_quote, parse_resource
from memex_core.model.footnotes import without_marks
from memex_core.model.trust import PROVING

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.page import Page, Source, Value
    from memex_core.model.results import Event


class Drawn(NamedTuple):
    """``goes``: paths of pages that go. ``edits`` take the sources out of those that stay; ``stuck`` are
    paths of pages that stay as they are, since their front matter cannot be changed. ``events`` of the
    journal hold texts that name the conversation, or repeat it, of pages that stay or are gone already:
    ``gone`` are the names of these."""

    goes: list[str]
    edits: list[Edit]
    stuck: list[str]
    events: list[Event]
    gone: list[str]

    @property
    def stays(self) -> list[str]:
        return sorted([*(edit.path for edit in self.edits), *self.stuck])


def drawn_from(store: Store, sessions: Iterable[str], but: Iterable[str] = ()) -> Drawn:
    """What pages, ``but`` the named ones, hold of these conversations."""
    reader = _Reader(store, frozenset(sessions))
    found = Drawn([], [], [], [], [])
    spared = set(but)
    for path in store.index.paths():
        if path in spared:
            continue
        try:
            data = store.read_bytes(path)
        except MemexError:
            continue
        if not reader.names(data):
            continue
        page = store.page(path, data)
        if not reader.cited(page):
            continue
        if reader.goes(page):
            found.goes.append(path)
            continue
        try:
            found.edits.append(Edit(path, data, reader.without(page, data)))
        except Refused:
            found.stuck.append(path)
        found.events.extend(event for event in events_of(store, path) if reader.repeats(event))
    _of_pages_gone(store, reader, found)
    return found


def _of_pages_gone(store: Store, reader: _Reader, found: Drawn) -> None:
    """The journal's copies of pages that are gone by now: episodes, and all that name the conversation."""
    files = {replaced.file_name(session) for session in reader.sessions}
    for event in store.journal.read():
        data = bytes_before(event)
        if data and event["file"] in files:
            found.events.append(event)
            continue
        if not data or not reader.names(data) or store.index.row(event["file"]) is not None:
            continue
        page = store.page(event["file"], data)
        episode = page.type == "episode" and page.session_id in reader.sessions
        if episode or reader.cited(page):
            found.events.append(event)
            if not episode and event["file"] not in found.gone:
                found.gone.append(event["file"])


class _Reader:
    """Reads pages for what they hold of the conversations."""

    def __init__(self, store: Store, sessions: frozenset[str]) -> None:
        self.store = store
        self.sessions = sessions
        self._names = [session.encode() for session in sessions]
        self._quotes: set[str] = set()

    def names(self, data: bytes) -> bool:
        return any(name in data for name in self._names)

    def cited(self, page: Page) -> list[Source]:
        """The page's sources that name one of the conversations."""
        found = [one for one in page.sources if self._is_ours(one.resource)]
        self._quotes.update(one.quote for one in found if one.quote)
        return found

    def _is_ours(self, resource: str) -> bool:
        return (parse_resource(resource) or ("",))[0] in self.sessions

    def goes(self, page: Page) -> bool:
        by_person = _written_by_a_person(page)
        if any(map(self._proves, page.sources)) or (by_person and not self._begun_by_a_program(page)):
            return False
        return not (by_person or _reviewed(page)) or self._copied(page)

    def _begun_by_a_program(self, page: Page) -> bool:
        """Whether the journal knows that a program wrote the page first: a person may have changed a tag."""
        first = next(iter(events_of(self.store, page.path)), None)
        return first is not None and first["action"] == "add" and not is_person(first["actor"])

    def _proves(self, source: Source) -> bool:
        """Whether the source is a turn of another conversation that proves something."""
        turn = self._turn(source)
        return (
            source.lane == LANES[0]
            and not self._is_ours(source.resource)
            and turn is not None
            and turn.get("trust", "human") in PROVING
        )

    def _turn(self, source: Source) -> dict[str, object] | None:
        session, number = parse_resource(source.resource) or ("", 0)
        turns = transcripts.read_turns(self.store.layout, session, number, number) if number else []
        return turns[0] if turns and turns[0]["turn"] == number else None

    def _copied(self, page: Page) -> bool:
        """Whether the page's own text is words of the conversation."""
        text = f"{page.title}\n{page.description}\n{page.body}"
        for source in self.cited(page):
            turn = self._turn(source)
            said = quotable_text(turn) if turn is not None else ""
            if find_quote(source.quote, text) or find_quote(page.body, said):
                return True
        return False

    def without(self, page: Page, data: bytes) -> bytes:
        """The page's file without these sources and the footnote marks of them. Raises Refused."""
        value = page.front.get("sources")
        entries = value if isinstance(value, list) else [value]
        kept: list[Value] = [entry for entry in entries if not self._is_ours(_resource_of(entry))]
        ours = {one.id for one in self.cited(page)}
        labels = ours - {one.id for one in page.sources if not self._is_ours(one.resource)}
        data = surgeon.set_keys(data, {"sources": kept or None})
        return surgeon.replace_raw_body(data, without_marks(surgeon.raw_body(data), labels))

    def repeats(self, event: Event) -> bool:
        """Whether the journal's text of a page names the conversations, or holds what was quoted of them."""
        data = bytes_before(event)
        if not data:
            return False
        text = data.decode("utf-8", "replace")
        return self.names(data) or any(find_quote(quote, text) for quote in self._quotes)


def _resource_of(entry: Value) -> str:
    if isinstance(entry, dict):
        entry = {key.lower(): value for key, value in entry.items()}.get("resource")
    return text_of(entry) if entry is not None else ""


def _written_by_a_person(page: Page) -> bool:
    """One that does not say who wrote it is taken for a person's."""
    writers = list(as_actors(page.front.get("generated")))
    return not writers or any(one.startswith("human:") for one in writers)


def _reviewed(page: Page) -> bool:
    return any(one.startswith("human:") for one in as_actors(page.front.get("verified")))
