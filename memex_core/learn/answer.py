"""What a model answered when it consolidated: the notes that can be read, the ones that cannot, and why.

Fences, prose around the list, a thinking block, an object around it, commas too many and a break anywhere are
all read through (:mod:`memex_core.model.loose_json`). A list is never taken for empty because it broke off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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
_WORDS, _WORD = 24, 100  # tags or links of a note, and characters of one
_TURN = re.compile(r"(?:turn\s*)?#?\s*([0-9]{1,9})", re.IGNORECASE)
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""What a name shall not hold: controls, and marks that turn the direction of writing."""

_EMPTY = re.compile(r"(?:\A|[\s:`])\[\s*\][`.。]*[ \t]*(?:\Z|\n)")
"""An empty list that answers: it ends a line. ``x[] is`` and ``502 []</body>`` only have one in them."""

_LISTS = {"pages", "notes", "nodes", "items", "memories", "entries", "facts", "results", "list", "array"}
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

    def cleaned(self, clean: Callable[[str], str]) -> Note:
        """Without the secrets in it: nobody sent any, and nobody is to be told of one."""
        tags, links = ([clean(one) for one in words] for words in (self.tags, self.links))
        return self._replace(title=clean(self.title), body=clean(self.body), tags=tags, links=links)


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
        nothing = not cut and any(_is_empty(value, text) for value in values)
        return Answer([], [], nothing, cut and _LIST.search(text) is not None)
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


def _is_empty(value: Any, text: str) -> bool:
    """``[]``, or an object whose list of notes is empty: the model found nothing to keep. An error that has
    an empty list somewhere, or prose that mentions one, does not say so."""
    if isinstance(value, dict):
        return "error" not in value and any(value.get(name) == [] for name in _LISTS)
    return value == [] and _EMPTY.search(text) is not None


def _note(item: Any) -> Note | tuple[str, str]:
    if not isinstance(item, Mapping):
        return "", "it is no object"
    values = {name: _value(item, name) for name in Note._fields}
    title = _text(values["title"])
    if title is None:
        return "", "its title is no text"
    title = " ".join(_UNSEEN.sub("", " ".join(title.split())).split())[:_TITLE]
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
    """A list of words; one text is taken apart at its commas. What is no text, or no word, is left out."""
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return []
    named = (one.get("target") if isinstance(one, dict) else one for one in value)
    return [one.strip() for one in named if isinstance(one, str) and 0 < len(one.strip()) <= _WORD][:_WORDS]


def _share(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
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
        if isinstance(turn, str) and (digits := _TURN.fullmatch(turn.strip())) is not None:
            turn = int(digits[1])
        if isinstance(turn, float) and turn.is_integer():
            turn = int(turn)
        if not isinstance(quote, str) or isinstance(turn, bool) or not isinstance(turn, int):
            return None
        found.append((turn, quote.strip()))
    return found
