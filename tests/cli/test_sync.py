"""`memex sync` as real processes: two stores, a folder between them, and git's merge driver."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Runner


@pytest.fixture
def share(tmp_path: Path) -> Path:
    return tmp_path / "sh are ü"


@pytest.fixture
def stores(bare: Runner, tmp_path: Path, share: Path) -> tuple[str, str]:
    """Two stores that meet in ``share``; the first has a page and has exported it."""
    names = str(tmp_path / "one"), str(tmp_path / "two")
    for name in names:
        assert bare("--root", name, "init").code == 0
        done = bare("--root", name, "sync", "enable", str(share), "--name", Path(name).name)
        assert (done.code, done.json["kind"]) == (0, "folder")
    done = bare("--root", names[0], "write", "--type", "entity", "--title", "Rye", "--body", "one\n")
    assert done.code == 0, done.err
    assert bare("--root", names[0], "sync", "export").json["pages"] == 1
    return names


def test_two_stores_through_a_folder(bare: Runner, stores: tuple[str, str]) -> None:
    one, two = stores
    preview = bare("--root", two, "sync", "import", "--dry-run").json
    assert (preview["added"], preview["dry_run"]) == (1, True)
    assert not Path(two, "docs", "entities", "rye.md").exists()
    done = bare("--root", two, "sync", "import", "--text")
    assert (done.code, done.err) == (0, "")
    assert [line.split(",")[0] for line in done.text.splitlines()] == ["from one", "  + entities/rye.md"]
    rye = Path("docs", "entities", "rye.md")
    assert Path(two, rye).read_bytes() == Path(one, rye).read_bytes()
    told = bare("--root", two, "sync", "status").json
    assert [(each["name"], each["new"]) for each in told["devices"]] == [("one", False)]
    assert told["unexported"] is True
    assert bare("--root", two, "recall", "one").json["hits"][0]["slug"] == "rye"


def test_a_conflict_is_shown_and_waits_in_review(bare: Runner, stores: tuple[str, str]) -> None:
    one, two = stores
    bare("--root", two, "sync", "import")
    for name in stores:
        assert bare("--root", name, "edit", "rye", "--body", f"of {Path(name).name}\n").code == 0
    bare("--root", one, "sync", "export")
    done = bare("--root", two, "sync", "import", "--text", env={"COLUMNS": "200"})
    assert "! entities/rye.md  the other text waits in review: entities/rye-other-" in done.text
    items = bare("--root", two, "review", "--kind", "conflict").json["items"]
    assert sorted((items[0]["before"], items[0]["after"])) == ["of one\n", "of two\n"]


def test_a_torn_archive_fails_the_command_and_is_named(
    bare: Runner, stores: tuple[str, str], share: Path
) -> None:
    _, two = stores
    (file,) = share.iterdir()
    file.write_bytes(file.read_bytes()[:-20])
    done = bare("--root", two, "sync", "import")
    assert done.code == 1
    assert [one["file"] for one in done.json["refused"]] == [str(file)]
    alone = bare("--root", two, "sync", "import", str(file))
    assert alone.code == 1
    assert alone.err.startswith(f"memex: {file}")
    assert "Traceback" not in alone.err
    assert list(Path(two, "docs").iterdir()) == []
    assert bare("--root", two, "sync", "status").code == 1


def test_it_is_off_by_default_and_an_archive_works_all_the_same(bare: Runner, tmp_path: Path) -> None:
    one, two, file = (str(tmp_path / name) for name in ("one", "two", "a.memexsync"))
    bare("--root", one, "write", "--type", "entity", "--title", "Rye", "--body", "x")
    refused = bare("--root", one, "sync", "export")
    assert (refused.code, refused.err) == (
        1,
        "memex: sync is off; memex sync enable DIR, or name a file: memex sync export FILE\n",
    )
    assert bare("--root", one, "sync", "export", file, "--dry-run").json["pages"] == 1
    assert not Path(file).exists()
    assert bare("--root", one, "sync", "export", file).code == 0
    own = bare("--root", one, "sync", "import", file)
    assert (own.code, own.err) == (1, f"memex: {file} is this device's own; import another device's\n")
    assert bare("--root", two, "sync", "import", file).json["added"] == 1
    assert bare("--root", two, "sync", "import", file).json["added"] == 0
    assert bare("--root", two, "sync", "disable").json["enabled"] is False


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    names = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", "-C", folder, *names, *words], capture_output=True, text=True, check=False)


def test_git_merges_pages_once_it_is_told(bare: Runner, script: str, tmp_path: Path) -> None:
    root = tmp_path / "one"
    bare("--root", str(root), "init")
    page = root / "docs" / "rye.md"
    page.write_text("---\ntags: [a]\nid: x\n---\none\ntwo\nthree\n")
    git(root, "init")
    told = bare("--root", str(root), "sync", "git").json
    assert (told["installed"], told["changed"]) == (False, False)
    assert not (root / "docs" / ".gitattributes").exists()
    told = bare("--root", str(root), "sync", "git", "--install").json
    assert (told["installed"], told["changed"]) == (True, True)
    assert bare("--root", str(root), "sync", "git", "--install").json["changed"] is False
    git(root, "config", "merge.memex.driver", f"'{script}' sync merge-driver %O %A %B %P")
    git(root, "add", "docs")
    git(root, "commit", "-m", "base")
    git(root, "checkout", "-b", "side")
    page.write_text("---\ntags: [a, side]\nid: x\n---\none\ntwo\nTHREE\n")
    git(root, "commit", "-am", "side")
    git(root, "checkout", "main")
    page.write_text("---\ntags: [a, main]\nid: x\nstatus: deprecated\n---\nONE\ntwo\nthree\n")
    git(root, "commit", "-am", "main")
    done = git(root, "merge", "side", "-m", "merged")
    assert done.returncode == 0, done.stdout + done.stderr
    assert page.read_text() == (
        "---\ntags: [a, main, side]\nid: x\nstatus: deprecated\n---\nONE\ntwo\nTHREE\n"
    )
    git(root, "checkout", "-b", "other", "HEAD~1")
    page.write_text(page.read_text().replace("ONE", "one of other"))
    git(root, "commit", "-am", "other")
    git(root, "checkout", "main")
    page.write_text(page.read_text().replace("ONE", "one of main"))
    git(root, "commit", "-am", "main again")
    done = git(root, "merge", "other", "-m", "merged")
    assert done.returncode == 1
    assert "CONFLICT (content): Merge conflict in docs/rye.md" in done.stdout
    assert page.read_text().endswith(
        "---\n<<<<<<< ours\none of main\n=======\none of other\n>>>>>>> theirs\ntwo\nTHREE\n"
    )


def test_the_driver_by_hand(bare: Runner, tmp_path: Path) -> None:
    base, ours, theirs = (tmp_path / name for name in ("base", "ours", "theirs"))
    base.write_text("a\nb\nc\n")
    ours.write_text("A\nb\nc\n")
    theirs.write_text("a\nb\nC\n")
    words = "sync", "merge-driver", str(base), str(ours), str(theirs), "x.md"
    assert bare(*words, "--dry-run").code == 0
    assert ours.read_text() == "A\nb\nc\n"
    assert bare(*words).code == 0
    assert ours.read_text() == "A\nb\nC\n"
    theirs.write_text("x\nb\nC\n")
    done = bare(*words, "--text")
    assert (done.code, done.text) == (1, "x.md: 1 conflict in the text\n")
    assert ours.read_text() == "<<<<<<< ours\nA\n=======\nx\n>>>>>>> theirs\nb\nC\n"
    missing = bare("sync", "merge-driver", str(base), str(ours), str(tmp_path / "none"))
    assert (missing.code, missing.err.startswith(f"memex: no file {tmp_path / 'none'}")) == (1, True)
