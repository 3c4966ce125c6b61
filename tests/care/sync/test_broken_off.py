"""A sync that is killed at any of its file operations: the devices end with the same pages all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.care.sync import archive
from memex_core.files.journal import bytes_before
from tests.care import dying
from tests.care.sync.test_syncing import meet, pages, turns
from tests.care.test_broken_off import WORD, leftovers, traces


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two stores that have met in a folder."""
    one, two, share = tmp_path / "one", tmp_path / "two", tmp_path / "share"
    with Memex(one, create=True, actor="human:ada") as first:
        first.sync_enable(share, name="one")
        for title in ("Rye", "Oat", "Wheat", "Gone", "Secret"):
            body = f"{WORD}\n" if title == "Secret" else f"first\n\n{title}\n\nlast\n"
            first.write(type="entity", title=title, body=body)
        first.ingest_transcript("kept", turns=turns("hello"))
        first.ingest_transcript("private", turns=turns("hush"))
        first.sync_export()
    with Memex(two, create=True, actor="human:ada") as second:
        second.sync_enable(share, name="two")
        second.sync_import()
        second.sync_export()
    with Memex(one, actor="human:ada") as first:
        first.sync_import()
        first.edit("rye", body="first\n\nRye of one\n\nlast\n")
        first.edit("oat", body="first of one\n\nOat\n\nlast\n")
        first.rename("wheat", "Wheat of one")
        first.forget("gone")
        first.purge("secret", id=first.show("secret")["id"])
        first.purge(session="private")
        first.write(type="entity", title="Same", body="of one\n")
        first.ingest_transcript("kept", turns=turns("hello", "again"), overwrite=True)
        first.diary_append("an entry of one")
    with Memex(two, actor="human:ada") as second:
        second.edit("rye", body="first\n\nRye of two\n\nlast\n")
        second.edit("oat", body="first\n\nOat\n\nlast of two\n")
        second.write(type="entity", title="Same", body="of two\n")
        second.diary_append("an entry of two")
    return one, two, share


TEXTS = ("Rye of one", "Rye of two", "first of one", "last of two", "of one\n", "of two\n")


def settle(one: Path, two: Path) -> dict[str, str]:
    """Both meet until they know all, and must agree; their pages."""
    with Memex(one, actor="human:ada") as first, Memex(two, actor="human:ada") as second:
        meet(first, second, first, second)
        for done in meet(first, second):
            assert (done["added"], done["changed"], done["deleted"], done["conflicts"]) == (0, 0, 0, 0)
        for memex in (first, second):
            assert [one["name"] for one in memex.verify()["checks"] if not one["ok"]] == []
            assert len(memex.sync_status()["devices"]) == 1
            assert memex.store.journal.problems() == []
        assert pages(first) == pages(second)
        assert first.diary_show()["entries"] == second.diary_show()["entries"]
        assert len(first.diary_show()["entries"]) == 2
        history = [bytes_before(event) or b"" for event in (*first.store.journal.read(),)]
        history += [bytes_before(event) or b"" for event in (*second.store.journal.read(),)]
        found = pages(first)
    text = "".join(found.values()) + b"".join(history).decode()
    assert [one for one in TEXTS if one not in text] == []
    assert "Rye of one" in "".join(found.values())
    assert "Rye of two" in "".join(found.values())
    for store in (one, two):
        assert traces(store, "entities/secret.md") == []
        assert leftovers(store) == []
        assert not (store / "transcripts/private.jsonl").exists()
        assert (store / "transcripts/kept.jsonl").read_bytes().count(b'"content"') == 2
    return found


def test_a_killed_export_leaves_the_old_archive_or_the_new_one(
    places: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    one, two, share = places
    saved = dying.Saved(tmp_path / "saved", *places)
    ends = set()
    for _ in dying.deaths(lambda: Memex(one, actor="human:ada").sync_export(), saved.put, 25):
        for file in share.glob(f"*{archive.SUFFIX}"):
            with archive.opened(str(file)) as found:
                ends.add((found.name, found.number))
        ends.add(frozenset(settle(one, two)))
        assert len(list(share.iterdir())) == 2
    assert len({number for name, number in filter(_is_pair, ends) if name == "one"}) == 2
    assert len([end for end in ends if not _is_pair(end)]) == 1


def _is_pair(end: object) -> bool:
    return isinstance(end, tuple)


def test_a_killed_import_is_all_or_nothing_and_made_up_for(
    places: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    one, two, _ = places
    with Memex(one, actor="human:ada") as first:
        first.sync_export()
    with Memex(two) as second:
        before = pages(second)
    saved = dying.Saved(tmp_path / "saved", *places)
    ends = set()
    for at in dying.deaths(lambda: Memex(two, actor="human:ada").sync_import(), saved.put, 25):
        with Memex(two, actor="human:ada") as second:
            second.list()
            assert [one["name"] for one in second.verify()["checks"] if not one["ok"]] == []
            now = pages(second)
        if "entities/secret.md" not in now:
            assert traces(two, "entities/secret.md") == [], f"killed at operation {at}"
        ends.add(frozenset(now.items()))
        settle(one, two)
    assert frozenset(before.items()) in ends
    assert len(ends) <= 3  # as before, without the pages of the private conversation, and all
