"""Names of erased pages leave the journal, and what happened can still be followed."""

from __future__ import annotations

from pathlib import Path

from memex_core.files.journal import Journal
from memex_core.files.layout import create_store
from memex_core.files.unnaming import unname


def test_a_name_leaves_every_event_that_tells_it(tmp_path: Path) -> None:
    layout = create_store(str(tmp_path / "store"))
    journal = Journal(layout)
    told = {"action": "add", "actor": "human:ada", "before": None}
    journal.append(
        [
            {**told, "file": "a/my-secret.md", "item": "my-secret", "detail": {"group": 1}},
            {**told, "file": "b/new.md", "item": "new", "detail": {"from": "a/my-secret.md"}},
            {**told, "file": "", "item": "", "detail": {"learned": {"created": ["my-secret", "other"]}}},
            {**told, "file": "a/my-secret-too.md", "item": "my-secret-too", "detail": {"n": 7}},
        ]
    )
    assert unname(journal, []) == 0
    assert unname(journal, ["a/my-secret.md"]) == 3
    first, second, third, last = journal.read()
    assert first["file"] == second["detail"]["from"] == f"purged/{first['item']}.md"
    assert third["detail"]["learned"]["created"] == [first["item"], "other"]
    assert (last["file"], last["detail"]) == ("a/my-secret-too.md", {"n": 7})
    assert [event["seq"] for event in journal.read()] == [1, 2, 3, 4]
    assert unname(journal, ["a/my-secret.md"]) == 0
