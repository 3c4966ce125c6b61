"""The projects of an index that are meant by a name: pages have ids, conversations what their agent says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from memex_core.model.identity import same_project


def meant(db: sqlite3.Connection, table: str, names: Iterable[str], *, root: str = "") -> list[str]:
    """What ``table`` (``page`` or ``passage_doc``) has in ``project`` that one of ``names`` means."""
    known = [said for (said,) in db.execute(f"SELECT DISTINCT project FROM {table} WHERE project <> ''")]
    return [said for said in known if any(same_project(name, said, root=root) for name in names)]
