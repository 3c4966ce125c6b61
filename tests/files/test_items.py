"""Item files: parsing, and writing that leaves every other byte alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.files import items
from memex_core.files.items import Item
from memex_core.files.layout import of_items
from memex_core.files.provenance import Provenance, line_of, parted, value
from memex_core.model.errors import Refused

BY_HAND = (
    "\ufeff# title\r\n\r\nprose\r\n\r\n## one\r\ntext\r\n## two  words \r\n\r\nmore\r\n\r\n\r\n"
    "<!-- wikimem: owner=me | mood=good -->\r\n### three\r\n"
)


def test_a_file_is_read_section_by_section() -> None:
    found = items.parse(BY_HAND.encode(), "f")
    assert found == [
        Item("f", "one", "text", line=5),
        Item("f", "two words", "more\n\n\n<!-- wikimem: owner=me | mood=good -->\n### three", line=7),
    ]


def test_a_new_item_goes_to_the_end_and_nothing_else_moves() -> None:
    after = items.with_item(BY_HAND.encode(), Item("f", "new", "a\nb", Provenance("me")))
    assert after.decode() == f"{BY_HAND}\r\n## new\r\n\r\na\r\nb\r\n\r\n<!-- wikimem: owner=me -->\r\n"


def test_an_item_in_the_middle_is_replaced_where_it_stands() -> None:
    after = items.with_item(BY_HAND.encode(), Item("f", "one", "changed")).decode()
    assert after == BY_HAND.replace("## one\r\ntext\r\n", "## one\r\n\r\nchanged\r\n\r\n")


def test_an_item_taken_out_leaves_the_rest() -> None:
    data = BY_HAND.encode()
    assert items.without_item(data, "one").decode() == BY_HAND.replace("## one\r\ntext\r\n", "")
    assert items.without_item(data, "nothing") is data
    assert items.without_item(b"# f\n\n## one\n\nx\n", "one") == b""


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b b", "c"]), st.text(max_size=40)), max_size=6),
    st.sampled_from([b"", b"# f\n", b"prose", b"## a\nhand", b"## c\r\n\r\nx\r\n\r\n\r\n"]),
)
def test_whatever_is_written_is_read_again(writes: list[tuple[str, str]], data: bytes) -> None:
    expected = {item.name: item.content for item in items.parse(data, "f")}
    for name, text in writes:
        content = text.replace("\r\n", "\n").strip()
        item = Item("f", name, content, Provenance(ts="2026-07-10T03:00:00Z"))
        try:
            data = items.with_item(data, item)
        except UnicodeEncodeError:
            continue  # half of a surrogate pair is no text
        expected[name] = content
    found = items.last_wins(items.parse(data, "f"))
    assert {name: item.content for name, item in found.items()} == {
        name: content.replace("\r\n", "\n") for name, content in expected.items()
    }


@pytest.mark.parametrize("file", ["../x", "a/b", "/etc/passwd", "a\0"])
def test_a_file_outside_is_neither_read_nor_written(tmp_path: Path, file: str) -> None:
    layout = of_items(str(tmp_path / "store"))
    assert items.read(layout, file) == []
    with pytest.raises(Refused):
        items.put(layout, Item(file, "x", "y"))
    assert [path for path in tmp_path.rglob("*.md") if path.is_file()] == []


def test_a_link_in_the_folder_of_items_that_leads_out_is_not_written_through(tmp_path: Path) -> None:
    layout = of_items(str(tmp_path / "store"))
    items.put(layout, Item("a", "x", "y"))
    outside = tmp_path / "outside.md"
    outside.write_text("mine")
    os.symlink(outside, os.path.join(layout.pages, "b.md"))
    with pytest.raises(Refused):
        items.put(layout, Item("b", "x", "y"))
    assert outside.read_text() == "mine"


def test_the_line_of_provenance_is_read_and_written_alike() -> None:
    said = Provenance("user:x", "conv 1", "2026-07-10T03:00:00Z", (("mood", "good"),))
    assert line_of(said) == (
        "<!-- wikimem: owner=user:x | source=conv 1 | ts=2026-07-10T03:00:00Z | mood=good -->"
    )
    assert parted(f"text\n\n{line_of(said)}\n") == ("text\n", said)
    assert parted("text\n<!-- wikimem: owner=x -->\nmore") == (
        "text\n<!-- wikimem: owner=x -->\nmore",
        Provenance(),
    )
    assert line_of(Provenance()) == ""
    assert value(" a | b\n--> c--d ") == "a / b -> c--d"


def test_a_byte_order_mark_makes_a_heading_only_where_a_file_begins() -> None:
    text = "a\n\ufeff## b\nc"
    data = items.with_item("\ufeff## first\n\nx\n".encode(), Item("f", "second", text))
    assert [(item.name, item.content) for item in items.parse(data, "f")] == [
        ("first", "x"),
        ("second", text),
    ]
    assert items.with_item(data, Item("f", "first", "y")).startswith(
        "\ufeff## first\n\ny\n\n## second".encode()
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_item_that_comes_and_goes_leaves_the_file_as_it_was(newline: str) -> None:
    before = "# f\n\n## a\n\nx\n\n<!-- wikimem: owner=me -->\n".replace("\n", newline).encode()
    with_b = items.with_item(before, Item("f", "b", "y"))
    assert items.without_item(with_b, "b") == before
    assert items.without_item(items.with_item(with_b, Item("f", "c", "z")), "c") == with_b
