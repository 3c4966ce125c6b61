"""Meaning beside words: vectors made once, kept on disk, never trusted blindly."""

from __future__ import annotations

import ast
import hashlib
import json
import logging
import os
from array import array
from collections.abc import Iterable
from pathlib import Path

import pytest

from memex_core.wikimem import MemoryIndex, MemoryStore, RetrievalResult
from memex_core.wikimem.fusion import fused
from memex_core.wikimem.matrix import Matrix
from memex_core.wikimem.vectors import (
    HttpEmbedder,
    MemmapVectorIndex,
    Mismatch,
    VectorCache,
    content_hash,
)
from tests.loopback import EmbeddingServer, dead_base

SEA, COFFEE, ROBOT = ("sea", "beach", "海", "coast"), ("coffee", "espresso", "咖啡"), ("robot", "machine")
DAY = ("2026-07-22", "2026-07-22")


class Toy:
    """An embedder whose vectors say which of three things a text is about."""

    def __init__(self, model: str | None = "toy", width: int = 4) -> None:
        if model:
            self.model = model
        self.width = width
        self.texts: list[str] = []
        self.calls: list[int] = []
        self.down = False

    def embed(self, texts: list[str]) -> list[list[float]]:
        if self.down:
            raise ConnectionError("no answer")
        self.texts += texts
        self.calls.append(len(texts))
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> list[float]:
        about = [float(any(word in text for word in words)) for words in (SEA, COFFEE, ROBOT)]
        return [*about, *[0.05] * (self.width - 3)]


@pytest.fixture
def shore(store: MemoryStore) -> MemoryStore:
    store.add("p", "likes", "喜欢海边")
    store.add("p", "drink", "an espresso each morning")
    store.add("work", "job", "builds a robot")
    return store


def names(result: RetrievalResult) -> list[str]:
    return [one.item.name for one in result.items]


def cached(root: Path) -> list[str]:
    return sorted(name for name in os.listdir(root) if name.startswith("vectors"))


def entries(*texts: str) -> list[tuple[tuple[str, str], str]]:
    return [(("f", text), text) for text in texts]


# -- fusion ------------------------------------------------------------------------------------


def test_meaning_finds_what_shares_no_word(shore: MemoryStore) -> None:
    assert MemoryIndex(shore).retrieve("coast holiday").items == []
    result = MemoryIndex(shore, embedder=Toy()).retrieve("coast holiday")
    best = result.items[0]
    assert (result.embedding_used, best.item.name, best.bm25_score) == (True, "likes", 0.0)
    assert best.cos_score == pytest.approx(1.0)
    assert best.score == pytest.approx(0.5)
    assert best.matched_terms == []


def test_the_fused_score_is_the_weighted_sum_of_both_brought_to_one() -> None:
    words, meaning = {0: 4.0, 1: 2.0}, {1: 0.9, 2: 0.5}
    found = fused(words, meaning, 0.25)
    assert found == {
        0: pytest.approx(0.25 * 1.0 + 0.75 * 0.0),
        1: pytest.approx(0.25 * 0.5 + 0.75 * 1.0),
        2: pytest.approx(0.25 * 0.0 + 0.75 * 0.5 / 0.9),
    }
    assert fused({0: 2.0, 1: 2.0}, {}, 0.5) == {0: 0.5, 1: 0.5}
    assert fused({}, {0: 0.0, 1: -0.5}, 0.5) == {}


@pytest.mark.parametrize(("weight", "first"), [(1.0, "named"), (0.0, "meant")])
def test_the_weight_is_the_share_of_the_words(store: MemoryStore, weight: float, first: str) -> None:
    store.add("f", "named", "a coast")
    store.add("f", "meant", "sea beach 海")

    class Near(Toy):
        def vector(self, text: str) -> list[float]:
            return [1.0, 0.0] if text in ("coast", "meant\nsea beach 海") else [0.6, 0.8]

    result = MemoryIndex(store, embedder=Near(), fusion_weight=weight).retrieve("coast")
    assert names(result)[0] == first


