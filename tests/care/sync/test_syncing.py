"""What two stores make of each other's news, case by case, through a real folder."""

from __future__ import annotations

import json
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.care.sync.archive import opened
from memex_core.index import freshness
from memex_core.index.index import Index
from memex_core.model.errors import BadInput, Damaged, NotFound, Refused
from tests.care import dying
from tests.care.sync.test_archive import everything
from tests.care.test_broken_off import traces

Make = Callable[..., Any]


@pytest.fixture
def share(tmp_path: Path) -> Path:
    return tmp_path / "share"


@pytest.fixture
def make(tmp_path: Path, share: Path) -> Iterator[Make]:
    """Opens a store that meets the others in ``share``."""
    made: list[Any] = []

    def of(name: str, **more: Any) -> Any:
        made.append(Memex(tmp_path / name, create=True, actor="human:ada", **more))
        made[-1].sync_enable(share, name=name)
        return made[-1]

    yield of
    for one in made:
        one.close()


def meet(*stores: Any) -> list[Any]:
    """Each store in turn takes in what there is and tells what it has."""
    found = []
    for one in stores:
        one.look_again()
        found.append(one.sync_import())
        assert found[-1]["refused"] == []
        one.sync_export()
    return found


def pages(memex: Any) -> dict[str, str]:
    docs = Path(memex.store.layout.pages)
    return {path.relative_to(docs).as_posix(): path.read_text() for path in sorted(docs.rglob("*.md"))}


def test_sync_is_off_until_it_is_enabled(memex: Any, tmp_path: Path) -> None:
    memex.write(type="entity", title="Rye", body="x")
    told = memex.sync_status()
    assert (told["enabled"], told["unexported"], told["pages"]) == (False, False, 1)
    for act in (memex.sync_export, memex.sync_import):
        with pytest.raises(Refused, match="sync is off"):
            act()
    assert not (Path(memex.root) / "sync").exists()


def test_a_place_that_cannot_be_used_is_refused(memex: Any, tmp_path: Path) -> None:
    for place in (memex.root, Path(memex.root) / "docs" / "share", Path(memex.root) / "x.memexsync"):
        with pytest.raises(Refused, match="lies in this store"):
            memex.sync_enable(place)
    with pytest.raises(Refused, match="there is no folder"):
        memex.sync_enable(tmp_path / "not" / "there")
    assert memex.sync_enable(tmp_path / "share", dry_run=True)["enabled"] is False
    assert not (tmp_path / "share").exists()


def test_a_page_travels_byte_for_byte_and_is_history(make: Make) -> None:
    one, two = make("one"), make("two")
    path = Path(one.store.layout.pages) / "odd.md"
    path.write_bytes(b"\xef\xbb\xbf---\r\ntitle:   Odd # so\r\nunknown: {a: 1}\r\n---\r\ntext\r\nno end")
    meet(one, two)
    assert (Path(two.store.layout.pages) / "odd.md").read_bytes() == path.read_bytes()
    events = two.history("odd")["events"]
    assert [(one["action"], one["detail"]["name"]) for one in events] == [("sync", "one")]
    two.revert("odd")
    assert pages(two) == {}


def test_what_touches_different_things_is_put_together(make: Make) -> None:
    one, two = make("one"), make("two")
    one.write(type="entity", title="Rye", body="first\n\nsecond\n\nthird\n", tags=["grain"])
    meet(one, two)
    one.edit("rye", body="FIRST\n\nsecond\n\nthird\n")
    two.edit("rye", body="first\n\nsecond\n\nTHIRD\n", tags=["grain", "bread"])
    two.forget("rye", mode="archive")
    meet(one, two, one)
    assert pages(one) == pages(two)
    shown = one.show("rye")
    assert (shown["body"], shown["tags"], shown["status"]) == (
        "FIRST\n\nsecond\n\nTHIRD\n",
        ["grain", "bread"],
        "deprecated",
    )
    assert one.review()["total"] == 0


