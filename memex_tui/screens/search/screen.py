"""Area 1, Search: a query over a list, beside it the page under the cursor and why it was found."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Input, Static

from memex_core.model.errors import MemexError, StoreMissing
from memex_core.model.results import RecallResult
from memex_tui.messages import PagesChanged, Place
from memex_tui.render.markdown.literal import literal
from memex_tui.render.text import content_lines
from memex_tui.screens.base import AreaScreen, Item
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.search import presenter
from memex_tui.screens.search.acting import KEPT_QUERIES, SearchCommands
from memex_tui.screens.search.asking import find, values
from memex_tui.screens.search.presenter import FIRST, MOST, Offer, ResultRow
from memex_tui.screens.search.preview import Preview, preview_of
from memex_tui.screens.search.widgets import (
    Choices,
    QueryBox,
    QueryEdge,
    QueryInput,
    QueryStatus,
    WhyPanel,
    draw_row,
)
from memex_tui.widgets.markdown_view import MarkdownView
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.scrolling import set_frame
from memex_tui.widgets.virtual_list import VirtualList

DEBOUNCE = 0.04  # seconds between a key and its search, while keys keep coming
PREVIEW_AFTER = 0.03  # seconds the cursor rests on a row before its page is read
MORE_AFTER = 0.3  # seconds without a key before the rest of the hits is asked for
LOW = 12  # rows of a preview in which the match stands at the top


class SearchScreen(SearchCommands, AreaScreen):
    """Finds as you type."""

    AREA = "search"
    CSS_PATH = "search.tcss"
    AUTO_FOCUS = "#query"
    HELP_TEXT = (
        "Type to search pages, diary and conversations. Narrow with tag: type: status: project: in: path: "
        'after: before: links-to: linked-from: mentions: session: is: prop:, "exact words", -without, a OR b.'
    )

    def __init__(self) -> None:
        super().__init__()
        self._asked = ""  # the query that the results shown belong to
        self._last_key = 0.0
        self._result: RecallResult | None = None
        self._problem: MemexError | None = None
        self._problem_text = ""
        self._rows: list[ResultRow] = []
        self._values: dict[str, list[str]] = {}
        self._preview: Preview | None = None
        self._timer: Timer | None = None
        self._more_timer: Timer | None = None
        self._preview_timer: Timer | None = None
        self._wanted = ("", "")  # a query, and the row to go back to when its results are there
        self.queries: list[str] = []

    def compose_area(self) -> ComposeResult:
        yield QueryBox(self._ghost)
        with Horizontal(id="search-body"):
            with Vertical(id="results-side"):
                yield Static("", id="search-problem", markup=False)
                yield VirtualList[ResultRow](self._draw, row_height=3, jump=4, id="results", classes="pane")
            with Vertical(id="preview-side"):
                yield MarkdownView(id="preview", classes="pane")
                yield WhyPanel()
        yield Choices()

    def on_mount(self) -> None:
        self.results.border_title = "results"
        self.results.set_empty(presenter.nothing("", missing=False, pages=None))
        self.view.border_title = "preview"
        self._learn_values()
        self._search()

    @property
    def input(self) -> QueryInput:
        return self.query_one(QueryInput)

    @property
    def results(self) -> VirtualList[ResultRow]:
        return self.query_one("#results", VirtualList)

    @property
    def view(self) -> MarkdownView:
        return self.query_one("#preview", MarkdownView)

    @property
    def narrow(self) -> bool:
        return self.app.size.width < 100

    def on_resize(self, event: events.Resize) -> None:
        self.results.set_row_height(2 if event.size.width < 100 or event.size.height < 30 else 3)
        self.call_after_refresh(self._show_status)

    def refresh_frame(self) -> None:
        super().refresh_frame()
        if self.is_mounted and self._result is not None:
            self._show_status()  # it tells how many pages there are

    def _draw(self, row: ResultRow, cells: int, state: RowState) -> Sequence[Any]:
        return draw_row(row, cells, state, self.results.row_height)

    def contexts(self) -> Sequence[str]:
        if isinstance(self.focused, QueryInput):
            return ("search.input", "search")
        return ("search",)

    def allowed(self, command: str) -> bool:
        row = self.results.row if self.is_mounted else None
        if command in ("search.similar", "search.why", "search.preview"):
            return row is not None
        if command in ("search.open", "search.to-results"):
            return row is not None or (self.is_mounted and self.query_one(Choices).display)
        if command == "search.create":
            return self.is_mounted and self.can_create() and not self.query_one(Choices).display
        if command == "search.edit":
            return row is not None and row.hit["kind"] == "page"
        if command == "search.hints":
            return self.preview_shown and bool(self.view.visible_links())
        if command in ("search.next-match", "search.previous-match"):
            return bool(self.view.matches)
        if command == "search.complete":
            return self._offer().choices != ()
        return True

    def current_item(self) -> Item | None:
        row = self.results.row if self.is_mounted else None
        if row is None or row.hit["kind"] != "page":
            return None
        return Item(self._path(row), row.title, row.hit["file_path"])

    # -- searching --------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input is not self.input:
            return
        event.stop()
        self._show_choices()
        if event.value == self._asked and self._result is not None:
            return
        now = time.monotonic()
        quiet = now - self._last_key > DEBOUNCE
        self._last_key = now
        for timer in (self._timer, self._more_timer):
            if timer is not None:
                timer.stop()
        if quiet:  # the first key after a pause is answered at once
            self._search()
        else:
            self._timer = self.set_timer(DEBOUNCE, self._search)

    def _search(self, k: int = FIRST) -> None:
        query = self.input.value
        caret = self.input.cursor_position
        typing = caret == len(query)
        asked = presenter.settled(query, caret, self._values) if typing else query
        self.ask(
            "recall",
            lambda memex: find(memex, asked, k, typing=typing),
            lambda result: self._found(query, result),
            lambda error: self._search_failed(query, error),
            lane="search",
        )

    def _found(self, query: str, result: RecallResult) -> None:
        self._asked, self._result, self._problem = query, result, None
        self._rows = presenter.rows_of(result["hits"], self._folder)
        results = self.results
        back = self._wanted[1] if self._wanted[0] == query else ""
        # Another query: the best hit is the one to look at.
        results.set_rows(self._rows, lambda row: row.key, top=not results.has_focus and not back)
        if back:
            results.move_to_key(back)
            self._wanted = ("", "")
        self._show_problem()
        self._show_status()
        if not self._rows:
            self._show_preview(None)
        else:
            self._read_preview()
        if len(self._rows) == FIRST:
            self._more_timer = self.set_timer(MORE_AFTER, lambda: self._search(MOST))
        self.refresh_keys()

    def _search_failed(self, query: str, error: MemexError) -> None:
        self._asked, self._result, self._rows = query, None, []
        self._problem = error
        self.results.set_rows([])
        self._show_problem()
        self._show_status()
        self._show_preview(None)
        self.refresh_keys()

    def _show_problem(self) -> None:
        """A failed search looks like one, never like one without hits."""
        error = self._problem
        missing = isinstance(error, StoreMissing)
        pages = self._result["total_indexed"] if self._result is not None else None
        query = self.input.value
        self.results.set_empty(presenter.nothing(query, missing=missing, pages=pages))
        welcome = missing or (pages == 0 and not query.strip())
        failed = error is not None and not missing
        text = ""
        if error is not None and failed:
            text = f"The search failed: {error.message}" + (f"\n{error.hint}" if error.hint else "")
        elif welcome:
            text = presenter.WELCOME
        self.set_class(failed, "-failed")
        self.set_class(welcome, "-welcome")
        if text != self._problem_text:
            self._problem_text = text
            self.query_one("#search-problem", Static).update(content_lines(text))

    def _show_status(self) -> None:
        short = self.narrow
        text = ""
        if self._result is not None:
            text = presenter.status(
                self._result, len(self._rows), pages=self.memex_app.counters.pages, short=short
            )
        elif self._problem is not None:
            text = "no memory" if isinstance(self._problem, StoreMissing) else "failed"
        self.query_one(QueryStatus).show(text)
        order = presenter.order(self._result) if self._result is not None and self._rows else ""
        set_frame(self.results, "results", order)
        remarks = presenter.notes(self.input.value)
        warnings = list(self._result["warnings"]) if self._result is not None else []
        words = [one for one in (remarks, *warnings[:1]) if one]
        self.query_one("#query-bottom", QueryEdge).show(words=words, plain=True)

    def pages_changed(self, change: PagesChanged) -> None:
        """What is listed may read otherwise now: ask again, the cursor stays on its page."""
        self._learn_values()
        row = self.results.row
        key = row.key if row is not None else ""
        if row is not None and self._path(row) in change.renamed.values():
            new = next(new for new, old in change.renamed.items() if old == self._path(row))
            key = key.replace(self._path(row), new)
        self._wanted = (self.input.value, key)
        self._preview = None
        self._search(max(len(self._rows), FIRST) if len(self._rows) <= FIRST else MOST)

    # -- the query's operators --------------------------------------------------------------------

    def _learn_values(self) -> None:
        # Counting all tags and types takes as long as a page may take to open: not in its way.
        self.ask("values", values, self._values.update, lambda _: None, lane="care")

    def _offer(self) -> Offer:
        return presenter.offer(self.input.value, self.input.cursor_position, self._values)

    def _ghost(self, value: str) -> str:
        return self._offer().ghost if value == self.input.value else ""

    def _show_choices(self) -> None:
        offer = self._offer()
        choices = self.query_one(Choices)
        if not offer.listed or not self.input.has_focus:
            choices.close()
            return
        caret = self.input.cursor_screen_offset
        back = self.input.cursor_position - offer.start
        choices.open(offer, caret.x - back - 1, caret.y + 1)

    def _take(self, choice: str) -> None:
        offer = self._offer()
        space = "" if choice.endswith(":") else " "
        self.query_one(Choices).close()
        self.input.focus()
        self.input.replace_span(offer.start, offer.end, choice + space)

    def on_choices_taken(self, event: Choices.Taken) -> None:
        event.stop()
        self._take(event.choice)

    def on_line_bar_chosen(self, event: LineBar.Chosen) -> None:
        if isinstance(event.bar, QueryEdge):
            event.stop()
            event.prevent_default()
            field = self.input
            gap = "" if not field.value or field.value.endswith(" ") else " "
            word = event.value.replace("word", "").replace("phrase", "")
            field.focus()
            field.replace_span(len(field.value), len(field.value), gap + word)
            if word == '""':
                field.cursor_position -= 1

    # -- preview and why --------------------------------------------------------------------------

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if self._preview_timer is not None:
            self._preview_timer.stop()
        self._preview_timer = self.set_timer(PREVIEW_AFTER, self._read_preview)
        self.refresh_keys()

    def _read_preview(self) -> None:
        row = self.results.row
        if row is None or not self.preview_shown:
            return
        shown = self._preview
        if shown is not None and (shown.key, shown.query) == (row.key, self._asked):
            return
        query, path = self._asked, self._path(row)
        self.ask(
            "preview",
            lambda memex: preview_of(memex, row, path, query),
            self._show_preview,
            lambda error: self._preview_failed(row, error),
        )

    def _show_preview(self, preview: Preview | None) -> None:
        before = self._preview
        self._preview = preview
        view = self.view
        why = self.query_one(WhyPanel)
        row = self.results.row
        if preview is None:
            view.set_page("")
            set_frame(view, "preview")
            why.show(row)
            return
        same = before is not None and before.key == preview.key and before.text == preview.text
        if not same:
            view.set_page(preview.text, first_line=preview.first_line, hooks=preview.hooks)
        count = view.search(preview.marks)
        if count and row is not None:
            if preview.line and view.size.height < LOW:
                view.scroll_to_line(preview.line)
            elif preview.line:
                view.reveal_line(preview.line)
            match = view.next_match()
            for _ in range(count):  # the match of the hit, not one before it in sight
                if match is None or match.line >= preview.line:
                    break
                match = view.next_match()
        self._show_matches()
        why.show(row, preview.page)
        self.refresh_keys()

    def _show_matches(self) -> None:
        view, count = self.view, len(self.view.matches)
        matches = f"{view.current_match + 1}/{count} matches" if count else ""
        set_frame(view, f"preview · {self._preview.title}" if self._preview else "preview", matches)

    def _preview_failed(self, row: ResultRow, error: MemexError) -> None:
        self._preview = None
        self.query_one(WhyPanel).show(row)
        set_frame(self.view, f"preview · {row.title}")
        self.view.set_page(
            f"> {literal(error.message)}\n" + (f">\n> {literal(error.hint)}\n" if error.hint else "")
        )

    @property
    def preview_shown(self) -> bool:
        return not self.has_class("-no-preview")

    # -- places and state -----------------------------------------------------------------------------

    async def visit(self, place: Place) -> None:
        if place.query != self.input.value:
            self._wanted = (place.query, str(place.extra.get("row", "")))
            self._set_query(place.query)
        elif place.extra.get("row"):
            self.results.move_to_key(str(place.extra["row"]))

    def place(self) -> Place:
        query = self.input.value if self.is_mounted else ""
        row = self.results.key if self.is_mounted else ""
        return Place("search", query=query, title=f"“{query}”" if query else "Search", extra={"row": row})

    def save_state(self) -> Mapping[str, Any]:
        return {
            "query": self.input.value,
            "caret": self.input.cursor_position,
            "row": self.results.key,
            "focus": "results" if self.results.has_focus else "query",
            "preview": self.preview_shown,
            "queries": self.queries,
        }

    def restore_state(self, state: Mapping[str, Any]) -> None:
        queries = state.get("queries")
        if isinstance(queries, list):
            self.queries = [one for one in queries if isinstance(one, str)][:KEPT_QUERIES]
        self.set_class(state.get("preview") is False, "-no-preview")
        query, caret, row = state.get("query"), state.get("caret"), state.get("row")
        if isinstance(row, str) and isinstance(query, str):
            self._wanted = (query, row)
        if isinstance(query, str) and query:
            self.input.value = query
            self.input.cursor_position = min(caret, len(query)) if isinstance(caret, int) else len(query)
        if state.get("focus") == "results":
            self.results.focus()
