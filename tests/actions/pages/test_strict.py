"""What would make an invalid page is refused with one clear line; reading takes everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.memex import Memex
from memex_core.model.errors import BadInput


@pytest.fixture
def memex(tmp_path: Path):  # type: ignore[no-untyped-def]
    with Memex(tmp_path / "store", create=True) as opened:
        opened.write(type="entity", title="Tide", body="High water")
        yield opened


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("id", "zz", "id 'zz' is no UUID"),
        ("status", "banana", "'banana' is no status; one of draft, stable, deprecated"),
        ("importance", "9", "importance 9 is out of range; from 0.0 to 1.0"),
        ("importance", "much", "importance must be a number"),
        ("type", "a/b", "'a/b' is no page type"),
        ("scope", "galaxy", "'galaxy' is no scope; one of global, project, branch"),
        ("valid_until", "2026-13-45", "valid_until: '2026-13-45' is no time"),
        ("valid_from", "soon", "valid_from: 'soon' is no time"),
        ("stale_after", "soon", "stale_after: 'soon' is no time"),
        ("occurred_at", "once", "occurred_at: 'once' is no time"),
        ("created", "once", "created: 'once' is no time"),
    ],
)
def test_an_invalid_value_is_refused_and_changes_nothing(
    memex: Memex, key: str, value: str, told: str
) -> None:
    before = memex.read_bytes("tide")
    for given in ({key: value}, [f"{key}={value}"]):
        with pytest.raises(BadInput) as caught:
            memex.edit("tide", set=given)
        assert told in str(caught.value)
        assert "\n" not in str(caught.value)
    assert memex.read_bytes("tide") == before


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("id", "0f8fad5b-d9cb-469f-a165-70867728950e"),
        ("status", "archived"),
        ("importance", "0.9"),
        ("type", "meeting-note"),
        ("valid_until", "2099-01-01"),
        ("occurred_at", "2026-11-30T06:00:00Z"),
        ("mood", "banana"),
    ],
)
def test_a_valid_value_is_written(memex: Memex, key: str, value: str) -> None:
    memex.edit("tide", set={key: value})
    assert memex.show("tide")["front_matter"][key] == value


def test_what_a_file_says_already_is_read_and_stays(memex: Memex) -> None:
    path = Path(memex.root, "docs", "odd.md")
    path.write_text("---\nid: zz\nstatus: banana\nimportance: 9\n---\ntext\n")
    memex.edit("odd", append="more")
    assert path.read_text() == "---\nid: zz\nstatus: banana\nimportance: 9\n---\ntext\nmore\n"


def test_in_a_folder_opened_as_it_is_other_programs_words_are_free(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("---\nid: 202611300617\n---\ntext\n")
    with Memex(tmp_path) as memex:
        memex.edit("note", set={"id": "202611300618", "status": "done", "type": "Meeting Note"})
        assert memex.show("note")["front_matter"]["status"] == "done"
        with pytest.raises(BadInput, match="importance 9 is out of range"):
            memex.edit("note", set={"importance": "9"})


def test_a_page_does_not_end_before_it_begins(memex: Memex) -> None:
    memex.edit("tide", set={"valid_from": "2026-05-01"})
    before = memex.read_bytes("tide")
    told = "valid_until 2026-04-01 is not after valid_from 2026-05-01"
    with pytest.raises(BadInput, match=told):
        memex.edit("tide", set={"valid_until": "2026-04-01"})
    with pytest.raises(BadInput, match=told):
        memex.write(type="entity", title="Tide", valid_until="2026-04-01", update=True)
    assert memex.read_bytes("tide") == before
    memex.edit("tide", set={"valid_from": "2026-03-01", "valid_until": "2026-04-01"})
