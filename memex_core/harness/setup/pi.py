"""pi: one extension file, which calls the hooks."""

from __future__ import annotations

import json
import os

from memex_core.harness.hook_input import EVENTS
from memex_core.harness.setup.command import Caller
from memex_core.harness.setup.entry import Settings
from memex_core.harness.setup.own_file import OwnFile
from memex_core.harness.setup.where import Where

TITLE = "pi"
NEXT = ("restart pi, or type /reload in it",)
_PROGRAM = 'const MEMEX = ["memex"];'


def folder(where: Where) -> str:
    return where.folder(os.path.join(".pi", "agent") if not where.project else ".pi", "PI_CODING_AGENT_DIR")


def settings(where: Where, caller: Caller, *, windows: bool) -> tuple[Settings, ...]:
    with open(os.path.join(os.path.dirname(__file__), "pi_extension.ts"), encoding="utf-8") as file:
        text = file.read()
    words = json.dumps(
        [*caller.program, *(["--root", caller.root] if caller.root else [])], ensure_ascii=False
    )
    text = text.replace(_PROGRAM, f"const MEMEX = {words};")
    path = os.path.join(folder(where), "extensions", "memex.ts")
    remove = "written by `memex install pi`; `memex uninstall pi` removes it"
    return (OwnFile(path, text, remove, EVENTS, caller.program[0]),)
