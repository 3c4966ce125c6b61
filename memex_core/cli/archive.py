"""What is special about archives: progress, and JSON files in and out."""

from __future__ import annotations

import json
import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from memex_core.care.backup import check_output, check_outside
from memex_core.cli.output import json_parts
from memex_core.cli.parse import Usage, read_standard_input
from memex_core.cli.run import Call
from memex_core.files import atomic
from memex_core.model.errors import Damaged, Refused

_AT_ONCE = 200
"""Pages of an export that are in memory together."""

_LETTERS = 1 << 20
"""Letters that are printed at once."""


def backup(call: Call) -> int:
    with call.out.progress("packing") as progress:
        result = call.do(progress=progress)
    call.answer(result)
    return 0


def restore(call: Call) -> int:
    with call.out.progress("unpacking") as progress:
        result = call.do(progress=progress)
    call.answer(result)
    return 0


def export(call: Call) -> int:
    """Pages are asked for some at a time and written as they come: all that is said of them is too large."""
    path = call.values["output"]
    count = 0

    def nodes() -> Iterator[Any]:
        nonlocal count
        after = ""
        while part := call.do(after=after, limit=_AT_ONCE)["nodes"]:
            yield from part
            count += len(part)
            after = part[-1]["path"]

    def document(indent: int | None) -> Iterator[str]:
        head = call.do(limit=0)  # of no page: what else the document says
        del head["nodes"]
        yield from json_parts(head, "nodes", nodes(), indent)
        yield "\n"

    answer: dict[str, Any] = {}
    if path is None or path == "-":
        if not call.dry_run:
            with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as whole:
                whole.writelines(document(call.out.indent))
                whole.seek(0)  # nothing is printed of an export that fails half way
                while text := whole.read(_LETTERS):
                    call.out.write(text)
            return 0
    elif os.path.isdir(path):
        raise Refused(f"{path} is a folder", hint="name a file, such as pages.json")
    else:
        answer["output"] = path = os.path.abspath(path)
        check_output(call.memex.store.layout, path)
        check_outside(call.memex.store.layout, path)
    if call.dry_run:
        deque(nodes(), maxlen=0)
    else:
        atomic.remove_leftovers(os.path.dirname(path))  # of an export that was killed
        atomic.write(path, (text.encode() for text in document(1)))
    call.answer({**answer, "nodes": count, "dry_run": call.dry_run})
    return 0


def import_(call: Call) -> int:
    source, folder = call.values["source"], call.values["folder"]
    if source and folder and call.values["input"] is None:
        more = {"collisions": call.values["collisions"], "dry_run": call.dry_run}
        result = call.memex.import_from(source, folder, **more)
        call.answer(result)
        return 1 if result["skipped"] or result.get("damaged") else 0
    path = call.values["input"]
    if path is None or source or folder:
        raise Usage("import takes -i FILE, or --from TOOL DIR")
    if call.values["collisions"] == "number":
        raise Usage("--collisions number goes with --from TOOL DIR", hint="-i overwrites nothing either way")
    name = "standard input" if path == "-" else path
    if path == "-":
        text = read_standard_input()
    else:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            text = file.read()
    try:
        nodes = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = (
            f", line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        )
        raise Damaged(f"{name} is not JSON{where}", hint="import reads what memex export wrote") from None
    if not isinstance(nodes, (dict, list)):
        raise Damaged(f"{name} holds no pages", hint="import reads what memex export wrote")
    result = call.do(nodes=nodes)
    call.answer(result)
    return 1 if result.get("skipped") else 0


HANDLERS: dict[str, Callable[[Call], Any]] = {
    "backup": backup,
    "restore": restore,
    "export": export,
    "import": import_,
}
