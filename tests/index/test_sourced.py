from pathlib import Path

from memex_core import Memex
from memex_core.index.sourced import newest_with_sources, pages_citing

PAGES = {
    "a.md": "---\nsources:\n  - {id: s1, resource: 'memex:talk#2'}\n  - {id: s2, resource: 'memex:talk'}\n---\nA\n",
    "b.md": "---\nsources: ['memex:talk-2#1', 'https://example.org']\nupdated: 2030-01-02\n---\nB\n",
    "c.md": "---\nnote: 'memex:talk#9'\n---\nC\n",
    "d.md": "---\nsources: memex:talk#4\n---\nD\n",
    "e.md": "memex:talk#1\n",
}


def test_pages_are_found_by_the_session_they_cite_and_by_nothing_else(tmp_path: Path) -> None:
    for path, text in PAGES.items():
        (tmp_path / path).write_text(text)
    with Memex(tmp_path) as memex:
        db = memex.store.index.db
        assert pages_citing(db, "talk") == ["a.md", "d.md"]
        assert pages_citing(db, "talk-2") == ["b.md"]
        assert pages_citing(db, "tal") == []
        assert newest_with_sources(db) == "b.md"


def test_a_memory_without_sources(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    with Memex(tmp_path) as memex:
        assert newest_with_sources(memex.store.index.db) == ""
        assert pages_citing(memex.store.index.db, "talk") == []