def test_words_are_never_switched_off(shore: MemoryStore) -> None:
    result = MemoryIndex(shore, embedder=Toy()).retrieve("builds")
    (job,) = [one for one in result.items if one.item.name == "job"]
    assert job.bm25_score is not None and job.bm25_score > 0
    assert job.cos_score is not None


def test_punctuation_alone_can_be_ranked_by_meaning_and_nothing_cannot(shore: MemoryStore) -> None:
    toy = Toy()
    index = MemoryIndex(shore, embedder=toy)
    asked = len(toy.texts)
    assert index.retrieve(" ").items == []
    assert "" not in toy.texts and " " not in toy.texts[asked:]
    assert index.retrieve("?!").embedding_used is True


# -- degrading ---------------------------------------------------------------------------------


def test_a_dead_embedder_costs_meaning_and_nothing_else(shore: MemoryStore) -> None:
    toy = Toy()
    index = MemoryIndex(shore, embedder=toy)
    toy.down = True
    words = MemoryIndex(shore).retrieve("robot")
    result = index.retrieve("robot")
    assert (result.embedding_used, result.items) == (False, words.items)
    toy.down = False
    assert index.retrieve("robot").embedding_used is True
    toy.down = True
    assert index.retrieve("machine").embedding_used is False
    assert names(index.retrieve("builds")) == ["job"]


@pytest.mark.parametrize("answer", [[], [[1.0]], [[]], [["x"]], None, [[1.0, float("nan"), 0.0, 0.0]] * 3])
def test_a_nonsensical_answer_is_no_answer(shore: MemoryStore, answer: object) -> None:
    class Odd(Toy):
        def embed(self, texts: list[str]) -> list[list[float]]:
            return answer  # type: ignore[return-value]

    result = MemoryIndex(shore, embedder=Odd()).retrieve("robot")
    assert (names(result), result.embedding_used) == (["job"], False)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e300])
def test_numbers_that_are_none_are_not_kept(shore: MemoryStore, number: float) -> None:
    class Odd(Toy):
        def embed(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, number, 0.0, 0.0] for _ in texts]

    assert MemoryIndex(shore, embedder=Odd()).retrieve("robot").embedding_used is False
    assert cached(shore.root) == []
    assert MemoryIndex(shore, embedder=Toy()).retrieve("robot").embedding_used is True


def test_a_row_of_broken_numbers_costs_only_itself() -> None:
    rows = [[1.0, 0.0], [float("nan"), 1.0], [1.0, 1.0]]
    found = MemmapVectorIndex(rows).search([1.0, 0.0], 3)
    assert [(row, round(near, 3)) for row, near in found] == [(0, 1.0), (2, 0.707), (1, 0.0)]


