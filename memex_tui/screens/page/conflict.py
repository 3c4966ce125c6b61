"""Two texts of one page: mine in the editor, theirs on disk. Both are kept until one is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from memex_tui.render.line import Line, spread
from memex_tui.render.markdown.model import Hooks
from memex_tui.render.text import printable
from memex_tui.screens.note_bar import NoteBar
from memex_tui.screens.page.diffs import DiffLine, DiffList, DiffRow, laid_out, with_words
from memex_tui.screens.page.filetext import drawn, wild
from memex_tui.screens.page.merging import Chunk, changes, clashes, merge, merged
from memex_tui.widgets.markdown_view import MarkdownView
from memex_tui.widgets.virtual_list import VirtualList

_TITLES = {
    "mine": "yours only",
    "theirs": "on disk only",
    "both": "the same on both",
    "clash": "both changed it",
}
_PICKS = ("mine", "theirs", "both")


class Comparison:
    """Three texts and what was picked where. Plain: the view only draws it."""

    def __init__(self, base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> None:
        self.chunks: list[Chunk] = merge(base, mine, theirs)
        self.changes = changes(self.chunks)
        self.clashes = clashes(self.chunks)
        self.picks: dict[int, str] = {}

    def pick(self, change: int, side: str) -> None:
        """Take a side for the change of that number."""
        self.picks[self.changes[change]] = side

    def pick_all(self, side: str) -> None:
        """Take a side everywhere."""
        self.picks = dict.fromkeys(self.changes, side)

    def picked(self, change: int) -> str:
        """The side taken for a change; empty for a clash that nobody decided."""
        number = self.changes[change]
        kind = self.chunks[number].kind
        return self.picks.get(number, "" if kind == "clash" else "mine" if kind == "both" else kind)

    @property
    def open(self) -> int:
        """How many clashes are not decided."""
        return sum(number not in self.picks for number in self.clashes)

    def text(self) -> list[str]:
        """The lines as chosen."""
        return merged(self.chunks, self.picks)

    def first_line(self, change: int) -> int:
        """The line of the text as chosen at which a change stands, from 1."""
        return len(merged(self.chunks[: self.changes[change]], self.picks)) + 1 if change >= 0 else 1

    def rows(self, cells: int) -> list[DiffRow]:
        """All changes as rows for a width."""
        rows: list[DiffRow] = []
        for change, number in enumerate(self.changes):
            chunk, picked = self.chunks[number], self.picked(change)
            rows.append(DiffRow("@", self._head(change, chunk, picked, cells), change, len(rows)))
            for side, lines in self._sides(chunk):
                faded = side in _PICKS and picked not in ("", side, "both")
                rows += laid_out(lines, cells, group=change, first=len(rows), faded=faded)
        return rows

    def _head(self, change: int, chunk: Chunk, picked: str, cells: int) -> Line:
        left: Line = [
            (f"{change + 1}/{len(self.changes)}  ", ("diff--place",)),
            (_TITLES[chunk.kind], ("row--warn",) if chunk.kind == "clash" else ("row--text",)),
            (f"  line {chunk.line}", ("diff--place",)),
        ]
        right: Line = []
        for side in _PICKS:
            names = ("diff--picked",) if side == picked else ("diff--place",)
            right += [(f" {'●' if side == picked else '○'} {side}", names)]
        return spread(left, right, cells)

    def _sides(self, chunk: Chunk) -> list[tuple[str, list[DiffLine]]]:
        def shown(lines: Sequence[str], kind: str) -> list[DiffLine]:
            return [DiffLine(kind, printable(drawn(line))) for line in lines]

        def came(name: str, lines: Sequence[str]) -> list[DiffLine]:
            """A side of a clash: its lines, with the words marked that differ from what both had."""
            if not lines:
                return [DiffLine("!", f"{name}: deleted")]
            compared = with_words([*shown(chunk.base, "-"), *shown(lines, "+")])
            return [DiffLine("!", f"{name}:"), *(line for line in compared if line.kind == "+")]

        if chunk.kind in ("mine", "theirs", "both"):
            new = chunk.theirs if chunk.kind == "theirs" else chunk.mine
            return [("", with_words([*shown(chunk.base, "-"), *shown(new, "+")]))]
        return [("mine", came("mine", chunk.mine)), ("theirs", came("on disk", chunk.theirs))]


class ConflictView(Vertical):
    """The changes with their choices; beside them, where it is wide, the text as chosen."""

    def __init__(self, comparison: Comparison, theirs: bytes, front_lines: int, hooks: Hooks) -> None:
        """``theirs`` is the version on disk that was compared, ``front_lines`` what is left out of the
        text as chosen."""
        super().__init__()
        self.theirs = theirs
        self._hooks = hooks
        self.comparison = comparison
        self._front_lines = front_lines
        self._rows: list[DiffRow] = []

    def compose(self) -> ComposeResult:
        yield NoteBar(id="conflict-note")
        with Horizontal():
            yield DiffList(id="conflict-changes", empty="Both texts are the same")
            yield MarkdownView(id="conflict-result", classes="pane")

    def on_mount(self) -> None:
        changes = self.query_one(DiffList)
        changes.border_title = "mine and theirs"
        self.query_one(MarkdownView).border_title = "the text as chosen"
        self.query_one(MarkdownView).set_page("", hooks=self._hooks)
        changes.focus()
        self.show()

    @property
    def change(self) -> int:
        """The number of the change under the cursor."""
        row = self.query_one(DiffList).row
        return row.group if row is not None else -1

    def show(self) -> None:
        """Draw again after a choice; the cursor stays at its change."""
        changes = self.query_one(DiffList)
        change = self.change
        self._rows = self.comparison.rows(max(changes.size.width - 4, 30))
        changes.set_rows(self._rows, lambda row: str(row.number))
        if change >= 0:
            self._to(change)
        count, open_ = len(self.comparison.changes), self.comparison.open
        changes.border_subtitle = f"{count} change{'' if count == 1 else 's'}"
        text = (
            f"{open_} to decide; nothing is lost until you choose"
            if open_
            else "all decided: ⏎ puts this text into the editor"
        )
        sign: Line = [("⇄ ", ("bar--warn",) if open_ else ("bar--good",))]
        self.query_one(NoteBar).show([*sign, (text, ("bar--text",))])
        lines = self.comparison.text()[self._front_lines :]
        view = self.query_one(MarkdownView)
        view.replace_page(wild("\n".join(lines)), first_line=self._front_lines + 1)
        if change >= 0:
            view.reveal_line(self.comparison.first_line(change))

    def pick(self, side: str) -> None:
        """Take a side for the change under the cursor, and go on to the next open one."""
        change = self.change
        if change < 0:
            return
        self.comparison.pick(change, side)
        self.show()
        following = [*range(change + 1, len(self.comparison.changes)), *range(change)]
        following = [one for one in following if not self.comparison.picked(one)]
        if following:
            self._to(following[0])

    def pick_all(self, side: str) -> None:
        """Take a side everywhere."""
        self.comparison.pick_all(side)
        self.show()

    def step(self, by: int) -> None:
        """Go to the next or previous change."""
        count = len(self.comparison.changes)
        if count:
            self._to((self.change + by) % count)

    def _to(self, change: int) -> None:
        at = next((row.number for row in self._rows if row.group == change), -1)
        if at >= 0:
            self.query_one(DiffList).move_to(at)

    def on_resize(self) -> None:
        self.call_after_refresh(self.show)

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if self.change >= 0:
            self.query_one(MarkdownView).reveal_line(self.comparison.first_line(self.change))
