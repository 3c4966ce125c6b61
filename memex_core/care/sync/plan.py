"""What importing a generation would do: edits for one act, and what is known of each page afterwards."""

from __future__ import annotations

import os
from typing import NamedTuple

from memex_core.care.sync import links
from memex_core.care.sync.archive import Generation
from memex_core.care.sync.axes import split
from memex_core.care.sync.conflict import beside, draft_of, page_of
from memex_core.care.sync.naming import Naming
from memex_core.care.sync.pages import Side, common, joined, life_of, made_apart, merge
from memex_core.care.sync.record import GONE, HERE, PURGED, Record, State
from memex_core.care.sync.versions import APART, NEWER, compare, join
from memex_core.files import frontmatter
from memex_core.files.atomic import digest, inside, read_file
from memex_core.files.commit import Edit
from memex_core.files.journal import Journal, bytes_before
from memex_core.files.layout import Layout
from memex_core.files.scan import is_page
from memex_core.files.values import text_of
from memex_core.model.errors import Damaged, Refused
from memex_core.model.slug import fold

LONGEST_NAME = 255 - len("-0123456789.md")  # bytes: there is room to name another one anew


class Conflict(NamedTuple):
    """A page that was changed in two places, and the draft that holds the text which did not stay."""

    path: str
    draft: str


