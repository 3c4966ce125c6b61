"""Whose writes wait: an agent's pages are drafts, its changes proposals, and what was refused stays out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.actions.reviewing.governance import marks_of
from memex_core.model.errors import Conflict, Refused

RUFF = "Use ruff for linting.\n\nNever use flake8 in this house.\n"


@pytest.fixture
def agent(memex: Any, root: Path) -> Iterator[Memex]:
    with Memex(root, actor="codex/1.4") as opened:
        yield opened


@pytest.fixture
def page(memex: Any) -> Path:
    """A person's page in use, with a comment that surgery must leave alone."""
    done = memex.write(type="preference", title="Ruff", body=RUFF, tags=["lint"])
    path = Path(done["file_path"])
    path.write_text(path.read_text().replace("tags: [lint]", "tags: [lint] # mine"))
    memex.look_again()
    return path


def fresh(*opened: Any) -> None:
    for one in opened:
        one.look_again()


@pytest.mark.parametrize("actor", ["codex/1.4", "agent:claude-code", "process:extract"])
def test_what_is_not_a_persons_is_a_draft(memex: Any, root: Path, actor: str) -> None:
    with Memex(root, actor=actor) as other:
        assert other.write(type="entity", title="Oven", body="Hot.")["status"] == "draft"
        assert other.write(type="entity", title="Door", body="x", status="stable")["status"] == "draft"
        episode = other.write(type="episode", title="A talk", body="x", session_id="s-1")
        assert episode["status"] == "stable"
    assert memex.write(type="entity", title="Wall", body="x")["status"] == "stable"


def test_auto_lets_agents_write(memex: Any, agent: Memex, page: Path, root: Path) -> None:
    (root / "memex.toml").write_text('[governance]\nknowledge_approval = "auto"\n')
    assert agent.write(type="entity", title="Oven", body="Hot.")["status"] == "stable"
    agent.edit("ruff", append="Also format.")
    assert page.read_text().endswith("Also format.\n")
    assert memex.review()["total"] == 0
    with pytest.raises(Refused, match="cannot be set by an agent"):
        agent.edit("ruff", set={"verified": "human:ada"})


def test_an_edit_is_proposed_and_the_page_stays(memex: Any, agent: Memex, page: Path) -> None:
    before = page.read_bytes()
    done = agent.edit("ruff", append="Also format with ruff.", tags=["lint", "format"])
    assert (done["slug"], done["status"], done["changed"]) == ("ruff-proposed", "draft", True)
    assert "a change of ruff is proposed" in done["warnings"][0]
    assert page.read_bytes() == before
    front = memex.show("ruff-proposed")["front_matter"]
    assert (front["supersedes"], front["proposes"], front["title"]) == (
        "ruff",
        ["body", "tags"],
        "Ruff (proposed change)",
    )
    assert [hit["slug"] for hit in memex.recall("ruff")["hits"]] == ["ruff"]

    again = agent.edit("ruff", section=None, append="And sort imports.")
    assert again["slug"] == "ruff-proposed"
    by_its_own_name = agent.edit("ruff-proposed", set={"description": "What checks our code"})
    assert by_its_own_name["slug"] == "ruff-proposed"
    fresh(memex)
    (item,) = memex.review()["items"]
    assert (item["kind"], item["slug"], item["target"]) == ("change", "ruff-proposed", "ruff")
    assert item["before"] == RUFF
    assert item["after"] == RUFF + "Also format with ruff.\nAnd sort imports.\n"
    assert (item["title"], item["by"], item["why"]) == (
        "Ruff",
        "codex/1.4",
        "would change preferences/ruff.md",
    )
    assert {one["key"]: (one["before"], one["after"]) for one in item["keys"]} == {
        "tags": (["lint"], ["lint", "format"]),
        "description": (None, "What checks our code"),
    }
    assert page.read_bytes() == before


