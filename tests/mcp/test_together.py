"""One store and many at work: outside edits, other servers, calls side by side."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_tui.app import MemexApp
from tests.mcp.conftest import Wire


def slugs(result: dict[str, Any]) -> list[str]:
    return [hit["slug"] for hit in result["structuredContent"]["hits"]]


def test_every_call_sees_the_folder_as_it_is(memex: Any, wire: Wire, root: Path) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    path = root / "docs" / "entities" / "oven.md"
    assert slugs(wire.call("memex_recall", query="hot")) == ["oven"]
    path.write_text(path.read_text().replace("hot", "lukewarm"))
    assert slugs(wire.call("memex_recall", query="lukewarm")) == ["oven"]
    (root / "docs" / "hand.md").write_text("# By hand\n\nA zirconium page.\n")
    assert slugs(wire.call("memex_recall", query="zirconium")) == ["hand"]
    os.rename(path, path.with_name("stove.md"))
    assert slugs(wire.call("memex_recall", query="lukewarm")) == ["stove"]
    path.with_name("stove.md").unlink()
    assert slugs(wire.call("memex_recall", query="lukewarm")) == []


def test_an_index_deleted_under_the_server_is_made_again(memex: Any, wire: Wire, root: Path) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    memex.close()
    assert slugs(wire.call("memex_recall", query="hot")) == ["oven"]
    for path in root.glob("mem.db*"):
        path.unlink()
    (root / "docs" / "new.md").write_text("# New\n\nAlso hot.\n")
    assert sorted(slugs(wire.call("memex_recall", query="hot"))) == ["new", "oven"]
    assert (root / "mem.db").exists()


def test_a_store_that_is_replaced_is_the_one_that_answers(memex: Any, wire: Wire, root: Path) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    memex.close()
    shutil.copytree(root, root.with_name("other"))
    assert slugs(wire.call("memex_recall", query="hot")) == ["oven"]
    root.rename(root.with_name("old"))
    root.with_name("other").rename(root)
    for path in root.glob("mem.db*"):
        path.unlink()
    made = wire.call("memex_write", type="entity", title="Door", body="It is open.")
    assert made["structuredContent"]["slug"] == "door"
    assert (root / "docs" / "entities" / "door.md").exists()
    assert not (root.with_name("old") / "docs" / "entities" / "door.md").exists()


def test_settings_changed_under_the_server_hold_from_the_next_call_on(
    memex: Any, wire: Wire, root: Path
) -> None:
    settings = root / "memex.toml"
    settings.write_text('[governance]\nknowledge_approval = "auto"\n')
    first = wire.content("memex_write", type="entity", title="One")
    settings.write_text('[governance]\nknowledge_approval = "manual"\n')
    os.utime(settings, ns=(1, 1))
    second = wire.content("memex_write", type="entity", title="Two")
    assert (first["status"], second["status"]) == ("stable", "draft")


async def test_two_servers_and_the_app_write_two_hundred_pages_each_and_none_is_lost(
    memex: Any, connect: Callable[..., Any], root: Path
) -> None:
    each = 200

    async def agent(name: str) -> None:
        async with connect() as act:
            for number in range(each):
                await act("write", type="entity", title=f"{name} {number}", body="x")

    async def person() -> None:
        app = MemexApp(str(root), keep_state=False)
        async with app.run_test():
            for number in range(each):
                title = f"Person {number}"
                await app.gateway.write(lambda m, title=title: m.write(type="entity", title=title, body="x"))
        await asyncio.to_thread(app.gateway.join, reads=True)

    await asyncio.gather(agent("One"), agent("Other"), person())
    memex.look_again()
    assert memex.status()["pages"] == 3 * each
    assert len(list((root / "docs" / "entities").glob("*.md"))) == 3 * each
    written = [event for event in memex.store.journal.read() if event["action"] == "add"]
    assert len({event["seq"] for event in written}) == len(written) == 3 * each
    assert {check["name"] for check in memex.verify()["checks"] if not check["ok"]} == set()


async def test_calls_of_one_client_and_a_person_write_at_once(
    memex: Any, connect: Callable[..., Any], root: Path
) -> None:
    each = 25

    async def agent(name: str) -> None:
        async with connect() as act:
            writes = [
                act("write", type="entity", title=f"{name} {number}", body="x") for number in range(each)
            ]
            reads = [act("recall", query="x") for _ in range(5)]
            await asyncio.gather(*writes, *reads)

    def person() -> None:
        for number in range(each):
            memex.write(type="entity", title=f"Person {number}", body="x")

    await asyncio.gather(agent("Agent"), asyncio.to_thread(person))
    memex.look_again()
    assert memex.status()["pages"] == 2 * each
    assert memex.store.journal.last_seq() == 2 * each


@pytest.mark.parametrize("approval", ["auto", "manual"])
async def test_calls_side_by_side_on_one_page_are_all_kept(
    memex: Any, connect: Callable[..., Any], root: Path, approval: str
) -> None:
    (root / "memex.toml").write_text(f'[governance]\nknowledge_approval = "{approval}"\n')
    memex.write(type="entity", title="List", body="Things:")
    async with connect() as one, connect() as other:
        await asyncio.gather(
            *(
                (one, other)[number % 2]("edit", slug="list", append=f"- thing {number}")
                for number in range(20)
            )
        )
    memex.look_again()
    if approval == "manual":
        assert [item["slug"] for item in memex.review()["items"]] == ["list-proposed"]
        memex.approve("list-proposed")
    body = memex.show("list")["body"]
    assert sorted(body.split("\n")[1:-1]) == sorted(f"- thing {number}" for number in range(20))


async def test_a_folder_of_notes_is_served_as_it_is(root: Path, connect: Callable[..., Any]) -> None:
    root.mkdir()
    (root / "Rye loaf.md").write_text("Bake it [[Oven|there]].\n")
    (root / "Oven.md").write_text("Hot.\n")
    async with connect("--read-only") as agent:
        page = await agent("show", slug="Rye loaf")
        assert [link["to"] for link in page["links"]] == ["Oven.md"]
    assert sorted(path.name for path in root.iterdir()) == ["Oven.md", "Rye loaf.md"]
