"""Operations on a store of items: ``wiki/<file>.md`` with a section an item, beside a diary."""

from __future__ import annotations

from memex_core.model.operations.registry import Operation, Param

_FILE = Param("file", "the item file, without .md", positional=True, required=True)

OPERATIONS = (
    Operation(
        "items ls",
        "list item files and how many items each has",
        "items",
        (),
        method=False,
        rows="files",
        example="memex items ls --root assistant",
        detail="Items are what is true now; what happened, and when, is in the diary beside them.",
    ),
    Operation(
        "items show",
        "print an item file, or one item of it",
        "items",
        (_FILE, Param("name", "the item", positional=True)),
        method=False,
        rows="items",
        example="memex items show preferences likes-the-sea",
    ),
    Operation(
        "items grep",
        "print the lines of items that match a regular expression",
        "items",
        (
            Param("pattern", "the regular expression", positional=True, required=True),
            Param(
                "ignore_case",
                "take capital letters for small ones",
                "bool",
                False,
                flags=("-i", "--ignore-case"),
            ),
        ),
        method=False,
        rows="matches",
        example="memex items grep -i beach",
    ),
    Operation(
        "items explain",
        "show what a query finds among items and diary, and why",
        "items",
        (
            Param("query", "the question", "words", positional=True, required=True),
            Param("limit", "hits at most", "int", 10),
            Param("budget", "tokens at most", "int"),
            Param("no_links", "leave out the items that hits link to", "bool", False),
            Param(
                "no_jieba", "take pairs of Chinese characters even where jieba is installed", "bool", False
            ),
            Param("time_range", "diary entries of these days", metavar="DATE[..DATE]"),
        ),
        method=False,
        rows="items",
        example='memex items explain "what did we eat yesterday"',
    ),
    Operation(
        "items graph",
        "print the graph of items",
        "items",
        (Param("format", "mermaid or json", default=None, choices=("mermaid", "json")),),
        method=False,
        example="memex items graph --format mermaid",
    ),
)
