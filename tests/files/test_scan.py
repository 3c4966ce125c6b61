from __future__ import annotations

import os
import random
import shutil
import socket
from pathlib import Path

import pytest

from memex_core.files import scan as scan_module
from memex_core.files.layout import Layout, create_store, open_layout
from memex_core.files.scan import Stat, is_page, scan
from memex_core.model.errors import Unreachable

from .conftest import Unprivileged


def fill(root: str | Path, *paths: str) -> None:
    for path in paths:
        file = Path(root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {path}\n")


def test_pages_assets_and_folders(vault: Layout) -> None:
    fill(vault.root, "a.md", "b/c/d.md", "b/pot.png", "empty/.keep", "UPPER.MD", "notes.txt")
    found = scan(vault)
    assert set(found.pages) == {"recipes/Rye loaf.md", "a.md", "b/c/d.md", "UPPER.MD"}
    assert sorted(found.assets) == ["b/pot.png", "notes.txt"]
    assert set(found.dirs) == {"", "recipes", "b", "b/c", "empty"}
    assert (found.problems, found.unread) == ([], [])


def test_what_is_known_of_a_page_and_a_folder(vault: Layout) -> None:
    file = os.stat(os.path.join(vault.root, "recipes/Rye loaf.md"))
    found = scan(vault)
    page = found.pages["recipes/Rye loaf.md"]
    assert page == Stat("recipes/Rye loaf.md", file.st_mtime_ns, file.st_size, file.st_ino)
    assert found.dirs["recipes"] == os.stat(os.path.join(vault.root, "recipes")).st_mtime_ns


def test_a_scan_changes_nothing(vault: Layout) -> None:
    before = {path: path.stat().st_mtime_ns for path in Path(vault.root).rglob("*")}
    scan(vault)
    assert {path: path.stat().st_mtime_ns for path in Path(vault.root).rglob("*")} == before


def test_a_folder_with_a_pages_name_is_walked(vault: Layout) -> None:
    fill(vault.root, "x.md/y.md")
    assert "x.md/y.md" in scan(vault).pages
    assert not is_page(vault, "x.md")


def test_names_in_any_script(vault: Layout) -> None:
    names = ["用户.md", "emoji 🚀.md", "cafe\u0301.md", "a\u200bb.md", "a\nb.md", "'\"$x.md", "[x](y).md"]
    fill(vault.root, *names)
    assert set(names) < set(scan(vault).pages)
    assert all(is_page(vault, name) for name in names)


def test_names_that_differ_by_case_are_two_pages(vault: Layout) -> None:
    fill(vault.root, "Case.md", "case.md")
    assert {"Case.md", "case.md"} < set(scan(vault).pages)


def test_a_name_that_is_no_unicode_is_reported(vault: Layout) -> None:
    Path(os.fsdecode(os.fsencode(vault.root) + b"/caf\xe9.md")).touch()
    found = scan(vault)
    assert set(found.pages) == {"recipes/Rye loaf.md"}
    assert [(p.path, p.message) for p in found.problems] == [
        ("caf\\xe9.md", "the name is not UTF-8; rename it to use it")
    ]


def test_pipes_and_sockets_are_passed_by(vault: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(os.path.join(vault.root, "pipe.md"))
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(vault.root)  # a socket's path must be short
        server.bind("sock.md")
        found = scan(vault)
        assert set(found.pages) == {"recipes/Rye loaf.md"}
        assert not is_page(vault, "pipe.md")
        assert not is_page(vault, "sock.md")


def test_generated_names_are_pages_only_in_a_folder(store: Layout, vault: Layout) -> None:
    for layout in (store, vault):
        fill(layout.pages, "index.md", "entities/log.md", "entities/index.md", "INDEX.MD", "indexes.md")
    assert set(scan(store).pages) == {"indexes.md"}
    assert {"index.md", "entities/log.md"} < set(scan(vault).pages)


def test_what_a_store_keeps_is_no_page(tmp_path: Path) -> None:
    store = create_store(str(tmp_path / "s"))
    fill(store.root, "diary/2026-11-30.md", "docs/a.md", "README.md")
    assert set(scan(store).pages) == {"a.md"}


def test_what_a_folder_keeps_for_memex_is_no_page(vault: Layout) -> None:
    create_store(vault.root)
    fill(vault.state, "diary/2026-11-30.md")
    assert set(scan(vault).pages) == {"recipes/Rye loaf.md"}


class TestLinks:
    def test_a_link_to_a_file_inside_is_a_page(self, vault: Layout) -> None:
        os.symlink("recipes/Rye loaf.md", os.path.join(vault.root, "link.md"))
        found = scan(vault)
        target = found.pages["recipes/Rye loaf.md"]
        assert found.pages["link.md"] == Stat("link.md", *target[1:])
        assert is_page(vault, "link.md")

    def test_a_link_out_is_not(self, vault: Layout, tmp_path: Path) -> None:
        fill(tmp_path, "secret.md", "vault-secret/x.md")
        os.symlink(tmp_path / "secret.md", os.path.join(vault.root, "out.md"))
        os.symlink("../vault-secret/x.md", os.path.join(vault.root, "sibling.md"))
        os.symlink("/dev/zero", os.path.join(vault.root, "zero.md"))
        os.symlink("nowhere.md", os.path.join(vault.root, "dangling.md"))
        os.symlink("self.md", os.path.join(vault.root, "self.md"))
        os.symlink(tmp_path / "secret.md", os.path.join(vault.root, "secret.png"))
        found = scan(vault)
        assert set(found.pages) == {"recipes/Rye loaf.md"}
        assert found.assets == []
        names = {"out.md", "sibling.md", "zero.md", "dangling.md", "self.md"}
        assert {problem.path for problem in found.problems} == names | {"secret.png"}
        assert not any(is_page(vault, name) for name in names)

    def test_a_link_into_a_dot_folder_is_not(self, vault: Layout) -> None:
        fill(vault.root, ".git/config")
        os.symlink(".git/config", os.path.join(vault.root, "config.md"))
        assert "config.md" not in scan(vault).pages
        assert not is_page(vault, "config.md")

    def test_linked_folders_are_not_followed(self, vault: Layout, tmp_path: Path) -> None:
        fill(tmp_path, "out/x.md")
        os.symlink(tmp_path / "out", os.path.join(vault.root, "out"))
        os.symlink("..", os.path.join(vault.root, "recipes", "loop"))
        os.symlink("recipes", os.path.join(vault.root, "again"))
        found = scan(vault)
        assert set(found.pages) == {"recipes/Rye loaf.md"}
        assert {problem.path for problem in found.problems} == {"out", "recipes/loop", "again"}
        assert not is_page(vault, "again/Rye loaf.md")
        assert not is_page(vault, "out/x.md")

    def test_a_linked_root_is_a_root(self, vault: Layout, tmp_path: Path) -> None:
        os.symlink("recipes/Rye loaf.md", os.path.join(vault.root, "link.md"))
        os.symlink(vault.root, tmp_path / "alias")
        assert set(scan(open_layout(str(tmp_path / "alias"))).pages) == {"recipes/Rye loaf.md", "link.md"}


class TestIgnoreFiles:
    def test_rules_hold_for_pages_assets_and_folders(self, vault: Layout) -> None:
        fill(vault.root, "drafts/a.md", "drafts/deep/b.md", "x.md", "keep.md", "pot.png", "sub/drafts/c.md")
        Path(vault.root, ".memexignore").write_text("# mine\ndrafts/\n*.png\n/x.md\n")
        found = scan(vault)
        assert set(found.pages) == {"recipes/Rye loaf.md", "keep.md"}
        assert found.assets == []
        assert "drafts" not in found.dirs

    def test_a_nested_file_rules_its_own_folder(self, vault: Layout) -> None:
        fill(vault.root, "a/x.md", "a/y.md", "a/b/x.md", "x.md", "a/keep/z.md")
        Path(vault.root, ".memexignore").write_text("y.md\n")
        Path(vault.root, "a", ".memexignore").write_text("/x.md\n!y.md\nb\n")
        assert set(scan(vault).pages) == {"recipes/Rye loaf.md", "a/y.md", "x.md", "a/keep/z.md"}

    def test_a_page_comes_back_when_its_rule_goes(self, vault: Layout) -> None:
        fill(vault.root, "a.md")
        ignore = Path(vault.root, ".memexignore")
        ignore.write_text("a.md\n")
        assert "a.md" not in scan(vault).pages
        ignore.write_text("")
        assert "a.md" in scan(vault).pages

    def test_an_ignore_file_in_any_encoding(self, vault: Layout) -> None:
        fill(vault.root, "a.md", "b.md")
        Path(vault.root, ".memexignore").write_bytes(b"\xef\xbb\xbfa.md\r\n\xff\xfe\r\nb.md")
        assert set(scan(vault).pages) == {"recipes/Rye loaf.md"}

    @pytest.mark.parametrize("seed", range(12))
    def test_scan_and_is_page_agree(self, tmp_path: Path, seed: int) -> None:
        """The property: over every file there is, the walk and the single question agree."""
        rng = random.Random(seed)
        root = tmp_path / "v"
        names = ["a", "b", "Draft", ".dot", "log", "index", "x y", "ü", "#h#", "4913"]
        endings = [".md", ".MD", ".png", "", ".md~", ".tmp", ".md.swp"]
        folders = [""]
        for _ in range(8):
            folders.append(rng.choice(folders) + rng.choice(names) + rng.choice([" d/", ".md d/"]))
        for _ in range(60):
            file = root / (rng.choice(folders) + rng.choice(names) + rng.choice(endings))
            if not file.exists():
                fill(root, str(file.relative_to(root)))
        for _ in range(6):
            link = root / (rng.choice(folders) + rng.choice(["l1.md", "l2.md", "l3"]))
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.is_symlink():
                link.symlink_to(rng.choice([root / "a.md", root / "a", tmp_path, Path("/etc/passwd"), link]))
        lines = [
            "*.md",
            "!a.md",
            "Draft*/",
            "/a d/b*",
            "**/x y.md",
            "b",
            "!b.md",
            "a d/**",
            "[ab].*",
            "# c",
            "ü*",
        ]
        for folder in rng.sample(folders, 3):
            (root / folder).mkdir(parents=True, exist_ok=True)
            text = "\n".join(rng.sample(lines, 3))
            (root / folder / ".memexignore").write_text(text)
        for as_it_is in (True, False):
            layout = Layout(str(root), str(root), str(root / ".memex"), as_it_is)
            every = {
                os.path.relpath(os.path.join(folder, name), root)
                for folder, _, files in os.walk(root, followlinks=False)
                for name in files
            }
            assert set(scan(layout).pages) == {path for path in every if is_page(layout, path)}


def test_is_page_knows_a_page_that_was_just_deleted(vault: Layout) -> None:
    assert is_page(vault, "gone.md")
    assert is_page(vault, "gone/too.md")
    assert not is_page(vault, "gone.png")
    assert not is_page(vault, ".gone/x.md")


@pytest.mark.parametrize("path", ["", "/a.md", "a/", "a//b.md", "../a.md", "./a.md", ".md"])
def test_is_page_refuses_what_is_no_path(vault: Layout, path: str) -> None:
    assert not is_page(vault, path)


class TestUnreachable:
    def test_a_root_that_went_away(self, vault: Layout) -> None:
        os.rename(vault.root, vault.root + "-away")
        with pytest.raises(Unreachable, match="no such file"):
            scan(vault)

    def test_a_root_without_permission(self, public_dir: Path, unprivileged: Unprivileged) -> None:
        fill(public_dir, "v/a.md")
        layout = open_layout(str(public_dir / "v"))
        (public_dir / "v").chmod(0)
        with unprivileged(), pytest.raises(Unreachable, match="no permission"):
            scan(layout)

    def test_a_store_whose_pages_are_gone(self, store: Layout) -> None:
        os.rmdir(store.pages)
        with pytest.raises(Unreachable):
            scan(store)

    def test_a_root_that_is_a_file_now(self, vault: Layout) -> None:
        shutil.rmtree(vault.root)
        Path(vault.root).touch()
        with pytest.raises(Unreachable):
            scan(vault)

    def test_a_root_that_goes_away_in_the_middle(
        self, vault: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = os.scandir

        def unmount(path: str) -> object:
            entries = real(path)
            if path == vault.root:
                os.rename(vault.root, vault.root + "-away")
            return entries

        monkeypatch.setattr(scan_module.os, "scandir", unmount)
        with pytest.raises(Unreachable, match="went away"):
            scan(vault)

    @pytest.mark.parametrize("mode", [0o000, 0o444])
    def test_a_folder_that_cannot_be_read_deletes_nothing(
        self, public_dir: Path, unprivileged: Unprivileged, mode: int
    ) -> None:
        fill(public_dir, "v/a.md", "v/locked/b.md", "v/locked/deep/c.md", "v/lockedness.md")
        layout = open_layout(str(public_dir / "v"))
        (public_dir / "v" / "locked").chmod(mode)
        with unprivileged():
            found = scan(layout)
        assert {"a.md", "lockedness.md"} == set(found.pages)
        assert found.unread == ["locked/"]
        assert [(p.path, p.message) for p in found.problems] == [
            ("locked/", "the folder cannot be read (permission denied)")
        ]
        assert "locked" not in found.dirs
        assert not found.may_be_deleted("locked/b.md")
        assert not found.may_be_deleted("locked/deep/c.md")
        assert found.may_be_deleted("lockedness2.md")


def test_a_page_made_during_the_walk_shows_as_a_changed_folder(
    vault: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir

    def late(path: str) -> object:
        entries = real(path)
        if path.endswith("recipes"):
            names = list(entries)
            os.utime(path, ns=(1, 1))  # so that the change shows on coarse clocks too
            fill(vault.root, "recipes/new.md")
            return real(path) if not names else _listing(names)
        return entries

    class _listing:
        def __init__(self, names: list[os.DirEntry[str]]) -> None:
            self.names = names

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.names

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(scan_module.os, "scandir", late)
    found = scan(vault)
    assert "recipes/new.md" not in found.pages
    assert found.dirs["recipes"] != os.stat(os.path.join(vault.root, "recipes")).st_mtime_ns
