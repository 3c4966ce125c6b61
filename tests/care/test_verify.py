"""What verify says of links that lead nowhere, and that it parses only what the index does not know."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memex_core.care import verify

ODD = {
    "broken.md": "---\ntitle: [a\n---\nText.\n",
    "twice.md": "---\ntitle: A\ntype: note\ntitle: B\n---\nText.\n",
    "importance.md": "---\ntitle: C\nimportance: much\n---\nText.\n",
    "cites.md": "---\ntitle: D\nSources:\n- resource: memex:gone#2\n  quote: the words\n"
    "  disputed:\n    by: human:kim\n    why: not so\n---\nText.\n",
}


def test_a_missing_file_is_not_called_a_page(memex: Any) -> None:
    memex.write(
        type="note", title="A", body="![[shot.png]] [[Plan B]] [[Dr. Who]] [[v1.2]] [x](data.csv) [[new.md]]"
    )
    check = next(check for check in memex.verify()["checks"] if check["name"] == "links-resolve")
    assert [found["message"] for found in check["files"]] == [
        "no file 'shot.png'",
        "no page 'Plan B'",
        "no page 'Dr. Who'",
        "no page 'v1.2'",
        "no file 'data.csv'",
        "no page 'new.md'",
    ]


def findings(memex: Any) -> dict[str, list[tuple[str, int, str]]]:
    return {
        check["name"]: [(found["file"], found["line"], found["message"]) for found in check["files"]]
        for check in memex.verify()["checks"]
        if not check["ok"]
    }


ODDITIES = {
    "pages-parse": [("broken.md", 3, "did not find expected ',' or ']'")],
    "keys-unique": [("twice.md", 4, "duplicate key: title")],
    "text-readable": [("importance.md", 3, "importance is no number: much")],
    "sources-hold": [("cites.md", 4, "session gone is not stored")],
    "sources-undisputed": [("cites.md", 4, "source memex:gone#2 is disputed by human:kim: not so")],
}


def test_pages_that_were_indexed_are_not_parsed_again(
    memex: Any, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in ODD.items():
        (root / "docs" / name).write_text(text)
    memex.rebuild_index()
    monkeypatch.setattr(verify, "parsed", lambda *_: pytest.fail("a page was parsed"))
    assert findings(memex) == ODDITIES


def test_pages_that_the_index_has_otherwise_are_parsed(memex: Any, root: Path) -> None:
    for name, text in ODD.items():
        (root / "docs" / name).write_text(text)
        os.utime(root / "docs" / name, (1e9, 1e9))  # a file of this very moment is read once more
    memex.rebuild_index()
    memex.store.index.db.execute("UPDATE page SET digest = 'another', problems = '', front = ''")
    other = "the index has another text; run `memex rebuild-index`"
    assert findings(memex) == {**ODDITIES, "index-fresh": [(name, 0, other) for name in sorted(ODD)]}
