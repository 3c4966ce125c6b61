"""The user's rules of extraction where machines write; a person's own hand is never held back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.learn.extract_rules import checking
from memex_core.model.errors import BadInput, Conflict, NotFound, Refused

TURNS = [
    {
        "role": "user",
        "content": "We always use ruff. The customer is ACME-1234.",
        "ts": "2026-11-30T10:00:00Z",
    },
    {"role": "agent", "content": "Noted: ruff it is.", "ts": "2026-11-30T10:01:00Z"},
    {"role": "user", "content": "From now on we deploy on Mondays.", "ts": "2026-11-30T10:02:00Z"},
]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, rules have their time to answer."""
    monkeypatch.setattr(checking, "PATIENCE", 600.0)


@pytest.fixture
def agent(memex: Memex, root: Path) -> Any:
    memex.rules_add("never", r"ACME-\d{4}", note="customer numbers")
    with Memex(root, actor="codex/0.60") as opened:
        yield opened


def files(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*.md")}


def test_an_agent_is_refused_in_every_field_and_a_person_is_not(memex: Memex, agent: Any, root: Path) -> None:
    before = files(root)
    fields: list[dict[str, Any]] = [
        {"title": "ACME-1234", "body": "x"},
        {"title": "T", "body": "it is acme-1234"},
        {"title": "T", "body": "x", "tags": ["acme-1234"]},
        {"title": "T", "body": "x", "description": "for ACME-1234"},
        {"title": "T", "body": "x", "aliases": ["ACME-1234"]},
        {"title": "T", "body": "x", "links": [{"target": "acme-1234", "rel": "relates-to"}]},
        {"title": "T", "body": "x", "slug": "acme-1234"},
    ]
    for given in fields:
        with pytest.raises(
            Refused, match=r"nothing was stored: rule never.* keeps this out \(customer numbers"
        ):
            agent.write(type="entity", **given)
    assert files(root) == before
    assert agent.write(type="entity", title="T", body="harmless")["status"] == "draft"
    for number, given in enumerate(fields):
        memex.write(type="entity", new=True, **{**given, "title": f"{given['title']} {number}"})


def test_a_machine_that_a_person_starts_is_a_machine(memex: Memex, root: Path) -> None:
    from memex_core.files.commit import Edit
    from memex_core.files.compose import new_page

    memex.rules_add("never", "ACME")
    data = new_page({"type": "entity", "title": "T", "generated": {"by": "process:extract"}}, "ACME\n")
    with pytest.raises(Refused, match="keeps this out"):
        memex.store.commit([Edit("entities/t.md", None, data)], action="add", item="t")
    assert not (root / "docs" / "entities" / "t.md").exists()
    memex.import_({"nodes": [{"path": "entities/t.md", "file": {"text": data.decode()}}]})  # a person's own
    memex.edit("t", append="more about ACME")
    assert "more about ACME" in memex.show("t")["body"]


def test_an_agents_import_edit_and_diary_entry_are_refused_too(memex: Memex, agent: Any, root: Path) -> None:
    node = {"path": "entities/t.md", "file": {"text": "---\ntype: entity\n---\nACME-1234\n"}}
    with pytest.raises(Refused, match="keeps this out"):
        agent.import_({"nodes": [node]})
    with pytest.raises(Refused, match="keeps this out"):
        agent.diary_append("met ACME-1234")
    done = agent.write(type="entity", title="Own", body="fine")
    with pytest.raises(Refused, match="keeps this out"):
        agent.edit(done["slug"], append="ACME-1234")
    assert agent.diary_append("met somebody")["text"] == "met somebody"
    memex.diary_append("met ACME-1234")


def test_a_dry_run_is_refused_what_the_real_one_would_be(memex: Memex, agent: Any, root: Path) -> None:
    memex.write(type="entity", title="Shop", body="It sells.")
    before = files(root)
    seq = memex.store.journal.last_seq()
    for act in (
        lambda: agent.write(type="entity", title="T", body="for ACME-1234", dry_run=True),
        lambda: agent.edit("shop", body="It sells to ACME-1234.", dry_run=True),
    ):
        with pytest.raises(Refused, match="nothing was stored: rule never"):
            act()
    assert agent.write(type="entity", title="T", body="for all", dry_run=True)["slug"] == "t"
    assert (files(root), memex.store.journal.last_seq()) == (before, seq)


def test_a_page_that_a_person_wrote_may_be_added_to(memex: Memex, agent: Any) -> None:
    memex.write(type="entity", title="Customers", body="ACME-1234 is one.\n")
    agent.look_again()
    assert "proposed" in agent.edit("customers", append="They pay late.")["warnings"][0]
    with pytest.raises(Refused, match="keeps this out"):
        agent.edit("customers", append="ACME-9999 as well.")


def test_words_that_prove_a_page_are_looked_at(memex: Memex, agent: Any) -> None:
    memex.ingest_transcript("s-1", turns=TURNS)
    agent.look_again()
    with pytest.raises(Refused, match="keeps this out"):
        agent.write(type="preference", title="Ruff", body="Use ruff.", sources=["s-1#1"])
    quote = {"sources": ["s-1#1"], "quotes": ["We always use ruff."]}
    assert agent.write(type="preference", title="Ruff", body="Use ruff.", **quote)["slug"] == "ruff"


def test_an_episode_leaves_out_the_turns_that_a_rule_keeps_out(memex: Memex) -> None:
    memex.rules_add("never", r"ACME-\d{4}")
    told = memex.ingest_transcript("s-1", turns=TURNS)
    body = memex.show(told["episode_node"])["body"]
    assert "ACME" not in body and "ruff it is" in body and "deploy on Mondays" in body
    assert (told["turn_count"], told["user_turns"]) == (3, 2)
    assert "ACME-1234" in memex.session("s-1")["turns"][0]["content"]  # what was said stays as it was said


def test_rules_that_do_not_load_hold_machines_and_nobody_else(memex: Memex, agent: Any, root: Path) -> None:
    (root / "rules" / "extract.toml").write_text("[[never]]\npatern = 'x'\n")
    with pytest.raises(Refused, match=r"nothing was stored: the rules of extraction do not load: .*line 1"):
        agent.write(type="entity", title="T", body="harmless")
    memex.write(type="entity", title="T", body="harmless")
    body = memex.show(memex.ingest_transcript("s-1", turns=TURNS)["episode_node"])["body"]
    assert "3 turns" in body and "ruff" not in body
    tested = memex.rules_test()
    assert tested["held"] and tested["pages"] == []


def test_a_matcher_that_does_not_run_holds_machines(agent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(Refused, match="cannot be tried"):
        agent.write(type="entity", title="T", body="harmless")


def test_a_rule_for_one_project_holds_there(memex: Memex, root: Path) -> None:
    memex.rules_add("never", "codename", project="shop")
    with Memex(root, actor="codex/0.60") as agent:
        agent.write(type="entity", title="Everywhere", body="the codename")
        with pytest.raises(Refused, match="keeps this out"):
            agent.write(type="entity", title="There", body="the codename", scope="project", project="shop")


def test_rules_are_tried_on_what_is_stored(memex: Memex) -> None:
    memex.write(type="entity", title="Customers", body="ACME-1234 is one.\n")
    memex.write(type="entity", title="Other", body="none\n")
    memex.ingest_transcript("s-1", turns=TURNS)
    before = memex.export()["nodes"]
    ban = memex.rules_add("never", r"ACME-\d{4}")["id"]
    memex.rules_add("avoid", "salaries")
    told = memex.rules_test()
    assert ("customers", [ban]) in [(row["slug"], row["rules"]) for row in told["pages"]]
    assert told["turns"] == [{"session_id": "s-1", "turn": 1, "rules": [ban]}]
    assert (told["pages_checked"], told["turns_checked"], told["bans"], told["unmeasured"]) == (3, 3, 1, 1)
    assert memex.rules_test(limit=1)["turns_checked"] == 1
    assert memex.rules_test(project="shop")["pages_checked"] == 0
    assert memex.export()["nodes"] == before


def test_rules_come_and_go_with_a_way_back(memex: Memex, root: Path) -> None:
    first = memex.rules_add("never", "one")
    assert (first["was"], first["kept"]) == ("", 1)
    with pytest.raises(Conflict, match="have changed"):
        memex.rules_add("avoid", "salaries", expect="")
    memex.rules_add("language", "ko", project="shop", expect=first["revision"])
    with pytest.raises(Refused, match="there already"):
        memex.rules_add("never", "one")
    with pytest.raises(Refused, match="second language"):
        memex.rules_add("language", "en", project="shop")
    with pytest.raises(Refused, match="takes more than"):
        memex.rules_add("never", "(a+)+$")
    for kind, said in (("never", "("), ("never", ""), ("avoid", "x"), ("language", "Korean"), ("no", "x")):
        with pytest.raises(BadInput):
            memex.rules_add(kind, said)
    text = (root / "rules" / "extract.toml").read_text()
    assert memex.rules_remove(first["id"], dry_run=True)["changed"] is True
    assert (root / "rules" / "extract.toml").read_text() == text
    memex.rules_remove(first["id"])
    assert [row["kind"] for row in memex.rules_show()["rules"]] == ["language"]
    with pytest.raises(NotFound):
        memex.rules_remove(first["id"])
    memex.rules_reset()
    assert memex.rules_show()["rules"] == []
    memex.rules_rollback()
    memex.rules_rollback(to=3)
    assert (root / "rules" / "extract.toml").read_text() == text
    assert memex.rules_validate()["ok"] is True


def test_no_agent_loosens_the_rules(agent: Any, root: Path) -> None:
    before = (root / "rules" / "extract.toml").read_bytes()
    id = agent.rules_show()["rules"][0]["id"]
    acts: list[Any] = [
        lambda: agent.rules_remove(id),
        agent.rules_reset,
        agent.rules_rollback,
        lambda: agent.rules_quarantine("clear", all=True),
        lambda: agent.rules_add("avoid", "nothing"),
    ]
    for act in acts:
        with pytest.raises(Refused, match="an agent cannot change"):
            act()
    assert (root / "rules" / "extract.toml").read_bytes() == before


def test_a_file_is_judged_before_it_is_used(memex: Memex, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("[[never]]\npattern = '(a+)+$'\n\n[[avoid]]\ntopic = 'x'\n")
    told = memex.rules_validate(str(file))
    assert told["ok"] is False
    assert [problem.split(": ", 1)[1] for problem in told["problems"]] == [
        "the topic must be one line of 2 to 80 characters",
        "the pattern takes more than 300 ms on a text of 3,000 characters",
    ]
    with pytest.raises(NotFound):
        memex.rules_validate(str(tmp_path / "none"))


def test_a_rule_that_is_set_aside_says_so_wherever_it_holds_something(memex: Memex, root: Path) -> None:
    (root / "rules").mkdir(exist_ok=True)
    (root / "rules" / "extract.toml").write_text("[[never]]\npattern = '(a|a)+$'\n")
    turns = [{**TURNS[0], "content": "a" * 200 + "!"}]
    told = memex.ingest_transcript("s-1", turns=turns)
    ban = memex.rules_show()["rules"][0]
    assert ban["state"] == "set aside"
    assert told["warnings"] == [
        f"the episode page lacks words that were said: rule {ban['id']} took too long and is set aside, so "
        "nothing passes it"
    ]
    checked = memex.rules_validate()
    aside = f"{ban['id']}: set aside for taking too long: change it, or `memex rules quarantine clear`"
    assert (checked["ok"], aside in checked["problems"]) == (False, True)
    with (
        Memex(root, actor="codex/0.60") as agent,
        pytest.raises(Refused, match="is set aside for taking too long") as refused,
    ):
        agent.write(type="entity", title="T", body="harmless")
    assert refused.value.hint == "`memex rules validate` checks the rules; a person may write it by hand"
    memex.rules_quarantine("clear", all=True)
    assert aside not in memex.rules_validate()["problems"]


@pytest.mark.parametrize("disguised", ["ＡＣＭＥ-1234", "AC\u200bME-9999", "ACME\u20111234"])
def test_no_disguise_carries_a_machine_s_text_past_a_rule(memex: Memex, agent: Any, disguised: str) -> None:
    memex.ingest_transcript("s-1", turns=[{**TURNS[0], "content": f"I prefer {disguised} as a customer."}])
    memex.write(type="entity", title="Mine", body=f"{disguised} is one.")
    told = memex.rules_test()
    assert [(row["session_id"], row["turn"]) for row in told["turns"]] == [("s-1", 1)]
    assert [row["slug"] for row in told["pages"]] == ["mine"]
    assert [row["reason"].split(":")[0] for row in memex.extract()["rejected"]] == ["nothing was stored"]
    with pytest.raises(Refused, match="keeps this out"):
        agent.write(type="entity", title="T", body=f"for {disguised}")
