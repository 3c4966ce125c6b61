"""Ranking, links, budget: from a query to the items that answer it."""

from __future__ import annotations

import math
from dataclasses import fields

import pytest

from memex_core.wikimem import MemoryIndex, MemoryStore, RetrievalResult, RetrievedItem


def names(result: RetrievalResult) -> list[str]:
    return [one.item.name for one in result.items]


def hits(result: RetrievalResult) -> list[str]:
    return [one.item.name for one in result.items if one.source == "hit"]


def test_the_result_has_the_fields_of_the_contract() -> None:
    assert [field.name for field in fields(RetrievalResult)] == (
        "items budget_tokens budget_used embedding_used dropped unresolved_links "
        "time_range time_range_source time_range_widened"
    ).split()
    assert [field.name for field in fields(RetrievedItem)] == (
        "item source score bm25_score cos_score via matched_terms tokens_est"
    ).split()


def test_scores_are_bm25_with_its_usual_numbers(store: MemoryStore) -> None:
    """Worked out by hand: N 3, df 2, k1 1.5, b 0.75; lengths count the name's words too."""
    store.add("f", "one", "apple apple pear")
    store.add("f", "two", "apple")
    store.add("f", "three", "plum plum plum plum plum plum")
    found = {one.item.name: one.score for one in MemoryIndex(store).retrieve("apple").items}
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    average = (4 + 2 + 7) / 3
    norm = {length: 1.5 * (1 - 0.75 + 0.75 * length / average) for length in (4, 2)}
    assert found["one"] == pytest.approx(idf * 2 * 2.5 / (2 + norm[4]))
    assert found["two"] == pytest.approx(idf * 1 * 2.5 / (1 + norm[2]))
    assert set(found) == {"one", "two"}


def test_name_and_content_are_searched(seaside: MemoryStore) -> None:
    index = MemoryIndex(seaside)
    assert hits(index.retrieve("current job")) == ["current-job"]
    assert hits(index.retrieve("咖啡")) == ["手冲咖啡"]
    assert hits(index.retrieve("robots")) == ["current-job"]
    assert hits(index.retrieve("ROBOTS harbour")) == ["current-job"]


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("用户身份验证与数据库设计", "数据库"),
        ("東京で寿司を食べた", "寿司"),
        ("한국 역사 수업", "역사"),
        ("ชอบดื่มกาแฟตอนเช้า", "กาแฟ"),
        ("يحب القهوة العربية", "القهوة"),
        ("Любит кофе по утрам", "КОФЕ"),
        ("重跑gen-itgc后50条", "itgc"),
        ("C# and Go", "c"),
        ("the db is down", "db"),
        ("喜欢海边", "海"),
        ("launched 🚀 on time", "🚀"),
    ],
)
def test_every_language_and_the_shortest_queries_find(store: MemoryStore, content: str, query: str) -> None:
    store.add("f", "wanted", content)
    store.add("f", "other", "nothing of the kind")
    index = MemoryIndex(store, use_jieba=False)
    result = index.retrieve(query)
    assert names(result) == ["wanted"]
    assert result.items[0].matched_terms


def test_a_hit_tells_its_evidence(seaside: MemoryStore) -> None:
    one = MemoryIndex(seaside).retrieve("robots in the harbour, and trains").items[0]
    assert (one.source, one.via, one.cos_score) == ("hit", None, None)
    assert one.score == one.bm25_score and one.score is not None and one.score > 0
    assert one.matched_terms == ["harbour", "in", "robots", "the"]
    assert one.tokens_est == 11


def test_without_an_embedder_no_embedding_is_used(seaside: MemoryStore) -> None:
    assert MemoryIndex(seaside).retrieve("robots").embedding_used is False


def test_equal_scores_keep_the_order_of_the_files(store: MemoryStore) -> None:
    for file in ("b", "a"):
        for name in ("x", "y"):
            store.add(file, name, "same words")
    found = [(one.item.file, one.item.name) for one in MemoryIndex(store).retrieve("same").items]
    assert found == [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]


def test_limit_counts_hits_and_not_their_links(seaside: MemoryStore) -> None:
    index = MemoryIndex(seaside)
    assert names(index.retrieve("喜欢海边 咖啡 robots", limit=1)) == ["likes-the-sea", "beach-trip-plan"]
    assert len(hits(index.retrieve("喜欢海边 咖啡 robots"))) == 3
    assert index.retrieve("喜欢海边", limit=0).items == []


def test_the_limit_is_ten_by_default(store: MemoryStore) -> None:
    for number in range(12):
        store.add("f", f"n{number}", "same words")
    assert len(MemoryIndex(store).retrieve("same").items) == 10


