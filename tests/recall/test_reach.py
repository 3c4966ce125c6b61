"""Pages that concern who works in a project: its own and the global ones, before any limit."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.model.scope import reaches
from memex_core.recall.options import Options
from memex_core.recall.recall import search

PLACES = [("", ""), ("boat", ""), ("boat", "main"), ("boat", "fix"), ("shed", "main")]


@pytest.fixture
def index(memex: Any) -> Any:
    for project, branch in PLACES:
        scope = "branch" if branch else "project" if project else "global"
        title = f"Paint {project} {branch}".strip()
        memex.write(
            type="entity",
            title=title,
            body="Red.",
            scope=scope,
            project=project,
            branch=branch,
            session_id="s",
        )
    return memex.store.index


@pytest.mark.parametrize("here", PLACES)
def test_the_filter_says_what_the_rule_says(index: Any, here: tuple[str, str]) -> None:
    hits = search(index, "paint red", Options(reach=here, kinds=("pages",)))["hits"]
    rows, _, _ = index.rows(limit=100)
    wanted = {row.slug for row in rows if reaches(row.scope, row.project, row.branch, *here)}
    assert {hit["slug"] for hit in hits} == wanted
    assert 1 <= len(wanted) < len(PLACES)
    assert len(search(index, "paint red", Options(1, reach=here))["hits"]) == 1


def test_pages_of_a_conversation_can_be_left_out(index: Any) -> None:
    assert search(index, "paint", Options(but_session="s"))["hits"] == []
    assert len(search(index, "paint", Options(but_session="other"))["hits"]) == len(PLACES)
