"""Pages and their links at earlier moments, beside what the store itself said at those moments."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.actions.history.past import ABSENT, KEPT, LOST, changes, page_past
from memex_core.actions.history.past_graph import StorePast
from memex_core.index import earlier
from memex_core.model.graph_export import Graph

Seen = tuple[set[tuple[str, str, str, bool, int, int]], set[tuple[str, str, str]]]


def seen(graph: Graph) -> Seen:
    """A graph without its order."""
    nodes = {(n.id, n.title, n.kind, n.ghost, n.degree, n.distance) for n in graph.nodes}
    return nodes, {(edge.src, edge.dst, edge.rel) for edge in graph.edges}


def around(memex: Memex, hops: int) -> dict[str, Seen]:
    """The neighbourhood of every page as the index has it now."""
    index = memex.store.index
    paths = [page["path"] for page in memex.list(limit=1000)["pages"]]
    return {path: seen(index.graph(path, hops=hops, limit=400)) for path in paths}


def act(memex: Memex, chance: random.Random, number: int) -> None:
    """Something that a person or an agent does with pages."""
    pages = [page["path"] for page in memex.list(limit=1000)["pages"]]
    names = [f"Page {n}" for n in range(8)]
    text = " ".join(f"[[{chance.choice(names)}]]" for _ in range(chance.randrange(4)))
    what = chance.randrange(6) if len(pages) > 3 else 0
    if what in (0, 1):
        free = [
            name for name in names if not any(f"/{name.lower().replace(' ', '-')}.md" in p for p in pages)
        ]
        if free:
            memex.write(chance.choice(["entity", "summary"]), free[0], f"{text}\n")
    elif what in (2, 3):
        memex.edit(chance.choice(pages), body=f"{text} [asset](x.png) {number}\n")
    elif what == 4:
        memex.rename(chance.choice(pages), f"Page {20 + number}")
    else:
        memex.forget(chance.choice(pages))


@pytest.mark.parametrize("seed", range(6))
def test_the_graph_of_every_moment_is_the_one_the_index_had(root: Path, seed: int) -> None:
    chance = random.Random(seed)
    with Memex(root, create=True) as memex:
        moments: list[tuple[int, dict[str, Seen]]] = []
        for number in range(24):
            act(memex, chance, number)
            moments.append((memex.store.journal.last_seq(), around(memex, 2)))
        past = StorePast(memex.store)
        compared = 0
        for page in [one["path"] for one in memex.list(limit=1000)["pages"]]:
            stops = past.stops_of(page)
            assert stops[-1].seq == past.stops[-1].seq
            for seq, then in moments:
                where = past.path_at(page, seq)
                if seq >= stops[0].seq:  # before that, another page may have had its name
                    assert seen(past.graph(page, seq, hops=2, limit=400)) == then[where]
                    compared += 1
        assert compared > 24


def test_an_unchanged_page_links_to_what_had_the_name_then(root: Path) -> None:
    """The page itself was never touched again; the page it names went, and another came."""
    with Memex(root, create=True) as memex:
        memex.write("entity", "Source", "See [[Target]].\n")
        begin = memex.store.journal.last_seq()
        memex.write("entity", "Target", "First.\n")
        written = memex.store.journal.last_seq()
        memex.forget("target")
        past = StorePast(memex.store)
        path = memex.show("source")["path"]
        graphs = [past.graph(path, seq) for seq in (begin, written, memex.store.journal.last_seq())]
        assert [sorted((n.id, n.ghost) for n in graph.nodes) for graph in graphs] == [
            [("Target", True), ("entities/source.md", False)],
            [("entities/source.md", False), ("entities/target.md", False)],
            [("Target", True), ("entities/source.md", False)],
        ]
        assert past.graph("entities/target.md", begin) == Graph()
        assert [stop.paths for stop in past.stops_of(path)] == [
            ("entities/source.md",),
            ("entities/target.md",),
            ("entities/target.md",),
        ]


def test_a_folder_that_was_there_before_memex(tmp_path: Path) -> None:
    """The first known text is the one before the first act."""
    (tmp_path / "A.md").write_text("to [[B]]\n")
    (tmp_path / "B.md").write_text("nothing\n")
    with Memex(tmp_path, actor="human:ada") as memex:
        memex.list()
        memex.edit("A", body="to [[C]]\n")
        past = StorePast(memex.store)
        stops = past.stops_of("B.md")
        assert [(stop.seq, stop.ts == "") for stop in stops] == [(0, True), (1, False)]
        assert {n.id for n in past.graph("A.md", 0).nodes} == {"A.md", "B.md"}
        assert {(n.id, n.ghost) for n in past.graph("A.md", 1).nodes} == {("A.md", False), ("C", True)}
        page = page_past(memex.store, "A")
        assert [page.data(n) for n in range(2)] == [b"to [[B]]\n", b"to [[C]]\n"]
        assert page.moments[0].state == KEPT


def test_a_page_through_its_life(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(earlier, "now", lambda: 1_000.0)  # edits by hand in quick succession are one
    with Memex(root, create=True, actor="human:ada") as memex:
        memex.write("entity", "Tide", "one\n")
        memex.edit("tide", body="two\n")
        memex.rename("tide", "Ebb")
        memex.edit("ebb", body="three\n")
        file = Path(memex.show("ebb")["file_path"])
        past = page_past(memex.store, "ebb")
        bodies = [(past.data(n) or b"").rsplit(b"---\n", 1)[-1] for n in range(len(past.moments))]
        assert bodies == [b"one\n", b"two\n", b"two\n", b"three\n"]
        assert [one.path for one in past.moments] == ["entities/tide.md"] * 2 + ["entities/ebb.md"] * 2
        assert past.moments[2].came_from == "entities/tide.md"
        assert past.before(1) == past.data(0) and past.before(0) is None
        file.write_bytes(file.read_bytes().replace(b"three", b"four"))
        memex.look_again()
        memex.list()
        file.write_bytes(file.read_bytes().replace(b"four", b"five!"))
        memex.look_again()
        memex.list()
        past = page_past(memex.store, "ebb")
        assert [one.state for one in past.moments] == [KEPT, KEPT, KEPT, KEPT, LOST, KEPT]
        assert [one.action for one in past.moments[-2:]] == ["hand", "hand"]
        assert past.before(5) == past.data(3)
        memex.forget("ebb")
        past = page_past(memex.store, "entities/ebb.md")
        assert past.moments[-1].state == ABSENT and past.data(len(past.moments) - 1) is None


def test_what_changed_in_lines() -> None:
    assert changes(["a", "b", "c"], ["a", "x", "c", "d"]) == (frozenset({1, 3}), frozenset(), 2, 1)
    assert changes(["a", "b"], ["a"]) == (frozenset(), frozenset({1}), 0, 1)
    assert changes(["a"], ["a"]) == (frozenset(), frozenset(), 0, 0)
    assert changes([], ["a", "b"]) == (frozenset({0, 1}), frozenset(), 2, 0)
    long = [f"line {n}" for n in range(20_000)]
    assert changes(long, [*long[:9_000], "new", *long[9_001:]]) == (frozenset({9_000}), frozenset(), 1, 1)


def test_a_thousand_versions_are_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From one to the next no journal is read: that is what makes moving through them light."""
    with Memex(root, create=True) as memex:
        memex.write("entity", "Log", "0\n")
        path = memex.show("log")["path"]
        journal = memex.store.journal
        before = [{"text": f"[[Page {number % 7}]] {number}\n"} for number in range(1000)]
        journal.append(
            {"action": "update", "file": path, "item": "log", "actor": "hand", "before": one, "detail": {}}
            for one in before
        )
        past, store = page_past(memex.store, "log"), StorePast(memex.store)
        stops = store.stops_of(path)

        def never(*args: object, **more: object) -> None:
            raise AssertionError("the journal is read again")

        monkeypatch.setattr(type(journal), "read", never)
        assert len(past.moments) == len(stops) == 1001
        assert [past.data(number) for number in (0, 500, 999)] == [
            before[number]["text"].encode() for number in (0, 500, 999)
        ]
        assert (past.data(1000) or b"").endswith(b"0\n")
        for number in (0, 500, 999):
            found = {node.id for node in store.graph(path, stops[number].seq).nodes}
            assert found == {path, f"Page {number % 7}"}