def test_a_real_conflict_keeps_both_texts(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = make("one"), make("two")
    monkeypatch.setenv("MEMEX_NOW", "2026-03-01T10:00:00Z")
    one.write(type="entity", title="Rye", body="as it was\n")
    meet(one, two)
    monkeypatch.setenv("MEMEX_NOW", "2026-03-01T11:00:00Z")
    one.edit("rye", body="what one says\n")
    monkeypatch.setenv("MEMEX_NOW", "2026-03-01T12:00:00Z")
    two.edit("rye", body="what two says\n")
    found = meet(one, two, one)
    assert [done["conflicts"] for done in found] == [0, 1, 0]
    assert pages(one) == pages(two)
    assert one.show("rye")["body"] == "what two says\n"
    for memex in (one, two):
        (item,) = memex.review()["items"]
        assert (item["kind"], item["target"], item["before"], item["after"]) == (
            "conflict",
            "rye",
            "what two says\n",
            "what one says\n",
        )
    one.approve(item["slug"], text="what both say\n")
    meet(one, two)
    assert pages(one) == pages(two)
    assert list(pages(two)) == ["entities/rye.md"]
    assert two.show("rye")["body"] == "what both say\n"


def test_a_rejected_conflict_does_not_come_back_from_a_third_device(make: Make) -> None:
    one, two, three = make("one"), make("two"), make("three")
    one.write(type="entity", title="Rye", body="as it was\n")
    meet(one, two, three)
    one.edit("rye", body="what one says\n")
    two.edit("rye", body="what two says\n")
    meet(one, two, one)
    (item,) = one.review()["items"]
    one.reject(item["slug"])
    meet(three, one, two, three, one)
    assert pages(one) == pages(two) == pages(three)
    assert list(pages(three)) == ["entities/rye.md"]


def test_forgotten_beats_changed_and_the_text_is_in_the_journal(make: Make) -> None:
    one, two = make("one"), make("two")
    one.write(type="entity", title="Rye", body="x\n")
    meet(one, two)
    one.forget("rye")
    two.edit("rye", body="unseen\n")
    found = meet(one, two, one)
    assert "was forgotten on one while it was changed here" in found[1]["warnings"][0]
    assert pages(one) == pages(two) == {}
    two.revert("entities/rye.md")  # who wants it back says so, knowing that it was gone
    meet(two, one, two)
    assert pages(one) == pages(two)
    assert one.show("rye")["body"] == "unseen\n"


@pytest.mark.parametrize("forgotten_before", [False, True])
def test_purged_goes_everywhere_with_its_history_and_its_conflicts(
    make: Make, share: Path, forgotten_before: bool
) -> None:
    one, two = make("one"), make("two")
    ident = one.write(type="entity", title="Rye", body="secret word\n")["id"]
    one.write(type="entity", title="Wheat", body="stays\n")
    meet(one, two)
    one.edit("rye", body="secret one\n")
    two.edit("rye", body="secret two\n")
    meet(one, two, one)
    assert len(pages(one)) == 3
    if forgotten_before:
        one.forget("rye")
        meet(one, two)
    one.purge("rye", id=ident)
    meet(one, two, one, two)
    for memex in (one, two):
        assert list(pages(memex)) == ["entities/wheat.md"]
        assert b"secret" not in Path(memex.store.layout.journal).read_bytes()
    for file in share.iterdir():
        with opened(str(file)) as found:
            told = found.manifest["pages"][f"id:{ident}"]
            assert (told["life"], told["path"], told["raw"], told["past"]) == ("purged", "", "", [])


def test_an_old_store_cannot_bring_back_what_was_purged(make: Make, tmp_path: Path) -> None:
    one, two, three = make("one"), make("two"), make("three")
    ident = one.write(type="entity", title="Rye", body="secret\n")["id"]
    meet(one, two, three)
    three.edit("rye", body="secret and more\n")
    three.rename("rye", "Secale")
    one.purge("rye", id=ident)
    meet(one, three, one, two, three)
    assert pages(one) == pages(two) == pages(three) == {}


def test_a_purge_reaches_the_copies_that_a_restore_set_aside(make: Make, tmp_path: Path) -> None:
    one, two = make("one"), make("two")
    ident = one.write(type="entity", title="Rye", body="zebraword\n")["id"]
    one.write(type="entity", title="Oat", body="stays\n")
    meet(one, two)
    two.backup(tmp_path / "b.tar.gz")
    two.edit("rye", body="zebraword, too\n")
    two.edit("oat", body="stays, too\n")
    kept = Path(two.restore(tmp_path / "b.tar.gz")["previous_backup_dir"])
    assert (kept / "docs/entities/rye.md").exists()
    one.purge("rye", id=ident)
    meet(one, two)
    assert traces(tmp_path / "two", "entities/rye.md") == []
    assert [file.name for file in kept.rglob("*.md")] == ["oat.md"]


def test_a_full_disk_here_is_no_fault_of_the_archive(make: Make, tmp_path: Path) -> None:
    one, two = make("one"), make("two")
    one.write(type="entity", title="Rye", body="a line\n" * 2000)
    one.sync_export()
    two.close()

    def hear() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        (refused,) = two.sync_import()["refused"]
        assert "was not written: the file is larger than allowed here" in refused["reason"]

    dying.run(hear)
    assert pages(two) == {}
    meet(two)
    assert list(pages(two)) == ["entities/rye.md"]


def test_many_pages_are_one_act_and_one_building_of_the_index(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "REBUILD_FROM", 3)
    one, two = make("one"), make("two")
    for number in range(5):
        one.write(type="entity", title=f"Page {number}", body="zebra\n")
    built: list[int] = []
    real = Index.rebuild
    monkeypatch.setattr(Index, "rebuild", lambda self, *more: (built.append(1), real(self, *more))[1])
    one.sync_export()
    built.clear()
    two.sync_import()
    assert built == [1]
    assert {event["detail"]["group"] for event in two.store.journal.read()} == {1}
    assert len(two.recall("zebra")["hits"]) == 5


def test_a_page_that_has_no_place_here_keeps_no_other_out(make: Make) -> None:
    one, two = make("one"), make("two")
    docs, here = (Path(memex.store.layout.pages) for memex in (one, two))
    for name in ("sound.md", "a.md/inside.md", "b.md", f"{'x' * 250}.md"):
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / name).write_text(f"{name[:9]}\n")
    (here / "a.md").write_text("a page\n")
    (here / "b.md").mkdir()
    (found,) = meet(one, two)[1:]
    assert found["devices"][0]["added"] == ["sound.md"]
    assert sorted(found["warnings"]) == [
        "a.md/inside.md would lie in a.md, which is a file here, and was left out",
        "b.md is no page here, and was left out",
        f"{'x' * 250}.md has a name that is too long, and was left out",
    ]
    meet(one, two)
    assert (docs / "b.md").read_text() == "b.md\n"