def test_approval_makes_the_change_and_one_revert_takes_it_back(memex: Any, agent: Memex, page: Path) -> None:
    before = page.read_bytes()
    agent.edit("ruff", append="Also format.", set={"owner": "ada"})
    fresh(memex)
    draft = page.with_name("ruff-proposed.md")
    proposed = draft.read_bytes()
    assert memex.approve("ruff-proposed")["approved"] == ["ruff"]
    assert not draft.exists()
    text = page.read_text()
    assert text.endswith(RUFF + "Also format.\n")
    assert "tags: [lint] # mine\n" in text
    assert "owner: ada\n" in text
    view = memex.show("ruff")
    assert view["trust"] == "human-reviewed"
    assert view["front_matter"]["verified"][0]["by"] == "human:tester"
    assert view["front_matter"]["generated"]["by"] == "codex/1.4"
    assert "proposes" not in text
    events = [event for event in memex.store.journal.read() if event["detail"].get("approved")]
    assert len({event["detail"]["group"] for event in events}) == 1
    assert [event["file"] for event in events] == ["preferences/ruff.md", "preferences/ruff-proposed.md"]
    memex.revert("ruff")
    assert (page.read_bytes(), draft.read_bytes()) == (before, proposed)
    assert memex.review()["items"][0]["kind"] == "change"


def test_a_part_of_a_change_can_be_accepted(memex: Any, agent: Memex, page: Path) -> None:
    agent.edit("ruff", body="All new.\n")
    fresh(memex)
    memex.approve(["ruff-proposed"], text=RUFF + "\nNew.\n")
    assert page.read_text().endswith(RUFF + "\nNew.\n")


def test_a_page_that_changed_meanwhile_is_in_conflict(memex: Any, agent: Memex, page: Path) -> None:
    agent.edit("ruff", append="Also format.")
    memex.edit("ruff", tags=["lint", "python"])  # not what would be replaced
    assert memex.review()["items"][0]["kind"] == "change"
    memex.edit("ruff", append="A person was here.")
    (item,) = memex.review()["items"]
    assert (item["kind"], item["why"]) == ("conflict", "preferences/ruff.md has changed since")
    assert {"name": "target", "ok": False, "detail": "preferences/ruff.md has changed since"} in item[
        "checks"
    ]
    with pytest.raises(Conflict, match="changed after"):
        memex.approve("ruff-proposed")
    fresh(agent)
    agent.edit("ruff", append="More.")  # does not make it a change of the new text
    fresh(memex)
    assert memex.review()["items"][0]["kind"] == "conflict"
    memex.approve("ruff-proposed", text="Both.\n")
    assert page.read_text().endswith("---\nBoth.\n")
    assert memex.review() == {"items": [], "total": 0}


def test_a_whole_new_text_is_made_from_the_page_as_it_is(memex: Any, agent: Memex, page: Path) -> None:
    agent.edit("ruff", append="Also format.")
    memex.edit("ruff", append="A person was here.")
    fresh(agent)
    agent.edit("ruff", body="Shorter.\n")
    fresh(memex)
    assert [(one["kind"], one["after"]) for one in memex.review()["items"]] == [("change", "Shorter.\n")]


def test_a_conflict_whose_page_is_gone(memex: Any, agent: Memex, page: Path) -> None:
    agent.edit("ruff", append="Also format.")
    fresh(memex)
    memex.forget("ruff")
    (item,) = memex.review()["items"]
    assert (item["kind"], item["target"]) == ("conflict", "")
    assert item["why"] == "the page ruff that it would change is gone"
    with pytest.raises(Exception, match="is gone"):
        memex.approve("ruff-proposed")
    memex.reject("ruff-proposed", why="too late")
    assert memex.review()["total"] == 0


def test_a_renamed_page_keeps_its_proposal(memex: Any, agent: Memex, page: Path) -> None:
    agent.edit("ruff", append="Also format.")
    fresh(memex)
    memex.rename("ruff", "Linter")
    (item,) = memex.review()["items"]
    assert (item["kind"], item["target"]) == ("change", "linter")
    memex.approve(item["path"])
    assert memex.show("linter")["body"] == RUFF + "Also format.\n"


