"""What ``[[`` asks for at the caret, and what an answer puts there."""

from __future__ import annotations

from typing import NamedTuple

_FORBIDDEN = frozenset("[]|#^\n")
LONGEST = 200  # characters of a link's target that are looked at


class Asked(NamedTuple):
    """A link being typed. ``kind``: ``page``, ``heading`` or ``block`` (of the page ``target``).

    ``typed`` stands there already; ``line[start:end]`` is what a choice replaces. ``closed``: the
    brackets behind it are there.
    """

    kind: str
    target: str
    typed: str
    start: int
    end: int
    closed: bool


class Choice(NamedTuple):
    """An answer: ``page``, ``heading``, ``block`` or ``create``; ``insert`` goes into the brackets."""

    kind: str
    label: str
    insert: str
    note: str = ""
    path: str = ""


def asked(line: str, column: int) -> Asked | None:
    """The link that the caret stands in, as far as it is typed; None when it stands in none."""
    begin = max(column - LONGEST, 0)
    head = line[begin:column]
    opening = head.rfind("[[")
    if opening < 0:
        return None
    inner = head[opening + 2 :]
    before = head[:opening]
    if "]]" in inner or "|" in inner or before.endswith("\\") or before.count("`") % 2:
        return None
    start = begin + opening + 2
    rest = line[column : column + LONGEST]
    closing = rest.find("]]")
    closed = closing >= 0 and "[[" not in rest[:closing]
    page, hash_, part = inner.partition("#")
    end = column
    if closed:
        stops = [closing, *(rest.find(sign, 0, closing) for sign in ("|" if hash_ else "|#"))]
        end = column + min(stop for stop in stops if stop >= 0)
    if not hash_:
        return Asked("page", "", page, start, end, closed)
    if part.startswith("^"):
        return Asked("block", page.strip(), part[1:], start + len(page) + 2, end, closed)
    return Asked("heading", page.strip(), part, start + len(page) + 1, end, closed)


def answer(line: str, question: Asked, choice: Choice, follow: str = "") -> tuple[str, int]:
    """The text that takes the place of ``line[start:end]``, and the column of the caret after it.

    ``follow`` is ``|`` or ``#`` when the link goes on with a shown text or a place on the page.
    """
    text = choice.insert
    behind = line[question.end :]
    if question.closed and behind.startswith(("|", "#")) and follow:
        follow = ""
    text += follow
    if not question.closed:
        text += "]]"
    caret = question.start + len(text)
    if not question.closed and follow:
        caret -= 2
    elif question.closed and not follow and behind.startswith("]]"):
        caret += 2
    return text, caret


def linkable(name: str) -> bool:
    """Whether a name can stand in brackets as it is."""
    return bool(name.strip()) and name == name.strip() and not _FORBIDDEN & set(name)


def link_to(text: str, insert: str) -> str:
    """A link that shows ``text`` and means what ``insert`` names."""
    return f"[[{text}]]" if text.casefold() == insert.casefold() else f"[[{insert}|{text}]]"
