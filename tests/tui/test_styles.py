"""Rules of the style sheets that Textual would silently not follow."""

from __future__ import annotations

import re
from pathlib import Path

import memex_tui

SHEETS = sorted(Path(memex_tui.__file__).parent.rglob("*.tcss"))
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SELECTORS = re.compile(r"([^{};]+)\{")


def selectors() -> list[str]:
    """Every selector of every sheet, one for each comma."""
    texts = (_COMMENT.sub("", sheet.read_text(encoding="utf-8")) for sheet in SHEETS)
    groups = (found[1] for text in texts for found in _SELECTORS.finditer(text))
    return [" ".join(one.split()) for group in groups for one in group.split(",")]


def test_what_shows_the_focus_inside_has_a_rule_of_its_own() -> None:
    """When the focus moves, Textual restyles what is inside the outermost widget that has a rule ending in
    its own :focus-within. Without one, what such a widget holds keeps the look it had."""
    found = selectors()
    ends = {one.split()[-1] for one in found}
    holders = {part for one in found for part in one.split()[:-1] if part.endswith(":focus-within")}
    assert {"#query-box:focus-within", "#filter-line:focus-within"} <= holders
    assert holders <= ends
