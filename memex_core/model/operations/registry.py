"""The one registry of operations: what memex can do, in words, with parameters, types and defaults.

The command line's parser, help and completion, the MCP schemas and the app's palette all read it.
An operation is also a method of :class:`memex_core.memex.Memex`: spaces and hyphens of the name
become underscores, and a Python keyword gets a trailing one (``import`` is ``import_``).

A family of operations is one module of this package with a tuple ``OPERATIONS``; a new family
needs that module, its commands in :data:`COMMANDS` and its title in :data:`FAMILIES`. Families are
loaded one at a time, so that a command pays for its own description only; the classes are plain ones,
because a NamedTuple of this size costs a millisecond to make.
"""

from __future__ import annotations

from typing import Any


class Param:
    """One parameter of an operation.

    ``type`` is one of ``str`` ``int`` ``float`` ``bool`` ``path`` (a file or folder), ``words``
    (positional words joined by a space), ``list`` (repeated or comma separated), ``items`` (repeated,
    commas are text) and ``map`` (repeated ``KEY=VALUE``). ``face`` says who takes it: empty for
    everyone, ``cli`` when the command line deals with it alone, ``api`` when only programs pass it.

    ``flags`` empty means ``--`` and the name with hyphens; ``stdin``: ``-`` stands for standard input;
    ``names_page``: completed with slugs.
    """

    __slots__ = (
        "choices",
        "default",
        "face",
        "flags",
        "help",
        "metavar",
        "name",
        "names_page",
        "positional",
        "required",
        "stdin",
        "type",
    )

    def __init__(
        self,
        name: str,
        help: str,
        type: str = "str",
        default: Any = None,
        positional: bool = False,
        required: bool = False,
        choices: tuple[str, ...] = (),
        flags: tuple[str, ...] = (),
        metavar: str = "",
        stdin: bool = False,
        names_page: bool = False,
        face: str = "",
    ) -> None:
        self.name = name
        self.help = help
        self.type = type
        self.default = default
        self.positional = positional
        self.required = required
        self.choices = choices
        self.flags = flags
        self.metavar = metavar
        self.stdin = stdin
        self.names_page = names_page
        self.face = face

    @property
    def spellings(self) -> tuple[str, ...]:
        """The option's flags as typed; empty for a positional."""
        if self.positional:
            return ()
        return self.flags or ("--" + self.name.replace("_", "-"),)

    @property
    def repeats(self) -> bool:
        return self.type in ("list", "items", "map")

    @property
    def shown(self) -> str:
        """The placeholder in help: ``SLUG``, ``N``, ``A,B``."""
        if self.metavar:
            return self.metavar
        if self.choices:
            return "|".join(self.choices)
        return {"int": "N", "float": "N", "path": "FILE", "list": "A,B", "map": "KEY=VALUE"}.get(
            self.type, self.name.upper().replace("_", "-")
        )


class Operation:
    """One operation.

    ``creates``: it may make a store that is not there yet. ``method`` is False for what a face does by
    itself. ``stream``: it yields results while it runs. ``rows``: the key of the result's list that
    ``--jsonl`` prints one a line. ``common``: named with its summary in the first help; ``detail``: a
    paragraph under the summary.
    """

    __slots__ = (
        "common",
        "creates",
        "destroys",
        "detail",
        "example",
        "family",
        "method",
        "name",
        "params",
        "rows",
        "stream",
        "summary",
        "writes",
    )

    def __init__(
        self,
        name: str,
        summary: str,
        family: str,
        params: tuple[Param, ...],
        writes: bool = False,
        destroys: bool = False,
        stream: bool = False,
        rows: str = "",
        creates: bool = False,
        method: bool = True,
        common: bool = False,
        example: str = "",
        detail: str = "",
    ) -> None:
        self.name = name
        self.summary = summary
        self.family = family
        self.params = params
        self.writes = writes
        self.destroys = destroys
        self.stream = stream
        self.rows = rows
        self.creates = creates
        self.method = method
        self.common = common
        self.example = example
        self.detail = detail

    @property
    def method_name(self) -> str:
        name = self.name.replace(" ", "_").replace("-", "_")
        return name + "_" if name in ("import",) else name

    def api_params(self) -> tuple[Param, ...]:
        """The parameters of the ``Memex`` method."""
        return tuple(p for p in self.params if p.face != "cli")

    def cli_params(self) -> tuple[Param, ...]:
        """The parameters that the command line accepts."""
        return tuple(p for p in self.params if p.face != "api")


