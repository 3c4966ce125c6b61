"""Pages by name and in lists, tags and counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.index.index import Index
from memex_core.model.errors import BadInput
from tests.index.folders import put, vault


@pytest.fixture
def index(tmp_path: Path) -> Index:
    pages = {
        "a/Same.md": "# One\n",
        "b/Same.md": "---\nscope: project\nproject: boat\n---\n# Two\n",
        "people/Åse.md": "---\nid: uid-1\ntitle: Åse Berg\naliases: [The boss]\ntype: Person\n"
        "tags: [x, Crew]\n---\nhi\n",
        "boss.md": "---\ntitle: A boss\ntype: entity\nstatus: draft\ntags: [crew]\nimportance: 0.9\n---\n"
        "[[none]]\n",
        "Basic bug.md": "one\n",
        "basic-bug.md": "two #crew\n",
        "broken.md": "---\ntitle: [x\n---\n",
    }
    for number in range(12):
        pages[f"log/n{number:02}.md"] = (
            f"---\ntitle: Note {number:02}\ncreated: 2026-01-{number + 1:02}\n"
            f"updated: 2026-02-{number + 1:02}T00:00:00Z\n---\ntext\n"
        )
    opened = Index.open(vault(tmp_path / "v", pages))
    opened.refresh()
    return opened


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("people/Åse.md", ["people/Åse.md"]),
        ("people/Åse", ["people/Åse.md"]),
        ("./people/Åse.md", ["people/Åse.md"]),
        ("PEOPLE/ÅSE.MD", ["people/Åse.md"]),
        ("Åse", ["people/Åse.md"]),
        ("åse", ["people/Åse.md"]),
        ("A\u030ase", ["people/Åse.md"]),
        ("uid-1", ["people/Åse.md"]),
        ("Åse Berg", ["people/Åse.md"]),
        ("The boss", []),
        ("Same", ["a/Same.md", "b/Same.md"]),
        ("b/Same", ["b/Same.md"]),
        ("Basic bug", ["Basic bug.md"]),
        ("basic-bug", ["basic-bug.md"]),
        ("boss", ["boss.md"]),
        ("Note 03", ["log/n03.md"]),
        ("note 3", []),
        ("", []),
        ("no such page", []),
        ("../boss", []),
        ("x' OR 1=1 --", []),
    ],
)
def test_names(index: Index, name: str, paths: list[str]) -> None:
    assert [row.path for row in index.find(name, exact=True)] == paths


def test_an_alias_is_a_name_when_asked(index: Index) -> None:
    assert [row.path for row in index.find("the BOSS")] == ["people/Åse.md"]
    assert index.find("the BOSS", exact=True) == []


def test_the_nearest_of_equals_comes_first_and_scope_narrows(index: Index) -> None:
    assert [row.path for row in index.find("Same", near="b/x.md")] == ["b/Same.md", "a/Same.md"]
    assert [row.path for row in index.find("Same", scope="project")] == ["b/Same.md"]
    assert index.find("boss", scope="project") == []


def test_suggestions(index: Index) -> None:
    assert "åse" in index.suggest("åsa") or "åse" in index.suggest("ås")
    assert index.suggest("not")[0].startswith("n0") or "n00" in index.suggest("note 0")
    assert index.suggest("zzzzzz") == []
    assert len(index.suggest("n")) <= 5


def test_a_row_says_what_the_page_says(index: Index) -> None:
    row = index.row("people/Åse.md")
    assert row is not None
    assert (row.slug, row.uid, row.title, row.type) == ("åse", "uid-1", "Åse Berg", "Person")
    assert row.aliases == ["The boss"]
    assert index.row("people/none.md") is None


def test_lists_filter_before_they_count(index: Index) -> None:
    rows, total, after = index.rows(tags=["crew"])
    assert (sorted(row.path for row in rows), total, after) == (
        ["basic-bug.md", "boss.md", "people/Åse.md"],
        3,
        None,
    )
    assert [row.path for row in index.rows(tags=["#Crew", "x"])[0]] == ["people/Åse.md"]
    assert [row.path for row in index.rows(type="person")[0]] == ["people/Åse.md"]
    assert [row.path for row in index.rows(status="draft")[0]] == ["boss.md"]
    assert [row.path for row in index.rows(scope="project", project="boat")[0]] == ["b/Same.md"]
    assert index.rows(type="x' OR 1=1 --") == ([], 0, None)
    assert index.rows(tags=["x' OR 1=1 --"]) == ([], 0, None)


def test_pages_of_a_list_are_the_list(index: Index) -> None:
    """FT-14: concatenated they are the whole, without repetition."""
    for sort in ("updated", "created", "title", "path", "importance", "used"):
        whole = [row.path for row in index.rows(sort=sort)[0]]
        assert len(whole) == index.total() == 19
        parts: list[str] = []
        cursor: str | None = None
        while True:
            rows, total, cursor = index.rows(sort=sort, limit=4, cursor=cursor)
            assert total == 19
            parts += [row.path for row in rows]
            if cursor is None:
                break
        assert parts == whole


def test_orders(index: Index) -> None:
    notes = [row.path for row in index.rows(sort="updated")[0] if row.path.startswith("log/")]
    assert notes == [f"log/n{number:02}.md" for number in range(11, -1, -1)]
    assert index.rows(sort="importance", limit=1)[0][0].path == "boss.md"
    index.touch(["log/n05.md"], "2026-03-01T00:00:00Z")
    assert index.rows(sort="used", limit=1)[0][0].path == "log/n05.md"
    for wrong in ("size", "updated DESC; DROP TABLE page"):
        with pytest.raises(BadInput):
            index.rows(sort=wrong)
    for wrong in ("x", "-1", "1.5", "9" * 40):
        with pytest.raises(BadInput):
            index.rows(cursor=wrong)


def test_tags_with_their_pages(index: Index) -> None:
    assert index.tags()[0][1] == 3
    assert index.tags()[0][0].casefold() == "crew"
    assert ("x", 1) in index.tags()
    assert index.tagged("#CREW") == ["basic-bug.md", "boss.md", "people/Åse.md"]
    assert index.tagged("none") == []


def test_counts(index: Index) -> None:
    counts = index.counts()
    assert counts["type"]["Person"] == 1
    assert counts["status"] == {"stable": 18, "draft": 1}
    assert counts["unresolved"] == 1
    assert counts["problems"] >= 1
    assert sum(counts["type"].values()) == index.total()


def test_use(index: Index) -> None:
    assert index.used_since("2020-01-01T00:00:00Z") == 0
    assert index.touch(["boss.md", "no such.md"], "2026-03-01T00:00:00Z")
    assert index.touch(["boss.md"], "2026-03-02T00:00:00Z")
    row = index.row("boss.md")
    assert row is not None
    assert (row.access_count, row.last_access) == (2, "2026-03-02T00:00:00Z")
    assert (index.used_since("2026-03-02T00:00:00Z"), index.used_since("2026-03-03T00:00:00Z")) == (1, 0)


def test_digests_and_paths(index: Index, tmp_path: Path) -> None:
    from memex_core.files.atomic import digest

    every = sorted(index.digests())
    assert index.paths() == every
    assert index.paths(after=every[0], limit=2) == every[1:3]
    assert index.paths(after=every[1][:-1]) == every[1:]  # a place between two
    assert (index.paths(limit=0), index.paths(after=every[-1])) == ([], [])
    assert index.digests()["basic-bug.md"] == digest(b"two #crew\n")
    put(tmp_path / "v", "basic-bug.md", "three\n")
    index.refresh()
    assert index.digests()["basic-bug.md"] == digest(b"three\n")


def test_values_beside_the_pages(index: Index) -> None:
    assert index.get_meta("none") is None
    index.set_meta("colour", "blue")
    assert index.get_meta("colour") == "blue"
    assert index.get_meta("last_index_rebuild")


def test_interrupting_a_statement(index: Index) -> None:
    import sqlite3
    import threading

    timer = threading.Timer(0.05, index.interrupt)
    timer.start()
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        index.db.execute(
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n"
        ).fetchone()
    timer.join()
