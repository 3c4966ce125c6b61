"""From the words of a command line to an operation and its values, by the registry.

No argparse: it costs as much as starting Python, abbreviates options, and answers a mistake with a
page of usage. Here a mistake is one line that names the nearest thing that exists.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from memex_core.model.errors import MemexError
from memex_core.model.operations.registry import COMMANDS, Operation, Param, command


class Usage(MemexError):
    """The command line itself is wrong."""

    code = "usage"
    exit_code = 2


GLOBAL_FLAGS = {
    "--json": "json",
    "--jsonl": "jsonl",
    "--text": "text",
    "--quiet": "quiet",
    "-q": "quiet",
    "--version": "version",
    "--help": "help",
    "-h": "help",
}
"""Switches that stand before or after the subcommand -> the attribute of :class:`Request`."""

APP_OPTIONS = ("--dump", "--screen", "--size")
"""Options of ``memex tui`` that may be given without its name."""

HABITS = {
    "add": "write",
    "cat": "show",
    "check": "verify",
    "create": "write",
    "delete": "forget",
    "find": "recall",
    "grep": "recall",
    "log": "history",
    "ls": "list",
    "mcp": "serve-mcp",
    "mv": "rename",
    "new": "write",
    "open": "show",
    "query": "recall",
    "remove": "forget",
    "rm": "forget",
    "search": "recall",
    "undo": "revert",
    "version": "--version",
    "view": "show",
}
"""What people type from the habit of other tools -> what it is called here."""

_NUMBER = re.compile(r"-\d+(\.\d+)?$")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Request:
    """One command line, understood. ``given`` names the parameters that were typed."""

    __slots__ = (
        "command",
        "given",
        "help",
        "json",
        "jsonl",
        "operation",
        "quiet",
        "root",
        "text",
        "values",
        "version",
    )

    def __init__(self) -> None:
        self.command = ""
        self.operation: Operation | None = None
        self.values: dict[str, Any] = {}
        self.given: set[str] = set()
        self.root: str | None = None
        self.json = self.jsonl = self.text = self.quiet = self.version = self.help = False


def parse(words: list[str], request: Request) -> None:
    """Fill ``request`` from ``words``. What was understood before a mistake stays in it.

    Raises :class:`Usage`. ``operation`` is None when no command was given, or when only help or the
    version is wanted of a command group.
    """
    rest = _leading_globals(words, request)
    if rest and rest[0] == "help":
        request.help = True
        rest = _leading_globals(rest[1:], request)
    if not rest:
        return
    word = "tui" if _is_app_option(rest[0]) else rest.pop(0)
    if word not in COMMANDS:
        raise Usage(f"unknown command {word!r}", hint=_meant(word))
    request.command = word
    operation = _choose(word, command(word), rest, request)
    if operation is None:
        return
    request.operation = operation
    _fill(operation, rest, request)


def _leading_globals(words: list[str], request: Request) -> list[str]:
    rest = list(words)
    while rest and rest[0].startswith("-") and not _is_app_option(rest[0]):
        token = rest.pop(0)
        used = _global(token, rest[0] if rest else None, request)
        if not used:
            raise _unknown_option(token, {})
        del rest[: used - 1]
    return rest


def _is_app_option(token: str) -> bool:
    return token.partition("=")[0] in APP_OPTIONS


def _global(token: str, following: str | None, request: Request) -> int:
    """Take a global option; the number of words it used, 0 when it is none."""
    if token in GLOBAL_FLAGS:
        setattr(request, GLOBAL_FLAGS[token], True)
        return 1
    name, equals, value = token.partition("=")
    if name != "--root":
        return 0
    if not equals:
        if following is None:
            raise Usage("--root needs a folder", hint="memex --root DIR …")
        value = following
    if not value:
        raise Usage("--root needs a folder", hint="the value is empty")
    if _SURROGATE.search(value):
        # The index keeps the root's name, and SQLite keeps text.
        raise Usage("the name of the --root folder is not valid UTF-8", hint="rename the folder")
    request.root = value
    return 1 if equals else 2


def _choose(word: str, group: tuple[Operation, ...], rest: list[str], request: Request) -> Operation | None:
    """The operation of a command; of a group, by its next word, which is taken out of ``rest``."""
    if len(group) == 1 and group[0].name == word:
        return group[0]
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        at += 2 if rest[at] == "--root" else 1
    bare = next((op for op in group if op.name == word), None)
    names = [op.name.split(" ", 1)[1] for op in group if " " in op.name]
    if at < len(rest):
        if rest[at] in names:
            name = rest.pop(at)
            return next(op for op in group if op.name == f"{word} {name}")
        if bare and rest[at] == "list":
            del rest[at]
            return bare
        raise Usage(
            f"memex {word} does not know {rest[at]!r}",
            hint=_nearest(rest[at], names, f"one of {', '.join(names)}"),
        )
    if bare:
        return bare
    _leading_globals(rest, request)
    if request.help or request.version:
        return None
    raise Usage(f"memex {word} needs one of {', '.join(names)}", hint=f"memex {word} --help tells more")


def _fill(operation: Operation, tokens: list[str], request: Request) -> None:
    if request.help or "--help" in tokens or "-h" in tokens:
        request.help = True
        return
    params = operation.cli_params()
    flags = {flag: param for param in params for flag in param.spellings}
    words = _options(operation, tokens, flags, request)
    if request.version:
        return
    _positionals(operation, words, [p for p in params if p.positional], request)
    for param in params:
        if param.required and param.name not in request.given:
            name = param.shown if param.positional else param.spellings[0]
            raise Usage(f"memex {operation.name} needs {name}", hint=f"for example: {operation.example}")
        request.values.setdefault(param.name, param.default)
    _standard_input([p for p in params if p.stdin and p.type != "path"], request)


def _options(operation: Operation, tokens: list[str], flags: dict[str, Param], request: Request) -> list[str]:
    """Take the options into ``request``; what is left are the positional words."""
    words: list[str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token == "--":
            return words + tokens[at:]
        if not token.startswith("-") or token == "-":
            words.append(token)
            continue
        name, equals, value = token.partition("=")
        param = flags.get(name)
        if param is None and token[1] != "-" and token[:2] in flags:
            name, equals, value = token[:2], "=", token[2:]
            param = flags[name]
        if param is None:
            used = _global(token, tokens[at] if at < len(tokens) else None, request)
            if used:
                at += used - 1
            elif _NUMBER.match(token) or " " in token:
                words.append(token)
            else:
                raise _unknown_option(token, flags, operation)
            continue
        if param.type == "bool":
            if equals:
                raise Usage(f"{name} takes no value", hint=f"write {name} alone")
            value = ""
        elif not equals:
            if at >= len(tokens) or tokens[at] in flags:
                raise Usage(f"{name} needs a value", hint=f"{name} {param.shown}: {param.help}")
            value = tokens[at]
            at += 1
        _store(param, name, value, request)
    return words


def _positionals(operation: Operation, words: list[str], params: list[Param], request: Request) -> None:
    for at, param in enumerate(params):
        if param.type == "words" and words[at:]:
            _store(param, _place(param), " ".join(words[at:]), request)
            return
        if param.repeats:
            for word in words[at:]:
                _store(param, _place(param), word, request)
            return
        if at < len(words):
            if param.required and not words[at].strip():
                raise Usage(f"{param.shown} is empty", hint=f"for example: {operation.example}")
            _store(param, _place(param), words[at], request)
    if len(words) > len(params):
        extra = words[len(params)]
        hint = f"memex {operation.name} --help shows what it takes"
        if any(char.isspace() for word in words for char in word) or len(words) > 1:
            hint = "put a text of several words in quotes"
        raise Usage(f"memex {operation.name} does not take {extra!r}", hint=hint)


def _place(param: Param) -> str:
    """A positional's name in a message."""
    return param.name.upper() if param.choices else param.shown


