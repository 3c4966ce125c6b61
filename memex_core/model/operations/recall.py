"""Operations that answer a question."""

from __future__ import annotations

from memex_core.model.operations.registry import PROJECT, Operation, Param

_FILTERS = (
    Param("type", "only these page types", "list", ()),
    Param("tag", "only with all of these tags", "list", ()),
    Param("scope", "only this scope", choices=("global", "project", "branch")),
    PROJECT,
)

_TIME = (
    Param("after", "only from this date on", metavar="DATE"),
    Param("before", "only until before this date", metavar="DATE"),
    Param("when", "only this time: last week, A..B (default: as the words say)", metavar="TIME"),
)

OPERATIONS = (
    Operation(
        "recall",
        "find what answers a question, best first",
        "recall",
        (
            Param(
                "query", 'words, "phrases", -without, tag:x, type:x …; empty: newest first', "words", "", True
            ),
            Param("k", "at most so many hits, up to 100 (default: 10)", "int", flags=("-k", "--top-k")),
            *_FILTERS,
            Param("status", "only these: draft, stable, deprecated", "list", ()),
            *_TIME,
            Param("kinds", "where to look: pages, diary, transcripts", "list", (), flags=("--in",)),
            Param("budget", "at most so many tokens in all; 0: no limit", "int", metavar="TOKENS"),
            Param("expand", "add the pages that hits link to", "bool"),
            Param("explain", "say why each hit is there", "bool", False),
            Param("no_count", "do not count this as a use of the pages", "bool", False),
            Param("include_expired", "also pages outside their time window", "bool", False),
            Param("include_inactive", "also drafts and deprecated pages", "bool", False),
            Param("start", "leave out so many of the best: the next page of hits", "int", 0, face="api"),
            Param(
                "batch",
                "one query a line from a file or - (standard input), one JSON document a line",
                "path",
                face="cli",
                stdin=True,
            ),
        ),
        rows="hits",
        common=True,
        example='memex recall "which linter" --type preference -k 3',
        detail=(
            "Put a query that begins with a hyphen after --. What is not said is as memex.toml says: "
            "[bm25] default_top_k, [recall] budget, expand and count."
        ),
    ),
    Operation(
        "context",
        "print the block of memory that an agent gets",
        "recall",
        (
            Param("query", "what the agent is about to do", "words", "", True),
            Param("budget", "at most so many tokens", "int", metavar="TOKENS"),
            *_FILTERS,
            *_TIME,
        ),
        common=True,
        example='memex context "set up linting" --budget 800',
    ),
)
