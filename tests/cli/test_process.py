"""The process itself: encodings, pipes, signals, streams that are closed, disks that are full."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Runner

LOCALES = [
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX", "PYTHONIOENCODING": "cp1252"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "ascii:strict"},
]


@pytest.mark.parametrize("env", LOCALES, ids=lambda env: " ".join(env.values()))
def test_letters_of_every_script_survive_any_locale(memex: Runner, root: Path, env: dict[str, str]) -> None:
    title, body = "数据 🚀 ü", "한국어 ไทย عربي\n"
    done = memex("write", "--type", "entity", "--title", title, "--body", "-", stdin=body.encode(), env=env)
    assert done.code == 0, done.err
    assert [path.name for path in root.rglob("*.md") if path.name != "index.md"] == [
        f"{done.json['slug']}.md"
    ]
    page = memex("show", title, env=env).json
    assert (page["title"], page["body"]) == (title, body)
    assert title in memex("show", title, "--text", env=env).text
    assert memex("recall", "数据", env=env).json["hits"][0]["title"] == title


def test_words_that_are_no_utf8_are_refused(memex: Runner, store: Path) -> None:
    done = memex("recall", b"caf\xe9")
    assert (done.code, done.err) == (2, "memex: QUERY is not valid UTF-8; check the terminal's encoding\n")
    done = memex("write", "--type", "entity", "--title", "T", "--body", "-", stdin=b"caf\xe9")
    assert (done.code, done.err) == (
        2,
        "memex: standard input is not UTF-8 (byte 3); convert it with iconv\n",
    )


def test_a_root_whose_name_is_no_utf8_is_refused(bare: Runner, tmp_path: Path) -> None:
    root = os.fsencode(tmp_path) + b"/caf\xe9"
    done = bare("--root", root, "write", "--type", "entity", "--title", "T")
    assert done.code == 2
    assert done.err == "memex: the name of the --root folder is not valid UTF-8; rename the folder\n"
    assert not os.path.exists(root)


@pytest.mark.parametrize(
    "words",
    [("list",), ("list", "--jsonl"), ("list", "--text"), ("--help",), ("recall", "shop"), ("export",)],
)
def test_a_closed_pipe_ends_quietly(
    script: str, environ: dict[str, str], store: Path, words: tuple[str, ...]
) -> None:
    """``memex … | head -1``: the reader is gone before the output is written."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [script, "--root", str(store), *words],
            stdout=writing,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env=environ,
            timeout=20,
        )
    finally:
        os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 0


def test_head(script: str, environ: dict[str, str], store: Path) -> None:
    line = 'set -o pipefail; "$1" --root "$2" list --jsonl | head -1'
    done = subprocess.run(
        ["bash", "-c", line, "bash", script, str(store)], capture_output=True, env=environ, timeout=20
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_behind_stdout_is_a_failure(script: str, environ: dict[str, str], store: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [script, "--root", str(store), "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environ,
            timeout=20,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"memex: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("closing", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_do_no_harm(script: str, environ: dict[str, str], store: Path, closing: str) -> None:
    for words in ("list", "show nope", "frobnicate"):
        code = {"list": 0, "show nope": 1, "frobnicate": 2}[words]
        line = f'"$1" --root "$2" {words} {closing}'
        done = subprocess.run(
            ["bash", "-c", line, "bash", script, str(store)], capture_output=True, env=environ, timeout=20
        )
        assert done.returncode == code, (words, done)
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("recall", "shop"),
        ("context", "shop"),
        ("list",),
        ("show", "ruff"),
        ("verify",),
        ("status",),
        ("graph",),
        ("tags",),
        ("write", "--type", "entity", "--title", "N"),
        ("edit", "ruff", "--append", "x"),
        ("edit", "ruff"),
        ("diary", "show"),
        ("purge", "ruff"),
        ("clear-transcripts",),
        ("import",),
        ("recall", "--batch"),
    ],
)
def test_nothing_waits_for_input_that_was_not_asked_for(
    script: str, environ: dict[str, str], store: Path, words: tuple[str, ...]
) -> None:
    """Standard input is a pipe that stays open and silent."""
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [script, "--root", str(store), *words],
            stdin=reading,
            capture_output=True,
            env=environ,
            timeout=20,
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode in (0, 1, 2)


def test_an_interrupt_is_130_and_one_line(script: str, environ: dict[str, str], store: Path) -> None:
    words = [script, "--root", str(store), "recall", "--batch", "-"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"shop\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(2)
        began = time.monotonic()
        process.wait(10)
        assert time.monotonic() - began < 1
        assert process.stderr is not None
        assert process.stderr.read() == b"memex: interrupted\n"
    assert process.returncode == 130


def test_quiet_leaves_data_and_errors(memex: Runner, store: Path) -> None:
    assert memex("-q", "write", "--type", "entity", "--title", "Q", "--text") == (0, b"", "")
    assert memex("list", "-q").json["total"] == 4
    assert memex("show", "nope", "-q").err.startswith("memex: ")


# -- on a terminal -------------------------------------------------------------------------

Terminal = Callable[..., tuple[int, str]]
EVIL = "\x1b]52;c;aGk=\x07\x1b[31mred\x1b[2J \x9b5m"


@pytest.fixture
def evil(store: Path) -> Path:
    """A page whose title, text, name and tags try to command the terminal."""
    name = store / "docs" / "evil \x1b[31m.md"
    name.write_text(
        f'---\ntitle: "{EVIL!r}"\ntags: ["a\\e[0m"]\n---\nneedle {EVIL}\n[[ {EVIL} ]]\n', encoding="utf-8"
    )
    return name


@pytest.mark.parametrize(
    "words",
    [
        ("recall", "needle"),
        ("recall", "needle", "--explain"),
        ("recall", "needle", "--json"),
        ("list",),
        ("list", "--jsonl"),
        ("show", "evil-31m"),
        ("show", "evil-31m", "--raw"),
        ("graph",),
        ("graph", "--format", "dot"),
        ("tags",),
        ("verify",),
        ("links", "evil-31m"),
        ("status",),
        ("context", "needle"),
        ("show", "\x1b]52;c;aGk=\x07"),
        ("export",),
        ("history", "evil-31m"),
    ],
)
def test_stored_text_never_commands_the_terminal(
    terminal: Terminal, evil: Path, words: tuple[str, ...]
) -> None:
    _, shown = terminal("--quiet", *words, NO_COLOR="1")
    # What rich itself writes without colour is bold, dim and their end.
    for ours in ("\x1b[0m", "\x1b[1m", "\x1b[2m"):
        shown = shown.replace(ours, "")
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\x9b" not in shown


def test_a_terminal_gets_text_with_colour_and_none_under_no_color(terminal: Terminal, store: Path) -> None:
    code, shown = terminal("recall", "flake8")
    assert code == 0
    assert "\x1b[1;33mflake8\x1b[0m" in shown
    assert not shown.startswith("{")
    code, shown = terminal("recall", "flake8", NO_COLOR="1")
    assert "\x1b[33" not in shown
    assert "flake8" in shown
    code, shown = terminal("recall", "flake8", "--json")
    assert shown.startswith('{\n  "query": "flake8"')


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"COLUMNS": "40"}, {"TERM": ""}])
def test_odd_terminals(terminal: Terminal, store: Path, env: dict[str, str]) -> None:
    for words in (("recall", "shop"), ("list",), ("show", "ruff"), ("verify",)):
        code, shown = terminal(*words, **env)
        assert code == 0, shown
        assert "Traceback" not in shown


