"""Folders of pages for the index's tests, and the whole of an index as plain data to compare."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memex_core.files.layout import Layout, open_layout
from memex_core.index.index import Index
from memex_core.index.rebuild import building, rebuild


def put(folder: Path, path: str, text: str | bytes, *, age: float = 60.0) -> Path:
    """Write a page ``age`` seconds ago, so that its mtime is one the index may trust."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    old = file.stat().st_mtime_ns - int(age * 1e9)
    os.utime(file, ns=(old, old))
    return file


@contextmanager
def public() -> Iterator[Path]:
    """A temporary folder that every user may enter (pytest keeps its own ones private)."""
    folder = Path(tempfile.mkdtemp(prefix="memex-test-"))
    os.chmod(folder, 0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def given_away(folder: Path) -> None:
    """Make everything in ``folder`` the property of nobody, when that is possible and needed."""
    if os.getuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, 65534, 65534)


def vault(folder: Path, pages: dict[str, str]) -> Layout:
    """A folder of Markdown with a state folder, opened as it is."""
    for path, text in pages.items():
        put(folder, path, text)
    (folder / ".memex").mkdir(parents=True, exist_ok=True)
    return open_layout(str(folder))


def many(folder: Path, count: int) -> Layout:
    """``count`` small pages in ten folders, each linking to the next."""
    pages = {}
    for n in range(count):
        pages[f"f{n % 10}/p{n}.md"] = f"# Page {n}\n\nword{n} common [[p{(n + 1) % count}]]\n"
    return vault(folder, pages)


def image(db: sqlite3.Connection) -> dict[str, Any]:
    """Everything an index says, page ids replaced by paths: equal for equal folders, however they arose."""
    paths = dict(db.execute("SELECT id, path FROM page").fetchall())
    skipped = {"id", "mtime_ns", "access_count", "last_access"}
    columns = [row[1] for row in db.execute("PRAGMA table_info(page)") if row[1] not in skipped]
    links = db.execute(
        "SELECT page, ord, target, key, label, dst, asset, ambiguous, form, rel, alias, heading, block, line "
        "FROM link"
    )
    # When a page that does not say it was made only the index knows that saw its file earlier.
    columns[columns.index("created")] = "iif(front LIKE '%\"created\"%', created, '')"
    return {
        "pages": sorted(db.execute(f"SELECT {', '.join(columns)} FROM page").fetchall()),
        "texts": sorted((paths[row[0]], *row[1:]) for row in db.execute("SELECT * FROM page_text")),
        "tags": sorted(
            (paths[page], tag, shown) for page, tag, shown in db.execute("SELECT page, tag, shown FROM tag")
        ),
        "names": sorted(
            (paths[page], key, kind) for page, key, kind in db.execute("SELECT page, key, kind FROM name")
        ),
        "links": sorted(
            (
                paths[page],
                order,
                *rest[:3],
                paths.get(rest[3]),
                rest[4],
                sorted(json.loads(rest[5] or "[]")),
                *rest[6:],
            )
            for page, order, *rest in links
        ),
        "assets": sorted(db.execute("SELECT path, key FROM asset").fetchall()),
        "terms": dict(db.execute("SELECT term, df FROM term").fetchall()),
        "found": postings(db, paths),
        "total": db.execute("SELECT value FROM meta WHERE key = 'pages'").fetchone()[0],
    }


def postings(db: sqlite3.Connection, paths: dict[int, str]) -> list[tuple[str, str]]:
    """(token, path) of the full-text table itself; its own check of integrity besides."""
    db.execute("INSERT INTO page_fts(page_fts) VALUES('integrity-check')")
    db.execute("CREATE VIRTUAL TABLE temp.seen USING fts5vocab(main, page_fts, instance)")
    found = sorted({(term, paths[doc]) for term, doc in db.execute("SELECT term, doc FROM temp.seen")})
    db.execute("DROP TABLE temp.seen")
    return found


def built(layout: Layout, where: Path) -> dict[str, Any]:
    """The image of an index built from the folder as it is now."""
    path = str(where)
    with building(path):
        rebuild(layout, path)
    db = sqlite3.connect(path)
    try:
        return image(db)
    finally:
        db.close()


def same_as_built(index: Index, where: Path) -> None:
    """The index, however it came about, says what one built anew says."""
    mine, fresh = image(index.db), built(index.layout, where)
    for part, wanted in fresh.items():
        if isinstance(wanted, list):
            assert [row for row in mine[part] if row not in wanted] == [], f"{part}: too much"
            assert [row for row in wanted if row not in mine[part]] == [], f"{part}: missing"
        assert mine[part] == wanted, part


def hits(index: Index, word: str) -> list[str]:
    """The paths of the pages with a word."""
    rows = index.db.execute(
        "SELECT p.path FROM page_fts f JOIN page p ON p.id = f.rowid WHERE page_fts MATCH ? ORDER BY p.path",
        (f'"{word}"',),
    )
    return [path for (path,) in rows]
