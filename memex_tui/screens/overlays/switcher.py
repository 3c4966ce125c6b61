"""The page switcher: recent pages on an empty field, titles while typing, a new page at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events

from memex_core.index.named import Named, named
from memex_core.memex import Memex
from memex_core.model.errors import MemexError, StoreMissing
from memex_tui.messages import new_page, open_page
from memex_tui.render.line import Line, spread
from memex_tui.render.text import printable
from memex_tui.screens.overlays.base import Picker
from memex_tui.widgets.rows import RowState

LIMIT = 60


class Pick(NamedTuple):
    """A page to go to; without a path: one to create."""

    path: str
    title: str
    type: str = ""
    note: str = ""
    recent: bool = False


class PageSwitcher(Picker[Pick]):
    """Enter opens, alt+enter always creates, K peeks through the list's own keys."""

    TITLE_TEXT = "go to page"
    PLACEHOLDER = "Title, alias or a part of one"

    def look_up(self, typed: str) -> None:
        recent = list(self.memex_app.saved.recent)

        def find(memex: Memex) -> list[Pick]:
            db = memex.store.index.db
            found = named(db, typed, LIMIT)
            if typed.strip():
                return [_pick(one) for one in found]
            rows = [memex.store.index.row(path) for path in recent[:LIMIT]]
            picks = [Pick(row.path, row.title, row.type, recent=True) for row in rows if row is not None]
            if len(picks) > 1:  # the page that is open is the least likely to be wanted
                picks = [picks[1], picks[0], *picks[2:]]
            known = {pick.path for pick in picks}
            return [*picks, *(_pick(one) for one in found if one.path not in known)][:LIMIT]

        self.ask(
            "pages", find, lambda picks: self._found(typed, picks), lambda error: self._failed(typed, error)
        )

    def _found(self, typed: str, picks: list[Pick]) -> None:
        title = " ".join(typed.split())
        exact = any(pick.title.casefold() == title.casefold() for pick in picks)
        if title and not exact:
            picks = [*picks, Pick("", title)]
        self.show(picks, lambda pick: pick.path or "+")
        self.card.border_subtitle = "⏎ open · esc close" if not title else "⏎ open · alt+n new page"

    def _failed(self, typed: str, error: MemexError) -> None:
        if isinstance(error, StoreMissing):
            self._found(typed, [])
            return
        self.rows.set_empty(error.message)
        self.show([])

    def draw(self, row: Pick, cells: int, state: RowState) -> Sequence[Line]:
        if not row.path:
            return [[("+ new page ", ("row--accent",)), (f"“{printable(row.title)}”", ("row--title",))]]
        folder = row.path.rpartition("/")[0]
        left: Line = [(printable(row.title), ("row--title",))]
        if row.note:
            left.append((f"  {printable(row.note)}", ("row--muted",)))
        right: Line = [(printable(f"{folder}/" if folder else ""), ("row--path",))]
        if row.type:
            right.append((f"  {printable(row.type)}", ("row--faint",)))
        return [spread(left, right, cells)]

    def on_key(self, event: events.Key) -> None:
        if event.key in ("alt+n", "alt+enter"):
            event.stop()
            title = " ".join(self.query_one("Input").value.split())  # type: ignore[attr-defined]
            if title:
                self.close()
                self.chosen(Pick("", title))

    def chosen(self, row: Pick) -> None:
        go = open_page(row.path, title=row.title) if row.path else new_page(row.title)
        self.app.post_message(go)


def _pick(found: Named) -> Pick:
    return Pick(found.path, found.title, found.type, f"also {found.alias}" if found.alias else "")
