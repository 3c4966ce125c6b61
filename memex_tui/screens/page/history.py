"""The past of a page: its versions at the left, what changed in the one under the cursor at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message

from memex_core.actions import history as past
from memex_core.files.decoding import unix
from memex_core.memex import Memex
from memex_tui.render.line import Line, spread
from memex_tui.render.text import content, cut, printable
from memex_tui.screens.page.diffs import LONGEST, DiffLine, DiffList, laid_out, parsed
from memex_tui.screens.search.presenter import age
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

VERSIONS = 200

_ACTS = {
    "add": "written",
    "update": "edited",
    "hand": "edited outside",
    "rename": "renamed",
    "remove": "deleted",
    "restore": "restored",
    "status": "marked",
    "approve": "approved",
    "merge": "merged",
}


class Version(NamedTuple):
    """A change of the page. ``seq`` names the text after it, ``before`` the text before it; ``first``:
    there was none."""

    seq: int
    before: int
    act: str
    actor: str
    when: str
    note: str
    first: bool = False


def versions(memex: Memex, path: str) -> list[Version]:
    """The changes of a page that the journal knows, newest first."""
    events = memex.history(path, limit=VERSIONS)["events"]
    found = []
    for number, event in enumerate(events):
        older = events[number + 1]["seq"] if number + 1 < len(events) else event["seq"] - 1
        detail: dict[str, Any] = event["detail"]
        note = f"from {detail['from']}" if detail.get("from") else ""
        act = _ACTS.get(event["action"], event["action"])
        found.append(
            Version(event["seq"], older, act, event["actor"], event["ts"], note, event["size_before"] is None)
        )
    return found


def difference(memex: Memex, path: str, version: Version, *, to_now: bool) -> list[DiffLine]:
    """What changed in a version, or what changed since it."""
    if version.first and not to_now:
        store = memex.store
        where = past.page_path(store, path)
        text = past.version(store, where, past.events_of(store, where), version.seq).decode(
            "utf-8", "replace"
        )
        return [DiffLine("+", printable(line.expandtabs(4))[:LONGEST]) for line in unix(text).split("\n")]
    old, new = (version.seq, None) if to_now else (version.before, version.seq)
    return parsed(memex.diff(path, old, new)["diff"])


def draw_version(row: Version, cells: int, state: RowState) -> Sequence[Line]:
    """A row of the list of versions."""
    when = f"{row.when[:10]} {row.when[11:16]}"
    left: Line = [
        (row.act, ("row--title",)),
        (f"  {printable(row.note)}" if row.note else "", ("row--muted",)),
    ]
    actor = printable(row.actor.partition(":")[2] or row.actor)
    below: Line = [(cut(f"{when} · {actor}", cells), ("row--path",))]
    return [spread(left, [(age(row.when), ("row--muted",))], cells), below]


class HistoryView(Horizontal):
    """Versions and differences."""

    class Asked(Message):
        """The difference of a version is wanted."""

        def __init__(self, version: Version, to_now: bool) -> None:
            super().__init__()
            self.version = version
            self.to_now = to_now

    def __init__(self) -> None:
        super().__init__()
        self.to_now = False
        self._lines: Sequence[DiffLine] = ()

    def compose(self) -> ComposeResult:
        yield VirtualList[Version](
            draw_version,
            row_height=2,
            id="versions",
            classes="pane",
            empty="memex has not seen it change yet",
        )
        yield DiffList(id="version-diff", empty="The text is the same")

    @property
    def list(self) -> VirtualList[Version]:
        return self.query_one("#versions", VirtualList)

    @property
    def diff(self) -> DiffList:
        return self.query_one(DiffList)

    @property
    def version(self) -> Version | None:
        """The version under the cursor."""
        return self.list.row

    def show(self, found: Sequence[Version]) -> None:
        """The versions, newest first."""
        self.list.set_rows(found, lambda version: str(version.seq))
        self.list.border_title = "history"
        self.list.border_subtitle = content(f"{len(found)} version{'' if len(found) == 1 else 's'}")
        self.diff.display = bool(found)  # without a version there is no difference to show
        self.list.focus()
        self.ask()

    def ask(self) -> None:
        """Ask for the difference of the version under the cursor."""
        version = self.version
        if version is not None:
            self.post_message(self.Asked(version, self.to_now))

    def show_difference(self, version: Version, lines: Sequence[DiffLine]) -> None:
        """The difference that was asked for."""
        self._lines = lines
        came = sum(line.kind == "+" for line in lines)
        went = sum(line.kind == "-" for line in lines)
        what = "changed since" if self.to_now else "changed in it"
        self.diff.border_title = content(f"{what} · +{came} -{went}")
        self.diff.border_subtitle = content(f"version {version.seq}")
        self._lay_out()

    def _lay_out(self) -> None:
        self.diff.show(laid_out(self._lines, max(self.diff.size.width - 4, 20)))

    def on_resize(self) -> None:
        self.call_after_refresh(self._lay_out)

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if event.view is self.list:
            self.ask()
