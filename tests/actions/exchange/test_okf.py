"""Navigation files: from pages and journal alone, written when they differ, and only over our own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.care.okf_index import MARK
from memex_core.model import clock
from memex_core.model.errors import NotFound, Refused


def written(result: dict[str, Any]) -> dict[str, str]:
    return {row["path"]: row["what"] for row in result["written"]}


def stats(root: Path) -> dict[str, int]:
    return {str(path.relative_to(root)): path.stat().st_mtime_ns for path in root.rglob("*.md")}


def test_what_they_say(memex: Memex, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import UTC, datetime

    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 29, tzinfo=UTC))
    memex.write(type="procedure", title="Rotate [the] *key*", body="x", description="When it <lapses>")
    memex.write(type="entity", title="Host", body="x", scope="project", project="shop")
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, tzinfo=UTC))
    memex.edit("host", append="y")
    memex.edit("host", append="z")
    memex.rename("host", "Server")
    memex.write(type="entity", title="Draft", status="draft")
    memex.write(type="entity", title="Gone", body="x")
    memex.forget("gone")
    docs = root / "docs"
    assert set(written(memex.okf_index(dry_run=True)).values()) == {"written"}
    assert not list(docs.rglob("index.md"))
    done = written(memex.okf_index())
    assert sorted(done) == [
        "index.md",
        "log.md",
        "procedures/index.md",
        "projects/index.md",
        "projects/shop/entities/index.md",
        "projects/shop/index.md",
    ]
    assert (docs / "index.md").read_text() == (
        f'---\nokf_version: "0.2"\n---\n\n{MARK}\n\n# Index\n\n## Folders\n\n'
        "* [procedures](procedures/index.md)\n* [projects](projects/index.md)\n"
    )
    assert (docs / "procedures" / "index.md").read_text() == (
        f"{MARK}\n\n# procedures\n\n## Procedures\n\n"
        "* [Rotate \\[the\\] \\*key\\*](rotate-the-key.md) - When it \\<lapses\\>\n"
    )
    assert (docs / "log.md").read_text() == (
        f"{MARK}\n\n# Log\n\n## 2026-11-30\n\n"
        "* **Removal**: entities/gone.md\n"
        "* **Rename**: [Server](/projects/shop/entities/server.md) from projects/shop/entities/host.md\n\n"
        "## 2026-11-29\n\n* **Creation**: [Rotate \\[the\\] \\*key\\*](/procedures/rotate-the-key.md)\n"
    )
    assert memex.okf_check()["errors"] == 0


def test_only_what_changed_is_written(memex: Memex, root: Path) -> None:
    memex.write(type="entity", title="One")
    memex.write(type="procedure", title="Two")
    memex.okf_index()
    before = stats(root)
    again = memex.okf_index()
    assert (again["written"], again["unchanged"]) == ([], 4)
    assert stats(root) == before
    memex.edit("two", title="Zwei")
    assert written(memex.okf_index()) == {"log.md": "rewritten", "procedures/index.md": "rewritten"}
    memex.forget("two")
    assert written(memex.okf_index()) == {
        "index.md": "rewritten",
        "log.md": "rewritten",
        "procedures/index.md": "removed",
    }
    assert not (root / "docs" / "procedures" / "index.md").exists()


def test_a_file_of_somebody_else_is_left_alone(memex: Memex, root: Path) -> None:
    memex.write(type="entity", title="One")
    (root / "docs" / "index.md").write_text("# mine\n")
    (root / "docs" / "entities" / "log.md").write_text("# mine\n")
    done = memex.okf_index()
    assert done["refused"] == [{"path": "index.md", "reason": "memex did not make this file"}]
    assert (root / "docs" / "index.md").read_text() == "# mine\n"
    assert (root / "docs" / "entities" / "log.md").read_text() == "# mine\n"


def test_they_are_never_pages_and_no_history(memex: Memex, root: Path) -> None:
    memex.write(type="entity", title="One", body="tide")
    memex.okf_index()
    memex.look_again()
    assert [page["slug"] for page in memex.list()["pages"]] == ["one"]
    assert len(list(memex.store.journal.read())) == 1
    assert memex.verify()["ok"] is True


def test_an_empty_store_has_none(memex: Memex, root: Path) -> None:
    assert memex.okf_index()["written"] == []
    assert memex.okf_check()["ok"] is True


def test_where_it_is_refused(memex: Memex, root: Path, tmp_path: Path) -> None:
    with Memex(root, actor="codex/0.60") as agent, pytest.raises(Refused, match="only a person"):
        agent.okf_index()
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "index.md").write_text("# a page\n")
    with Memex(folder) as opened:
        with pytest.raises(Refused, match="opened as it is"):
            opened.okf_index()
        assert opened.okf_check()["pages"] == 0
    with pytest.raises(NotFound):
        memex.okf_check(str(tmp_path / "gone"))


def test_a_purged_page_is_in_no_log(memex: Memex, root: Path) -> None:
    memex.write(type="entity", title="Kept")
    done = memex.write(type="entity", title="Xyzzy", body="x")
    memex.forget("xyzzy")
    memex.okf_index()
    assert "xyzzy" in (root / "docs" / "log.md").read_text()
    memex.purge("xyzzy", id=done["id"])
    memex.okf_index()
    assert "xyzzy" not in (root / "docs" / "log.md").read_text()


def test_navigation_that_is_behind_the_pages_is_told_once_there_is_any(memex: Memex, root: Path) -> None:
    memex.write(type="entity", title="One", body="x", description="d")
    assert memex.okf_check()["findings"] == []
    memex.okf_index()
    assert memex.okf_check()["findings"] == []
    memex.write(type="procedure", title="Two", body="x", description="d")
    memex.forget("one")
    found = [(one["level"], one["file"], one["message"]) for one in memex.okf_check()["findings"]]
    assert [one for one in found if "okf index" in one[2]] == [
        ("warning", "entities/index.md", "the navigation has no pages any more: memex okf index"),
        ("warning", "index.md", "the navigation is not as the pages are: memex okf index"),
        ("warning", "log.md", "the navigation is not as the pages are: memex okf index"),
        ("warning", "procedures/index.md", "the navigation is missing: memex okf index"),
    ]
    assert memex.okf_check(strict=True)["ok"] is False
    memex.okf_index()
    assert memex.okf_check()["findings"] == []


def test_a_pipe_by_that_name_is_left_alone(memex: Memex, root: Path) -> None:
    memex.write(type="entity", title="One", body="x", description="d")
    os.mkfifo(root / "docs" / "log.md")
    assert memex.okf_index()["refused"] == [{"path": "log.md", "reason": "memex did not make this file"}]
    assert [one["file"] for one in memex.okf_check()["findings"]] == ["log.md"]  # cannot be read


def test_a_file_that_differs_in_case_is_the_same_file(memex: Memex, root: Path) -> None:
    memex.write(type="entity", title="One", body="x")
    docs = root / "docs"
    (docs / "Log.md").write_text("mine\n")
    (docs / "Index.md").write_text(f"{MARK}\nold\n")
    done = memex.okf_index()
    assert done["refused"] == [{"path": "Log.md", "reason": "memex did not make this file"}]
    assert written(done) == {"Index.md": "rewritten", "entities/index.md": "written"}
    assert sorted(path.name for path in docs.glob("*.md")) == ["Index.md", "Log.md"]
    assert (docs / "Log.md").read_text() == "mine\n"
    assert (docs / "Index.md").read_text().startswith("---\nokf_version")
