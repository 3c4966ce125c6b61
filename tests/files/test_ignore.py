from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.files.ignore import Rules, ignored, is_asset_name, is_page_name, parse_rules


@pytest.mark.parametrize(
    "name",
    [
        "a.md",
        "A.MD",
        "a b.md",
        "v1.2.md",
        "emoji 🚀.md",
        "~draft.md",
        "_x.md",
        "etc..md",
        "x.excalidraw.md",
        " .md",
    ],
)
def test_names_of_pages(name: str) -> None:
    assert is_page_name(name, folder=True)


@pytest.mark.parametrize(
    "name",
    [
        ".a.md",
        ".a.md.swp",
        "a.md~",
        "4913",
        "#a.md#",
        ".#a.md",
        "a.md.tmp",
        ".~lock.a#",
        "a.tmp",
        "a.markdown",
        "a.mdx",
        "md",
        ".md",
        "bad\udcff.md",
        ".memex-moving-0123456789abcdef",
        ".memex-deadbeef-1-0.tmp",
    ],
)
def test_names_that_are_no_pages(name: str) -> None:
    assert not is_page_name(name, folder=True)


def test_generated_names_are_reserved_in_a_store_only() -> None:
    for name in ("index.md", "log.md", "Index.md"):
        assert not is_page_name(name, folder=False)
        assert is_page_name(name, folder=True)


def test_leftovers_of_editors_are_no_assets_either() -> None:
    temporary = [".a.md.swp", "a.md~", "4913", "#a.md#", ".#a.md", "a.md.tmp", ".~lock.a#", "a.tmp", "x.bak"]
    assert [name for name in temporary if is_asset_name(name)] == []
    assert all(is_asset_name(name) for name in ("pot.png", "paper.pdf", "a.canvas", "#1.png", "LICENSE"))


@pytest.mark.parametrize(
    ("lines", "path", "is_folder", "hidden"),
    [
        ("drafts/", "drafts", True, True),
        ("drafts/", "drafts", False, False),
        ("drafts/", "a/drafts", True, True),
        ("drafts", "a/drafts", False, True),
        ("/drafts", "drafts", True, True),
        ("/drafts", "a/drafts", True, False),
        ("a/b", "a/b", False, True),
        ("a/b", "x/a/b", False, False),
        ("*.tmp.md", "x/y.tmp.md", False, True),
        ("*", "a", False, True),
        ("a*c", "abc", False, True),
        ("a*c", "a/c", False, False),
        ("/a/*.md", "a/x.md", False, True),
        ("/a/*.md", "a/b/x.md", False, False),
        ("a?c.md", "abc.md", False, True),
        ("a?c.md", "a/c.md", False, False),
        ("**/x.md", "x.md", False, True),
        ("**/x.md", "a/b/x.md", False, True),
        ("a/**", "a/b/c.md", False, True),
        ("a/**", "a", True, False),
        ("a/**/b.md", "a/b.md", False, True),
        ("a/**/b.md", "a/x/y/b.md", False, True),
        ("a/**/b.md", "ab.md", False, False),
        ("foo**bar.md", "foo-x-bar.md", False, True),
        ("[ab].md", "a.md", False, True),
        ("[!ab].md", "a.md", False, False),
        ("[!ab].md", "c.md", False, True),
        ("[a-c]x.md", "bx.md", False, True),
        ("[]x].md", "].md", False, True),
        ("[a--].md", "a.md", False, True),
        ("[a&&b~~c||d].md", "&.md", False, True),
        ("[[:digit:]].md", "7.md", False, True),
        ("x[", "x[", False, False),
        ("# note\n\nx.md", "# note", False, False),
        ("\\#x.md", "#x.md", False, True),
        ("\\!x.md", "!x.md", False, True),
        ("x.md   ", "x.md", False, True),
        ("x\\ ", "x ", False, True),
        ("x.md\r\ny.md\r\n", "y.md", False, True),
        ("*.md\n!keep.md", "keep.md", False, False),
        ("*.md\n!keep.md", "other.md", False, True),
        ("!keep.md\n*.md", "keep.md", False, True),
        ("Größe.md", "Größe.md", False, True),
        ("a.md", "aXmd", False, False),
        ("/", "a", True, False),
        ("x\\", "x", False, False),
    ],
)
def test_lines_mean_what_gitignore_lines_mean(lines: str, path: str, is_folder: bool, hidden: bool) -> None:
    chain = [Rules("", parse_rules(lines))]
    assert ignored(chain, path, is_folder=is_folder) is hidden


def test_the_nearest_file_has_the_last_word() -> None:
    chain = [Rules("", parse_rules("*.md")), Rules("keep/", parse_rules("!a.md\n/b.md"))]
    assert not ignored(chain, "keep/a.md", is_folder=False)
    assert ignored(chain, "keep/b.md", is_folder=False)
    assert ignored(chain, "keep/c.md", is_folder=False)


@given(st.text(alphabet="ab*?[]!/\\-.# ", max_size=12), st.text(alphabet="ab/.- ", min_size=1, max_size=12))
def test_no_line_is_too_odd(line: str, path: str) -> None:
    chain = [Rules("", parse_rules(line))]
    assert ignored(chain, path, is_folder=False) in (True, False)


def test_many_stars_take_no_time() -> None:
    """With backtracking this would take until the end of time; the test would hang."""
    chain = [Rules("", parse_rules("*a" * 60 + "*b\n" + "**/" * 20 + "x"))]
    assert not ignored(chain, "a" * 250, is_folder=False)
    assert ignored(chain, "a" * 250 + "b", is_folder=False)
