"""Completion scripts: their shells accept them, and they offer what the registry holds."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memex_core.cli.completion import script as completion
from memex_core.model.operations.registry import COMMANDS, every_operation
from tests.cli.conftest import Runner

SHELLS = ("bash", "zsh", "fish")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_names_every_command_and_option(shell: str) -> None:
    text = completion(shell)
    for word in COMMANDS:
        assert word in text
    for op in every_operation():
        for param in op.cli_params():
            for flag in param.spellings:
                typed = (
                    flag
                    if shell != "fish"
                    else f"-l {flag[2:]}"
                    if flag.startswith("--")
                    else f"-s {flag[1:]}"
                )
                assert typed in text


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_accepts_the_script(bare: Runner, tmp_path: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = bare("completion", shell)
    assert done.code == 0
    (tmp_path / "script").write_bytes(done.out)
    checked = subprocess.run([shell, "-n", str(tmp_path / "script")], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_an_unknown_shell_is_refused(bare: Runner) -> None:
    done = bare("completion", "tcsh")
    assert done.code == 2
    assert done.err == "memex: SHELL 'tcsh' is not one of bash, zsh, fish; choose one\n"


def test_json_carries_the_script(bare: Runner) -> None:
    assert bare("completion", "fish", "--json").json == {"shell": "fish", "script": completion("fish")}


@pytest.fixture
def offered(environ: dict[str, str], script: str, root: Path, tmp_path: Path) -> Callable[..., set[str]]:
    """What bash offers for a command line; the last word is the one being typed."""

    def ask(*words: str) -> set[str]:
        (tmp_path / "memex.bash").write_text(completion("bash"), encoding="utf-8")
        code = """
        source memex.bash
        COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
        _memex
        printf '%s\\n' "${COMPREPLY[@]}"
        """
        done = subprocess.run(
            ["bash", "-c", code, "bash", "memex", *words],
            capture_output=True,
            encoding="utf-8",
            cwd=tmp_path,
            env={**environ, "PATH": f"{Path(script).parent}:{environ['PATH']}", "MEMEX_HOME": str(root)},
            timeout=60,
        )
        assert done.stderr == ""
        return set(done.stdout.split())

    return ask


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("wr",), {"write"}),
        (("re",), {"recall", "receipts", "rename", "reject", "revert", "review", "restore", "rebuild-index"}),
        (("--js",), {"--json", "--jsonl"}),
        (("diary", ""), {"append", "show", "dates", "on-this-day"}),
        (("--root", "x", "tags", "m"), {"merge"}),
        (("forget", "x", "--mode", ""), {"hard", "soft", "decay", "archive"}),
        (("recall", "x", "--inc"), {"--include-expired", "--include-inactive"}),
        (("diary", "append", "--t"), {"--time", "--tz", "--text"}),
        (("completion", ""), {"bash", "zsh", "fish"}),
        (("write", "--title", ""), set()),
    ],
)
def test_bash_offers(offered: Callable[..., set[str]], words: tuple[str, ...], expected: set[str]) -> None:
    assert offered(*words) == expected


def test_bash_offers_files_and_folders(offered: Callable[..., set[str]], tmp_path: Path) -> None:
    (tmp_path / "turns.jsonl").touch()
    (tmp_path / "tunnel").mkdir()
    assert offered("ingest-transcript", "--turns-file", "tu") == {"turns.jsonl", "tunnel"}
    assert offered("--root", "tu") == {"tunnel"}


def test_bash_offers_slugs(offered: Callable[..., set[str]], store: Path) -> None:
    assert offered("show", "") == {"ruff", "shop", "ada-park"}
    assert offered("merge", "ruff", "s") == {"shop"}
    assert offered("approve", "ruff", "shop", "a") == {"ada-park"}


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_offers_commands_choices_and_slugs(
    environ: dict[str, str], script: str, store: Path, tmp_path: Path
) -> None:
    (tmp_path / "memex.fish").write_text(completion("fish"), encoding="utf-8")
    escaped = "".join(char if char.isalnum() or char in "/-_" else f"\\{char}" for char in str(store))
    code = "source memex.fish; for line in $argv; complete -C $line; echo %%; end"
    lines = ["memex wr", "memex diary ", "memex forget --mode so", f"memex --root {escaped} show ru"]
    done = subprocess.run(
        ["fish", "-c", code, *lines],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**environ, "PATH": f"{Path(script).parent}:{environ['PATH']}", "MEMEX_HOME": "/nowhere"},
        timeout=60,
    )
    parts = [{line.split("\t")[0] for line in part.split("\n") if line} for part in done.stdout.split("%%\n")]
    assert parts[:4] == [{"write"}, {"append", "show", "dates", "on-this-day"}, {"soft"}, {"ruff"}]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("memex wri\t", "memex write"),
        ("memex diary da\t", "memex diary dates"),
        ("memex forget x --mode so\t", "--mode soft"),
        ("memex recall x --include-ex\t", "--include-expired"),
        ("memex show ru\t", "memex show ruff"),
    ],
)
def test_zsh_completes(
    environ: dict[str, str], script: str, store: Path, tmp_path: Path, typed: str, shown: str
) -> None:
    import pexpect

    folder = tmp_path / "functions"
    folder.mkdir()
    (folder / "_memex").write_text(completion("zsh"), encoding="utf-8")
    env = {
        **environ,
        "PATH": f"{Path(script).parent}:{environ['PATH']}",
        "MEMEX_HOME": str(store),
        "TERM": "dumb",
    }
    child = pexpect.spawn(
        "zsh", ["-f"], env=env, encoding="utf-8", timeout=20, cwd=str(tmp_path), dimensions=(40, 120)
    )
    child.sendline(
        "PS1='ready> '; fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -D; echo s''et"
    )
    child.expect("set\r")
    child.expect("ready> ")
    child.send(typed)
    child.expect_exact(shown)
    child.close(force=True)
