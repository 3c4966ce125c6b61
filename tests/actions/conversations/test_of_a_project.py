"""The conversations of a project: those that are listed for it are those that recall finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.files.test_repository import repository

SAID = {
    "named": "bakery",
    "folder": "/home/ann/bakery",
    "other": "/home/ann/shop",
    "none": "",
}


@pytest.fixture
def talks(memex: Any) -> Any:
    for session, project in SAID.items():
        turns = [{"role": "user", "content": f"the sourdough of {session}"}]
        memex.ingest_transcript(session, turns=turns, project=project or None)
    return memex


def listed(memex: Any, project: str) -> set[str]:
    return {found["session_id"] for found in memex.sessions(project=project)["sessions"]}


def found(memex: Any, query: str, **options: Any) -> set[str]:
    return {hit["session_id"] for hit in memex.recall(query, kinds="transcripts", **options)["hits"]}


@pytest.mark.parametrize(
    ("name", "sessions"),
    [
        ("bakery", {"named", "folder"}),
        ("/home/ann/bakery", {"folder"}),
        ("/home/ann", {"folder", "other"}),
        ("shop", {"other"}),
        ("nothing", set()),
    ],
)
def test_listed_and_found_are_the_same(talks: Any, name: str, sessions: set[str]) -> None:
    assert listed(talks, name) == sessions
    assert found(talks, "sourdough", project=name) == sessions
    assert found(talks, f'sourdough project:"{name}"') == sessions
    assert found(talks, f'sourdough -project:"{name}"') == set(SAID) - sessions


def test_a_projects_own_folder_and_its_id(talks: Any, tmp_path: Path) -> None:
    shop = repository(tmp_path / "work" / "checkout", "git@github.com:ann/bakery.git")
    below = [{"role": "user", "content": "the sourdough of below"}]
    talks.ingest_transcript("below", turns=below, project=str(shop / "ovens"))
    talks.store.cwd = str(shop)
    talks.write(type="entity", title="Rye", body="A sourdough.", scope="project")
    for name in ("bakery", talks.project()["project"]):
        assert listed(talks, name) == found(talks, "sourdough", project=name) == {"named", "folder", "below"}
    pages = talks.recall("sourdough project:bakery", kinds="pages")["hits"]
    assert [hit["slug"] for hit in pages] == ["rye"]
