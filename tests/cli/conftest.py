"""The installed ``memex`` script as a real process, on a store with a name that shells find hard."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

FOUND = shutil.which("memex", path=os.path.dirname(sys.executable)) or shutil.which("memex")


class Done(NamedTuple):
    """A finished process."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.text.splitlines()]


Runner = Callable[..., Done]


@pytest.fixture(scope="session")
def script() -> str:
    assert FOUND, "the memex script is not installed beside this Python"
    return FOUND


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home, so that no test meets a real store."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    return home


def environment(home: Path) -> dict[str, str]:
    """What a command under test sees: nothing of the person's settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MEMEX", "XDG", "LC_", "LANG"))
    }
    for name in ("VISUAL", "EDITOR", "NO_COLOR", "COLUMNS", "PYTHONIOENCODING"):
        kept.pop(name, None)
    return {**kept, "HOME": str(home), "USER": "ada", "PYTHONWARNINGS": "error"}


@pytest.fixture
def environ(home: Path) -> dict[str, str]:
    return environment(home)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store's place whose name needs quoting everywhere."""
    return tmp_path / "a b" / "ü'\"$x"


@pytest.fixture
def bare(script: str, environ: dict[str, str], tmp_path: Path) -> Runner:
    """Run ``memex`` with just these words."""

    def run(
        *words: str | bytes, stdin: bytes | None = None, env: dict[str, str] | None = None, **more: Any
    ) -> Done:
        done = subprocess.run(
            [script, *words],
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            env={**environ, **(env or {})},
            timeout=60,
            cwd=more.pop("cwd", tmp_path),
            **more,
        )
        err = done.stderr.decode("utf-8")
        assert "Traceback" not in err
        return Done(done.returncode, done.stdout, err)

    return run


@pytest.fixture
def memex(bare: Runner, root: Path) -> Runner:
    """Run ``memex --root ROOT`` on the oddly named store."""

    def run(*words: str | bytes, **more: Any) -> Done:
        return bare("--root", str(root), *words, **more)

    return run


@pytest.fixture(scope="session")
def made(script: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three linked pages: ``ruff``, ``shop`` and ``ada-park``; made once, never written to."""
    place = tmp_path_factory.mktemp("made")
    root, own = place / "store", environment(place)

    def run(*words: str) -> None:
        subprocess.run(
            [script, "--root", str(root), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=True,
            env=own,
            cwd=place,
            timeout=60,
        )

    run("init", str(root))
    pages = (
        (
            "preference",
            "Ruff",
            "Use ruff, never flake8. See [[Shop]].\n\n## Usage\n\nRun it often.\n",
            "python,lint",
        ),
        ("entity", "Shop", "A web shop in Python, kept by [[Ada Park|Ada]].\n", "python"),
        ("entity", "Ada Park", "Bakes since 1998. Runs the [[Shop]].\n", "people"),
    )
    for kind, title, body, tags in pages:
        run("write", "--type", kind, "--title", title, "--body", body, "--tags", tags)
    return root


@pytest.fixture
def store(made: Path, root: Path) -> Path:
    """The test's own copy of the store with three pages."""
    return Path(shutil.copytree(made, root))


@pytest.fixture
def terminal(
    script: str, environ: dict[str, str], root: Path, tmp_path: Path
) -> Callable[..., tuple[int, str]]:
    """Run ``memex --root ROOT`` on a pseudo-terminal of 80 columns: exit code and what it shows."""
    import pexpect

    def run(*words: str, **env: str) -> tuple[int, str]:
        child = pexpect.spawn(
            script,
            ["--root", str(root), *words],
            env={**environ, "TERM": "xterm-256color", **env},
            dimensions=(50, 80),
            encoding="utf-8",
            timeout=60,
            cwd=str(tmp_path),
        )
        shown = child.read()
        child.close()
        assert child.exitstatus is not None
        return child.exitstatus, shown.replace("\r\n", "\n")

    return run
