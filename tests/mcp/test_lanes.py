"""Where acts run: beside each other, one writer, after the index, on the store that is there now."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import anyio
import pytest

from memex_core.mcp import lanes
from memex_core.mcp.lanes import Indexing, Lanes, Made


async def untold(done: int, total: int) -> None:
    raise AssertionError("nothing had to be told")


async def test_a_call_waits_for_the_index_and_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "_TOLD_EVERY", 0.001)
    at = Lanes("/nowhere")
    at._started = True  # somebody is making it
    told: list[tuple[int, int]] = []

    async def tell(done: int, total: int) -> None:
        told.append((done, total))
        at.made = Made(done + 1, total)
        if done == 3:
            at._ready.set()

    at.made = Made(1, 5)
    assert await at.indexed(tell) is True
    assert told == [(1, 5), (2, 5), (3, 5)]
    assert await at.indexed(untold) is False


async def test_a_call_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "PATIENCE", 0.001)
    at = Lanes("/nowhere")
    at._started = True
    with pytest.raises(Indexing) as caught:
        await at.indexed(untold)
    assert str(caught.value) == "the memory is being indexed; ask again in a few seconds"
    at.made = Made(3_400, 10_000)

    async def tell(done: int, total: int) -> None: ...

    with pytest.raises(Indexing, match="3,400 of 10,000 pages"):
        await at.indexed(tell)


async def test_an_index_that_cannot_be_made_holds_no_call_up(tmp_path: Path) -> None:
    at = Lanes(str(tmp_path / "nowhere"))
    await at.indexed(untold)
    assert not (tmp_path / "nowhere").exists()


async def test_readers_run_side_by_side_and_writers_in_turn(memex: Any, root: Path) -> None:
    at = Lanes(str(root))
    together = threading.Barrier(lanes.READERS, timeout=60)
    stores: list[int] = []
    writing = threading.Lock()

    def read(opened: Any) -> None:
        together.wait()  # goes on only when all are here
        stores.append(id(opened))

    def write(opened: Any) -> None:
        assert writing.acquire(blocking=False)
        stores.append(id(opened))
        writing.release()

    async with anyio.create_task_group() as group:
        for _ in range(lanes.READERS):
            group.start_soon(at.read, read, "agent:a")
    assert len(set(stores)) == lanes.READERS
    stores.clear()
    async with anyio.create_task_group() as group:
        for _ in range(8):
            group.start_soon(lambda: at.write(write, "agent:a", create=False))
    assert len(stores) == 8
    assert len(set(stores)) == 1


async def test_each_act_is_signed_by_its_own_caller(memex: Any, root: Path) -> None:
    at = Lanes(str(root))
    for actor in ("agent:a", "agent:b"):
        await at.write(
            lambda opened: opened.write(type="entity", title=opened.store.actor), actor, create=False
        )
    assert [event["actor"] for event in memex.store.journal.read()] == ["agent:a", "agent:b"]


async def test_a_reader_that_is_given_up_leaves_a_store_that_works(memex: Any, root: Path) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    at = Lanes(str(root))
    reached, go_on = threading.Event(), threading.Event()

    def wait(opened: Any) -> None:
        reached.set()
        go_on.wait(60)

    async with anyio.create_task_group() as group:
        group.start_soon(at.read, wait, "agent:a")
        await anyio.to_thread.run_sync(reached.wait)
        group.cancel_scope.cancel()
    assert (await at.read(lambda opened: opened.recall("hot"), "agent:a"))["hits"][0]["slug"] == "oven"
    go_on.set()
    for _ in range(lanes.READERS):
        found = await at.read(lambda opened: opened.recall("hot"), "agent:a")
        assert found["hits"][0]["slug"] == "oven"


async def test_only_a_write_makes_a_store(root: Path) -> None:
    from memex_core.model.errors import StoreMissing

    at = Lanes(str(root))
    with pytest.raises(StoreMissing):
        await at.read(lambda opened: opened.status(), "agent:a")
    with pytest.raises(StoreMissing):
        await at.write(lambda opened: opened.forget("x"), "agent:a", create=False)
    assert not root.exists()
    await at.write(lambda opened: opened.write(type="entity", title="Oven"), "agent:a", create=True)
    assert (await at.read(lambda opened: opened.status(), "agent:a"))["pages"] == 1
    assert at.home == str(root)
