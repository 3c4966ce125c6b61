"""``memex embed`` and recall with vectors as processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memex_core import Memex
from tests.actions.asking.vectored import fill, turn_on
from tests.cli.conftest import Runner
from tests.loopback import EmbeddingServer, dead_base


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with EmbeddingServer() as running:
        yield running


@pytest.fixture
def filled(root: Path, server: EmbeddingServer) -> Path:
    with Memex(root, create=True) as memex:
        fill(memex)
    turn_on(root, server.base)
    return root


def test_embed_tells_what_it_did_and_recall_uses_it(
    filled: Path, memex: Runner, server: EmbeddingServer
) -> None:
    told = memex("embed", "--dry-run").json
    assert (told["waiting"], told["dry_run"], server.requests) == (14, True, [])
    done = memex("embed", "--limit", "4").json
    assert (done["embedded"], done["waiting"]) == (4, 10)
    done = memex("embed").json
    assert (done["embedded"], done["waiting"], done["warnings"]) == (10, 0, [])
    found = memex("recall", "limousine", "--explain").json
    assert found["search_engine"] == "bm25+vectors"
    assert {hit["slug"] for hit in found["hits"]} == {"garage", "the-automobile"}
    assert all(hit["why"]["parts"]["vectors"] > 0.2 for hit in found["hits"])
    assert memex("status").json["vectors"]["pages"] == {"with": 14, "all": 14}


def test_a_dead_endpoint_is_a_warning_and_exit_code_0(
    filled: Path, memex: Runner, server: EmbeddingServer
) -> None:
    memex("embed")
    turn_on(filled, dead_base())
    done = memex("recall", "car")
    assert done.code == 0
    assert [hit["slug"] for hit in done.json["hits"]] == ["garage"]
    assert done.json["search_engine"] == "bm25"
    assert done.json["warnings"][0].endswith("cannot be reached: words only")
    again = memex("recall", "the car")  # remembered: this one does not even try
    assert again.json["warnings"] == done.json["warnings"]


def test_embed_fails_in_one_line(filled: Path, memex: Runner, server: EmbeddingServer) -> None:
    server.behave("refused")
    done = memex("embed")
    assert done.code == 1
    assert done.err.startswith(f"memex: {server.base[7:-3]} refused the API key; check api_key")
    assert "Traceback" not in done.err
    turn_on(filled, "", provider="")
    done = memex("embed")
    assert done.code == 2
    assert "vectors are off; set provider and model under [embed]" in done.err


def test_a_search_by_words_imports_no_sdk(root: Path, script: str, environ: dict[str, str]) -> None:
    """Also where vectors are on, as long as there are none to compare with."""
    with Memex(root, create=True) as memex:
        fill(memex)
    for base in ("", "http://127.0.0.1:9/v1"):
        if base:
            turn_on(root, base)
        words = [sys.executable, "-X", "importtime", script, "--root", str(root), "recall", "car"]
        done = subprocess.run(words, capture_output=True, text=True, check=True, env=environ)
        loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}
        assert "memex_core.recall.recall" in loaded
        assert not loaded & {"openai", "numpy", "httpx"}
        assert ("memex_core.recall.fusion" in loaded) == bool(base)
