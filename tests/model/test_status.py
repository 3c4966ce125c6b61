from __future__ import annotations

import pytest

from memex_core.model.status import INACTIVE, STATUSES, is_known, read_status


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("draft", "draft"),
        ("stable", "stable"),
        ("deprecated", "deprecated"),
        ("pending", "draft"),
        ("active", "stable"),
        ("superseded", "deprecated"),
        ("archived", "deprecated"),
        ("inactive", "deprecated"),
        (" Draft ", "draft"),
        ("ARCHIVED", "deprecated"),
        ("", "stable"),
        (None, "stable"),
        ("done", "stable"),
        ("🌱 seedling", "stable"),
    ],
)
def test_read_status(written: str | None, status: str) -> None:
    assert read_status(written) == status


def test_inactive_states_are_states() -> None:
    assert set(INACTIVE) < set(STATUSES)
    assert "stable" not in INACTIVE


def test_unknown_words_are_told_from_older_ones() -> None:
    assert is_known("")
    assert is_known("Pending")
    assert is_known("stable")
    assert not is_known("done")
