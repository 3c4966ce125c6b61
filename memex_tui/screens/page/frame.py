"""What every part of the Page area works with: its widgets, the page that is open, the texts being edited."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from memex_core.files import frontmatter
from memex_core.model.page import Value
from memex_tui.messages import Place
from memex_tui.render.text import content, printable
from memex_tui.screens.base import AreaScreen
from memex_tui.screens.note_bar import NoteBar
from memex_tui.screens.page import presenter
from memex_tui.screens.page.buffer import Buffer
from memex_tui.screens.page.editor import PageEditor
from memex_tui.screens.page.find import FindBar
from memex_tui.screens.page.loading import Opened, Pointer
from memex_tui.screens.page.popup import LinkPopup
from memex_tui.screens.page.presenter import LinkEntry, Links, OutlineRow
from memex_tui.screens.page.proofs import entries_of
from memex_tui.screens.page.reader import PageReader
from memex_tui.screens.page.swap import Swap
from memex_tui.screens.page.widgets import AboutBar, BackStrip, GoList, draw_heading, draw_link
from memex_tui.widgets.markdown_view import MarkdownView
from memex_tui.widgets.virtual_list import VirtualList

KEPT = 20  # pages whose undo is kept although they are saved
READ, EDIT, HISTORY, CONFLICT = "read", "edit", "history", "conflict"

Key = tuple[str, str, str]  # as shown, word, command id


class PageFrame(AreaScreen):
    """The widgets of the area and what they show."""

    AREA = "page"
    CSS_PATH = "page.tcss"
    CRUMBS = True
    AUTO_FOCUS = "#reader"
    HELP_TEXT = (
        "A page to read: f puts letters on its links, g o and g b go to the lists beside it, e edits it. "
        "Saving writes only what you changed; what others change meanwhile is shown, never overwritten. "
        "Beside a sentence, E is evidence, C context and ✗ a quote that its turn does not say: g t shows it."
    )

    def __init__(self) -> None:
        super().__init__()
        self.opened: Opened | None = None
        self.buffers: OrderedDict[str, Buffer] = OrderedDict()
        self.mode = READ
        self.gone = False  # the page's file is not there any more
        self.split = False
        self.side_wanted = True  # the lists beside the page, where there is room
        self.side_open = False  # the lists in the place of the page, where there is none
        self.links = Links()
        self.unlinked: tuple[Pointer, ...] = ()
        self.entries: list[LinkEntry] = []
        self.outline: list[OutlineRow] = []
        self.saved_at: dict[str, str] = {}
        self.found_swap: Swap | None = None
        self.going: Place | None = None

    def compose_area(self) -> ComposeResult:
        with Horizontal(id="page-body"):
            with Vertical(id="page-main"):
                yield NoteBar(id="page-note")
                yield PageReader(id="reader", classes="pane")
                yield PageEditor(id="editor", classes="pane")
                yield FindBar()
                yield NoteBar(id="page-hint")
                yield BackStrip()
            with Vertical(id="page-side"):
                yield MarkdownView(id="preview", classes="pane")
                yield GoList[OutlineRow](draw_heading, id="outline", classes="pane", empty="No headings")
                yield GoList[LinkEntry](
                    draw_link, row_height=2, id="backlinks", classes="pane", empty="Nothing links here yet"
                )
                yield AboutBar()
        yield LinkPopup()

    # -- widgets ----------------------------------------------------------------------------

    @property
    def reader(self) -> PageReader:
        return self.query_one(PageReader)

    @property
    def editor(self) -> PageEditor:
        return self.query_one(PageEditor)

    @property
    def preview(self) -> MarkdownView:
        return self.query_one("#preview", MarkdownView)

    @property
    def outline_list(self) -> VirtualList[OutlineRow]:
        return self.query_one("#outline", VirtualList)

    @property
    def link_list(self) -> VirtualList[LinkEntry]:
        return self.query_one("#backlinks", VirtualList)

    @property
    def find_bar(self) -> FindBar:
        return self.query_one(FindBar)

    @property
    def popup(self) -> LinkPopup:
        return self.query_one(LinkPopup)

    @property
    def note(self) -> NoteBar:
        return self.query_one("#page-note", NoteBar)

    @property
    def hint(self) -> NoteBar:
        return self.query_one("#page-hint", NoteBar)

    @property
    def narrow(self) -> bool:
        return self.app.size.width < 100

    # -- the page ---------------------------------------------------------------------------

    @property
    def path(self) -> str:
        """The path of the page that is open; empty when none is."""
        return self.opened.path if self.opened is not None else ""

    @property
    def title_of_page(self) -> str:
        return self.opened.reading.title if self.opened is not None else ""

    @property
    def buffer(self) -> Buffer | None:
        """The text of the open page as it is being edited, if it was."""
        return self.buffers.get(self.path)

    @property
    def dirty(self) -> bool:
        """Whether the open page has unsaved text."""
        buffer = self.buffer
        return buffer is not None and buffer.dirty

    def body(self) -> tuple[str, int, Mapping[str, Value]]:
        """The text to read, the line of the file it begins at, and its front matter: unsaved text first."""
        assert self.opened is not None
        buffer = self.buffer
        if buffer is None or not buffer.dirty:
            reading = self.opened.reading
            return reading.body, reading.first_line, self.opened.front
        front = frontmatter.read(buffer.data())
        return front.body, front.body_line, front.fields

    # -- showing ----------------------------------------------------------------------------

    def show_reader(self, *, anew: bool = False, line: int = 0) -> None:
        """Show the text; ``anew`` from the top or ``line``, otherwise the line at the top stays."""
        if self.opened is None:
            return
        text, first_line, front = self.body()
        properties = presenter.shown_properties(front)
        self.reader.set_gutter(bool(entries_of(front)))
        if anew:
            self.reader.set_page(
                text, first_line=first_line, properties=properties, hooks=self.links.hooks(), line=line
            )
        else:
            self.reader.replace_page(text, first_line=first_line, properties=properties)
        self.outline = presenter.outline_of(self.reader.headings)
        self.outline_list.set_rows(self.outline, lambda row: f"{row.line} {row.title}")
        if anew:
            self.outline_list.move_to(max(presenter.heading_at(self.outline, self.reader.top_line), 0))
        self.outline_list.styles.height = max(min(len(self.outline), 12), 1) + 2
        self.show_frame(words=len(text.split()))

    def show_frame(self, *, words: int | None = None) -> None:
        """Titles, status and what stands beside the page."""
        opened = self.opened
        if opened is None:
            return
        dirty = self.dirty
        sign = "● " if dirty else ""
        title = opened.reading.title
        entitle(self.reader, f"{sign}{title}", "" if self.gone else opened.path)
        entitle(self.editor, f"{sign}edit · {title}", opened.path)
        notice = "deleted" if self.gone else ""
        buffer = self.buffer
        if buffer is not None and buffer.theirs is not None:
            notice = "changed outside"
        saved = self.saved_at.get(self.path, "")
        caret = self.editor.cursor_location if self.mode == EDIT else None
        self.set_status(
            presenter.status_line(
                opened, dirty=dirty, saved=saved, short=self.narrow, notice=notice, caret=caret
            )
        )
        if words is not None:
            rows = presenter.about(opened, words=words)
            self.query_one(AboutBar).show(rows, opened.problems)

    def show_links(self) -> None:
        """The pages that lead here."""
        opened = self.opened
        if opened is None:
            return
        names = presenter.page_names(opened.reading.title, presenter.aliases_of(opened.front), opened.path)
        self.entries = presenter.link_entries(opened.backlinks, self.unlinked, names)
        self.link_list.set_rows(self.entries, lambda entry: entry.key)
        links = sum(entry.kind == "link" for entry in self.entries)
        mentions = len(self.entries) - links
        self.link_list.border_title = content(
            f"backlinks {links}" + (f" · unlinked {mentions}" if mentions else "")
        )
        self.query_one(BackStrip).show(self.entries)

    def show_empty(self, text: str) -> None:
        """Show that there is no page, and what can be done."""
        self.opened = None
        self.links = Links()
        self.reader.set_page(text)
        entitle(self.reader, "page", "")
        self.outline_list.set_rows([])
        self.link_list.set_rows([])
        self.query_one(AboutBar).show([])
        self.query_one(BackStrip).show([])
        self.set_status([])
        self.lay_out()
        self.refresh_keys()

    def say(self, text: str, keys: Sequence[Key] = (), *, sign: str = "!", look: str = "bar--warn") -> None:
        """A notice above the page that stays until it is settled."""
        self.note.show([(f"{sign} ", (look,)), (printable(text), ("bar--text",))], keys)

    def unsay(self) -> None:
        """Take the notice away."""
        self.note.show(None)

    def set_mode(self, mode: str) -> None:
        """Read, edit, or look at the past or at another text."""
        self.mode = mode
        self.lay_out()
        if mode != EDIT:
            self.popup.close()
            self.hint.show(None)
        self.refresh_keys()

    def lay_out(self) -> None:
        """Show the widgets of the mode, as far as there is room.

        By each widget's own display: a class on the screen would style every widget again.
        """
        narrow, mode = self.narrow, self.mode
        preview = mode == EDIT and self.split and not narrow
        drawer = narrow and self.side_open
        side = self.query_one("#page-side")
        shown = {
            self.query_one("#page-body"): mode in (READ, EDIT),
            self.query_one("#page-main"): not drawer,
            side: preview or (drawer if narrow else self.side_wanted),
            self.reader: mode != EDIT,
            self.editor: mode == EDIT,
            self.preview: preview,
            self.outline_list: not preview,
            self.link_list: not preview,
            self.query_one(AboutBar): not preview,
            self.query_one(BackStrip): narrow and mode == READ and self.opened is not None,
        }
        for widget, display in shown.items():
            widget.display = display
        side.set_class(preview, "-preview")


def entitle(widget: Widget, title: str, subtitle: str) -> None:
    """Set the titles in a widget's frame; the same ones are left alone: setting draws all of it again."""
    wanted = (title, subtitle)
    if getattr(widget, "entitled", None) != wanted:
        widget.entitled = wanted  # type: ignore[attr-defined]
        widget.border_title = content(title)
        widget.border_subtitle = content(subtitle)
