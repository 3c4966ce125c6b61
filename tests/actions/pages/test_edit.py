"""An edit moves the bytes it was asked to move, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.actions import pace
from memex_core.files.journal import bytes_before
from memex_core.model.errors import Ambiguous, BadInput, Conflict, NotFound, Refused

PAGE = (
    b"\xef\xbb\xbf---\r\n# a comment\r\n"
    b"zeta: 'kept'\r\ntitle:   Odd   # why\r\nTags: [A]\r\nid: 007\r\n---\r\n"
    b"# Odd\r\n\r\nfirst\r\n\r\n## Usage\r\nold\r\n\r\n## Next\r\nlast"
)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "odd.md").write_bytes(PAGE)
    return tmp_path / "v"


def test_a_section_is_appended_to_in_the_files_own_line_ends(vault: Path) -> None:
    with Memex(vault) as memex:
        memex.edit("odd", section="Usage", append="new")
    assert (vault / "odd.md").read_bytes() == PAGE.replace(b"old\r\n", b"old\r\nnew\r\n")


def test_appending_to_a_file_without_a_final_newline(vault: Path) -> None:
    with Memex(vault) as memex:
        memex.edit("odd", append="- new")
    assert (vault / "odd.md").read_bytes().startswith(PAGE + b"\r\n- new")


def test_a_key_is_set_on_its_own_line(vault: Path) -> None:
    with Memex(vault) as memex:
        memex.edit("odd", set={"zeta": "7: seven"})
        now = (vault / "odd.md").read_bytes()
        assert now.replace(b'"7: seven"', b"'kept'").replace(b"'7: seven'", b"'kept'") == PAGE
        memex.edit("odd", unset=["zeta"])
    assert (vault / "odd.md").read_bytes() == PAGE.replace(b"zeta: 'kept'\r\n", b"")


def test_tags_keep_the_spelling_they_have(vault: Path) -> None:
    page = "---\ntags:\n  - Two words\n  - A/B\ntag: more\n---\n"
    (vault / "tags.md").write_text(page)
    with Memex(vault) as memex:
        assert memex.edit("tags", tags="two-words, a/b, more")["changed"] is True
        assert memex.show("tags")["tags"] == ["Two words", "A/B", "more"]
        assert (vault / "tags.md").read_text() == page.replace("tag: more\n", "").replace(
            "B\n", "B\n  - more\n"
        )
        assert memex.edit("tags", set={"tags": ["more", "New"]})["changed"] is True
        assert memex.show("tags")["tags"] == ["more", "New"]


def test_a_draft_spelt_otherwise_is_approved(vault: Path) -> None:
    (vault / "wait.md").write_text("---\nStatus: Draft\n---\nx\n")
    with Memex(vault) as memex:
        memex.approve("wait")
        assert memex.show("wait")["status"] == "stable"
    assert "Draft" not in (vault / "wait.md").read_text()


def test_an_edit_that_changes_nothing_writes_nothing(vault: Path) -> None:
    stat = (vault / "odd.md").stat()
    with Memex(vault) as memex:
        assert memex.edit("odd", title="Odd")["changed"] is False
        assert memex.history("odd")["events"] == []
    assert (vault / "odd.md").stat().st_mtime_ns == stat.st_mtime_ns


def test_a_stale_reader_is_told_and_both_texts_exist(vault: Path) -> None:
    with Memex(vault) as memex:
        seen = memex.show("odd")["digest"]
        (vault / "odd.md").write_bytes(b"somebody else's text\n")
        memex.look_again()
        with pytest.raises(Conflict, match=r"odd\.md changed"):
            memex.edit("odd", body="mine", expect=seen)
    assert (vault / "odd.md").read_bytes() == b"somebody else's text\n"


def test_broken_front_matter_refuses_keys_and_takes_body_edits(vault: Path) -> None:
    broken = b"---\ntitle: Fix: the bug\nx: [open\n---\nbody\n"
    (vault / "bad.md").write_bytes(broken)
    with Memex(vault) as memex:
        with pytest.raises(Refused, match=r"bad\.md.*line"):
            memex.edit("bad", set={"status": "draft"})
        assert (vault / "bad.md").read_bytes() == broken
        memex.edit("bad", append="more")
        assert (vault / "bad.md").read_bytes() == broken + b"more\n"
        assert [hit["slug"] for hit in memex.recall("more")["hits"]] == ["bad"]


def test_an_ambiguous_name_is_refused_with_its_candidates(vault: Path) -> None:
    for folder in ("a", "b"):
        (vault / folder).mkdir()
        (vault / folder / "Same.md").write_text(f"in {folder}\n")
    with Memex(vault) as memex:
        with pytest.raises(Ambiguous) as told:
            memex.edit("Same", append="x")
        assert sorted(told.value.candidates) == ["a/Same.md", "b/Same.md"]
        memex.edit("a/Same.md", append="x")
    assert (vault / "b" / "Same.md").read_text() == "in b\n"


def test_twenty_appends_in_a_row_are_all_there(memex: Any) -> None:
    memex.write(type="entity", title="Log", body="start")
    for number in range(20):
        memex.edit("log", append=f"- {number}")
    lines = memex.show("log")["body"].split("\n")
    assert [line for line in lines if line.startswith("- ")] == [f"- {n}" for n in range(20)]


@pytest.mark.parametrize("bad", ["no equals sign", "=x"])
def test_a_senseless_assignment_is_refused(vault: Path, bad: str) -> None:
    with Memex(vault) as memex, pytest.raises(BadInput, match="sets nothing"):
        memex.edit("odd", set=[bad])


def test_create_beside_a_similar_file_leaves_it_alone(vault: Path) -> None:
    (vault / "alpha_note.md").write_bytes(b"precious\n")
    with Memex(vault) as memex:
        memex.write(type="note", title="alpha-note", body="another")
    assert (vault / "alpha_note.md").read_bytes() == b"precious\n"
    assert (vault / "alpha-note.md").exists()


class TestWithoutALook:
    """In a large store an edit does not wait until all files were compared with the index."""

    @pytest.fixture
    def store(self, vault: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memex]:
        (vault / "other.md").write_text("# Other\n")
        monkeypatch.setattr(pace, "ALWAYS_UP_TO", 0)
        monkeypatch.setattr(pace, "PATIENCE", 3600.0)
        with Memex(vault) as memex:
            memex.edit("odd", append="one")
            memex.store.pace.took = 0.0  # whoever reads would look
            yield memex

    def test_its_page_is_as_the_file_says_and_no_version_is_lost(self, store: Memex, vault: Path) -> None:
        mine = (vault / "odd.md").read_bytes()
        (vault / "odd.md").write_bytes(b"# Odd\n\nby hand\n")
        store.edit("odd", append="two")
        assert (vault / "odd.md").read_bytes() == b"# Odd\n\nby hand\ntwo\n"
        newest = list(store.store.journal.read(reverse=True))[:2]
        assert [event["action"] for event in newest] == ["update", "hand"]
        assert [bytes_before(event) for event in newest] == [b"# Odd\n\nby hand\n", mine]

    def test_a_page_that_moved_is_found_by_its_name(self, store: Memex, vault: Path) -> None:
        (vault / "sub").mkdir()
        (vault / "other.md").rename(vault / "sub" / "other.md")
        assert store.edit("other", append="more")["path"] == "sub/other.md"

    def test_a_page_that_is_gone_is_no_page(self, store: Memex, vault: Path) -> None:
        (vault / "other.md").unlink()
        with pytest.raises(NotFound, match="no page is called 'other'"):
            store.edit("other", append="more")

    def test_other_pages_are_looked_at_when_somebody_reads_or_it_was_long_ago(
        self, store: Memex, vault: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looks: list[float] = []
        now = [store.store.pace.ended]
        refresh = store.store.index.refresh

        def counted(*given: Any, **named: Any) -> Any:
            looks.append(now[0])
            return refresh(*given, **named)

        monkeypatch.setattr(store.store.index, "refresh", counted)
        monkeypatch.setattr(pace, "monotonic", lambda: now[0])
        (vault / "other.md").write_text("# Other\n\na quince\n")
        now[0] += pace.PATIENCE - 1
        store.edit("odd", append="two")
        assert looks == []
        assert [hit["slug"] for hit in store.recall("quince")["hits"]] == ["other"]
        assert looks == [now[0]]
        store.store.pace.took = 0.0
        now[0] += pace.PATIENCE + 1
        store.edit("odd", append="three")
        assert looks[1:] == [now[0]]
