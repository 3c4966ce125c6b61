"""Renaming and moving pages: every link that reached the page still reaches it, in its own form."""

from __future__ import annotations

import os
from functools import cache
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from memex_core.files import surgeon
from memex_core.files.atomic import inside
from memex_core.files.commit import Edit
from memex_core.files.scalars import Path, names_a_page, replace_scalars
from memex_core.model import canvas, relink
from memex_core.model.errors import AlreadyExists, BadInput, MemexError
from memex_core.model.names import folder_of, stem_of
from memex_core.model.page import TYPE_FOLDERS, Link
from memex_core.model.slug import fold, portable, portable_name, slugify

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.resolve import Resolution
    from memex_core.model.results import RenameResult


def rename(
    store: Store,
    slug: str,
    title: str,
    *,
    new_slug: str = "",
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> RenameResult:
    """Give a page a new title, and with it a new file name; the links to it are rewritten.

    ``dry_run`` lists the links that would change: ``rewritten`` holds ``{path, line, before, after}``.
    """
    from memex_core.actions.pages.write import chosen_stem, one_line

    scrub = store.scrubber()
    title = scrub.text(one_line(title, "title"))
    row = store.find(slug, scope=scope, project=project)
    before = store.read_bytes(row.path)
    chosen = chosen_stem(store, new_slug) if new_slug else ""
    stem = chosen or (portable_name(title) if store.layout.folder else slugify(title, ident=row.uid))
    folder = row.path.rpartition("/")[0]
    path = f"{folder}/{stem}.md" if folder else f"{stem}.md"
    after = _retitled(store, row.path, before, title)
    return _move(store, row.path, path, before, after, title, dry_run, scrub)


def move(
    store: Store,
    slug: str,
    *,
    type: str = "",
    folder: str = "",
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> RenameResult:
    """Give a page another type (and its folder), or put its file into ``folder``."""
    from memex_core.actions import terms

    row = store.find(slug, scope=scope, project=project)
    if bool(type) == bool(folder):
        raise BadInput("say where to move the page", hint="--type T or --folder F")
    before = after = store.read_bytes(row.path)
    name = row.path.rpartition("/")[2]
    if type:
        kind = terms.as_type(type)
        after = _with_path(row.path, lambda: surgeon.set_keys(before, {"type": kind}))
        home = row.path.rpartition("/")[0]
        old_home = TYPE_FOLDERS.get(row.type, slugify(row.type))
        if not store.layout.folder and home.rpartition("/")[2] == old_home:
            home = "/".join(filter(None, [home.rpartition("/")[0], TYPE_FOLDERS.get(kind, slugify(kind))]))
    else:
        home = folder.rstrip("/") if folder not in (".", "/") else ""
    path = f"{home}/{name}" if home else name
    for end in accumulate(home.split("/"), lambda way, part: f"{way}/{part}"):
        part = end.rpartition("/")[2]
        if home and not portable(part) and not os.path.isdir(inside(store.layout.pages, end)):
            raise BadInput(f"no folder can be called {part!r} on every system", hint="choose another name")
    inside(store.layout.pages, path)
    return _move(store, row.path, path, before, after, None, dry_run)


def _move(
    store: Store,
    old: str,
    new: str,
    before: bytes,
    after: bytes,
    title: str | None,
    dry_run: bool,
    scrub: Scrubber | None = None,
) -> RenameResult:
    from memex_core.actions.pages.write import page_slug

    if fold(old) != fold(new):
        try:
            store.read_bytes(new)
        except MemexError:
            pass
        else:
            raise AlreadyExists(f"{new} exists", hint="choose another name, or --slug")
    changes: list[dict[str, Any]] = []
    warnings: list[str] = []
    edits = relinked(store, old, new, before, after, page_title=title, changes=changes, warnings=warnings)
    edits = [edit for edit in edits if edit.before != edit.after or edit.moved_from]
    if edits and not dry_run:
        store.commit(
            edits,
            action="rename" if old != new else "update",
            item=page_slug(new),
            detail={"title": title},
            scrubber=scrub,
        )
    return {
        "slug": page_slug(new),
        "old_slug": page_slug(old),
        "path": new,
        "old_path": old,
        "file_path": store.file_path(new),
        "rewritten": changes,
        "retitled": _changed_line(before, after) if title is not None else None,
        "warnings": warnings,
        "dry_run": dry_run,
    }


def _changed_line(before: bytes, after: bytes) -> dict[str, Any] | None:
    """Where the page says its title: ``{line, before, after}`` of the first line that differs."""
    lines = [data.decode("utf-8", "replace").splitlines() for data in (before, after)]
    for number, (was, now) in enumerate(zip_longest(*lines, fillvalue=""), 1):
        if was != now:
            return {"line": number, "before": was, "after": now}
    return None


def relinked(
    store: Store,
    old: str,
    new: str,
    before: bytes,
    after: bytes,
    *,
    page_title: str | None,
    changes: list[dict[str, Any]] | None = None,
    warnings: list[str] | None = None,
) -> list[Edit]:
    """The edits that move a page from ``old`` to ``new`` and keep every link working.

    The page itself comes first, with its own relative links adapted; then each page that links to it, and
    each canvas that shows it. ``warnings`` takes in what could not follow.
    """
    log = changes if changes is not None else []
    unique = store.index.unique_after_move(old, new)
    old_title = store.page(old, before).title
    moved = Relinker(store, old, new, old_title, page_title, unique, log)
    edits = [Edit(new, before, moved.page(old, new, after), moved_from=old if old != new else "")]
    for source in sorted({link.source for link in store.index.links_to(old)} - {old}):
        text = store.read_bytes(source)
        edits.append(Edit(source, text, moved.page(source, source, text)))
    for source in store.index.canvases():
        text = store.read_bytes(source)
        edits.append(Edit(source, text, moved.canvas(source, text)))
    if warnings is not None:
        warnings += [f"{path} is no JSON, so what it says of the page stays" for path in moved.unread]
    return [*edits[:1], *(edit for edit in edits[1:] if edit.before != edit.after)]


class Relinker:
    """Rewrites, in one page after another, the links that reach a page about to move."""

    def __init__(
        self,
        store: Store,
        old: str,
        new: str,
        old_title: str,
        new_title: str | None,
        unique: Any,
        log: list[dict[str, Any]],
    ) -> None:
        self.store, self.old, self.new = store, old, new
        self.old_title, self.new_title = old_title, new_title
        self.unique, self.log = cache(unique), log
        self.known: dict[tuple[str, str, str], Resolution] = {}  # the pages of a folder mean the same
        self.unread: list[str] = []  # canvases that are no JSON and may name the page

    def page(self, source: str, source_after: str, data: bytes) -> bytes:
        """``data`` of the page at ``source`` (``source_after`` once all is done) with its links rewritten."""
        text = data.decode("utf-8", "surrogateescape")
        out, done = relink.rewrite_file(text, lambda link: self._target(link, source, source_after))
        for link, was, now in done:
            self.log.append({"path": source, "line": link.line, "before": was, "after": now})
        data = out.encode("utf-8", "surrogateescape")
        return self._slug_keys(source, source_after, data)

    def canvas(self, source: str, data: bytes) -> bytes:
        """``data`` of the canvas at ``source`` with the names of the page rewritten."""
        if b'"file"' not in data and b"[[" not in data:
            return data

        def file(path: str) -> str | None:
            return self.new if normalize("NFC", path) == normalize("NFC", self.old) else None

        made = canvas.relinked(
            data.decode("utf-8", "surrogateescape"), file, lambda link: self._target(link, source, source)
        )
        if made is None:
            self.unread.append(source)
            return data
        self.log += [{"path": source, **change._asdict()} for change in made[1]]
        return made[0].encode("utf-8", "surrogateescape")

    def _target(self, link: Any, source: str, source_after: str) -> str | None:
        asked = link.target, link.form, folder_of(source)
        to = self.known.get(asked)
        if to is None or not link.target.strip():  # an empty one means the page it stands on
            to = self.known[asked] = self.store.index.resolve_full(link.target, link.form, source)
        if to.path is None or (to.path != self.old and source == source_after):
            return None
        if to.via == "alias" and to.path == self.old and self.store.layout.items:
            return self._item(link.target)
        title = self.new_title
        # A link that spells the title goes on spelling it; one that spells the file's name, that: other
        # tools that open the folder know files only.
        spelt = link.target == self.old_title != stem_of(self.old) and link.form != "markdown"
        if to.path == self.old and title and spelt and self._linkable(title):
            return title
        return relink.new_target(
            link,
            via=to.via,
            old_path=self.old if to.path == self.old else to.path,
            new_path=self.new if to.path == self.old else to.path,
            new_title=self.new_title if to.path == self.old else None,
            source_before=source,
            source_after=source_after,
            unique=self.unique,
            ambiguous=to.ambiguous,
        )

    def _item(self, target: str) -> str | None:
        """``file:name``, an item of the file that moves, by the file's new name."""
        file, colon, name = target.partition(":")
        if not colon or fold(file.strip()) != fold(stem_of(self.old)):
            return None
        return f"{stem_of(self.new)}:{name}"

    def _linkable(self, title: str) -> bool:
        return set("[]|#^").isdisjoint(title) and "/" not in title and bool(self.unique(title))

    def _slug_keys(self, source: str, source_after: str, data: bytes) -> bytes:
        """Front matter keys that name pages bare (``supersedes``, ``links[].target`` …) follow the page."""

        def change(path: Path, text: str) -> str | None:
            if not names_a_page(path) or not text or "[[" in text:
                return None
            return self._target(Link(text, "typed"), source, source_after)

        out, done = replace_scalars(data, change)
        for path, line, was, now in done:
            key = path[0]
            self.log.append(
                {"path": source, "line": line, "before": f"{key}: {was}", "after": f"{key}: {now}"}
            )
        return out


def _retitled(store: Store, path: str, data: bytes, title: str) -> bytes:
    """``data`` with the new title where the page keeps its title: the key, or else its first heading."""
    page = store.page(path, data)
    if "title" in page.front:
        return _with_path(path, lambda: surgeon.set_keys(data, {"title": title}))
    first = next((h for h in page.headings if h.level == 1), None)
    if first is not None and first.text == page.title:
        return surgeon.retitle_heading(data, first.line, title)
    if page.front_kind in ("yaml", "none") and not store.layout.folder:
        return _with_path(path, lambda: surgeon.set_keys(data, {"title": title}))
    return data


def _with_path(path: str, act: Any) -> bytes:
    """Run ``act`` and name the file in the error that it may raise."""
    try:
        done: bytes = act()
    except MemexError as error:
        if path not in error.message:
            error.message = f"{path}: {error.message}"
        raise
    return done
