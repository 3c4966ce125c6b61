"""An edit moves the bytes it was asked to move, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import Ambiguous, BadInput, Conflict, Refused

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
