"""What is special about the commands that agents are connected by."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from memex_core.cli.output import is_terminal
from memex_core.cli.run import Call


def serve_mcp(call: Call) -> int:
    if is_terminal(sys.stdin):
        call.out.note("an agent starts this command and speaks to it; Ctrl-C ends it")
    from memex_core.mcp.serve import serve

    return serve(call.request.root, read_only=call.values["read_only"])


HANDLERS: dict[str, Callable[[Call], Any]] = {"serve-mcp": serve_mcp}
