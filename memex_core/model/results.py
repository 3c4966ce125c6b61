"""The shapes that operations return: plain dictionaries with fixed keys, ready for JSON.

The command line prints them, the MCP server sends them, the app shows them: one shape, three
faces. Keys may be added, never renamed. Paths named ``file_path`` are absolute.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class Hit(TypedDict):
    """One recall hit. ``score`` is higher-is-better; ``bm25`` is the raw engine value beside it."""

    rank: int
    kind: str  # page | diary | turn
    slug: str
    file_path: str
    title: str
    node_type: str
    status: str
    scope: str
    importance: float
    score: float
    bm25: float
    snippet: str  # matched words as <mark>…</mark>
    snippet_source: str  # body | title | description | tags
    tags: list[str]
    created: str
    updated: str
    last_access: str | None
    transcript_ref: str | None
    links: list[str]
    matched: list[str]  # the query's words found, as typed
    why: dict[str, Any]  # parts of the score, what was relaxed, route when expanded
    date: str
    heading: str  # heading path, " › " between levels
    line: int  # 1-based line of the match in the file, 0 when unknown
    trust: str
    tokens: int
    session_id: NotRequired[str]
    turn: NotRequired[int]
    role: NotRequired[str]
    name: NotRequired[str]
    abandoned: NotRequired[bool]  # a turn that was taken back: the user went another way


class TimeWindow(TypedDict):
    """Days on the calendar of the machine, in the time ``zone`` (``+02:00``)."""

    start: str  # the first day
    end: str  # the day after the last
    source: str  # explicit | parsed (from the words of the query)
    words: str  # what named it
    zone: str
    widened: bool  # nothing was found within it, so days on either side were added


class RecallResult(TypedDict):
    """An answer to a query. An engine failure is never an empty ``hits``: it raises."""

    query: str
    hits: list[Hit]
    total_indexed: int
    search_engine: str
    search_time_ms: float
    relaxed: bool
    corrected: dict[str, str]  # misspelt word -> the word searched instead
    time_range: TimeWindow | None  # the time that was searched, None for all times
    budget_tokens: int | None
    budget_used: int
    omitted: int
    unresolved_links: list[str]
    stale: bool  # not every file could be looked at, or all were over a second ago: edits may be missing
    warnings: list[str]


class LinkInfo(TypedDict):
    target: str
    to: str | None
    form: str
    rel: str
    alias: str | None
    heading: str | None
    block: str | None
    ambiguous: list[str]
    line: int


class Backlink(TypedDict):
    slug: str
    file_path: str
    path: str
    title: str
    rel: str
    line: int
    text: str


class PageView(TypedDict):
    """What ``show`` returns."""

    slug: str
    id: str
    path: str
    file_path: str
    title: str
    node_type: str
    status: str
    scope: str
    project: str
    description: str
    aliases: list[str]
    tags: list[str]
    hashtags: list[str]
    importance: float
    created: str
    updated: str
    valid_from: str
    valid_until: str
    stale_after: str
    trust: str
    access_count: int
    last_access: str | None
    front_matter: dict[str, Any]
    front_matter_kind: str
    body: str
    outline: list[dict[str, Any]]
    blocks: list[str]
    inline_fields: dict[str, str]
    links: list[LinkInfo]
    backlinks: list[Backlink]
    sources: list[dict[str, Any]]
    transcript_ref: str | None
    warnings: list[dict[str, Any]]
    digest: str


class PageRow(TypedDict):
    slug: str
    path: str
    file_path: str
    title: str
    node_type: str
    tags: list[str]
    status: str
    scope: str
    project: str
    importance: float
    trust: str  # a tier of memex_core.files.standing
    created: str
    updated: str


class PageList(TypedDict):
    pages: list[PageRow]
    total: int
    cursor: str | None
    warnings: list[str]  # why there is none: the filters that no page can pass


class WriteResult(TypedDict):
    slug: str
    path: str
    file_path: str
    id: str
    created: str
    updated: str
    status: str
    links: list[str]
    warnings: list[str]
    changed: bool
    dry_run: bool


class ForgetResult(TypedDict):
    slug: str
    forgotten: bool
    mode: str
    file_path: str | None
    valid_until: str | None
    proposed: NotRequired[str]  # the draft that asks a person to forget the page
    dry_run: bool


class RenameResult(TypedDict):
    slug: str
    old_slug: str
    path: str
    old_path: str
    file_path: str
    rewritten: list[dict[str, Any]]  # {path, line, before, after} a link, or a name on a canvas
    retitled: dict[str, Any] | None  # {line, before, after}: the line in which the page says its title
    warnings: list[str]
    dry_run: bool


class Event(TypedDict):
    """One journal line. ``group`` ties the files changed by one act."""

    seq: int
    ts: str
    action: str
    file: str
    item: str
    actor: str
    before: dict[str, Any] | None
    detail: dict[str, Any]


class ReviewItem(TypedDict):
    """One thing that waits for a person's verdict."""

    id: str
    kind: str  # draft | change | conflict | dispute
    slug: str
    path: str
    title: str  # of the page that would change, else the page's own
    type: str
    by: str
    at: str
    scope: str
    project: str
    session_id: str
    why: str
    target: str  # slug of the page that would change or is contradicted
    target_path: str
    target_digest: str
    before: str  # body of the target as it is
    after: str  # body proposed
    keys: list[dict[str, Any]]  # {key, before, after} of the front matter that would change
    forget: str  # how the target would be forgotten; empty: it would change
    digest: str
    evidence: list[dict[str, Any]]  # as in Provenance, with their lane
    checks: list[dict[str, Any]]  # {name, ok, detail}
    deferred: bool


