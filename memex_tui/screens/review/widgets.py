"""The panes of the Review area: the queue, what a decision is about, its hunks, checks and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.message import Message
from textual.widgets import Static

from memex_tui.render.line import Line, cut_line, line_width, spread
from memex_tui.render.text import content_lines, cut, printable, width
from memex_tui.render.wrap import wrap
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.page.diffs import LONGEST, DiffLine
from memex_tui.screens.review import layout, presenter
from memex_tui.screens.review.hunks import Change
from memex_tui.screens.review.presenter import KINDS, SIGNS, Check, Item, Proof, Row
from memex_tui.screens.sessions.presenter import when
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

STATES = {"ok": ("✓", "good"), "warn": ("!", "warn"), "fail": ("✗", "bad")}
FOUND = {True: ("✓ found", "good"), False: ("✗ not found", "bad"), None: ("not looked up", "faint")}


def draw_row(row: Row, cells: int, today: str) -> Sequence[Line]:
    """An item in two lines, or the head of a group."""
    item = row.item
    if item is None:
        return [
            [("── ", ("row--faint",)), (cut(printable(row.name), cells - 3, keep="ends"), ("row--muted",))],
            [("   ", ()), (row.about, ("row--faint",))],
        ]
    sign, colour = SIGNS.get(item.kind, ("?", "muted"))
    word = presenter.WORDS.get(item.kind, item.kind)
    left: Line = [(f"{sign} ", (f"row--{colour}",)), (printable(item.title or item.slug), ("row--title",))]
    right: Line = [(word, (f"row--{colour}",))]
    told = [printable(part) for part in (item.by, when(item.at, today) if item.at else "") if part]
    about: Line = [("  ", ()), (" · ".join(told), ("row--muted",))]
    signs: Line = [("put off", ("row--faint",))] if item.deferred else []
    return [spread(left, right, cells), spread(about, signs, cells)]


class EmptyNote(Static):
    """What is said when nothing waits."""

    def __init__(self) -> None:
        super().__init__("", id="empty-note", markup=False)

    def say(self, text: str) -> None:
        self.update(content_lines(text))


class KindBar(LineBar):
    """How many of each kind wait; a click shows only those."""

    def __init__(self) -> None:
        super().__init__(id="kinds")
        self._counts: Mapping[str, int] = {}
        self._kind = ""

    def show(self, counts: Mapping[str, int], kind: str) -> None:
        self._counts, self._kind = counts, kind
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        total = sum(self._counts.values())
        if not total:
            return []
        shown = [kind for kind in KINDS if self._counts.get(kind)]
        parts = [("", f"all {total:,}")]
        parts += [(kind, presenter.kind_counted(kind, self._counts[kind])) for kind in shown]
        if sum(width(text) + 2 for _, text in parts) >= cells:
            parts = [
                ("", f"{total:,}"),
                *((kind, f"{SIGNS[kind][0]} {self._counts[kind]:,}") for kind in shown),
            ]
        line: Line = [(" ", ())]
        x = 1
        for kind, text in parts:
            text = f" {text} "
            line.append((text, ("bar--current" if kind == self._kind else "bar--name",)))
            self.hit(x, x + width(text), f"review.only-{kind or 'all'}")
            x += width(text)
        return [line]


class About(LineBar):
    """Who proposed what, when and why, and what was found when it was looked at."""

    NAMES = "text muted faint key good warn bad accent"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"bar--{name}" for name in NAMES.split()}
    MOST = 8

    def __init__(self) -> None:
        super().__init__(id="about")
        self._item: Item | None = None
        self._today = ""
        self._session = ""

    def show(self, item: Item | None, today: str, session: str) -> None:
        """``session`` is the title of the conversation that it comes from."""
        self._item, self._today, self._session = item, today, session
        self._fit()

    def _fit(self) -> None:
        cells = self.size.width
        if cells:
            self.styles.height = max(len(self.lines(cells)), 1)
        self.update()

    def on_resize(self) -> None:
        self._drawn = None
        self._fit()

    def lines(self, cells: int) -> Sequence[Line]:
        item = self._item
        if item is None:
            return []
        sign, colour = SIGNS.get(item.kind, ("?", "muted"))
        told = [item.by or "nobody known", when(item.at, self._today) if item.at else "", self._session]
        scope = (
            item.project if item.scope == "project" else "" if item.scope in ("", "global") else item.scope
        )
        said = " · ".join(printable(part) for part in (*told, scope) if part)
        word = presenter.WORDS.get(item.kind, item.kind)
        lines: list[Line] = [
            cut_line([(f" {sign} {word} ", (f"bar--{colour}",)), (said, ("bar--muted",))], cells)
        ]
        if all(one.detail != item.why for one in item.checks):
            lines += folded("why", item.why, cells, 3)
        for key in (one for one in item.keys if one.name != "sources"):  # those stand under evidence
            said = f"{key.before} → {key.after or 'nothing'}" if key.before else f"+ {key.after}"
            lines += folded(printable(key.name), said, cells, 1)
        return [*lines, *self._checks(item.checks, cells)][: self.MOST]

    def _checks(self, checks: Sequence[Check], cells: int) -> list[Line]:
        """All that holds in one line, what does not with its reason in a line of its own."""
        lines: list[Line] = []
        good = [printable(one.name) for one in checks if one.state == "ok"]
        if good:
            line: Line = [(" checks ", ("bar--faint",))]
            for name in good:
                part: Line = [("✓ ", ("bar--good",)), (f"{name}  ", ("bar--muted",))]
                if line_width(line) + line_width(part) > cells:
                    break
                line += part
            lines.append(line)
        for one in checks:
            if one.state != "ok":
                sign, colour = STATES[one.state]
                said = printable(f"{one.name}: {one.detail}" if one.detail else one.name)
                line = [(f" {sign} {one.state} ", (f"bar--{colour}",)), (said, ("bar--text",))]
                lines.append(cut_line(line, cells))
        return lines


def folded(label: str, text: str, cells: int, most: int) -> list[Line]:
    """A labelled text in at most so many lines."""
    text = printable(text)
    if not text.strip():
        return []
    room = max(cells - len(label) - 3, 8)
    parts = [text[start:end] for start, end in wrap(text, room)]
    if len(parts) > most:
        parts = [*parts[: most - 1], cut(f"{parts[most - 1]} …", room)]
    lines: list[Line] = []
    for at, part in enumerate(parts):
        lines.append(
            [(f" {label if at == 0 else ' ' * len(label)} ", ("bar--faint",)), (part, ("bar--muted",))]
        )
    return lines


class HunkList(VirtualList[layout.Row]):
    """The rows of a change; hunks that are left out are pale."""

    class Resized(Message):
        """There is another number of cells for a row: what is shown is to be laid out anew."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"hunk--{name}" for name in "add del same head place add-word del-word taken left pale".split()
    }

    def __init__(self) -> None:
        super().__init__(self._draw_hunk, id="hunks", classes="pane", empty="")
        self.change = Change("", "")
        self._words: Mapping[str, str] | None = layout.TAKEN
        self._rows: Sequence[layout.Row] = ()
        self._spans: dict[tuple[int, int], tuple[DiffLine, DiffLine]] = {}
        self._told = 0

    def on_resize(self) -> None:
        if self.cells != self._told:
            self._told = self.cells
            self.post_message(self.Resized())

    @property
    def cells(self) -> int:
        """Cells of a row's text."""
        return max(self.scrollable_content_region.width - 3, 20)

    def show(
        self, change: Change, rows: Sequence[layout.Row], words: Mapping[str, str] | None, *, top: bool = True
    ) -> None:
        """Show a change; ``rows`` are laid out for :attr:`cells`. ``words`` say what became of a hunk; None
        where hunks are not decided one by one."""
        self._words = words
        if change is not self.change:
            self._spans = {}
        self.change, self._rows = change, rows
        self.set_rows(rows, lambda row: row.key, top=top)

    @property
    def hunk(self) -> int:
        """The number of the hunk under the cursor; -1 for none."""
        row = self.row
        return row.hunk if row is not None and row.hunk < len(self.change.hunks) else -1

    def to_hunk(self, number: int) -> None:
        """Put the cursor on the head of a hunk, all of it in sight where it fits."""
        first = layout.first_row(self._rows, number)
        after = layout.first_row(self._rows, number + 1) or len(self._rows)
        self.move_to(min(after - 1, first + max(self.size.height - 1, 0)))
        self.move_to(first)

    def _draw_hunk(self, row: layout.Row, cells: int, state: RowState) -> Sequence[Line]:
        change = self.change
        if row.kind == "@":
            side = change.hunks[row.hunk].side
            number, place, taken = layout.head_of(change, row, self._words or layout.TAKEN)
            sign = "○" if side == "old" else "●"
            right: Line = [(f"{sign} {taken}", ("hunk--left" if side == "old" else "hunk--taken",))]
            right = right if self._words else []
            return [spread([(f"{number} ", ("hunk--head",)), (f" {place}", ("hunk--place",))], right, cells)]
        line = layout.line_of(change, row, self._spans)
        if row.kind in "+-" and self._passed_over(row):
            line = [(text, ("hunk--pale",)) for text, _ in line]
        return [line]

    def _passed_over(self, row: layout.Row) -> bool:
        """Whether the line will not be as its sign says."""
        side = self.change.hunks[row.hunk].side
        return side == "old" or (side == "both" and row.kind == "-")


