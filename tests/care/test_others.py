"""What other processes wrote is told once, as it was last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.care.others import Others, together
from memex_core.index.freshness import Refresh


@pytest.fixture
def memex(tmp_path: Path) -> Iterator[Memex]:
    with Memex(tmp_path / "m", create=True) as made:
        made.write("entity", "Ada", "One, see [[Bob]].")
        made.write("entity", "Bob", "Two.")
        yield made


def test_acts_are_told_by_what_they_did_to_pages(memex: Memex) -> None:
    others = Others(memex.store.layout)
    assert others.news() == Refresh()
    memex.write("entity", "Cid", "Three.")
    memex.rename("bob", "Robert")
    memex.diary_append("no page", date="2026-11-29")
    told = others.news()
    assert (told.added, told.changed, told.removed) == (("entities/cid.md",), ("entities/ada.md",), ())
    assert told.renamed == {"entities/robert.md": "entities/bob.md"}
    assert told.digests["entities/cid.md"] == memex.store.index.digests()["entities/cid.md"]
    memex.forget("cid")
    assert others.news().removed == ("entities/cid.md",)
    assert not others.stirred
    assert others.news() == Refresh()


def test_a_page_that_came_and_went_is_gone(memex: Memex) -> None:
    others = Others(memex.store.layout)
    memex.write("entity", "Cid", "Three.")
    memex.forget("cid")
    assert others.news()[:4] == ((), (), ("entities/cid.md",), {})


def test_since_an_event_begins_there(memex: Memex) -> None:
    assert Others(memex.store.layout, since=1).news().added == ("entities/bob.md",)


def test_what_the_index_found_itself_is_no_news(memex: Memex) -> None:
    others = Others(memex.store.layout)
    memex.edit("ada", body="Other.")
    after = memex.store.index.digests()["entities/ada.md"]
    others.note(Refresh(changed=("entities/ada.md",), digests={"entities/ada.md": after}))
    assert others.news() == Refresh()
    memex.edit("ada", body="Another.")
    assert others.news().changed == ("entities/ada.md",)


def test_of_two_looks_the_later_is_right() -> None:
    first = Refresh(added=("a.md",), changed=("b.md",), digests={"a.md": "1", "b.md": "2"})
    then = Refresh(removed=("a.md",), renamed={"c.md": "b.md"}, digests={"c.md": "2"}, warnings=("odd",))
    assert together(first, then) == then
    assert together(first, Refresh(stale=True)) == first._replace(stale=True)
