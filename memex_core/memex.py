"""``Memex``: the one object that every face holds.

>>> with Memex("~/notes") as memex:
...     memex.write(type="preference", title="Ruff, not flake8", body="See [[Linting]].")
...     memex.recall("which linter")["hits"][0]["slug"]

A method is an operation of :mod:`memex_core.model.operations`, with the same parameters; what it
returns is a plain dictionary whose keys :mod:`memex_core.model.results` names. Every failure is a
:class:`~memex_core.model.errors.MemexError`. The rules live in :mod:`memex_core.actions` and below.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memex_core.actions.store import Store
from memex_core.facade.calling import operations
from memex_core.facade.gating import Gating
from memex_core.facade.keeping import Keeping
from memex_core.facade.learning import Learning
from memex_core.facade.reviewing import Reviewing
from memex_core.facade.ruling import Ruling
from memex_core.facade.syncing import Syncing
from memex_core.facade.tending import Tending
from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from memex_core.model import results


@operations
class Memex(Learning, Reviewing, Gating, Ruling, Syncing, Tending, Keeping):
    """A store, opened. Nothing is read before the first call; ``close`` or ``with`` ends it.

    ``root`` is found as the command line does when None. ``create`` makes the store if there is none;
    else StoreMissing is raised. ``actor`` signs what is written (``human:<login>`` by default).
    """

    def __init__(
        self, root: str | os.PathLike[str] | None = None, *, actor: str = "", create: bool = False
    ) -> None:
        self.store = Store.open(_folder(root), actor=actor, create=create)

    @property
    def root(self) -> str:
        return self.store.layout.root

    def __enter__(self) -> Memex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.store.close()

    def look_again(self) -> None:
        """Compare the folder with the index before the next read."""
        self.store.look_again()

    def interrupt(self) -> None:
        """Break off the read of the index in progress, which raises Interrupted; the one method that another
        thread may call."""
        self.store.interrupt()

    # -- pages -----------------------------------------------------------------------------

    @classmethod
    def init(cls, dir: str | os.PathLike[str] | None = None, *, dry_run: bool = False) -> dict[str, Any]:
        """Make a store at ``dir``, or add ``.memex/`` to a folder of Markdown, touching no page."""
        from memex_core.actions.start import init

        return init(_folder(dir), dry_run=dry_run)

    def write(
        self,
        type: str,
        title: str,
        body: str = "",
        tags: Any = (),
        description: str | None = None,
        aliases: Any = (),
        importance: float | None = None,
        links: Any = (),
        sources: Any = (),
        quotes: Any = (),
        valid_from: str | None = None,
        valid_until: str | None = None,
        stale_after: str | None = None,
        occurred_at: str | None = None,
        scope: str | None = None,
        project: str | None = None,
        branch: str | None = None,
        session_id: str | None = None,
        status: str | None = None,
        slug: str | None = None,
        update: bool = False,
        new: bool = False,
        dry_run: bool = False,
    ) -> results.WriteResult:
        """Write a new page. One of the same type, scope and title is refused unless ``update`` or ``new``."""
        from memex_core.actions.pages.write import write

        return write(
            self.store,
            type=type,
            title=title,
            body=body,
            tags=tags,
            description=description or "",
            aliases=aliases,
            importance=importance,
            links=links,
            sources=sources,
            quotes=quotes,
            valid_from=valid_from,
            valid_until=valid_until,
            stale_after=stale_after,
            occurred_at=occurred_at,
            scope=scope or "",
            project=project or "",
            branch=branch or "",
            session_id=session_id or "",
            status=status or "",
            slug=slug or "",
            update=update,
            new=new,
            dry_run=dry_run,
        )

    def edit(
        self,
        slug: str,
        title: str | None = None,
        body: str | None = None,
        append: str | None = None,
        section: str | None = None,
        tags: Any = None,
        set: Any = None,
        unset: Any = (),
        sources: Any = (),
        quotes: Any = (),
        scope: str | None = None,
        project: str | None = None,
        text: str | None = None,
        expect: str | None = None,
        dry_run: bool = False,
    ) -> results.WriteResult:
        """Change parts of a page; everything else stays byte for byte. ``expect``: the digest you saw."""
        from memex_core.actions.pages.edit import edit

        return edit(
            self.store,
            slug,
            title=title,
            body=body,
            append=append,
            section=section,
            tags=tags,
            set=set,
            unset=unset,
            sources=sources,
            quotes=quotes,
            scope=scope,
            project=project,
            text=text,
            expect=expect,
            dry_run=dry_run,
        )

    def show(
        self, slug: str, section: str | None = None, scope: str | None = None, project: str | None = None
    ) -> results.PageView:
        """A page as its file says now: front matter, body, outline, resolved links, backlinks, sources."""
        from memex_core.actions.pages.view import show

        return show(self.store, slug, section=section, scope=scope, project=project)

    def read_bytes(self, slug: str, scope: str | None = None, project: str | None = None) -> bytes:
        """The page's file, byte for byte."""
        return self.store.read_bytes(self.store.find(slug, scope=scope, project=project, loose=True).path)

    def list(
        self,
        type: Any = (),
        tag: Any = (),
        scope: str | None = None,
        project: str | None = None,
        status: Any = (),
        sort: str = "updated",
        limit: int = 50,
        cursor: str | None = None,
    ) -> results.PageList:
        """Pages, with a cursor for the next ones."""
        from memex_core.actions.pages.view import list_pages

        return list_pages(
            self.store,
            type=type,
            tag=tag,
            scope=scope,
            project=project,
            status=status,
            sort=sort,
            limit=limit,
            cursor=cursor,
        )

    def rename(
        self,
        slug: str,
        title: str,
        new_slug: str | None = None,
        scope: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> results.RenameResult:
        """Rename a page and rewrite the links to it, all or nothing."""
        from memex_core.actions.pages.rename import rename

        return rename(
            self.store, slug, title, new_slug=new_slug or "", scope=scope, project=project, dry_run=dry_run
        )

    def move(
        self,
        slug: str,
        type: str | None = None,
        folder: str | None = None,
        scope: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> results.RenameResult:
        """Give a page another type or folder and rewrite the links to it."""
        from memex_core.actions.pages.rename import move

        return move(
            self.store,
            slug,
            type=type or "",
            folder=folder or "",
            scope=scope,
            project=project,
            dry_run=dry_run,
        )

    def forget(
        self,
        slug: str,
        mode: str = "hard",
        valid_until: str | None = None,
        scope: str | None = None,
        project: str | None = None,
        expect: str | None = None,
        dry_run: bool = False,
    ) -> results.ForgetResult:
        """Forget a page; ``revert`` brings it back."""
        from memex_core.actions.history.forget import forget

        return forget(
            self.store,
            slug,
            mode=mode,
            valid_until=valid_until,
            scope=scope,
            project=project,
            expect=expect,
            dry_run=dry_run,
        )

    # -- links -----------------------------------------------------------------------------

    def links(
        self,
        slug: str,
        hops: int = 1,
        back: bool = False,
        scope: str | None = None,
        project: str | None = None,
    ) -> dict[str, Any]:
        """Pages up to ``hops`` links away, with the route to each."""
        from memex_core.actions.pages.view import links

        return links(self.store, slug, hops=hops, back=back, scope=scope, project=project)

    def graph(
        self, around: str | None = None, hops: int = 1, scope: str | None = None, project: str | None = None
    ) -> dict[str, Any]:
        """The link graph, whole or around one page: ``{focus, nodes, edges, omitted}``."""
        from memex_core.actions.pages.view import graph

        return graph(self.store, around=around, hops=hops, scope=scope, project=project)

    # -- recall ----------------------------------------------------------------------------

    def recall(
        self,
        query: str = "",
        k: int | None = None,
        type: Any = (),
        tag: Any = (),
        scope: str | None = None,
        project: str | None = None,
        status: Any = (),
        after: str | None = None,
        before: str | None = None,
        when: str | None = None,
        kinds: Any = (),
        budget: int | None = None,
        expand: bool | None = None,
        explain: bool = False,
        no_count: bool = False,
        include_expired: bool = False,
        include_inactive: bool = False,
        start: int = 0,
    ) -> results.RecallResult:
        """Ranked hits over pages, diary and transcripts. A failing engine raises, it never looks empty.

        What is None is as ``memex.toml`` says. ``start`` goes on behind so many hits: the next page.
        Edits made outside are found by the next call; in a store of more than 500 pages a look at the folder
        is followed by none for ten times as long as it took (:meth:`look_again` has the next call look).
        ``stale`` says that not every file could be looked at in time, or none for more than a second.
        """
        from memex_core.actions.asking.recalling import recall

        return recall(
            self.store,
            query,
            k=k,
            start=start,
            type=type,
            tag=tag,
            scope=scope,
            project=project,
            status=status,
            after=after,
            before=before,
            when=when,
            kinds=kinds,
            budget=budget,
            expand=expand,
            explain=explain,
            no_count=no_count,
            include_expired=include_expired,
            include_inactive=include_inactive,
        )

    def suggest(self, text: str = "", k: int = 10) -> dict[str, Any]:
        """Pages as their name or words are typed: ``{pages: [{slug, path, file_path, title, matched}]}``."""
        from memex_core.actions.asking.recalling import suggest

        return suggest(self.store, text, k=k)

    def context(
        self,
        query: str = "",
        budget: int | None = None,
        type: Any = (),
        tag: Any = (),
        scope: str | None = None,
        project: str | None = None,
        after: str | None = None,
        before: str | None = None,
        when: str | None = None,
    ) -> dict[str, Any]:
        """The block of memory that an agent gets: ``{query, block, hits, tokens, time_range}``; "" where
        nothing fits."""
        from memex_core.actions.asking.recalling import context

        return context(
            self.store,
            query,
            budget=budget,
            type=type,
            tag=tag,
            scope=scope,
            project=project,
            after=after,
            before=before,
            when=when,
        )


def _folder(given: str | os.PathLike[str] | None) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str | os.PathLike):
        raise BadInput("the folder must be a path", hint=f"not {type(given).__name__}")
    return os.path.expanduser(os.fspath(given))
