"""Where a page comes from: its turns, the words in them, and the conversations around it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memex_core.actions.pages.write import page_slug
from memex_core.care.cleared import cleared_at, is_stored
from memex_core.files import transcripts
from memex_core.files.session_meta import abandoned
from memex_core.files.turns import says, text_of
from memex_core.model.evidence import parse_resource
from memex_core.model.footnotes import defined, statements
from memex_core.model.trust import PROVING

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.page import Page, Source
    from memex_core.model.results import Provenance


def trace(store: Store, slug: str, *, scope: str | None = None, project: str | None = None) -> Provenance:
    """The page's evidence and context, each a turn with its quote and whether the quote is found there.

    ``confidence`` is ``direct`` when a turn that can prove says what the page cites as evidence (or the page
    is a conversation's own), ``inferred`` when it names a conversation otherwise or an episode is linked with
    it, else ``none``. ``statements`` says which sentence rests on which source. ``missing_transcripts`` are
    named and not stored, maybe since ``transcripts_cleared``, when all were removed.
    """
    row = store.find(slug, scope=scope, project=project, loose=True)
    page = store.page(row.path)
    lanes: dict[str, list[dict[str, Any]]] = {"evidence": [], "context": []}
    known: dict[str, dict[str, Any]] = {}
    refs = [page.transcript_ref] if page.transcript_ref else []
    for source in page.sources:
        entry = looked_up(store, source)
        lanes["context" if source.lane == "context" else "evidence"].append(entry)
        known.setdefault(source.id, {**entry, "lane": source.lane})
        if entry["session"]:
            refs.append(f"transcripts/{entry['session']}.jsonl")
    episodes = linked_episodes(store, page)
    proved = is_stored(store.layout, page.transcript_ref) or any(map(_proves, lanes["evidence"]))
    named = any(one["session"] and one["found"] for one in (*lanes["evidence"], *lanes["context"]))
    linked = [ref for path in episodes if (ref := store.page(path).transcript_ref)]
    confidence = "direct" if proved else "inferred" if named or linked else "none"
    refs = refs or linked
    files = [os.path.join(store.layout.transcripts, os.path.basename(ref)) for ref in dict.fromkeys(refs)]
    missing = [os.path.basename(name).removesuffix(".jsonl") for name in files if not os.path.exists(name)]
    return {
        "slug": row.slug,
        "direct_transcript_ref": page.transcript_ref or None,
        "evidence": lanes["evidence"],
        "context": lanes["context"],
        "statements": _statements(page, known),
        "linked_episodes": [page_slug(path) for path in episodes],
        "transcript_files": [name for name in files if os.path.exists(name)],
        "meta_files": [m for n in files if os.path.exists(m := n.removesuffix(".jsonl") + ".meta.json")],
        "missing_transcripts": missing,
        "transcripts_cleared": (cleared_at(store.layout) or None) if missing else None,
        "confidence": confidence,
    }


def get_provenance(store: Store, slug: str) -> Provenance | None:
    """:func:`trace`, or None when no conversation is known."""
    report = trace(store, slug)
    known = report["transcript_files"] or report["confidence"] != "none"
    return report if known else None


def _proves(entry: dict[str, Any]) -> bool:
    """Whether a source in the evidence lane is a turn that says so, of somebody who may prove."""
    return bool(entry["turn"] and entry["found"]) and (entry["trust"] or "human") in PROVING


def looked_up(store: Store, source: Source) -> dict[str, Any]:
    """A source with the turn it names. ``found``: whether the turn is there and says the quote; None
    for a source that is no turn, which cannot be looked up. ``abandoned``: the turn was taken back.
    ``disputed``: who doubts the source, when and why."""
    cited = parse_resource(source.resource)
    entry: dict[str, Any] = {
        "id": source.id,
        "resource": source.resource,
        "title": source.title,
        "session": None,
        "turn": None,
        "quote": source.quote,
        "role": None,
        "ts": None,
        "trust": None,
        "text": None,
        "found": None,
        "abandoned": False,
        "disputed": source.disputed,
    }
    if cited is None:
        return entry
    session, number = cited
    entry.update(session=session, turn=number or None, found=transcripts.exists(store.layout, session))
    if number:
        turns = transcripts.read_turns(store.layout, session, number, number)
        turn = turns[0] if turns and turns[0]["turn"] == number else None
        entry["found"] = turn is not None and (not source.quote or says(turn, source.quote, source.lane))
        if turn is not None:
            entry.update({key: turn.get(key) for key in ("role", "ts", "trust")}, text=text_of(turn))
            entry["abandoned"] = abandoned(transcripts.read_meta(store.layout, session))(number)
    elif source.quote and entry["found"]:
        entry["found"] = any(
            says(turn, source.quote, source.lane) for turn in transcripts.iter_turns(store.layout, session)
        )
    return entry


def _statements(page: Page, known: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Each footnoted sentence with its source; a footnote with a text of its own is no source."""
    own = defined(page.body) - set(known)
    rows = []
    for one in statements(page.body, page.body_line):
        if one.id in own:
            continue
        source = known.get(one.id, {})
        row: dict[str, Any] = {"id": one.id, "line": one.line, "text": one.text}
        row.update({key: source.get(key) for key in ("session", "turn", "lane", "quote", "resource")})
        rows.append({**row, "found": source.get("found", False)})
    return rows


def linked_episodes(store: Store, page: Page) -> list[str]:
    """Paths of the episode pages that link to the page or that it links to."""
    near = [link.source for link in store.index.links_to(page.path)]
    near += [link.dst for link in store.index.links_from(page.path) if link.dst]
    if page.session_id:
        near += [row.path for row in store.index.rows(session_id=page.session_id, type="episode")[0]]
    found = []
    for path in dict.fromkeys(near):
        row = store.index.row(path)
        if row is not None and row.type == "episode" and path != page.path:
            found.append(path)
    return found
