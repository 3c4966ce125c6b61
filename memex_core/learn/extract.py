"""What a person's turn says that is worth keeping, found by rules alone: the same each time, no model asked.

A turn yields at most one candidate, of the first category that fits. Its text is the sentence itself, so that
the quote proves every word of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from memex_core.learn.cues import found_in
from memex_core.model.mask import mask
from memex_core.model.prompts import typed

TYPES = {"preference": "preference", "procedure": "procedure", "fact": "entity"}
"""Category of a cue -> type of the page."""

_END = re.compile(r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)\s+|(?<=[。！？；])|\n+")
_PASTED = re.compile(
    r"^(?![^\n]*(?:\b(?:remember|rules?|preferences?|conventions?|keep|follow)\b|记住|规则|기억|규칙))"
    r"(?:(?:please\s+)?(?:translate|rephrase|rewrite|proofread|paraphrase|summari[sz]e|review|check|correct"
    r"|improve|shorten|explain|fix|read|look\s+at)\b[^\n]{0,80}[:：]\s*$"
    r"|[^\n]{0,80}\b(?:following|below|paste[ds]?)\b[^\n]{0,40}[:：]\s*$"
    r"|[^\n]{0,40}(?:翻译|润色|改写|总结|校对|以下|下面|번역|요약|다음)[^\n]{0,20}[:：]\s*$"
    r"|(?:diff --git |@@ -|commit [0-9a-f]{7,40}$|From: |Subject: |-----BEGIN |Traceback )"
    r"|On .{6,80} wrote:$)",
    re.IGNORECASE | re.MULTILINE,
)
"""Where a text begins that the person did not write for this: announced by the line before, or known by its
form. It goes on to the end of the turn."""
_LEAD = re.compile(r"^\s*(?:[-*+]|\d{1,2}[.)])\s+")
_QUOTED = re.compile(
    r"\"[^\"\n]+\"|“[^”\n]+”|‘[^’\n]+’(?!\w)|„[^“”\n]+[“”]|«[^»\n]+»|「[^」\n]+」|『[^』\n]+』|(?<!\w)'[^'\n]+'(?!\w)"
)
_SHORTEST, _LONGEST = 4, 400
_TITLE = 72


class Candidate(NamedTuple):
    """What a turn says, ready to be a page. ``quote`` stands in the turn word for word."""

    type: str
    title: str
    quote: str
    cue: str


def candidate(turn: Mapping[str, Any]) -> Candidate | None:
    """What is worth keeping of a turn; None for turns that no person wrote, and for most others.

    Code, quoted lines, questions and what is said of this one time only are passed by.
    """
    content = turn.get("content")
    if turn.get("trust", "human") != "human" or turn.get("role") != "user" or not isinstance(content, str):
        return None
    said = typed(content)
    pasted = _PASTED.search(said)
    said = said[: pasted.start()] if pasted is not None else said
    if not said or said.startswith("/"):
        return None
    plain, exact = _sentences(said)
    for cue, number in found_in(plain):
        quote = exact[number]
        return Candidate(TYPES[cue.category], title_of(quote), quote, cue.id)
    return None


def _sentences(text: str) -> tuple[list[str], list[str]]:
    """The sentences twice: as they were written, and before that with code and words in quotation marks
    blanked, to look for cues in: those are not the person's own."""
    blanked = _QUOTED.sub(lambda found: " " * len(found[0]), mask(text))
    plain: list[str] = []
    exact: list[str] = []
    at = 0
    for start, end in [*((found.start(), found.end()) for found in _END.finditer(blanked)), (len(text),) * 2]:
        piece, whole = blanked[at:start], text[at:start]
        lead = _LEAD.match(whole)
        if lead is not None:
            piece, whole = piece[lead.end() :], whole[lead.end() :]
        at = end
        if len(piece.strip()) >= _SHORTEST and len(whole) <= _LONGEST and not piece.lstrip().startswith(">"):
            plain.append(piece.strip())
            exact.append(whole.strip())
    return plain, exact


def title_of(sentence: str) -> str:
    """A sentence as a page's name: one line without the mark at its end."""
    from memex_core.model.prompts import one_line

    return one_line(sentence, _TITLE).rstrip(" .。!！;；,，:：")
