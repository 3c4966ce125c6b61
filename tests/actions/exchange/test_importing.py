"""``import --from``: all or nothing, links still lead where they led, and twice changes nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, NotFound, Refused

VAULT = {
    "Food/Soup.md": b"---\ntags: [soup]\n# note\n---\nSee [[Stock|the stock]] and [x](../index.md), ![[pot.png]].\r\n",
    "Food/Stock.md": b"Stock [[Soup#A]] [[index]] [[Gone]]",
    "index.md": b"[[Food/Soup]]\n",
    "Food/pot.png": b"png",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    for path, data in VAULT.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    os.utime(folder / "Food" / "Soup.md", ns=(10**18, 10**18))
    return folder


def state(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.suffix in (".md", ".jsonl", ".json")
    }


def test_a_vault_comes_in_and_twice_changes_nothing(memex: Memex, root: Path, vault: Path) -> None:
    before = state(root)
    tried = memex.import_from("obsidian", vault, dry_run=True)
    assert (tried["imported"], state(root)) == (3, before)
    done = memex.import_from("obsidian", vault)
    assert (done["imported"], done["skipped"], done["damaged"]) == (3, [], [])
    assert (done["renamed"], done["attachments"]) == ({"index.md": "index-page.md"}, ["Food/pot.png"])
    docs = root / "docs"
    assert (docs / "Food" / "Soup.md").read_bytes() == VAULT["Food/Soup.md"].replace(b"index", b"index-page")
    assert (docs / "Food" / "Stock.md").read_bytes() == VAULT["Food/Stock.md"].replace(
        b"[[index]]", b"[[index-page]]"
    )
    assert (docs / "index-page.md").read_bytes() == VAULT["index.md"]
    assert memex.show("soup")["updated"] == "2001-09-09T01:46:40Z"
    links = {link["target"]: link["to"] for link in memex.show("stock")["links"]}
    assert links == {"Soup": "Food/Soup.md", "index-page": "index-page.md", "Gone": None}
    after = state(root)
    again = memex.import_from("obsidian", vault)
    assert (again["imported"], again["unchanged"], again["skipped"]) == (0, 3, [])
    assert state(root) == after
    assert sorted(memex.revert("soup", group=True)["removed"]) == [
        "Food/Soup.md",
        "Food/Stock.md",
        "index-page.md",
    ]


def test_what_was_edited_or_moved_since_is_known_again(memex: Memex, root: Path, vault: Path) -> None:
    memex.import_from("obsidian", vault)
    memex.edit("soup", append="more")
    memex.rename("stock", "Broth")
    after = state(root)
    again = memex.import_from("obsidian", vault)
    assert (again["imported"], again["unchanged"], again["skipped"]) == (0, 3, [])
    assert again["renamed"]["Food/Stock.md"] == "Food/broth.md"
    assert state(root) == after
    memex.forget("broth")
    assert memex.import_from("obsidian", vault)["imported"] == 1


def test_a_taken_place_is_left_alone_or_the_page_gets_a_number(memex: Memex, root: Path, vault: Path) -> None:
    (root / "docs" / "Food").mkdir()
    (root / "docs" / "Food" / "soup.md").write_text("mine\n")
    memex.look_again()
    refused = memex.import_from("obsidian", vault, dry_run=True)
    assert refused["skipped"] == [{"path": "Food/Soup.md", "reason": "another text is at Food/Soup.md"}]
    done = memex.import_from("obsidian", vault, collisions="number")
    assert done["renamed"] == {"Food/Soup.md": "Food/Soup-2.md", "index.md": "index-page.md"}
    assert (root / "docs" / "Food" / "soup.md").read_text() == "mine\n"
    to = {link["heading"]: link["to"] for link in memex.show("stock")["links"]}
    assert to["A"] == "Food/Soup-2.md"
    after = state(root)
    again = memex.import_from("obsidian", vault, collisions="number")
    assert (again["imported"], again["unchanged"]) == (0, 3)
    assert state(root) == after


def test_an_agents_import_waits_for_review(root: Path, memex: Memex, vault: Path) -> None:
    with Memex(root, actor="codex/0.60") as agent:
        assert agent.import_from("obsidian", vault)["imported"] == 3
        assert {page["status"] for page in agent.list()["pages"]} == {"draft"}
        assert agent.import_from("obsidian", vault)["unchanged"] == 3


def test_a_rule_of_extraction_holds_an_agents_import_and_not_a_persons(
    root: Path, memex: Memex, vault: Path
) -> None:
    memex.rules_add("never", "the stock")
    with Memex(root, actor="codex/0.60") as agent, pytest.raises(Refused, match="keeps this out"):
        agent.import_from("obsidian", vault)
    assert not (root / "docs" / "Food").exists()
    assert memex.import_from("obsidian", vault)["imported"] == 3


def test_what_is_no_store_is_refused(memex: Memex, root: Path, tmp_path: Path, vault: Path) -> None:
    (tmp_path / "empty").mkdir()
    for source in ("obsidian", "basic-memory", "server-memory"):
        for folder in (tmp_path / "gone", tmp_path / "empty"):
            with pytest.raises(NotFound):
                memex.import_from(source, folder)
    with pytest.raises(Refused, match="this memory itself"):
        memex.import_from("obsidian", root / "docs")
    with pytest.raises(BadInput):
        memex.import_from("notion", vault)
    with pytest.raises(BadInput, match="no folder is named"):
        memex.import_from("obsidian", "")
    with pytest.raises(BadInput):
        memex.import_from("obsidian", vault, collisions="overwrite")


def test_graphs_and_notes_come_in_once(memex: Memex, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text('{"type":"entity","name":"Ada","entityType":"Person","observations":["x"]}\nbroken\n')
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "tea.md").write_text("---\ntitle: Tea\npermalink: drinks/tea\n---\n- needs [[Ada]]\n")
    for imported, unchanged in ((1, 0), (0, 1)):
        done = memex.import_from("server-memory", file)
        assert (done["imported"], done["unchanged"], done["damaged"][0]["line"]) == (imported, unchanged, 2)
        done = memex.import_from("basic-memory", notes)
        assert (done["imported"], done["unchanged"], done["skipped"]) == (imported, unchanged, [])
    assert {(one["rel"], one["to"]) for one in memex.show("tea")["links"]} == {
        ("mentions", "entities/ada.md"),
        ("needs", "entities/ada.md"),
    }
    assert memex.show("drinks/tea")["slug"] == "tea"


def test_a_note_that_moved_in_its_own_store_is_the_same_page(memex: Memex, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / "deep").mkdir(parents=True)
    (notes / "tea.md").write_text("---\ntitle: Tea\npermalink: drinks/tea\n---\nx\n")
    memex.import_from("basic-memory", notes)
    (notes / "tea.md").rename(notes / "deep" / "tea.md")
    done = memex.import_from("basic-memory", notes)
    assert (done["imported"], done["unchanged"], done["renamed"]) == (0, 1, {"deep/tea.md": "tea.md"})
    (notes / "deep" / "tea.md").write_text("---\ntitle: Tea\npermalink: drinks/tea\n---\ny\n")
    done = memex.import_from("basic-memory", notes, collisions="number")
    assert done["skipped"] == [{"path": "deep/tea.md", "reason": "the page is at tea.md, with another text"}]


def test_names_that_differ_by_case_only_collide(memex: Memex, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Tea.md").write_text("one [[tea]]\n")
    (notes / "tea.md").write_text("two\n")
    if len(list(notes.iterdir())) == 1:
        pytest.skip("this disk ignores letter case")
    done = memex.import_from("obsidian", notes)
    assert (done["imported"], done["skipped"]) == (
        1,
        [{"path": "tea.md", "reason": "another text is at tea.md"}],
    )


def test_no_name_leads_out_of_the_pages(memex: Memex, root: Path, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    names = ("../../out", "/etc/passwd", "C:\\\\x", "a/../../b", "..%2fx", "con", "index", "~/x", "\\u0000")
    file.write_text("".join(f'{{"type":"entity","name":"{name}","observations":[]}}\n' for name in names))
    done = memex.import_from("server-memory", file)
    assert (done["imported"], done["skipped"], done["damaged"]) == (len(names), [], [])
    assert {page.parent for page in tmp_path.rglob("*.md")} == {root / "docs" / "entities"}
    assert memex.verify()["ok"] is True


KILLED = """
import os, signal, sys
from memex_core import Memex
from memex_core.files import commit
publish, left = commit._publish, [int(sys.argv[3])]
def dying(*given):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    publish(*given)
commit._publish = dying
Memex(sys.argv[1]).import_from("obsidian", sys.argv[2])
"""


@pytest.mark.parametrize("written", [0, 1, 2])
def test_a_killed_import_leaves_all_or_nothing(memex: Memex, root: Path, vault: Path, written: int) -> None:
    memex.close()
    words = [sys.executable, "-c", KILLED, str(root), str(vault), str(written)]
    assert subprocess.run(words, check=False).returncode == -signal.SIGKILL
    with Memex(root) as after:
        assert after.list()["total"] in (0, 3)
        done = after.import_from("obsidian", vault)
        assert done["imported"] + done["unchanged"] == 3
        assert after.list()["total"] == 3
