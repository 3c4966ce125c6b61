"""Sync on the command line: archives that were refused fail the command, and git's merge driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.run import Call


def import_(call: Call) -> int:
    result = call.do()
    call.answer(result)
    return 1 if result.get("refused") else 0


def status(call: Call) -> int:
    result = call.do()
    call.answer(result)
    return 1 if result["problems"] else 0


def git(call: Call) -> int:
    from memex_core.care.sync.git import setup

    folder = call.memex.store.layout.pages
    call.answer(setup(folder, install=bool(call.values["install"]), dry_run=call.dry_run))
    return 0


def merge_driver(call: Call) -> int:
    from memex_core.care.sync.git import merge_files

    values = call.values
    files = (values["base"], values["ours"], values["theirs"], values["path"] or "")
    result = merge_files(*files, dry_run=call.dry_run)
    call.answer(result)
    return 0 if result["merged"] else 1


HANDLERS: dict[str, Callable[[Call], Any]] = {
    "sync import": import_,
    "sync status": status,
    "sync git": git,
    "sync merge-driver": merge_driver,
}
