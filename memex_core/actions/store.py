"""The open rooms that an action works with: layout, settings, index, journal, and the one commit."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from memex_core.actions.pace import Pace
from memex_core.files import layout as layouts
from memex_core.files.layout import Layout
from memex_core.index.failing import index_errors
from memex_core.model.errors import Ambiguous, BadInput, Locked, NotFound, SearchFailed, StoreMissing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memex_core.files.commit import Edit, Written
    from memex_core.files.config import Config
    from memex_core.files.journal import Journal
    from memex_core.files.scrubbing import Scrubber
    from memex_core.index.earlier import Copies
    from memex_core.index.entries import File
    from memex_core.index.freshness import Refresh
    from memex_core.index.index import Index
    from memex_core.index.lookup import Row
    from memex_core.model.page import Page
    from memex_core.model.results import Event

_BRIEF = 0.5  # seconds that an agent waits for another writer
_BRIEF_MS = 300  # milliseconds that it waits for who holds the index


class Store:
    """One store, opened lazily: nothing is read before an action asks for it."""

    def __init__(self, layout: Layout, *, actor: str = "") -> None:
        self.layout = layout
        self.actor = actor or default_actor()
        self.cwd = ""
        """The folder in which the caller works; empty: this process' own."""
        self.trying = False
        """Whether this is a dry run: what it finds changed outside is journalled by the next command."""
        self.at_most: int | None = None
        """Changed files that the index reads before it answers; with more of them it raises Behind."""
        self.typed = False
        """Whether a command line passes on what a person typed; see ``reviewing/governance.py``."""
        self.embedder: Any = None
        """Makes vectors in place of the endpoint of ``[embed]``: a callable from texts to vectors, or an
        object with such a method ``embed``; its ``model`` names what it makes."""
        self.maker: Any = None  # of vectors, kept for its connections by memex_core.actions.asking.meaning
        self.cause: dict[str, Any] = {}
        """Goes into the detail of every event while it is set: what made the store's writer write."""
        self.warnings: list[str] = []
        self.stale = False
        self.late: list[str] = []  # what was written although the index could not follow
        self._config: Config | None = None
        self._index: Index | None = None
        self._fresh = False
        self.followed = False
        """Whether a watcher of this process keeps the index in step, so that no operation has to look."""
        self.newborn: list[str] | None = None  # folders that opening made for it; see newborn.py
        self.pace = Pace()
        self.progress: Callable[[int, int], None] | None = None
        """Told (pages done, pages in all) while the index is built for want of one."""
        self._last: list[tuple[str, bytes, Page]] = []  # the pages read last
        self._copies: Copies | None = None

    @classmethod
    def open(cls, root: str | None = None, *, actor: str = "", create: bool = False) -> Store:
        """Open the store at ``root`` (found as the command line does when None).

        Raises StoreMissing when there is none and ``create`` is false.
        """
        at = layouts.find_root(root, os.environ, layouts.current())
        try:
            layout = layouts.open_layout(at)  # a folder opened as it is gets its .memex/ at the first write
        except StoreMissing:
            if not create:
                raise
            from memex_core.actions.newborn import made

            return made(cls, at, actor)
        store = cls(layout, actor=actor)
        if layout.folder and not os.path.lexists(layout.state):
            store.newborn = [layout.state]
        return store

    @property
    def config(self) -> Config:
        if self._config is None:
            from memex_core.files.config import load

            self._config = load(self.layout, os.environ)
            self.warnings.extend(self._config.warnings)
        return self._config

    def forget_config(self) -> None:
        """Read the settings anew when they are next asked for."""
        self._config = None

    @property
    def journal(self) -> Journal:
        from memex_core.files.journal import Journal

        return Journal(self.layout)

    @property
    def opened(self) -> bool:
        """Whether the index is open already."""
        return self._index is not None

    def has_index(self) -> bool:
        """Whether there is an index to ask; it is open then. None is built for that."""
        if self._index is None:
            from memex_core.index.index import Index

            self._repair()
            with index_errors():
                self._index = Index.existing(self.layout, busy_ms=self._busy_ms)
            if self._index is not None:
                self._index.progress = self.progress
        return self._index is not None

    def open_index(self, progress: Callable[[int, int], None] | None = None) -> Index:
        """The index as it is, not yet compared with the folder; built when there was none."""
        if self._index is None:
            from memex_core.index.index import Index

            self._repair()
            with index_errors():
                self._index = Index.open(self.layout, progress=progress or self.progress)
                self._index.progress = self.progress
                self._index.wait_at_most(self._busy_ms)
        return self._index

    @property
    def _busy_ms(self) -> int | None:
        return None if self.at_most is None else _BRIEF_MS

    @contextmanager
    def hurried(self, at_most: int) -> Iterator[None]:
        """While an agent waits: the index reads ``at_most`` changed files before it answers, and an answer
        of what it knew before is better than one that comes late."""
        self.at_most = at_most
        try:
            if self._index is not None:
                self._index.wait_at_most(self._busy_ms)
            yield
        finally:
            self.at_most = None
            if self._index is not None:
                self._index.wait_at_most(None)
                self._fresh = self._fresh and not self.stale

    @property
    def index(self) -> Index:
        """The index, in step with the folder as far as one check can tell."""
        index = self.open_index()
        if not self._fresh:
            begun = monotonic()
            with index_errors():
                change = self._refreshed(index)
            self.stale = change.stale
            self.warnings.extend(line for line in change.warnings if line not in self.warnings)
            self._fresh = True
            self.pace.looked(begun, index.total())
            late = index.get_meta("unnoticed")
            if change.digests or change.removed or late:
                self._notice(index, late, change)
            if (
                not self.trying
                and self.at_most is None
                and not os.path.exists(os.path.join(self.layout.state, "texts.db"))
            ):
                from memex_core.care.notice import first_copies

                first_copies(self.layout, index)
        return index

    def _refreshed(self, index: Index) -> Refresh:
        """Compared with the folder; as it was, where an agent waits and another process writes the index."""
        try:
            return index.refresh(budget_ms=self.config.index.freshness_ms, at_most=self.at_most)
        except Locked:
            if self.at_most is None:
                raise
            from memex_core.index.freshness import Refresh

            return Refresh(stale=True)

    def _notice(self, index: Index, late: Any, change: Refresh) -> None:
        """Journal what changed outside; later, where this is a dry run, or an agent waits and the store is
        being written."""
        from memex_core.care.notice import notice, postpone

        if self.trying:
            postpone(index, late, change)
        elif self.at_most is None or not os.path.isdir(self.layout.state):
            notice(self.layout, change, index, late)
        else:
            from memex_core.files.lock import StoreLock

            try:
                with StoreLock(self.layout.lock, timeout=_BRIEF):
                    notice(self.layout, change, index, late)
            except Locked:
                postpone(index, late, change)

    def look_again(self) -> None:
        """Check the folder anew before the next read (a long-lived face calls this)."""
        self._fresh = False

    def look_if_due(self, *, patient: bool = False) -> None:
        """Check the folder anew before the next read, unless that was done shortly before in a store where it
        takes time: then what is found is ``stale`` once that is more than a moment ago. ``patient``: see
        :meth:`Pace.due`."""
        if self._fresh and not self.followed:
            self._fresh = not self.pace.due(patient=patient)
            self.stale = self.stale or (self._fresh and self.pace.past)

    def look_at_conversations(self) -> None:
        """Index the turns that this process has just stored; what comes later is found as always."""
        try:
            with index_errors():
                self.index.follow_conversations()
        except (SearchFailed, Locked) as error:  # the turns are kept; whoever reads next brings it in step
            self.look_again()
            self.late.append(f"stored, but the index could not follow yet ({error.message})")

    def interrupt(self) -> None:
        """Break off the index's read in progress, from another thread."""
        index = self._index
        if index is not None:
            index.interrupt()

    def _repair(self) -> None:
        """Finish or undo what a killed process left half done."""
        if self.layout.interrupted:
            from memex_core.files.commit import recover

            recover(self.layout)
        waits = self.trying or self.at_most is not None  # a dry run does nothing, an agent has no time for it
        if not waits and os.path.exists(os.path.join(self.layout.state, "unfinished")):
            from memex_core.actions.exchange.finishing import finish

            finish(self)

    def close(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None
            self._fresh = False
        if self._copies is not None:
            self._copies.close()

    # -- reading pages ---------------------------------------------------------------------

    def read_bytes(self, path: str) -> bytes:
        """The file's bytes as they are now. NotFound when it is gone."""
        from memex_core.files.atomic import read

        return read(self.layout.pages, path)

    def page(self, path: str, data: bytes | None = None) -> Page:
        """The page at ``path`` as its file says now."""
        from memex_core.files.reading import read_page

        data = self.read_bytes(path) if data is None else data
        for known_path, known, page in self._last:  # an act asks several times for its page before and after
            if known_path == path and known == data:
                return page
        page = read_page(path, data, folder=self.layout.folder)
        self._last = [(path, data, page), *self._last[:1]]
        return page

    # -- names -----------------------------------------------------------------------------

    def find(
        self, name: str, *, scope: str | None = None, project: str | None = None, loose: bool = False
    ) -> Row:
        """The one page called ``name``: its path, slug, id or title; with ``loose`` an alias too.

        Raises NotFound with suggestions, and Ambiguous with the candidates: an action never guesses.
        """
        if not name or not name.strip():
            raise BadInput("the page name is empty", hint="give a slug, a path or a title")
        if project:
            from memex_core.actions.here import known_as

            project = known_as(self, project)
        rows = self.index.find(name, scope=scope, project=project or None, exact=not loose)
        if len(rows) == 1:
            return rows[0]
        if rows:
            paths = [row.path for row in rows]
            raise Ambiguous(
                f"{name!r} names {len(paths)} pages: {', '.join(paths[:5])}",
                paths,
                hint="give the path, --scope or --project",
            )
        near = self.index.suggest(name)
        hint = f"did you mean {', '.join(near)}?" if near else "`memex list` shows the pages"
        raise NotFound(f"no page is called {name!r}", hint=hint)

    # -- writing ---------------------------------------------------------------------------

    def scrubber(self) -> Scrubber:
        """A scrubber for one act, as the settings say."""
        from memex_core.files.scrubbing import Scrubber

        return Scrubber.of(self.config)

    def commit(
        self,
        edits: Sequence[Edit],
        *,
        action: str,
        item: str,
        detail: dict[str, Any] | None = None,
        scrubber: Scrubber | None = None,
        dry_run: bool = False,
    ) -> list[Event]:
        """Write ``edits`` all or nothing, journal them, and bring the index up to date.

        ``scrubber`` is the one that the act's texts went through before, so that all is counted. With
        ``dry_run`` nothing is written; what forbids it is raised all the same.
        """
        from memex_core.actions.learning.keeping_out import check_edits
        from memex_core.actions.reviewing.governance import check_act
        from memex_core.files.commit import commit
        from memex_core.files.ignore import is_canvas
        from memex_core.index import earlier

        check_act(self, action, edits)
        check_edits(self, action, edits, detail or {})
        if dry_run:
            return []
        self.layout.ensure_state()
        scrubber = scrubber or self.scrubber()
        written: dict[str, Written] = {}
        events = commit(
            self.layout,
            edits,
            action=action,
            item=item,
            actor=self.actor,
            detail={**self.cause, **(detail or {})},
            scrubber=scrubber,
            written=written,
        )
        self._copies = self._copies or earlier.Copies(self.layout)
        earlier.keep_acts(self.layout, edits, written, copies=self._copies)
        moved = {edit.path: edit.moved_from for edit in edits if edit.moved_from}
        others = [edit.path for edit in edits if edit.path not in written]
        held = [self._held(path, file) for path, file in written.items() if not is_canvas(path)]
        try:
            self.late += self.index.update(others, moved=moved, held=held).warnings
        except (sqlite3.Error, SearchFailed, Locked) as error:
            # The act is done: to call it failed would have it done twice. The index catches up by itself.
            self.stale = True
            self.late.append(f"done, but the index could not follow yet ({error})")
        return events

    def _held(self, path: str, file: Written) -> File:
        """A file just written, with the page that it is where that was parsed already."""
        from memex_core.index.entries import held

        page = next((page for known, data, page in self._last if (known, data) == (path, file.data)), None)
        return held(path, file.data, file.at, None if self.layout.items else page)

    @contextmanager
    def alone(self, *, unless: bool = False) -> Iterator[None]:
        """No other writer until this ends: for changes made of what the file says at that moment."""
        if unless:
            yield
            return
        from memex_core.files.lock import StoreLock

        self.layout.ensure_state()
        with StoreLock(self.layout.lock):
            yield

    def catch_up(self, seen: int) -> bool:
        """Index what others wrote since event ``seen``; whether there was anything."""
        names: set[str] = set()
        for event in self.journal.read(reverse=True, after=seen):
            names |= {event["file"], event["detail"].get("from", "")}
        names = {name for name in names if name.endswith(".md") and not name.startswith("diary/")}
        if names:
            self.index.update(sorted(names))
        return bool(names)

    def file_path(self, path: str) -> str:
        return self.layout.file_path(path)


def default_actor() -> str:
    """``human:<login>``: who writes when no face says otherwise. ``MEMEX_ACTOR`` overrides it."""
    given = os.environ.get("MEMEX_ACTOR")
    return given or login()


def login() -> str:
    """``human:<login>``: the person whose process this is."""
    name = os.environ.get("USER") or os.environ.get("USERNAME") or os.environ.get("LOGNAME") or "me"
    return f"human:{name}"
