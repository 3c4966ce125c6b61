"""Single entries put into JSON settings and taken out again; every byte of other people's stays.

What :func:`insert` writes goes after the last entry and its comments, in the style of what stands there;
:func:`remove` takes just that away. An emptied container is the one thing that the text alone cannot undo:
whether it was there before, and how it was written, ``before`` tells.
"""

from __future__ import annotations

import json
from typing import Any

from memex_core.harness.setup.jsonc import Child, Node, is_blank, last_comment, parse

Path = tuple[str, ...]


def insert(text: str, path: Path, key: str | None, value: Any) -> str:
    """``text`` with a member (of an array, for None: an item) more at the end of the container at ``path``.

    Missing containers on the way are made; the last one is an array when ``key`` is None. A blank text
    becomes an object. Raises JsonError, and KeyError when something else stands in a container's place.
    """
    text = _begun(text)
    for depth in range(1, len(path) + 1):
        if parse(text).at(path[:depth]) is None:
            last = depth == len(path) and key is None
            text = _insert(text, path[: depth - 1], path[depth - 1], [] if last else {})
    return _insert(text, path, key, value)


def replace(text: str, node: Node, value: Any) -> str:
    """``text`` with another value in the place of a node's."""
    style = _Style(text)
    made = style.render(value, style.indent_of_line(node.start), style.flat)
    return text[: node.start] + made + text[node.end :]


def remove(text: str, node: Node, child: Child) -> str:
    """``text`` without one child of a container, its comma and the white space before it."""
    at = node.children.index(child)
    start = child.start
    while text[start - 1] in " \t\r\n":
        start -= 1
    if child.comma >= 0:
        kept, rest = text[:start], text[child.node.end : child.comma] + text[child.comma + 1 :]
    elif at > 0:
        comma = node.children[at - 1].comma
        kept, rest = text[:comma] + text[comma + 1 : start], text[child.node.end :]
    else:
        kept, rest = text[:start], text[child.node.end :]
    after = node.start + 1 if at == 0 else node.children[at - 1].node.end
    if _ends_in_line_comment(text, after, start) and not rest.lstrip(" \t").startswith(("\n", "\r")):
        rest = _Style(text).newline + rest
    return kept + rest


def tidy(text: str, path: Path, before: str | None) -> str:
    """Undo what :func:`insert` did to the container at ``path`` besides the entry that is out again.

    ``before`` is the whole text from before the insertion, None when nothing was there. A container that
    is empty and was not there before goes, and those around it; one that was there and empty gets its
    inner white space back.
    """
    old = None if before is None or is_blank(before) else parse(before)
    while True:
        root = parse(text)
        node = root.at(path)
        if node is None or node.children:
            return text
        inner = text[node.start + 1 : node.end - 1]
        was = old.at(path) if old is not None else None
        if was is not None and before is not None:
            empty = before[was.start + 1 : was.end - 1]
            if not was.children and empty.split() == inner.split():
                inner = empty
            elif not inner.strip():
                inner = ""
            return text[: node.start + 1] + inner + text[node.end - 1 :]
        if inner.strip():
            return text  # a comment of somebody's
        if not path:
            blank = before if before is not None else ""
            return blank if _is_all(text, node) else f"{text[: node.start]}{{}}{text[node.end :]}"
        text, path = drop_empty(text, path), path[:-1]


def drop_empty(text: str, path: Path) -> str:
    """Without the container at ``path`` if it is empty and holds no comment either."""
    root = parse(text)
    holder, node = root.at(path[:-1]), root.at(path)
    child = holder.child(path[-1]) if holder is not None else None
    if holder is None or node is None or child is None or text[node.start + 1 : node.end - 1].strip():
        return text
    return remove(text, holder, child)


def _begun(text: str) -> str:
    """The text, with an object in it if there was nothing."""
    if not is_blank(text):
        return text
    gap = "" if not text.lstrip("\ufeff") or text.endswith(("\n", "\r")) else _newline(text)
    return f"{text}{gap}{{}}{_newline(text)}"


def _is_all(text: str, node: Node) -> bool:
    return is_blank(text[: node.start]) and is_blank(text[node.end :])


def _insert(text: str, path: Path, key: str | None, value: Any) -> str:
    node = parse(text).at(path)
    if node is None or node.kind != ("array" if key is None else "object"):
        raise KeyError(".".join(path))
    style = _Style(text)
    lines, indent = style.of_container(node)
    piece = style.render(value, indent, not lines)
    if key is not None:
        piece = f"{json.dumps(key, ensure_ascii=False)}{style.colon}{piece}"
    lead = style.newline + indent
    if node.children:
        last = node.children[-1]
        after = last.comma + 1 if last.comma >= 0 else last.node.end
        spot, line = last_comment(text, after, node.end - 1)
        gap = lead if lines or line else style.gap
        if last.comma >= 0:  # somebody likes a comma after the last one, too
            return f"{text[:spot]}{gap}{piece},{text[spot:]}"
        return f"{text[:after]},{text[after:spot]}{gap}{piece}{text[spot:]}"
    spot, line = last_comment(text, node.start + 1, node.end - 1)
    rest = text[spot : node.end - 1]
    if lines and "\n" not in rest:
        rest = style.newline + style.indent_of_line(node.start)
    gap = lead if lines or line else ""
    return f"{text[:spot]}{gap}{piece}{rest}{text[node.end - 1 :]}"


def _ends_in_line_comment(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]``, commas aside, ends in a comment that needs its line end."""
    spot, line = last_comment(text, start, end)
    return line and spot == end


def _newline(text: str) -> str:
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


class _Style:
    """How a document is written: its line ends, its step of indentation, whether all is on one line."""

    def __init__(self, text: str) -> None:
        root = parse(text)
        self.text = text
        self.newline = _newline(text)
        self.step = "  "
        self.flat = False
        self.colon = ": "
        self.gap = " "
        if root.children:
            first = root.children[0]
            before = text[root.start + 1 : first.start]
            self.flat = "\n" not in before
            if not self.flat:
                self.step = self.indent_of_line(first.start) or self.step
            named = [child for child in root.children if child.key]
            if named and self.flat and text[named[0].node.start - 1] == ":":
                self.colon, self.gap = ":", ""

    def indent_of_line(self, at: int) -> str:
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def of_container(self, node: Node) -> tuple[bool, str]:
        """Whether its children stand on lines of their own, and their indentation."""
        if not node.children:
            return not self.flat, self.indent_of_line(node.start) + self.step
        first = node.children[0].start
        return "\n" in self.text[node.start + 1 : first], self.indent_of_line(first)

    def render(self, value: Any, indent: str, flat: bool) -> str:
        if flat:
            separators = (",", ":") if self.colon == ":" else (", ", ": ")
            return json.dumps(value, ensure_ascii=False, separators=separators)
        made = json.dumps(value, ensure_ascii=False, indent=self.step)
        return made.replace("\n", self.newline + indent)