class ReviewQueue(TypedDict):
    items: list[ReviewItem]
    total: int


class Waiting(TypedDict):
    """A :class:`ReviewItem` in short, as the index knows it."""

    id: str
    kind: str
    slug: str
    path: str
    title: str
    type: str
    by: str
    at: str
    scope: str
    project: str
    session_id: str
    target: str
    target_path: str
    target_digest: str
    digest: str
    deferred: bool


class WaitingList(TypedDict):
    items: list[Waiting]
    total: int


class RebuildReport(TypedDict):
    nodes_indexed: int
    nodes_skipped: int
    nodes_errored: int
    duration_ms: float
    errors: list[dict[str, Any]]  # {file, line, message}


class Check(TypedDict):
    name: str
    ok: bool
    level: str  # error | warning
    detail: str
    files: list[dict[str, Any]]  # {file, line, column, message}


class VerifyReport(TypedDict):
    ok: bool
    checks: list[Check]
    warnings: list[str]


class BackupReport(TypedDict):
    archive_path: str
    size_bytes: int
    file_counts: dict[str, int]
    duration_ms: float


class RestoreReport(TypedDict):
    restored: bool
    file_counts: dict[str, int]
    index_rebuilt: bool
    warnings: list[str]
    previous_backup_dir: str | None
    dry_run: bool


class IngestReport(TypedDict):
    session_id: str
    transcript_file: str
    meta_file: str
    episode_node: str
    episode_file_path: str
    turn_count: int
    user_turns: int
    agent_turns: int
    tool_turns: int
    new_turns: int
    warnings: list[str]


class CaptureReport(TypedDict):
    sessions: list[dict[str, Any]]  # {session_id, agent, path, title, turns, new_turns, skipped, unknown}
    left_out: list[
        dict[str, Any]
    ]  # {path, reason}; erased and kept: pages of a session that its user excluded
    warnings: list[dict[str, Any]]  # {file, line, message}
    dry_run: bool


class SessionSummary(TypedDict):
    session_id: str
    agent: str | None
    title: str
    project: str
    started_at: str | None
    ended_at: str | None
    turn_count: int
    user_turns: int
    agent_turns: int
    tool_turns: int
    episode_slug: str
    file_path: str
    token_usage: dict[str, Any] | None


class Provenance(TypedDict):
    slug: str
    direct_transcript_ref: str | None
    evidence: list[
        dict[str, Any]
    ]  # {id, session, turn, quote, role, ts, trust, text, found, resource, title, disputed}
    context: list[dict[str, Any]]
    statements: list[dict[str, Any]]  # {id, line, text, session, turn, lane, quote, resource, found}
    linked_episodes: list[str]
    transcript_files: list[str]
    meta_files: list[str]
    missing_transcripts: list[str]  # sessions
    transcripts_cleared: str | None  # when, where any is missing
    confidence: str  # direct | inferred | none
