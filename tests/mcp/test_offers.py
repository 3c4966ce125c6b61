"""Resources and prompts: addresses a client keeps, and what a person picks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mcp import MCPError


async def failure(asked: Any) -> MCPError:
    with pytest.raises(MCPError) as caught:
        await asked
    return caught.value


async def test_pages_and_conversations_have_addresses(memex: Any, connect: Callable[..., Any]) -> None:
    memex.write(type="entity", title="Ofen & Käse", body="Heiß.")
    memex.ingest_transcript(session_id="s1", turns=[{"role": "user", "content": "Hello there."}])
    async with connect() as agent:
        templates = (await agent.client.list_resource_templates()).resource_templates
        assert [one.uri_template for one in templates] == ["memex://page/{slug}", "memex://session/{id}"]
        found = (await agent.client.list_resources()).resources
        uris = {one.title: str(one.uri) for one in found}
        page = (await agent.client.read_resource(uris["Ofen & Käse"])).contents[0]
        assert page.text.encode() == memex.read_bytes("ofen-käse")
        assert page.mime_type == "text/markdown"
        talk = (await agent.client.read_resource("memex://session/s1")).contents[0]
        assert "[1] user: Hello there." in talk.text


async def test_the_list_of_pages_goes_on(memex: Any, connect: Callable[..., Any]) -> None:
    for number in range(60):
        memex.write(type="entity", title=f"Page {number}", body="x")
    async with connect() as agent:
        first = await agent.client.list_resources()
        assert len(first.resources) == 50
        more = await agent.client.list_resources(cursor=first.next_cursor)
        assert len({one.uri for one in (*first.resources, *more.resources)}) == 60
        assert more.next_cursor is None


NOTHING = [
    ("memex://page/none", -32002),
    ("memex://session/none", -32002),
    ("memex://page/", -32602),
    ("memex://cellar/x", -32602),
    ("file:///etc/passwd", -32602),
    ("memex://page/..%2F..%2Fetc%2Fpasswd", -32002),
]


async def test_an_address_of_nothing_is_an_error(memex: Any, connect: Callable[..., Any]) -> None:
    async with connect() as agent:
        answered = [(uri, (await failure(agent.client.read_resource(uri))).error.code) for uri, _ in NOTHING]
    assert answered == NOTHING


async def test_slugs_that_two_pages_have_are_addressed_by_path(
    memex: Any, connect: Callable[..., Any]
) -> None:
    for project in ("shop", "bank"):
        memex.write(
            type="entity", title="Deploy", body=f"For the {project}.", scope="project", project=project
        )
    async with connect() as agent:
        found = (await agent.client.list_resources()).resources
        texts = [(await agent.client.read_resource(str(one.uri))).contents[0].text for one in found]
        assert sorted(text.split("---\n")[-1] for text in texts) == ["For the bank.\n", "For the shop.\n"]


async def test_prompts_ask_memory_and_have_it_kept(memex: Any, connect: Callable[..., Any]) -> None:
    memex.write(type="preference", title="Ruff", body="Use ruff, never flake8.")
    async with connect() as agent:
        prompts = {one.name: one for one in (await agent.client.list_prompts()).prompts}
        assert set(prompts) == {"recall", "remember"}
        assert [(arg.name, arg.required) for arg in prompts["recall"].arguments] == [("query", True)]

        asked = (await agent.client.get_prompt("recall", {"query": "ruff or flake8"})).messages[0]
        assert asked.role == "user"
        assert "Use ruff, never flake8." in asked.content.text
        assert asked.content.text.endswith("With that in mind: ruff or flake8")
        nothing = (await agent.client.get_prompt("recall", {"query": "zirconium"})).messages[0].content.text
        assert nothing.startswith("Memory holds nothing about it.")
        keep = (
            (await agent.client.get_prompt("remember", {"what": "the oven is hot"})).messages[0].content.text
        )
        assert "the oven is hot" in keep
        assert "memex_write" in keep

        assert "query is missing" in str(await failure(agent.client.get_prompt("recall", {})))
        assert "no prompt 'sing'" in str(await failure(agent.client.get_prompt("sing", {})))
