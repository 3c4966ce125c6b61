"""The Health area: runs the checks beside everything else, and mends what they find."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Container

from memex_core.memex import Memex
from memex_core.model.errors import MemexError, Refused, StoreMissing
from memex_core.model.results import RebuildReport
from memex_tui.areas import NO_MEMORY
from memex_tui.gateway import Dropped
from memex_tui.messages import PagesChanged, Place, open_page
from memex_tui.render.line import Line
from memex_tui.render.text import counted
from memex_tui.screens.base import AreaScreen, Item
from memex_tui.screens.health import doctoring, presenter
from memex_tui.screens.health.commands import MOST
from memex_tui.screens.health.mending import Mending
from memex_tui.screens.health.presenter import Finding, Fix, Group, Report, Row, Seen
from memex_tui.screens.health.widgets import Detail, FactSheet, draw_row
from memex_tui.widgets.virtual_list import VirtualList

QUICK = 1.5  # seconds: a check that took no longer is run again after each change
SETTLE = 0.4  # seconds without a change before that
TICK = 0.1  # seconds between looks at the progress
LOOK_AFTER = 0.05  # seconds a row stands before its page is read


class Progress:
    """How far a call in another thread is; asked for by a timer, stopped by a flag."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.done = self.total = 0
        self.began = time.monotonic()
        self.stopped = threading.Event()

    def step(self, done: int, total: int) -> None:
        """Called by the core for each page."""
        self.done, self.total = done, total
        if self.stopped.is_set():
            raise Dropped


