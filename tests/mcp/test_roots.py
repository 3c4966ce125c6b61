"""Scope ``project`` means the project that the client works in: its first root, else the server's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import ListRootsResult, Root

from memex_core.mcp.roots import path_of
from tests.conftest import MEMEX
from tests.files.test_repository import repository
from tests.mcp.conftest import Wire


async def test_the_clients_root_is_the_project(memex: Any, root: Path, tmp_path: Path) -> None:
    folders = [repository(tmp_path / name, f"git@github.com:ann/{name}.git") for name in ("a shop", "bakery")]
    asked = []

    async def roots(_context: Any) -> ListRootsResult:
        asked.append(1)
        return ListRootsResult(roots=[Root(uri=folders[0].as_uri())])

    server = StdioServerParameters(command=MEMEX, args=["--root", str(root), "serve-mcp"], cwd=folders[1])
    async with Client(stdio_client(server), mode="legacy", list_roots_callback=roots) as client:
        for title in ("Deploy", "Test"):
            done = await client.call_tool(
                "memex_write", {"type": "procedure", "title": title, "body": "x", "scope": "project"}
            )
            assert not done.is_error, done.content
    memex.look_again()
    view = memex.show("deploy")
    assert view["project"] == memex.project(folders[0])["project"] == memex.show("test")["project"]
    assert view["project"].startswith("a-shop-")
    assert asked == [1]


def test_without_roots_the_servers_folder_counts(memex: Any, wire: Wire) -> None:
    done = wire.call("memex_write", type="procedure", title="Deploy", scope="project")
    assert done["isError"] is True
    assert "this folder is no project" in done["content"][0]["text"]
    named = wire.content("memex_write", type="procedure", title="Deploy", scope="project", project="shop")
    assert named["slug"] == "deploy"


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/ann/a%20b", "/home/ann/a b"),
        ("file://localhost/srv", "/srv"),
        ("file://elsewhere/srv", ""),
        ("https://example.org/x", ""),
        ("", ""),
    ],
)
def test_paths(uri: str, path: str) -> None:
    assert path_of(uri) == path
