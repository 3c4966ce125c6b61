"""A restore's second half: put each file of an archive in its place, and keep what it replaces."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from memex_core.care import tombstones
from memex_core.care.backup import JOURNAL, PAGES, keep, put
from memex_core.care.set_aside import NAME
from memex_core.files.atomic import inside
from memex_core.files.commit import Edit, commit
from memex_core.files.scan import is_page, scan
from memex_core.model import clock
from memex_core.model.errors import Refused, Unreachable
from memex_core.model.slug import fold

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

CHUNK = 500  # pages in one commit: a crash leaves whole chunks, and the same restore goes on from there


class Restoring:
    """Takes the files of a verified archive one by one; ``finish`` deals with what the archive lacks."""

    def __init__(self, layout: Layout, *, actor: str, dry_run: bool) -> None:
        self.layout, self.actor, self.dry_run = layout, actor, dry_run
        self.warnings: list[str] = []
        self.kept: str | None = None
        self.left: list[str] = []  # names of files that were purged here
        self._purged = tombstones.of(layout)
        self._edits: list[Edit] = []
        self._replaced = 0
        self._numbers = itertools.count(2)

    def check(self, names: list[str]) -> None:
        """Refuse, before the first write, what has no place here: through a link, or two names that this
        disk takes for one."""
        for name in names:
            self._place(name)
        if ignores_case(self.layout.root):
            folded: dict[str, str] = {}
            for name in names:
                other = folded.setdefault(fold(name), name)
                if other != name:
                    raise Refused(f"{other} and {name} are one file on this disk", hint="restore elsewhere")

    def all(self, files: Iterable[tuple[str, bytes]], names: set[str]) -> None:
        """Every file of the archive, whose names are ``names``, and what the archive lacks."""
        for name, data in files:
            self.file(name, data)
        self.finish(names)

    def file(self, name: str, data: bytes) -> None:
        """One file of the archive."""
        full = self._place(name)
        old = read(full)
        if old == data:
            return
        if self._is_purged(name, data):
            self.left.append(name)
            return
        if name == JOURNAL and old:
            return  # this store's own history goes on; it holds what the restore replaces
        if old is not None:
            self._keep(name, full)
        if self.dry_run:
            return
        path = name.removeprefix(f"{PAGES}/")
        if path != name and is_page(self.layout, path):
            self._edits.append(Edit(path, old, data))
            if len(self._edits) >= CHUNK:
                self._flush()
        else:
            put(full, data)

    def finish(self, names: set[str]) -> None:
        """Move aside the pages that the archive does not have, and say what was replaced."""
        try:
            present = scan(self.layout).pages
        except Unreachable:
            present = {}
        for path in sorted(present):
            name = f"{PAGES}/{path}"
            if name not in names:
                full = self.layout.file_path(path)
                self._keep(name, full)
                if not self.dry_run:
                    self._edits.append(Edit(path, read(full), None))
        self._flush()
        if self.left:
            files = "1 file was" if len(self.left) == 1 else f"{len(self.left)} files were"
            stay = "stays" if len(self.left) == 1 else "stay"
            self.warnings.append(f"{files} purged here and {stay} away: {', '.join(self.left)}")
        if self._replaced:
            where = f"; kept in {self.kept}" if self.kept else ""
            files = "1 file is" if self._replaced == 1 else f"{self._replaced} files are"
            self.warnings.append(f"{files} other or newer here than in the archive{where}")

    def _is_purged(self, name: str, data: bytes) -> bool:
        if name.startswith(f"{PAGES}/"):
            return is_page(self.layout, name.removeprefix(f"{PAGES}/")) and self._purged.page(data)
        return self._purged.transcript(name)

    def _place(self, name: str) -> str:
        """Where a file of the archive goes. Raises Refused as ``atomic.inside`` does."""
        path = name.removeprefix(f"{PAGES}/")
        if path != name:
            return inside(self.layout.pages, path)
        home = os.path.dirname(self.layout.diary) if name.startswith("diary/") else self.layout.state
        return inside(home, name)

    def _keep(self, name: str, full: str) -> None:
        self._replaced += 1
        if self.dry_run:
            return
        if self.kept is None:
            stamp = clock.stamp().replace(":", "").replace("-", "")
            self.kept = free = os.path.join(self.layout.state, f"{NAME}{stamp}")
            while os.path.lexists(self.kept):  # two in one second
                self.kept = f"{free}-{next(self._numbers)}"
        keep(full, os.path.join(self.kept, *name.split("/")))

    def _flush(self) -> None:
        if self._edits and not self.dry_run:
            commit(
                self.layout,
                self._edits,
                action="restore",
                item="",
                actor=self.actor,
                detail={"archive": True},
            )
        self._edits = []


def read(full: str) -> bytes | None:
    try:
        with open(full, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def ignores_case(folder: str) -> bool:
    """Whether the disk of an existing folder takes names that differ only in case for one."""
    other = folder.swapcase()
    try:
        return other != folder and os.path.samefile(folder, other)
    except OSError:
        return False