class HealthScreen(Mending, AreaScreen):
    """Checks with their findings, and numbered fixes for the one under the cursor."""

    AREA = "health"
    CSS_PATH = "health.tcss"
    CRUMBS = True
    HELP_TEXT = (
        "Every page is read and every link looked at. The finding under the cursor is explained beside the "
        "list; the numbers do what stands beside them, and u takes it back."
    )

    def __init__(self) -> None:
        super().__init__()
        self.findings = VirtualList[Row](draw_row, empty="", id="findings", classes="pane")
        self._report = Report()
        self._folded: set[str] = set()
        self._listed: Sequence[Row] = ()
        self._seen = Seen()
        self._fixes: list[Fix] = []
        self._job: Progress | None = None
        self._changed = 0  # pages changed since the check
        self._note = ""
        self._row_timer: Any = None
        self._again_timer: Any = None
        self._others: tuple[Group, ...] = ()  # what was found that is no matter of pages
        self._examined = self._thorough = False
        self._facts: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None

    def compose_area(self) -> ComposeResult:
        with Container(id="panes"):
            yield self.findings
            with Container(id="beside"):
                yield Detail()
                yield FactSheet()

    def on_mount(self) -> None:
        self.findings.border_title = "checks"
        self.findings.focus()
        self.set_interval(TICK, self._tell_progress)
        self.call_after_refresh(self.recheck)

    @property
    def _finding(self) -> Finding | None:
        row = self.findings.row if self.is_mounted else None
        return row.finding if row is not None else None

    # -- what the frame asks ------------------------------------------------------------------

    def contexts(self) -> Sequence[str]:
        found = ["health.running"] if self._job is not None else []
        if self._fixes:
            found.append("health.finding")
        if self.focused is self.findings:
            found.append("health.list")
        return [*found, "health"]

    def allowed(self, command: str) -> bool:
        if command == "health.facts":
            return not (self.has_class("-tall") and (self.has_class("-wide") or self.has_class("-wider")))
        if command in ("health.check", "health.rebuild"):
            return self._job is None
        return True

    def current_item(self) -> Item | None:
        finding = self._finding
        if finding is None or not self._seen.is_page:
            return None
        return Item(finding.file, finding.file.rpartition("/")[2].removesuffix(".md"))

    async def visit(self, place: Place) -> None:
        key = place.extra.get("row")
        if isinstance(key, str):
            self.findings.move_to_key(key)

    def place(self) -> Place | None:
        return Place("health", title="Health", extra={"row": self.findings.key})

    def save_state(self) -> Mapping[str, Any]:
        return {"folded": sorted(self._folded)}

    def restore_state(self, state: Mapping[str, Any]) -> None:
        folded = state.get("folded")
        if isinstance(folded, list):
            self._folded = {one for one in folded if isinstance(one, str)}

    def refresh_frame(self) -> None:
        super().refresh_frame()
        self._show_facts()

    def pages_changed(self, change: PagesChanged) -> None:
        self._changed += len(change.paths)
        self._tell()
        self._check_soon()

    def on_screen_resume(self) -> None:
        if self._changed:
            self._check_soon()

    def _check_soon(self) -> None:
        """Run a quick check again when changes have settled; a long one waits to be asked."""
        if self._again_timer is not None:
            self._again_timer.stop()
        if self.is_current and self._report.seconds < QUICK:
            self._again_timer = self.set_timer(SETTLE, self.recheck)

    # -- running the checks ---------------------------------------------------------------------

    def recheck(self) -> None:
        if self._job is not None:
            return
        running = self._begin("checking")

        def verify(memex: Memex) -> Report:
            memex.look_again()
            checks = memex.verify(progress=running.step)["checks"]
            index = memex.store.index
            groups = presenter.grouped(checks, index.unresolved(), index.ambiguous())
            seconds = time.monotonic() - running.began
            report = Report(tuple(groups), index.total(), seconds, time.strftime("%H:%M"))
            return presenter.with_alike(report)

        self._changed = 0
        self.ask("verify", verify, self._checked, self._failed, lane="care")
        self._ask_facts()

    def do_health_check(self) -> None:
        """Everything anew, the server of agents included."""
        self._examined = False
        self._thorough = True
        self.recheck()

    def _examine(self) -> None:
        """What is no matter of pages is looked at once, and when a person asks again: it starts programs."""
        if self._examined:
            return
        thorough, self._examined, self._thorough = self._thorough, True, False
        examine = doctoring.examine
        self.ask(
            "doctor", lambda memex: examine(memex, thorough), self._know_more, lambda _: None, lane="care"
        )

    def _know_more(self, groups: Sequence[Group]) -> None:
        first = not self._others
        self._others = tuple(groups)
        self._report = presenter.joined(self._report, self._others)
        if first:
            self._folded |= {group.name for group in groups if not group.error and group.name == "okf"}
        self._list()
        self._tell()

    def _ask_facts(self) -> None:
        self.ask("facts", lambda memex: (memex.status(), memex.info()), self._know, lambda _: None)

    def _begin(self, word: str) -> Progress:
        self._job = Progress(word)
        self._note = f"{word.capitalize()} …"
        if not self._report.groups:
            self.findings.set_empty("Every page is looked at; go on with what you like meanwhile.")
        self._tell()
        self.refresh_keys()
        return self._job

    def _end(self) -> None:
        self._job = None
        self.findings.set_empty("")
        self._tell()
        self.refresh_keys()

    def _checked(self, report: Report) -> None:
        first = not self._report.groups
        self._report = presenter.joined(report, self._others)
        if first:
            self._folded |= presenter.too_many(report)
        self._note = ""
        self._end()
        self._list()
        if first and self.findings.count:
            self._to_finding(1, from_top=True)
        self._examine()

    def _failed(self, error: MemexError) -> None:
        missing = isinstance(error, StoreMissing)
        self._note = f"{NO_MEMORY}." if missing else f"{error}"
        self._end()
        self._show_row()

    def do_health_stop(self) -> None:
        running = self._job
        if running is not None:
            running.stopped.set()
            self.memex_app.gateway.drop("health.verify")
            self._note = f"{running.word.capitalize()} was stopped."
            self._end()
            if not self._report.groups:
                self._show_row()

    def do_health_rebuild(self) -> None:
        if self._job is not None:
            return
        running = self._begin("rebuilding")

        def rebuild(memex: Memex) -> RebuildReport:
            def step(done: int, total: int) -> None:
                running.done, running.total = done, total
                if running.stopped.is_set():
                    raise Refused("the rebuilding was stopped", hint="the old index still answers")

            return memex.rebuild_index(force=True, progress=step)

        self.write(rebuild, self._rebuilt, self._not_rebuilt)

    def _rebuilt(self, report: RebuildReport) -> None:
        self._end()
        seconds = report["duration_ms"] / 1000
        self.memex_app.toast(f"Index rebuilt: {report['nodes_indexed']:,} pages in {seconds:.1f} s")
        self.recheck()

    def _not_rebuilt(self, error: MemexError) -> None:
        self._end()
        self.memex_app.report(error)

    # -- what is shown --------------------------------------------------------------------------

    def _tell_progress(self) -> None:
        if self._job is not None:
            self._tell()

    def _tell(self) -> None:
        running, report = self._job, self._report
        line: Line
        if running is not None:
            share = f" {running.done:,} of {running.total:,}" if running.total else ""
            line = [(f"{running.word}{share} ", ("bar--muted",))]
            line += [(presenter.bar(running.done, running.total), ("bar--accent",))]
        elif not report.groups:
            line = []
        else:
            errors, warnings = report.errors, report.warnings
            line = [(f"✗ {errors:,}", ("bar--bad",)), ("  ", ())] if errors else []
            line += [(f"! {warnings:,}", ("bar--warn",)), ("  ", ())] if warnings else []
            line += [] if errors or warnings else [("✓ all is well", ("bar--good",)), ("  ", ())]
            said = f"{counted(report.pages, 'page')} · {report.at} · {report.seconds:.1f} s"
            line.append((said, ("bar--muted",)))
            if self._changed and report.seconds >= QUICK:
                word = f"  {self._changed:,} changed since"
                line += [(word, ("bar--warn",))]
        self.set_status(line)

    def _list(self) -> None:
        self._listed = presenter.rows(self._report, self._folded)
        self.findings.set_rows(self._listed, lambda row: row.key)
        self._show_row()

    def leave_out(self, mended: Collection[Finding]) -> None:
        """Take findings from the list; the next check says whether they are gone indeed."""
        self._report = presenter.without(self._report, mended)
        self._list()
        self._tell()

    def _know(self, answer: tuple[Mapping[str, Any], Mapping[str, Any]]) -> None:
        self._facts = answer
        self._show_facts()

    def _show_facts(self) -> None:
        if self._facts is None:
            return
        counters = self.memex_app.counters
        watch = presenter.Watch(counters.polling, counters.problem, self.memex_app._follower is None)
        for sheet in self.query(FactSheet):
            sheet.show(presenter.facts(*self._facts, watch))

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self._show_row()

    def _show_row(self) -> None:
        """Show at once what is known of the row, and read the rest when it stays."""
        row = self.findings.row
        self._seen = Seen(is_page=row is not None and row.finding is not None)
        self._show_fixes()
        if self._row_timer is not None:
            self._row_timer.stop()
        if row is not None and row.finding is not None:
            self._row_timer = self.set_timer(LOOK_AFTER, self._look)

    def _look(self) -> None:
        finding = self._finding
        if finding is not None:
            self.ask(
                "look", lambda memex: presenter.look_at(memex, finding), lambda seen: self._saw(finding, seen)
            )

    def _saw(self, finding: Finding, seen: Seen) -> None:
        if finding == self._finding:
            self._seen = seen
            self._show_fixes()

    def _show_fixes(self) -> None:
        row = self.findings.row
        finding = row.finding if row is not None else None
        if finding is not None:
            alike = len(presenter.alike(self._report, finding))
            self._fixes = presenter.fixes(finding, self._seen, alike)[:MOST]
        elif row is not None and row.group.name == "index-fresh" and not row.group.ok:
            self._fixes = [Fix("rebuild", "Rebuild the whole index")]
        else:
            self._fixes = []
        self.query_one(Detail).show(row, self._seen, self._fixes, self._note)
        self.refresh_keys()

    # -- moving -----------------------------------------------------------------------------------

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.do_health_open()

    def do_health_open(self) -> None:
        row = self.findings.row
        if row is None:
            return
        if row.finding is None:
            self._folded ^= {row.group.name}
            self._list()
        elif self._seen.is_page:
            self.post_message(open_page(row.finding.file, line=row.finding.line))

    def do_health_next(self) -> None:
        self._to_finding(1)

    def do_health_previous(self) -> None:
        self._to_finding(-1)

    def _to_finding(self, step: int, *, from_top: bool = False) -> None:
        found = self._listed
        at = 0 if from_top else self.findings.cursor + step
        while 0 <= at < len(found):
            if found[at].finding is not None:
                self.findings.move_to(at)
                return
            at += step

    def do_health_facts(self) -> None:
        self.toggle_class("-facts")
