"""The page reader: one Markdown page with links, hints, search and selection."""

from __future__ import annotations

import re
from collections.abc import Sequence

from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.selection import Selection

from memex_tui.render.hints import Hints
from memex_tui.render.line import Line, line_text, stamp
from memex_tui.render.markdown.marks import Match, SearchMarks, mark_link
from memex_tui.render.markdown.model import Link, LinkSpan, Row
from memex_tui.widgets.page_scroll import Mark, PageScroll

__all__ = ["Mark", "MarkdownView"]


class MarkdownView(PageScroll):
    """Shows a page. The owner moves it by its methods, and hears of links by its messages."""

    ALLOW_SELECT = True

    hinting: reactive[bool] = reactive(False, repaint=False)

    class LinkFollowed(Message):
        """A link was clicked or chosen. Footnotes, folds and links into this page are done already."""

        def __init__(self, view: MarkdownView, link: Link) -> None:
            super().__init__()
            self.view = view
            self.link = link

        @property
        def control(self) -> MarkdownView:
            return self.view

    class HintChosen(LinkFollowed):
        """A link was chosen by its hint letters; ``purpose`` is what was asked for with ``show_hints``."""

        def __init__(self, view: MarkdownView, link: Link, purpose: str) -> None:
            super().__init__(view, link)
            self.purpose = purpose

    class CodeChosen(Message):
        """A code block is to be copied."""

        def __init__(self, view: MarkdownView, text: str) -> None:
            super().__init__()
            self.view = view
            self.text = text

        @property
        def control(self) -> MarkdownView:
            return self.view

    class GutterClicked(Message):
        """The gutter was clicked beside source line ``line``."""

        def __init__(self, view: MarkdownView, line: int) -> None:
            super().__init__()
            self.view = view
            self.line = line

        @property
        def control(self) -> MarkdownView:
            return self.view

    def __init__(
        self,
        *,
        gutter: int = 0,
        max_cells: int = 100,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """``gutter`` is the room in cells for marks at the left; no line is longer than ``max_cells``."""
        super().__init__(gutter=gutter, max_cells=max_cells, name=name, id=id, classes=classes)
        self._search = SearchMarks(None)
        self._hints: Hints[tuple[int, LinkSpan]] | None = None
        self._purpose = ""
        self._current: tuple[int, LinkSpan] | None = None
        self._pointed = False

    def _page_changed(self) -> None:
        self._current = None
        self._end_hints()
        self._search.find(self._document)

    # -- search -----------------------------------------------------------------------------

    @property
    def matches(self) -> list[Match]:
        """Where the current pattern fits, in order."""
        return self._search.matches

    @property
    def current_match(self) -> int:
        """Which of :attr:`matches` is the current one; -1 for none yet."""
        return self._search.current

    def search(self, pattern: re.Pattern[str] | str | None) -> int:
        """Mark every match; text is searched as it is, case ignored. Gives the number of matches."""
        if isinstance(pattern, str):
            pattern = re.compile(re.escape(pattern), re.IGNORECASE) if pattern else None
        self._search = SearchMarks(pattern)
        self._search.find(self._document)
        self._repaint()
        return len(self._search.matches)

    def next_match(self, step: int = 1) -> Match | None:
        """Go to the next (``step`` 1) or the previous (-1) match, round the end; None without any."""
        match = self._search.move(step, self.top_line)
        if match is not None:
            self.reveal_line(match.line)
            self._repaint()
        return match

    # -- links ------------------------------------------------------------------------------

    def visible_links(self) -> list[tuple[int, LinkSpan]]:
        """The links in the window, each with its row."""
        return [entry for entry in self._in_window() if entry[1].link.kind != "code"]

    def visible_code(self) -> list[tuple[int, LinkSpan]]:
        """The code blocks that begin in the window, each with its row."""
        return [entry for entry in self._in_window() if entry[1].link.kind == "code"]

    def _in_window(self) -> list[tuple[int, LinkSpan]]:
        top = round(self.scroll_y)
        return self._document.links(top, top + self.size.height)

    @property
    def current_link(self) -> Link | None:
        """The link chosen with ``next_link``."""
        return self._current[1].link if self._current else None

    def next_link(self, step: int = 1) -> Link | None:
        """Choose the next link in the window, or the previous one; None when there is none."""
        links = [entry for entry in self.visible_links() if entry[1].link.kind != "image"]
        if not links:
            return None
        old = self._current
        index = links.index(old) + step if old in links else (0 if step > 0 else -1)
        self._current = links[index % len(links)]
        for entry in (old, self._current):
            if entry:
                self._refresh_rows(entry[0], 1)
        return self._current[1].link

    def follow_current(self) -> bool:
        """Follow the link chosen with ``next_link``."""
        if self._current is None:
            return False
        self.follow(self._current[1].link)
        return True

    def follow(self, link: Link) -> None:
        """Follow a link: inside the page at once, otherwise by a message to the owner."""
        if link.kind == "code":
            self.post_message(self.CodeChosen(self, link.text))
        elif link.kind == "fold":
            line, inside = self._anchor()
            self._document.fold(link)
            self._settle(self._document.y_of_line(line) + inside)
        elif link.kind in ("footnote", "footnote-back"):
            self._to_footnote(link)
        elif not link.target and (link.heading or link.block):
            if link.block:
                self.scroll_to_block(link.block)
            else:
                self.scroll_to_heading(link.heading)
        else:
            self.post_message(self.LinkFollowed(self, link))

    def _to_footnote(self, link: Link) -> None:
        mark = f"[^{link.target}]"
        back = link.kind == "footnote-back"
        for index, text in enumerate(self._document.lines):
            if mark in text and text.lstrip().startswith(f"{mark}:") != back:
                self.reveal_line(self._document.first_line + index)
                return

    def show_hints(self, purpose: str = "follow") -> int:
        """Put letters on the links in the window. ``purpose`` comes back in ``HintChosen``."""
        return self._hint(self.visible_links(), purpose)

    def choose_code(self) -> int:
        """Have a code block chosen by its letter (a single one is at once); ``CodeChosen`` tells which."""
        blocks = self.visible_code()
        if len(blocks) == 1:
            self.follow(blocks[0][1].link)
            return 1
        return self._hint(blocks, "follow")

    def _hint(self, links: Sequence[tuple[int, LinkSpan]], purpose: str) -> int:
        if links:
            self._hints = Hints(links)
            self._purpose = purpose
            self.hinting = True
            self._repaint()
        return len(links)

    def _end_hints(self) -> None:
        if self._hints is not None:
            self._hints = None
            self.hinting = False
            self._repaint()

    def on_key(self, event: events.Key) -> None:
        if self._hints is None:
            return
        event.stop()
        event.prevent_default()
        if event.key == "escape" or not event.character or not event.character.isalpha():
            self._end_hints()
            return
        chosen = self._hints.type(event.character)
        if chosen is None:
            self._repaint()
            return
        link, purpose = chosen[1].link, self._purpose
        self._end_hints()
        if purpose == "follow" and (link.kind in ("fold", "footnote", "footnote-back") or not link.target):
            self.follow(link)
        else:
            self.post_message(self.HintChosen(self, link, purpose))

    # -- mouse ------------------------------------------------------------------------------

    def link_at(self, x: int, y: int) -> LinkSpan | None:
        """The link under cell ``x``, ``y`` of the widget's content; None when there is none."""
        if not (0 <= x < self.size.width and 0 <= y < self.size.height):
            return None
        row = self._document.row(round(self.scroll_y) + y)
        inside = x - self._gutter
        for span in row.links if row else ():
            if span.x0 <= inside < span.x1:
                return span
        return None

    def on_click(self, event: events.Click) -> None:
        if event.button != 1:
            return
        if self._hints is not None:
            self._end_hints()
        offset = event.get_content_offset(self)
        if offset is None or self.screen.get_selected_text():
            return
        span = self.link_at(offset.x, offset.y)
        if span is not None:
            event.stop()
            self.follow(span.link)
        elif offset.x < self._gutter:
            row = self._document.row(round(self.scroll_y) + offset.y)
            if row is not None:
                event.stop()
                self.post_message(self.GutterClicked(self, row.line))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        offset = event.get_content_offset(self)
        pointed = offset is not None and self.link_at(offset.x, offset.y) is not None
        if pointed != self._pointed:
            self._pointed = pointed
            self.styles.pointer = "pointer" if pointed else "text"

    # -- selection --------------------------------------------------------------------------

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text as shown; everything selected gives the page's source."""
        if selection.start is None and selection.end is None:
            return self._document.text, "\n"
        start, end = selection.start, selection.end
        first = start.y if start else 0
        last = min(end.y if end else self._document.height - 1, self._document.height - 1)
        texts = []
        for y in range(max(first, 0), last + 1):
            row = self._document.row(y)
            text = line_text(row.runs) if row else ""
            stop = max(end.x - self._gutter, 0) if end and y == end.y else len(text)
            begin = max(start.x - self._gutter, 0) if start and y == start.y else 0
            texts.append(text[begin:stop])
        return "\n".join(texts), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self._repaint()

    # -- drawing ----------------------------------------------------------------------------

    def _decorated(self, y: int, row: Row) -> Line:
        """The row with search matches, the chosen link and hint letters on it, behind its gutter."""
        line = self._search.marked(self._document, y, row)
        if self._current:
            line = mark_link(line, row, self._current[1].link)
        line = super()._decorated(y, row._replace(runs=line))
        if self._hints is not None:
            for label, (at, span) in self._hints.shown():
                if at == y:
                    line = stamp(line, self._gutter + span.x0, label, ("md--hint",))
        return line