def test_every_view_works_on_a_terminal(terminal: Terminal, store: Path, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"role": "user", "content": "hello"}\n')
    commands = [
        "write --type entity --title New --body x",
        "edit new --append y",
        "rename new Newer",
        "move newer --folder f",
        "forget newer --mode archive",
        "history newer",
        "diff newer",
        "revert newer",
        "links ruff --hops 2",
        "graph",
        "tags",
        "tags rename lint linting",
        "demote ruff --project p",
        "promote ruff",
        "merge shop ada-park",
        "diary append Rain.",
        "diary show",
        "diary dates",
        "ingest-transcript --session-id s --turns-file t.jsonl",
        "sessions",
        "session s",
        "trace ruff",
        "status",
        "info",
        "verify",
        "rebuild-index",
        "backup -o b.tar.gz",
        "restore -i b.tar.gz --dry-run",
        "export -o e.json",
        "import -i e.json",
        "context hello",
        "forget newer",
    ]
    for line in commands:
        code, shown = terminal(*line.split())
        assert code == 0, (line, shown)
        assert not shown.startswith("{"), line
        assert shown.strip(), line
    code, shown = terminal("clear-transcripts")
    assert code == 1
    assert "would be deleted" in shown


def test_memex_alone_with_nothing_to_type_on_says_so(script: str, environ: dict[str, str]) -> None:
    import pexpect

    command = f"{shlex.quote(script)} < /dev/null"
    child = pexpect.spawn("sh", ["-c", command], env=environ, encoding="utf-8", timeout=60)
    shown = child.read()
    child.close()
    assert child.exitstatus == 2
    assert "Usage: memex" in shown
    assert "memex: the app needs a keyboard, and standard input is no terminal" in shown


def test_memex_alone_on_a_terminal_is_the_app_or_help(
    terminal: Terminal, script: str, environ: dict[str, str]
) -> None:
    import importlib.util

    if importlib.util.find_spec("memex_tui.app") is not None:
        pytest.skip("the app has tests of its own")
    child = subprocess.run(
        ["script", "-qec", script, "/dev/null"],
        capture_output=True,
        env=environ,
        stdin=subprocess.DEVNULL,
        timeout=20,
    )
    assert b"Usage: memex" in child.stdout


def test_a_folder_that_is_gone_is_told_where_it_matters(
    script: str, environ: dict[str, str], store: Path, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        gone.mkdir()
        line = 'rmdir "$0" && exec "$@"'
        return subprocess.run(
            ["sh", "-c", line, str(gone), script, *words],
            cwd=gone,
            env=environ,
            capture_output=True,
            text=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )

    for words in (["list"], ["show", "ruff", "--text"], ["recall", "shop", "--text"], ["status", "--text"]):
        done = run("--root", str(store), *words)
        assert (done.returncode, done.stderr) == (0, ""), words
    assert run("--root", str(store), "edit", "ruff", "--append", "more").returncode == 0
    for words in (
        ["list"],
        ["--root", "here", "list"],
        ["init", "."],
        ["--root", str(store), "backup", "-o", "x"],
    ):
        done = run(*words)
        assert done.returncode == 1, words
        assert done.stderr.startswith("memex: the current folder is gone; cd into another"), done.stderr
