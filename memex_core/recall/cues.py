"""The small signs that tell what an answer looks like.

Language tables: English, and neutral elsewhere (no cue is found, nothing is lost).
"""

from memex_core.index.cues import NUMBER, PLACE, TIME

_PUNCTUATION = ".,;:!?()[]\"'“”‘’"
_PLACE_NOUNS = "city country town state place area location village island street park region"
_TIME_NOUNS = "time date day year month week weekday weekend season"
_MEASURES = "many much old often long far tall big high large deep fast heavy"
_ASKED = {
    **dict.fromkeys((f"{which} {noun}" for which in ("what", "which") for noun in _TIME_NOUNS.split()), TIME),
    **dict.fromkeys(
        (f"{which} {noun}" for which in ("what", "which") for noun in _PLACE_NOUNS.split()), PLACE
    ),
    **dict.fromkeys((f"how {measure}" for measure in _MEASURES.split()), NUMBER),
    "when": TIME,
    "where": PLACE,
}


def question_cues(question: str) -> int:
    """What a question asks for: ``TIME`` (when), ``NUMBER`` (how many), ``PLACE`` (where); 0 for none."""
    words = [word.strip(_PUNCTUATION).lower().split("'")[0].split("’")[0] for word in question.split()]
    bits = 0
    for i, word in enumerate(words):
        bits |= _ASKED.get(word, 0) | _ASKED.get(" ".join(words[i : i + 2]), 0)
    return bits
