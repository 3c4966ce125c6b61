"""``python -m memex_core.wikimem``: a store of items from the shell, without anything of memex around it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from memex_core.model.errors import MemexError, NotFound
from memex_core.wikimem import looking
from memex_core.wikimem.store import MemoryStore


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. 0: done; 1: nothing found; 2: wrong usage, or the store cannot be read."""
    options = _parser().parse_args(argv)
    try:
        text, code = _run(looking.opened(options.store), options)
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = None  # the reader has seen enough
        return 0
    except NotFound as error:
        sys.stderr.write(f"wikimem: {error}\n")
        return 1
    except (MemexError, OSError) as error:
        sys.stderr.write(f"wikimem: {error}\n")
        return 2
    return code


def _run(store: MemoryStore, options: argparse.Namespace) -> tuple[str, int]:
    if options.command == "ls":
        return looking.ls_text(looking.ls(store)), 0
    if options.command == "show":
        return looking.show(store, options.file, options.name or "")["text"], 0
    if options.command == "grep":
        found = looking.grep(store, options.pattern, ignore_case=options.ignore_case)
        return looking.grep_text(found), 0 if found["matches"] else 1
    if options.command == "explain":
        answer = looking.explain(
            store,
            options.query,
            limit=options.limit,
            budget=options.budget,
            links=options.links,
            use_jieba=options.jieba,
            time_range=options.time_range,
        )
        return looking.explain_text(answer), 0 if answer["items"] else 1
    answer = looking.graph(store)
    if options.format == "json":
        return json.dumps(answer, ensure_ascii=False, indent=2) + "\n", 0
    return looking.graph_text(answer), 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wikimem", description="Look into a store of items and diary entries."
    )
    parser.add_argument(
        "-s",
        "--store",
        default=os.environ.get("WIKIMEM_STORE") or os.curdir,
        help="the folder of the store (default: WIKIMEM_STORE, else this folder)",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("ls", help="the files and how many items each has")
    show = commands.add_parser("show", help="a file, or one of its items, as it is stored")
    show.add_argument("file", metavar="FILE")
    show.add_argument("name", nargs="?", metavar="NAME")
    grep = commands.add_parser("grep", help="lines that match a regular expression")
    grep.add_argument("pattern", metavar="PATTERN")
    grep.add_argument("-i", "--ignore-case", action="store_true", help="take capital letters for small ones")
    explain = commands.add_parser("explain", help="what a query finds, and why")
    explain.add_argument("query", metavar="QUERY")
    explain.add_argument("--limit", type=int, default=10, help="hits at most (default: 10)")
    explain.add_argument("--budget", type=int, help="tokens at most")
    explain.add_argument("--no-links", dest="links", action="store_false", help="leave out linked items")
    explain.add_argument(
        "--jieba", action=argparse.BooleanOptionalAction, help="Chinese words by jieba, or never"
    )
    explain.add_argument("--time-range", metavar="A[..B]", help="a day or two, both included")
    graph = commands.add_parser("graph", help="items and their links")
    graph.add_argument("--format", choices=("mermaid", "json"), default="mermaid")
    return parser
