"""What verify says of links that lead nowhere."""

from __future__ import annotations

from typing import Any


def test_a_missing_file_is_not_called_a_page(memex: Any) -> None:
    memex.write(
        type="note", title="A", body="![[shot.png]] [[Plan B]] [[Dr. Who]] [[v1.2]] [x](data.csv) [[new.md]]"
    )
    check = next(check for check in memex.verify()["checks"] if check["name"] == "links-resolve")
    assert [found["message"] for found in check["files"]] == [
        "no file 'shot.png'",
        "no page 'Plan B'",
        "no page 'Dr. Who'",
        "no page 'v1.2'",
        "no file 'data.csv'",
        "no page 'new.md'",
    ]
