"""One page of two devices: the rules, one by one, and that it does not matter whose is asked first."""

from __future__ import annotations

import pytest

from memex_core.care.sync.axes import split
from memex_core.care.sync.pages import Side, common, life_of, merge
from memex_core.care.sync.record import Record
from memex_core.files.atomic import digest

PAGE = (
    b"---\ntitle: Rye\nid: x\ngenerated: {by: 'human:a', at: '2026-01-01T00:00:00Z'}\n---\none\ntwo\nthree\n"
)


def side(data: bytes, device: str, path: str = "rye.md", **clocks: dict[str, int]) -> Side:
    """The page as ``device`` has changed it once, in everything that ``clocks`` does not say."""
    record = Record(path, digest(data))
    record.digests = split(data).digests()
    record.clocks = {name: {device: 1} for name in record.clocks} | clocks
    return Side(record, data)


def both(one: Side, other: Side, base: bytes | None = None) -> tuple[bytes, bytes | None]:
    """The page and the text that lost; the same whichever side is ours."""
    done, swapped = merge(one, other, base, {"a": 9}), merge(other, one, base, {"b": 9})
    assert (done.data, done.other, done.record.path) == (swapped.data, swapped.other, swapped.record.path)
    assert done.record.digests == split(done.data).digests()
    return done.data, done.other


@pytest.mark.parametrize(
    ("key", "ours", "theirs", "wanted"),
    [
        ("id:x", ("here", {"a": 1}), ("gone", {"a": 1, "b": 1}), "gone"),
        ("id:x", ("here", {"a": 2, "b": 1}), ("gone", {"a": 1, "b": 1}), "here"),
        ("id:x", ("here", {"a": 2}), ("gone", {"a": 1, "b": 1}), "gone"),
        ("id:x", ("here", {"a": 9, "b": 9}), ("purged", {"b": 1}), "purged"),
        ("path:x", ("here", {"a": 9, "b": 9}), ("purged", {"b": 1}), "here"),
        ("path:x", ("here", {"a": 9}), ("purged", {"b": 1}), "purged"),
    ],
)
def test_whether_a_page_is_here(
    key: str, ours: tuple[str, dict[str, int]], theirs: tuple[str, dict[str, int]], wanted: str
) -> None:
    records = [Record("rye.md", "x", life) for life, _ in (ours, theirs)]
    for record, (_, clock) in zip(records, (ours, theirs), strict=True):
        record.clocks["life"] = clock
    assert life_of(key, *records) == wanted
    assert life_of(key, *reversed(records)) == wanted


def test_the_later_text_stays_and_the_other_is_handed_out() -> None:
    early = PAGE.replace(b"two", b"early")
    late = PAGE.replace(b"two", b"late").replace(b"2026-01-01", b"2026-01-02")
    assert both(side(early, "a"), side(late, "b")) == (late, early)


def test_of_one_second_the_digest_decides() -> None:
    one, other = PAGE.replace(b"two", b"left"), PAGE.replace(b"two", b"right")
    kept, lost = both(side(one, "a"), side(other, "b"))
    assert {kept, lost} == {one, other}


def test_with_a_common_text_both_changes_stay() -> None:
    one, other = PAGE.replace(b"one", b"ONE"), PAGE.replace(b"three", b"THREE")
    assert both(side(one, "a"), side(other, "b"), PAGE) == (
        PAGE.replace(b"one", b"ONE").replace(b"three", b"THREE"),
        None,
    )


def test_whoever_has_seen_the_others_change_is_followed() -> None:
    one, other = PAGE.replace(b"two", b"old"), PAGE.replace(b"two", b"new")
    ours, theirs = side(one, "a", text={"a": 1}), side(other, "b", text={"a": 1, "b": 1})
    assert both(ours, theirs) == (other, None)


def test_inactive_wins_a_tie() -> None:
    draft = PAGE.replace(b"id: x", b"status: draft\nid: x")
    gone = PAGE.replace(b"id: x", b"status: deprecated\nid: x")
    assert split(both(side(draft, "a"), side(gone, "b"))[0]).status == {"status": "deprecated"}
    assert split(both(side(PAGE, "a"), side(gone, "b"))[0]).status == {"status": "deprecated"}


def test_each_thing_changes_by_itself() -> None:
    """One device archived the page, the other wrote: the page is archived and says what was written."""
    written = PAGE.replace(b"two", b"new")
    archived = PAGE.replace(b"id: x", b"status: deprecated\nid: x")
    ours = side(written, "a", status={"z": 1}, text={"a": 1})
    theirs = side(archived, "b", status={"z": 1, "b": 1}, text={"z": 1})
    ours.record.clocks["text"] = {"z": 1, "a": 1}
    data, lost = both(ours, theirs)
    assert lost is None
    assert (split(data).status, split(data).text) == ({"status": "deprecated"}, split(written).text)


def test_sources_of_both_are_kept() -> None:
    one, other = (
        PAGE.replace(b"id: x", b"sources:\n  - {id: s1, resource: 'memex:%s#1'}\nid: x" % name)
        for name in (b"p", b"q")
    )
    sources = split(both(side(one, "a"), side(other, "b"))[0]).sources["sources"]
    assert isinstance(sources, list)
    assert sorted(str(one["resource"]) for one in sources if isinstance(one, dict)) == [
        "memex:p#1",
        "memex:q#1",
    ]
    assert sorted(str(one["id"]) for one in sources if isinstance(one, dict)) == ["s1", "s2"]


def test_the_newest_file_that_both_had() -> None:
    one, other = Record("a.md", "r4"), Record("a.md", "r5")
    one.past, other.past = ["r1", "r2", "r3"], ["r1", "r2"]
    assert common(one, other) == common(other, one) == "r2"
    other.past = ["q"]
    assert common(one, other) == ""


def test_of_two_names_given_apart_one_stays() -> None:
    done = [
        merge(side(PAGE, one, f"{one}.md"), side(PAGE, other, f"{other}.md"), None, {}).record.path
        for one, other in (("a", "b"), ("b", "a"))
    ]
    assert done == ["a.md", "a.md"]
