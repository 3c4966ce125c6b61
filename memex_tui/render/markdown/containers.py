"""Quotes, callouts, list items and footnotes: what they contain, and what stands in front of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from memex_tui.render.line import Run
from memex_tui.render.markdown.blocks import split
from memex_tui.render.markdown.model import Block, Frame, Item
from memex_tui.render.text import head, width

KINDS = frozenset({"item", "quote", "footnote"})
BULLETS = "•◦▪"

_CALLOUT = re.compile(r"\[!([A-Za-z][\w-]*)[^\]]*\]([+-]?)[ \t]*(.*)$")
_QUOTED = re.compile(r" {0,3}> ?")
_TASK = re.compile(r"\[.\](?:[ \t]+|$)")

# Task characters that themes of Obsidian agree on; any other one is shown as it is.
_TASKS = {
    " ": ("☐", "md--task-open", ()),
    "x": ("☑", "md--task-done", ("md--done",)),
    "X": ("☑", "md--task-done", ("md--done",)),
    "/": ("◐", "md--task-part", ()),
    "-": ("☒", "md--task-done", ("md--dropped",)),
    ">": ("▷", "md--task-part", ()),
    "<": ("◁", "md--task-part", ()),
    "!": ("▲", "md--task-part", ()),
    "?": ("?", "md--task-part", ()),
    "*": ("★", "md--task-part", ()),
}

_CALLOUTS = {
    "note": ("note", "✎"), "info": ("note", "ℹ"), "todo": ("note", "☐"),
    "abstract": ("note", "≡"), "summary": ("note", "≡"), "tldr": ("note", "≡"),
    "tip": ("tip", "✦"), "hint": ("tip", "✦"), "important": ("important", "✦"),
    "success": ("tip", "✓"), "check": ("tip", "✓"), "done": ("tip", "✓"),
    "question": ("warning", "?"), "help": ("warning", "?"), "faq": ("warning", "?"),
    "warning": ("warning", "▲"), "caution": ("danger", "▲"), "attention": ("warning", "▲"),
    "failure": ("danger", "✗"), "fail": ("danger", "✗"), "missing": ("danger", "✗"),
    "danger": ("danger", "✗"), "error": ("danger", "✗"), "bug": ("danger", "✗"),
    "example": ("important", "≡"), "quote": ("quote", "❝"), "cite": ("quote", "❝"),
}  # fmt: skip


class Callout(NamedTuple):
    """The title line of a callout. ``fold`` is ``+``, ``-`` or empty (cannot be folded)."""

    name: str
    fold: str
    title: str
    style: str  # component class of bar and title
    icon: str


def callout(block: Block) -> Callout | None:
    """The callout that a quote block is, or None when it is a plain quote."""
    match = _CALLOUT.match(_QUOTED.sub("", block.src[block.start], count=1))
    if match is None:
        return None
    name = match[1].lower()
    style, icon = _CALLOUTS.get(name, ("note", "✎"))
    title = match[3].strip() or match[1].replace("-", " ").capitalize()
    return Callout(name, match[2], title, f"md--callout-{style}", icon)


def folded(block: Block, found: Callout, folds: Mapping[int, bool]) -> bool:
    """Whether a callout shows its title only; ``folds`` are the user's choices by source line."""
    return bool(found.fold) and folds.get(block.line, found.fold == "-")


def expand(block: Block, folds: Mapping[int, bool], depth: int = 0) -> list[Block]:
    """The blocks inside a container, each with the container's frame added to its own.

    ``depth`` is the number of list items around it. The first block takes over the gap.
    """
    if block.kind == "item":
        inner, frame = _item(block, depth)
    elif block.kind == "quote":
        return _quote(block, folds)
    else:
        inner, frame = _footnote(block)
    return framed(split(inner, block.line), block, frame)


def framed(blocks: list[Block], outer: Block, frame: Frame) -> list[Block]:
    """Put blocks into ``frame``, inside whatever frames ``outer`` has."""
    first = (*outer.frames, frame)
    rest = tuple(Frame(one.rest, one.rest, one.names, one.item) for one in first)
    if not blocks:
        blocks = [Block("empty", ("",), 0, 1, outer.line)]
    found = [blocks[0]._replace(frames=first, gap=outer.gap, gap_depth=outer.gap_depth)]
    found += [block._replace(frames=rest, gap_depth=len(first)) for block in blocks[1:]]
    return found


def _item(block: Block, depth: int) -> tuple[list[str], Frame]:
    item: Item = block.data
    lines = list(block.lines)
    text = lines[0].lstrip(" ")[len(item.marker) :] if item.marker in "-+*" else _after_number(lines[0])
    text = text.lstrip(" ")
    inner = [text]
    for line in lines[1:]:
        spaces = len(line) - len(line.lstrip(" "))
        inner.append(line[min(spaces, item.indent) :])
    if item.task:
        sign, name, names = _TASKS.get(item.task, (head(item.task, 1) or "☐", "md--task-part", ()))
        inner[0] = _TASK.sub("", text, count=1)
        bullet: Run = (f"{sign} ", (name,))
        return inner, Frame(bullet, ("  ", ()), names, True)
    if item.marker[0].isdigit():
        bullet = (f"{item.marker} ", ("md--bullet",))
        return inner, Frame(bullet, (" " * (len(item.marker) + 1), ()), (), True)
    bullet = (f"{BULLETS[min(depth, len(BULLETS) - 1)]} ", ("md--bullet",))
    return inner, Frame(bullet, ("  ", ()), (), True)


def _after_number(line: str) -> str:
    return line.lstrip(" ").lstrip("0123456789")[1:]


def _quote(block: Block, folds: Mapping[int, bool]) -> list[Block]:
    inner = [_QUOTED.sub("", line, count=1) for line in block.lines]
    found = callout(block)
    if found is None:
        bar: Run = ("▎ ", ("md--quote-bar",))
        return framed(split(inner, block.line), block, Frame(bar, bar, ("md--quote",)))
    bar = ("▎ ", (found.style,))
    title = Block("callout", inner, 0, 1, block.line, 0, found)
    body = [] if folded(block, found, folds) else split(inner[1:], block.line + 1)
    return framed([title, *body], block, Frame(bar, bar))


def _footnote(block: Block) -> tuple[list[str], Frame]:
    lines = list(block.lines)
    marker = f"[{block.data}] "
    inner = [lines[0].partition("]:")[2].strip()]
    inner += [line[4:] if line.startswith("    ") else line.strip() for line in lines[1:]]
    return inner, Frame(
        (marker, ("md--footnote",)), (" " * min(width(marker), 4), ()), ("md--footnote-text",)
    )
