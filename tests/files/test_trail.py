"""A file's events, newest first, and no other file's that had its name."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.files import trail as module
from memex_core.files.journal import Journal, event_of
from memex_core.files.layout import Layout
from memex_core.files.trail import trail


def event(file: str, was: str | None = None, action: str = "update", text: str = "") -> dict[str, Any]:
    detail = {} if was is None else {"from": was}
    return {"action": action, "file": file, "detail": detail, "before": {"text": text}}


def seqs(store: Layout, file: str, **options: Any) -> list[int]:
    return [one["seq"] for one in trail(Journal(store), file, **options)]


def test_it_goes_back_through_the_names_a_file_had(store: Layout) -> None:
    Journal(store).append(
        [event("a.md"), event("b.md"), event("c.md", was="a.md"), event("b.md"), event("d.md", was="c.md")]
    )
    assert seqs(store, "d.md") == [5, 3, 1]
    assert seqs(store, "b.md") == [4, 2]
    assert seqs(store, "e.md") == []


def test_it_ends_where_another_file_had_the_name(store: Layout) -> None:
    Journal(store).append([event("a.md"), event("b.md", was="a.md"), event("a.md"), event("a.md")])
    assert seqs(store, "a.md") == [4, 3]
    assert seqs(store, "b.md") == [2, 1]


def test_what_is_no_change_of_a_page_is_passed_by(store: Layout) -> None:
    Journal(store).append(
        [event("a.md"), event("a.md", action="diary"), event("b.md", was="a.md", action="diary")]
    )
    assert seqs(store, "a.md", but=("diary",)) == [1]
    assert seqs(store, "b.md", but=("diary",)) == []


@pytest.mark.parametrize("name", ["Zoë.md", 'a "b".md', "back\\slash.md", "to\u2028.md", "tab\t.md"])
def test_a_name_that_json_writes_otherwise_is_found(store: Layout, name: str) -> None:
    Journal(store).append([event(name), event("other.md"), event("new.md", was=name)])
    assert seqs(store, name) == []  # it is new.md by now
    assert seqs(store, "new.md") == [3, 1]


def test_a_line_without_the_name_is_not_parsed(store: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    Journal(store).append([event("a.md"), event("b.md", text="[[a]]"), event("b.md", text="as a.md says")])
    parsed: list[bytes] = []
    monkeypatch.setattr(module, "event_of", lambda line: parsed.append(line) or event_of(line))
    assert seqs(store, "a.md") == [1]
    assert len(parsed) == 2  # the one of a.md, and the one whose text names it
