"""Beginning and beginning again: init, rebuild the index, restore a backup."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memex_core.files import layout as layouts
from memex_core.index.failing import index_errors
from memex_core.model.errors import Locked, Refused, SearchFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from memex_core.actions.store import Store
    from memex_core.files.layout import Layout
    from memex_core.index.index import Index
    from memex_core.model.results import RebuildReport, RestoreReport

    Progress = Callable[[int, int], None]

_TOLD = 20  # oddities of a folder that opening it tells


def init(dir: str | None, *, dry_run: bool = False) -> dict[str, Any]:
    """Make a store, or add ``.memex/`` to a folder that holds Markdown: ``{root, folder, created …}``."""
    root = os.path.abspath(dir) if dir else layouts.find_root(None, os.environ, layouts.current())
    if os.path.exists(root) and not os.path.isdir(root):
        raise Refused(f"{root} is a file", hint="give a folder")
    there = layouts.is_store(root)
    plan = layouts.plan(root)
    warnings: list[str] = []
    if not dry_run and not there:
        plan = layouts.create_store(root)
    if not dry_run:
        from memex_core.index.index import Index

        with Index.open(plan) as index:
            change = index.refresh()
            warnings = [*change.warnings, *_odd(plan, index)]
            total = index.total()
    return {
        "root": plan.root,
        "pages": plan.pages,
        "state": plan.state,
        "folder": plan.folder,
        "created": not there and not dry_run,
        "indexed": 0 if dry_run else total,
        "warnings": warnings,
        "dry_run": dry_run,
    }


def _odd(layout: Layout, index: Index) -> list[str]:
    """What in the folder a person should look at: the first of it, in a line each."""
    from memex_core.files.scan import scan
    from memex_core.index.sourced import told

    lines = [f"{passed.path}: {passed.message}" for passed in scan(layout).problems]
    for path, page in sorted(told(index.db).items()):
        for problem in page.problems:
            if problem.level != "note":
                lines.append(f"{path}{f':{problem.line}' if problem.line else ''}: {problem.message}")
    more = len(lines) - _TOLD
    return lines if more <= 0 else [*lines[:_TOLD], f"and {more:,} more; `memex verify` lists them"]


def rebuild_index(
    store: Store, *, force: bool = False, progress: Progress | None = None, dry_run: bool = False
) -> RebuildReport:
    """Rebuild the index from the files; without ``force`` only files that changed are read again."""
    if dry_run:
        return _to_rebuild(store, force)
    opened = store.opened
    index = store.open_index(progress)
    if not opened and index.built is not None:
        return index.built  # there was none: opening it has been the building
    with index_errors():
        return index.rebuild(progress=progress) if force else index.renew(progress=progress)


def _to_rebuild(store: Store, force: bool) -> RebuildReport:
    """How many pages would be read again. No index is made or changed for that."""
    from memex_core.files.scan import scan
    from memex_core.index import freshness

    found = scan(store.layout)
    read = total = len(found.pages)
    if not force and store.has_index():
        with index_errors():
            read = len(freshness.compare(store.open_index().db, store.layout, found).read)
    return {
        "nodes_indexed": read,
        "nodes_skipped": total - read,
        "nodes_errored": 0,
        "duration_ms": 0.0,
        "errors": [],
    }


def restore(
    store: Store,
    input: str,
    *,
    target: str | None = None,
    progress: Progress | None = None,
    dry_run: bool = False,
) -> RestoreReport:
    """Bring a backup back into this store or into ``target``, and rebuild the index there."""
    from memex_core.care.backup import restore as unpack
    from memex_core.index.index import Index

    layout = layouts.plan(os.path.abspath(os.path.expanduser(target))) if target else store.layout
    report = unpack(layout, input, actor=store.actor, dry_run=dry_run)
    if not dry_run:
        if not target:
            store.newborn = None  # a store, however little the archive held
        try:
            with index_errors():
                if target:
                    with Index.open(layouts.open_layout(layout.root), progress=progress) as index:
                        if index.built is None:
                            index.rebuild(progress=progress)
                else:
                    store.index.rebuild(progress=progress)
            report["index_rebuilt"] = True
        except (SearchFailed, Locked) as error:  # the files are back; whoever reads next brings it in step
            store.look_again()
            report["warnings"].append(f"restored, but the index could not follow yet ({error.message})")
    return report