class Plan:
    """``edits`` are one act; ``pages`` replaces the state's when it is done. ``purged`` maps the keys of
    pages whose text leaves the journal too to their last paths."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self.pages: dict[str, Record] = {}
        self.purged: dict[str, str] = {}
        self.added: list[str] = []
        self.changed: list[str] = []
        self.deleted: list[str] = []
        self.conflicts: list[Conflict] = []
        self.warnings: list[str] = []


def plan(layout: Layout, state: State, generation: Generation) -> Plan:
    """Compare a generation with the store as ``state`` (just observed) knows it. Writes nothing.

    Raises Damaged, naming the archive, when a page in it has no place in a store.
    """
    work = _Planning(layout, state, generation)
    work.compare()
    work.part_names()
    work.keep_links()
    return work.finish()


class _Planning:
    def __init__(self, layout: Layout, state: State, generation: Generation) -> None:
        self.layout, self.state, self.generation = layout, state, generation
        self.naming = Naming.inward(state.aliases)
        self.plan = Plan()
        self.plan.pages = {key: record.copy() for key, record in state.pages.items()}
        self.data: dict[str, bytes] = {}  # key -> what its file shall hold, where that is new
        self.remote = self._remote()
        self.bases = self._bases()
        self._now: dict[str, int] = {}

    @property
    def now(self) -> dict[str, int]:
        if not self._now:
            self._now = self.state.tick()
        return self._now

    def _remote(self) -> dict[str, Side]:
        """Their pages by key, under our names for projects; those that are no pages here are left out."""
        found: dict[str, Side] = {}
        for key, told in sorted(self.generation.manifest["pages"].items()):
            try:
                record = Record.of(told)
                if not key.startswith(("id:", "path:")):
                    raise ValueError(f"{key!r} is no key")
                data = self.generation.blob(str(told["blob"])) if record.life == HERE else b""
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise Damaged(
                    f"{self.generation.file}: its manifest is damaged ({error})", hint="nothing was changed"
                ) from None
            if record.life == HERE:
                record.path = self.naming.path(self._checked(record.path))
                data = self.naming.data(data)
                record.raw = digest(data)
                ours = self.state.pages.get(key)
                same = ours is not None and ours.raw == record.raw
                record.digests = dict(ours.digests) if ours and same else split(data).digests()
                why = self._without_place(record.path)
                if why:
                    self.plan.warnings.append(f"{record.path} {why}, and was left out")
                    continue
            found[key] = Side(record, data)
        return found

    def _checked(self, path: str) -> str:
        try:
            inside(self.layout.pages, path)
        except Refused:
            raise Damaged(
                f"{self.generation.file}: {path!r} leads out of the store", hint="nothing was changed"
            ) from None
        if not path.endswith(".md"):
            raise Damaged(f"{self.generation.file}: {path!r} is no page", hint="nothing was changed")
        return path

    def _without_place(self, path: str) -> str:
        """Why no page can be at ``path`` here; empty where one can."""
        if not is_page(self.layout, path):
            return "is no page here"
        folder = path
        while folder := folder.rpartition("/")[0]:
            if os.path.isfile(self.layout.file_path(folder)):
                return f"would lie in {folder}, which is a file here"
        if any(len(name.encode("utf-8", "surrogateescape")) > LONGEST_NAME for name in path.split("/")):
            return "has a name that is too long"
        return ""

    def _bases(self) -> dict[str, bytes]:
        """The files that pages changed on both devices come from, out of the journal."""
        wanted = set()
        for key, theirs in self.remote.items():
            ours = self.state.pages.get(key)
            if (
                ours is not None
                and ours.life == HERE == theirs.record.life
                and made_apart(ours, theirs.record)
            ):
                wanted.add(common(ours, theirs.record))
        wanted.discard("")
        found: dict[str, bytes] = {}
        for event in Journal(self.layout).read(reverse=True) if wanted else ():
            before = bytes_before(event)
            if before is not None and (name := digest(before)) in wanted:
                found[name] = before
                if len(found) == len(wanted):
                    break
        return found

    # -- page by page ----------------------------------------------------------------------

    def compare(self) -> None:
        for key, theirs in self.remote.items():
            ours = self.state.pages.get(key)
            if ours is None:
                self._adopt(key, theirs.record, theirs)
                continue
            life = life_of(key, ours, theirs.record)
            if life != HERE:
                self._away(key, life, ours, theirs.record)
            elif ours.life != HERE:
                self._adopt(key, joined(theirs.record, ours, theirs.record), theirs)
            elif theirs.record.life != HERE:
                self.plan.pages[key] = joined(ours, ours, theirs.record)
            else:
                self._both(key, ours, theirs)
        self._purge_drafts()

    def _adopt(self, key: str, record: Record, theirs: Side) -> None:
        self.plan.pages[key] = record.copy()
        if record.life == HERE:
            self.data[key] = theirs.data

    def _away(self, key: str, life: str, ours: Record, theirs: Record) -> None:
        record = self.plan.pages[key] = joined(ours, ours, theirs)
        record.life = life
        unseen = compare(ours.clocks["text"], theirs.clocks["text"]) in (NEWER, APART)
        if ours.life == HERE and life == GONE and unseen:
            self.plan.warnings.append(
                f"{ours.path} was forgotten on {self.generation.name} while it was changed here; "
                f"`memex history {ours.path}` has its text"
            )
        if life == PURGED and ours.life != PURGED:
            self.plan.purged[key] = ours.path
            record.path, record.raw, record.past = "", "", []

    def _both(self, key: str, ours: Record, theirs: Side) -> None:
        if ours.raw == theirs.record.raw and ours.path == theirs.record.path:
            self.plan.pages[key] = joined(ours, ours, theirs.record)
            return
        here = Side(ours, read_file(self.layout.file_path(ours.path)))
        base = None
        if made_apart(ours, theirs.record):
            base = self.bases.get(common(ours, theirs.record))
        one = merge(here, theirs, base, self.now)
        record = self.plan.pages[key] = one.record
        self.data[key] = one.data
        if one.other is None:
            return
        draft = draft_of(key, record.path, one.data, one.other, folder=self.layout.folder)
        if draft is None or draft.key in self.plan.pages or draft.key in self.remote:
            return
        made = Record(draft.path, digest(draft.data))
        made.digests = split(draft.data).digests()
        made.clocks = {name: dict(self.now) for name in made.clocks}
        self.plan.pages[draft.key] = made
        self.data[draft.key] = draft.data
        self.plan.conflicts.append(Conflict(record.path, draft.path))

    def _purge_drafts(self) -> None:
        """Drafts that hold another text of a page that was purged go with it."""
        erased = {key for key, record in self.plan.pages.items() if record.life == PURGED}
        for key, record in list(self.plan.pages.items()) if erased else ():
            if record.life == HERE and page_of(self._bytes(key)) in erased:
                self.data.pop(key, None)
                record.life, record.clocks["life"] = PURGED, join(*record.clocks.values(), self.now)
                self.plan.purged[key] = record.path

    # -- names -----------------------------------------------------------------------------

    def part_names(self) -> None:
        """Give pages that would have one name, on any disk, a name each: the oldest keeps it."""
        groups: dict[str, list[str]] = {}
        for key, record in self.plan.pages.items():
            if record.life == HERE:
                groups.setdefault(fold(record.path), []).append(key)
        taken = set(groups)
        for _, keys in sorted(groups.items()):
            if len(keys) < 2 or not any(key in self.data or self._moved(key) for key in keys):
                continue
            for key in sorted(keys, key=self._age)[1:]:
                record = self.plan.pages[key]
                was, record.path = record.path, beside(record.path, key, taken)
                taken.add(fold(record.path))
                record.clocks["path"] = join(record.clocks["path"], self.now)
                self.plan.warnings.append(f"two pages are called {was}: one is {record.path} now")

    def keep_links(self) -> None:
        """Turn the links to pages that lost their name here, or there, to another one."""
        local = {key: one.path for key, one in self.state.pages.items() if one.life == HERE}
        remote = {key: side.record.path for key, side in self.remote.items() if side.record.life == HERE}
        after = {key: one.path for key, one in self.plan.pages.items() if one.life == HERE}
        lost = [links.losers(before, after) for before in (local, remote)]
        if not any(lost):
            return
        folder = self.layout.folder
        ours, theirs, then = (
            links.View.of(pages, folder=folder)
            for pages in (
                ((key, path, self._now_at(path)) for key, path in local.items()),
                ((key, path, self.remote[key].data) for key, path in remote.items()),
                [(key, path, self._bytes(key)) for key, path in after.items()],
            )
        )
        for key in sorted(after):
            data = self._bytes(key)
            wrote = [
                view
                for view, had in ((ours, self.state.pages.get(key)), (theirs, self._told(key)))
                if had is not None and had.life == HERE and had.raw == digest(data)
            ] or [view for view in (ours, theirs) if key in view.paths]
            new = links.turned(data, key, wrote, then, lost[0] | lost[1])
            if new != data:
                self._turned(key, new)

    def _told(self, key: str) -> Record | None:
        side = self.remote.get(key)
        return side.record if side is not None else None

    def _turned(self, key: str, data: bytes) -> None:
        record = self.plan.pages[key]
        self.data[key] = data
        digests = split(data).digests()
        for axis, value in digests.items():
            if record.digests.get(axis) != value:
                record.clocks[axis] = join(record.clocks[axis], self.now)
        record.digests = digests
        record.remember(digest(data))

    def _moved(self, key: str) -> bool:
        before = self.state.pages.get(key)
        return before is None or before.life != HERE or before.path != self.plan.pages[key].path

    def _age(self, key: str) -> tuple[str, str]:
        created = frontmatter.read(self._bytes(key)).fields.get("created")
        return text_of(created) if created is not None else "9", key

    def _bytes(self, key: str) -> bytes:
        """What the page's file shall hold."""
        if key in self.data:
            return self.data[key]
        return read_file(self.layout.file_path(self.state.pages[key].path))

    # -- the act ---------------------------------------------------------------------------

    def finish(self) -> Plan:
        made = self.plan
        removed: list[Edit] = []
        moved: list[Edit] = []
        changed: list[Edit] = []
        added: list[Edit] = []
        occupied = {fold(one.path) for one in self.state.pages.values() if one.life == HERE}
        drafts = {one.draft for one in made.conflicts}
        for key in sorted(made.pages):
            record, old = made.pages[key], self.state.pages.get(key)
            was = old.path if old is not None and old.life == HERE else ""
            if record.life != HERE:
                if was:
                    removed.append(Edit(was, self._now_at(was), None))
                    made.deleted.append(was)
                continue
            if key not in self.data and was == record.path:
                continue
            data = self._bytes(key)
            if not was:
                added.append(Edit(record.path, None, data))
                if record.path not in drafts:
                    made.added.append(record.path)
                continue
            before = self._now_at(was)
            if was == record.path:
                if before != data:
                    changed.append(Edit(was, before, data))
                    made.changed.append(was)
                continue
            made.changed.append(record.path)
            if fold(record.path) not in occupied or fold(record.path) == fold(was):
                moved.append(Edit(record.path, before, data, moved_from=was))
            else:
                removed.append(Edit(was, before, None))
                added.append(Edit(record.path, None, data))
        made.edits = [*removed, *moved, *changed, *added]
        return made

    def _now_at(self, path: str) -> bytes:
        return read_file(self.layout.file_path(path))
