"""Upkeep of all pages as processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Runner


def test_a_bundle_is_checked_and_given_navigation(memex: Runner, store: Path) -> None:
    checked = memex("okf", "check")
    assert (checked.code, checked.json["ok"], checked.json["errors"]) == (0, True, 0)
    done = memex("okf", "index")
    assert done.code == 0
    assert {row["what"] for row in done.json["written"]} == {"written"}
    again = memex("okf", "index", "--text")
    assert (again.code, again.text.endswith(" as it should be\n")) == (0, True)
    (store / "docs" / "log.md").write_text("# mine\n")
    left = memex("okf", "index", "--text")
    assert left.code == 1 and "left alone: memex did not make this file" in left.text
    (store / "docs" / "plain.md").write_text("no front matter\n")
    failed = memex("okf", "check", "--text")
    assert failed.code == 1 and "plain.md:1  there is no front matter" in failed.text
    assert memex("okf", "check", str(store / "nowhere")).code == 1


def test_decay_on_a_new_store(memex: Runner, store: Path) -> None:
    done = memex("decay", "--dry-run")
    assert (done.code, done.json["changed"], done.json["half_life_days"]) == (0, [], 30)
    assert memex("decay", "--dry-run", "--text").text == "0 of 3 pages would change\n"


def test_a_vault_is_taken_in_once(memex: Runner, store: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "Tea.md").write_text("[[Pot]]\n")
    (vault / "pot.png").write_bytes(b"png")
    done = memex("import", "--from", "obsidian", str(vault), "--text")
    assert (done.code, "imported 1 page" in done.text, "such as pot.png" in done.text) == (0, True, True)
    assert memex("import", "--from", "obsidian", str(vault)).json["unchanged"] == 1
    (vault / "Tea.md").write_text("another\n")
    refused = memex("import", "--from", "obsidian", str(vault))
    assert (refused.code, refused.json["skipped"][0]["reason"]) == (1, "another text is at Tea.md")
    numbered = memex("import", "--from", "obsidian", str(vault), "--collisions", "number")
    assert (numbered.code, numbered.json["renamed"]) == (0, {"Tea.md": "Tea-2.md"})
    assert memex("import", "--from", "notion", str(vault)).code == 2


@pytest.mark.parametrize("dry_run", [(), ("--dry-run",)])
def test_collisions_are_numbered_only_where_that_is_done(
    memex: Runner, tmp_path: Path, dry_run: tuple[str, ...]
) -> None:
    (tmp_path / "pages.json").write_bytes(memex("export").out)
    done = memex("import", "-i", str(tmp_path / "pages.json"), "--collisions", "number", *dry_run)
    assert (done.code, done.out) == (2, b"")
    assert "--collisions number goes with --from TOOL DIR" in done.err
