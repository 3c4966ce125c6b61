"""Which runs of ``*``, ``_``, ``~~`` and ``==`` open and close what: CommonMark's delimiter rules.

Linear: a closer never looks again below the place where an equal one found nothing.
"""

from __future__ import annotations

STYLES = {"~": "md--strike", "=": "md--mark"}


class Delimiter:
    """A run of one delimiter character; ``piece`` is where it stands in the list of pieces."""

    __slots__ = ("char", "closes", "count", "opens", "piece", "size")

    def __init__(self, char: str, count: int, opens: bool, closes: bool, piece: int) -> None:
        self.char = char
        self.count = self.size = count
        self.opens = opens
        self.closes = closes
        self.piece = piece


def flanks(char: str, before: str, after: str) -> tuple[bool, bool]:
    """Whether a run between the two characters can open and can close emphasis."""
    blank_before, blank_after = before.isspace(), after.isspace()
    mark_before, mark_after = _is_mark(before), _is_mark(after)
    left = not blank_after and (not mark_after or blank_before or mark_before)
    right = not blank_before and (not mark_before or blank_after or mark_after)
    if char == "_":
        return left and (not right or mark_before), right and (not left or mark_after)
    return left, right


def _is_mark(char: str) -> bool:
    return not char.isalnum() and not char.isspace() and char.isprintable()


def pair(delimiters: list[Delimiter]) -> list[tuple[int, int, str]]:
    """Match openers with closers; gives (opening piece, closing piece, style), and lowers the
    ``count`` of every delimiter to the characters that stay as text."""
    found: list[tuple[int, int, str]] = []
    stack: list[Delimiter] = []
    bottoms: dict[tuple[str, bool, int], int] = {}
    for closer in delimiters:
        while closer.closes and closer.count:
            key = (closer.char, closer.opens, closer.size % 3)
            bottom = bottoms.get(key, 0)
            index = len(stack) - 1
            while index >= bottom and not _fits(stack[index], closer):
                index -= 1
            if index < bottom:
                bottoms[key] = len(stack)
                break
            opener = stack[index]
            del stack[index + 1 :]
            for other, depth in bottoms.items():
                if depth > len(stack):
                    bottoms[other] = len(stack)
            used = 2 if opener.count >= 2 and closer.count >= 2 else 1
            name = STYLES.get(closer.char) or ("md--strong" if used == 2 else "md--em")
            found.append((opener.piece, closer.piece, name))
            opener.count -= used
            closer.count -= used
            if not opener.count:
                stack.pop()
        if closer.opens and closer.count:
            stack.append(closer)
    return found


def _fits(opener: Delimiter, closer: Delimiter) -> bool:
    if opener.char != closer.char:
        return False
    if (opener.closes or closer.opens) and closer.char in "*_":
        return (opener.size + closer.size) % 3 != 0 or (opener.size % 3 == 0 and closer.size % 3 == 0)
    return True