def draw_proof(row: Proof, cells: int, titles: Mapping[str, str]) -> Sequence[Line]:
    """Where the words are from and whether they were found there, then the words in two lines."""
    sign, colour = FOUND[row.found]
    if row.doubt:
        sign, colour = "! disputed", "bad"
    elif row.lane == "context" and row.found:
        sign, colour = "context", "warn"
    who: Line = [(f"{presenter.speaker(row.role)} ", ("row--accent",))] if row.role else []
    room = max(cells - line_width(who) - width(sign) - 2, 8)
    if row.session:
        turn = f"turn {row.turn}" if row.turn else "the whole conversation"
        rest = " · ".join(["", turn, *([row.ts[:16].replace("T", " ")] if row.ts else [])])
        name = printable(titles.get(row.session) or row.session)
        where = cut(name, max(room - width(rest), 8)) + printable(rest)
    else:
        where = printable(row.resource or row.title) or "no source"
    place: Line = [*who, (cut(where, room), ("row--path",))]
    head = spread(place, [(sign, (f"row--{colour}",))], cells)
    text = printable(row.quote or row.text[:LONGEST] or row.title or row.resource)
    said = "row--text" if row.quote else "row--muted"
    ranges = wrap(text, max(cells - 3, 8))
    parts = [text[start:end] for start, end in ranges[:2]]
    if len(ranges) > 2:
        parts[1] = cut(f"{parts[1]} …", cells - 3)
    return [head, *([("▐ ", (f"row--{colour}",)), (part, (said,))] for part in parts)]
