"""What pages hold of a conversation that is to leave no trace: which go, and what the others lose."""

from __future__ import annotations

import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex

SECRET = "I prefer zlotys for the salary sheet."
TALK = [{"role": "user", "content": SECRET}, {"role": "agent", "content": "Noted."}]
OTHER = [{"role": "user", "content": "Salaries are paid in zlotys, as ever."}]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "store"


def by(root: Path, actor: str) -> Any:
    return Memex(root, actor=actor, create=True)


def said(root: Path) -> None:
    with by(root, "human:ada") as ada:
        ada.ingest_transcript("talk", turns=TALK)
        ada.ingest_transcript("other", turns=OTHER)


def marked(root: Path) -> dict[str, Any]:
    with by(root, "human:ada") as ada:
        return dict(ada.purge(session="talk"))


def everywhere(root: Path, word: str) -> list[str]:
    """Files that hold the word, packed texts too."""
    found = [path for path in root.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]
    texts = sqlite3.connect(root / "texts.db") if (root / "texts.db").exists() else None
    rows = texts.execute("SELECT path, data FROM text").fetchall() if texts else []
    packed = [f"texts.db: {path}" for path, data in rows if word.encode() in zlib.decompress(data)]
    return sorted([str(path.relative_to(root)) for path in found] + packed)


def test_a_page_that_a_rule_drew_goes_though_a_person_approved_it(root: Path) -> None:
    said(root)
    with by(root, "human:ada") as ada:
        (made,) = ada.extract(session="talk")["created"]
        ada.approve([made["slug"]])
        assert ada.recall("zlotys")["hits"]
        ada.edit(made["slug"], tags=["money"])
    done = marked(root)
    assert (done["pages"], done["citing"]) == (["preferences/i-prefer-zlotys-for-the-salary-sheet.md"], [])
    assert everywhere(root, "I prefer zlotys") == []
    with by(root, "human:ada") as ada:
        assert [one["slug"] for one in ada.list()["pages"]] == ["other"]


def test_a_page_that_something_else_proves_too_loses_only_these_sources_and_their_marks(root: Path) -> None:
    said(root)
    with by(root, "tester/1.0") as model:
        model.write(
            type="note",
            title="Pay",
            body="Pay is in PLN.[^s1][^s2]",
            sources=["talk#1", "other#1"],
            quotes=["I prefer zlotys", "paid in zlotys"],
        )
    path = root / "docs" / "note" / "pay.md"
    before = path.read_text(encoding="utf-8")
    done = marked(root)
    assert (done["pages"], done["citing"]) == ([], ["note/pay.md"])
    after = path.read_text(encoding="utf-8")
    gone = [line for line in before.split("\n") if line not in after.split("\n")]
    assert [line.strip() for line in gone] == [
        "- id: s1",
        "resource: memex:talk#1",
        "title: talk, turn 1",
        "quote: I prefer zlotys",
        "Pay is in PLN.[^s1][^s2]",
    ]
    assert after.endswith("\nPay is in PLN.[^s2]\n")
    assert len(before.split("\n")) - len(after.split("\n")) == 5
    assert everywhere(root, "I prefer zlotys") == []


def test_what_a_person_wrote_stays_and_so_do_bytes_that_nobody_asked_to_change(root: Path) -> None:
    said(root)
    with by(root, "human:ada") as ada:
        ada.write(type="note", title="Own", body="Mine.", sources=["talk#1"], quotes=["I prefer zlotys"])
        path = root / "docs" / "note" / "own.md"
        text = path.read_text(encoding="utf-8").replace("title: Own", "title:   'Own' # keep")
        path.write_text(text, encoding="utf-8")
    done = marked(root)
    assert (done["pages"], done["citing"]) == ([], ["note/own.md"])
    kept = text[: text.index("sources:")], text[text.index("generated:") :]
    assert path.read_text(encoding="utf-8") == "".join(kept)
    assert everywhere(root, "I prefer zlotys") == []
    with by(root, "human:ada") as ada:
        assert ada.show("own")["sources"] == []
        assert ada.trace("own")["confidence"] == "none"


