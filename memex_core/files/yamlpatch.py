"""A list or map of YAML that changes in a few places: only those move, comments and quoting beside them stay.

Whatever is not plainly laid out gives None, and the whole value is written anew; the surgeon proves either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memex_core.files import yamlwrite
from memex_core.model.page import Value

_Patch = tuple[int, int, str]


def patched(text: str, key: str, old: Value, new: Value) -> str | None:
    """``text``, what follows ``key:``, with ``new`` instead of ``old``; line ends are unix ones."""
    import yaml

    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, UnicodeError):
        return None
    patches = _changed(text, node, key in yamlwrite.TEXT_KEYS, old, new)
    if not patches:
        return None
    for start, end, put in sorted(patches, reverse=True):
        text = text[:start] + put + text[end:]
    return text


def _changed(text: str, node: Any, as_text: bool, old: Value, new: Value) -> list[_Patch] | None:
    """What is to be replaced, from ``start`` to ``end`` by a text; None where that cannot be told."""
    if isinstance(old, list) and isinstance(new, list) and node.id == "sequence" and not node.flow_style:
        return _items(text, node, as_text, old, new)
    if isinstance(old, dict) and isinstance(new, dict) and node.id == "mapping":
        return _keys(text, node, as_text, old, new)
    plain = node.id == "scalar" and node.style not in ("|", ">")
    if isinstance(old, str) and isinstance(new, str) and plain:
        start, end = node.start_mark.index, node.end_mark.index
        if "\n" not in text[start:end]:
            quote = node.style or ""  # none: one parser says None, the other an empty text
            return [(start, end, yamlwrite.scalar(new, flow=True, as_text=as_text, quote=quote))]
    return None


def _items(
    text: str, node: Any, as_text: bool, old: Sequence[Value], new: Sequence[Value]
) -> list[_Patch] | None:
    """Maps that changed in their place, items added at the end, or items that went. Another text is another
    item: the comment beside the old one goes with it."""
    if len(node.value) != len(old) or not old:
        return None
    if len(new) < len(old):
        return _fewer(text, node, old, new)
    found: list[_Patch] = []
    for item, before, after in zip(node.value, old, new[: len(old)], strict=True):
        if before != after:
            both = isinstance(before, dict) and isinstance(after, dict)
            change = _changed(text, item, as_text, before, after) if both else None
            if change is None:
                return None
            found += change
    if len(new) > len(old):
        end = _line_end(text, node.value[-1])
        if end is None:
            return None
        lines = yamlwrite.block(list(new[len(old) :]), node.start_mark.column, as_text)
        found.append((end, end, "".join(f"\n{line}" for line in lines)))
    return found


def _fewer(text: str, node: Any, old: Sequence[Value], new: Sequence[Value]) -> list[_Patch] | None:
    """The lines of the items that are not among the new ones."""
    found: list[_Patch] = []
    left = list(new)
    for item, before in zip(node.value, old, strict=True):
        if left and left[0] == before:
            del left[0]
            continue
        at = text.rfind("\n", 0, item.start_mark.index)
        end = _line_end(text, item)
        if at < 0 or end is None or text[at + 1 : item.start_mark.index].strip() != "-":
            return None
        found.append((at, end, ""))
    return found if new and not left else None


def _keys(
    text: str, node: Any, as_text: bool, old: Mapping[str, Value], new: Mapping[str, Value]
) -> list[_Patch] | None:
    """Keys that changed in their place, that go (the first never), and that are added at the end."""
    pairs = {one.value: (one, value) for one, value in node.value if one.id == "scalar"}
    if list(pairs) != list(old) or len(pairs) != len(node.value) or not old:
        return None
    if [key for key in old if key in new] != [key for key in new if key in old]:
        return None
    names = list(old)
    found: list[_Patch] = []
    for at, name in enumerate(names):
        if name in new and old[name] == new[name]:
            continue
        if name in new:
            change = _changed(text, pairs[name][1], as_text, old[name], new[name])
        elif at:
            change = _without(text, node, pairs[names[at - 1]][1], pairs[name][1])
        else:
            change = None
        if change is None:
            return None
        found += change
    added = {key: value for key, value in new.items() if key not in old}
    if not added:
        return found
    if list(new)[-len(added) :] != list(added):
        return None
    last = pairs[names[-1]][1]
    if node.flow_style:
        if names[-1] not in new or node.end_mark.line != node.start_mark.line:
            return None
        put = "".join(
            f", {yamlwrite.key_text(key)}: {yamlwrite.flow(value, as_text)}" for key, value in added.items()
        )
        return [*found, (last.end_mark.index, last.end_mark.index, put)]
    end = _line_end(text, last)
    if end is None:
        return None
    lines = yamlwrite.block(added, node.start_mark.column, as_text)
    return [*found, (end, end, "".join(f"\n{line}" for line in lines))]


def _without(text: str, node: Any, before: Any, value: Any) -> list[_Patch] | None:
    """The end of the value before up to the end of this one: a comment between them belongs to neither."""
    if node.flow_style:
        start, end = before.end_mark.index, value.end_mark.index
        return [(start, end, "")] if "#" not in text[start : value.start_mark.index] else None
    start, last = _line_end(text, before), _line_end(text, value)
    if (
        start is None
        or last is None
        or text[start:last].count("\n#")
        or text[start + 1 : last].startswith("\n")
    ):
        return None
    return [(start, last, "")]


def _line_end(text: str, node: Any) -> int | None:
    """Where the line ends on which a value does, its comment included."""
    while node.id != "scalar" and not node.flow_style:
        if not node.value:
            return None
        last = node.value[-1]
        node = last[1] if node.id == "mapping" else last
    if node.id == "scalar" and node.style in ("|", ">"):
        return None  # blank lines behind it may be part of it
    end = text.find("\n", node.end_mark.index)
    return len(text) if end < 0 else end
