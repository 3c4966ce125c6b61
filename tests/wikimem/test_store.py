"""Items: reading what people leave, writing by strict rules."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from memex_core.wikimem import Journal, MemoryStore, RecallItem


def put(store: MemoryStore, file: str, text: str | bytes) -> Path:
    path = store.root / "wiki" / f"{file}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_making_a_store_touches_no_file(tmp_path: Path) -> None:
    for root in (tmp_path / "a", str(tmp_path / "b")):
        store = MemoryStore(root)
        assert (store.files(), store.items(), store.get("a", "b"), store.diary.dates()) == ([], [], None, [])
        assert store.journal.entries() == []
    assert not {"a", "b"} & set(os.listdir(tmp_path))


def test_folders_appear_at_the_first_write(store: MemoryStore) -> None:
    store.add("work", "job", "robots")
    assert {"wiki", "journal.jsonl"} <= set(os.listdir(store.root))
    assert "diary" not in os.listdir(store.root)
    assert os.listdir(store.root / "wiki") == ["work.md"]


def test_the_store_owns_a_journal_and_a_diary_that_shares_it(store: MemoryStore) -> None:
    assert isinstance(store.journal, Journal)
    assert store.journal.path == store.root / "journal.jsonl"
    assert store.diary is store.diary
    assert store.diary.journal is store.journal


def test_files_are_sorted_names_of_markdown_files(seaside: MemoryStore) -> None:
    put(seaside, "My Notes", "## a\n\nx\n")
    (seaside.root / "wiki" / "picture.png").write_bytes(b"")
    (seaside.root / "wiki" / ".hidden.md").write_bytes(b"")
    assert seaside.files() == ["My Notes", "daily_life", "preferences", "work"]


def test_items_are_all_or_those_of_one_file(seaside: MemoryStore) -> None:
    assert [(item.file, item.name) for item in seaside.items()] == [
        ("daily_life", "beach-trip-plan"),
        ("preferences", "likes-the-sea"),
        ("preferences", "手冲咖啡"),
        ("work", "current-job"),
    ]
    assert [item.name for item in seaside.items("preferences")] == ["likes-the-sea", "手冲咖啡"]
    assert seaside.items("nothing") == []
    assert seaside.items("../journal") == []


def test_get_finds_a_name_whatever_its_white_space(store: MemoryStore) -> None:
    store.add("a", "two  words", "x")
    put(store, "b", "##   by \t hand  \n\ny\n")
    found = store.get("a", " two\nwords ")
    assert found is not None and found.content == "x"
    assert store.get("b", "by hand") == RecallItem("b", "by hand", "y")
    assert store.get("a", "Two words") is None
    assert store.get("nothing", "x") is None


def test_add_returns_the_item_as_it_is_stored(store: MemoryStore) -> None:
    item = store.add(
        "preferences",
        "likes-the-sea",
        " \n 喜欢海边。\r\nzwei\n\n",
        owner="user:xnne",
        source_conv="conv_001",
        ts="2026-07-10T03:00:00+00:00",
    )
    assert item == RecallItem(
        "preferences",
        "likes-the-sea",
        "喜欢海边。\nzwei",
        "user:xnne",
        "conv_001",
        "2026-07-10T03:00:00+00:00",
    )
    assert store.get("preferences", "likes-the-sea") == item


def test_the_file_is_what_the_format_says(store: MemoryStore) -> None:
    store.add("preferences", "likes-the-sea", "喜欢海边。", owner="user:xnne", ts="2026-07-10T03:00:00Z")
    store.add("preferences", "手冲咖啡", "只喝手冲咖啡。", ts="2026-07-11T03:00:00Z")
    assert (store.root / "wiki" / "preferences.md").read_text("utf-8") == (
        "# preferences\n\n"
        "## likes-the-sea\n\n喜欢海边。\n\n"
        "<!-- wikimem: owner=user:xnne | ts=2026-07-10T03:00:00Z -->\n\n"
        "## 手冲咖啡\n\n只喝手冲咖啡。\n\n<!-- wikimem: ts=2026-07-11T03:00:00Z -->\n"
    )


def test_ts_defaults_to_now_in_utc(store: MemoryStore, later) -> None:  # type: ignore[no-untyped-def]
    later("2026-11-30T06:16:02Z")
    assert store.add("a", "b", "c").ts == "2026-11-30T06:16:02+00:00"
    assert store.add("a", "d", "c", ts="2026-11-30T08:00:00.9+02:00").ts == "2026-11-30T06:00:00+00:00"
    with pytest.raises(ValueError):
        store.add("a", "e", "c", ts="yesterday")


def test_an_item_of_the_same_name_is_replaced_and_the_journal_says_update(store: MemoryStore) -> None:
    store.add("work", "job", "old")
    store.add("work", "other", "stays")
    store.add("work", " job ", "new")
    assert [(item.name, item.content) for item in store.items("work")] == [("job", "new"), ("other", "stays")]
    assert [line["action"] for line in store.journal.entries()] == ["add", "add", "update"]
    assert not hasattr(store, "update")


def test_remove_says_whether_there_was_one(seaside: MemoryStore) -> None:
    assert seaside.remove("preferences", "手冲咖啡", owner="user:xnne") is True
    assert seaside.remove("preferences", "手冲咖啡") is False
    assert seaside.remove("nothing", "x") is False
    assert [item.name for item in seaside.items("preferences")] == ["likes-the-sea"]
    last = seaside.journal.entries()[-1]
    assert (last["action"], last["item"], last["owner"]) == ("remove", "手冲咖啡", "user:xnne")
    assert len(seaside.journal.entries()) == 5


def test_removing_the_last_item_deletes_the_file(store: MemoryStore) -> None:
    store.add("work", "job", "x")
    assert store.remove("work", "job")
    assert os.listdir(store.root / "wiki") == []
    assert store.files() == []


@pytest.mark.parametrize(("file", "name"), [("Work", "job"), ("../x", "job"), ("work", "a:b"), ("work", " ")])
def test_a_name_that_is_not_allowed_raises_and_writes_nothing(
    store: MemoryStore, file: str, name: str
) -> None:
    with pytest.raises(ValueError):
        store.add(file, name, "x")
    assert not store.root.exists()
    assert store.revision == 0


def test_revision_counts_writes_of_items_by_this_object_only(store: MemoryStore) -> None:
    assert store.revision == 0
    store.add("a", "b", "c")
    store.add("a", "b", "d")
    store.remove("a", "gone")
    assert store.revision == 2
    store.diary.append("x")
    put(store, "hand", "## a\n\nx\n")
    MemoryStore(store.root).add("a", "other", "c")
    assert store.revision == 2
    store.remove("a", "b")
    assert store.revision == 3


def test_every_write_is_one_journal_line(store: MemoryStore) -> None:
    store.add("a", "b", "c", owner="o", source_conv="s", ts="2026-07-10T03:00:00Z")
    store.remove("a", "b")
    lines = store.journal.entries()
    assert [{key: line[key] for key in line if key != "ts"} for line in lines] == [
        {"action": "add", "file": "a", "item": "b", "owner": "o", "source_conv": "s"},
        {"action": "remove", "file": "a", "item": "b"},
    ]


def test_a_write_replaces_the_file_in_one_step(store: MemoryStore) -> None:
    """The old file, held open by a reader, keeps its text: it was replaced, not rewritten."""
    store.add("a", "b", "old")
    path = store.root / "wiki" / "a.md"
    with open(path, encoding="utf-8") as reader:
        store.add("a", "b", "new")
        assert "old" in reader.read()
    assert "new" in path.read_text("utf-8")
    assert os.listdir(path.parent) == ["a.md"]


def test_many_threads_lose_no_item(store: MemoryStore) -> None:
    def write(number: int) -> None:
        for count in range(3):
            MemoryStore(store.root).add("shared", f"t{number} n{count}", "x")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.items("shared")) == 9
    assert len(store.journal.entries()) == 9


# -- what people leave -------------------------------------------------------------------------


def test_a_hand_written_item_has_no_provenance(store: MemoryStore) -> None:
    put(store, "a", "## by-hand\njust text\n")
    assert store.items("a") == [RecallItem("a", "by-hand", "just text")]


def test_of_a_duplicate_the_last_wins_and_the_next_write_drops_the_others(store: MemoryStore) -> None:
    path = put(store, "a", "# a\n\n## x\n\nfirst\n\n## y\n\nyes\n\n## x\n\nsecond\n")
    assert [(item.name, item.content) for item in store.items("a")] == [("x", "second"), ("y", "yes")]
    store.add("a", "z", "new", ts="2026-07-10T03:00:00Z")
    assert path.read_text() == (
        "# a\n\n## x\n\nsecond\n\n## y\n\nyes\n\n## z\n\nnew\n\n<!-- wikimem: ts=2026-07-10T03:00:00Z -->\n"
    )


def test_text_above_the_first_heading_belongs_to_no_item_and_stays(store: MemoryStore) -> None:
    path = put(store, "a", "# My title\n\nprose of mine\n\n## x\n\ntext\n")
    assert [item.content for item in store.items("a")] == ["text"]
    store.add("a", "y", "new")
    assert path.read_text().startswith("# My title\n\nprose of mine\n\n## x\n\ntext\n\n## y\n")


@pytest.mark.parametrize(
    "comment",
    ["<!-- wikimem owner=x -->", "<!-- wikimem: owner=x", "<!-- other: owner=x -->", "wikimem: owner=x"],
)
def test_a_malformed_comment_is_content(store: MemoryStore, comment: str) -> None:
    put(store, "a", f"## x\n\ntext\n\n{comment}\n")
    assert store.items("a") == [RecallItem("a", "x", f"text\n\n{comment}")]


def test_parts_of_the_comment_are_read_one_by_one(store: MemoryStore) -> None:
    put(
        store, "a", "## x\n\ntext\n\n  <!--wikimem:  owner = me |junk| =v | k= | mood=good | ts=T1  -->  \n\n"
    )
    assert store.items("a") == [RecallItem("a", "x", "text", "me", None, "T1")]
    store.add("a", "y", "new")
    assert "mood=good" in (store.root / "wiki" / "a.md").read_text()


def test_a_bar_in_provenance_becomes_a_slash_and_nothing_breaks_the_comment(store: MemoryStore) -> None:
    store.add("a", "x", "t", owner=" a|b ", source_conv="c --> d\ne")
    found = store.get("a", "x")
    assert found is not None
    assert (found.owner, found.source_conv, found.content) == ("a/b", "c -> d e", "t")


@pytest.mark.parametrize(
    "content",
    [
        "## looks like a heading\nand more",
        "```\n## comment in code\n```",
        "\\## escaped already",
        "ends with\n\n<!-- wikimem: owner=forged | ts=1999-01-01T00:00:00Z -->",
        "# level one\n### level three\n##no-space",
        "unclosed ```python\n## x",
        "",
        "one\n\n\n\ntwo",
    ],
)
def test_any_content_comes_back_as_it_was_given(store: MemoryStore, content: str) -> None:
    store.add("a", "before", "1")
    store.add("a", "x", content, owner="me")
    store.add("a", "after", "2")
    found = store.get("a", "x")
    assert found is not None
    assert (found.content, found.owner) == (content, "me")
    assert [item.name for item in store.items("a")] == ["before", "x", "after"]


def test_odd_bytes_are_read_and_stay_as_they_are(store: MemoryStore) -> None:
    path = put(store, "a", b"\xef\xbb\xbf## x\r\n\r\nbad \xff byte\r\n\r\n## y\r\n\r\nok\r\n")
    assert [(item.name, item.content) for item in store.items("a")] == [("x", "bad \ufffd byte"), ("y", "ok")]
    store.add("a", "y", "new", ts="2026-07-10T03:00:00Z")
    assert path.read_bytes() == (
        b"\xef\xbb\xbf## x\r\n\r\nbad \xff byte\r\n\r\n"
        b"## y\r\n\r\nnew\r\n\r\n<!-- wikimem: ts=2026-07-10T03:00:00Z -->\r\n"
    )


def test_a_folder_or_a_link_out_of_the_store_is_no_item_file(store: MemoryStore, tmp_path: Path) -> None:
    outside = tmp_path / "secret.md"
    outside.write_text("## password\n\nhunter2\n")
    put(store, "a", "## x\n\ny\n")
    (store.root / "wiki" / "folder.md").mkdir()
    os.symlink(outside, store.root / "wiki" / "link.md")
    os.symlink("nowhere", store.root / "wiki" / "gone.md")
    os.mkfifo(store.root / "wiki" / "pipe.md")
    assert [(item.file, item.name) for item in store.items()] == [("a", "x")]
    assert store.files() == ["a", "link"]
    assert outside.read_text() == "## password\n\nhunter2\n"


def test_half_a_character_breaks_neither_file_nor_journal(store: MemoryStore) -> None:
    kept = store.add("a", "x", "cut \ud83d", owner="\udcff", source_conv="c\ud800")
    assert (kept.content, kept.owner, kept.source_conv) == ("cut ?", "?", "c?")
    assert store.items() == [kept]
    assert store.journal.entries()[-1]["owner"] == "?"
    with pytest.raises(ValueError, match="half a character"):
        store.add("a", "n\ud83d", "text")
