"""Fixtures for every test: a store of its own, the installed command, and no trace of the real home."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The same examples in every run, so that a red run can be repeated; `--hypothesis-profile=fuzz` looks further.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("fuzz", deadline=None)
settings.load_profile("same")


def pytest_collection_finish() -> None:
    """What is loaded by now stays: looking through all of it for garbage again and again took a third of a
    test of the app."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


# A shell starts what it puts in the background with Ctrl-C ignored, and so would every command under test.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

MEMEX = str(Path(sys.executable).parent / "memex")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees or touches the person's store, cache or settings."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USER", "tester")
    for name in list(os.environ):
        if name.startswith("MEMEX_"):
            monkeypatch.delenv(name)
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "NO_COLOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The place of a store that does not exist yet."""
    return tmp_path / "store"


@pytest.fixture
def memex(root: Path) -> Iterator[Any]:
    """An empty store, opened through the library."""
    from memex_core import Memex

    with Memex(root, create=True) as opened:
        yield opened


class Done(subprocess.CompletedProcess[str]):
    """A finished command with its JSON answer at hand."""

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


@pytest.fixture
def cli(root: Path) -> Callable[..., Done]:
    """Run the installed ``memex`` on the store as a process of its own."""

    def run(*words: str, input: str | None = None, check: bool = False, **env: str) -> Done:
        done = subprocess.run(
            [MEMEX, "--root", str(root), *words],
            input=input,
            stdin=subprocess.DEVNULL if input is None else None,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, **env},
            timeout=120,
        )
        if check:
            assert done.returncode == 0, done.stderr
        return Done(done.args, done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the clock of this process (and of commands it starts)."""

    def at(stamp: str) -> None:
        monkeypatch.setenv("MEMEX_NOW", stamp)

    return at
