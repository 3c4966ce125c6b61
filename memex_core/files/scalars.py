"""Single values inside a front matter block, each changed where it stands.

``surgeon.set_keys`` writes a key's value anew. For one name in a list of links that would be too much:
the comments, quotes and line breaks around it belong to whoever wrote them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from memex_core.files import frontmatter, yamlwrite
from memex_core.files.decoding import raw_bytes, raw_text
from memex_core.model.page import Value

Path = tuple[str | int, ...]
"""Where a value stands: keys of maps and places in lists, from the top of the block."""

SLUG_KEYS = ("supersedes", "superseded_by", "parent", "depends_on", "implements")
"""Front matter keys whose values are names of pages, in brackets or without."""

Change = Callable[[Path, str], str | None]


def names_a_page(path: Path) -> bool:
    """Whether the value at ``path`` of a front matter is a page's name without brackets."""
    if path[0] == "links":
        return len(path) == 3 and path[2] == "target"
    return path[0] in SLUG_KEYS and len(path) <= 2


def replace_scalars(data: bytes, change: Change) -> tuple[bytes, list[tuple[Path, int, str, str]]]:
    """The file with the texts changed for which ``change(path, text)`` gives another one.

    Returns the new bytes and ``(path, line, before, after)`` of each change, line counted in the file.
    Values that cannot be changed alone (block texts, anchors, aliases), and blocks other than YAML,
    are left as they are; so is the file when it would not read as it should afterwards.
    """
    found = frontmatter.read(data)
    if found.kind != "yaml":
        return data, []
    text = raw_text(data[found.block_start : found.block_end])
    first = data.count(b"\n", 0, found.block_start) + 1
    pieces: list[str] = []
    done: list[tuple[Path, int, str, str]] = []
    expected: Value = found.fields
    at = 0
    for path, node, flow in _scalars(text):
        start, end = node.start_mark.index, node.end_mark.index
        after = change(path, node.value)
        if (
            after is None
            or after == node.value
            or node.style in ("|", ">")
            or text[start : start + 1] in "&!"
        ):
            continue
        quote = node.style if node.style in ("'", '"') else ""
        pieces += [text[at:start], yamlwrite.scalar(after, flow=flow, as_text=True, quote=quote)]
        at = end
        done.append((path, first + node.start_mark.line, node.value, after))
        expected = _with(expected, path, after)
    if not done:
        return data, []
    block = raw_bytes("".join(pieces) + text[at:])
    out = data[: found.block_start] + block + data[found.block_end :]
    read = frontmatter.read(out)
    same = read.fields == expected and out[read.body_offset :] == data[found.body_offset :]
    return (out, done) if same else (data, [])


def _scalars(text: str) -> Iterator[tuple[Path, Any, bool]]:
    """The values of a block that are texts, in file order, and whether each stands in ``[…]`` or ``{…}``."""
    import yaml

    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return
    seen: set[int] = set()
    todo: list[tuple[Path, Any, bool]] = [((), root, False)]
    while todo:
        path, node, flow = todo.pop()
        if node is None or id(node) in seen:
            continue  # an alias: its text stands at the anchor
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            yield path, node, flow
            continue
        flow = flow or bool(node.flow_style)
        if isinstance(node, yaml.MappingNode):
            todo += [((*path, str(key.value)), value, flow) for key, value in reversed(node.value)]
        else:
            todo += [((*path, place), item, flow) for place, item in reversed(list(enumerate(node.value)))]


def _with(value: Value, path: Path, text: str) -> Value:
    """A copy of ``value`` in which ``text`` stands at ``path``."""
    if not path:
        return text
    step, rest = path[0], path[1:]
    if isinstance(value, dict) and isinstance(step, str) and step in value:
        return {key: _with(item, rest, text) if key == step else item for key, item in value.items()}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return [_with(item, rest, text) if place == step else item for place, item in enumerate(value)]
    return value
