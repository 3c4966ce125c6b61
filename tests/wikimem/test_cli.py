"""The face's own command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memex_core.wikimem import MemoryStore
from memex_core.wikimem.cli import main


@pytest.fixture
def run(seaside: MemoryStore, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def run(*words: str) -> tuple[int, str, str]:
        code = main(["--store", str(seaside.root), *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_ls_counts_the_items_of_each_file(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("ls")
    assert (code, [line.split() for line in out.splitlines()]) == (
        0,
        [["daily_life", "1"], ["preferences", "2"], ["work", "1"]],
    )


def test_show_prints_a_file_or_an_item_as_it_is_stored(run, seaside: MemoryStore) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("show", "preferences")
    assert (code, out) == (0, (seaside.root / "wiki" / "preferences.md").read_text("utf-8"))
    code, out, _ = run("show", "preferences", " 手冲咖啡")
    assert code == 0 and out.startswith(
        "## 手冲咖啡\n\n只喝手冲咖啡，从不加糖。[[missing:gone]]\n\n<!-- wikimem: ts="
    )


@pytest.mark.parametrize("words", [("show", "nothing"), ("show", "work", "nothing"), ("show", "../journal")])
def test_what_is_not_there_exits_1(run, words: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    code, out, err = run(*words)
    assert (code, out) == (1, "")
    assert err.startswith("wikimem: there is no ")


def test_grep_prints_file_name_and_line(run, seaside: MemoryStore) -> None:  # type: ignore[no-untyped-def]
    seaside.add("work", "notes", "first line\nSecond line has a Robot\nthird")
    assert run("grep", "海边") == (
        0,
        "preferences:likes-the-sea:喜欢海边。[[daily_life:beach-trip-plan]]\n",
        "",
    )
    assert run("grep", "Rob.t$") == (0, "work:notes:Second line has a Robot\n", "")
    code, out, _ = run("grep", "-i", "robot")
    assert (code, len(out.splitlines())) == (0, 2)
    assert run("grep", "trip-plan$") == (0, "daily_life:beach-trip-plan:夏天坐火车旅行，看日出。\n", "")
    assert run("grep", "zzz") == (1, "", "")


def test_explain_shows_hits_links_costs_and_what_leads_nowhere(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("explain", "--no-jieba", "喜欢海边 咖啡", "--budget", "20")
    assert code == 0
    lines = out.splitlines()
    assert lines[:4] == [
        "query: 喜欢海边 咖啡",
        "query tokens: 喜欢, 欢海, 海边, 咖啡",
        "ranking: BM25 (embedding: off)",
        "time gate: none (whole store)",
    ]
    cells = [line.split() for line in lines if line[:3].strip().isdigit()]
    assert [(row[0], row[1], row[6]) for row in cells] == [
        ("1", "hit", "preferences:likes-the-sea"),
        ("2", "link", "daily_life:beach-trip-plan"),
        ("3", "hit", "preferences:手冲咖啡"),
    ]
    assert "(via likes-the-sea)" in out
    assert "budget: used 12 / 20" in out
    assert lines.index("cut by the budget:") < next(
        at for at, line in enumerate(lines) if line.startswith("  2")
    )
    assert "links to nothing: [[missing:gone]]" in out


def test_explain_takes_limit_and_no_links(run) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = run("explain", "喜欢海边 咖啡", "--limit", "1", "--no-links")
    assert "likes-the-sea" in out and "beach-trip-plan" not in out and "手冲咖啡" not in out
    assert "budget: used 12 / no limit" in out
    code, out, _ = run("explain", "zzz")
    assert code == 1 and "nothing found" in out and "time gate: none" in out


def test_explain_always_says_what_time_it_looked_at(run, seaside: MemoryStore, later) -> None:  # type: ignore[no-untyped-def]
    later("2026-07-24T12:00:00Z")
    seaside.diary.append("晚上吃了拉面。", date="2026-07-22", time="19:00")
    gates = {
        ("吃了拉面", "--time-range", "2026-07-22"): "time gate: 2026-07-22  [explicit]",
        ("拉面", "--time-range", "2026-07-21..2026-07-23"): "time gate: 2026-07-21..2026-07-23  [explicit]",
        ("前天吃了什么",): "time gate: 2026-07-22  [parsed]",
        ("拉面", "--time-range", "2026-07-23"): (
            "time gate: 2026-07-22..2026-07-24  [explicit] (widened: the window was empty)"
        ),
        ("海边",): "time gate: none (whole store)",
    }
    for words, line in gates.items():
        assert line in run("explain", *words)[1].splitlines(), words


def test_graph_as_mermaid_has_what_is_missing_dashed(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("graph")
    lines = [line.strip() for line in out.splitlines()]
    assert code == 0
    names = {line.split('"')[1]: line.split("[")[0] for line in lines if '["' in line}
    assert set(names) == {
        "daily_life:beach-trip-plan",
        "preferences:likes-the-sea",
        "preferences:手冲咖啡",
        "work:current-job",
        "missing:gone",
    }
    assert f"{names['preferences:likes-the-sea']} --> {names['daily_life:beach-trip-plan']}" in lines
    assert f"class {names['missing:gone']} ghost" in lines
    assert any(line.startswith("classDef ghost stroke-dasharray") for line in lines)


def test_graph_as_json(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("graph", "--format", "json")
    graph = json.loads(out)
    assert code == 0
    assert {"id": "missing:gone", "file": "missing", "name": "gone", "unresolved": True} in graph["nodes"]
    assert [node["unresolved"] for node in graph["nodes"]].count(False) == 4
    assert graph["edges"] == [
        {"source": "preferences:likes-the-sea", "target": "daily_life:beach-trip-plan"},
        {"source": "preferences:手冲咖啡", "target": "missing:gone"},
    ]


@pytest.mark.parametrize(
    "words", [(), ("dance",), ("show",), ("explain", "x", "--limit", "many"), ("graph", "--format", "png")]
)
def test_wrong_usage_exits_2(seaside: MemoryStore, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["-s", str(seaside.root), *words])
    assert caught.value.code == 2


def test_a_store_that_cannot_be_read_and_a_bad_argument_exit_2(
    run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # type: ignore[no-untyped-def]
    assert main(["-s", str(tmp_path / "none"), "ls"]) == 2
    assert "no folder" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    assert run("grep", "(")[0] == 2
    assert run("explain", "x", "--time-range", "soon")[0] == 2


def test_the_store_is_the_option_else_the_environment_else_this_folder(
    seaside: MemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = MemoryStore(tmp_path / "other")
    other.add("only", "here", "x")
    monkeypatch.setenv("WIKIMEM_STORE", str(other.root))
    monkeypatch.chdir(seaside.root)
    assert main(["ls"]) == 0
    assert capsys.readouterr().out.split() == ["only", "1"]
    assert main(["-s", str(seaside.root), "ls"]) == 0
    assert "work" in capsys.readouterr().out
    monkeypatch.delenv("WIKIMEM_STORE")
    assert main(["ls"]) == 0
    assert "work" in capsys.readouterr().out


def test_it_runs_as_a_module(seaside: MemoryStore) -> None:
    words = [sys.executable, "-m", "memex_core.wikimem", "-s", str(seaside.root), "grep", "robots"]
    done = subprocess.run(
        words, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"}, check=False
    )
    assert done.returncode == 0
    assert done.stdout.decode() == "work:current-job:Builds robots in a small workshop near the harbour.\n"
