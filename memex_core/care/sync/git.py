"""For people whose pages are in git: a merge driver that knows what a page is, and how git is told of it."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import Any

from memex_core.care.sync import diff3
from memex_core.care.sync.merging import merge_pages
from memex_core.files import atomic
from memex_core.files.decoding import raw_bytes, raw_text
from memex_core.model.errors import NotFound, Refused

ATTRIBUTE = "*.md merge=memex"
IGNORE = (
    *("mem.db*", "mem.vectors.db*", "texts.db*", "logs/", "state/", "sync/state.json"),
    *("*.lock", ".pending.jsonl", "unfinished/", "pre-restore-*/"),
)
"""Of a store in a repository, what is this device's own or can be made anew: lines for its ``.gitignore``."""


def config() -> list[tuple[str, str]]:
    """What git's config says. It names this memex by its path: git's PATH need not have one."""
    from memex_core.harness.setup.command import running

    program = shlex.join(running(os.environ)).replace("%", "%%")
    return [
        ("merge.memex.name", "pages of memex: front matter by key, text by line"),
        ("merge.memex.driver", f"{program} sync merge-driver %O %A %B %P"),
    ]


def merge_files(
    base: str, ours: str, theirs: str, path: str = "", *, dry_run: bool = False
) -> dict[str, Any]:
    """Merge three files as git gives them and leave the result in ``ours``.

    ``{path, merged, clashes, keys}``; ``merged`` is false where marks are left in the body. Raises NotFound.
    """
    was, mine, other = (_read(name) for name in (base, ours, theirs))
    names = "ours", "theirs"
    try:
        done = merge_pages(was or None, mine, other, names)
        data, clashes, keys = done.data, done.clashes, done.keys
    except Refused:  # front matter that does not parse: all of it is text
        sides = [diff3.rows(raw_text(side)) for side in (was, mine, other)]
        text, clashes = diff3.merged(diff3.pieces(*sides), *names)
        data, keys = raw_bytes(text), ()
    if data != mine and not dry_run:
        atomic.write(ours, data)
    return {
        "path": path or ours,
        "merged": not clashes and not keys,
        "clashes": clashes,
        "keys": list(keys),
        "dry_run": dry_run,
    }


def setup(folder: str, *, install: bool = False, dry_run: bool = False) -> dict[str, Any]:
    """What git has to know, for the pages in ``folder``; with ``install`` it is told.

    ``{attributes, line, config: [[key, value]], ignore, installed, changed}``. Raises Refused outside
    a repository.
    """
    attributes = os.path.join(folder, ".gitattributes")
    text = _read(attributes).decode("utf-8", "surrogateescape") if os.path.exists(attributes) else ""
    has_line = ATTRIBUTE in [line.strip() for line in text.splitlines()]
    top = _git(folder, "rev-parse", "--show-toplevel")
    wanted = config()
    missing = [key for key, value in wanted if top is None or _git(folder, "config", "--get", key) != value]
    changed = bool(install and (missing or not has_line))
    if install and top is None:
        raise Refused(f"{folder} is in no git repository", hint="git init comes first")
    if changed and not dry_run:
        for key, value in wanted:
            if key in missing and _git(folder, "config", key, value) is None:
                raise Refused(f"git config {key} failed", hint="set it by hand")
        if not has_line:
            gap = "" if not text or text.endswith("\n") else "\n"
            data = f"{text}{gap}{ATTRIBUTE}\n".encode("utf-8", "surrogateescape")
            atomic.write(attributes, data)
    return {
        "attributes": attributes,
        "line": ATTRIBUTE,
        "config": [list(pair) for pair in wanted],
        "ignore": list(IGNORE),
        "installed": (has_line and not missing) or (changed and not dry_run),
        "changed": changed,
        "dry_run": dry_run,
    }


def _git(folder: str, *words: str) -> str | None:
    """What git answers; None when it fails or is not there."""
    try:
        done = subprocess.run(
            ["git", "-C", folder, *words],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _read(path: str) -> bytes:
    try:
        return atomic.read_file(path)
    except FileNotFoundError:
        raise NotFound(f"no file {path}", hint="git calls this with %O %A %B %P") from None
