"""Words for the face's own ranking: plainer than the core's analyser, because its scores are a contract.

Words are lowercased and neither stemmed nor folded; a script without spaces becomes pairs of characters,
or jieba's words for Chinese where that is installed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from memex_core.index.characters import CLASSES

_ASCII = re.compile(r"[a-z0-9]+")
_RUNS = re.compile(r"c+|[uldm]+|[sr]+")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")


def tokenize(text: str, *, use_jieba: bool | None = None) -> list[str]:
    """The tokens of ``text`` in reading order.

    ``use_jieba``: None takes it where it is installed, False never, True where it is installed too.
    """
    if text.isascii():
        return _ASCII.findall(text.lower())
    jieba = None if use_jieba is False else _jieba()
    tokens: list[str] = []
    for kind, run in runs(text):
        if kind == "word":
            tokens.append(run)
        elif kind == "unspaced":
            tokens += _words(jieba, run) if jieba and _HAN.search(run) else _pairs(run)
    return tokens


def est_tokens(text: str) -> int:
    """Roughly the tokens that a model would count: one a word, one a character of an unspaced script."""
    if text.isascii():
        return len(_ASCII.findall(text.lower()))
    return sum(len(run) if kind == "unspaced" else kind == "word" for kind, run in runs(text))


def signs(text: str) -> list[str]:
    """Emoji and other signs that are no words, each once: they are looked for as they stand."""
    if text.isascii():
        return []
    found = (list(run) for kind, run in runs(text) if kind == "sign")
    return list(dict.fromkeys(sign for run in found for sign in run))


def runs(text: str) -> list[tuple[str, str]]:
    """(``word`` | ``unspaced`` | ``sign``, text) of what is not white space or punctuation, lowercased."""
    text = unicodedata.normalize("NFC", text).lower()
    kinds = text.translate(CLASSES)
    if len(kinds) != len(text):  # a table maps a character to one letter; nothing else may happen
        return []
    names = {"c": "unspaced", "s": "sign", "r": "sign"}
    return [
        (names.get(kinds[match.start()], "word"), text[match.start() : match.end()])
        for match in _RUNS.finditer(kinds)
    ]


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def _words(jieba: Any, run: str) -> list[str]:
    return [word for word in jieba.lcut(run) if word.strip()]


@lru_cache(maxsize=1)
def _jieba() -> Any:
    """The module, made quiet; None where it is not installed."""
    import logging
    from importlib import import_module

    try:
        jieba = import_module("jieba")
    except ImportError:
        return None

    jieba.setLogLevel(logging.WARNING)
    return jieba
