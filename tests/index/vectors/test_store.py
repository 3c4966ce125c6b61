"""The file of vectors: kept once a text, by model and width, and never trusted when torn."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from memex_core.files.layout import Layout, create_store
from memex_core.index.vectors.numbers import packed, signs, unit
from memex_core.index.vectors.store import ROW, Place, Vectors, keep_question

draw = random.Random(7)


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def some(width: int = 8) -> object:
    return unit([draw.uniform(-1, 1) for _ in range(width)])


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


@pytest.fixture
def vectors(layout: Layout) -> Iterator[Vectors]:
    made, replaced = Vectors.make(layout)
    assert not replaced
    yield made
    made.close()


def place(number: int, name: str = "a.md", mark: bytes = b"m") -> Place:
    return Place("page", name, 0, number, mark, key(number))


def test_it_lies_beside_the_index_and_is_not_made_by_reading(layout: Layout) -> None:
    assert Vectors.file_of(layout) == layout.index.removesuffix(".db") + ".vectors.db"
    assert Vectors.open(layout) is None
    assert not os.path.exists(Vectors.file_of(layout))


def test_what_was_put_is_found_by_the_print_of_its_place(vectors: Vectors) -> None:
    space = vectors.make_space("m", 8)
    one, two = some(), some()
    vectors.put(space, [(key(1), one), (key(2), two)])
    vectors.put_places("page", "a.md", [place(1), place(2)])
    vectors.put_places("page", "b.md", [Place("page", "b.md", 0, 0, b"other", key(1))])
    assert [vector for _, vector in vectors.by_print(space, [b"m"])] == [one, two]
    assert list(vectors.by_print(space, [b"other"])) == [(b"other", one)]
    assert vectors.count(space) == 2


def test_models_and_widths_do_not_mix(vectors: Vectors) -> None:
    first = vectors.make_space("m", 8)
    vectors.put(first, [(key(1), some())])
    wide = vectors.make_space("m", 4)
    other = vectors.make_space("n", 8)
    assert vectors.space("m") == wide
    assert vectors.space("m", 8) == first
    assert vectors.space("unheard of") is None
    assert (vectors.count(first), vectors.count(wide), vectors.count(other)) == (1, 0, 0)
    assert vectors.make_space("m", 8) == first  # and going back costs nothing
    assert vectors.space("m") == first


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vector SET data = substr(data, 1, 20)",
        "UPDATE vector SET data = zeroblob(32)",
        "UPDATE vector SET sum = sum + 1",
        "UPDATE vector SET data = CAST(data || zeroblob(4) AS BLOB)",
    ],
)
def test_a_torn_vector_counts_as_missing(vectors: Vectors, damage: str) -> None:
    space = vectors.make_space("m", 8)
    vectors.put(space, [(key(1), some()), (key(2), some())])
    vectors.put_places("page", "a.md", [place(1), place(2)])
    assert vectors.sound_keys(space, [key(1), key(2), key(3)]) == {key(1), key(2)}
    vectors.db.execute(f"{damage} WHERE key = ?", (key(1),))
    assert vectors.sound_keys(space, [key(1), key(2)]) == {key(2)}
    assert len(list(vectors.by_print(space, [b"m"]))) == 1
    assert len(list(vectors.all(space))) == len(vectors.sample(space, 10)) == 1
    again = some()
    vectors.put(space, [(key(1), again)])
    assert vectors.sound_keys(space, [key(1)]) == {key(1)}
    assert vectors.count(space) == 2


def test_torn_sign_bits_do_not_stop_a_write(vectors: Vectors) -> None:
    space = vectors.make_space("m", 8)
    vectors.put(space, [(key(1), some())])
    vectors.db.execute("UPDATE signs SET bits = zeroblob(3)")
    vectors.put(space, [(key(2), some())])
    ((_, live, bits),) = vectors.sign_rows(space)
    assert (sum(live), len(live), len(bits)) == (1, ROW, ROW)


def test_a_broken_file_is_made_anew(layout: Layout) -> None:
    path = Vectors.file_of(layout)
    Path(path).write_bytes(b"this is no database at all" * 400)
    with pytest.raises(sqlite3.DatabaseError):
        Vectors.open(layout)
    made, replaced = Vectors.make(layout)
    assert replaced and made.spaces() == []
    made.close()


def test_a_file_of_another_format_is_none(layout: Layout) -> None:
    made, _ = Vectors.make(layout)
    made.db.execute("PRAGMA user_version=99")
    made.close()
    assert Vectors.open(layout) is None
    made, replaced = Vectors.make(layout)
    assert replaced
    made.close()


def test_the_sign_bits_stand_at_the_place_of_the_id(vectors: Vectors) -> None:
    space = vectors.make_space("m", 12)
    kept = {key(number): some(12) for number in range(ROW + 3)}
    for at in range(0, len(kept), 500):
        vectors.put(space, list(kept.items())[at : at + 500])
    rows = {first: bits for first, _, bits in vectors.sign_rows(space)}
    live = {first: live for first, live, _ in vectors.sign_rows(space)}
    assert sorted(rows) == [0, ROW]
    assert {first: sum(one) for first, one in live.items()} == {0: ROW - 1, ROW: 4}
    for number, vector in vectors.all(space):
        at = number % ROW * 2
        there = int.from_bytes(rows[number - number % ROW][at : at + 2], "big")
        assert there == signs(packed(vector))  # type: ignore[arg-type]


def test_what_stands_nowhere_is_forgotten_with_its_signs(vectors: Vectors) -> None:
    space = vectors.make_space("m", 8)
    vectors.put(space, [(key(number), some()) for number in range(1, 4)])
    vectors.put_places("page", "a.md", [place(1)])
    vectors.put_places("page", "b.md", [place(1, "b.md"), place(2, "b.md")])
    assert vectors.forget([("page", "b.md")]) == 2
    assert vectors.sound_keys(space, map(key, range(4))) == {key(1)}
    assert vectors.documents() == [("page", "a.md")]
    ((first, live, bits),) = vectors.sign_rows(space)
    ((number, _),) = vectors.all(space)
    assert first == 0
    assert [at for at, one in enumerate(live) if one] == [number]
    assert [at for at, byte in enumerate(bits) if byte and at != number] == []


def test_the_places_of_a_document_are_replaced_as_a_whole(vectors: Vectors) -> None:
    vectors.put_places("page", "a.md", [place(1), place(2), place(3)])
    assert vectors.prints("page", "a.md") == {(0, b"m"): [key(1), key(2), key(3)]}
    vectors.put_places("page", "a.md", [place(1, mark=b"new")])
    assert vectors.prints("page", "a.md") == {(0, b"new"): [key(1)]}


def test_questions_are_remembered_up_to_a_number(vectors: Vectors) -> None:
    space = vectors.make_space("m", 8)
    asked = [some() for _ in range(5)]
    for number, vector in enumerate(asked):
        vectors.remember(lambda db, n=number, v=vector: keep_question(db, space, key(n), v, 3))  # type: ignore[misc]
    assert [vectors.question(space, key(number)) for number in range(5)] == [None, None, *asked[2:]]
    vectors.forget_questions()
    assert vectors.question(space, key(4)) is None


def test_a_write_that_cannot_be_done_now_is_left_out(layout: Layout, vectors: Vectors) -> None:
    vectors.make_space("m", 8)
    holder = sqlite3.connect(vectors.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    vectors.remember(lambda db: db.execute("INSERT INTO note VALUES('a', 1)") and None)
    holder.execute("ROLLBACK")
    holder.close()
    assert vectors.note("a") is None