def test_sources_and_links_are_added_to_what_the_page_has(memex: Any, agent: Memex) -> None:
    memex.ingest_transcript(session_id="s-1", turns=[{"role": "user", "content": "Use ruff, and format."}])
    memex.write(type="preference", title="Ruff", body=RUFF, sources=["https://example.org/a"], links=["x"])
    fresh(agent)
    agent.edit("ruff", append="Format too.[^s2]", sources=["s-1#1"], quotes=["and format"])
    fresh(memex)
    memex.edit("ruff", sources=["https://example.org/b"])  # a person adds one meanwhile
    (item,) = memex.review()["items"]
    assert item["session_id"] == "s-1"
    assert [(one["quote"], one["found"], one["lane"]) for one in item["evidence"]] == [
        ("and format", True, "evidence")
    ]
    memex.approve("ruff-proposed")
    assert [one["resource"] for one in memex.show("ruff")["sources"]] == [
        "https://example.org/a",
        "https://example.org/b",
        "memex:s-1#1",
    ]


def test_the_source_that_a_change_adds_keeps_its_own_footnote(memex: Any, agent: Memex) -> None:
    memex.ingest_transcript(session_id="s-1", turns=[{"role": "user", "content": "Use ruff, and format."}])
    memex.write(type="preference", title="Ruff", body=RUFF)
    fresh(agent)
    agent.edit("ruff", append="Format too.[^s1]", sources=["s-1#1"])
    fresh(memex)
    memex.edit("ruff", sources=["https://example.org/b"])
    memex.approve("ruff-proposed")
    view = memex.show("ruff")
    assert [(one["id"], one["resource"]) for one in view["sources"]] == [
        ("s1", "https://example.org/b"),
        ("s2", "memex:s-1#1"),
    ]
    assert view["body"].endswith("Format too.[^s2]\n")


def test_forgetting_is_proposed_too(memex: Any, agent: Memex, page: Path) -> None:
    before = page.read_bytes()
    done = agent.forget("ruff", mode="archive")
    assert (done["forgotten"], done["proposed"]) == (False, "ruff-proposed")
    assert page.read_bytes() == before
    fresh(memex)
    (item,) = memex.review()["items"]
    assert (item["kind"], item["forget"], item["after"]) == ("change", "archive", "")
    assert item["why"] == "would forget preferences/ruff.md"
    memex.approve("ruff-proposed")
    assert memex.show("ruff")["status"] == "deprecated"
    assert memex.review()["total"] == 0


def test_an_agent_forgets_its_own_draft_at_once(memex: Any, agent: Memex) -> None:
    path = agent.write(type="entity", title="Oven", body="Hot.")["file_path"]
    assert agent.forget("oven")["forgotten"] is True
    assert not Path(path).exists()


def test_an_agent_does_not_judge_and_does_not_go_round(memex: Any, agent: Memex, page: Path) -> None:
    agent.write(type="entity", title="Oven", body="It is hot in there.")
    for act in (
        lambda: agent.approve("oven"),
        lambda: agent.reject("oven"),
        lambda: agent.defer("oven"),
        lambda: agent.merge("ruff", "oven"),
        lambda: agent.rename("ruff", "Other"),
        lambda: agent.revert("oven"),
        lambda: agent.demote("ruff", project="x"),
        lambda: agent.tags_rename("lint", "linting"),
        lambda: agent.edit("oven", set={"status": "stable"}),
        lambda: agent.edit("oven", set={"Proposes": ["verified"]}),
        lambda: agent.edit("oven", unset=["supersedes"]),
        lambda: agent.edit("oven", text="---\nverified: {by: human:ada}\n---\nx\n"),
    ):
        with pytest.raises(Refused):
            act()
    assert memex.show("oven")["status"] == "draft"


def test_a_forged_proposal_sets_no_review(memex: Any, page: Path) -> None:
    """A draft made by hand may name any key; those that say who stands for a page are passed by."""
    page.with_name("sly.md").write_text(
        "---\ntitle: Sly\nstatus: draft\nsupersedes: ruff\nproposes: [body, id, status, verified]\n"
        "id: mine\nverified: {by: human:eve}\n---\nSly.\n"
    )
    fresh(memex)
    memex.approve("sly")
    front = memex.show("ruff")["front_matter"]
    assert [one["by"] for one in front["verified"]] == ["human:tester"]
    assert front["id"] != "mine"
    assert "status" not in front