def test_another_model_warns_once_and_ranks_by_words(
    shore: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    MemoryIndex(shore, embedder=Toy("old")).retrieve("coast")
    before = cached(shore.root)
    other = Toy("new")
    index = MemoryIndex(shore, embedder=other)
    with caplog.at_level(logging.WARNING):
        results = [index.retrieve("robot") for _ in range(3)]
    assert [result.embedding_used for result in results] == [False] * 3
    assert names(results[0]) == ["job"]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "made by old, not by new" in caplog.text
    assert (other.texts, cached(shore.root)) == ([], before)
    for name in before:
        os.unlink(shore.root / name)
    assert index.retrieve("coast").embedding_used is True
    assert len(other.texts) == 4


def test_another_width_warns_once_too(shore: MemoryStore, caplog: pytest.LogCaptureFixture) -> None:
    MemoryIndex(shore, embedder=Toy(None, width=4)).retrieve("coast")
    index = MemoryIndex(shore, embedder=Toy(None, width=6))
    with caplog.at_level(logging.WARNING):
        assert [index.retrieve(query).embedding_used for query in ("robot", "coast")] == [False, False]
    assert len(caplog.records) == 1
    assert "have 4 numbers, the model's 6" in caplog.text


def test_a_cache_without_a_stamp_works_and_is_stamped_at_the_next_write(shore: MemoryStore) -> None:
    MemoryIndex(shore, embedder=Toy("a")).retrieve("coast")
    path = shore.root / "vectors.keys.jsonl"
    header, *rows = path.read_text().splitlines()
    bare = {"vectors_file": json.loads(header)["vectors_file"]}
    path.write_text("\n".join([json.dumps(bare), *rows]) + "\n")
    toy = Toy("b")
    index = MemoryIndex(shore, embedder=toy)
    assert index.retrieve("coast").embedding_used is True
    assert toy.texts == ["coast"]
    shore.add("p", "new", "text")
    index.retrieve("coast")
    assert json.loads(path.read_text().splitlines()[0]) == {
        "vectors_file": "vectors-000002.npy",
        "model": "b",
        "dim": 4,
    }


# -- the cache ---------------------------------------------------------------------------------


def test_nothing_is_embedded_twice(shore: MemoryStore) -> None:
    toy = Toy()
    index = MemoryIndex(shore, embedder=toy)
    for query in ("coast", "coast", "robot"):
        index.retrieve(query)
    index.rebuild()
    MemoryIndex(shore, embedder=toy).rebuild()
    assert sorted(toy.texts) == sorted(
        ["likes\n喜欢海边", "drink\nan espresso each morning", "job\nbuilds a robot", "coast", "robot"]
    )
    shore.add("p", "drink", "tea")
    index.retrieve("coast")
    assert toy.texts[-1:] == ["drink\ntea"]


def test_the_cache_lies_in_the_root_or_where_it_is_told(shore: MemoryStore, tmp_path: Path) -> None:
    MemoryIndex(shore, embedder=Toy(), vectors_dir=tmp_path / "else").retrieve("coast")
    assert cached(shore.root) == []
    assert cached(tmp_path / "else") == ["vectors-000001.npy", "vectors.keys.jsonl"]
    MemoryIndex(shore, embedder=Toy()).retrieve("coast")
    assert cached(shore.root) == ["vectors-000001.npy", "vectors.keys.jsonl"]


def test_the_files_are_as_the_format_says(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path)
    cache.sync(entries("the sea", "coffee"), Toy())
    lines = [json.loads(line) for line in (tmp_path / "vectors.keys.jsonl").read_text().splitlines()]
    assert lines == [
        {"vectors_file": "vectors-000001.npy", "model": "toy", "dim": 4},
        {"file": "f", "name": "the sea", "hash": content_hash("the sea")},
        {"file": "f", "name": "coffee", "hash": content_hash("coffee")},
    ]
    assert content_hash("海") == hashlib.sha256("海".encode()).hexdigest()
    data = (tmp_path / "vectors-000001.npy").read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    start = 10 + int.from_bytes(data[8:10], "little")
    assert start % 64 == 0 and data[start - 1 : start] == b"\n"
    assert ast.literal_eval(data[10:start].decode()) == {
        "descr": "<f4",
        "fortran_order": False,
        "shape": (2, 4),
    }
    assert len(data) == start + 2 * 4 * 4
    assert [round(value, 2) for value in array("f", data[start : start + 16])] == [1.0, 0.0, 0.0, 0.05]


def test_texts_are_sent_in_batches(tmp_path: Path) -> None:
    toy = Toy()
    VectorCache(tmp_path).sync(entries(*map(str, range(130))), toy)
    assert toy.calls == [64, 64, 2]
    VectorCache(tmp_path).sync(entries(*map(str, range(133))), toy, batch_size=2)
    assert toy.calls == [64, 64, 2, 2, 1]


def test_a_change_makes_a_new_matrix_and_sweeps_the_old(tmp_path: Path) -> None:
    cache, toy = VectorCache(tmp_path), Toy()
    cache.sync(entries("a", "b"), toy)
    _, held = cache.load()
    (tmp_path / "vectors-000000.npy").write_bytes(b"left over")
    cache.sync(entries("b", "c"), toy)
    assert cached(tmp_path) == ["vectors-000002.npy", "vectors.keys.jsonl"]
    assert held is not None and len(list(held)) == 2  # a reader keeps what it had
    assert toy.texts == ["a", "b", "c"]
    before = (tmp_path / "vectors.keys.jsonl").stat().st_mtime_ns
    cache.sync(entries("b", "c"), toy)
    assert (tmp_path / "vectors.keys.jsonl").stat().st_mtime_ns == before
    assert cache.sync([], toy) == ([], None)
    assert cached(tmp_path) == []


def damage_missing(root: Path) -> None:
    os.unlink(root / "vectors-000001.npy")


def damage_short(root: Path) -> None:
    path = root / "vectors-000001.npy"
    path.write_bytes(path.read_bytes()[:-1])


def damage_rows(root: Path) -> None:
    path = root / "vectors.keys.jsonl"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")


def damage_keys(root: Path) -> None:
    (root / "vectors.keys.jsonl").write_bytes(b'{"vectors_file": "vectors-0000')


def damage_path(root: Path) -> None:
    path = root / "vectors.keys.jsonl"
    path.write_text(path.read_text().replace("vectors-000001.npy", "../secret.npy"))


@pytest.mark.parametrize("damage", [damage_missing, damage_short, damage_rows, damage_keys, damage_path])
def test_what_is_torn_is_absent_and_made_anew(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    cache, toy = VectorCache(tmp_path), Toy()
    cache.sync(entries("a", "b"), toy)
    damage(tmp_path)
    assert cache.load() == ([], None)
    keys, matrix = cache.sync(entries("a", "b"), toy)
    assert len(keys) == 2 and matrix is not None and len(matrix) == 2
    assert toy.texts == ["a", "b", "a", "b"]


def test_what_came_before_a_failure_is_kept(tmp_path: Path) -> None:
    class Tires(Toy):
        def embed(self, texts: list[str]) -> list[list[float]]:
            if len(self.calls) == 2:
                raise ConnectionError
            return super().embed(texts)

    with pytest.raises(ConnectionError):
        VectorCache(tmp_path).sync(entries(*"abcdef"), Tires(), batch_size=2)
    toy = Toy()
    VectorCache(tmp_path).sync(entries(*"abcdef"), toy)
    assert toy.texts == ["e", "f"]


def test_another_models_vectors_are_a_mismatch(tmp_path: Path) -> None:
    VectorCache(tmp_path).sync(entries("a"), Toy("one"))
    with pytest.raises(Mismatch):
        VectorCache(tmp_path).sync(entries("a", "b"), Toy("two"))
    with pytest.raises(Mismatch):
        VectorCache(tmp_path).sync(entries("a", "b"), Toy("one", width=5))


# -- the diary ---------------------------------------------------------------------------------


def test_diary_entries_get_their_vectors_when_a_window_asks_for_them(shore: MemoryStore) -> None:
    shore.diary.append("walked along the beach", date="2026-07-22", time="10:00")
    shore.diary.append("a machine broke", date="2026-07-23", time="10:00")
    toy = Toy()
    index = MemoryIndex(shore, embedder=toy)
    index.retrieve("coast")
    assert not (shore.root / "diary-vectors").exists()
    result = index.retrieve("coast", time_range=DAY)
    assert result.items[0].item.file in ("2026-07-22", "p")
    (entry,) = [one for one in result.items if one.item.file == "2026-07-22"]
    assert entry.cos_score == pytest.approx(1.0)
    assert (toy.texts[-1], "broke" in " ".join(toy.texts)) == ("10:00\nwalked along the beach", False)
    index.retrieve("coast", time_range=("2026-07-22", "2026-07-23"))
    assert toy.texts[-1] == "10:00\na machine broke"
    asked = len(toy.texts)
    again = MemoryIndex(shore, embedder=toy)
    again.retrieve("coast", time_range=DAY)
    assert toy.texts[asked:] == ["coast"]
    lines = (shore.root / "diary-vectors" / "vectors.keys.jsonl").read_text().splitlines()
    assert [json.loads(line).get("file") for line in lines] == [None, "2026-07-22", "2026-07-23"]


# -- the tiers ---------------------------------------------------------------------------------


def rows(count: int) -> list[list[float]]:
    """Rows that turn slowly round a circle of eight dimensions."""
    import math

    return [[math.cos((at + 1) * (shift + 1) / count * math.pi) for shift in range(8)] for at in range(count)]


@pytest.mark.parametrize("threshold", [10_000, 10])
def test_both_tiers_give_rows_by_cosine_best_first(threshold: int) -> None:
    matrix = rows(100)
    index = MemmapVectorIndex(matrix, binary_threshold=threshold)
    found = index.search(matrix[40], 3)
    assert len(index) == 100
    assert found[0] == (40, pytest.approx(1.0))
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert {row for row, _ in found} == {39, 40, 41}
    assert index.search(matrix[40], 0) == []
    assert len(index.search(matrix[40], 1000)) == 100


def test_rows_of_zeros_are_like_nothing() -> None:
    index = MemmapVectorIndex([[0.0, 0.0], [1.0, 0.0]], binary_threshold=0)
    assert index.search([1.0, 0.0], 2) == [(1, 1.0), (0, 0.0)]
    assert MemmapVectorIndex([]).search([1.0], 5) == []


def test_above_the_threshold_retrieval_finds_the_same(shore: MemoryStore, tmp_path: Path) -> None:
    for number in range(60):
        shore.add("many", f"n{number}", f"filler {number}")
    found: list[Iterable[str]] = []
    for threshold in (10_000, 5):
        index = MemoryIndex(
            shore, embedder=Toy(), binary_threshold=threshold, vectors_dir=tmp_path / str(threshold)
        )
        found.append(names(index.retrieve("coast", limit=1)))
    assert found == [["likes"], ["likes"]]


def test_a_matrix_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "m.npy"
    path.write_bytes(Matrix.encoded([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 3, 2))
    matrix = Matrix.open(path, 3)
    assert matrix is not None
    assert [list(row) for row in matrix] == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert Matrix.open(path, 2) is None
    with pytest.raises(IndexError):
        matrix[3]


# -- over HTTP ---------------------------------------------------------------------------------


def test_an_openai_compatible_endpoint_is_asked_through_its_sdk(store: MemoryStore) -> None:
    pytest.importorskip("openai")
    store.add("f", "wheels", "an automobile in the yard")
    store.add("f", "bread", "a loaf on the table")
    with EmbeddingServer() as server:
        embedder = HttpEmbedder(server.base, "m", api_key="sk-test", timeout=60)
        index = MemoryIndex(store, embedder=embedder)
        result = index.retrieve("limousine")
        assert (names(result)[0], result.embedding_used) == ("wheels", True)
        assert set(server.keys) == {"Bearer sk-test"}
        assert {body["model"] for body in server.requests} == {"m"}
        for behaviour in ("error", "torn", "short", "refused"):
            server.behave(behaviour)
            broken = index.retrieve(f"limousine {behaviour}")
            assert (names(broken), broken.embedding_used) == ([], False)
        server.behave("well")
        assert index.retrieve("limousine again").embedding_used is True


def test_an_endpoint_that_is_not_there_is_no_failure(store: MemoryStore) -> None:
    pytest.importorskip("openai")
    store.add("f", "wheels", "an automobile")
    index = MemoryIndex(store, embedder=HttpEmbedder(dead_base(), "m", timeout=60))
    result = index.retrieve("automobile")
    assert (names(result), result.embedding_used) == (["wheels"], False)
