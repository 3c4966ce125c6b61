"""Getting started: the demo store and completion scripts."""

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


HANDLERS: dict[str, Callable[[Call], Any]] = {"completion": completion, "demo": demo}
