"""What the commands of Search do: the keys, the palette and the mouse all end here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.model.errors import StoreMissing
from memex_tui.messages import Go, Place, new_page, open_page
from memex_tui.screens.search import presenter
from memex_tui.screens.search.presenter import ResultRow
from memex_tui.screens.search.widgets import Choices, WhyPanel
from memex_tui.widgets.markdown_view import MarkdownView
from memex_tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from memex_tui.screens.base import AreaScreen as _Screen
else:
    _Screen = object

KEPT_QUERIES = 40


class SearchCommands(_Screen):
    """The handlers of the area's commands, for :class:`~memex_tui.screens.search.screen.SearchScreen`."""

    _asked: str
    _problem: Any
    _rows: list[Any]
    input: Any
    results: Any
    view: Any
    memex_app: Any
    queries: list[str]
    _preview: Any
    _take: Any
    _offer: Any
    _read_preview: Any
    _show_matches: Any

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        self._open_row()

    def do_search_open(self) -> None:
        choices = self.query_one(Choices)
        if choices.display and choices.moved:
            self._take(choices.choice)
        else:
            self._open_row()

    def can_create(self) -> bool:
        """Whether Enter writes a page: the query names one, and nothing was found by it."""
        lost = self._problem is not None and not isinstance(self._problem, StoreMissing)
        return not (self._rows or lost) and bool(presenter.title_from(self.input.value))

    def do_search_create(self) -> None:
        self.do_search_new_page()

    def _open_row(self, edit: bool = False) -> None:
        row = self.results.row
        if row is None:
            return
        self._remember()
        hit = row.hit
        if hit["kind"] == "turn":
            self.post_message(
                Go(
                    Place(
                        "sessions",
                        session=hit.get("session_id", ""),
                        turn=hit.get("turn", 0),
                        title=row.title,
                    )
                )
            )
        elif hit["kind"] == "diary":
            self.post_message(Go(Place("diary", date=hit["date"], line=hit["line"], title=row.title)))
        else:
            line = hit["line"] if self._asked.strip() else 0
            self.post_message(open_page(self._path(row), line=line, title=row.title, edit=edit))

    def _remember(self) -> None:
        query = self.input.value.strip()
        if query:
            self.queries = [query, *(one for one in self.queries if one != query)][:KEPT_QUERIES]

    def do_search_edit(self) -> None:
        self._open_row(edit=True)

    def do_search_to_results(self) -> None:
        choices = self.query_one(Choices)
        if choices.display:
            choices.move(1)
        elif self._rows:
            self.results.focus()
            if self.results.cursor == 0:
                self.results.move(1)

    def do_pane_up(self) -> None:
        results = self.results
        if results.has_focus and results.cursor == 0:
            self.input.focus()
        else:
            super().do_pane_up()

    def do_search_complete(self) -> None:
        choices = self.query_one(Choices)
        offer = self._offer()
        if choices.display:
            self._take(choices.choice)
        elif offer.choices:
            self._take(offer.choices[0])

    def do_search_leave_input(self) -> None:
        choices = self.query_one(Choices)
        if choices.display:
            choices.close()
        elif self._rows:
            self.results.focus()

    def do_search_query(self) -> None:
        self.input.focus()

    def do_search_back_to_input(self) -> None:
        self.input.focus()

    def do_search_clear(self) -> None:
        self._set_query("")

    def _set_query(self, query: str) -> None:
        field = self.input
        field.value = query
        field.cursor_position = len(query)
        field.focus()

    def do_search_recent(self) -> None:
        from memex_tui.screens.search.recent import RecentQueries

        self.app.push_screen(RecentQueries(self.queries, self._set_query))

    def do_search_new_page(self) -> None:
        title = presenter.title_from(self.input.value)
        self._remember()
        self.post_message(new_page(title))

    def do_search_similar(self) -> None:
        row = self.results.row
        if row is not None:
            self._remember()
            self._set_query(presenter.similar_query(row))

    def do_search_why(self) -> None:
        self.toggle_class("-why")
        self.call_after_refresh(self.query_one(WhyPanel).update)

    def do_search_preview(self) -> None:
        self.toggle_class("-no-preview")
        self._read_preview()

    def do_search_next_match(self) -> None:
        self.view.next_match()
        self._show_matches()

    def do_search_previous_match(self) -> None:
        self.view.next_match(-1)
        self._show_matches()

    def _path(self, row: ResultRow) -> str:
        return presenter.path_of(row.hit, self._folder)

    @property
    def _folder(self) -> str:
        layout = self.memex_app.layout
        return layout.pages if layout is not None else ""

    def do_search_hints(self) -> None:
        self.view.focus()
        self.view.show_hints()

    # -- links of the preview -----------------------------------------------------------------------

    def on_markdown_view_hint_chosen(self, event: MarkdownView.HintChosen) -> None:
        self.on_markdown_view_link_followed(event)

    def on_markdown_view_link_followed(self, event: MarkdownView.LinkFollowed) -> None:
        event.stop()
        link = event.link
        page = self._preview.page if self._preview is not None else None
        target = page.target(link) if page is not None else None
        if link.kind == "url":
            self.app.open_url(link.target)
        elif link.kind == "tag":
            self._set_query(f"tag:{link.target.lstrip('#')}")
        elif target is not None and target.path:
            self.post_message(open_page(target.path, heading=link.heading, block=link.block))
        elif target is not None:
            self.post_message(new_page(link.target))