FAMILIES = {
    "pages": "Pages",
    "review": "Review",
    "history": "History",
    "links": "Links",
    "recall": "Recall",
    "gate": "Recall",
    "diary": "Diary",
    "items": "Diary",
    "conversations": "Conversations",
    "learn": "Learning",
    "jobs": "Learning",
    "models": "Learning",
    "rules": "Learning",
    "upkeep": "Upkeep",
    "tending": "Upkeep",
    "embed": "Upkeep",
    "archive": "Archive",
    "sync": "Sync",
    "agents": "Agents",
    "install": "Agents",
    "hook": "Agents",
    "start": "Start",
}
"""Family -> title, in the order they are listed; families of one title are listed together."""

COMMANDS = {
    "init": "pages",
    "write": "pages",
    "edit": "pages",
    "show": "pages",
    "list": "pages",
    "rename": "pages",
    "move": "pages",
    "forget": "pages",
    "review": "review",
    "approve": "review",
    "reject": "review",
    "defer": "review",
    "dispute": "review",
    "merge": "review",
    "promote": "review",
    "demote": "review",
    "history": "history",
    "revert": "history",
    "diff": "history",
    "purge": "history",
    "links": "links",
    "graph": "links",
    "tags": "links",
    "recall": "recall",
    "context": "recall",
    "gate": "gate",
    "diary": "diary",
    "items": "items",
    "ingest-transcript": "conversations",
    "capture": "conversations",
    "sessions": "conversations",
    "session": "conversations",
    "trace": "conversations",
    "clear-transcripts": "conversations",
    "extract": "learn",
    "consolidate": "learn",
    "jobs": "jobs",
    "models": "models",
    "rules": "rules",
    "status": "upkeep",
    "info": "upkeep",
    "verify": "upkeep",
    "doctor": "upkeep",
    "rebuild-index": "upkeep",
    "watch": "upkeep",
    "decay": "tending",
    "okf": "tending",
    "embed": "embed",
    "backup": "archive",
    "restore": "archive",
    "export": "archive",
    "import": "archive",
    "sync": "sync",
    "serve-mcp": "agents",
    "install": "install",
    "uninstall": "install",
    "hook": "hook",
    "receipts": "hook",
    "tui": "start",
    "demo": "start",
    "completion": "start",
}
"""First word of every operation -> its family."""

DRY_RUN = Param("dry_run", "say what would be done, and do nothing", "bool", False)
SCOPE = Param("scope", "where the name is looked up: global, project or branch", metavar="SCOPE")
PROJECT = Param("project", "the project concerned", metavar="NAME")


def family(name: str) -> tuple[Operation, ...]:
    """The operations of one family. KeyError when there is none of that name."""
    if name not in FAMILIES:
        raise KeyError(name)
    module = __import__(f"memex_core.model.operations.{name}", fromlist=["OPERATIONS"])
    operations: tuple[Operation, ...] = module.OPERATIONS
    return operations


def command(word: str) -> tuple[Operation, ...]:
    """The operations that begin with ``word``: one, or a group like ``diary append|show|dates``."""
    return tuple(op for op in family(COMMANDS[word]) if op.name.split(" ", 1)[0] == word)


def operation(name: str) -> Operation:
    """The operation called ``name`` (``diary append``). KeyError when there is none."""
    for op in command(name.split(" ", 1)[0]):
        if op.name == name:
            return op
    raise KeyError(name)


def every_operation() -> tuple[Operation, ...]:
    """All operations, family by family, in the order they are listed."""
    return tuple(op for name in FAMILIES for op in family(name))