def test_pages_of_one_name_get_a_name_each(make: Make) -> None:
    one, two = make("one"), make("two")
    one.write(type="entity", title="Rye", body="of one\n")
    (Path(two.store.layout.pages) / "entities").mkdir()
    (Path(two.store.layout.pages) / "entities" / "RYE.md").write_text("---\nid: '7'\n---\nof two\n")
    found = meet(one, two, one, two)
    assert "two pages are called" in found[1]["warnings"][0]
    assert pages(one) == pages(two)
    names = list(pages(one))
    assert len({name.casefold() for name in names}) == 2
    assert sorted(text[-7:] for text in pages(one).values()) == ["of one\n", "of two\n"]


def test_names_that_change_places(make: Make) -> None:
    one, two = make("one"), make("two")
    docs = Path(one.store.layout.pages)
    for name in ("a", "b", "c"):
        (docs / f"{name}.md").write_text(f"---\nid: id-{name}\n---\n{name}\n")
    meet(one, two)
    (docs / "a.md").rename(docs / "x.md")
    (docs / "b.md").rename(docs / "a.md")
    (docs / "x.md").rename(docs / "b.md")
    (docs / "c.md").rename(docs / "C.md")
    meet(one, two)
    assert pages(one) == pages(two)
    assert [text[-2:] for text in pages(two).values()] == ["c\n", "b\n", "a\n"]


