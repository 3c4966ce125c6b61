"""What is special about recall: a whole batch of queries on one open store."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from memex_core.cli.output import report
from memex_core.cli.parse import Usage
from memex_core.cli.run import Call


def recall(call: Call) -> int:
    if call.values["batch"] is None:
        call.answer(call.do())
        return 0
    if "query" in call.request.given:
        raise Usage("a query and --batch exclude each other", hint="put the query into the file")
    code = 0
    for query in _queries(call.values["batch"]):
        try:
            result = call.do(query=query)
        except Exception as error:
            code = max(code, report(error, json=False))
            result = {
                "query": query,
                "error": {"code": getattr(error, "code", "unexpected"), "message": str(error)},
            }
        call.out.rows([result])
        sys.stdout.flush()
    return code


def _queries(source: str) -> Iterator[str]:
    """The lines of a file or of standard input, each as soon as it is there."""
    if source == "-":
        if sys.stdin is None:
            raise Usage("standard input is closed", hint="give --batch a file")
        yield from (_query(line) for line in iter(sys.stdin.buffer.readline, b""))
        return
    with open(source, "rb") as file:
        yield from (_query(line) for line in file)


def _query(line: bytes) -> str:
    return line.decode("utf-8-sig", "replace").rstrip("\r\n")


HANDLERS: dict[str, Callable[[Call], Any]] = {"recall": recall}
