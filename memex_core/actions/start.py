"""Beginning and beginning again: init, rebuild the index, restore a backup."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memex_core.actions.store import index_errors
from memex_core.files import layout as layouts
from memex_core.model.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from memex_core.actions.store import Store
    from memex_core.model.results import RebuildReport, RestoreReport

    Progress = Callable[[int, int], None]


def init(dir: str | None, *, dry_run: bool = False) -> dict[str, Any]:
    """Make a store, or add ``.memex/`` to a folder that holds Markdown: ``{root, folder, created …}``."""
    root = os.path.abspath(dir) if dir else layouts.find_root(None, os.environ, os.getcwd())
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
            warnings = list(change.warnings)
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


def rebuild_index(store: Store, *, force: bool = False, progress: Progress | None = None) -> RebuildReport:
    """Rebuild the index from the files; without ``force`` only files that changed are read again."""
    opened = store.opened
    index = store.open_index(progress)
    if not opened and index.built is not None:
        return index.built  # there was none: opening it has been the building
    with index_errors():
        return index.rebuild(progress=progress) if force else index.renew(progress=progress)


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
    from memex_core.index import earlier
    from memex_core.index.index import Index

    layout = layouts.plan(os.path.abspath(os.path.expanduser(target))) if target else store.layout
    report = unpack(layout, input, actor=store.actor, dry_run=dry_run)
    if not dry_run:
        earlier.begin_anew(layout)
        if target:
            with Index.open(layouts.open_layout(layout.root), progress=progress) as index:
                if index.built is None:
                    index.rebuild(progress=progress)
        else:
            store.index.rebuild(progress=progress)
        report["index_rebuilt"] = True
    return report
