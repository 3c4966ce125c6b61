"""Two versions of a page become one: keys by key, sets entry by entry, text by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.care.sync import diff3
from memex_core.care.sync.axes import compose, split
from memex_core.care.sync.conflict import draft_of
from memex_core.care.sync.fields import merge_fields, merge_sets
from memex_core.care.sync.git import merge_files
from memex_core.care.sync.merging import merge_pages
from memex_core.care.sync.versions import compare, join
from memex_core.files import frontmatter
from memex_core.model.errors import Refused

BASE = b"""---
type: entity
title: Rye  # a comment stays
tags: [grain, old]
sources:
  - id: s1
    resource: memex:x#1
    lane: evidence
id: "1"
---
one
two
three
four
five
"""


def test_what_each_side_changed_is_taken() -> None:
    ours = BASE.replace(b"[grain, old]", b"[grain, bread]").replace(b"two", b"TWO")
    theirs = BASE.replace(b"[grain, old]", b"[grain, old, field]").replace(b"five", b"FIVE")
    theirs = theirs.replace(b'id: "1"', b'id: "1"\nstatus: deprecated')
    done = merge_pages(BASE, ours, theirs)
    assert done.clean
    assert done.data == (
        BASE.replace(b"[grain, old]", b"[grain, bread, field]")
        .replace(b"two", b"TWO")
        .replace(b"five", b"FIVE")
        .replace(b'id: "1"', b'status: deprecated\nid: "1"')
    )


def test_marks_are_left_in_the_body_only() -> None:
    ours = BASE.replace(b"title: Rye ", b"title: Secale ").replace(b"two", b"ours")
    theirs = BASE.replace(b"title: Rye ", b"title: Roggen ").replace(b"two", b"theirs")
    done = merge_pages(BASE, ours, theirs)
    assert (done.clashes, done.keys, done.clean) == (1, ("title",), False)
    found = frontmatter.read(done.data)
    assert (found.kind, found.fields["title"], found.problems) == ("yaml", "Secale", [])
    assert found.body == (
        "<<<<<<< ours\ntitle: Secale\n=======\ntitle: Roggen\n>>>>>>> theirs\n"
        "one\n<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\nthree\nfour\nfive\n"
    )


HEAD = b"---\ntype: entity\n---\n"


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "wanted"),
    [
        (b"a\nx\xff\n-\nb\n", b"a\nx\xfe\n-\nb\n", b"a\nx\xff\n-\nB\n", b"a\nx\xfe\n-\nB\n"),
        (b"a\nx\xff\n-\nb\n", b"a\nx\xff\n-\nB\n", b"a\nx\xfe\n-\nb\n", b"a\nx\xfe\n-\nB\n"),
        (
            b"a\nx\nb\n",
            b"a\nx \xff\nb\n",
            b"a\nx \xc3\nb\n",
            b"a\n<<<<<<< ours\nx \xff\n=======\nx \xc3\n>>>>>>> theirs\nb\n",
        ),
        (
            None,
            b"a\nx \xff",
            b"a\nx \xef\xbf\xbd",
            b"a\n<<<<<<< ours\nx \xff\n=======\nx \xef\xbf\xbd\n>>>>>>> theirs\n",
        ),
        (
            b"a\r\nx\xff\r\n-\nb\n",
            b"a\r\nx\xff\r\n-\nB\n",
            b"a\r\nx\xfe\xfc\r\n-\nb\n",
            b"a\r\nx\xfe\xfc\r\n-\nB\n",
        ),
    ],
)
def test_bytes_that_are_no_text_stay_what_they_are(
    base: bytes | None, ours: bytes, theirs: bytes, wanted: bytes
) -> None:
    done = merge_pages(HEAD + base if base is not None else None, HEAD + ours, HEAD + theirs)
    assert done.data == HEAD + wanted
    assert done.clashes == wanted.count(b"<<<<<<<")


def test_front_matter_that_is_no_utf8_is_merged_as_text(tmp_path: Path) -> None:
    sides = {
        "base": b"---\ntype: entity\ntitle: F\xfc\n---\nb\n",
        "ours": b"---\ntype: entity\ntitle: F\xfc\n---\nB\n",
        "theirs": b"---\ntype: entity\ntitle: F\xfcr\n---\nb\n",
    }
    with pytest.raises(Refused, match="no UTF-8"):
        merge_pages(*sides.values())
    for name, data in sides.items():
        (tmp_path / name).write_bytes(data)
    done = merge_files(*(str(tmp_path / name) for name in sides))
    assert (done["merged"], done["clashes"]) == (True, 0)
    assert (tmp_path / "ours").read_bytes() == b"---\ntype: entity\ntitle: F\xfcr\n---\nB\n"


def test_the_draft_of_a_conflict_holds_the_other_text_byte_for_byte() -> None:
    kept, other = HEAD + b"x \xff\n", HEAD + b"x \xfe"
    draft = draft_of("id:1", "a.md", kept, other, folder=False)
    assert draft is not None
    assert draft.data.endswith(b"---\nx \xfe\n")


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "wanted"),
    [
        (["a", "b"], ["a"], ["a", "b", "c"], ["a", "c"]),
        (["a"], ["a", "x"], ["a", "y"], ["a", "x", "y"]),
        (["a"], None, ["a"], None),
        (None, ["A"], ["a"], ["A"]),
        ("a, b", "a", ["a", "b"], ["a"]),
    ],
)
def test_tags_are_a_set(base: object, ours: object, theirs: object, wanted: object) -> None:
    assert merge_sets("tags", base, ours, theirs) == wanted  # type: ignore[arg-type]


def test_sources_of_both_stay_and_no_label_means_two() -> None:
    first, second = ({"id": "s1", "resource": f"memex:{name}#1"} for name in "xy")
    assert merge_sets("sources", None, [first], [second]) == [first, {**second, "id": "s2"}]
    doubted = {**first, "disputed": {"by": "human:ada"}}
    assert merge_sets("sources", [first], [first], [doubted]) == [doubted]
    assert merge_sets("sources", [first], [], [first]) is None


@pytest.mark.parametrize(
    ("key", "base", "ours", "theirs", "wanted", "clash"),
    [
        ("status", "draft", None, "deprecated", "deprecated", False),
        ("status", None, "draft", "deprecated", "deprecated", False),
        ("created", None, "2026-02-01", "2026-01-01", "2026-01-01", False),
        ("description", "a", "b", "c", "b", True),
        ("description", "a", None, "c", "c", True),
        ("description", "a", "a", None, None, False),
        ("importance", None, "0.7", None, "0.7", False),
    ],
)
def test_one_key(
    key: str, base: str | None, ours: str | None, theirs: str | None, wanted: str | None, clash: bool
) -> None:
    maps = [{} if value is None else {key: value} for value in (base, ours, theirs)]
    done = merge_fields(*maps)  # type: ignore[arg-type]
    assert done.values.get(key) == wanted
    assert done.clashes == ((key,) if clash else ())


def test_the_newer_stamp_says_who_wrote_it() -> None:
    old, new = ({"generated": {"by": f"human:{n}", "at": f"2026-0{n}-01T00:00:00Z"}} for n in (1, 2))
    for sides in ((old, new), (new, old)):
        assert merge_fields({}, *sides).values == new


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n", "e"]), max_size=8)


@given(base=LINES, ours=LINES, theirs=LINES)
def test_no_line_is_lost_and_sides_can_be_swapped(
    base: list[str], ours: list[str], theirs: list[str]
) -> None:
    found = diff3.pieces(base, ours, theirs)
    swapped = diff3.pieces(base, theirs, ours)
    assert [(p.clash, p.theirs, p.ours) if p.clash else p for p in swapped] == [tuple(p) for p in found]
    text = [line for piece in found for line in (*piece.ours, *piece.theirs)]
    assert set(ours) - set(base) <= set(text)
    assert set(theirs) - set(base) <= set(text)
    assert diff3.merged(diff3.pieces(base, ours, base)) == ("".join(ours), 0)
    assert diff3.merged(diff3.pieces(ours, ours, ours)) == ("".join(ours), 0)


def test_texts_of_unlike_length_without_a_common_one_show_only_the_difference() -> None:
    found = diff3.two_way(["a\n", "b\n"], ["a\n", "c\n"])
    assert diff3.merged(found)[0] == "a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"


def test_axes_come_apart_and_together_again() -> None:
    data = BASE.replace(b'id: "1"', b'status: draft\nid: "1"')
    parts = split(data)
    assert parts.status == {"status": "draft"}
    assert list(parts.sources) == ["sources"]
    assert b"memex:x" not in parts.text
    assert compose(parts) == data
    broken = b"---\ntitle: [a\nstatus: draft\n---\nbody\n"
    assert split(broken).text == broken


CLOCKS = st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=3)


@given(one=CLOCKS, other=CLOCKS)
def test_clocks_order_what_saw_what(one: dict[str, int], other: dict[str, int]) -> None:
    opposite = {"newer": "older", "older": "newer", "same": "same", "apart": "apart"}
    assert compare(other, one) == opposite[compare(one, other)]
    assert compare(join(one, other), one) in ("newer", "same")
    assert join(one, other) == join(other, one)


def test_git_gets_its_result_in_our_file(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    base, ours, theirs = (folder / name for name in ("base", "ours", "theirs"))
    base.write_bytes(BASE)
    ours.write_bytes(BASE.replace(b"one", b"ONE"))
    theirs.write_bytes(BASE.replace(b"five", b"FIVE"))
    done = merge_files(str(base), str(ours), str(theirs), "rye.md")
    assert (done["merged"], done["path"]) == (True, "rye.md")
    assert ours.read_bytes() == BASE.replace(b"one", b"ONE").replace(b"five", b"FIVE")
    broken = b"---\ntitle: [a\n---\nbody\n"
    base.write_bytes(broken)
    ours.write_bytes(broken.replace(b"body", b"mine"))
    theirs.write_bytes(broken.replace(b"[a", b"[b"))
    assert merge_files(str(base), str(ours), str(theirs))["clashes"] == 0
    assert ours.read_bytes() == b"---\ntitle: [b\n---\nmine\n"
