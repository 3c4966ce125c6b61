"""What is special about the commands on links: the graph's formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.run import Call


def graph(call: Call) -> int:
    result = call.do()
    kind = call.values["format"]
    if kind in (None, "json"):
        if kind == "json" and call.out.mode == "text":
            call.out.document(result)
        else:
            call.answer(result)
        return 0
    from memex_core.model.graph_export import export, from_dict

    text = export(from_dict(result), kind)
    if call.out.explicit_json:
        call.out.document({"format": kind, "text": text})
    else:
        call.out.write(text)
    return 0


HANDLERS: dict[str, Callable[[Call], Any]] = {"graph": graph}
