"""Help texts, made from the registry. The first page fits a terminal of 80 columns and 50 lines."""

from __future__ import annotations

from memex_core.model.operations.registry import (
    COMMANDS,
    FAMILIES,
    Operation,
    Param,
    command,
    every_operation,
)

_WIDTH = 80

_GLOBALS = (
    ("--root DIR", "the store (default: MEMEX_HOME, a parent folder's, ~/.memex)"),
    ("--json, --jsonl", "one JSON document, or one a line; JSON too without a terminal"),
    ("--text", "readable text even without a terminal"),
    ("-q, --quiet", "data and errors only"),
    ("-h, --help", "this help, or a command's"),
    ("--version", "the version"),
)


def help_text(word: str, operation: Operation | None) -> str:
    """The help of an operation, of a group of them (``diary``), or of memex."""
    if operation is not None:
        return _of_operation(operation)
    if word:
        return _of_group(word)
    return _of_memex()


def _of_memex() -> str:
    operations = every_operation()
    lines = [
        "memex: the folder is the memory, for people and their coding agents",
        "",
        "Usage: memex COMMAND …           memex alone opens the app on a terminal",
        "",
    ]
    lines += _table((op.name, op.summary) for op in operations if op.common)
    lines += ["", "All commands"]
    for title in dict.fromkeys(FAMILIES.values()):
        words = [word for word, family in COMMANDS.items() if FAMILIES[family] == title]
        if words:
            lines += _wrapped(f"  {title}", " ".join(words), 16)
    lines += ["", "Options, before or after the command"]
    lines += _table(_GLOBALS)
    lines += ["", "memex COMMAND --help explains a command and its options."]
    return "\n".join(lines) + "\n"


def _of_group(word: str) -> str:
    group = command(word)
    lines = [
        f"Usage: memex {word} {'|'.join(op.name.split(' ', 1)[1] for op in group if ' ' in op.name)} …",
        "",
    ]
    lines += _table((op.name, op.summary) for op in group)
    lines += ["", "For example:"]
    lines += [f"  {op.example}" for op in group]
    return "\n".join(lines) + "\n"


def _of_operation(operation: Operation) -> str:
    params = operation.cli_params()
    positionals = [param for param in params if param.positional]
    options = [param for param in params if not param.positional]
    usage = ["memex", operation.name]
    usage += [f"{param.spellings[0]} {param.shown}" for param in options if param.required]
    usage += [_usage_of(param) for param in positionals]
    if any(not param.required for param in options):
        usage.append("[options]")
    lines = [operation.summary[0].upper() + operation.summary[1:] + ".", ""]
    lines += _wrapped("Usage:", " ".join(usage), 7)
    if operation.detail:
        lines += ["", *_wrapped("", operation.detail, 0)]
    if positionals:
        lines += ["", *_table((param.shown, _explained(param)) for param in positionals)]
    if options:
        lines += ["", "Options"]
        lines += _table((_flags_of(param), _explained(param)) for param in options)
    others = [op for op in command(operation.name.split(" ")[0]) if op is not operation]
    if others and operation.name == operation.name.split(" ")[0]:
        lines += ["", "And", *_table((op.name, op.summary) for op in others)]
    if operation.example:
        lines += ["", "For example:", f"  {operation.example}"]
    lines += ["", "--root, --json, --quiet and the like: see memex --help."]
    return "\n".join(lines) + "\n"


def _usage_of(param: Param) -> str:
    name = param.shown + (" …" if param.repeats or param.type == "words" else "")
    return name if param.required else f"[{name}]"


def _flags_of(param: Param) -> str:
    flags = ", ".join(param.spellings)
    return flags if param.type == "bool" else f"{flags} {param.shown}"


def _explained(param: Param) -> str:
    notes = [param.help]
    if param.required and not param.positional:
        notes.append("(required)")
    if param.repeats and not param.positional:
        notes.append("(may be repeated)")
    if param.default not in (None, "", (), False):
        notes.append(
            f"(default: {param.default:g})"
            if isinstance(param.default, float)
            else f"(default: {param.default})"
        )
    return " ".join(notes)


def _table(rows: object) -> list[str]:
    """Two columns; a left one that is too long stands on its own line."""
    pairs = [(str(left), str(right)) for left, right in rows]  # type: ignore[attr-defined]
    column = min(26, max(len(left) for left, _ in pairs)) + 4
    lines: list[str] = []
    for left, right in pairs:
        lines += _wrapped(f"  {left}", right, column)
    return lines


def _wrapped(left: str, text: str, column: int) -> list[str]:
    """``left``, then ``text`` from ``column`` on, wrapped at words."""
    lines = [left.ljust(column)] if len(left) < column or not left else [left, " " * column]
    empty = len(lines[-1])
    for word in text.split(" "):
        gap = " " if len(lines[-1]) > empty else ""
        if gap and len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append(" " * column)
            empty, gap = column, ""
        lines[-1] += gap + word
    return [line.rstrip() for line in lines]
