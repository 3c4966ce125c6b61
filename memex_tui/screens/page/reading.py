"""Reading: links and embeds, what leads here, finding on the page, and the lists beside it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from textual.timer import Timer

from memex_core.memex import Memex
from memex_core.model.errors import MemexError
from memex_tui.gateway import Dropped
from memex_tui.messages import Peek, new_page, open_page, open_search
from memex_tui.pages import Target
from memex_tui.render.markdown.model import Link
from memex_tui.screens.base import Item
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.page import loading
from memex_tui.screens.page.dialogs import MeaningCard
from memex_tui.screens.page.find import FindBar
from memex_tui.screens.page.frame import CONFLICT, EDIT, HISTORY, READ, PageFrame
from memex_tui.screens.page.linking import link_to
from memex_tui.screens.page.loading import Pointer
from memex_tui.screens.page.presenter import LinkEntry, heading_at
from memex_tui.screens.page.widgets import BackStrip
from memex_tui.widgets.markdown_view import MarkdownView
from memex_tui.widgets.virtual_list import VirtualList

SOON, TYPED = 0.01, 0.5  # seconds before links that nobody knew are asked for
LATER = 0.25  # seconds before names of this page are looked for in the texts of others


class Reading(PageFrame):
    """The reading half of the area."""

    def __init__(self) -> None:
        super().__init__()
        self._wanted_timer: Timer | None = None

    # -- links ------------------------------------------------------------------------------

    def on_markdown_view_link_followed(self, event: MarkdownView.LinkFollowed) -> None:
        event.stop()
        self.follow(event.link)

    def on_markdown_view_hint_chosen(self, event: MarkdownView.HintChosen) -> None:
        event.stop()
        self.follow(event.link)

    def follow(self, link: Link) -> None:
        """Go where a link leads: a page, a web address, a search for a tag, or a page to be written."""
        if link.kind == "url":
            self.app.open_url(link.target)
        elif link.kind == "tag":
            self.post_message(open_search(f"tag:{link.target.lstrip('#')}"))
        elif link.target:
            known = self.links.target(link.target)
            if known is None:
                self.learn_links([link.target], lambda: self._go_to(link))
            else:
                self._go_to(link)

    def _go_to(self, link: Link) -> None:
        target = self.links.target(link.target)
        if target is None or not target.path:
            if link.kind == "image" or os.path.splitext(link.target)[1].lower() not in ("", ".md"):
                self.memex_app.toast(f"There is no file {link.target}", severity="warning")
            else:
                self.post_message(new_page(link.target))
        elif not target.path.lower().endswith((".md", ".markdown")):
            layout = self.memex_app.layout
            if layout is not None:
                self.app.open_url(f"file://{layout.file_path(target.path)}")
        elif target.others:
            paths = list(dict.fromkeys([target.path, *target.others]))
            self.app.push_screen(MeaningCard(link.target, paths, lambda path: self._open(path, link)))
        else:
            self._open(target.path, link)

    def _open(self, path: str, link: Link) -> None:
        self.post_message(open_page(path, heading=link.heading, block=link.block))

    def learn_links(self, targets: list[str], then: Callable[[], object] = lambda: None) -> None:
        """Ask what links mean that are not in the index yet: they were typed just now."""
        path = self.path

        def learnt(found: dict[str, Target]) -> None:
            if self.links.renew(found):
                self.relink()
            then()

        self.ask("meanings", lambda memex: loading.meanings(memex, path, targets), learnt, lambda _: None)

    def relink(self) -> None:
        """Links mean something else now: draw them again."""
        self.reader.relink()
        self.preview.relink()
        self.editor.links_changed()

    def wanted_soon(self) -> None:
        """Drawing met a link or an embed that is not known yet: ask for it once drawing is done.

        While a text is edited, links are half typed most of the time: they can wait.
        """
        if self._wanted_timer is not None:
            self._wanted_timer.stop()
        self._wanted_timer = self.set_timer(TYPED if self.mode == EDIT else SOON, self._read_wanted)

    def _read_wanted(self) -> None:
        links = self.links
        if links.wanted:
            wanted = list(links.wanted)
            links.wanted.clear()
            self.run_worker(self._read_embeds(wanted), exit_on_error=False, group="requests")
        if links.unknown:
            unknown = sorted(links.unknown)[:50]
            links.unknown.clear()
            self.learn_links(unknown)

    async def _read_embeds(self, wanted: list[tuple[str, str, str]]) -> None:
        links = self.links

        def read(memex: Memex) -> list[tuple[tuple[str, str, str], loading.Embedded | None]]:
            found = []
            for key in wanted:
                try:
                    found.append((key, loading.embedded(memex, *key)))
                except MemexError:
                    found.append((key, None))
            return found

        try:
            answer = await self.memex_app.gateway.ask(f"page.embed {wanted[0]}", read)
        except (Dropped, MemexError, asyncio.CancelledError):
            return
        for key, embed in answer:
            links.embed_read(key, embed)
        if links is self.links and self.is_attached:
            self.reader.relink()
            if self.split:
                self.preview.relink()

    def do_page_hints(self) -> None:
        if not self.reader.show_hints("follow"):
            self.memex_app.toast("No links in sight")

    def do_page_copy_code(self) -> None:
        if not self.reader.choose_code():
            self.memex_app.toast("No code block begins in sight")

    def do_page_follow(self) -> None:
        if not self.reader.follow_current():
            self.do_page_hints()

    def do_page_next_link(self) -> None:
        self.reader.next_link(1)
        self.refresh_keys()

    def do_page_previous_link(self) -> None:
        self.reader.next_link(-1)
        self.refresh_keys()

    def current_item(self) -> Item | None:
        """The page of the link or row that is chosen, else the one that is open."""
        if self.opened is None or self.mode in (HISTORY, CONFLICT):
            return None
        entry = self.entry
        if entry is not None:
            return Item(entry.path, entry.title)
        link = self.reader.current_link if self.mode == READ else None
        target = self.links.target(link.target) if link is not None and link.target else None
        if link is not None and target is not None and target.path:
            return Item(target.path, link.text or link.target)
        return Item(self.path, self.title_of_page, self.opened.reading.file_path)

    def do_item_peek(self) -> None:
        """A card of the chosen link; without one, hints to choose it by."""
        item = self.current_item()
        if item is not None and item.path != self.path:
            self.post_message(Peek(item.path))
        elif self.mode == READ:
            self.reader.next_link(1)
            item = self.current_item()
            if item is not None and item.path != self.path:
                self.post_message(Peek(item.path))

    # -- what leads here ----------------------------------------------------------------------

    def look_elsewhere(self) -> None:
        """Look for names of this page in the texts of others, when there is time."""
        self.set_timer(LATER, self._look_elsewhere)

    def _look_elsewhere(self) -> None:
        path = self.path

        def found(pointers: tuple[Pointer, ...]) -> None:
            if path == self.path and pointers != self.unlinked:
                self.unlinked = pointers
                self.show_links()

        if path:
            self.ask("elsewhere", lambda memex: loading.named_elsewhere(memex, path), found, lambda _: None)

    # -- the lists beside the page ------------------------------------------------------------

    @property
    def entry(self) -> LinkEntry | None:
        """The page under the cursor of the list of backlinks, while it has the focus."""
        return self.link_list.row if self.is_mounted and self.link_list.has_focus else None

    def show_side(self) -> None:
        """Bring the lists into sight where there is no room beside the page."""
        self.side_wanted = self.side_open = True
        self.split = False
        self.lay_out()

    def on_page_scroll_moved(self, event: MarkdownView.Moved) -> None:
        """The outline's cursor goes along, but not off a heading in sight where the page ends: it may
        have been gone to, and cannot come nearer to the top."""
        event.stop()
        row, reader = self.outline_list.row, self.reader
        if event.view is not reader or row is None or self.outline_list.has_focus:
            return
        ends = round(reader.scroll_y) + reader.size.height >= reader.document.height
        if not (ends and row.line >= reader.top_line):
            self.outline_list.move_to(max(heading_at(self.outline, reader.top_line), 0))

    def do_page_outline(self) -> None:
        self.show_side()
        here = heading_at(self.outline, self.reader.top_line if self.mode == READ else self.caret_line)
        self.outline_list.move_to(max(here, 0))
        self.call_after_refresh(self.outline_list.focus)

    def do_page_backlinks(self) -> None:
        self.show_side()
        self.call_after_refresh(self.link_list.focus)

    def do_page_side(self) -> None:
        if self.narrow:
            self.side_open = not self.side_open
        else:
            self.side_wanted = not self.side_wanted
        self.lay_out()
        if not self.side_open and not self.side_wanted:
            self.to_text()

    def do_page_to_text(self) -> None:
        self.to_text()

    def to_text(self) -> None:
        """The focus back to the page."""
        self.side_open = False
        self.lay_out()
        self.call_after_refresh((self.editor if self.mode == EDIT else self.reader).focus)

    def do_page_entry(self) -> None:
        if self.outline_list.has_focus:
            row = self.outline_list.row
            if row is not None:
                self.to_text()
                self.go_to_line(row.line)
        elif self.entry is not None:
            entry = self.entry
            self.side_open = False
            self.lay_out()
            self.post_message(open_page(entry.path, line=entry.line, title=entry.title))

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        if event.view in (self.outline_list, self.link_list):
            self.do_page_entry()

    def go_to_line(self, line: int) -> None:
        """Bring a line of the file into sight, in the mode that is on."""
        if self.mode == EDIT:
            self.editor.move_cursor((max(line - 1, 0), 0), center=True)
        else:
            self.reader.scroll_to_line(line)

    @property
    def caret_line(self) -> int:
        """The line of the caret, from 1."""
        return int(self.editor.cursor_location[0]) + 1

    def do_page_link_mention(self) -> None:
        """Make the name of this page, on the page under the cursor, a link."""
        entry = self.entry
        if entry is None or entry.kind != "mention":
            self.memex_app.toast("L links a page under “unlinked”: one that only names this page")
            return
        path = self.path

        def link(memex: Memex) -> int:
            insert = loading.name_of(memex, path, memex.show(path)["title"], entry.path)
            return link_mention(memex, entry.path, path, insert)

        self.write(link, lambda line: self.memex_app.toast(f"Linked on line {line} of {entry.path}"))

    def on_line_bar_chosen(self, event: LineBar.Chosen) -> None:
        if isinstance(event.bar, BackStrip):
            event.stop()
            event.prevent_default()
            self.post_message(open_page(event.value))

    # -- finding on the page ------------------------------------------------------------------

    def do_page_find(self) -> None:
        self.find_bar.open()
        self.refresh_keys()

    def do_page_next_match(self) -> None:
        self._step_match(1)

    def do_page_previous_match(self) -> None:
        self._step_match(-1)

    def _step_match(self, by: int) -> None:
        if self.reader.next_match(by) is not None:
            self._say_matches()

    def _say_matches(self) -> None:
        count = len(self.reader.matches)
        self.find_bar.say(f"{self.reader.current_match + 1}/{count}" if count else "0", bad=not count)

    def find_in_reader(self, event: FindBar.Changed) -> None:
        """Mark what is looked for, and go to the first place in sight or below."""
        finding = event.finding
        self.reader.search(finding.pattern())
        if finding.text:
            self.reader.next_match()
            self._say_matches()
        else:
            self.find_bar.say("")


def link_mention(memex: Memex, other: str, path: str, insert: str) -> int:
    """Make the first name of the page at ``path`` on the page ``other`` a link; the line it stands in."""
    from memex_core.actions.pages.mentions import elsewhere
    from memex_core.files.atomic import digest
    from memex_core.files.decoding import raw_text
    from memex_core.index.mentions import MentionFinder
    from memex_core.model.errors import NotFound

    found = next((one for one in elsewhere(memex.store, path) if one["path"] == other), None)
    row = memex.store.index.row(path)
    if found is None or row is None:
        raise NotFound(f"{other} does not name this page any more")
    data = memex.store.read_bytes(other)
    text = raw_text(data)
    lines = text.split("\n")
    line = lines[found["line"] - 1]
    finder = MentionFinder((name, path) for name in (row.title, *row.aliases))
    mention = finder.find(line)[0]
    name = line[mention.start : mention.end]
    lines[found["line"] - 1] = line[: mention.start] + link_to(name, insert) + line[mention.end :]
    loading.save(memex, other, "\n".join(lines).encode("utf-8", "surrogateescape"), digest(data))
    return int(found["line"])
