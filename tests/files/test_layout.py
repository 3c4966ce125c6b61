from __future__ import annotations

import os
from pathlib import Path

import pytest

from memex_core.files.layout import (
    Layout,
    create_store,
    find_root,
    holds_markdown,
    is_store,
    open_layout,
    plan,
)
from memex_core.model.errors import Refused, StoreMissing, Unreachable, WriteFailed

from .conftest import Unprivileged


def everything(folder: Path) -> dict[str, tuple[int, int]]:
    """Every path below ``folder`` with size and mtime."""
    return {
        str(path.relative_to(folder)): (path.lstat().st_size, path.lstat().st_mtime_ns)
        for path in folder.rglob("*")
    }


class TestFindRoot:
    def test_the_option_comes_first(self, tmp_path: Path) -> None:
        environ = {"MEMEX_HOME": "/a", "MEMEX_DATA_DIR": "/b", "HOME": "/h"}
        assert find_root("/opt", environ, str(tmp_path)) == "/opt"
        assert find_root("sub/../x", environ, str(tmp_path)) == str(tmp_path / "x")
        assert find_root("~/x", environ, str(tmp_path)) == "/h/x"

    def test_then_the_environment_newer_name_first(self, tmp_path: Path) -> None:
        assert find_root(None, {"MEMEX_HOME": "/a", "MEMEX_DATA_DIR": "/b"}, str(tmp_path)) == "/a"
        assert find_root(None, {"MEMEX_DATA_DIR": "/b"}, str(tmp_path)) == "/b"
        assert find_root("", {"MEMEX_HOME": "", "MEMEX_DATA_DIR": "~"}, str(tmp_path)).startswith("/")

    def test_then_the_nearest_folder_above(self, tmp_path: Path) -> None:
        (tmp_path / ".memex").mkdir()
        (tmp_path / "a" / "b" / "c").mkdir(parents=True)
        environ = {"HOME": str(tmp_path / "home")}
        assert find_root(None, environ, str(tmp_path / "a" / "b" / "c")) == str(tmp_path)
        (tmp_path / "a" / "b" / "memex.toml").touch()
        assert find_root(None, environ, str(tmp_path / "a" / "b" / "c")) == str(tmp_path / "a" / "b")

    def test_else_the_home_store(self, tmp_path: Path) -> None:
        environ = {"HOME": str(tmp_path / "home")}
        assert find_root(None, environ, str(tmp_path)) == str(tmp_path / "home" / ".memex")

    def test_the_home_store_does_not_make_the_home_folder_a_vault(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        (home / ".memex").mkdir(parents=True)
        (home / "work").mkdir()
        assert find_root(None, {"HOME": str(home)}, str(home / "work")) == str(home / ".memex")

    def test_a_command_inside_the_state_folder_means_the_folder_around_it(self, vault: Layout) -> None:
        create_store(vault.root)
        for inner in (".memex", ".memex/transcripts"):
            os.makedirs(os.path.join(vault.root, inner), exist_ok=True)
        Path(vault.config).touch()
        assert find_root(None, {"HOME": "/h"}, os.path.join(vault.root, ".memex")) == vault.root
        assert find_root(None, {"HOME": "/h"}, os.path.join(vault.root, ".memex/transcripts")) == vault.root

    def test_the_home_store_may_point_elsewhere(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        (home / ".memex").mkdir(parents=True)
        (home / ".memex" / "memex.toml").write_text('[data_dir]\npath = "~/else"\n')
        environ = {"HOME": str(home)}
        assert find_root(None, environ, str(tmp_path)) == str(home / "else")
        assert find_root(None, environ | {"MEMEX_DATA_DIR": "/b"}, str(tmp_path)) == "/b"
        (home / ".memex" / "memex.toml").write_text("[data_dir\n")  # broken: said when it is loaded
        assert find_root(None, environ, str(tmp_path)) == str(home / ".memex")


class TestOpenLayout:
    def test_a_store(self, store: Layout) -> None:
        assert open_layout(store.root) == store
        assert (store.folder, store.pages, store.state) == (False, store.root + "/docs", store.root)
        assert store.journal == store.root + "/journal.jsonl"
        assert store.index == store.root + "/mem.db"
        assert {store.diary, store.transcripts, store.config, store.rules, store.sync, store.logs} == {
            f"{store.root}/{name}" for name in ("diary", "transcripts", "memex.toml", "rules", "sync", "logs")
        }

    def test_a_folder_as_it_is(self, vault: Layout) -> None:
        assert (vault.folder, vault.pages, vault.state) == (True, vault.root, vault.root + "/.memex")
        assert vault.config == vault.root + "/.memex/memex.toml"

    def test_docs_alone_is_a_store(self, tmp_path: Path) -> None:
        (tmp_path / "s" / "docs").mkdir(parents=True)
        assert not open_layout(str(tmp_path / "s")).folder

    def test_a_vault_with_a_docs_folder_keeps_its_other_pages(self, tmp_path: Path) -> None:
        (tmp_path / "docs").mkdir()
        (tmp_path / "README.md").touch()
        assert open_layout(str(tmp_path)).folder
        (tmp_path / "journal.jsonl").touch()  # now it is one of ours, with a page laid beside docs
        assert not open_layout(str(tmp_path)).folder

    def test_pages_may_all_lie_deeper(self, tmp_path: Path) -> None:
        (tmp_path / "a" / "b").mkdir(parents=True)
        (tmp_path / "a" / "b" / "x.MD").touch()
        assert open_layout(str(tmp_path)).folder

    def test_an_initialised_folder_may_be_empty(self, tmp_path: Path) -> None:
        (tmp_path / ".memex").mkdir()
        assert open_layout(str(tmp_path)).folder

    @pytest.mark.parametrize("name", ["gone", "file", "empty", "other"])
    def test_what_is_no_memory(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "file").touch()
        (tmp_path / "empty").mkdir()
        (tmp_path / "other" / ".git").mkdir(parents=True)
        (tmp_path / "other" / ".git" / "x.md").touch()
        (tmp_path / "other" / "main.py").touch()
        with pytest.raises(StoreMissing) as caught:
            open_layout(str(tmp_path / name))
        assert str(tmp_path / name) in caught.value.message

    def test_a_folder_that_cannot_be_listed_is_not_taken_for_empty(
        self, public_dir: Path, unprivileged: Unprivileged
    ) -> None:
        (public_dir / "vault").mkdir()
        (public_dir / "vault" / "a.md").touch()
        (public_dir / "vault").chmod(0)
        with unprivileged(), pytest.raises(Unreachable, match="no permission"):
            open_layout(str(public_dir / "vault"))

    @pytest.mark.parametrize("name", ["a b", "ü'\"$x", "memory 🚀", "-x", "%2e", "x\ny"])
    def test_any_name_will_do_for_a_root(self, tmp_path: Path, name: str) -> None:
        layout = create_store(str(tmp_path / name))
        assert os.path.isdir(layout.pages)
        assert open_layout(layout.root) == layout

    def test_the_home_folder_opens_its_store(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        home = tmp_path / "h"
        create_store(str(home / ".memex"))
        (home / "letter.md").touch()
        monkeypatch.setenv("HOME", str(home))
        assert open_layout(str(home)).root == str(home / ".memex")


class TestReadingCreatesNothing:
    def test_in_a_bare_folder(self, vault: Layout) -> None:
        before = everything(Path(vault.root))
        layout = open_layout(vault.root)
        assert not is_store(vault.root)
        assert not layout.interrupted
        assert plan(vault.root) == layout
        assert everything(Path(vault.root)) == before

    def test_its_index_lies_in_the_cache(self, vault: Layout, tmp_path: Path) -> None:
        assert os.path.dirname(vault.index) == str(tmp_path / "cache" / "memex")
        assert not (tmp_path / "cache").exists()

    def test_two_folders_have_two_indexes_and_one_has_one(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "a.md").touch()
        (tmp_path / "link").symlink_to(tmp_path / "one")
        one, two, link = (open_layout(str(tmp_path / name)).index for name in ("one", "two", "link"))
        assert one != two
        assert link == one

    def test_a_state_folder_that_cannot_be_written_sends_the_index_to_the_cache(
        self, store: Layout, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        real = os.access
        monkeypatch.setattr(
            os, "access", lambda path, mode: path != store.state and real(path, mode)
        )  # root may write anywhere; a read-only disk answers like this
        assert store.index.startswith(str(tmp_path / "cache"))

    def test_without_a_cache_variable_it_is_the_home_folder(
        self, vault: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", "relative")
        assert vault.index.startswith(os.environ["HOME"] + "/.cache/memex/")


class TestCreateStore:
    def test_a_new_store(self, tmp_path: Path) -> None:
        layout = create_store(str(tmp_path / "new" / "store"))
        assert sorted(os.listdir(layout.root)) == ["docs", "memex.toml"]
        assert is_store(layout.root)

    def test_a_folder_of_markdown_gets_its_state_folder_only(self, vault: Layout) -> None:
        assert create_store(vault.root) == vault
        assert sorted(os.listdir(vault.root)) == [".memex", "recipes"]
        assert is_store(vault.root)

    def test_twice_is_once(self, store: Layout) -> None:
        Path(store.config).write_text("# mine\n")
        before = everything(Path(store.root))
        assert create_store(store.root) == store
        assert everything(Path(store.root)) == before

    def test_a_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "x").write_text("mine")
        with pytest.raises(Refused, match="not a folder"):
            create_store(str(tmp_path / "x"))
        assert (tmp_path / "x").read_text() == "mine"

    def test_no_permission_is_said(self, public_dir: Path, unprivileged: Unprivileged) -> None:
        public_dir.chmod(0o555)
        with unprivileged(), pytest.raises(WriteFailed, match="permission denied"):
            create_store(str(public_dir / "store"))


def test_paths_go_to_and_fro(store: Layout) -> None:
    assert store.file_path("a/b.md") == store.pages + "/a/b.md"
    assert store.page_path(store.pages + "/a/b.md") == "a/b.md"
    assert store.page_path(store.pages + "-secret/b.md") is None
    assert store.page_path(store.root + "/journal.jsonl") is None


def test_holds_markdown_looks_past_dot_folders(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.md").touch()
    (tmp_path / ".x.md").touch()
    assert not holds_markdown(str(tmp_path))
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "x.md").touch()
    assert holds_markdown(str(tmp_path))
