"""``memex demo``: a small store to look around in. Its pages lie in ``demo_store/`` as they are copied."""

from __future__ import annotations

import os
from typing import Any

from memex_core.model.errors import MemexError, NotFound, Refused

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "demo_store")
QUESTION = "which linter do we use"
ANSWER = "ruff-not-flake8"
FIRST = "start-here"
PROJECT = "bakery"

# What became of pages after they were copied, so that they have a history: (who, act, page, how).
NUMBERS = "november-in-numbers"
REVISIONS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("codex/0.60", "edit", NUMBERS, {"append": "\nDeploys on a Saturday: none. Rolled back: none.\n"}),
    ("human:ada", "approve", f"{NUMBERS}-proposed", {}),
    ("human:ada", "edit", NUMBERS, {"tags": ["shop", "numbers", "month"]}),
)


def plan(where: str | None) -> dict[str, Any]:
    """What :func:`build` would make, and where. Raises Refused where it would."""
    from memex_core.cli.demo_review import PROPOSALS

    root = _chosen(where) if where else "a new temporary folder"
    if where and os.path.isdir(root) and os.listdir(root):
        from memex_core.memex import Memex

        with Memex(root) as memex:
            _check(memex, root)
    return {
        "root": root,
        "created": False,
        "pages": len(_files("docs", ".md")) + len(_files("conversations", ".jsonl")) + PROPOSALS,
        "diary": len(_files("diary", ".md")),
        "sessions": len(_files("conversations", ".jsonl")),
        "dry_run": True,
    }


def place(where: str | None) -> tuple[str, bool]:
    """The demo store in ``where`` (a new temporary folder if None) and whether it was made now.

    Raises Refused where something else is kept already.
    """
    from memex_core.memex import Memex

    root = _chosen(where)
    created = not os.path.isdir(root) or not os.listdir(root)
    with Memex(root, create=created) as memex:
        if created:
            _fill(memex)
        else:
            _check(memex, root)
    return root, created


def build(where: str | None) -> dict[str, Any]:
    """The demo store as :func:`place` makes or finds it, with a first look.

    Returns ``{root, created, pages, recall, page, next, remove}``: a first recall, the page it finds,
    commands to go on with, and the one that takes the store away.
    """
    from memex_core.memex import Memex

    root, created = place(where)
    with Memex(root) as memex:
        found = memex.recall(QUESTION, k=3, no_count=True)
        page = memex.show(ANSWER)
        count = memex.list(limit=1)["total"]
    at = quoted(root)
    return {
        "root": root,
        "created": created,
        "pages": count,
        "recall": found,
        "page": page,
        "next": [
            f"memex --root {at} recall {QUESTION!r}",
            f"memex --root {at} show {FIRST}",
            f"memex --root {at} links {ANSWER} --hops 2",
            f"memex --root {at} trace {ANSWER}",
            f"memex --root {at} verify",
            f"memex --root {at} tui",
        ],
        "remove": f"rm -r {at}",
    }


def quoted(path: str) -> str:
    """A path as a shell takes it."""
    import shlex

    return shlex.quote(path)


def _chosen(where: str | None) -> str:
    if where:
        root = os.path.abspath(os.path.expanduser(where))
        if os.path.exists(root) and not os.path.isdir(root):
            raise Refused(f"{root} is a file", hint="name a folder")
        return root
    import tempfile

    return tempfile.mkdtemp(prefix="memex-demo-")


def _check(memex: Any, root: str) -> None:
    try:
        memex.show(FIRST)
        memex.show(ANSWER)
    except NotFound:
        raise Refused(f"{root} holds something else", hint="name a new or empty folder") from None


def _fill(memex: Any) -> None:
    from memex_core.cli.demo_review import propose
    from memex_core.memex import Memex

    try:
        _copy("docs", memex.store.layout.pages)
        _copy("diary", memex.store.layout.diary)
        for path in _files("conversations", ".jsonl"):
            session = os.path.basename(path).removesuffix(".jsonl")
            memex.ingest_transcript(session, turns_file=path, project=PROJECT)
        for actor, act, page, how in REVISIONS:
            with Memex(memex.root, actor=actor) as writer:
                getattr(writer, act)(page, **how)
        propose(memex.root)
    except (MemexError, OSError) as error:
        hint = "the demo folder is incomplete; delete it and try again"
        if isinstance(error, MemexError):
            error.hint = error.hint or hint
            raise
        raise Refused(f"{memex.root}: {error.strerror}", hint=hint) from error


def _copy(part: str, to: str) -> None:
    """Copy a part of the demo store, byte for byte."""
    import shutil

    source = os.path.join(HERE, part)
    for path in _files(part, ".md"):
        target = os.path.join(to, os.path.relpath(path, source))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(path, target)


def _files(part: str, ending: str) -> list[str]:
    """The files of a part of the demo store, in one order everywhere."""
    found = []
    for folder, _, names in os.walk(os.path.join(HERE, part)):
        found += [os.path.join(folder, name) for name in names if name.endswith(ending)]
    return sorted(found)
