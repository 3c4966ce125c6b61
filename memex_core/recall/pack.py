"""What fits into a token budget."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

_Item = TypeVar("_Item")


def est_tokens(text: str) -> int:
    """An estimate of the tokens of ``text``, rounded up.

    0.25 an ASCII character (of any kind), 0.5 one of the alphabets below U+0800 (accented Latin, Greek,
    Cyrillic, Hebrew, Arabic), 1 any other (CJK, kana, Hangul, Indic scripts, emoji, typographic signs).
    """
    if text.isascii():
        return -(-len(text) // 4)
    narrow = len(text.encode("ascii", "ignore"))
    # Counted by the sizes of encodings, which costs a twentieth of looking at every character: in UTF-8
    # those below U+0800 take two bytes, those above three, or four where UTF-16 takes two units.
    astral = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)
    others = len(text) - narrow - astral
    wide = len(text.encode("utf-8", "surrogatepass")) - narrow - 4 * astral - 2 * others + astral
    return -(-(narrow + 2 * (len(text) - narrow - wide) + 4 * wide) // 4)


def cut(text: str, budget: int) -> str:
    """The beginning of ``text`` that costs at most ``budget`` tokens, whole words, ``…`` where cut."""
    if est_tokens(text) <= budget:
        return text
    low, high = 0, min(len(text), max(0, budget) * 4)
    while low < high:  # the longest prefix that leaves room for the ellipsis
        middle = (low + high + 1) // 2
        if est_tokens(text[:middle] + "…") <= budget:
            low = middle
        else:
            high = middle - 1
    if low == 0:
        return "…" if budget >= est_tokens("…") else ""
    head = text[:low]
    if not text[low].isspace() and not head[-1].isspace():
        space = max(head.rfind(" "), head.rfind("\n"))
        if space >= low // 2:
            head = head[:space]
    return head.rstrip() + "…"


class Packed(NamedTuple):
    """``kept`` holds the positions of what fits, in order; ``used`` their tokens; ``omitted`` how many
    were left out; ``cut`` tells that the first was too large and must be cut to ``used``."""

    kept: list[int]
    used: int
    omitted: int
    cut: bool


def pack(items: Sequence[_Item], budget: int | None, cost: Callable[[_Item], int]) -> Packed:
    """Choose from ``items``, best first, what fits into ``budget`` tokens (None: everything).

    What does not fit is skipped and the next is tried. The first always stays: when it alone is too
    large it takes the whole budget, cut.
    """
    costs = [cost(item) for item in items]
    if budget is None:
        return Packed(list(range(len(costs))), sum(costs), 0, False)
    if costs and costs[0] > budget:
        return Packed([0], max(0, budget), len(costs) - 1, True)
    kept: list[int] = []
    used = 0
    for i, one in enumerate(costs):
        if used + one <= budget:
            kept.append(i)
            used += one
    return Packed(kept, used, len(costs) - len(kept), False)
