"""Receipts in the journal: made ready, printed, or nothing; never a word of a prompt or a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.files import receipts
from memex_core.files.journal import Journal
from memex_core.files.layout import Layout, create_store
from memex_core.files.lock import StoreLock
from memex_core.model.errors import Locked


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def test_a_receipt_is_prepared_and_then_emitted(layout: Layout) -> None:
    number = receipts.prepare(
        layout, {"session": "s1", "prompt": "h1", "pages": [{"slug": "a", "digest": "d"}]}
    )
    (row,) = receipts.read(layout)
    assert (row["seq"], row["state"], row["session"]) == (number, "prepared", "s1")
    receipts.emitted(layout, number, "s1")
    (row,) = receipts.read(layout)
    assert (row["seq"], row["state"], row["pages"]) == (number, "emitted", [{"slug": "a", "digest": "d"}])
    events = list(Journal(layout).read())
    assert [(one["action"], one["file"], one["item"]) for one in events] == [("recall", "", "")] * 2
    assert events[1]["detail"] == {"session": "s1", "receipt": number, "state": "emitted"}


def test_receipts_of_a_session_and_of_a_prompt(layout: Layout) -> None:
    for session, prompt in (("s1", "row"), ("s2", "row"), ("s1", "sail")):
        receipts.nothing(layout, {"session": session, "prompt": receipts.prompt_hash(prompt)})
    Journal(layout).append([{"action": "recall"}, {"action": "add", "file": "recall.md"}])
    assert [row["session"] for row in receipts.read(layout)] == ["s1", "s2", "s1"]
    assert len(list(receipts.read(layout, session="s1"))) == 2
    (row,) = receipts.read(layout, session="s1", prompt=receipts.prompt_hash(" row\n"))
    assert row["state"] == "nothing"


def test_the_hash_is_sha_256_and_evens_white_space() -> None:
    hash = receipts.prompt_hash("why does\n it  leak")
    assert hash == receipts.prompt_hash("why does it leak")
    assert hash == "e6b8a25589467eeb01c4244cc840850bb9a715b296def9a1e316acf32276182b"
    assert receipts.prompt_hash("\ud800")  # half a character hashes too


def test_a_hook_does_not_wait_long_for_another_writer(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    import subprocess
    import sys

    monkeypatch.setattr(receipts, "PATIENCE", 0.05)
    layout.ensure_state()
    code = (
        "import sys; from memex_core.files.lock import StoreLock\n"
        "with StoreLock(sys.argv[1]):\n print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, layout.lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        with pytest.raises(Locked):
            receipts.prepare(layout, {"session": "s"})
        assert other.stdin is not None
        other.stdin.close()
        other.wait()
    with StoreLock(layout.lock):
        assert receipts.prepare(layout, {"session": "s"}) == 1


@pytest.mark.parametrize(
    ("strange", "sound"),
    [
        ({}, {}),
        ({"session": 5, "outcome": ["x"], "epoch": True, "work": "yes"}, {}),
        ({"pages": 5, "withheld": {"a": 1}, "gate": "skip"}, {}),
        ({"pages": ["a", {"slug": "b"}, {"slug": 7}]}, {"pages": [("b", ""), ("7", "")]}),
        ({"updated": ["a", 5, ["b"]], "withdrawn": []}, {"updated": ["a"], "withdrawn": []}),
        ({"elsewhere": ["a"], "newer": {"key": 1}}, {"elsewhere": ["a"], "newer": {"key": 1}}),
    ],
)
def test_lines_that_others_wrote_are_read_as_ours(
    layout: Layout, strange: dict[str, object], sound: dict[str, object]
) -> None:
    Journal(layout).append([{"action": "recall", "detail": {**strange, "state": "prepared"}}])
    (row,) = receipts.read(layout)
    if "pages" in sound:
        row["pages"] = [(one["slug"], one["digest"]) for one in row["pages"]]
    always = dict.fromkeys(("session", "agent", "event", "project", "outcome"), "")
    assert row == {"seq": row["seq"], "ts": row["ts"], "state": "prepared", **always, **sound}


def test_the_gate_of_a_strange_line_has_its_four_parts(layout: Layout) -> None:
    lines: list[dict[str, object]] = [
        {"gate": {"rules": 5, "reason": None, "triggers": ["memory", 1]}},
        {"state": ["x"]},
    ]
    for line in lines:
        Journal(layout).append([{"action": "recall", "detail": {"state": "nothing", **line}}])
    Journal(layout).append([{"action": "recall", "detail": {"state": "emitted", "receipt": [1]}}])
    (row,) = receipts.read(layout)
    assert row["gate"] == {"action": "", "reason": "", "triggers": ["memory"], "rules": []}
