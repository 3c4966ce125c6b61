"""A link's heading or block that its page lacks is named; whatever a page does offer is found."""

from __future__ import annotations

from pathlib import Path

from memex_core import Memex

PAGE = """---
up: x
---
# Tides

## About *her* [[q|boat]]

text ^quay

## Day

## Day

### Custom {#own}
<a id="html"></a>

```
## In code
```
"""


def astray(root: Path) -> list[tuple[str, int, str]]:
    with Memex(root) as memex:
        report = memex.verify()
    (check,) = [one for one in report["checks"] if one["name"] == "headings-found"]
    assert check["level"] == "warning"
    return [(row["file"], row["line"], row["message"]) for row in check["files"]]


def test_places_that_are_there_are_found(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "picture.pdf").write_bytes(b"%PDF")
    (tmp_path / "a.md").write_text(
        "[[page#Tides]] [[PAGE#tides]] [[page#^quay]] [x](page.md#about-her-boat) [[page#Tides#Day]]\n"
        "[x](page.md#day-1) [x](page.md#own) [x](page.md#html) [x](page.md#top) [x](page.md#L10) [[page#]]\n"
        "![[picture.pdf#page=3]] [[#Here]] [[gone#Anything]]\n\n# Here\n"
    )
    assert astray(tmp_path) == []


def test_places_that_are_not_there_are_named(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "a.md").write_text(
        "[[page#Ebb|x]]\n\n[[page#^pier]] [x](page.md#in-code)\n[[page#Day#Tides]]\n"
    )
    (tmp_path / "b.md").write_text('---\nup: "[[page#Ebb]]"\n---\n[[#Nowhere]]\n')
    assert astray(tmp_path) == [
        ("a.md", 1, "page.md has no heading 'Ebb'"),
        ("a.md", 3, "page.md has no block ^pier"),
        ("a.md", 3, "page.md has no heading 'in-code'"),
        ("a.md", 4, "page.md has no heading 'Day#Tides'"),
        ("b.md", 2, "page.md has no heading 'Ebb'"),
        ("b.md", 4, "b.md has no heading 'Nowhere'"),
    ]