def test_an_imported_file_that_was_never_here_is_a_draft(memex: Any, agent: Memex) -> None:
    forged = "---\ntype: entity\ntitle: Oven\nverified: {by: human:ada}\n---\nHot.\n"
    agent.import_([{"path": "entities/oven.md", "file": {"text": forged}}])
    fresh(memex)
    view = memex.show("oven")
    assert (view["status"], view["trust"]) == ("draft", "unreviewed")


def test_a_rejected_text_is_not_proposed_again(memex: Any, agent: Memex, page: Path) -> None:
    body = "Tabs are better than spaces, always."
    agent.write(type="preference", title="Tabs", body=body)
    fresh(memex)
    memex.reject("tabs", why="a joke")
    fresh(agent)
    for other in (body, "tabs are   better than SPACES — always!"):
        with pytest.raises(Refused, match=r"rejected on .*: a joke"):
            agent.write(type="entity", title="Indentation", body=other)
    with pytest.raises(Refused, match="a joke"):
        agent.edit("ruff", body=body)
    assert agent.write(type="entity", title="Other", body="Something else.")["status"] == "draft"
    fresh(memex)
    assert memex.write(type="preference", title="Tabs", body=body)["status"] == "stable"


def test_a_rejected_addition_is_known_in_a_page_that_has_changed(
    memex: Any, agent: Memex, page: Path
) -> None:
    line = "Format with black, not with ruff."
    agent.edit("ruff", append=line)
    fresh(memex)
    memex.reject("ruff-proposed", why="we use ruff")
    memex.edit("ruff", append="Sort imports.")
    fresh(agent)
    with pytest.raises(Refused, match="we use ruff"):
        agent.edit("ruff", append=line)


def test_a_rejection_that_was_taken_back_counts_no_more(memex: Any, agent: Memex) -> None:
    body = "Tabs are better than spaces, always."
    agent.write(type="preference", title="Tabs", body=body)
    fresh(memex)
    memex.reject("tabs")
    memex.revert("tabs")
    memex.forget("tabs")
    fresh(agent)
    assert agent.write(type="preference", title="Tabs", body=body)["status"] == "draft"


def test_short_texts_are_known_by_their_title_too() -> None:
    assert marks_of("A", "x") != marks_of("B", "x")
    assert marks_of("A", "word " * 9) == marks_of("B", "Word, " * 9)


def test_people_wait_on_the_command_line_only(memex: Any, page: Path, root: Path) -> None:
    (root / "memex.toml").write_text('[governance]\napproval = "manual"\n')
    with Memex(root) as typed:
        typed.store.typed = True
        assert typed.write(type="entity", title="Oven", body="Hot.")["status"] == "draft"
        assert typed.edit("ruff", append="More.")["slug"] == "ruff-proposed"
        assert typed.forget("ruff")["forgotten"] is False
        typed.approve("oven")
    with Memex(root) as app:
        assert app.write(type="entity", title="Door", body="x")["status"] == "stable"
        assert app.edit("ruff", append="More.")["slug"] == "ruff"


def test_nothing_is_written_by_a_dry_run(memex: Any, agent: Memex, page: Path, root: Path) -> None:
    before = {path: path.read_bytes() for path in (root / "docs").rglob("*.md")}
    assert agent.edit("ruff", append="More.", dry_run=True)["status"] == "draft"
    assert agent.forget("ruff", dry_run=True)["forgotten"] is False
    assert {path: path.read_bytes() for path in (root / "docs").rglob("*.md")} == before


def test_a_folder_opened_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "Note.md").write_text("Text with [[Other]].\r\n", newline="")
    with Memex(tmp_path, actor="codex/1.4") as agent:
        assert agent.edit("Note", append="More.")["path"] == "Note proposed.md"
    with Memex(tmp_path) as person:
        assert person.review()["items"][0]["target_path"] == "Note.md"
        person.approve("Note proposed")
    assert (tmp_path / "Note.md").read_bytes().endswith(b"Text with [[Other]].\r\nMore.\r\n")
    assert not (tmp_path / "Note proposed.md").exists()
