"""The commands on rules of extraction as processes."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Runner


def test_rules_from_the_command_line(memex: Runner, store: Path) -> None:
    added = memex("rules", "add", "never", r"ACME-\d{4}", "--note", "customer numbers")
    assert (added.code, added.json["changed"], added.json["kept"]) == (0, True, 1)
    assert memex("rules", "add", "language", "ko", "--project", "shop").code == 0
    assert (store / "rules" / "extract.toml").read_text() == (
        "# Own rules of extraction. `memex rules show` lists them.\n\n"
        '[[never]]\npattern = \'ACME-\\d{4}\'\nflags = "i"\nnote = "customer numbers"\n\n'
        '[[language]]\ncode = "ko"\nproject = "shop"\n'
    )
    late = memex("rules", "remove", added.json["id"], "--expect", added.json["revision"])
    assert late.code == 1 and "have changed" in late.err
    assert [row["kind"] for row in memex("rules", "show", "--jsonl").lines] == ["never", "language"]
    assert memex("rules", "validate").code == 0
    asked = memex("rules", "reset")
    assert asked.code == 1 and "--yes" in asked.err
    assert memex("rules", "reset", "--yes").json["changed"] is True
    assert memex("rules", "rollback").json["to"] == 3
    assert memex("rules", "quarantine").json["quarantine"] == []


def test_a_machine_is_told_in_one_line_and_a_person_writes(memex: Runner, store: Path) -> None:
    memex("rules", "add", "never", "codename")
    page = ("write", "--type", "entity", "--title", "Plan", "--body", "the codename is out")
    refused = memex(*page, env={"MEMEX_ACTOR": "codex/0.60"})
    assert refused.code == 1
    assert refused.err.startswith("memex: nothing was stored: rule never.")
    assert "codename is out" not in refused.err
    assert memex(*page).code == 0
    told = memex("rules", "test")
    assert (told.code, [row["slug"] for row in told.json["pages"]]) == (0, ["plan"])


def test_a_file_that_does_not_load_fails_checks(memex: Runner, store: Path) -> None:
    (store / "rules").mkdir()
    (store / "rules" / "extract.toml").write_text("[[never]]\npatern = 'x'\n")
    checked = memex("rules", "validate")
    assert (checked.code, checked.json["ok"]) == (1, False)
    assert checked.json["problems"][0].endswith("line 1: [[never]]: 'patern' is nothing that it has")
    assert memex("rules", "test").code == 1
    shown = memex("rules", "show")
    assert (shown.code, shown.json["applied"]) == (0, False)
    assert "nothing is extracted" in shown.json["warnings"][0]


def test_on_a_terminal(memex: Runner, store: Path) -> None:
    memex("rules", "add", "avoid", "salaries")
    memex("write", "--type", "entity", "--title", "Plan", "--body", "x")
    assert "A model is told:" in memex("rules", "show", "--text").text
    assert (
        "0 of 4 pages and 0 of 0 turns would be kept out by 0 patterns"
        in memex("rules", "test", "--text").text
    )
    assert "1 rule" in memex("rules", "validate", "--text").text
