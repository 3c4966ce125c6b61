"""Conversations and the diary in the index: rows of text, kept in step with their files.

A document is a session or a diary day; a row is a turn, an entry, or a piece of a long one. A row's
id says where it stands: the document's number shifted by :data:`BITS`, plus its position, so that
the rows before and after it, and all rows of a document, are found without a look-up; the lowest bit
of the document's number tells its kind. The text itself stays in the file; a row knows its bytes.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import os
import re
import sqlite3
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.analyse import TOKENIZE
from memex_core.index.connection import transaction

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.index.analyse import Analyser

BITS = 24
POSITION = (1 << BITS) - 1
HELD_S = 0.25
"""Seconds that the index is held at a stretch: a page is written meanwhile, by another process."""
PAUSE_S = 0.05
"""Seconds between two stretches: so long sleeps at most who has waited for one, before it asks again."""
KIND_BIT = {"turn": 0, "diary": 1}

SCHEMA_SQL = f"""
CREATE TABLE passage_doc(
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL, prompt TEXT NOT NULL,
    agent TEXT NOT NULL, project TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL, date TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, meta_ns INTEGER NOT NULL, done INTEGER NOT NULL,
    tail TEXT NOT NULL, rows INTEGER NOT NULL, tokens INTEGER NOT NULL, turn INTEGER NOT NULL,
    damaged INTEGER NOT NULL, people INTEGER NOT NULL, UNIQUE(kind, name));
CREATE INDEX passage_nobody ON passage_doc(id) WHERE people = 0;
CREATE TABLE passage(
    id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, role TEXT NOT NULL, speaker TEXT NOT NULL,
    date TEXT NOT NULL, time TEXT NOT NULL, flags INTEGER NOT NULL, length INTEGER NOT NULL,
    at INTEGER NOT NULL, size INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    body TEXT NOT NULL, whole TEXT NOT NULL);
CREATE INDEX passage_date ON passage(date);
CREATE VIRTUAL TABLE passage_fts USING fts5(body, whole,
    content='passage', content_rowid='id', tokenize="{TOKENIZE}");
CREATE TABLE passage_person(key TEXT NOT NULL, doc INTEGER NOT NULL, given INTEGER NOT NULL,
    PRIMARY KEY(key, doc)) WITHOUT ROWID;
