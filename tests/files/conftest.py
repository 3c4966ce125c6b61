"""Real stores and folders for the tests of this room."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from memex_core.files.layout import Layout, create_store, open_layout

Unprivileged = Callable[[], AbstractContextManager[None]]


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the home folder, the cache or the settings of whoever runs it."""
    for name in list(os.environ):
        if name.startswith("MEMEX_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def store(tmp_path: Path) -> Layout:
    """An empty store of memex's own."""
    return create_store(str(tmp_path / "store"))


@pytest.fixture
def vault(tmp_path: Path) -> Layout:
    """A folder of Markdown that memex has never written to."""
    folder = tmp_path / "vault"
    (folder / "recipes").mkdir(parents=True)
    (folder / "recipes" / "Rye loaf.md").write_bytes(b"# Rye loaf\n")
    return open_layout(str(folder))


@pytest.fixture
def public_dir() -> Iterator[Path]:
    """A folder that any user may enter and write to (pytest's own are for their user alone)."""
    folder = Path(tempfile.mkdtemp(prefix="memex-test-"))
    folder.chmod(0o777)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def unprivileged() -> Unprivileged:
    """A context in which file permissions count, also when root runs the tests."""

    @contextmanager
    def drop() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        os.setegid(65534)
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)
            os.setegid(0)

    return drop
