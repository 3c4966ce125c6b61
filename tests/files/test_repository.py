"""Which project a folder belongs to. Repositories are made by git where it is there, else by hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memex_core.files.repository import project_of
from memex_core.model.identity import name_of

URL = "https://ann:s3cret@github.com/ann/shop.git"


def repository(folder: Path, url: str = "", branch: str = "main") -> Path:
    git = folder / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    lines = ["[core]", "\tbare = false"]
    if url:
        lines += ['[remote "origin"]', f"\turl = {url}", "\tfetch = +refs/heads/*:refs/remotes/origin/*"]
    (git / "config").write_text("\n".join(lines) + "\n")
    return folder


def test_clones_by_ssh_and_https_are_one_project(tmp_path: Path) -> None:
    one = project_of(str(repository(tmp_path / "shop", URL)))
    other = project_of(str(repository(tmp_path / "shop2", '"git@github.com:Ann/shop.git" ; mine')))
    assert one.id == other.id != ""
    assert (one.name, one.reason, one.git) == ("shop", "origin", True)
    assert "s3cret" not in repr(one)
    third = project_of(str(repository(tmp_path / "shop3", "git@github.com:ben/shop.git")))
    assert name_of(third.id) == name_of(one.id) == "shop"
    assert third.id != one.id


def test_below_the_root(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", URL, "fix/rounding")
    deep = root / "a" / "b"
    deep.mkdir(parents=True)
    found = project_of(str(deep))
    assert (found.root, found.branch, found.default) == (str(root), "fix/rounding", False)
    (tmp_path / "link").symlink_to(deep)
    assert project_of(str(tmp_path / "link")) == found


def test_worktrees_are_one_project_with_branches_of_their_own(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop")
    own = main / ".git" / "worktrees" / "hot"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/hotfix\n")
    (own / "commondir").write_text("../..\n")
    tree = tmp_path / "elsewhere" / "hot"
    tree.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {own}\n")
    found, of_main = project_of(str(tree)), project_of(str(main))
    assert found.id == of_main.id
    assert (found.branch, of_main.branch) == ("hotfix", "main")
    assert (found.default, of_main.default) == (False, True)
    assert (found.name, found.reason) == ("shop", "path")


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    outer = repository(tmp_path / "shop", URL)
    own = repository(outer / ".git" / "modules", "git@github.com:ann/lib.git") / ".git"
    (outer / "lib").mkdir()
    (outer / "lib" / ".git").write_text("gitdir: ../.git/modules/.git\n")
    assert own.is_dir()
    assert project_of(str(outer / "lib")).name == "lib"


@pytest.mark.parametrize(
    ("head", "branch"),
    [
        ("ref: refs/heads/a/b\n", "a/b"),
        ("0123456789abcdef0123456789abcdef01234567\n", ""),
        ("ref: refs/heads/.invalid\n", ""),
        ("\xff\xfe", ""),
        ("ref: refs/tags/v1\n", ""),
    ],
)
def test_what_is_checked_out(tmp_path: Path, head: str, branch: str) -> None:
    root = repository(tmp_path / "shop")
    (root / ".git" / "HEAD").write_bytes(head.encode("latin-1"))
    assert project_of(str(root)).branch == branch


def test_the_main_branch(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", branch="trunk")
    assert project_of(str(root)).default is False
    (root / ".git" / "refs" / "remotes" / "origin").mkdir(parents=True)
    (root / ".git" / "refs" / "remotes" / "origin" / "HEAD").write_text("ref: refs/remotes/origin/trunk\n")
    assert project_of(str(root)).default is True
    old = repository(tmp_path / "old", branch="master")
    (old / ".git" / "packed-refs").write_text("# pack-refs\nabc refs/heads/master\n")
    assert project_of(str(old)).default is True


def test_no_projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    for place in ("/", str(home), str(tmp_path / "gone"), "/tmp", os.environ.get("TMPDIR", "/tmp")):
        assert project_of(place).id == "", place
    repository(home)  # dotfiles
    assert project_of(str(home)).id == ""
    work = home / "notes"
    work.mkdir()
    monkeypatch.setattr("memex_core.files.repository._temporary_folders", lambda: [str(tmp_path / "t")])
    found = project_of(str(work))
    assert (found.name, found.reason, found.git, found.branch) == ("notes", "path", False, "")
    (tmp_path / "t" / "x").mkdir(parents=True)
    assert project_of(str(tmp_path / "t" / "x")).id == ""
    assert project_of(str(repository(tmp_path / "t" / "y"))).name == "y"


def test_damaged_repositories(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", URL)
    (root / ".git" / "config").write_bytes(b'\x00\xff[remote "origin"\nurl\n=\n[remote]\nurl = x\n')
    assert project_of(str(root)).reason == "path"
    (root / ".git" / "HEAD").unlink()
    assert project_of(str(root)).git is False
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / ".git").write_text("gitdir: /nowhere\n")
    assert project_of(str(bad)).git is False


def test_one_remote_of_another_name(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    config = root / ".git" / "config"
    config.write_text('[remote "upstream"]\n\turl = git@example.org:a/b.git\n')
    assert project_of(str(root)).name == "b"
    config.write_text(config.read_text() + '[remote "fork"]\n\turl = git@example.org:c/d.git\n')
    assert project_of(str(root)).name == "shop"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
@pytest.mark.parametrize(
    ("name", "git", "branch"), [("HEAD", True, ""), ("config", True, "main"), ("", False, "")]
)
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str, git: bool, branch: str) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    pipe = root / ".git"
    if name:
        pipe = repository(root, URL) / ".git" / name
        pipe.unlink()
    os.mkfifo(pipe)
    found = project_of(str(root))
    assert (found.git, found.branch) == (git, branch)
