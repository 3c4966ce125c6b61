"""What a command says and where: data on stdout, everything else on stderr.

Nothing here imports rich; :mod:`memex_core.cli.paper` does, and only a terminal needs it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memex_core.cli.paper import Paper
    from memex_core.cli.parse import Request

_RAW = "[\x7f-\x9f\u2028\u2029\ud800-\udfff]"  # compiled when used: it takes half a millisecond
"""What JSON leaves raw although a terminal obeys it or UTF-8 cannot hold it."""


_LONGEST = 1_000
"""Letters of an error; what a person typed is said back in it."""

_MANY = 2_000
"""Pages from which building an index takes long enough to be told."""


class Output:
    """The two streams of one command. ``mode`` is ``json``, ``jsonl`` or ``text``."""

    __slots__ = ("_paper", "explicit_json", "mode", "pretty", "quiet")

    def __init__(self, request: Request) -> None:
        terminal = is_terminal(sys.stdout)
        self.explicit_json = request.json or request.jsonl
        self.quiet = request.quiet
        self.pretty = terminal
        self._paper: Paper | None = None
        if request.jsonl:
            self.mode = "jsonl"
        elif request.json or not (terminal or request.text):
            self.mode = "json"
        else:
            self.mode = "text"

    @property
    def paper(self) -> Paper:
        """Where readable text goes; made when first used."""
        if self._paper is None:
            from memex_core.cli.paper import Paper

            self._paper = Paper()
        return self._paper

    @property
    def indent(self) -> int | None:
        """By how much a JSON document is indented; None: it stands on one line."""
        return 2 if self.pretty and self.mode != "jsonl" else None

    def document(self, value: Any) -> None:
        """Print ``value`` as one JSON document: indented for eyes, on one line for programs."""
        self.write(as_json(value, indent=self.indent) + "\n")

    def rows(self, rows: Iterable[Any]) -> None:
        """Print one JSON document a line, each as soon as it is there."""
        for row in rows:
            self.write(as_json(row) + "\n")

    def write(self, text: str) -> None:
        """Write finished text (ours, or JSON) to stdout."""
        if sys.stdout is not None:
            sys.stdout.write(text)

    def write_bytes(self, data: bytes) -> None:
        """Write a file's bytes as they are; never to a terminal."""
        if sys.stdout is None:
            return
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def note(self, text: str) -> None:
        """A line for people on stderr; silent with ``--quiet``."""
        if not self.quiet:
            say(text)

    def progress(self, label: str) -> Any:
        """A context manager that gives ``(done, total) -> None``: a bar on stderr, if that is a terminal."""
        if self.quiet or not is_terminal(sys.stderr):
            from contextlib import nullcontext

            return nullcontext(_silent)
        from memex_core.cli.paper import progress_bar

        return progress_bar(label)

    def late_progress(self, label: str) -> LateProgress:
        """The same for work that nobody asked for: shown only when there is much of it."""
        return LateProgress(self, label)


class LateProgress:
    """A progress bar that begins with the first call worth a person's waiting; :meth:`close` ends it."""

    def __init__(self, out: Output, label: str) -> None:
        self._out, self._label = out, label
        self._bar: Any = None
        self._step = _silent

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None and total >= _MANY:
            self._bar = self._out.progress(self._label)
            self._step = self._bar.__enter__()
        self._step(done, total)
        if done >= total:
            self.close()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
        self._bar, self._step = None, _silent


def _silent(_done: int, _total: int) -> None:
    """Progress nobody looks at."""


def is_terminal(stream: Any) -> bool:
    """Whether a person looks at the stream. A closed stream is none."""
    try:
        return stream is not None and bool(stream.isatty())
    except ValueError:
        return False


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON that any terminal and any decoder takes: letters as they are, controls escaped."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent, default=_plain)
    if text.isascii() and "\x7f" not in text:
        return text
    return re.sub(_RAW, lambda match: f"\\u{ord(match.group()):04x}", text)


def json_parts(head: dict[str, Any], name: str, rows: Iterable[Any], indent: int | None) -> Iterator[str]:
    """What :func:`as_json` makes of ``{**head, name: [*rows]}``, in parts: the rows never stand in memory
    together."""
    whole = as_json({**head, name: []}, indent)
    yield whole[: whole.rindex("[") + 1]
    line = "" if indent is None else "\n" + " " * (2 * indent)
    between, last = line, ""
    for row in rows:
        yield between + as_json(row, indent).replace("\n", line or "\n")
        between = f",{line or ' '}"
        last = "" if indent is None else "\n" + " " * indent
    yield last + whole[whole.rindex("]") :]


def _plain(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


def say(text: str) -> None:
    """One message on stderr, safe to show. A closed stderr is nobody's problem."""
    from memex_core.model.printable import printable

    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"memex: {printable(text)}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass


def _somewhere() -> bool:
    """Whether the folder that the process works in is still there."""
    from memex_core.files.layout import current

    return bool(current())


def brief(text: str) -> str:
    """``text`` on one line; of one that says a whole file back, the beginning and the end."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 200]} … {line[-200:]}"


def report(error: BaseException, *, json: bool) -> int:
    """Say what went wrong, once, on one line; the exit code."""
    from memex_core.model.errors import MemexError

    if os.environ.get("MEMEX_DEBUG") == "1" and not isinstance(error, KeyboardInterrupt):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, MemexError):
        code, message, hint, status = error.code, error.message, error.hint, error.exit_code
    elif isinstance(error, KeyboardInterrupt):
        code, message, hint, status = "interrupted", "interrupted", "", 130
    elif isinstance(error, FileNotFoundError) and not error.filename and not _somewhere():
        code, message, hint, status = "unreachable", "the current folder is gone", "cd into another", 1
    elif isinstance(error, OSError) and error.strerror:
        what = f"{error.filename}: " if error.filename else ""
        code, message, hint, status = "io", f"{what}{error.strerror}", "check the file and its permissions", 1
    else:
        name = type(error).__name__
        code, status = "unexpected", 1
        message = f"unexpected {name}: {error}" if str(error) else f"unexpected {name}"
        hint = "run again with MEMEX_DEBUG=1"
    message, hint = brief(message), brief(hint)
    if json and sys.stdout is not None:
        detail: dict[str, Any] = {"code": code, "message": message, "hint": hint}
        candidates = getattr(error, "candidates", None)
        if candidates:
            detail["candidates"] = candidates
        sys.stdout.write(as_json({"error": detail}) + "\n")
    say(f"{message}; {hint}" if hint else message)
    return status
