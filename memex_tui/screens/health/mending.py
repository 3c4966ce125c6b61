"""What the numbers of the Health area do: one method for each kind of fix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from memex_core.care.doctor_store import clear_up
from memex_core.model.results import RenameResult
from memex_tui.areas import AREAS
from memex_tui.messages import Go, Place, new_page, open_page
from memex_tui.render.text import counted
from memex_tui.screens.health import presenter, repair
from memex_tui.screens.health.commands import MOST
from memex_tui.screens.health.presenter import Finding, Fix
from memex_tui.screens.overlays.rename import RenameCard

if TYPE_CHECKING:
    from memex_tui.screens.health.screen import HealthScreen


WRITING = ("link", "unlink", "describe", "clear")
"""Kinds of fix that change files as soon as they are asked for; the others show something first."""


class Mending:
    """Methods ``_fix_<kind>`` of the screen, and ``do_health_fix_<number>``."""

    _sure: tuple[Fix, Finding | None] | None = None  # the fix of many pages that waits to be meant

    @property
    def _health(self) -> HealthScreen:
        return cast("HealthScreen", self)

    def _fix(self, number: int) -> None:
        count = len(self._health._fixes)
        if number > count:
            area = AREAS[number - 1].title
            self._health.memex_app.toast(f"There is no fix {number} here; alt+{number} goes to {area}")
            return
        fix, finding = self._health._fixes[number - 1], self._health._finding
        # The numbers go to areas elsewhere: one may be a slip, and what writes is meant twice.
        if (fix.every or fix.kind in WRITING) and self._sure != (fix, finding):
            self._sure = (fix, finding)
            pages = len({one.file for one in self._concerned(finding, fix)}) if finding is not None else 0
            more = f", in {pages} pages" if pages > 1 else ""
            text = f"Press {number} once more: {fix.label[:1].lower()}{fix.label[1:]}{more}"
            self._health.memex_app.toast(text, hint=f"alt+{number} goes to {AREAS[number - 1].title}")
            return
        self._sure = None
        if fix.kind == "rebuild":
            self._health.do_health_rebuild()
        elif fix.kind == "again":
            self._health.do_health_check()
        elif finding is not None:
            act = getattr(self, f"_fix_{fix.kind.replace('-', '_')}")
            act(finding, fix)

    def _fix_open(self, finding: Finding, fix: Fix) -> None:
        self._health.post_message(open_page(finding.file, line=finding.line))

    def _fix_edit(self, finding: Finding, fix: Fix) -> None:
        self._health.post_message(open_page(finding.file, line=finding.line, edit=True))

    def _fix_create(self, finding: Finding, fix: Fix) -> None:
        self._health.post_message(new_page(fix.target))

    async def _copy(self, path: str) -> None:
        layout = self._health.memex_app.layout
        await self._health.memex_app.copy(layout.file_path(path) if layout is not None else path, "path")

    def _fix_copy(self, finding: Finding, fix: Fix) -> None:
        self._health.run_worker(self._copy(finding.file), exit_on_error=False)

    def _concerned(self, finding: Finding, fix: Fix) -> Sequence[Finding]:
        return presenter.alike(self._health._report, finding) if fix.every else [finding]

    def _fix_link(self, finding: Finding, fix: Fix) -> None:
        concerned = self._concerned(finding, fix)
        self._health.write(
            lambda memex: repair.link_to(memex, concerned, fix.target),
            lambda count: self._mended(concerned, f"now {_links(concerned)} to {fix.target}", count),
        )

    def _fix_unlink(self, finding: Finding, fix: Fix) -> None:
        concerned = self._concerned(finding, fix)
        self._health.write(
            lambda memex: repair.unlink(memex, concerned),
            lambda count: self._mended(concerned, "now plain text", count),
        )

    def _mended(self, concerned: Sequence[Finding], what: str, pages: int) -> None:
        where = concerned[0].place if len(concerned) == 1 else f"{pages} page{'' if pages == 1 else 's'}"
        self._health.memex_app.toast(f"{where}: {what}", hint="u takes it back")
        self._health.leave_out(concerned)

    def _fix_sources(self, finding: Finding, fix: Fix) -> None:
        self._health.post_message(Go(Place("sources", finding.file, line=finding.line)))

    def _fix_settings(self, finding: Finding, fix: Fix) -> None:
        self._health.post_message(Go(Place("settings", purpose=fix.target or "memory")))

    async def _copy_text(self, text: str) -> None:
        await self._health.memex_app.copy(text, "command")

    def _fix_copy_text(self, finding: Finding, fix: Fix) -> None:
        self._health.run_worker(self._copy_text(fix.target), exit_on_error=False)

    def _fix_clear(self, finding: Finding, fix: Fix) -> None:
        def cleared(done: Sequence[str]) -> None:
            self._health.memex_app.toast(f"Cleared up: {counted(len(done), 'leftover')}")
            self._health.leave_out([finding])

        self._health.write(lambda memex: clear_up(memex.store.layout), cleared)

    def _fix_describe(self, finding: Finding, fix: Fix) -> None:
        self._health.write(
            lambda memex: memex.edit(finding.file, set={"description": fix.target}),
            lambda _: self._mended([finding], "described", 1),
        )

    def _fix_reread(self, finding: Finding, fix: Fix) -> None:
        self._health.write(
            lambda memex: memex.store.index.update([finding.file]), lambda _: self._reread(finding)
        )

    def _reread(self, finding: Finding) -> None:
        self._health.memex_app.toast(f"{finding.file} was read into the index again")
        self._health.leave_out([finding])
        self._health.recheck()

    def _fix_rename(self, finding: Finding, fix: Fix) -> None:
        title = finding.file.rpartition("/")[2].removesuffix(".md")

        def renamed(done: RenameResult) -> None:
            count = len(done["rewritten"])
            links = f"{count} link{'' if count == 1 else 's'} followed"
            self._health.memex_app.toast(
                f"{done['old_path']} is now {done['path']}", hint=f"{links} · u takes it back"
            )
            self._health.leave_out([finding])

        self._health.app.push_screen(RenameCard(finding.file, title, renamed))


def _links(concerned: Sequence[Finding]) -> str:
    return "links" if len(concerned) == 1 else "all link"


def _fixer(number: int) -> Any:
    def fix(self: Mending) -> None:
        self._fix(number)

    return fix


for _number in range(1, MOST + 1):
    setattr(Mending, f"do_health_fix_{_number}", _fixer(_number))
