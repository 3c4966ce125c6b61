"""The reader of the Page area: a Markdown page with a gutter that says what proves its sentences."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.message import Message

from memex_tui.render.markdown.model import Link, LinkSpan, Row
from memex_tui.render.text import fit
from memex_tui.screens.page.proofs import SOURCE, Proofs, footnotes, nearest, worst
from memex_tui.widgets.markdown_view import MarkdownView

GUTTER = 2  # cells


class PageReader(MarkdownView):
    """Beside a source, or a row with a footnote, stands its sign; clicking either asks for the source."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"proof--{look}" for look in ("evidence", "context", "doubtful")}
    DEFAULT_CSS = """
    PageReader {
        & > .proof--evidence { color: $text-success; text-style: bold; }
        & > .proof--context { color: $text-warning; text-style: bold; }
        & > .proof--doubtful { color: $text-error; text-style: bold; }
    }
    """

    class SourceAsked(Message):
        """A source is wanted: that of footnote ``name``, whose mark stands in ``line`` of the file, or
        with ``line`` 0 that of a link in the panel."""

        def __init__(self, name: str, line: int) -> None:
            super().__init__()
            self.name = name
            self.line = line

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._proofs: Proofs = {}

    def set_gutter(self, wanted: bool) -> None:
        """Keep room for signs, or none: a page without sources has the whole width."""
        cells = GUTTER if wanted else 0
        if cells != self._gutter:
            line, inside = self._anchor()
            self._gutter = cells
            self._document.resize(self._text_cells())
            self._settle(self._document.y_of_line(line) + inside)

    def set_proofs(self, proofs: Proofs) -> None:
        """Put the signs of footnotes into the gutter."""
        if proofs != self._proofs:
            self._proofs = proofs
            self._repaint()

    def visible_links(self) -> list[tuple[int, LinkSpan]]:
        """The links in the window; those of the panel's sources last, so that reading comes first."""
        return sorted(super().visible_links(), key=lambda one: one[1].link.target.startswith(SOURCE))

    def statement_here(self) -> tuple[str, int] | None:
        """The footnote that is chosen, or the first one from the top of the window on; and its line."""
        first = self._document.first_line
        link = self.current_link
        if link is not None and link.kind == "footnote" and link.target in self._proofs:
            return link.target, self._line_of(link.target, link.line)
        found = nearest(self._document.lines, self.top_line - first if self.scroll_y else 0, self._proofs)
        return (found[0], found[1] + first) if found is not None else None

    def _line_of(self, name: str, line: int) -> int:
        """The line of a footnote's mark, which stands in ``line`` or further down in its paragraph."""
        first, lines = self._document.first_line, self._document.lines
        for at in range(max(line - first, 0), len(lines)):
            if name in footnotes(lines[at]):
                return first + at
        return line

    def follow(self, link: Link) -> None:
        """A footnote that has no text on the page leads to its source."""
        start = f"[^{link.target}]:"
        if (
            link.kind == "footnote"
            and link.target in self._proofs
            and not any(line.lstrip().startswith(start) for line in self._document.lines)
        ):
            self.post_message(self.SourceAsked(link.target, self._line_of(link.target, link.line)))
        else:
            super().follow(link)

    # -- the gutter ---------------------------------------------------------------------------

    def _names_in(self, row: Row) -> list[str]:
        """The sources and footnotes of a row, without those of a page that is embedded there."""
        first, lines = self._document.first_line, self._document.lines
        here = {
            name
            for at in range(max(row.line - first, 0), min(row.last - first + 1, len(lines)))
            for name in footnotes(lines[at])
        }
        links = [span.link for span in row.links]
        return [
            one.target
            for one in links
            if one.target.startswith(SOURCE) or (one.kind == "footnote" and one.target in here)
        ]

    def _sign(self, row: Row) -> tuple[str, tuple[str, ...]]:
        proof = worst(self._proofs, self._names_in(row)) if self._proofs and row.links else None
        if proof is None:
            return super()._sign(row)
        return fit(proof.sign, self._gutter), (f"proof--{proof.look}",)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if event.button != 1 or offset is None or offset.x >= self._gutter:
            return
        row = self._document.row(round(self.scroll_y) + offset.y)
        names = self._names_in(row) if row is not None else []
        proof = worst(self._proofs, names)
        if row is not None and proof is not None:
            event.stop()
            event.prevent_default()
            name = next(name for name in names if self._proofs[name] is proof)
            line = 0 if name.startswith(SOURCE) else self._line_of(name, row.line)
            self.post_message(self.SourceAsked(name, line))
