"""Dates and parents that cannot be, each named with its file and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core.care import okf_check
from memex_core.care.ordering import amiss


def page(root: Path, name: str, *lines: str) -> None:
    text = "\n".join(["---", "type: note", f"title: {name}", "description: d", *lines, "---", "x", ""])
    (root / "docs" / f"{name}.md").write_text(text)


def found(memex: Any, check: str) -> list[tuple[str, int, str]]:
    report = memex.verify()
    assert report["ok"], "these are warnings"
    (one,) = [one for one in report["checks"] if one["name"] == check]
    return [(row["file"], row["line"], row["message"]) for row in one["files"]]


def test_nobody_is_his_own_ancestor(memex: Any, root: Path) -> None:
    page(root, "a", "parent: b")
    page(root, "b", 'parent: "[[c]]"')
    page(root, "c", "parent: a")
    page(root, "child", "parent: a")
    page(root, "self", "parent: self")
    page(root, "top")
    page(root, "under", "parent: top")
    assert found(memex, "parents-acyclic") == [
        ("a.md", 5, "is its own ancestor: a.md > b.md > c.md > a.md"),
        ("b.md", 5, "is its own ancestor: b.md > c.md > a.md > b.md"),
        ("c.md", 5, "is its own ancestor: c.md > a.md > b.md > c.md"),
        ("self.md", 5, "is its own ancestor: self.md > self.md"),
    ]


def test_a_page_does_not_end_before_it_begins(memex: Any, root: Path) -> None:
    page(root, "a", "valid_from: 2026-10-01", "valid_until: 2026-09-01")
    page(root, "b", "valid_from: 2026-09-01", "valid_until: 2026-09-01")
    page(root, "c", "valid_until: 2026-09-01", "stale_after: 2026-09-02")
    page(root, "d", "stale_after: 2026-08-01", "valid_from: 2026-09-01")
    page(root, "e", "stale_after: 2026-09-01", "valid_from: 2026-09-01T10:00:00Z", "valid_until: 2026-10-01")
    assert found(memex, "validity-ordered") == [
        ("a.md", 6, "valid_until 2026-09-01 is before valid_from 2026-10-01")
    ]
    outside = [
        ("c.md", 6, "stale_after 2026-09-02 is after valid_until 2026-09-01"),
        ("d.md", 5, "stale_after 2026-08-01 is before valid_from 2026-09-01"),
    ]
    assert found(memex, "stale-in-window") == outside
    told = [tuple(one) for one in okf_check.check(str(root / "docs"))[1]]
    assert told == [
        ("warning", "a.md", 6, "valid_until 2026-09-01 is before valid_from 2026-10-01"),
        *[("warning", *one) for one in outside],
    ]


@pytest.mark.parametrize("value", [None, "soon", "", 7, ["2026-01-01"]])
def test_what_is_no_time_is_no_part_of_this(value: Any) -> None:
    assert amiss("2026-10-01", value, value) == []
    assert amiss(value, "2026-10-01", value) == []
