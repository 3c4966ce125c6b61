"""``memex demo``: a small store to look around in, built with the same calls that everyone uses."""

from __future__ import annotations

import os
from typing import Any

from memex_core.cli.demo_pages import CONVERSATION, DIARY, PAGES, SESSION
from memex_core.model.errors import MemexError, NotFound, Refused

QUESTION = "which linter do we use"
ANSWER = "ruff-not-flake8"
FIRST = "start-here"


def plan(where: str | None) -> dict[str, Any]:
    """What :func:`build` would make, and where."""
    root = os.path.abspath(where) if where else os.path.join("a new temporary folder")
    return {
        "root": root,
        "created": False,
        "pages": len(PAGES),
        "diary": len(DIARY),
        "sessions": 1,
        "dry_run": True,
    }


def build(where: str | None) -> dict[str, Any]:
    """Build the demo store in ``where`` (a new temporary folder if None), or find it there again.

    Returns ``{root, created, pages, recall, page, next}``: a first recall, the page it finds, and
    commands to go on with. Raises Refused where something else is kept already.
    """
    from memex_core.memex import Memex

    root = _place(where)
    created = not os.path.isdir(root) or not os.listdir(root)
    with Memex(root, create=created) as memex:
        if created:
            _fill(memex)
        else:
            _check(memex, root)
        found = memex.recall(QUESTION, k=3, no_count=True)
        page = memex.show(ANSWER)
        count = memex.list(limit=1)["total"]
    at = _quoted(root)
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
        ],
    }


def _place(where: str | None) -> str:
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
    try:
        memex.ingest_transcript(SESSION, turns=[dict(turn) for turn in CONVERSATION], project="bakery")
        for page in PAGES:
            memex.write(**page)
        for date, time, text in DIARY:
            memex.diary_append(text, date=date, time=time)
    except MemexError as error:
        error.hint = error.hint or "the demo folder is incomplete; delete it and try again"
        raise


def _quoted(path: str) -> str:
    import shlex

    return shlex.quote(path)
