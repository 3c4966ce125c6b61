"""Whether a note is proved by the turns it names: the check that no model takes part in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.learn.answer import GROUNDINGS, Note
from memex_core.learn.windows import proving, quotable, shown
from memex_core.model.evidence import LANES, find_quote

_AROUND = "\"'“”„‘’‚«»…. \n\t\u200b\ufeff"
_FORMS = {ord(char): to for chars, to in (("‘’‚‛ʼ", "'"), ("“”„‟", '"'), ("‐‑‒–—―", "-")) for char in chars}
_LATIN = 6  # letters that a quote needs to say something; of other scripts:
_OTHER = 2


class Cited(NamedTuple):
    """A turn with the exact words that were found there, and the lane in which they count."""

    turn: int
    xid: str
    quote: str
    lane: str


class Proof(NamedTuple):
    """What proves a note and how; ``reason`` says instead why nothing does."""

    cited: list[Cited]
    grounding: str
    reason: str = ""


def prove(note: Note, turns: Sequence[Mapping[str, Any]]) -> Proof:
    """Check a note against the turns that the model was shown. One invented quote spoils it."""
    if not note.durable:
        return _refused("it is not said to be durable")
    if not note.quotes:
        return _refused("it quotes no turn")
    offered = {turn["turn"]: turn for turn in turns}
    cited: list[Cited] = []
    for number, quote in note.quotes:
        turn = offered.get(number)
        if turn is None or not shown(turn):
            return _refused(f"it quotes turn {number}, which was not shown")
        if not _says_something(quote):
            return _refused(f"its quote of turn {number} is too short to prove anything")
        quote = words_in(quote, quotable(turn))  # without the memory that a host put around it
        if not quote:
            return _refused(f"turn {number} does not say what it quotes")
        lane = LANES[0] if proving(turn) else LANES[1]
        cited.append(Cited(number, str(turn.get("xid") or ""), quote, lane))
    cited = list(dict.fromkeys(cited))
    proofs = [one for one in cited if one.lane == LANES[0]]
    if not proofs:
        return _refused("it quotes only what the assistant said, which proves nothing")
    said = any(offered[one.turn].get("role") == "user" for one in proofs)
    seen = any(offered[one.turn].get("role") == "tool" for one in proofs)
    grounding = note.grounding or ("explicit" if said else "verified")
    if grounding not in GROUNDINGS:
        return _refused(f"its grounding is none of {', '.join(GROUNDINGS)}")
    if grounding == "explicit" and not said:
        return _refused("it claims that the person says so, and quotes no turn of the person")
    if grounding == "verified" and not seen:
        return _refused("it claims that a tool shows it, and quotes no output of a local tool")
    if grounding == "inferred" and len({one.turn for one in proofs}) < 2:
        return _refused("it is inferred, which takes two turns that prove")
    return Proof(cited, grounding)


def words_in(quote: str, text: str) -> str:
    """The words of ``text`` that are quoted, as they stand there; empty when they do not.

    Marks set round a quote, an ellipsis after it, and another form of an apostrophe, a quotation mark or a
    dash are how models write, and no other words. Everything else counts, letter by letter.
    """
    for one in (quote, quote.strip(_AROUND)):
        if find_quote(one, text):
            return one
    said = unicodedata.normalize("NFC", text)
    words = unicodedata.normalize("NFC", quote).translate(_FORMS).strip(_AROUND).split()
    if not words:
        return ""
    wanted = re.compile(r"\s+".join(map(re.escape, words)))
    found = (said[one.start() : one.end()] for one in wanted.finditer(said.translate(_FORMS)))
    return next((one for one in found if find_quote(one, text)), "")


def _refused(reason: str) -> Proof:
    return Proof([], "", reason)


def _says_something(quote: str) -> bool:
    letters = re.findall(r"\w", quote)
    wide = sum(char > "\u0e00" for char in letters)
    return len(letters) >= _LATIN or wide >= _OTHER or len(quote.split()) > 2
