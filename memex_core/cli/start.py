"""Getting started: the app, the demo store and completion scripts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from memex_core.cli.run import Call


def completion(call: Call) -> int:
    from memex_core.cli.completion import script

    text = script(call.values["shell"])
    if call.out.explicit_json:
        call.out.document({"shell": call.values["shell"], "script": text})
    else:
        call.out.write(text)
    return 0


def demo(call: Call) -> int:
    from memex_core.cli.demo import build, plan

    where = call.values["dir"] or call.request.root
    if call.dry_run:
        call.answer(plan(where))
    elif call.out.mode == "text" and _may_draw():
        return _walk(call, where)
    else:
        call.answer(build(where))
    return 0


def _may_draw() -> bool:
    """Whether a person sits before a terminal that can place a cursor."""
    from memex_core.cli.output import is_terminal

    able = os.environ.get("TERM", "") not in ("dumb", "unknown", "")
    return able and all(is_terminal(stream) for stream in (sys.stdin, sys.stdout, sys.stderr))


def _walk(call: Call, where: str | None) -> int:
    """The app on the demo store, with the tour; then where the store is and how it goes away."""
    from memex_core.cli.demo import place, quoted

    root, _ = place(where)
    from memex_tui.app import run

    code = int(run(root, tour=True))
    paper, at = call.out.paper, quoted(root)
    paper.verbatim(f"The demo store is in {root}")
    paper.verbatim(f"memex --root {at} tui   opens it again", indent=2)
    paper.verbatim(f"rm -r {at}   takes it away", indent=2)
    return code


def tui(call: Call) -> int:
    if "dump" not in call.request.given:
        from memex_core.cli.app import open_screen

        return open_screen(call.request, call.values["screen"] or "")
    from memex_tui.dump import dump

    text = dump(call.request.root, call.values["dump"], call.values["size"])
    if call.out.explicit_json:
        call.out.document({"area": call.values["dump"], "lines": text.splitlines()})
    else:
        call.out.write(text)
    return 0


HANDLERS: dict[str, Callable[[Call], Any]] = {"completion": completion, "demo": demo, "tui": tui}
