"""Peek cards: a page read without leaving the place one is at. Cards stack, Esc peels them off."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from memex_core.model.errors import MemexError
from memex_tui.messages import Peek, new_page, open_page
from memex_tui.pages import Reading, read
from memex_tui.render.markdown.literal import literal
from memex_tui.render.markdown.model import Link
from memex_tui.render.text import content
from memex_tui.screens.overlays.base import Overlay
from memex_tui.widgets.markdown_view import MarkdownView


class PeekCard(Overlay):
    """Enter opens the page, ``f`` puts hints on its links, ``K`` then a hint stacks another card."""

    def __init__(self, peek: Peek) -> None:
        super().__init__()
        self._peek = peek
        self._page: Reading | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="card peek") as card:
            yield MarkdownView(max_cells=90)
        card.border_title = content(self._peek.path)
        card.border_subtitle = "⏎ open · f follow · K peek a link · esc close"
        self._card = card

    def on_mount(self) -> None:
        depth = sum(isinstance(screen, PeekCard) for screen in self.app.screen_stack)
        self._card.styles.margin = (min(1 + depth, 6), 0, 0, min(depth * 2, 12))
        self.query_one(MarkdownView).focus()
        self.ask("peek", lambda memex: read(memex, self._peek.path), self._show, self._failed)

    def _show(self, page: Reading) -> None:
        self._page = page
        self._card.border_title = content(f"{page.title} · {page.path}")
        view = self.query_one(MarkdownView)
        view.set_page(page.body, first_line=page.first_line, hooks=page.hooks())
        peek = self._peek
        if peek.heading:
            view.scroll_to_heading(peek.heading)
        elif peek.block:
            view.scroll_to_block(peek.block)
        elif peek.line:
            view.scroll_to_line(peek.line)

    def _failed(self, error: MemexError) -> None:
        self.query_one(MarkdownView).set_page(f"> {literal(error.message)}\n>\n> {literal(error.hint)}")

    def on_key(self, event: events.Key) -> None:
        view = self.query_one(MarkdownView)
        if view.hinting:
            return
        acts = {
            "enter": self._open,
            "f": lambda: view.show_hints("follow"),
            "K": lambda: view.show_hints("peek"),
            "j": lambda: view.scroll_rows(1),
            "k": lambda: view.scroll_rows(-1),
            "ctrl+d": lambda: view.scroll_pages(0.5),
            "ctrl+u": lambda: view.scroll_pages(-0.5),
            "q": self.close,
        }
        act = acts.get(event.key)
        if act is not None:
            event.stop()
            event.prevent_default()
            act()

    def on_markdown_view_link_followed(self, event: MarkdownView.LinkFollowed) -> None:
        event.stop()
        self._follow(event.link, peek=False)

    def on_markdown_view_hint_chosen(self, event: MarkdownView.HintChosen) -> None:
        event.stop()
        self._follow(event.link, peek=event.purpose == "peek")

    def _follow(self, link: Link, *, peek: bool) -> None:
        if link.kind == "url":
            self.app.open_url(link.target)
        target = self._page.target(link) if self._page is not None else None
        if target is None or link.kind in ("url", "image", "tag"):
            return
        if not target.path:
            self.app.post_message(new_page(link.target))
        elif peek:
            self.app.post_message(Peek(target.path, heading=link.heading, block=link.block))
        else:
            self.app.post_message(open_page(target.path, heading=link.heading, block=link.block))

    def _open(self) -> None:
        page = self._page
        if page is not None:
            self.app.post_message(open_page(page.path, title=page.title))
