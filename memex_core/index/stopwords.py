"""English words that say how a question is asked and not what it is about.

Used on the query side only: every word of a text is indexed, so that phrases hold. Measured on
conversations, leaving these out of a question finds more than leaving out frequent words alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

_QUESTION = "how what when where which who whom whose why"
_OTHER = """
    a an the this that these those
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves
    am is are was were be been being do does did doing done have has had having
    can could may might must shall should will would ought
    cant couldnt didnt doesnt dont hadnt hasnt havent isnt arent wasnt werent mustnt shouldnt
    wont wouldnt neednt
    and or but nor if then else than because as so while until though although whether
    of at by for with about against between into through during before after above below to from
    in on off out over under up down upon onto within without
    again further once here there all any both each few more most other others some such
    no not only too very just also ever yet even still
    one ones something anything nothing someone anyone everyone thing things
    let lets please many much
    s t re ve ll d m
"""

QUESTION_WORDS = frozenset(_QUESTION.split())
STOP = QUESTION_WORDS | frozenset(_OTHER.split())
"""Folded words as the analyser writes them: without apostrophes (``don't`` is ``dont``)."""

_Item = TypeVar("_Item")


def drop_stop_words(items: Sequence[_Item], is_stop: Callable[[_Item], bool]) -> list[_Item]:
    """``items`` without those for which ``is_stop`` holds; all of them when nothing would remain."""
    kept = [item for item in items if not is_stop(item)]
    return kept or list(items)
