"""What a model answered when it consolidated: the notes that can be read, the ones that cannot, and why.

Fences, prose around the list, a thinking block, an object around it, commas too many and a break anywhere are
all read through (:mod:`memex_core.model.loose_json`). A list is never taken for empty because it broke off.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from memex_core.model import loose_json

TYPES = ("entity", "preference", "procedure", "summary")
GROUNDINGS = ("explicit", "verified", "inferred")
VERDICTS = ("independent", "duplicate", "evolution", "contradiction")

_OTHER_NAMES = {
    "type": ("node_type", "kind"),
    "title": ("name",),
    "body": ("content", "text"),
    "quotes": ("evidence", "sources"),
    "page": ("slug", "target", "existing"),
}
_TYPE_WORDS = {"fact": "entity", "rule": "procedure", "decision": "summary", "note": "entity"}
_LIST = re.compile(r"\[\s*\{")
_NOTE_KEYS = {"title", "name", "body", "content", "quotes", "verdict"}
_TITLE, _BODY = 200, 20_000
_MOST = 40  # notes of one stretch: more is a model that has lost its way


class Note(NamedTuple):
    """One note as the model proposes it; what it claims is still to be proved. ``quotes``: (turn, words)."""

    type: str
    title: str
    body: str
    tags: list[str]
    importance: float | None
    links: list[str]
    quotes: list[tuple[int, str]]
    grounding: str
    durable: bool
    scope: str
    verdict: str
    page: str


class Answer(NamedTuple):
    """``notes`` are whole, ``bad`` are (title, reason) of the others. ``readable`` is False for an answer in
    which no list was found; ``cut``: its list broke off."""

    notes: list[Note]
    bad: list[tuple[str, str]]
    readable: bool
    cut: bool


def read(text: str) -> Answer:
    """Never raises. Of several lists the last one with notes counts."""
    found = loose_json.read(text)
    values, cut = found.values, found.cut
    items = _items(values)
    if not items and cut:  # the object around the list never ended: look inside
        inner = _LIST.search(text)
        if inner is not None:
            items = _items(loose_json.read(text[inner.start() :]).values)
    if not items:
        return Answer([], [], not cut and any(map(_is_empty, values)), cut and _LIST.search(text) is not None)
    notes: list[Note] = []
    bad: list[tuple[str, str]] = []
    for item in items:
        made = _note(item)
        if isinstance(made, Note) and len(notes) == _MOST:
            bad.append((made.title, f"it is one too many: {_MOST} are taken of one answer"))
        elif isinstance(made, Note):
            notes.append(made)
        else:
            bad.append(made)
    return Answer(notes, bad, bool(notes), cut)


def _items(values: list[Any]) -> list[Any]:
    lists = [one for one in map(_list_in, values) if one and any(map(_is_note, one))]
    if lists:
        return lists[-1]
    return [value for value in values if _is_note(value)]


def _list_in(value: Any) -> list[Any] | None:
    if isinstance(value, dict) and not _is_note(value):
        value = next(
            (one for one in value.values() if isinstance(one, list) and any(map(_is_note, one))), None
        )
    return value if isinstance(value, list) else None


def _is_note(value: Any) -> bool:
    return isinstance(value, dict) and not _NOTE_KEYS.isdisjoint(value)


def _is_empty(value: Any) -> bool:
    """``[]``, or an object with one empty list: the model found nothing to keep."""
    if isinstance(value, dict):
        return any(one == [] for one in value.values())
    return isinstance(value, list) and not value


def _note(item: Any) -> Note | tuple[str, str]:
    if not isinstance(item, Mapping):
        return "", "it is no object"
    values = {name: _value(item, name) for name in Note._fields}
    title = _text(values["title"])
    if title is None:
        return "", "its title is no text"
    title = " ".join(title.split())[:_TITLE]
    body = _text(values["body"])
    kind = (_text(values["type"]) or "").lower()
    kind = _TYPE_WORDS.get(kind, kind)
    quotes = _quotes(values["quotes"])
    verdict = (_text(values["verdict"]) or "independent").lower()
    for wrong, why in (
        (not title, "it has no title"),
        (kind not in TYPES, f"its type is none of {', '.join(TYPES)}"),
        (body is None, "its body is no text"),
        (not (body or "").strip() and verdict != "duplicate", "its body is empty"),
        (len(body or "") > _BODY, "its body is too long"),
        (quotes is None, "its quotes are no list of turns and words"),
        (verdict not in VERDICTS, f"its verdict is none of {', '.join(VERDICTS)}"),
    ):
        if wrong:
            return title, why
    return Note(
        kind,
        title,
        (body or "").strip(),
        _words(values["tags"]),
        _share(values["importance"]),
        _words(values["links"]),
        quotes or [],
        (_text(values["grounding"]) or "").lower(),
        values["durable"] is True or _text(values["durable"]) in ("true", "yes"),
        (_text(values["scope"]) or "").lower(),
        verdict,
        (_text(values["page"]) or "").strip().removeprefix("[[").removesuffix("]]"),
    )


def _value(item: Mapping[Any, Any], name: str) -> Any:
    return next((item[one] for one in (name, *_OTHER_NAMES.get(name, ())) if one in item), None)


def _text(value: Any) -> str | None:
    """A text; None for anything else, and empty for nothing."""
    return "" if value is None else value.strip() if isinstance(value, str) else None


def _words(value: Any) -> list[str]:
    """A list of words; one text is taken apart at its commas, and what is no text is left out."""
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return []
    named = (one.get("target") if isinstance(one, dict) else one for one in value)
    return [one.strip() for one in named if isinstance(one, str) and one.strip()]


def _share(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if 0 <= number <= 1 else None


def _quotes(value: Any) -> list[tuple[int, str]] | None:
    if value is None:
        return []
    found: list[tuple[int, str]] = []
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, dict):
            return None
        quote = one.get("quote", one.get("text", one.get("words")))
        turn = one.get("turn")
        if isinstance(turn, str) and turn.strip().lstrip("#").isdigit():
            turn = int(turn.strip().lstrip("#"))
        if not isinstance(quote, str) or isinstance(turn, bool) or not isinstance(turn, int):
            return None
        found.append((turn, quote.strip()))
    return found
