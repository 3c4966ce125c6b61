"""How high a block will probably be, before it is laid out."""

from __future__ import annotations

from memex_tui.render.markdown.model import Block, Fence


def estimate(block: Block, cells: int) -> int:
    """Guess the rows of a block from the length of its lines."""
    kind, gap = block.kind, block.gap
    count = block.end - block.start
    if kind in ("definition",):
        return 0
    if kind in ("rule", "notice", "callout", "empty"):
        return 1 + gap
    if kind == "heading":
        return gap + (2 if block.data[0] == 1 else 1)
    if kind == "code":
        fence: Fence = block.data
        return gap + max(fence.stop - fence.code, 1)
    if kind == "properties":
        return min(len(block.data), 9) + 1
    room = max(cells - sum(len(frame.rest[0]) for frame in block.frames), 8)
    if type(block.data) is tuple and kind in ("text", "plain"):
        start, end = block.data  # a piece of one line
        length: int = end - start
        return gap + -(-length // room)
    if kind == "text":
        return gap + max(1, -(-sum(map(len, block.lines)) * 21 // (room * 20)))
    if kind == "table":
        return gap + count
    return gap + sum(1 + len(line) // room for line in block.lines)
