"""The Search area's own widgets: the query field with its frame, the choices under it, the why panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.highlighter import Highlighter
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.suggester import Suggester
from textual.widgets import Input, Static

from memex_core.model.clock import today
from memex_tui.pages import Reading
from memex_tui.render.line import Line, line_width, marked_runs, spread
from memex_tui.render.text import content, cut, fit, pad, printable, width
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.search import presenter
from memex_tui.screens.search.presenter import Offer, Part, ResultRow
from memex_tui.widgets.rows import RowState

STATUS_SLACK = 8  # cells that may stay empty beside the status
SPARKS_FROM = 66  # cells of a row from which its score is drawn too


def draw_row(row: ResultRow, cells: int, state: RowState, lines: int) -> Sequence[Line]:
    """A result in two or three lines."""
    right: Line = [(f"{row.sign} ", ("row--accent",)), (fit(printable(row.kind), 10), ("row--muted",))]
    if row.draft:
        right.append(("draft ", ("row--warn",)))
    if row.sparks and cells >= SPARKS_FROM:
        right.append((f" {row.sparks}", ("row--faint",)))
    if row.score:
        right.append((f"{row.score:>6}", ("row--number",)))
    first = spread([(printable(row.title), ("row--title",))], right, cells)
    snippet = marked_runs(row.snippet, ("row--muted",), ("row--match",))
    last: Line = [("  ", ()), *snippet]
    if lines == 2:
        return [first, last]
    when = presenter.age(row.hit["updated"] or row.hit["date"], today())
    keep = "tail" if row.hit["kind"] == "page" else "head"
    where: Line = [("  ", ()), (cut(printable(row.where), max(cells - 14, 10), keep=keep), ("row--path",))]
    return [first, spread(where, [(when, ("row--faint",))], cells), last]


class _Roles(Highlighter):
    """Colours the pieces of a query by their role."""

    def __init__(self, field: QueryInput) -> None:
        self.field = field

    def highlight(self, text: Text) -> None:
        for chip in presenter.chips(text.plain):
            text.stylize(self.field.get_component_rich_style(f"query--{chip.role}"), chip.start, chip.end)


class _Ghost(Suggester):
    """The rest of what is being typed, after the caret."""

    def __init__(self, ghost: Callable[[str], str]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._rest = ghost

    async def get_suggestion(self, value: str) -> str | None:
        rest = self._rest(value)
        return value + rest if rest else None


class QueryInput(Input):
    """The text field of the query."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "query--operator",
        "query--value",
        "query--phrase",
        "query--excluded",
    }

    # As in Input, but for the layout: the field's size never depends on its text, and to arrange the
    # screen anew for each letter costs more than to find it.
    value: Reactive[str] = Reactive("", init=False)
    virtual_size: Reactive[Size] = Reactive(Size(0, 0))

    def __init__(self, ghost: Callable[[str], str]) -> None:
        super().__init__(placeholder="Search pages, diary and conversations", compact=True, id="query")
        self.cursor_blink = False  # a blinking cursor writes to the terminal for ever
        self.highlighter = _Roles(self)
        self.suggester = _Ghost(ghost)

    def replace_span(self, start: int, end: int, text: str) -> None:
        """Put ``text`` in place of a part of the query, the caret after it."""
        self.value = self.value[:start] + text + self.value[end:]
        self.cursor_position = start + len(text)


class QueryEdge(LineBar):
    """The upper or lower line of the query's frame, with words in it."""

    NAMES = "frame title hint note"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"bar--{name}" for name in NAMES.split()}

    def __init__(self, ends: str, *, id: str) -> None:
        super().__init__(id=id)
        self._ends = ends
        self._title = ""
        self._words: Sequence[str] = ()
        self._plain = False

    def show(self, title: str = "", words: Sequence[str] = (), *, plain: bool = False) -> None:
        """``title`` at the left, ``words`` at the right; ``plain`` ones cannot be clicked."""
        self._title, self._words, self._plain = title, words, plain
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        left, right = self._ends[0], self._ends[1]
        line: Line = [(f"{left}─", ("bar--frame",))]
        if self._title:
            line.append((f" {self._title} ", ("bar--title",)))
        words = list(self._words)
        while words and line_width(line) + sum(width(word) + 2 for word in words) + 3 > cells:
            words.pop()
        tail = sum(width(word) + 2 for word in words)
        x = cells - 2 - tail
        line.append(("─" * max(x - line_width(line), 0), ("bar--frame",)))
        for word in words:
            if not self._plain:
                self.hit(x, x + width(word) + 2, word)
            line.append((f" {word} ", ("bar--note" if self._plain else "bar--hint",)))
            x += width(word) + 2
        line.append((f"─{right}", ("bar--frame",)))
        return [line]


class QueryStatus(Static):
    """How much was found, at the right of the query."""

    def __init__(self) -> None:
        super().__init__("", id="query-status", markup=False)

    def show(self, text: str) -> None:
        """Say it. A text a little shorter keeps its place, so that the screen is not arranged anew."""
        room = self.size.width
        if text and 0 <= room - width(text) <= STATUS_SLACK:
            self.update(content(pad(text, room, align="right")), layout=False)
        else:
            self.update(content(text))


class QueryBox(Vertical):
    """The query in its frame: operators above, what was found at the right, remarks below."""

    def __init__(self, ghost: Callable[[str], str]) -> None:
        super().__init__(id="query-box")
        self._ghost = ghost

    def compose(self) -> ComposeResult:
        yield QueryEdge("╭╮", id="query-top")
        with Horizontal(id="query-row"):
            yield Static("│ ", classes="query-side", markup=False)
            yield Static("❯ ", id="query-sign", markup=False)
            yield QueryInput(self._ghost)
            yield QueryStatus()
            yield Static(" │", classes="query-side", markup=False)
        yield QueryEdge("╰╯", id="query-bottom")

    def on_mount(self) -> None:
        self.query_one("#query-top", QueryEdge).show("search", presenter.HINTS)
        self.query_one("#query-bottom", QueryEdge).show()


