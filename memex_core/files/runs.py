"""The log of runs: a line in ``logs/runs.jsonl`` for each hook, MCP call and consolidation. Never text.

It answers "does my agent use its memory, and how long does that take?", and nothing depends on it: what
cannot be written is not logged. The file is put aside as ``runs.1.jsonl`` when it has grown large.
"""

# No postponed annotations here: a hook pays for its start-up.

import json
import os
import re
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from memex_core.files.opening import regular
from memex_core.model import clock
from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

LARGEST = 1 << 20
"""Bytes after which the file is put aside; two such files are kept at most."""

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@ +-]{0,79}")
"""What a name may look like: anything else could be text, and is left out."""


class Run:
    """``with Run(layout, "hook", event="prompt") as run:`` logs a line when it ends, whatever happens.

    Values are names (short words), numbers, or true and false; :meth:`note` adds some.
    """

    __slots__ = ("_began", "_layout", "_values")

    def __init__(self, layout: "Layout", kind: str, **values: Any) -> None:
        self._layout = layout
        self._values = {"kind": kind, **values}
        self._began = time.perf_counter()

    def note(self, **values: Any) -> None:
        self._values.update(values)

    def __enter__(self) -> "Run":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        ms = round((time.perf_counter() - self._began) * 1000, 1)
        values = {"ms": ms, "ok": error is None, **self._values}
        if error is not None:
            values["error"] = getattr(error, "code", type(error).__name__)
            if isinstance(error, Exception) and not isinstance(error, MemexError):
                from .trouble import note

                note(self._layout, str(values["kind"]), error)
        log(self._layout, **values)


def log(layout: "Layout", **values: Any) -> None:
    """Add a line. Nothing is made where there is no store yet."""
    line = {"ts": clock.stamp(), **{key: _plain(value) for key, value in values.items()}}
    line = {key: value for key, value in line.items() if value not in ("", None)}
    path = path_of(layout)
    try:
        if not os.path.isdir(layout.state):
            return
        os.makedirs(layout.logs, exist_ok=True)
        descriptor = regular(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NOT_A_LINK, 0o600)
        try:
            os.write(descriptor, json.dumps(line).encode() + b"\n")
            large = os.fstat(descriptor).st_size > LARGEST
        finally:
            os.close(descriptor)
        if large:
            os.replace(path, os.path.join(layout.logs, "runs.1.jsonl"))
    except OSError:
        pass


_NOT_A_LINK: int = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def path_of(layout: "Layout") -> str:
    return os.path.join(layout.logs, "runs.jsonl")


def read(layout: "Layout", kind: str = "") -> Iterator[dict[str, Any]]:
    """The runs, newest first, of one ``kind`` or all. Lines that are none are passed by."""
    for name in ("runs.jsonl", "runs.1.jsonl"):
        try:
            with open(os.path.join(layout.logs, name), "rb", opener=regular) as file:
                lines = file.read(4 * LARGEST).split(b"\n")
        except OSError:
            continue
        for line in reversed(lines):
            try:
                run = json.loads(line)
            except ValueError:
                continue
            if isinstance(run, dict) and isinstance(run.get("ts"), str) and kind in ("", run.get("kind")):
                yield run


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""
