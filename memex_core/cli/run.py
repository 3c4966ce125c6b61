"""One command from its words to its exit code. Families of commands plug in, see :func:`_family`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from memex_core.cli.output import Output, report
from memex_core.cli.parse import Request, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from memex_core.memex import Memex
    from memex_core.model.operations.registry import Operation


class Call:
    """What a handler gets: the operation, its values, the output, and the store when asked for."""

    __slots__ = ("_building", "_memex", "operation", "out", "request", "values")

    def __init__(self, operation: Operation, request: Request, out: Output) -> None:
        self.operation = operation
        self.request = request
        self.values = request.values
        self.out = out
        self._memex: Memex | None = None
        self._building = out.late_progress("indexing pages")

    @property
    def dry_run(self) -> bool:
        return bool(self.values.get("dry_run"))

    @property
    def memex(self) -> Memex:
        """The store, opened when first asked for; made only by an operation that may make one."""
        if self._memex is None:
            from memex_core.memex import Memex

            create = self.operation.creates and not self.dry_run
            self._memex = Memex(self.request.root, create=create)
            self._memex.store.progress = self._building
            self._memex.store.typed = True
            self._memex.store.trying = self.dry_run
        return self._memex

    def arguments(self, **changed: Any) -> dict[str, Any]:
        """The keyword arguments of the operation's ``Memex`` method."""
        names = {param.name for param in self.operation.api_params()}
        return {name: value for name, value in {**self.values, **changed}.items() if name in names}

    def do(self, **changed: Any) -> Any:
        """Run the operation's ``Memex`` method with the values given, some of them changed."""
        return getattr(self.memex, self.operation.method_name)(**self.arguments(**changed))

    def answer(self, result: Any) -> None:
        """Print a result in the form that was asked for."""
        if self.out.mode == "jsonl" and self.operation.rows:
            self.out.rows(result[self.operation.rows])
            self._warn(result)
        elif self.out.mode != "text":
            self.out.document(result)
        elif not (self.out.quiet and self.operation.writes):
            view = _part(f"memex_core.cli.views.{self.operation.family}", "VIEWS").get(self.operation.name)
            if view is None:
                self.out.paper.outline(result)
            else:
                view(result, self.out.paper, self.request)
            self._warn(result)

    def _warn(self, result: Any) -> None:
        """What was odd, for people: where the answer itself has no place for it."""
        for warning in result.get("warnings") or () if isinstance(result, dict) else ():
            self.out.note(_told(warning))

    def close(self) -> None:
        self._building.close()
        if self._memex is not None:
            if self._memex.store.newborn is None or not self.operation.writes:
                self._memex.close()
            else:
                from memex_core.actions.newborn import unmake

                unmake(self._memex.store)
            self._memex = None


def _told(warning: Any) -> str:
    """A warning in one line, with the file and line that it is about."""
    if not isinstance(warning, dict):
        return str(warning)
    where = f"{warning['file']}:{warning['line']}" if warning.get("line") else warning.get("file")
    return f"{where}: {warning.get('message')}" if where else str(warning.get("message", warning))


def run(words: list[str]) -> int:
    """Run the command line ``words``; the exit code. Never raises, never prints a traceback."""
    request = Request()
    try:
        try:
            code = _run(words, request)
        except BrokenPipeError:
            raise
        except BaseException as error:
            if isinstance(error, SystemExit):
                raise
            asked = request.json or request.jsonl or "--json" in words or "--jsonl" in words
            code = report(error, json=asked)
        _flush()
    except OSError as error:
        code = output_failed(error)
    if request.command == "hook":  # an agent may take another code for an order to stop
        return min(code, 1) if os.environ.get("MEMEX_STRICT") == "1" else 0
    return code


def output_failed(error: OSError) -> int:
    """Stdout takes no more: a reader that has seen enough is no failure, a full disk is one."""
    _discard_stdout()
    return 0 if isinstance(error, BrokenPipeError) else report(error, json=False)


def _run(words: list[str], request: Request) -> int:
    parse(words, request)
    out = Output(request)
    if request.version:
        from memex_core import __version__

        out.write(f"memex {__version__}\n")
        return 0
    if request.help:
        from memex_core.cli.help import help_text

        out.write(help_text(request.command, request.operation))
        return 0
    if request.operation is None:
        from memex_core.cli.app import open_app

        return open_app(request)
    call = Call(request.operation, request, out)
    try:
        handler = _part(f"memex_core.cli.{call.operation.family}", "HANDLERS").get(call.operation.name)
        if handler is not None:
            return int(handler(call))
        call.answer(call.do())
        return 0
    finally:
        call.close()


def _part(module: str, name: str) -> dict[str, Callable[..., Any]]:
    """A family's table of handlers or views; a family without one has none that are special."""
    try:
        found = __import__(module, fromlist=[name])
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return {}
    table: dict[str, Callable[..., Any]] = getattr(found, name)
    return table


def use_utf8() -> None:
    """Make the process' own streams UTF-8 with plain line ends, whatever locale and environment say."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if stream is sys.stdin:
            reconfigure(encoding="utf-8", errors="surrogateescape")
        else:
            reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _discard_stdout() -> None:
    """Point stdout at nothing, so that no later flush complains again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        pass
