"""`memex sync` as real processes: two stores, a folder between them, and git's merge driver."""

from __future__ import annotations

import shlex
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


@pytest.fixture
def alike(bare: Runner, tmp_path: Path, share: Path) -> tuple[str, str, str]:
    """Three stores of one machine, all of one name, that have exported; the first imported the others."""
    names = str(tmp_path / "a"), str(tmp_path / "b"), str(tmp_path / "c")
    for name in names:
        bare("--root", name, "write", "--type", "entity", "--title", f"Of {Path(name).name}", "--body", "x")
        bare("--root", name, "sync", "enable", str(share), "--name", "desk")
        assert bare("--root", name, "sync", "export").code == 0
    assert bare("--root", names[0], "sync", "import").json["added"] == 2
    return names


def test_devices_of_one_name_are_told_apart_and_one_can_be_forgotten(
    bare: Runner, alike: tuple[str, str, str], share: Path
) -> None:
    one, two, _ = alike
    told = bare("--root", one, "sync", "status").json
    ids = [told["device"], *(each["device"] for each in told["devices"])]
    labels = [told["label"], *(each["label"] for each in told["devices"])]
    assert labels == [f"desk {ident[:4]}" for ident in ids]
    vague = bare("--root", one, "sync", "forget", "desk")
    assert (vague.code, vague.err) == (
        1,
        f"memex: 'desk' names 2 devices; say {labels[1]} or {labels[2]}\n",
    )
    ghost = bare("--root", two, "sync", "status").json["device"]
    (file,) = share.glob(f"*{ghost}.memexsync")
    assert bare("--root", one, "sync", "forget", ghost[:6], "--dry-run").json["file"] == str(file)
    assert file.exists()
    done = bare("--root", one, "sync", "forget", "desk", ghost[:4], "--text")
    assert (done.code, done.text.splitlines()[0]) == (0, f"forgot desk {ghost[:4]}")
    assert not file.exists()
    after = bare("--root", one, "sync", "status").json
    assert [each["device"] for each in after["devices"]] == [ident for ident in ids[1:] if ident != ghost]
    assert bare("--root", one, "show", "of-b").code == 0  # what came from it stays
    again = bare("--root", one, "sync", "forget", ghost)
    assert (again.code, again.err) == (
        1,
        f"memex: no device '{ghost}' is known; `memex sync status` lists them\n",
    )
    assert bare("--root", two, "sync", "export").code == 0  # it was alive all the same
    back = bare("--root", one, "sync", "status").json["devices"]
    assert [each["new"] for each in back if each["device"] == ghost] == [True]


def test_a_device_is_not_forgotten_with_what_it_told_and_nobody_read(
    bare: Runner, alike: tuple[str, str, str]
) -> None:
    one, two, _ = alike
    bare("--root", two, "write", "--type", "entity", "--title", "Late", "--body", "x")
    bare("--root", two, "sync", "export")
    ghost = bare("--root", two, "sync", "status").json["device"]
    done = bare("--root", one, "sync", "forget", ghost)
    assert (done.code, done.err) == (
        1,
        f"memex: desk {ghost[:4]} has told what is not here yet; memex sync import comes first\n",
    )


def test_another_name_leaves_no_archive_under_the_earlier_one(
    bare: Runner, stores: tuple[str, str], share: Path
) -> None:
    one, _ = stores
    bare("--root", one, "sync", "enable", str(share), "--name", "attic")
    assert bare("--root", one, "sync", "export").code == 0
    assert [file.name.rpartition("-")[0] for file in share.iterdir()] == ["attic"]


def test_a_shared_folder_that_is_gone_is_named_with_the_next_step(
    bare: Runner, stores: tuple[str, str], share: Path
) -> None:
    one, two = stores
    bare("--root", two, "sync", "import")
    share.rename(share.with_name("elsewhere"))
    why = f"the shared folder {share} is not there"
    hint = "is its drive mounted? `memex sync enable DIR` names another place; nothing was changed"
    for command in ("export", "import"):
        done = bare("--root", one, "sync", command)
        assert (done.code, done.err) == (1, f"memex: {why}; {hint}\n")
        assert bare("--root", one, "sync", command, "--background").json == {"skipped": why}
    told = bare("--root", two, "sync", "status")
    assert (told.code, told.json["problems"]) == (1, [{"file": str(share), "reason": f"{why}; {hint}"}])
    assert [each["name"] for each in told.json["devices"]] == ["one"]


def test_an_export_by_itself_that_waits_for_the_other_device_is_no_failure(
    bare: Runner, tmp_path: Path
) -> None:
    file = tmp_path / "all.memexsync"
    one, two = (str(tmp_path / name) for name in ("one", "two"))
    for name in (one, two):
        bare("--root", name, "write", "--type", "entity", "--title", f"Of {Path(name).name}", "--body", "x")
        bare("--root", name, "sync", "enable", str(file), "--name", Path(name).name)
    bare("--root", one, "sync", "export")
    bare("--root", two, "sync", "import")
    bare("--root", two, "sync", "export")
    bare("--root", one, "write", "--type", "entity", "--title", "Late", "--body", "x")
    why = f"{file} holds what two exported, and it is not imported yet; memex sync import comes first"
    by_hand = bare("--root", one, "sync", "export")
    assert (by_hand.code, by_hand.err) == (1, f"memex: {why}\n")
    done = bare("--root", one, "sync", "export", "--background")
    assert (done.code, done.json) == (0, {"skipped": why, "waits": True})
    run = bare("--root", one, "status").json["last_runs"]["sync"]
    assert (run["ok"], run["waits"]) == (True, "memex sync import")
    assert ", waits for memex sync import\n" in bare("--root", one, "status", "--text").text
    assert bare("--root", one, "sync", "import", "--background").json["added"] == 1
    assert bare("--root", one, "sync", "export", "--background").json["exported"] is True


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
    driver = git(root, "config", "merge.memex.driver").stdout.strip()
    assert driver == f"{shlex.quote(script)} sync merge-driver %O %A %B %P"  # git's PATH need not have it
    assert {"mem.db*", "logs/", "*.lock", "sync/state.json"} <= set(told["ignore"])
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


def test_git_finds_a_memex_whose_path_needs_quotes(bare: Runner, script: str, tmp_path: Path) -> None:
    root = tmp_path / "one"
    bare("--root", str(root), "init")
    page = root / "docs" / "rye.md"
    page.write_text("one\n")
    git(root, "init")
    own = tmp_path / "it's 100%P" / "memex"
    own.parent.mkdir()
    own.symlink_to(script)
    subprocess.run([own, "--root", root, "sync", "git", "--install"], check=True, stdout=subprocess.DEVNULL)
    git(root, "add", "docs")
    git(root, "commit", "-m", "base")
    git(root, "checkout", "-b", "side")
    page.write_text("two\n")
    git(root, "commit", "-am", "side")
    git(root, "checkout", "main")
    page.write_text("three\n")
    git(root, "commit", "-am", "main")
    assert git(root, "merge", "side").returncode == 1
    assert page.read_text() == "<<<<<<< ours\nthree\n=======\ntwo\n>>>>>>> theirs\n"


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
