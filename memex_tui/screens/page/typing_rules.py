"""What the keys of the editor do to Markdown: going on with a list, indenting, moving the caret."""

from __future__ import annotations

import re
from typing import NamedTuple

# Caret and deletion keys that the editor keeps to itself: action and whether it selects.
EDIT_KEYS: dict[str, tuple[str, bool]] = {
    "up": ("cursor_up", False),
    "down": ("cursor_down", False),
    "left": ("cursor_left", False),
    "right": ("cursor_right", False),
    "shift+up": ("cursor_up", True),
    "shift+down": ("cursor_down", True),
    "shift+left": ("cursor_left", True),
    "shift+right": ("cursor_right", True),
    "ctrl+left": ("cursor_word_left", False),
    "ctrl+right": ("cursor_word_right", False),
    "alt+left": ("cursor_word_left", False),
    "alt+right": ("cursor_word_right", False),
    "ctrl+shift+left": ("cursor_word_left", True),
    "ctrl+shift+right": ("cursor_word_right", True),
    "home": ("cursor_line_start", False),
    "end": ("cursor_line_end", False),
    "ctrl+a": ("cursor_line_start", False),
    "ctrl+e": ("cursor_line_end", False),
    "shift+home": ("cursor_line_start", True),
    "shift+end": ("cursor_line_end", True),
    "pageup": ("cursor_page_up", False),
    "pagedown": ("cursor_page_down", False),
    "ctrl+home": ("cursor_text_start", False),
    "ctrl+end": ("cursor_text_end", False),
    "f6": ("select_line", False),
    "f7": ("select_all", False),
    "backspace": ("delete_left", False),
    "delete": ("delete_right", False),
    "ctrl+d": ("delete_right", False),
    "ctrl+w": ("delete_word_left", False),
    "ctrl+backspace": ("delete_word_left", False),
    "alt+backspace": ("delete_word_left", False),
    "alt+delete": ("delete_word_right", False),
    "ctrl+u": ("delete_to_start_of_line", False),
    "ctrl+x": ("cut", False),
    "ctrl+c": ("copy", False),
    "ctrl+v": ("paste", False),
}

_LEAD = re.compile(
    r"(?P<before>[ \t]*(?:>[ ]?)*)(?P<mark>[-+*]|\d{1,9}[.)])(?P<gap>[ \t]+)(?P<task>\[.\][ \t]+)?"
)
_QUOTE = re.compile(r"[ \t]*(?:>[ ]?)+")
_INDENT = re.compile(r"[ \t]*")


class Typed(NamedTuple):
    """Text to put in the place of the ``remove`` characters before the caret."""

    text: str
    remove: int = 0


def after_enter(line: str, column: int, *, in_code: bool = False) -> Typed:
    """What Enter types with the caret at ``column`` of ``line``: lists, tasks and quotes go on.

    On an item without text the marker goes away instead. In code only the indentation is kept.
    """
    head = line[:column]
    indent = _INDENT.match(head)
    assert indent is not None
    if in_code:
        return Typed("\n" + indent[0])
    item = _LEAD.match(line)
    if item and item.end() <= column:
        if not line[item.end() :].strip():
            return Typed(item["before"] if ">" in item["before"] else "", column)
        mark = item["mark"]
        if mark[:-1].isdigit():
            mark = f"{int(mark[:-1]) + 1}{mark[-1]}"
        task = "[ ] " if item["task"] else ""
        return Typed(f"\n{item['before']}{mark}{item['gap']}{task}")
    quote = _QUOTE.match(line)
    if quote and quote.end() <= column:
        if not line[quote.end() :].strip():
            return Typed("", column)
        return Typed("\n" + quote[0])
    return Typed("\n" + indent[0])


def indented(line: str, size: int, *, less: bool = False) -> str:
    """The line one step further in, or out. Items move by the width of their marker."""
    item = _LEAD.match(line)
    step = len(item["mark"]) + len(item["gap"]) if item and item["gap"] != "\t" else size
    step = min(step, size)
    if not less:
        return " " * step + line
    if line.startswith("\t"):
        return line[1:]
    spaces = len(line) - len(line.lstrip(" "))
    return line[min(spaces, step) :]


def is_item(line: str) -> bool:
    """Whether Tab indents the line as a whole."""
    return _LEAD.match(line) is not None
