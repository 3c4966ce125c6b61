"""A prompt as the gate sees it: evened text, and the tokens that tell one topic from another.

Chinese and Japanese runs count as overlapping pairs of characters, two of which weigh as much as a word;
Korean words lose one particle or ending. Everything here takes linear time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from memex_core.index.stopwords import STOP
from memex_core.recall.gate.intents import FAR

_HEAD = FAR * 3 // 4
_MARK = " … "
_WORD = re.compile(r"\w+(?:[.\-]+\w+)*")
_STOP_HAN = frozenset("的了吗呢吧啊是在就都也和与我你您他她它们这那有不个么呀と、はがをにのでもへやかねよ")
_STOP_KO = frozenset(
    """
    그 이 저 것 거 수 등 및 좀 그냥 이제 그럼 우리 내가 제가 뭐 어떻게 무엇 왜 있는 하는 해줘
    그거 이거 저거 아니 말고
    """.split()
)
_ENDINGS = tuple(
    sorted(
        """
        은 는 이 가 을 를 에 의 로 으로 에서 에게 와 과 도 만 까지 부터 처럼 보다 하고 이나 라고 이라고 했어
        했지 했던 합니다 해줘 해주세요 하자 할까 해요 하는 한다 했습니다 하기 하게 하면 인가 인가요 입니다
        이야 였지 였더라
        """.split(),
        key=len,
        reverse=True,
    )
)
_APOSTROPHES = {ord(char): "'" for char in "’‘ʼ＇`´"}
_INVISIBLE = dict.fromkeys([0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])


def looked_at(prompt: str) -> tuple[str, bool]:
    """The text that the rules see, and whether that is only the beginning and the end of the prompt."""
    text = prompt
    cut = len(text) > FAR
    if cut:
        text = text[:_HEAD] + _MARK + text[-(FAR - _HEAD - len(_MARK)) :]
    return even(text)[:FAR], cut


def even(text: str) -> str:
    """``text`` with each character in its plain form, and without those that nobody sees."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).translate(_INVISIBLE)


def words(text: str) -> list[str]:
    """The words of a folded text, in order; a Chinese or Japanese run is one, apart from what it touches."""
    found: list[str] = []
    for word in _WORD.findall(text):
        if word.isascii():
            found.append(word)
        else:
            found += _by_script(word)
    return found


def _by_script(word: str) -> list[str]:
    parts, start = [], 0
    for at in range(1, len(word)):
        if is_han(word[at]) != is_han(word[at - 1]):
            parts.append(word[start:at])
            start = at
    parts = [part.strip(".-") for part in (*parts, word[start:])]
    return [part for part in parts if part]


def fingerprint(found: Iterable[str]) -> tuple[str, ...]:
    """The distinct tokens of words: no stop words, nothing of one character."""
    tokens: dict[str, None] = {}
    for word in found:
        if is_han(word):
            pairs = (word[at : at + 2] for at in range(len(word) - 1))
            tokens.update((pair, None) for pair in pairs if not _STOP_HAN.intersection(pair))
            continue
        if "\uac00" <= word[0] <= "\ud7a3":
            word = "" if word in _STOP_KO else _stem(word)
        word = word.strip("_")
        if len(word) > 1 and word not in STOP:
            tokens[word] = None
    return tuple(tokens)


def weight(tokens: Iterable[str]) -> int:
    """How many words the tokens amount to."""
    count = pairs = 0
    for token in tokens:
        if is_han(token):
            pairs += 1
        else:
            count += 1
    return count + (pairs + 1) // 2


def overlap(one: Iterable[str], other: Iterable[str]) -> float:
    """The share of common tokens among all of both (Jaccard); 0 for nothing."""
    a, b = frozenset(one), frozenset(other)
    return len(a & b) / len(a | b) if a and b else 0.0


def is_han(word: str) -> bool:
    """Whether a word is a run of Chinese or Japanese."""
    first = word[:1]
    return (
        "\u3040" <= first <= "\u30ff"
        or "\u3400" <= first <= "\u9fff"
        or "\uf900" <= first <= "\ufaff"
        or (first >= "\U00020000")
    )


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if len(word) - len(ending) >= 2 and word.endswith(ending):
            return word[: -len(ending)]
    return word
