"""Recall as a process: forms, filters, batches, and what it must not load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Runner

HEAVY = (
    "textual rich openai mcp watchfiles numpy yaml dataclasses pathlib subprocess argparse inspect logging "
    "multiprocessing"
)


def test_recall_finds(memex: Runner, store: Path) -> None:
    done = memex("recall", "which", "linter", "flake8")
    assert done.code == 0, done.err
    hit = done.json["hits"][0]
    assert (hit["rank"], hit["slug"], hit["kind"], hit["node_type"]) == (1, "ruff", "page", "preference")
    assert "<mark>flake8</mark>" in hit["snippet"]
    assert done.json["total_indexed"] == 3
    assert [row["slug"] for row in memex("recall", "flake8", "--jsonl").lines] == ["ruff"]


def test_no_hit_is_no_failure(memex: Runner, store: Path) -> None:
    done = memex("recall", "zyzzyva")
    assert (done.code, done.json["hits"]) == (0, [])


def test_filters_and_limits(memex: Runner, store: Path) -> None:
    def slugs(*words: str) -> set[str]:
        return {hit["slug"] for hit in memex("recall", *words).json["hits"]}

    assert slugs("shop") == {"ruff", "shop", "ada-park"}
    assert slugs("shop", "--type", "entity") == {"shop", "ada-park"}
    assert slugs("shop", "--tag", "lint") == {"ruff"}
    assert len(slugs("shop", "-k", "1")) == 1
    assert slugs("shop", "--", "-flake8") == {"shop", "ada-park"}
    assert slugs("--in", "diary", "shop") == set()
    assert slugs("shop", "--before", "2000-01-01") == set()
    assert slugs() == {"ruff", "shop", "ada-park"}


@pytest.mark.parametrize(
    "query",
    [
        '"open',
        "NOT",
        "NEAR(",
        "C++",
        "a@b.c",
        "100%",
        "数据",
        "🚀",
        "don't",
        "x" * 5000,
        "*",
        "^",
        "()",
        "''",
        "a:b",
        "\t",
    ],
)
def test_no_query_is_an_error(memex: Runner, store: Path, query: str) -> None:
    done = memex("recall", query)
    assert done.code == 0, done.err
    assert done.json["query"] == query


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("x", "-k", "0"), 2),
        (("x", "-k", "101"), 2),
        (("x", "--in", "attic"), 2),
        (("x", "--budget", "-1"), 2),
        (("x", "--after", "someday"), 2),
        (("x", "--batch", "-"), 2),
        (("--batch", "no-such-file"), 1),
    ],
)
def test_wrong_use(memex: Runner, store: Path, words: tuple[str, ...], code: int) -> None:
    done = memex("recall", *words)
    assert done.code == code, done
    assert done.err.startswith("memex: ")
    assert done.err.count("\n") == 1


def test_no_store_is_said_and_none_is_made(memex: Runner, bare: Runner, root: Path, home: Path) -> None:
    for words in (
        ("recall", "x"),
        ("list",),
        ("show", "x"),
        ("verify",),
        ("tags",),
        ("export",),
        ("diary", "show"),
    ):
        done = memex(*words, "--json")
        assert done.code == 1, words
        assert done.json["error"]["code"] == "no-store"
        assert not root.exists()
    assert bare("recall", "x").code == 1
    assert list(home.iterdir()) == []


def test_the_root_comes_from_the_environment_and_the_folder(bare: Runner, store: Path) -> None:
    assert bare("recall", "flake8", env={"MEMEX_HOME": str(store)}).json["hits"][0]["slug"] == "ruff"
    assert bare("recall", "flake8", env={"MEMEX_DATA_DIR": str(store)}).json["hits"][0]["slug"] == "ruff"
    assert bare("recall", "flake8", cwd=store / "docs").json["hits"][0]["slug"] == "ruff"


def test_batch_answers_line_by_line(memex: Runner, store: Path, tmp_path: Path) -> None:
    queries = "flake8\r\nzyzzyva\n\n数据"
    done = memex("recall", "--batch", "-", "-k", "1", stdin=queries.encode())
    assert done.code == 0, done.err
    assert [answer["query"] for answer in done.lines] == ["flake8", "zyzzyva", "", "数据"]
    assert [len(answer["hits"]) for answer in done.lines] == [1, 0, 1, 0]
    (tmp_path / "queries").write_bytes(queries.encode())
    again = memex("recall", "--batch", "queries", "-k", "1")
    assert [[hit["slug"] for hit in answer["hits"]] for answer in again.lines[:2]] == [["ruff"], []]


def test_batch_answers_before_the_next_question(script: str, environ: dict[str, str], store: Path) -> None:
    words = [script, "--root", str(store), "recall", "--batch", "-"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for query, slug in (("flake8", "ruff"), ("1998", "ada-park")):
            process.stdin.write(query.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["hits"][0]["slug"] == slug
        process.stdin.close()
        assert process.wait(10) == 0


def test_context_is_the_block_or_nothing(memex: Runner, store: Path) -> None:
    done = memex("context", "which linter, flake8?").json
    assert "never flake8" in done["block"]
    assert memex("context", "zyzzyva").json["block"] == ""
    text = memex("context", "flake8", "--text").text
    assert text.rstrip("\n") == memex("context", "flake8").json["block"].rstrip("\n")


def test_recall_loads_nothing_heavy(environ: dict[str, str], store: Path) -> None:
    """Twice: the index is there the second time, as it is in daily use."""
    code = (
        "import sys; from memex_core.cli import main; "
        f"code = main(['--root', {str(store)!r}, 'recall', 'flake8']); "
        f"print([name for name in {HEAVY.split()!r} if name in sys.modules], code, file=sys.stderr)"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=environ
        )
        assert json.loads(done.stdout)["hits"][0]["slug"] == "ruff"
        said = done.stderr
    assert said == "[] 0\n"


def test_version_and_help_load_even_less(environ: dict[str, str]) -> None:
    code = (
        "import sys; from memex_core.cli import main; main(['--help']); "
        f"heavy = {[*HEAVY.split(), 'sqlite3', 'json', 'memex_core.memex']!r}; "
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=environ)
    assert done.stderr == "[]\n"
