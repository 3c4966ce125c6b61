"""Own rules that take too long are set aside, for real, until they change or are released."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memex_core.files.layout import Layout, create_store
from memex_core.files.lock import StoreLock
from memex_core.recall.gate import decide, load, quarantine
from memex_core.recall.gate.matcher import Matcher
from memex_core.recall.gate.overlay import pattern_of
from memex_core.recall.gate.rules import file_of

PROMPT = f"see the runbook {'a' * 200}!"
SLOW = pattern_of("memory", "(a+)+$")
SOUND = pattern_of("memory", "runbook")


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    layout = create_store(str(tmp_path / "store"))
    put(layout, "(a+)+$")
    return layout


def put(layout: Layout, slow: str) -> None:
    Path(layout.rules).mkdir(exist_ok=True)
    Path(file_of(layout)).write_text(
        f"[[pattern]]\nintent = 'memory'\nsource = 'runbook'\n[[pattern]]\nintent = 'memory'\nsource = '{slow}'\n"
    )


def judge(layout: Layout) -> tuple[str, str, tuple[str, ...]]:
    with Matcher(patience=300) as matcher:
        decision = decide(PROMPT, load(layout), matcher=matcher)
    assert decision.unavailable == ""
    return decision.action, decision.overran, decision.quarantined


def test_it_is_set_aside_once_and_the_others_go_on(layout: Layout) -> None:
    assert judge(layout) == ("retrieve", SLOW.id, (SLOW.id,))
    (row,) = quarantine.read(layout)
    assert (row["id"], row["hash"], row["size"], row["overlay"]) == (SLOW.id, SLOW.hash, len(PROMPT), "gate")
    assert row["elapsed_ms"] == 50
    assert row["at"].endswith("Z")
    assert judge(layout) == ("retrieve", "", (SLOW.id,))
    assert load(layout).quarantined == [SLOW.id]
    assert [pattern.id for pattern in load(layout).patterns] == [SOUND.id]


def test_editing_the_rule_releases_it(layout: Layout) -> None:
    judge(layout)
    put(layout, "a+b$")
    assert load(layout).quarantined == []
    assert judge(layout)[1:] == ("", ())
    put(layout, "(a+)+$")
    assert load(layout).quarantined == [SLOW.id]


def test_releasing(layout: Layout) -> None:
    judge(layout)
    assert quarantine.clear(layout, "user.other") == []
    assert quarantine.clear(layout, SLOW.id, dry_run=True) == [SLOW.id]
    assert load(layout).quarantined == [SLOW.id]
    assert quarantine.clear(layout, SLOW.id) == [SLOW.id]
    assert quarantine.read(layout) == []
    assert judge(layout)[1] == SLOW.id
    assert quarantine.clear(layout, None) == [SLOW.id]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"patterns": 3}', '{"patterns": [1, {"id": 2}]}', "[" * 9999]
)
def test_a_damaged_file_sets_nothing_aside(layout: Layout, text: str) -> None:
    Path(quarantine.file_of(layout)).write_text(text)
    assert quarantine.read(layout) == []
    assert judge(layout)[1] == SLOW.id
    assert json.loads(Path(quarantine.file_of(layout)).read_text())["patterns"][0]["id"] == SLOW.id


def test_a_link_in_its_place_is_not_written_through(layout: Layout, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    Path(quarantine.file_of(layout)).symlink_to(victim)
    assert judge(layout) == ("retrieve", SLOW.id, (SLOW.id,))
    assert victim.read_text() == "mine"


def test_two_hundred_rows_are_kept(layout: Layout) -> None:
    for number in range(205):
        assert quarantine.put(layout, f"user.{number}", f"{number:012}", 50.0, 9)
    rows = quarantine.read(layout)
    assert (len(rows), rows[0]["id"], rows[-1]["id"]) == (200, "user.5", "user.204")
    assert quarantine.put(layout, "user.9", f"{9:012}", 50.0, 9)
    assert [row["id"] for row in quarantine.read(layout)].count("user.9") == 1


def test_a_store_that_is_being_written_does_not_keep_a_prompt_waiting(layout: Layout) -> None:
    """The decision comes without the note; the next prompt makes it."""
    import subprocess
    import sys

    code = (
        "import sys\n"
        "from memex_core.files.lock import StoreLock\n"
        "with StoreLock(sys.argv[1]):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, layout.lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None and holder.stdout.readline().strip() == b"held"
    assert judge(layout) == ("retrieve", SLOW.id, (SLOW.id,))
    assert quarantine.read(layout) == []
    holder.communicate()
    with StoreLock(layout.lock):
        pass
    assert judge(layout)[1] == SLOW.id
    assert len(quarantine.read(layout)) == 1
