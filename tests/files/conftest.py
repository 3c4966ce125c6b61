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
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder."""
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


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


@pytest.fixture(params=["store", "vault"])
def layout(request: pytest.FixtureRequest, tmp_path: Path) -> Layout:
    """Each test in a store and in a folder opened as it is."""
    if request.param == "store":
        return create_store(str(tmp_path / "store"))
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "x.md").touch()
    layout = open_layout(str(tmp_path / "vault"))
    (tmp_path / "vault" / "x.md").unlink()
    return layout


def put(layout: Layout, **pages: str) -> None:
    """Pages laid down by hand; ``a__b`` is the page ``a/b.md``."""
    for name, text in pages.items():
        file = Path(layout.file_path(name.replace("__", "/") + ".md"))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def pages(layout: Layout) -> dict[str, bytes]:
    """Every file below the page folder but memex's own, dot names included."""
    root = Path(layout.pages)
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".memex/" not in path.as_posix()
    }


def is_settled(layout: Layout) -> bool:
    left = [name for name in os.listdir(layout.state) if name.endswith(".tmp")]
    return not layout.interrupted and not left and not any(".memex-" in name for name in pages(layout))
