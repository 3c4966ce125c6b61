"""Acceptance tests 13 to 15: forgetting at once, from a day on, and slowly."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def test_forget_hard(memex: Any, root: Path) -> None:
    memex.write(type="entity", title="Target", body="linked to")
    done = memex.write(type="entity", title="Gone soon", body="dodo [[Target]]")
    forgotten = memex.forget("gone-soon", mode="hard")
    assert forgotten == {
        "slug": "gone-soon", "forgotten": True, "mode": "hard", "file_path": None, "valid_until": None,
        "dry_run": False,
    }  # fmt: skip
    assert not Path(done["file_path"]).exists()
    assert memex.recall("dodo")["hits"] == []
    assert memex.show("target")["backlinks"] == []
    with closing(sqlite3.connect(root / "mem.db")) as db:
        assert db.execute("select count(*) from page").fetchone() == (1,)
        assert db.execute("select count(*) from link").fetchone() == (0,)
    memex.revert("gone-soon")
    assert memex.recall("dodo")["hits"][0]["slug"] == "gone-soon"


def test_forget_soft(memex: Any, later: Any) -> None:
    later("2026-09-15T00:00:00Z")
    done = memex.write(type="entity", title="Soft", body="eiderdown")
    memex.forget("soft", mode="soft", valid_until="2026-09-20T00:00:00Z")
    assert memex.show("soft")["valid_until"] == "2026-09-20T00:00:00Z"
    assert Path(done["file_path"]).exists()
    assert [hit["slug"] for hit in memex.recall("eiderdown")["hits"]] == ["soft"]
    later("2026-09-20T00:00:00Z")
    assert memex.recall("eiderdown")["hits"] == []
    assert [hit["slug"] for hit in memex.recall("eiderdown", include_expired=True)["hits"]] == ["soft"]


def test_forget_decay(memex: Any, later: Any) -> None:
    later("2026-09-01T00:00:00Z")
    memex.write(type="entity", title="Fading", body="gossamer")
    memex.forget("fading", mode="decay")
    assert memex.show("fading")["valid_until"] == "2026-10-01T00:00:00Z"
    later("2026-09-30T23:59:59Z")
    assert memex.recall("gossamer")["hits"]
    later("2026-10-01T00:00:01Z")
    assert memex.recall("gossamer")["hits"] == []