def test_each_hit_is_followed_by_what_it_links_to(seaside: MemoryStore) -> None:
    result = MemoryIndex(seaside).retrieve("喜欢海边")
    assert [(one.item.name, one.source, one.via) for one in result.items] == [
        ("likes-the-sea", "hit", None),
        ("beach-trip-plan", "link", "likes-the-sea"),
    ]
    link = result.items[1]
    assert (link.score, link.bm25_score, link.cos_score) == (None, None, None)


def test_links_can_be_left_out(seaside: MemoryStore) -> None:
    result = MemoryIndex(seaside).retrieve("咖啡", expand_links=False)
    assert (names(result), result.unresolved_links) == (["手冲咖啡"], [])


def test_links_go_one_hop_and_bring_nothing_twice(store: MemoryStore) -> None:
    store.add("f", "first", "needle needle [[f:second]] [[f:third]] [[f:third]] [[f:first]]")
    store.add("f", "second", "needle in a much longer text than the first one has [[f:fourth]]")
    store.add("f", "third", "nothing [[f:fourth]]")
    store.add("f", "fourth", "two hops away")
    result = MemoryIndex(store).retrieve("needle")
    assert [(one.item.name, one.source) for one in result.items] == [
        ("first", "hit"),
        ("second", "link"),
        ("third", "link"),
    ]


def test_links_to_nothing_are_named_once_as_they_would_be_written(store: MemoryStore) -> None:
    store.add("f", "a", "needle [[ missing : gone ]] [[missing:gone]] [[other:lost]]")
    store.add("f", "b", "thread [[unseen:gone]]")
    result = MemoryIndex(store).retrieve("needle")
    assert result.unresolved_links == ["[[missing:gone]]", "[[other:lost]]"]
    assert names(result) == ["a"]


def test_a_link_finds_its_item_whatever_its_white_space(store: MemoryStore) -> None:
    store.add("f", "two words", "target")
    store.add("f", "a", "needle [[f:two   words]]")
    assert names(MemoryIndex(store).retrieve("needle")) == ["a", "two words"]


def test_the_budget_cuts_the_end_of_the_list(store: MemoryStore) -> None:
    store.add("f", "a", "needle needle needle one two")
    store.add("f", "b", "needle needle one two three four five six")
    store.add("f", "c", "needle x y z u v w r s t")
    index = MemoryIndex(store)
    whole = index.retrieve("needle")
    costs = [one.tokens_est for one in whole.items]
    assert (names(whole), costs, whole.budget_used) == (["a", "b", "c"], [6, 9, 11], 26)
    assert (whole.budget_tokens, whole.dropped) == (None, [])
    cut = index.retrieve("needle", budget_tokens=15, explain=True)
    assert (names(cut), cut.budget_tokens, cut.budget_used) == (["a", "b"], 15, 15)
    assert [one.item.name for one in cut.dropped] == ["c"]
    assert index.retrieve("needle", budget_tokens=14).dropped == []
    assert names(index.retrieve("needle", budget_tokens=14)) == ["a"]


def test_the_first_always_stays(store: MemoryStore) -> None:
    store.add("f", "a", "needle and a long text around it")
    for budget in (0, 1):
        result = MemoryIndex(store).retrieve("needle", budget_tokens=budget)
        assert names(result) == ["a"]
        assert result.budget_used == 8


@pytest.mark.parametrize("query", ["", "  ", "?!", "。，", "zzz"])
def test_nothing_to_look_for_and_nothing_found_are_empty(seaside: MemoryStore, query: str) -> None:
    result = MemoryIndex(seaside).retrieve(query)
    assert (result.items, result.budget_used, result.time_range) == ([], 0, None)


def test_the_index_follows_the_stores_writes_and_rebuild_the_rest(store: MemoryStore) -> None:
    index = MemoryIndex(store)
    store.add("f", "a", "needle")
    assert names(index.retrieve("needle")) == ["a"]
    store.add("f", "a", "thread")
    assert names(index.retrieve("needle")) == []
    store.remove("f", "a")
    assert names(index.retrieve("thread")) == []
    (store.root / "wiki" / "hand.md").write_text("## b\n\nneedle\n")
    assert names(index.retrieve("needle")) == []
    index.rebuild()
    assert names(index.retrieve("needle")) == ["b"]


def test_the_index_writes_nothing_to_disk(seaside: MemoryStore) -> None:
    before = sorted(str(path) for path in seaside.root.rglob("*"))
    MemoryIndex(seaside).retrieve("robots")
    assert sorted(str(path) for path in seaside.root.rglob("*")) == before


def test_hand_edited_files_never_break_a_query(store: MemoryStore) -> None:
    folder = store.root / "wiki"
    folder.mkdir(parents=True)
    (folder / "a.md").write_bytes(b"\xff\xfe## x\n## \n##\n## y\n[[a:\n<!-- wikimem: -->\0 needle")
    assert names(MemoryIndex(store).retrieve("needle")) == ["y"]