CREATE INDEX passage_person_doc ON passage_person(doc);
CREATE TABLE passage_term(term TEXT PRIMARY KEY, df INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE passage_word(word TEXT PRIMARY KEY, term TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE passage_total(id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, tokens INTEGER NOT NULL);
"""
"""``kind`` is ``turn`` or ``diary``, ``name`` the session id or the day. ``done`` is the byte up to
which the file was read, ``tail`` a digest of what stands before it, ``people`` how many words of names
of speakers it has. ``key`` is a folded word of such a name, ``given`` whether it is the first."""


class Passages(NamedTuple):
    """What a refresh did, in documents; ``rows`` were written, ``pending`` documents still wait.

    ``unread`` are files that could not be read now; what was known of them stays.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    rows: int = 0
    pending: int = 0
    unread: tuple[str, ...] = ()


class Source(NamedTuple):
    """A file of a document as the folder shows it; ``meta_ns`` is the time of the file beside it."""

    kind: str
    name: str
    path: str
    size: int
    mtime_ns: int
    meta_ns: int


def refresh(
    connection: sqlite3.Connection,
    layout: "Layout",
    *,
    budget_ms: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Passages:
    """Bring the rows in step with ``transcripts/`` and ``diary/``; writes only what changed.

    Runs in the caller's transaction, or in several of its own, so that nobody waits for a conversation of
    hundreds of megabytes. With ``budget_ms`` it stops once that is used up, at a turn, and says how many
    documents wait. ``progress`` is called with (done, all).
    Raises Unreachable when a folder is there but cannot be listed: nothing is taken for removed then.
    """
    from memex_core.index.analyse import Analyser

    stale, gone = _differences(connection, layout)
    if not stale and not gone:
        return Passages()
    analyser = Analyser(learn=True)
    until = time.monotonic() + budget_ms / 1000 if budget_ms is not None else None
    if connection.in_transaction:
        return _apply(connection, stale, gone, analyser, until, progress)
    done = Passages()
    while True:
        held = time.monotonic() + HELD_S
        with transaction(connection):
            stale, gone = _differences(connection, layout)  # another process may have done it meanwhile
            some = _apply(
                connection, stale, gone, analyser, held if until is None else min(held, until), progress
            )
        done = _both(done, some)
        if not some.pending or (until is not None and time.monotonic() > until):
            return done
        time.sleep(PAUSE_S)


def _both(first: Passages, then: Passages) -> Passages:
    """What two stretches did; one that went on with a document has changed what the other added."""
    return Passages(
        first.added + then.added,
        first.changed + then.changed,
        first.removed + then.removed,
        first.rows + then.rows,
        then.pending,
        then.unread,
    )


def clear(connection: sqlite3.Connection) -> None:
    """Forget all rows; the next :func:`refresh` reads every file again."""
    connection.execute("INSERT INTO passage_fts(passage_fts) VALUES('delete-all')")
    for table in (
        "passage",
        "passage_doc",
        "passage_person",
        "passage_term",
        "passage_word",
        "passage_total",
    ):
        connection.execute(f"DELETE FROM {table}")


def _places(layout: "Layout") -> dict[str, tuple[str, str]]:
    return {"turn": (layout.transcripts, ".jsonl"), "diary": (layout.diary, ".md")}


def _stats(kind: str, folder: str, suffix: str) -> dict[str, tuple[int, int, int]]:
    """Document name -> size, mtime and mtime of the meta file (ns, 0 for none)."""
    found: dict[str, tuple[int, int, int]] = {}
    metas: dict[str, int] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                about = kind == "turn" and name.endswith(".meta.json")
                if not (about or name.endswith(suffix)) or not entry.is_file():
                    continue  # a folder, a pipe, a link to nothing: not waited for, and no entry of the diary
                try:
                    seen = entry.stat()
                except FileNotFoundError:
                    continue  # it went away between its name and its size
                if about:
                    metas[name[:-10]] = seen.st_mtime_ns
                else:
                    found[name[: -len(suffix)]] = (seen.st_size, seen.st_mtime_ns, 0)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        from memex_core.files.layout import unreachable

        raise unreachable(folder, error) from error
    for name, meta_ns in metas.items():
        if name in found:
            size, mtime_ns, _ = found[name]
            found[name] = (size, mtime_ns, meta_ns)
    return found


_NAMES = {
    "turn": "[A-Za-z0-9][A-Za-z0-9._-]{0,127}",
    "diary": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
}


def _differences(connection: sqlite3.Connection, layout: "Layout") -> tuple[list[Source], list[int]]:
    """The sources to read, in order, and the ids of documents whose file is gone."""
    stale: list[Source] = []
    gone: list[int] = []
    sql = "SELECT name, id, size, mtime_ns, meta_ns FROM passage_doc WHERE kind = ?"
    for kind, (folder, suffix) in _places(layout).items():
        found = _stats(kind, folder, suffix)
        for row in connection.execute(sql, (kind,)):
            now = found.get(row[0])
            if now == row[2:]:
                del found[row[0]]
            elif now is None:
                gone.append(row[1])
        for name in sorted(name for name in found if re.fullmatch(_NAMES[kind], name)):
            stale.append(Source(kind, name, os.path.join(folder, name + suffix), *found[name]))
    return stale, gone


def _apply(
    connection: sqlite3.Connection,
    stale: list[Source],
    gone: list[int],
    analyser: "Analyser",
    until: float | None,
    progress: Callable[[int, int], None] | None,
) -> Passages:
    from memex_core.index.passage_writer import Writer

    work = Writer(connection, analyser, until)
    for doc in gone:
        work.remove(doc)
    done = 0
    for source in stale:
        if until is not None and done and time.monotonic() > until:
            break
        if not work.read(source):
            break
        done += 1
        if progress is not None:
            progress(done, len(stale))
    work.finish()
    return Passages(work.added, work.changed, len(gone), work.written, len(stale) - done, tuple(work.unread))


_NOBODY = frozenset(
    ("user", "assistant", "agent", "human", "system", "bot", "ai", "model", "tool", "unknown", "anonymous")
)


def name_keys(name: str) -> list[str]:
    """The folded words of a person's name, the given name first."""
    from memex_core.index.analyse import folded

    out = []
    for word in name.replace(".", " ").split():
        key = folded(word).strip("-_'()[],:;@#")
        if len(key) > 1 and key not in _NOBODY:
            out.append(key)
    return out


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """``sessions``, ``days``, and ``rows`` of each: ``turn_rows``, ``diary_rows``; ``damaged`` lines."""
    totals = {"sessions": 0, "days": 0, "turn_rows": 0, "diary_rows": 0, "damaged": 0}
    for kind, docs, rows, damaged in connection.execute(
        "SELECT kind, count(*), sum(rows), sum(damaged) FROM passage_doc GROUP BY kind"
    ):
        totals["sessions" if kind == "turn" else "days"] = docs
        totals[f"{kind}_rows"] = rows
        totals["damaged"] += damaged
    return totals
