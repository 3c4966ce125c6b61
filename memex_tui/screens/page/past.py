"""A page as it was at one moment: read like any other, with a sign beside each line that changed in it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from memex_core.actions.history.past import ABSENT, KEPT, Changes, PagePast, changes
from memex_core.files import frontmatter
from memex_core.files.decoding import unix
from memex_core.files.reading import read_page
from memex_tui.render.markdown.model import Hooks, Property
from memex_tui.screens.page import presenter
from memex_tui.screens.page.diffs import DiffLine, parsed
from memex_tui.widgets.markdown_view import MarkdownView
from memex_tui.widgets.page_scroll import Mark

PAGE, IN_IT, SINCE = "page", "in it", "since"
WAYS = {PAGE: "the page", IN_IT: "changed in it", SINCE: "changed since"}
CAME, WENT = "▌", "▁"
_NO_TEXT = (
    "*Its text of then is not kept: memex keeps what it replaces itself, and this was changed outside.*\n"
)
_NO_PAGE = "*There was no page.*\n"


class PastPage(NamedTuple):
    """A page of then, ready to be read; ``marks`` by the line of the file."""

    path: str
    title: str
    body: str
    first_line: int
    properties: tuple[Property, ...]
    marks: Mapping[int, Mark]


class Shown(NamedTuple):
    """An answer: the page of then, or the lines of a difference; with how many lines came and went."""

    way: str
    view: PastPage | Sequence[DiffLine]
    added: int
    removed: int


def shown(past: PagePast, number: int, way: str) -> Shown:
    """What there was at a moment."""
    data = past.data(number)
    if way == SINCE:
        old, new = data, past.data(len(past.moments) - 1)
    else:
        old, new = past.before(number), data
    before, after = _lines(old), _lines(new)
    found = changes(before, after)
    if way == PAGE:
        return Shown(way, _page(past, number, data, found), found.added, found.removed)
    return Shown(way, _difference(before, after), found.added, found.removed)


def _lines(data: bytes | None) -> list[str]:
    return unix(data.decode("utf-8", "replace")).split("\n") if data else []


def _difference(before: Sequence[str], after: Sequence[str]) -> list[DiffLine]:
    """Cut to what lies between the equal ends: comparing grows with the square of the rest."""
    return parsed("\n".join(difflib.unified_diff(before, after, lineterm="")))


def _page(past: PagePast, number: int, data: bytes | None, found: Changes) -> PastPage:
    moment = past.moments[number]
    if moment.state != KEPT or data is None:
        text = _NO_PAGE if moment.state == ABSENT else _NO_TEXT
        return PastPage(moment.path, moment.path.rpartition("/")[2], text, 1, (), {})
    front = frontmatter.read(data)
    title = read_page(moment.path, data).title
    properties = tuple(presenter.shown_properties(front.fields))
    return PastPage(moment.path, title, front.body, front.body_line, properties, marks_of(found))


def marks_of(found: Changes) -> dict[int, Mark]:
    """The signs beside changed lines, by line from 1. A line that went leaves its sign at the one before."""
    marks = {line or 1: Mark(WENT, "past--went") for line in found.went}
    marks.update((line + 1, Mark(CAME, "past--came")) for line in found.came)
    return marks


class PastReader(MarkdownView):
    """The page of one moment after the other; what stands at the top stays there."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"past--came", "past--went"}
    DEFAULT_CSS = """
    PastReader {
        & > .past--came { color: $text-success; }
        & > .past--went { color: $text-error; }
    }
    """

    def __init__(self, *, id: str, classes: str) -> None:
        super().__init__(gutter=2, id=id, classes=classes)

    def show(self, page: PastPage, hooks: Hooks | None, *, anew: bool) -> None:
        """Show a moment's page; with changes, as many of them as there is room for."""
        if anew:
            self.set_page(page.body, first_line=page.first_line, properties=page.properties, hooks=hooks)
        else:
            self.replace_page(page.body, first_line=page.first_line, properties=page.properties)
        self.set_marks(page.marks)
        lines = [line for line in page.marks if line >= page.first_line]
        if lines:
            self.reveal_line(min(lines))
