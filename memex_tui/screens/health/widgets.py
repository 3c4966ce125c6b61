"""The Health area's panes: the finding under the cursor with its fixes, and the memory as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from memex_tui.render.line import Line, fit_line, spread
from memex_tui.render.text import cut, fit, printable
from memex_tui.render.wrap import wrap
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.health.about import ABOUT, About
from memex_tui.screens.health.commands import MOST
from memex_tui.screens.health.presenter import Fact, Fix, Row, Seen
from memex_tui.widgets.rows import RowState


def draw_row(row: Row, cells: int, state: RowState) -> Sequence[Line]:
    """A check or a finding as one line."""
    group, finding = row.group, row.finding
    sign, colour = group.sign
    if finding is None:
        fold = "▸ " if row.folded else "▾ " if group.findings else "  "
        left: Line = [(f"{sign} ", (f"row--{colour}",)), (fold, ("row--faint",))]
        left.append((group.title, ("row--muted",) if group.ok else ("row--title",)))
        count = f"{len(group.findings):,}" if group.findings else ""
        return [spread(left, [(count, (f"row--{colour}",))], cells)]
    room = max(cells // 2, 16)
    place = cut(printable(finding.place), room, keep="tail")
    left = [
        ("    ", ()),
        (place, ("row--accent",)),
        ("  ", ()),
        (printable(finding.message), ("row--muted",)),
    ]
    return [fit_line(left, cells)]


class Detail(LineBar):
    """What the row under the cursor is about, and what can be done."""

    NAMES = "name text muted faint key good warn bad accent number mark"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"bar--{name}" for name in NAMES.split()}

    def __init__(self) -> None:
        super().__init__(id="detail", classes="pane")
        self._row: Row | None = None
        self._seen = Seen()
        self._fixes: Sequence[Fix] = ()
        self._note = ""

    def show(self, row: Row | None, seen: Seen, fixes: Sequence[Fix], note: str = "") -> None:
        """Explain a row; ``note`` stands where there is none."""
        self._row, self._seen, self._fixes, self._note = row, seen, fixes, note
        self.border_title = row.group.title.lower() if row is not None else "health"
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        row, room = self._row, max(self.size.height, 4)
        if row is None:
            return [[], *wrapped(self._note, cells, "bar--muted")] if self._note else []
        if row.finding is None:
            return self._check(row, cells)
        return self._finding(row, cells, room)

    def _check(self, row: Row, cells: int) -> list[Line]:
        group = row.group
        sign, colour = group.sign
        count = len(group.findings)
        said = "holds" if group.ok else f"{count:,} finding{'' if count == 1 else 's'}"
        about = ABOUT.get(group.name, About(group.title, ""))
        lines: list[Line] = [[(f" {sign} {said}", (f"bar--{colour}",))], []]
        told = (
            f"Nothing like this: {about.help[:1].lower()}{about.help[1:]}"
            if group.ok and about.help
            else about.help
        )
        lines += wrapped(told, cells, "bar--muted")
        lines += [[], *self._numbered(cells, len(lines) + 1)] if self._fixes else []
        return lines

    def _finding(self, row: Row, cells: int, room: int) -> list[Line]:
        finding = row.finding
        assert finding is not None
        sign, colour = row.group.sign
        place = cut(printable(finding.place), max(cells - 4, 4), keep="tail")
        head: list[Line] = [[(f" {sign} ", (f"bar--{colour}",)), (place, ("bar--accent",))]]
        head += wrapped(finding.message, cells, "bar--text")
        left = room - len(head) - len(self._fixes) - 1
        around = self._around(cells, max(left - 1, 0))
        around = [[], *around] if around else []
        fixes = [[], *self._numbered(cells, len(head) + len(around) + 1)]
        about = wrapped(ABOUT[finding.check].help, cells, "bar--faint") if finding.check in ABOUT else []
        about = [[], *about] if left - len(around) > len(about) else []
        return [*head, *around, *fixes, *about]

    def _numbered(self, cells: int, top: int) -> list[Line]:
        lines: list[Line] = []
        for number, fix in enumerate(self._fixes[:MOST], 1):
            left: Line = [(f" {number} ", ("bar--key",)), (f" {printable(fix.label)}", ("bar--text",))]
            self.hit(0, cells, f"health.fix-{number}", top + number - 1)
            lines.append(fit_line(left, cells))
        return lines

    def _around(self, cells: int, most: int) -> list[Line]:
        """The lines around the one concerned; the farthest give way first."""
        finding = self._row.finding if self._row is not None else None
        lines = list(self._seen.lines)
        if finding is None or not lines:
            return []
        while len(lines) > max(most, 1):
            far = lines[0] if finding.line - lines[0][0] >= lines[-1][0] - finding.line else lines[-1]
            lines.remove(far)
        size = len(str(lines[-1][0]))
        found: list[Line] = []
        for number, text in lines:
            here = number == finding.line
            sign: Line = [(" ▌" if here else "  ", ("bar--mark",)), (f"{number:>{size}} ", ("bar--number",))]
            body = fit(printable(shifted(text, finding, here, cells - size - 4)), cells - size - 4)
            found.append([*sign, (f" {body}", ("bar--text" if here else "bar--faint",))])
        return found


def shifted(text: str, finding: object, here: bool, room: int) -> str:
    """The part of a long line that holds the link that is meant."""
    link = getattr(finding, "link", None)
    at = text.find(link.target) if here and link is not None else -1
    end = at + len(link.target) + 3 if link is not None else 0
    if len(text) <= room or at < 0 or end <= room:
        return text
    return "…" + text[max(min(at - room // 3, len(text) - room + 1), 1) :]


def wrapped(text: str, cells: int, name: str) -> list[Line]:
    """A text in lines that fit, with a blank before each."""
    text = printable(text)
    return [[(f" {text[start:end]}", (name,))] for start, end in wrap(text, max(cells - 2, 8))]


class FactSheet(LineBar):
    """The memory as a whole."""

    NAMES = "label text muted good warn bad"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"bar--{name}" for name in NAMES.split()}

    def __init__(self) -> None:
        super().__init__(id="facts", classes="pane")
        self.border_title = "memory"
        self._facts: Sequence[Fact] = ()

    def show(self, facts: Sequence[Fact]) -> None:
        self._facts = facts
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        lines: list[Line] = []
        for label, value, style in self._facts:
            path = value.startswith(("/", "~")) or ":\\" in value[:4]
            value = cut(printable(value), max(cells - 13, 4), keep="tail" if path else "head")
            lines.append([(f" {fit(label, 11)}", ("bar--label",)), (value, (f"bar--{style}",))])
        return lines
