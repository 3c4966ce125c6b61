"""The gateway: late answers are dropped, newer requests interrupt, writes are told, faults are named."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from memex_core.memex import Memex
from memex_core.model.errors import MemexError, NotFound, StoreMissing
from memex_tui.gateway import Dropped, Gateway, Written

SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def store(root: Path) -> Path:
    with Memex(root, create=True) as memex:
        memex.write("entity", "Ada Park", "Bakes. See [[Bakery]].")
        memex.write("entity", "Bakery", "A shop.")
    return root


@pytest_asyncio.fixture
async def gateway(store: Path) -> AsyncIterator[Gateway]:
    gateway = Gateway(str(store))
    yield gateway
    gateway.close()


def titles(memex: Memex) -> list[str]:
    return sorted(page["title"] for page in memex.list()["pages"])


async def test_an_answer_comes_from_another_thread(gateway: Gateway) -> None:
    here = threading.get_ident()
    there, names = await gateway.ask("x", lambda memex: (threading.get_ident(), titles(memex)))
    assert there != here
    assert names == ["Ada Park", "Bakery"]


async def test_each_lane_keeps_one_store_open(gateway: Gateway) -> None:
    first = await gateway.ask("x", id)
    assert await gateway.ask("y", id) == first
    assert await gateway.ask("x", id, lane="search") != first


async def test_a_late_answer_is_dropped(gateway: Gateway) -> None:
    release = threading.Event()

    def wait(_: Memex) -> str:
        release.wait(90)
        return "old"

    old = asyncio.ensure_future(gateway.ask("q", wait))
    await asyncio.sleep(0.05)
    new = asyncio.ensure_future(gateway.ask("q", lambda _: "new"))
    other = asyncio.ensure_future(gateway.ask("other", lambda _: "kept"))
    await asyncio.sleep(0)
    release.set()
    with pytest.raises(Dropped):
        await old
    assert await new == "new"
    assert await other == "kept"


async def test_a_request_that_still_waits_is_not_begun(gateway: Gateway) -> None:
    release, ran = threading.Event(), []
    blocker = asyncio.ensure_future(gateway.ask("block", lambda _: release.wait(90)))
    asked = [asyncio.ensure_future(gateway.ask("q", lambda _, n=n: ran.append(n))) for n in range(20)]
    await asyncio.sleep(0.05)
    release.set()
    await blocker
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert ran == [19]
    assert [type(one) for one in results] == [Dropped] * 19 + [type(None)]


async def test_what_was_broken_off_leaves_nothing_for_the_next_request(gateway: Gateway) -> None:
    begun = threading.Event()

    def nested(memex: Memex) -> None:
        db = memex.store.index.db
        rows = db.execute("SELECT path FROM page")  # open while the statement inside it is broken off
        for _ in rows:
            begun.set()
            db.execute(SLOW).fetchone()

    for _ in range(5):
        begun.clear()
        kept = asyncio.ensure_future(gateway.ask("q", nested))  # its failure is not looked at before the next
        await asyncio.to_thread(begun.wait)
        assert await asyncio.wait_for(gateway.ask("q", titles), 90) == ["Ada Park", "Bakery"]
        with pytest.raises(Dropped):
            await kept


async def test_a_newer_request_interrupts_the_read_in_progress(gateway: Gateway) -> None:
    slow = asyncio.ensure_future(
        gateway.ask("q", lambda memex: memex.store.index.db.execute(SLOW).fetchone(), lane="search")
    )
    await asyncio.sleep(0.2)
    assert not slow.done()
    began = time.monotonic()
    assert await asyncio.wait_for(gateway.ask("q", titles, lane="search"), 90) == ["Ada Park", "Bakery"]
    assert time.monotonic() - began < 4
    with pytest.raises(Dropped):
        await slow


async def test_another_channel_is_not_interrupted(gateway: Gateway) -> None:
    counted = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT count(*) FROM n"
    )
    slow = asyncio.ensure_future(
        gateway.ask("a", lambda memex: memex.store.index.db.execute(counted).fetchone()[0])
    )
    await asyncio.sleep(0.01)
    await gateway.ask("b", titles)
    assert await slow == 300_000


async def test_drop_takes_a_request_back(gateway: Gateway) -> None:
    slow = asyncio.ensure_future(
        gateway.ask("q", lambda memex: memex.store.index.db.execute(SLOW).fetchone())
    )
    await asyncio.sleep(0.1)
    gateway.drop("q")
    with pytest.raises(Dropped):
        await asyncio.wait_for(slow, 90)


async def test_our_errors_come_as_they_are(gateway: Gateway) -> None:
    with pytest.raises(NotFound) as caught:
        await gateway.ask("x", lambda memex: memex.show("nobody at all"))
    assert "nobody at all" in str(caught.value)


async def test_a_fault_is_named_and_logged(gateway: Gateway, store: Path) -> None:
    def fail(_: Memex) -> None:
        raise ZeroDivisionError("[/red] by zero")

    with pytest.raises(MemexError) as caught:
        await gateway.ask("x", fail)
    assert "ZeroDivisionError: [/red] by zero" in str(caught.value)
    log = store / "logs" / "app.log"
    assert str(log) in caught.value.hint
    assert "in fail" in log.read_text()
    assert await gateway.ask("x", titles) == ["Ada Park", "Bakery"]


async def test_a_failure_of_an_old_request_is_not_heard(gateway: Gateway) -> None:
    release = threading.Event()

    def fail(_: Memex) -> None:
        release.wait(90)
        raise RuntimeError("late")

    old = asyncio.ensure_future(gateway.ask("q", fail))
    await asyncio.sleep(0.05)
    new = asyncio.ensure_future(gateway.ask("q", titles))
    await asyncio.sleep(0)
    release.set()
    with pytest.raises(Dropped):
        await old
    assert await new == ["Ada Park", "Bakery"]


async def test_writes_run_one_after_the_other_and_are_told(store: Path) -> None:
    told: list[Written] = []
    gateway = Gateway(str(store), written=told.append)
    try:
        await asyncio.gather(
            gateway.write(lambda memex: memex.write("entity", "Crumb", "New.")),
            gateway.write(lambda memex: memex.rename("bakery", "Old bakery")),
            gateway.write(lambda memex: memex.forget("crumb")),
        )
    finally:
        gateway.close()
    made, renamed, gone = told
    assert made.added == {"entities/crumb.md"}
    assert gateway.is_own("entities/old-bakery.md", renamed.digests["entities/old-bakery.md"])
    assert renamed.renamed == {"entities/old-bakery.md": "entities/bakery.md"}
    assert set(renamed.digests) == {"entities/old-bakery.md", "entities/bakery.md", "entities/ada-park.md"}
    assert gone.digests == {"entities/crumb.md": None}
    assert gateway.is_own("entities/crumb.md", None)
    assert not gateway.is_own("entities/ada-park.md", "another digest")


async def test_the_watcher_waits_for_a_write_under_way(store: Path, gateway: Gateway) -> None:
    """It may see the file before the write is through: that is no outside edit."""
    written, go_on = threading.Event(), threading.Event()

    def slowly(memex: Memex) -> str:
        memex.edit("bakery", body="A shop that opens early.")
        written.set()
        assert go_on.wait(60)
        return memex.store.index.digests()["entities/bakery.md"]

    act = asyncio.create_task(gateway.write(slowly))
    await asyncio.to_thread(written.wait, 60)
    with Memex(store) as other:
        digest = other.store.index.digests()["entities/bakery.md"]
    asked = asyncio.create_task(asyncio.to_thread(gateway.is_own, "entities/bakery.md", digest))
    done, _ = await asyncio.wait([asked], timeout=0.05)
    assert not done
    go_on.set()
    assert await asked
    assert await act == digest


async def test_a_call_that_changes_nothing_tells_nothing(store: Path) -> None:
    told: list[Written] = []
    gateway = Gateway(str(store), written=told.append)
    await gateway.write(lambda memex: memex.rename("bakery", "Shop", dry_run=True))
    gateway.close()
    assert told == []


async def test_what_was_written_can_be_taken_back(store: Path) -> None:
    told: list[Written] = []
    gateway = Gateway(str(store), written=told.append)
    before = {path: path.read_bytes() for path in store.glob("docs/**/*.md")}
    await gateway.write(lambda memex: memex.rename("bakery", "Old bakery"))
    assert {path: path.read_bytes() for path in store.glob("docs/**/*.md")} != before

    def back(memex: Memex) -> Any:
        for name in reversed(told[0].undo):
            memex.revert(name)

    await gateway.write(back)
    gateway.close()
    assert {path: path.read_bytes() for path in store.glob("docs/**/*.md")} == before


async def test_a_missing_store_is_an_error_until_something_is_written(root: Path) -> None:
    gateway = Gateway(str(root))
    with pytest.raises(StoreMissing):
        await gateway.ask("x", titles)
    assert not root.exists()
    await gateway.write(lambda memex: memex.write("entity", "First", "Hello."))
    assert await gateway.ask("x", titles) == ["First"]
    gateway.close()


async def test_after_the_end_nothing_is_answered(store: Path) -> None:
    gateway = Gateway(str(store))
    slow = asyncio.ensure_future(
        gateway.ask("q", lambda memex: memex.store.index.db.execute(SLOW).fetchone())
    )
    await asyncio.sleep(0.2)
    gateway.close()
    with pytest.raises(Dropped):
        await asyncio.wait_for(slow, 90)


async def test_a_write_under_way_is_finished_at_the_end(store: Path) -> None:
    gateway = Gateway(str(store))

    def slowly(memex: Memex) -> None:
        time.sleep(0.3)
        memex.write("entity", "At last", "x")

    writing = asyncio.ensure_future(gateway.write(slowly))
    await asyncio.sleep(0.05)
    gateway.close()
    await asyncio.to_thread(gateway.join)
    assert (store / "docs" / "entities" / "at-last.md").exists()
    await asyncio.gather(writing, return_exceptions=True)