def _store(param: Param, name: str, text: str, request: Request) -> None:
    """Read ``text`` as the parameter's type into ``request.values``."""
    if param.type != "path" and _SURROGATE.search(text):
        raise Usage(f"{name} is not valid UTF-8", hint="check the terminal's encoding")
    given = param.name in request.given
    request.given.add(param.name)
    values = request.values
    if param.type == "bool":
        values[param.name] = True
    elif param.type == "map":
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise Usage(f"{name} {text!r} is not KEY=VALUE", hint=f"for example: {name} status=stable")
        values[param.name] = {**(values[param.name] if given else {}), key.strip(): value}
    elif param.repeats:
        parts = [text] if param.type == "items" else [part.strip() for part in text.split(",")]
        values[param.name] = [*(values[param.name] if given else ()), *(part for part in parts if part)]
    else:
        values[param.name] = _scalar(param, name, text)


def _scalar(param: Param, name: str, text: str) -> Any:
    if param.choices and text not in param.choices:
        choices = ", ".join(param.choices)
        raise Usage(
            f"{name} {text!r} is not one of {choices}", hint=_nearest(text, param.choices, "choose one")
        )
    if param.type in ("int", "float"):
        try:
            number = int(text) if param.type == "int" else float(text)
        except ValueError:
            number = float("nan")
        if number != number or abs(number) > 2**53:  # nan, or more than any file system counts
            kind = "a whole number" if param.type == "int" else "a number"
            raise Usage(f"{name} {text!r} is not {kind}", hint=f"for example: {name} 5")
        return number
    return text


def _standard_input(params: list[Param], request: Request) -> None:
    """Replace ``-`` by what standard input holds; it is read only then."""
    asking = [param for param in params if request.values.get(param.name) == "-"]
    if len(asking) > 1:
        raise Usage("only one text can come from standard input", hint="give the other one in quotes")
    for param in asking:
        request.values[param.name] = read_standard_input()


def read_standard_input() -> str:
    """All of standard input as text. Raises :class:`Usage` when it is closed or not UTF-8."""
    if sys.stdin is None:
        raise Usage("standard input is closed", hint="give the text in quotes")
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        return sys.stdin.read()
    try:
        text: str = buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Usage(
            f"standard input is not UTF-8 (byte {error.start})", hint="convert it with iconv"
        ) from None
    return text


def _unknown_option(token: str, flags: dict[str, Param], operation: Operation | None = None) -> Usage:
    name = token.partition("=")[0]
    where = f"memex {operation.name}" if operation else "memex"
    known = [*flags, *GLOBAL_FLAGS, "--root"]
    hint = _nearest(name, known, f"{where} --help lists them; text that begins with - goes after --")
    return Usage(f"{where} has no option {name}", hint=hint)


def _meant(word: str) -> str:
    """The command that a word was meant as: a habit, or the nearest of the commands and the habits."""
    from difflib import get_close_matches

    near = [word] if word in HABITS else get_close_matches(word, [*COMMANDS, *HABITS], 1, 0.6)
    return f"did you mean {HABITS.get(near[0], near[0])}?" if near else "memex --help lists them all"


def _nearest(word: str, known: Any, otherwise: str) -> str:
    """A did-you-mean, or ``otherwise``. Only a mistake pays for the comparison."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), 1, 0.6)
    return f"did you mean {near[0]}?" if near else otherwise
