"""The Sessions area's own widgets: rows of the list, the filter line, and the bars of the last weeks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from typing import ClassVar

from rich.highlighter import Highlighter
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input, Static

from memex_core.index.activity import Fed
from memex_tui.render.line import Line, spread
from memex_tui.render.text import content, counted, cut, printable
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.sessions import presenter
from memex_tui.screens.sessions.filtering import chips
from memex_tui.screens.sessions.presenter import Session
from memex_tui.widgets.rows import RowState


def draw_session(one: Session, cells: int, today: str, pages: int, lines: int) -> Sequence[Line]:
    """A conversation in two or three lines: what it was about and when, how large it is, what came of it."""
    when: Line = [(presenter.when(one.started, today), ("row--muted",))]
    head = spread([(printable(one.title), ("row--title",))], when, cells)
    agent: Line = [(printable(one.agent), ("row--accent",))]
    agent.append(
        (f"{' · ' if one.agent else ''}{printable(one.project)}" if one.project else "", ("row--path",))
    )
    if not one.agent and not one.project:
        agent = [(printable(one.id), ("row--path",))]
    fed: Line = [(f"❝ {counted(pages, 'page')}", ("row--good",))] if pages else []
    size = [part for part in (presenter.length(one.started, one.ended), _tokens(one)) if part]
    if lines == 2:
        told = " · ".join([counted(one.turns, "turn"), *size])
        return [head, spread([*agent, (f"  {told}", ("row--faint",))], fed, cells)]
    told = f"{counted(one.turns, 'turn')}: {presenter.roles(one)}"
    second = spread(agent, [(" · ".join(size), ("row--faint",))], cells)
    return [head, second, spread([(told, ("row--faint",))], fed, cells)]


def _tokens(one: Session) -> str:
    return f"{presenter.short_number(one.tokens)} tokens" if one.tokens is not None else ""


def draw_page(row: Fed, cells: int, state: RowState) -> Sequence[Line]:
    """A page in one line: whether it was written in the conversation or only cites it."""
    sign = ("✎ ", ("row--accent",)) if row.wrote else ("❝ ", ("row--good",))
    turns = ", ".join(map(str, row.turns[:6])) + (" …" if len(row.turns) > 6 else "")
    cited = f"turn{'s' * (len(row.turns) > 1)} {turns}" if row.turns else printable(row.type)
    title = (cut(printable(row.title), cells), ("row--title",))
    return [spread([sign, title], [(cited, ("row--faint",))], cells)]


class _Roles(Highlighter):
    """Colours the operators of the filter line."""

    def __init__(self, field: FilterInput) -> None:
        self.field = field

    def highlight(self, text: Text) -> None:
        for chip in chips(text.plain):
            style = self.field.get_component_rich_style(f"filter--{chip.role}")
            text.stylize(style, chip.start, chip.end)


class FilterInput(Input):
    """The text field of the filter."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"filter--{name}" for name in ("operator", "value", "wrong")}

    # As in Input, but for the layout: the field's size never depends on its text.
    value: Reactive[str] = Reactive("", init=False)
    virtual_size: Reactive[Size] = Reactive(Size(0, 0))

    def __init__(self) -> None:
        hint = "words · agent: · project: · since:7d"
        super().__init__(placeholder=hint, compact=True, id="session-filter")
        self.cursor_blink = False  # a blinking cursor writes to the terminal for ever
        self.highlighter = _Roles(self)


class FilterLine(Horizontal):
    """The filter, and what came of it."""

    def __init__(self) -> None:
        super().__init__(id="filter-line")

    def compose(self) -> ComposeResult:
        yield Static("/", id="filter-sign")
        yield FilterInput()
        yield Static("", id="filter-count", markup=False)

    def say(self, text: str, *, bad: bool = False) -> None:
        self.query_one("#filter-count", Static).update(content(text))
        self.set_class(bad, "-bad")


class FindLine(Horizontal):
    """A text field under the turns, and how many of them say what stands in it."""

    def __init__(self) -> None:
        super().__init__(id="find-line")
        self.display = False

    def compose(self) -> ComposeResult:
        yield Static("/", id="turns-sign")
        field = Input(placeholder="words in these turns", compact=True, id="turns-find")
        field.cursor_blink = False
        yield field
        yield Static("", id="turns-count", markup=False)

    @property
    def field(self) -> Input:
        return self.query_one("#turns-find", Input)

    def say(self, text: str, *, bad: bool = False) -> None:
        self.query_one("#turns-count", Static).update(content(text))
        self.set_class(bad, "-bad")


class ActivityBars(LineBar):
    """A bar a day over the last weeks, the days of the session under the cursor in another colour."""

    NAMES = "muted faint accent text"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"bar--{name}" for name in NAMES.split()}

    def __init__(self) -> None:
        super().__init__(id="activity", classes="pane")
        self._counts: Sequence[int] = ()
        self._today = ""
        self._own: Collection[str] = ()

    @property
    def days(self) -> int:
        """Days that there is room for, at most half a year of whole weeks."""
        return min(max((self.size.width - 2) // 7, 1), presenter.WEEKS) * 7

    def show(self, counts: Sequence[int], today: str, own: Collection[str]) -> None:
        """Turns a day, ``today`` the last; ``own`` are the days of the session under the cursor."""
        self._counts, self._today, self._own = counts, today, own
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        if not self._counts:
            return [[], []]
        first = date.fromisoformat(self._today) - timedelta(days=len(self._counts) - 1)
        bars: Line = [(" ", ())]
        labels = [" "] * (len(self._counts) + 1)
        for place, bar in enumerate(presenter.sparks(self._counts)):
            day = first + timedelta(days=place)
            style = "bar--accent" if day.isoformat() in self._own else "bar--muted"
            bars.append((bar, (style if bar != "·" or style == "bar--accent" else "bar--faint",)))
            if day.weekday() == 0 and day.day <= 7:  # the first Monday of a month
                name = f"{day.day} {day:%b}"
                if place + 1 + len(name) <= len(labels):
                    labels[place + 1 : place + 1 + len(name)] = name
        return [bars, [("".join(labels), ("bar--faint",))]]
