"""Getting started: the app, the demo store and completion scripts."""

from __future__ import annotations

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

    if call.dry_run:
        call.answer(plan(call.values["dir"] or call.request.root))
    else:
        call.answer(build(call.values["dir"] or call.request.root))
    return 0


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