class Choices(LineBar):
    """The values an operator can take, under the caret."""

    NAMES = "choice current count"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"bar--{name}" for name in NAMES.split()}

    class Taken(Message):
        """A choice was clicked."""

        def __init__(self, choice: str) -> None:
            super().__init__()
            self.choice = choice

    def __init__(self) -> None:
        super().__init__(id="choices")
        self.offer: Offer = presenter.NOTHING
        self.at = 0
        self.moved = False
        self.display = False

    def open(self, offer: Offer, x: int, y: int) -> None:
        """Show the choices of an offer with their left upper corner at a cell of the screen."""
        if offer.choices != self.offer.choices:
            self.at, self.moved = 0, False
        self.offer = offer
        cells = max(width(printable(choice)) for choice in offer.choices) + 2
        self.styles.width = cells
        self.styles.height = len(offer.choices)
        self.styles.offset = (max(min(x, self.app.size.width - cells - 1), 0), y)
        self.display = True
        self._drawn = None
        self.update()

    def close(self) -> None:
        self.display = False
        self.offer, self.at, self.moved = presenter.NOTHING, 0, False

    def move(self, by: int) -> None:
        self.at = (self.at + by) % max(len(self.offer.choices), 1)
        self.moved = True
        self.update()

    @property
    def choice(self) -> str:
        return self.offer.choices[self.at] if self.offer.choices else ""

    def lines(self, cells: int) -> Sequence[Line]:
        lines: list[Line] = []
        for number, choice in enumerate(self.offer.choices):
            self.hit(0, cells, choice, number)
            names = ("bar--current",) if number == self.at else ("bar--choice",)
            lines.append([(fit(f" {printable(choice)} ", cells), names)])
        return lines

    def on_click(self, event: events.Click) -> None:
        value = self.value_at(event.x, event.y)
        if value is not None:
            event.stop()
            self.post_message(self.Taken(value))


class WhyPanel(LineBar):
    """Why a result was found: its score in bars, its words, where it comes from, what links to it."""

    NAMES = "label text faint match link"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"bar--{name}" for name in NAMES.split()),
        "why--bar",
        "why--rest",
    }

    def __init__(self) -> None:
        super().__init__(id="why", classes="pane")
        self.border_title = "why this result"
        self._row: ResultRow | None = None
        self._page: Reading | None = None

    def show(self, row: ResultRow | None, page: Reading | None = None) -> None:
        """Explain a row; ``page`` when it has been read."""
        self._row = row
        self._page = page if page is not None or row is None else None
        self.update()

    def _bars(self, parts: Sequence[Part], cells: int) -> list[Line]:
        size = max(min(presenter.BAR, cells - 40), 6)
        lines: list[Line] = []
        for part in parts:
            line: Line = [(fit(part.name, 10), ("bar--label",)), *presenter.bar(part.share, size)]
            line += [(f" {part.value:>5} ", ("bar--text",)), (f" {part.note}", ("bar--faint",))]
            lines.append(line)
        return lines

    def lines(self, cells: int) -> Sequence[Line]:
        row = self._row
        if row is None:
            return [[] for _ in range(self.size.height)]
        cells -= 1
        room = max(self.size.height, 3)
        facts: list[Line] = []
        hit = row.hit
        if hit["matched"]:
            facts.append(_words(presenter.words_of(hit)))
        if dropped := presenter.dropped_of(hit):
            facts.append(_fact("without", [" · ".join(map(printable, dropped))], "bar--faint"))
        if route := presenter.route_of(hit):
            facts.append(_fact("route", [printable(route)], "bar--text"))
        page = self._page
        if page is not None:
            facts.append(_fact("evidence", [evidence(page)], "bar--text"))
            names = [printable(one.title) for one in page.backlinks[:6]]
            more = len(page.backlinks) - len(names)
            text = " · ".join(names) + (f" · +{more}" if more > 0 else "")
            facts.append(_fact("links", [f"{len(page.backlinks)} in · {page.links_out} out"], "bar--text"))
            if names:
                facts.append(_fact("from", [text], "bar--link"))
        bars = self._bars(presenter.parts_of(hit["why"]), cells)[: max(room - len(facts), 2)]
        if not bars and not hit["matched"]:
            bars = [[("listed as one of the newest; nothing was asked", ("bar--faint",))]]
        lines: list[Line] = [[(" ", ()), *line] for line in [*bars, *facts]]
        return [*lines, *([] for _ in range(room - len(lines)))][:room]  # as many each time: few are redrawn


def _words(words: Sequence[tuple[str, str]]) -> Line:
    line: Line = [(fit("matched", 10), ("bar--label",))]
    for number, (word, count) in enumerate(words):
        line += [(" · " if number else "", ("bar--faint",)), (printable(word), ("bar--match",))]
        line.append((f" {count}" if count else "", ("bar--faint",)))
    return line


def _fact(label: str, texts: Sequence[str], name: str) -> Line:
    return [(fit(label, 10), ("bar--label",)), *((text, (name,)) for text in texts)]


def evidence(page: Reading) -> str:
    """How many turns prove the page: ``❝ 2 turns in 2 sessions``."""
    if not page.turns:
        return "no turn is named as its source"
    sessions = len({session for session, _ in page.turns})
    turns = len(page.turns)
    return f"❝ {turns} turn{'s' * (turns > 1)} in {sessions} session{'s' * (sessions > 1)}"
