"""Citing turns of conversations: what a page names as its sources must be there, and prove it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memex_core.actions import terms
from memex_core.model.errors import BadInput, Refused
from memex_core.model.evidence import LANES, parse_reference, parse_resource, resource
from memex_core.model.trust import PROVING

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.page import Value

_URL = re.compile(r"([a-z][a-z0-9+.-]*://\S+?)(?::(evidence|context))?", re.IGNORECASE)
_SAID_BY = {
    "agent": "an agent, which proves nothing",
    "recall": "memex itself, and a memory is no proof of itself",
    "external-tool": "a tool that reads elsewhere, which proves nothing here",
}


def cited(
    store: Store, value: Any, quotes: Any = None, present: Iterable[Value] = (), *, scrub: Scrubber
) -> list[Value]:
    """``sources`` entries made of ``SESSION#TURN[:context]`` texts, URLs, or maps with those keys.

    The quote at the same place in ``quotes`` belongs to a source; it must stand in that turn, else
    Refused. Evidence must be what a person said or a local tool showed. ``present`` are the page's
    sources so far: labels go on from theirs.
    """
    items = _items(value)
    if quotes is not None and not isinstance(quotes, str | list | tuple):
        raise BadInput("quotes must be a list of texts", hint=f"not {type(quotes).__name__}")
    words = [quotes] if isinstance(quotes, str) else list(quotes or [])
    if len(words) > len(items):
        raise BadInput(
            f"{len(words)} quotes for {len(items)} sources", hint="give each --quote after its --source"
        )
    taken = {str(one.get("id")) for one in present if isinstance(one, dict)}
    out: list[Value] = []
    for place, item in enumerate(items):
        entry = dict(item) if isinstance(item, Mapping) else _read(item)
        quote = str(words[place] if place < len(words) else entry.get("quote") or "").strip()
        made = _checked(store, scrub.value(entry), scrub.text(quote))
        label = str(entry.get("id") or "") or next(f"s{n}" for n in range(1, 10_000) if f"s{n}" not in taken)
        if label in taken:
            raise BadInput(f"the page has a source {label!r} already", hint="give another id")
        taken.add(label)
        out.append({"id": label, **made})
    return out


def _items(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [value]
    if isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        return list(value)
    return list(terms.as_list(value, "sources"))


def _read(text: str) -> dict[str, Any]:
    found = parse_reference(text)
    if found is not None and found[1]:
        return {"session": found[0], "turn": found[1], "lane": found[2]}
    url = _URL.fullmatch(text.strip())
    if url is not None:
        return {"resource": url[1], "lane": url[2] or LANES[0]}
    raise BadInput(f"{text!r} is no source", hint="write SESSION#TURN or SESSION#TURN:context")


def _checked(store: Store, entry: Mapping[str, Any], quote: str) -> dict[str, Value]:
    lane = str(entry.get("lane") or LANES[0])
    if lane not in LANES:
        raise BadInput(f"{lane!r} is no lane", hint=" or ".join(LANES))
    named = parse_resource(str(entry.get("resource") or ""))
    session, turn = named or (str(entry.get("session") or ""), _number(entry.get("turn")))
    if not session:
        return _plain(entry, lane, quote)
    if turn:
        _prove(store, session, turn, lane, quote)
    elif lane == LANES[0] or quote:
        raise BadInput(f"session {session} alone proves nothing", hint=f"name the turn: {session}#12")
    made: dict[str, Value] = {
        "resource": resource(session, turn),
        "title": str(entry.get("title") or "") or (f"{session}, turn {turn}" if turn else session),
        "lane": lane,
    }
    return {**made, "quote": quote} if quote else made


def _plain(entry: Mapping[str, Any], lane: str, quote: str) -> dict[str, Value]:
    """A source that is no turn: a URL or a path. Its words cannot be checked here."""
    where = str(entry.get("resource") or "").strip()
    if not where:
        raise BadInput("a source names no turn and no resource", hint="give session and turn, or resource")
    title = str(entry.get("title") or "")
    return {
        "resource": where,
        **({"title": title} if title else {}),
        "lane": lane,
        **({"quote": quote} if quote else {}),
    }


def _number(value: Any) -> int:
    try:
        return int(value or 0)
    except (TypeError, ValueError):
        raise BadInput(f"turn {value!r} is no number", hint="turns count from 1") from None


def _prove(store: Store, session: str, number: int, lane: str, quote: str) -> None:
    from memex_core.files import transcripts
    from memex_core.files.turns import says

    turns = transcripts.read_turns(store.layout, session, number, number)
    if not turns or turns[0]["turn"] != number:
        if not transcripts.exists(store.layout, session):
            raise Refused(f"session {session} is not stored", hint="`memex sessions` lists those that are")
        raise Refused(
            f"session {session} has no turn {number}", hint=f"`memex session {session}` shows the turns"
        )
    turn = turns[0]
    if lane == LANES[0] and turn.get("trust", "human") not in PROVING:
        said_by = _SAID_BY.get(str(turn["trust"]), str(turn["trust"]))
        raise Refused(
            f"turn {number} of {session} is from {said_by}", hint=f"cite it as {session}#{number}:context"
        )
    if quote and not says(turn, quote, lane):
        other = next(
            (one["turn"] for one in transcripts.iter_turns(store.layout, session) if says(one, quote, lane)),
            0,
        )
        raise Refused(
            f"turn {number} of {session} does not say {_short(quote)}",
            hint=f"turn {other} does" if other else f"`memex session {session} --turns {number}` shows it",
        )


def _short(quote: str) -> str:
    text = " ".join(quote.split())
    return repr(text if len(text) <= 60 else text[:59] + "…")
