"""Forgetting ends a page's life, never later than it would have ended anyway."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput


@pytest.mark.parametrize(
    ("mode", "until", "message"),
    [
        ("hard", "2030-01-01", "valid_until does not go with hard: the page is removed at once"),
        ("archive", "2030-01-01", "valid_until does not go with archive: the page is out of use at once"),
        ("hard", "", "valid_until is empty"),
        ("soft", "", "valid_until is empty"),
        ("decay", " ", "valid_until is empty"),
    ],
)
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_day_that_would_be_ignored_is_refused(
    memex: Memex, mode: str, until: str, message: str, dry_run: bool
) -> None:
    page = Path(memex.write(type="entity", title="Page")["file_path"])
    before = page.read_bytes()
    with pytest.raises(BadInput) as refused:
        memex.forget("page", mode=mode, valid_until=until, dry_run=dry_run)
    assert (refused.value.message, refused.value.exit_code) == (message, 2)
    assert page.read_bytes() == before


@pytest.mark.parametrize("mode", ["soft", "decay"])
@pytest.mark.parametrize("given", [None, "2031-01-01"])
@pytest.mark.parametrize("ended", ["2020-01-01", "2020-05-01T00:00:00Z"])
def test_what_is_over_stays_over(memex: Memex, mode: str, given: str | None, ended: str) -> None:
    page = Path(memex.write(type="entity", title="Page", body="walnut", valid_until=ended)["file_path"])
    before = page.read_bytes()
    assert memex.forget("page", mode=mode, valid_until=given)["valid_until"] == ended
    assert page.read_bytes() == before
    assert memex.recall("walnut")["hits"] == []


def test_a_page_forgotten_softly_does_not_fade_from_then_on(memex: Memex) -> None:
    memex.write(type="entity", title="Page")
    ended = memex.forget("page", mode="soft")["valid_until"]
    assert memex.forget("page", mode="decay")["valid_until"] == ended


def test_an_earlier_day_shortens_the_life(memex: Memex) -> None:
    memex.write(type="entity", title="Page", valid_until="2099-01-01")
    assert memex.forget("page", mode="soft", valid_until="2098-12-31")["valid_until"] == "2098-12-31"
    assert memex.show("page")["valid_until"] == "2098-12-31"
