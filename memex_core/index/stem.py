"""The Porter stemmer, on lower-case ASCII words.

M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two departures of
the author's own program (``-bli`` for ``-abli``, and ``-logi``). Written for speed: the word's
consonant pattern is computed once, and ``m`` (vowel-consonant sequences) is a substring count.
"""

from __future__ import annotations

from memex_core.index.irregular import IRREGULAR

_PATTERN = str.maketrans("abcdefghijklmnopqrstuvwxyz", "vcccvcccvcccccvcccccvcccyc")

_STEP2 = {
    "a": (("ational", "ate"), ("tional", "tion")),
    "c": (("enci", "ence"), ("anci", "ance")),
    "e": (("izer", "ize"),),
    "l": (("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous")),
    "o": (("ization", "ize"), ("ation", "ate"), ("ator", "ate")),
    "s": (("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    "t": (("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")),
    "g": (("logi", "log"),),
}
_STEP3 = {
    "e": (("icate", "ic"), ("ative", ""), ("alize", "al")),
    "i": (("iciti", "ic"),),
    "l": (("ical", "ic"), ("ful", "")),
    "s": (("ness", ""),),
}
_STEP4 = {
    "a": ("al",),
    "c": ("ance", "ence"),
    "e": ("er",),
    "i": ("ic",),
    "l": ("able", "ible"),
    "n": ("ement", "ment", "ent", "ant"),
    "o": ("ion", "ou"),
    "s": ("ism",),
    "t": ("ate", "iti"),
    "u": ("ous",),
    "v": ("ive",),
    "z": ("ize",),
}
"""Each step's suffixes by the letter before the last, longest first (step 3: by the last letter)."""

_TOUCHED = frozenset(
    suffix[-2:]
    for suffix in (
        *(old for step in (_STEP2, _STEP3) for rules in step.values() for old, _ in rules),
        *(old for rules in _STEP4.values() for old in rules),
        "ed",
        "ing",
        "ll",
    )
)
"""The last two letters of all that any step takes off or replaces, but for ``s``, ``e`` and ``y`` alone."""

_LIMIT = 200_000
_cache: dict[str, str] = {}


def stem(word: str) -> str:
    """The stem of a lower-case ASCII ``word``; irregular forms are folded first. Cached."""
    known = _cache.get(word)
    if known is not None:
        return known
    base = IRREGULAR.get(word, word)
    result = porter(base) if len(base) > 2 else base
    if len(_cache) >= _LIMIT:
        _cache.clear()
    _cache[word] = result
    return result


def porter(word: str) -> str:
    """Porter's algorithm on one lower-case ASCII word of any length."""
    if len(word) < 3 or (word[-1] not in "sey" and word[-2:] not in _TOUCHED):
        return word  # a third of all words: no step fits, and looking at the end shows it
    return _stepped(word)


def _stepped(word: str) -> str:
    """All steps, one after the other; ``word`` has at least 3 letters."""
    pattern = _pattern(word)
    if word[-1] == "s":
        word = _plural(word)
    word, pattern = _past_and_participle(word, pattern[: len(word)])
    if word[-1] == "y" and "v" in pattern[:-1]:
        word = word[:-1] + "i"
    if len(word) > 3:
        word = _replace(word, pattern, _STEP2.get(word[-2], ()))
        word = _replace(word, pattern, _STEP3.get(word[-1], ()))
        word = _strip(word, pattern)
    return _final(word, pattern)


def _pattern(word: str) -> str:
    """One ``v`` or ``c`` a letter. ``y`` is a vowel after a consonant."""
    pattern = word.translate(_PATTERN)
    if "y" not in pattern:
        return pattern
    out: list[str] = []
    for mark in pattern:
        out.append(mark if mark != "y" else "v" if out and out[-1] == "c" else "c")
    return "".join(out)


def _plural(word: str) -> str:
    """Step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _past_and_participle(word: str, pattern: str) -> tuple[str, str]:
    """Step 1b; the pattern that comes back covers at least the word."""
    if word.endswith("eed"):
        return (word[:-1], pattern[:-1]) if "vc" in pattern[:-3] else (word, pattern)
    if word.endswith("ed") and "v" in pattern[:-2]:
        cut = len(word) - 2
    elif word.endswith("ing") and "v" in pattern[:-3]:
        cut = len(word) - 3
    else:
        return word, pattern
    word, pattern = word[:cut], pattern[:cut]
    if word.endswith(("at", "bl", "iz")):
        return word + "e", pattern + "v"
    if cut > 1 and word[-1] == word[-2] and pattern[-1] == "c" and word[-1] not in "lsz":
        return word[:-1], pattern[:-1]
    if pattern.count("vc") == 1 and _cvc(word, pattern):
        return word + "e", pattern + "v"
    return word, pattern


def _cvc(word: str, pattern: str) -> bool:
    return pattern.endswith("cvc") and word[-1] not in "wxy"


def _replace(word: str, pattern: str, rules: tuple[tuple[str, str], ...]) -> str:
    """Steps 2 and 3: the first suffix that fits decides; it goes when m > 0 before it.

    The pattern stays right for the letters that remain: replacements only shorten, and step 1c
    turned a vowel ``y`` into the vowel ``i``.
    """
    for suffix, to in rules:
        if word.endswith(suffix):
            cut = len(word) - len(suffix)
            return word[:cut] + to if "vc" in pattern[:cut] else word
    return word


def _strip(word: str, pattern: str) -> str:
    """Step 4: m > 1 before the suffix."""
    if len(word) < 3:
        return word
    for suffix in _STEP4.get(word[-2], ()):
        if word.endswith(suffix):
            cut = len(word) - len(suffix)
            if suffix == "ion" and word[cut - 1 : cut] not in ("s", "t"):
                return word
            return word[:cut] if pattern[:cut].count("vc") > 1 else word
    return word


def _final(word: str, pattern: str) -> str:
    """Step 5: a last ``e``, and ``ll``."""
    if word[-1] == "e":
        cut = len(word) - 1
        m = pattern[:cut].count("vc")
        if m > 1 or (m == 1 and not _cvc(word[:cut], pattern[:cut])):
            word = word[:cut]
    if word.endswith("ll") and pattern[: len(word)].count("vc") > 1:
        word = word[:-1]
    return word
