"""When a page was made that does not say it: when its file was, whatever is done to it later."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memex_core.memex import Memex

MADE = "2021-03-04T05:06:07Z"


def test_a_page_of_a_vault_keeps_the_day_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    page = vault / "Old.md"
    page.write_text("# Old\n")
    os.utime(page, (1_614_834_367, 1_614_834_367))
    with Memex(vault) as memex:  # read only: its index lies in the cache folder
        assert memex.list()["pages"][0]["created"] == MADE
        memex.edit("Old", append="more")
        assert memex.show("Old")["created"] == MADE
    with Memex(vault) as memex:  # from now on the index lies in the vault's own folder
        assert memex.store.layout.index.startswith(str(vault))
        found = memex.show("Old")
        assert (found["created"], found["updated"] > "2026") == (MADE, True)
        assert memex.recall("more")["hits"][0]["created"] == MADE
        memex.rename("Old", "New")
        memex.rebuild_index(force=True)
        assert memex.list()["pages"][0]["created"] == MADE
