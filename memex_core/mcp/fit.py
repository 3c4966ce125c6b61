"""An answer cut to what a conversation can take: whole rows while there is room, a cursor for the rest.

A client may show the structured part, the text, or both, so each row counts twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from memex_core.model.errors import BadInput

BYTES = 20_000
"""A whole result, structured part and text, as JSON."""

_ENVELOPE = 400  # the keys round both parts, a cursor, a closing line
_ASIDE = 6_000  # what everything beside the rows may take


class Answer(NamedTuple):
    """What a tool sends: the structured part, and the same for reading."""

    content: dict[str, Any]
    text: str


def size(value: Any) -> int:
    """Bytes as JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8"))


def offset(cursor: str | None) -> int:
    """Where an answer goes on. Raises BadInput."""
    if not cursor:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        raise BadInput(
            "that cursor is none of this tool's", hint="give the one that the last answer ended with"
        )
    return int(cursor)


def rows(
    answer: dict[str, Any],
    key: str,
    head: str,
    line: Callable[[dict[str, Any]], str],
    *,
    cursor: Callable[[int], str | None],
) -> Answer:
    """``answer`` with as many of the rows under ``key`` as fit, at least one, and a line of text for each.

    ``cursor`` tells, from how many were taken, where the next answer goes on; None when nothing is left.
    """
    all_rows: list[dict[str, Any]] = answer[key]
    rest = clipped({name: value for name, value in answer.items() if name != key}, _ASIDE)
    room = BYTES - _ENVELOPE - size(rest) - size(head)
    taken: list[dict[str, Any]] = []
    lines = [head] if head else []
    for row in all_rows:
        cost = size(row) + size(line(row)) + 2
        if cost > room:
            if taken:
                break
            row = clipped(row, room // 2 - 200)
            while size(row) + size(line(row)) > room:
                row = clipped(row, size(row) * 2 // 3)
            cost = room
        taken.append(row)
        lines.append(line(row))
        room -= cost
    more = cursor(len(taken))
    if more is not None:
        lines.append(f"(more: the same call with cursor {json.dumps(more, ensure_ascii=False)})")
    # In the order the operation gave them, with the cursor last.
    content = {name: taken if name == key else rest[name] for name in answer if name == key or name in rest}
    if "cut" in rest:
        content["cut"] = rest["cut"]
    return Answer({**content, "cursor": more}, "\n".join(lines))


def text_part(answer: dict[str, Any], key: str, head: str, start: int) -> Answer:
    """``answer`` with as much of the text under ``key`` as fits, from its character ``start`` on.

    What follows the first part has no more than the keys' empty values beside it.
    """
    whole: str = answer[key]
    if start:
        answer = {name: _emptied(value) for name, value in answer.items()}
        head = ""
    rest = clipped({**answer, key: ""}, _ASIDE)
    part = _first_bytes(whole[start:], (BYTES - _ENVELOPE - size(rest) - size(head)) // 2)
    end = start + len(part)
    more = str(end) if end < len(whole) else None
    text = "\n\n".join(piece for piece in (head, part) if piece)
    if more:
        text += f'\n\n(more: the same call with cursor "{more}")'
    return Answer({**rest, key: part, "cursor": more}, text)


def _emptied(value: Any) -> Any:
    return type(value)() if isinstance(value, list | dict) else value


def _first_bytes(text: str, room: int) -> str:
    """The longest beginning that takes so many bytes as JSON; it ends with a line where one ends near."""
    if size(text) <= room:
        return text
    low, high = 1, min(len(text), room)
    while low < high:
        middle = (low + high + 1) // 2
        if size(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    line = text.rfind("\n", low * 3 // 4, low) + 1
    return text[: line or low]


def clipped(answer: dict[str, Any], room: int) -> dict[str, Any]:
    """``answer`` in at most ``room`` bytes: its longest texts and lists shortened, named under ``cut``."""
    if size(answer) <= room:
        return answer
    out: dict[str, Any] = json.loads(json.dumps(answer, default=str))
    cut: list[str] = []
    while size(out) + size(cut) + 8 > room:
        where, name, held = _heaviest(out, "")
        if size(held) < 24:
            break
        if name not in cut:
            cut.append(name)
        owner, key = where
        if isinstance(held, str):
            owner[key] = held[: len(held) // 2].rstrip("…") + "…"
        elif isinstance(held, list):
            owner[key] = held[: len(held) // 2]
        else:
            owner[key] = dict(list(held.items())[: len(held) // 2])
    return {**out, "cut": cut} if cut else out


def _heaviest(owner: Any, name: str) -> tuple[tuple[Any, Any], str, Any]:
    """The text, list or map that weighs most by itself: ((its owner, its key there), its name, itself)."""
    items = owner.items() if isinstance(owner, dict) else enumerate(owner)
    key, held = max(items, key=lambda item: size(item[1]))
    path = name or str(key)
    if name and isinstance(owner, dict):
        path = f"{name}.{key}"
    if isinstance(held, dict | list) and held:
        inner = held.values() if isinstance(held, dict) else held
        if len(held) == 1 or max(map(size, inner)) * 2 > size(held):
            return _heaviest(held, path)
    return (owner, key), path, held


def whole(answer: dict[str, Any], text: str) -> Answer:
    """An answer that is short by nature, cut only where it is not."""
    if size(text) > _ASIDE:
        text = _first_bytes(text, _ASIDE) + "…"
    return Answer(clipped(answer, BYTES - _ENVELOPE - size(text)), text)