def test_a_wrong_clock_decides_no_more_than_which_text_stays(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = make("one"), make("two")
    monkeypatch.setenv("MEMEX_NOW", "2099-01-01T00:00:00Z")
    one.write(type="entity", title="Rye", body="from the future\n")
    meet(one, two)
    monkeypatch.setenv("MEMEX_NOW", "1999-01-01T00:00:00Z")
    two.edit("rye", body="from the past, and later\n")
    meet(two, one)
    assert one.show("rye")["body"] == "from the past, and later\n"
    two.forget("rye")
    meet(two, one)
    assert pages(one) == {}


def test_a_preview_is_what_happens_and_changes_nothing(make: Make) -> None:
    one, two = make("one"), make("two")
    for title in ("Rye", "Oat", "Wheat"):
        one.write(type="entity", title=title, body="x\n")
    meet(one, two)
    one.edit("rye", body="one\n")
    two.edit("rye", body="two\n")
    one.forget("oat")
    one.edit("wheat", body="new\n")
    one.write(type="entity", title="Barley", body="y\n")
    one.diary_append("sown")
    one.sync_export()
    before = everything(two.root)
    wanted = two.sync_import(dry_run=True)
    assert everything(two.root) == before
    (device,) = wanted["devices"]
    assert (device["added"], device["deleted"], device["diary"]) == (
        ["entities/barley.md"],
        ["entities/oat.md"],
        1,
    )
    assert [found["path"] for found in device["conflicts"]] == ["entities/rye.md"]
    done = two.sync_import()
    assert [{**one, "dry_run": None} for one in (wanted, done)] == [{**done, "dry_run": None}] * 2


def test_the_device_itself_is_no_other_device(make: Make, share: Path, tmp_path: Path) -> None:
    one = make("one")
    one.write(type="entity", title="Rye", body="x\n")
    file = one.sync_export()["file"]
    assert one.sync_import()["devices"] == []
    with pytest.raises(Refused, match="is this device's own"):
        one.sync_import(file)
    assert one.sync_export()["unchanged"] is True


def test_one_archive_for_two_devices(tmp_path: Path) -> None:
    file = tmp_path / "both.memexsync"
    with Memex(tmp_path / "one", create=True) as one, Memex(tmp_path / "two", create=True) as two:
        for memex, name in ((one, "one"), (two, "two")):
            assert memex.sync_enable(file, name=name)["kind"] == "file"
            memex.write(type="entity", title=name, body="x\n")
        one.sync_export()
        with pytest.raises(Refused, match="holds what one exported, and it is not imported yet"):
            two.sync_export()
        meet(two, one)
        assert pages(one) == pages(two)
        assert len(pages(one)) == 2


def test_a_store_set_back_to_a_backup_goes_on_as_a_new_device(make: Make, tmp_path: Path) -> None:
    one, two = make("one"), make("two")
    one.write(type="entity", title="Rye", body="x\n")
    meet(one, two)
    one.backup(tmp_path / "b.tar.gz")
    one.edit("rye", body="lost and found\n")
    meet(one)
    device = one.sync_status()["device"]
    one.restore(tmp_path / "b.tar.gz")
    one.look_again()
    one.write(type="entity", title="Oat", body="after the restore\n")
    meet(one, two, one)
    assert one.sync_status()["device"] != device
    assert pages(one) == pages(two)
    assert two.show("oat")["body"] == "after the restore\n"


def test_a_copy_of_a_store_is_another_device(make: Make, share: Path, tmp_path: Path) -> None:
    one = make("one")
    one.write(type="entity", title="Rye", body="x\n")
    meet(one)
    shutil.copytree(one.root, tmp_path / "copy")
    with Memex(tmp_path / "copy", actor="human:ada") as copy:
        copy.edit("rye", body="of the copy\n")
        one.edit("rye", tags=["a"])
        meet(copy, one, copy)
        assert copy.sync_status()["device"] != one.sync_status()["device"]
        assert pages(copy) == pages(one)
        assert (one.show("rye")["body"], one.show("rye")["tags"]) == ("of the copy\n", ["a"])


def test_what_is_hidden_here_is_not_forgotten_there(make: Make) -> None:
    one, two = make("one"), make("two")
    docs = Path(one.store.layout.pages)
    (docs / "private").mkdir()
    (docs / "private" / "p.md").write_text("---\nid: p\n---\nmine\n")
    meet(one, two)
    (docs / ".memexignore").write_text("private/\n")
    found = meet(one, two, one)
    assert list(pages(two)) == ["private/p.md"]
    assert found[2]["warnings"] == ["private/p.md is no page here, and was left out"]
    assert (docs / "private" / "p.md").read_text().endswith("mine\n")


def test_diaries_come_together_and_what_was_struck_stays_out(make: Make) -> None:
    one, two = make("one"), make("two")
    one.diary_append("of one", date="2026-03-01", time="10:00")
    two.diary_append("of two", date="2026-03-01", time="09:00")
    two.diary_append("another day", date="2026-03-02", time="09:00")
    meet(one, two, one)
    day = Path(one.store.layout.diary) / "2026-03-01.md"
    other = Path(two.store.layout.diary) / "2026-03-01.md"
    assert day.read_text() == other.read_text()
    assert [entry["text"] for entry in one.diary_show("2026-03-01")["entries"]] == ["of two", "of one"]
    day.write_text(day.read_text().replace("of two", "of two, mended"))
    meet(one, two, one)
    assert day.read_text() == other.read_text()
    assert [entry["text"] for entry in two.diary_show("2026-03-01")["entries"]] == [
        "of two, mended",
        "of one",
    ]


def turns(*texts: str) -> list[dict[str, Any]]:
    return [
        {"role": "user", "content": text, "xid": f"x-{text}", "ts": f"2026-03-01T10:00:{n:02}Z"}
        for n, text in enumerate(texts)
    ]


def said(memex: Any, session: str) -> list[str]:
    return [turn["content"] for turn in memex.session(session)["turns"]]


def test_the_longer_conversation_stays_and_no_turn_comes_twice(make: Make) -> None:
    one, two = make("one"), make("two")
    one.ingest_transcript("s1", turns=turns("a", "b"))
    meet(one, two)
    assert said(two, "s1") == ["a", "b"]
    two.ingest_transcript("s1", turns=turns("a", "b", "c"), overwrite=True)
    meet(two, one)
    assert said(one, "s1") == ["a", "b", "c"]
    one.ingest_transcript("s1", turns=turns("a", "b", "c", "d1"), overwrite=True)
    two.ingest_transcript("s1", turns=turns("a", "b", "c", "d2", "e2"), overwrite=True)
    meet(one, two, one)
    assert said(one, "s1") == said(two, "s1") == ["a", "b", "c", "d2", "e2", "d1"]


def test_an_excluded_conversation_never_leaves_and_goes_everywhere(make: Make, share: Path) -> None:
    one, two = make("one"), make("two")
    one.ingest_transcript("s1", turns=turns("unspeakable"))
    meet(one, two)
    one.purge(session="s1")
    found = meet(one, two, one)
    assert found[1]["devices"][0]["excluded"] == ["s1"]
    for memex in (one, two):
        assert memex.sessions()["total"] == 0
        assert pages(memex) == {}
        assert b"unspeakable" not in Path(memex.store.layout.journal).read_bytes()
    for file in share.iterdir():
        with opened(str(file)) as generation:
            assert generation.manifest["sessions"] == {}
            held = b"".join(generation.blob(name) for name in generation.manifest["files"])
            assert b"unspeakable" not in held


def test_a_conversation_deleted_to_make_room_stays_elsewhere(make: Make) -> None:
    one, two = make("one"), make("two")
    one.ingest_transcript("s1", turns=turns("a"))
    meet(one, two)
    two.clear_transcripts()
    meet(two, one, two)
    assert (one.sessions()["total"], two.sessions()["total"]) == (1, 0)


def test_a_project_has_another_name_there(make: Make) -> None:
    one, two = make("one"), make("two")
    one.write(type="entity", title="Rye", body="x\n", scope="project", project="shop-web")
    two.sync_alias("shop", "shop-web")
    meet(one, two)
    assert list(pages(two)) == ["projects/shop/entities/rye.md"]
    assert two.list(project="shop")["total"] == 1
    two.edit("rye", body="y\n")
    meet(two, one, two)
    assert list(pages(one)) == ["projects/shop-web/entities/rye.md"]
    assert (one.show("rye")["body"], two.show("rye")["body"]) == ("y\n", "y\n")
    assert one.list(project="shop-web")["total"] == 1
    assert two.sync_alias("shop")["aliases"] == {}
    with pytest.raises(NotFound, match="'shop' has no other name"):
        two.sync_alias("shop")
    with pytest.raises(BadInput):
        two.sync_alias("shop", "../x")


def test_a_vault_is_synced_as_it_is(tmp_path: Path, make: Make) -> None:
    for name in ("one", "two"):
        (tmp_path / name / ".obsidian").mkdir(parents=True)
    one, two = make("one"), make("two")
    (tmp_path / "one" / "A note.md").write_text("no front matter\n")
    meet(one, two)
    assert (tmp_path / "two" / "A note.md").read_text() == "no front matter\n"
    (tmp_path / "one" / "A note.md").write_text("of one\n")
    (tmp_path / "two" / "A note.md").write_text("of two\n")
    meet(one, two, one)
    assert pages(one) == pages(two)
    assert len(pages(one)) == 2
    (tmp_path / "one" / "A note.md").unlink()
    meet(one, two)
    assert not (tmp_path / "two" / "A note.md").exists()


def test_a_state_that_cannot_be_read_is_named_and_may_go(make: Make, share: Path) -> None:
    one, two = make("one"), make("two")
    one.write(type="entity", title="Rye", body="x\n")
    meet(one, two)
    state = Path(two.root) / "sync" / "state.json"
    state.write_text('{"version": 1, ')
    with pytest.raises(Damaged, match=r"state\.json cannot be read"):
        two.sync_import()
    state.unlink()
    two.edit("rye", body="y\n")
    two.sync_enable(share)
    meet(two, one, two)
    assert pages(one) == pages(two)
    assert json.loads(state.read_text())["version"] == 1


def test_an_agent_does_not_sync(tmp_path: Path) -> None:
    with Memex(tmp_path / "one", create=True, actor="claude/2") as one:
        for act in (lambda: one.sync_enable(tmp_path / "s"), one.sync_export, one.sync_import):
            with pytest.raises(Refused, match="only a person syncs"):
                act()


def test_pictures_do_not_travel_and_that_is_said(make: Make, share: Path) -> None:
    one, two = make("one"), make("two")
    docs = Path(one.store.layout.pages)
    (docs / "note.md").write_text("![[a.png]]\n")
    (docs / "a.png").write_bytes(b"\x89PNG")
    assert one.sync_export()["attachments_left"] == 1
    two.sync_import()
    assert os.listdir(two.store.layout.pages) == ["note.md"]


def test_one_folder_is_made_for_the_meeting_and_no_more(memex: Any, tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    for target in (drive / "Shared/memex", drive / "Shared/all.memexsync"):
        with pytest.raises(Refused, match=f"there is no folder {drive}"):
            memex.sync_enable(target)
    drive.mkdir()
    assert memex.sync_enable(drive / "one/all.memexsync", dry_run=True)["folder_made"] is True
    assert list(drive.iterdir()) == []
    assert memex.sync_enable(drive / "one/all.memexsync")["folder_made"] is True
    assert memex.sync_export()["file"] == str(drive / "one/all.memexsync")
    assert memex.sync_enable(drive / "two")["folder_made"] is True
    assert memex.sync_enable(drive / "two")["folder_made"] is False
    (drive / "file").write_text("x")
    with pytest.raises(Refused, match="is no folder"):
        memex.sync_enable(drive / "file/all.memexsync")


def test_a_crash_between_the_pages_and_the_state_heals(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages are there, what is known of them is not yet: they count as written here, and nothing is lost."""
    from memex_core.care.sync import record

    one, two = make("one"), make("two")
    one.write(type="entity", title="Rye", body="x\n")
    one.write(type="entity", title="Oat", body="x\n")
    meet(one, two)
    one.edit("rye", body="new\n")
    one.forget("oat")
    one.sync_export()
    with monkeypatch.context() as patch:

        def crash(*_: Any) -> None:
            raise KeyboardInterrupt

        patch.setattr(record, "save", crash)
        with pytest.raises(KeyboardInterrupt):
            two.sync_import()
    assert two.show("rye")["body"] == "new\n"
    meet(two, one, two)
    assert pages(one) == pages(two)
    assert list(pages(one)) == ["entities/rye.md"]
    assert os.listdir(Path(two.store.layout.state) / "sync") == ["state.json"]


def test_what_a_person_keeps_by_hand_arrives_as_it_is_and_is_not_scrubbed_at_home(make: Make) -> None:
    one, two = make("one"), make("two")
    kept = "---\nid: x\n---\nthe key is AKIAIOSFODNN7EXAMPLE\n"
    (Path(one.store.layout.pages) / "keys.md").write_text(kept)
    meet(one, two, one)
    assert pages(one) == pages(two) == {"keys.md": kept}


def test_an_older_copy_of_an_archive_changes_nothing(make: Make, share: Path) -> None:
    """Programs that carry folders leave "conflicted copies" behind."""
    one, two = make("one"), make("two")
    one.write(type="entity", title="Rye", body="old\n")
    meet(one, two)
    (file,) = share.glob("one-*")
    shutil.copy(file, share / "zz (conflicted copy).memexsync")
    one.edit("rye", body="new\n")
    meet(one, two)
    assert two.show("rye")["body"] == "new\n"
    assert meet(two)[0]["changed"] == 0
    assert [one["new"] for one in two.sync_status()["devices"]] == [False]
