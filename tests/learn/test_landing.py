"""Where drafts land: in the project, or in the branch that their session was on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memex_core import Memex
from tests.chat_server import ChatServer
from tests.files.test_repository import repository
from tests.learn.conftest import Talk, choose, note, said

ORIGIN = "git@github.com:ann/shop.git"
FACT = "We deploy the shop with a blue-green switch."


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository whose main branch is ``main``, whatever is checked out by now."""
    folder = repository(tmp_path / "shop", ORIGIN)
    (folder / ".git" / "refs" / "heads" / "main").write_text("0" * 40 + "\n")
    return folder


def said_on(memex: Memex, session: str, folder: Path, branch: str) -> None:
    """Note in the session's meta file where it was held."""
    path = Path(memex.store.layout.transcripts, f"{session}.meta.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "cwd": str(folder), "git_branch": branch}))


def place(memex: Memex, slug: str) -> tuple[str, str, str]:
    view = memex.show(slug)
    return view["scope"], view["project"].partition("-")[0], str(view["front_matter"].get("branch") or "")


@pytest.mark.parametrize(
    ("branch", "scope", "own"),
    [("feat/a", "branch", "feat/a"), ("main", "project", ""), ("", "project", ""), ("HEAD", "project", "")],
)
def test_a_model_s_note_lands_where_it_was_said(
    memex: Memex, talk: Talk, server: ChatServer, shop: Path, branch: str, scope: str, own: str
) -> None:
    talk("sess-1", FACT)
    said_on(memex, "sess-1", shop, branch)
    choose(memex, server)
    quotes = [{"turn": 1, "quote": "blue-green switch"}]
    server.says = [
        said(
            note(type="entity", title="Deploy", body="Blue, then green.", quotes=quotes, scope="project"),
            note(title="Of the person", quotes=quotes, scope="global"),
        )
    ]
    memex.consolidate()
    shown = place(memex, "deploy")
    assert (shown[0], shown[2]) == (scope, own)
    assert memex.show("deploy")["project"] == memex.project(str(shop))["project"]
    assert place(memex, "of-the-person") == ("global", "", "")


def test_two_branches_each_have_their_own(memex: Memex, talk: Talk, server: ChatServer, shop: Path) -> None:
    choose(memex, server)
    for number, branch in enumerate(("feat/a", "feat/b"), 1):
        talk(f"sess-{number}", FACT, day=f"2026-11-2{number}")
        said_on(memex, f"sess-{number}", shop, branch)
        quotes = [{"turn": 1, "quote": "blue-green switch"}]
        body = f"As on {branch}."
        server.says = [said(note(type="entity", title="Deploy", body=body, quotes=quotes, scope="project"))]
        memex.consolidate()
    rows = memex.list(type="entity")["pages"]
    found = sorted((memex.show(row["path"])["front_matter"]["branch"], row["scope"]) for row in rows)
    assert found == [("feat/a", "branch"), ("feat/b", "branch")]


@pytest.mark.parametrize(
    ("text", "branch", "scope"),
    [
        ("Remember that the shop runs on port 8080.", "feat/a", "branch"),
        ("Remember that the shop runs on port 8080.", "main", "project"),
        ("I prefer tabs in this project.", "feat/a", "branch"),
        ("I prefer tabs in this project.", "main", "project"),
        ("I prefer tea over coffee.", "feat/a", "global"),
        ("这个项目我喜欢用制表符。", "feat/a", "branch"),
        ("이 프로젝트에서는 탭을 선호합니다.", "feat/a", "branch"),
    ],
)
def test_a_rule_s_draft_lands_where_it_was_said(
    memex: Memex, talk: Talk, shop: Path, text: str, branch: str, scope: str
) -> None:
    talk("sess-1", text)
    said_on(memex, "sess-1", shop, branch)
    (made,) = memex.extract()["created"]
    assert place(memex, made["slug"])[0] == scope


def test_where_the_folder_is_gone_the_branch_still_counts(
    memex: Memex, talk: Talk, server: ChatServer, tmp_path: Path
) -> None:
    choose(memex, server)
    for number, (branch, scope) in enumerate((("master", "project"), ("feat/a", "branch")), 1):
        talk(f"sess-{number}", FACT, day=f"2026-11-2{number}", project="shop")
        said_on(memex, f"sess-{number}", tmp_path / "gone", branch)
        quotes = [{"turn": 1, "quote": "blue-green switch"}]
        title = f"Deploy {number}"
        server.says = [said(note(type="entity", title=title, body=title, quotes=quotes, scope="project"))]
        memex.consolidate()
        assert place(memex, f"deploy-{number}")[:2] == (scope, "shop")
