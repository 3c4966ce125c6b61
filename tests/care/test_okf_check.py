"""Conformance of a bundle: what the format demands, and what is only odd, with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.care.okf_check import check

PAGE = "---\ntype: entity\ntitle: T\ndescription: d\n---\nx\n"


def findings(root: Path, **files: str | bytes) -> list[tuple[str, str, int, str]]:
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [tuple(one) for one in check(str(root))[1]]


def test_a_bundle(tmp_path: Path) -> None:
    assert (
        findings(
            tmp_path,
            a=PAGE,
            b__c=PAGE.replace("x\n", "[a](../a.md) [up](/a.md) [out](https://example.org/x.md) [[wanted]]\n"),
            index='---\nokf_version: "0.2"\n---\n# Index\n\n* [a](a.md)\n',
            log="# Log\n\n## 2026-11-30: two\n\n* **Update**: [a](/a.md)\n\n## 2026-11-29\n",
        )
        == []
    )
    assert check(str(tmp_path))[0] == 2


@pytest.mark.parametrize(
    ("text", "level", "line", "message"),
    [
        ("x\n", "error", 1, "there is no front matter"),
        ("", "error", 1, "there is no front matter"),
        ("---\ntitle: T\ndescription: d\n---\n", "error", 1, "type is missing"),
        ("---\ntitle: T\ntype:\ndescription: d\n---\n", "error", 3, "type is missing"),
        ("---\ntitle: T\ntype: [a]\ndescription: d\n---\n", "error", 3, "type is no text"),
        ("+++\ntype = 'x'\n+++\n", "error", 1, "front matter must be YAML, not TOML"),
        (PAGE.replace("---\nx", "status: active\n---\nx"), "warning", 5, "status 'active' is none of draft, stable, deprecated"),
        (PAGE.replace("---\nx", "tags: a, b\n---\nx"), "warning", 5, "tags are no list"),
        (PAGE.replace("---\nx", "stale_after: soon\n---\nx"), "warning", 5, "stale_after is no ISO 8601 time"),
        (PAGE.replace("---\nx", "generated: {by: me}\n---\nx"), "warning", 5, "generated needs by and at"),
        (PAGE.replace("---\nx", "verified:\n  - {by: me}\n---\nx"), "warning", 5, "verified needs by and at"),
        (PAGE.replace("---\nx", "sources: [x]\n---\nx"), "warning", 5, "a source names no resource"),
        (PAGE.replace("title: T\n", ""), "warning", 1, "title is missing"),
        (PAGE + "\n[x](gone.md)\n", "warning", 8, "a link leads to nothing: gone.md"),
    ],
)  # fmt: skip
def test_a_page(tmp_path: Path, text: str, level: str, line: int, message: str) -> None:
    assert findings(tmp_path, a=text) == [(level, "a.md", line, message)]


def test_a_block_that_does_not_parse_is_named_with_its_line(tmp_path: Path) -> None:
    ((level, file, line, message),) = findings(tmp_path, a="---\ntype: x\ntitle: @me\n---\n")
    assert (level, file, line) == ("error", "a.md", 3)
    assert message.startswith("the front matter does not parse: ")


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        ("b__index", "---\ntype: x\n---\n# I\n", 1, "only okf_version may stand in front of the root's index.md, nothing elsewhere"),
        ("index", "---\ntype: x\n---\n# I\n", 1, "only okf_version may stand in front of the root's index.md, nothing elsewhere"),
        ("index", "* [a](https://a.example)\n", 1, "an index needs a heading"),
        ("index", "# I\n\n* a\n", 3, "an entry of an index is a link"),
        ("log", "---\nx: y\n---\n", 1, "a log has no front matter"),
        ("log", "# Log\n\n## Monday\n", 3, "a heading of a log begins with a day, as in ## 2026-11-30"),
        ("log", "## 2026-02-30\n", 1, "a heading of a log begins with a day, as in ## 2026-11-30"),
        ("log", "## 2026-01-01\n\n## 2026-01-02\n", 3, "a log goes from the newest day to the oldest"),
    ],
)  # fmt: skip
def test_reserved_files(tmp_path: Path, name: str, text: str, line: int, message: str) -> None:
    assert findings(tmp_path, **{name: text}) == [("error", f"{name.replace('__', '/')}.md", line, message)]
    assert check(str(tmp_path))[0] == 0


def test_a_link_is_decoded_once_as_a_reader_does(tmp_path: Path) -> None:
    name = "a (1) #2 %20 ?.md"
    (tmp_path / name).write_text(PAGE)
    links = "[a](a%20%281%29%20%232%20%2520%20%3F.md)\n[b](a%20%281%29%20%232%20%20%20%3F.md)\n"
    assert findings(tmp_path, b=PAGE.replace("x\n", links)) == [
        ("warning", "b.md", 7, "a link leads to nothing: a (1) #2   ?.md")
    ]


def test_the_index_that_memex_writes_is_sound(memex: Memex, root: Path) -> None:
    (root / "docs" / "a (1) #2 %20 ?.md").write_text(PAGE)
    memex.look_again()
    memex.okf_index()
    assert "%2520" in (root / "docs" / "index.md").read_text()
    assert check(str(root / "docs"))[1] == []


def test_a_reserved_name_is_reserved_in_any_case_as_it_is_for_the_list(memex: Memex, root: Path) -> None:
    docs = root / "docs"
    (docs / "Log.md").write_text(PAGE)
    (docs / "sub").mkdir()
    (docs / "sub" / "INDEX.MD").write_text("# I\n")
    (docs / "Upper.MD").write_text(PAGE)
    told = memex.okf_check()
    assert told["pages"] == memex.list()["total"] == 1
    assert [(one["file"], one["message"]) for one in told["findings"]] == [
        ("Log.md", "a log has no front matter")
    ]
