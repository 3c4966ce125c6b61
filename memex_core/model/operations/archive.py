"""Operations that carry a store away and back: backup, restore, export, import."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param
from memex_core.model.operations.upkeep import PROGRESS

OPERATIONS = (
    Operation(
        "backup",
        "pack the whole store into one verified archive",
        "archive",
        (
            Param("output", "the archive, .tar.gz", "path", None, required=True, flags=("-o", "--output")),
            PROGRESS,
            DRY_RUN,
        ),
        example="memex backup -o memory.tar.gz",
    ),
    Operation(
        "restore",
        "bring a backup back; what it replaces is kept",
        "archive",
        (
            Param("input", "the archive", "path", None, required=True, flags=("-i", "--input")),
            Param("target", "restore into this folder instead", "path", None, metavar="DIR"),
            PROGRESS,
            DRY_RUN,
        ),
        writes=True,
        creates=True,
        example="memex restore -i memory.tar.gz --dry-run",
    ),
    Operation(
        "export",
        "write all pages as JSON",
        "archive",
        (
            Param(
                "output",
                "a file instead of standard output",
                "path",
                None,
                flags=("-o", "--output"),
                face="cli",
            ),
            Param("dry_run", "only count what would be written", "bool", False, face="cli"),
            Param("after", "only pages whose path comes after this one", face="api"),
            Param("limit", "at most so many pages", "int", face="api"),
        ),
        example="memex export -o pages.json",
    ),
    Operation(
        "import",
        "read pages from JSON that export wrote, or another tool's store",
        "archive",
        (
            Param(
                "input",
                "the file; - reads standard input",
                "path",
                None,
                flags=("-i", "--input"),
                stdin=True,
                face="cli",
            ),
            Param(
                "source",
                "whose store DIR is; of server-memory, the file that holds its graph",
                choices=("wikimem", "obsidian", "basic-memory", "server-memory"),
                flags=("--from",),
                face="cli",
            ),
            Param(
                "folder", "the store to read, with --from", "path", positional=True, metavar="DIR", face="cli"
            ),
            Param(
                "collisions",
                "what becomes of pages whose place is taken: left out, or given the next free name",
                default="refuse",
                choices=("refuse", "number"),
                face="cli",
            ),
            Param("nodes", "what export returned, or its list of pages", required=True, face="api"),
            DRY_RUN,
        ),
        writes=True,
        creates=True,
        example="memex import -i pages.json --dry-run",
    ),
)