def test_marks_go_with_their_source_byte_for_byte_and_verify_knows_those_of_nothing(root: Path) -> None:
    said(root)
    path = root / "docs" / "note" / "own.md"
    with by(root, "human:ada") as ada:
        ada.write(type="note", title="Own", body="x", sources=["talk#1"])
        head = path.read_bytes().removesuffix(b"x\n")
        body = b"In PLN [^s1], \xff since 1995.[^n]\r\nNo `[^s1]` mark [^s1]\n\n[^n]: A year.\n"
        path.write_bytes(head + body)
        held = next(one for one in ada.verify()["checks"] if one["name"] == "sources-hold")
        assert held["ok"], held
    assert marked(root)["citing"] == ["note/own.md"]
    kept = b"In PLN, \xff since 1995.[^n]\r\nNo `[^s1]` mark\n\n[^n]: A year.\n"
    assert path.read_bytes().partition(b"\n---\n")[2] == kept
    with by(root, "human:ada") as ada:
        assert next(one for one in ada.verify()["checks"] if one["name"] == "sources-hold")["ok"]
        ada.edit("own", append="By hand.[^s7] A class [^a-z] of letters.")
        held = next(one for one in ada.verify()["checks"] if one["name"] == "sources-hold")
        line = (
            path.read_bytes()
            .decode(errors="replace")
            .split("\n")
            .index("By hand.[^s7] A class [^a-z] of letters.")
        )
        assert held["files"] == [
            {
                "file": "note/own.md",
                "line": line + 1,
                "column": 0,
                "message": "[^s7] leads to no source: name one, or take the mark out",
            }
        ]


def test_a_reviewed_page_in_other_words_stays(root: Path) -> None:
    said(root)
    with by(root, "tester/1.0") as model:
        model.write(type="note", title="Pay", body="In PLN.", sources=["talk#1"], quotes=["I prefer zlotys"])
    with by(root, "human:ada") as ada:
        ada.approve(["pay"])
    assert marked(root)["citing"] == ["note/pay.md"]
    assert everywhere(root, "I prefer zlotys") == []


def test_versions_without_the_words_can_still_be_gone_back_to(root: Path) -> None:
    said(root)
    with by(root, "human:ada") as ada:
        ada.write(type="note", title="Own", body="First.")
        ada.edit("own", body="Second.")
        ada.edit("own", sources=["talk#1"], quotes=["I prefer zlotys"])
        ada.edit("own", body="Third.")
    marked(root)
    events = [json.loads(line) for line in (root / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    texts = [one["before"] for one in events if one["file"] == "note/own.md"]
    assert [None if one is None else next(iter(one)) for one in texts] == [
        None,
        "text",
        "text",
        "purged",
        "purged",
    ]


def test_pages_that_outlived_their_conversation_are_reached(root: Path) -> None:
    said(root)
    with by(root, "tester/1.0") as model:
        model.write(type="note", title="Pay", body="PLN.", sources=["talk#1"], quotes=["I prefer zlotys"])
    with by(root, "human:ada") as ada:
        ada.clear_transcripts()
        ada.forget("talk")
    assert marked(root)["pages"] == ["note/pay.md"]
    assert everywhere(root, "I prefer zlotys") == []


def test_the_other_devices_lose_it_too(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    share = tmp_path / "share"
    share.mkdir()
    said(one)
    with by(one, "human:ada") as ada:
        (made,) = ada.extract(session="talk")["created"]
        ada.approve([made["slug"]])
        ada.write(type="note", title="Own", body="Mine.", sources=["talk#1"], quotes=["I prefer zlotys"])
        ada.sync_enable(share, name="one")
        ada.sync_export()
    with by(two, "human:ada") as ada:
        ada.sync_enable(share, name="two")
        ada.sync_import()
        ada.sync_export()
        assert ada.recall("prefer zlotys")["hits"]
    marked(one)
    with by(one, "human:ada") as ada:
        ada.sync_import()
        ada.sync_export()
    with by(two, "human:ada") as ada:
        assert ada.sync_import()["devices"][0]["excluded"] == ["talk"]
        ada.sync_export()
    with by(one, "human:ada") as ada:
        ada.sync_import()
        assert sorted(page["slug"] for page in ada.list()["pages"]) == ["other", "own"]
        assert ada.show("own")["sources"] == []
    with by(two, "human:ada") as ada:
        assert sorted(page["slug"] for page in ada.list()["pages"]) == ["other", "own"]
        assert ada.show("own")["sources"] == []
    for root in (one, two):
        assert everywhere(root, "I prefer zlotys") == []
        assert everywhere(root, "i-prefer-zlotys") == []
