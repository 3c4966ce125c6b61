"""What is special about archives: progress, and JSON files in and out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from memex_core.care.backup import check_output
from memex_core.cli.output import as_json
from memex_core.cli.parse import Usage, read_standard_input
from memex_core.cli.run import Call
from memex_core.model.errors import Damaged, Refused


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
    result = call.do()
    path = call.values["output"]
    if path is None or path == "-":
        if call.dry_run:
            call.answer({"nodes": len(result["nodes"]), "dry_run": True})
        else:
            call.out.document(result)
        return 0
    if os.path.isdir(path):
        raise Refused(f"{path} is a folder", hint="name a file, such as pages.json")
    check_output(call.memex.store.layout, path)
    if not call.dry_run:
        _replace(path, as_json(result, indent=1) + "\n")
    call.answer({"output": os.path.abspath(path), "nodes": len(result["nodes"]), "dry_run": call.dry_run})
    return 0


def _replace(path: str, text: str) -> None:
    """Write a file of the person's own choice, whole or not at all."""
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


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
