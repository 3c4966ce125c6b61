"""What is special about items: they are read by the library face, which needs no index."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memex_core.cli.run import Call
from memex_core.files.layout import current, find_root

if TYPE_CHECKING:
    from memex_core.wikimem.store import MemoryStore


def _store(call: Call) -> MemoryStore:
    from memex_core.wikimem import looking

    return looking.opened(find_root(call.request.root, os.environ, current()))


def ls(call: Call) -> int:
    from memex_core.wikimem import looking

    call.answer(looking.ls(_store(call)))
    return 0


def show(call: Call) -> int:
    from memex_core.wikimem import looking

    call.answer(looking.show(_store(call), call.values["file"], call.values["name"] or ""))
    return 0


def grep(call: Call) -> int:
    from memex_core.wikimem import looking

    ignore = bool(call.values["ignore_case"])
    call.answer(looking.grep(_store(call), call.values["pattern"], ignore_case=ignore))
    return 0


def explain(call: Call) -> int:
    from memex_core.wikimem import looking

    values = call.values
    call.answer(
        looking.explain(
            _store(call),
            values["query"],
            limit=values["limit"],
            budget=values["budget"],
            links=not values["no_links"],
            use_jieba=False if values["no_jieba"] else None,
            time_range=values["time_range"],
        )
    )
    return 0


def graph(call: Call) -> int:
    from memex_core.wikimem import looking

    answer = looking.graph(_store(call))
    if call.values["format"] == "mermaid" and not call.out.explicit_json:
        call.out.write(looking.graph_text(answer))
    elif call.values["format"] == "json" and call.out.mode == "text":
        call.out.document(answer)
    else:
        call.answer(answer)
    return 0


HANDLERS: dict[str, Callable[[Call], Any]] = {
    "items ls": ls,
    "items show": show,
    "items grep": grep,
    "items explain": explain,
    "items graph": graph,
}
