"""Settings files on disk: all or none, a way back, and the person's links, modes and folders as they were."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from memex_core.files import atomic
from memex_core.harness.setup import codex, writing
from memex_core.harness.setup.agents import settings_of
from memex_core.harness.setup.command import Caller
from memex_core.harness.setup.entry import Settings
from memex_core.harness.setup.hooks import Hook, Hooks
from memex_core.harness.setup.json_settings import JsonSettings
from memex_core.harness.setup.where import Where, of
from memex_core.harness.setup.writing import carry_out, installing, uninstalling
from memex_core.model.errors import AlreadyExists, Conflict, MemexError, Refused, WriteFailed

CALLER = Caller(("/opt/memex",))


def settings(path: Path, caller: Caller = CALLER) -> JsonSettings:
    return JsonSettings(str(path), (Hooks("claude", caller, (Hook("Stop", "transcript", 10),), False),))


def put(one: Settings, home: Path) -> writing.Step:
    step = installing(one, (str(home),))
    carry_out([step])
    return step


def take(one: Settings, home: Path) -> writing.Step:
    step = uninstalling(one, (str(home),))
    carry_out([step])
    return step


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_backup_is_made_once_and_goes_with_the_entries(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(b'{"a": 1}')
    path.chmod(0o600)
    assert put(settings(path), tmp_path).backup == f"{path}.memex-bak"
    kept = tmp_path / "s.json.memex-bak"
    assert kept.read_bytes() == b'{"a": 1}'
    assert stat.S_IMODE(kept.stat().st_mode) == stat.S_IMODE(path.stat().st_mode) == 0o600
    put(settings(path, Caller(("/new/memex",))), tmp_path)  # another version, over the first
    assert kept.read_bytes() == b'{"a": 1}'
    assert b"/new/memex" in path.read_bytes()
    assert take(settings(path), tmp_path).backup == ""
    assert names(tmp_path) == ["home", "s.json"]
    assert path.read_bytes() == b'{"a": 1}'


def test_after_an_edit_of_theirs_the_backup_stays_until_the_next_installation(tmp_path: Path) -> None:
    path, kept = tmp_path / "s.json", tmp_path / "s.json.memex-bak"
    path.write_bytes(b'{"a": 1}')
    put(settings(path), tmp_path)
    path.write_bytes(path.read_bytes().replace(b'"a": 1', b'"a": 2'))
    step = take(settings(path), tmp_path)
    assert (path.read_bytes(), kept.read_bytes(), step.backup) == (b'{"a": 2}', b'{"a": 1}', str(kept))
    put(settings(path), tmp_path)
    assert kept.read_bytes() == b'{"a": 2}'
    take(settings(path), tmp_path)
    assert path.read_bytes() == b'{"a": 2}' and not kept.exists()


def test_without_the_backup_the_entries_go_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(b"{}\n")
    put(settings(path), tmp_path)
    (tmp_path / "s.json.memex-bak").unlink()
    take(settings(path), tmp_path)
    assert path.read_bytes() == b"{}\n"


@pytest.mark.parametrize(
    "kept", [b"{ broken", b'{"hooks": {"Stop": [{"hooks": [{"command": "memex hook prompt"}]}]}}']
)
def test_a_backup_that_is_none_is_not_believed(tmp_path: Path, kept: bytes) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(b'{"a": 1}')
    put(settings(path), tmp_path)
    (tmp_path / "s.json.memex-bak").write_bytes(kept)
    take(settings(path), tmp_path)
    assert path.read_bytes() == b'{"a": 1}'
    assert (tmp_path / "s.json.memex-bak").read_bytes() == kept


def test_a_made_file_goes_with_the_folders_made_for_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "er" / "s.json"
    assert put(settings(path), tmp_path).change == "created"
    assert take(settings(path), tmp_path).change == "removed"
    assert names(tmp_path) == ["home"]


def test_a_made_file_that_others_wrote_to_stays(tmp_path: Path) -> None:
    path = tmp_path / "new" / "s.json"
    put(settings(path), tmp_path)
    path.write_bytes(path.read_bytes().replace(b"{\n", b'{\n  "theirs": 1,\n', 1))
    take(settings(path), tmp_path)
    assert path.read_bytes() == b'{\n  "theirs": 1\n}\n'
    assert names(tmp_path) == ["home", "new", "new/s.json"]
    put(settings(path), tmp_path)
    take(settings(path), tmp_path)
    assert path.read_bytes() == b'{\n  "theirs": 1\n}\n'


def test_a_made_folder_that_others_use_stays(tmp_path: Path) -> None:
    path = tmp_path / "new" / "s.json"
    put(settings(path), tmp_path)
    (tmp_path / "new" / "theirs").touch()
    take(settings(path), tmp_path)
    assert names(tmp_path) == ["home", "new", "new/theirs"]


def test_a_note_cannot_name_folders_elsewhere(tmp_path: Path) -> None:
    path, empty = tmp_path / "s.json", tmp_path / "empty"
    empty.mkdir()
    put(settings(path), tmp_path)
    (tmp_path / "s.json.memex-made").write_text(f'{{"folders": ["{empty}", 3]}}')
    take(settings(path), tmp_path)
    assert empty.is_dir() and not path.exists()


def test_a_file_that_was_removed_meanwhile_needs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new" / "s.json"
    put(settings(path), tmp_path)
    path.unlink()
    assert take(settings(path), tmp_path).change == "unchanged"
    assert names(tmp_path) == ["home"]


def test_a_link_inside_the_home_is_written_through(tmp_path: Path) -> None:
    real, path = tmp_path / "dotfiles" / "s.json", tmp_path / "s.json"
    real.parent.mkdir()
    real.write_bytes(b"{}")
    path.symlink_to(real)
    put(settings(path), tmp_path)
    assert path.is_symlink() and b"memex hook" in real.read_bytes()
    take(settings(path), tmp_path)
    assert path.is_symlink() and real.read_bytes() == b"{}"
    assert names(tmp_path) == ["dotfiles", "dotfiles/s.json", "home", "s.json"]


def test_a_link_to_a_file_that_is_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.symlink_to("later.json")
    put(settings(path), tmp_path)
    assert path.is_symlink() and (tmp_path / "later.json").is_file()
    take(settings(path), tmp_path)
    assert path.is_symlink() and not (tmp_path / "later.json").exists()


@pytest.mark.parametrize("linked", ["file", "folder", "missing"])
def test_a_link_out_of_the_home_is_refused(tmp_path: Path, linked: str) -> None:
    home, out = tmp_path / "w" / "wiki", tmp_path / "w" / "wiki-secret"
    home.mkdir(parents=True)
    out.mkdir()
    (out / "s.json").write_bytes(b"{}")
    path = home / "agent" / "s.json"
    if linked == "folder":
        path.parent.symlink_to(out)
    else:
        path.parent.mkdir()
        path.symlink_to(out / ("s.json" if linked == "file" else "none.json"))
    for work in (installing, uninstalling):
        with pytest.raises(Refused, match="outside the home"):
            work(settings(path), (str(home),))
    assert names(out) == ["s.json"]
    assert (out / "s.json").read_bytes() == b"{}"


def test_a_folder_or_a_pipe_in_the_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.json").mkdir()
    os.mkfifo(tmp_path / "p.json")
    for name in ("s.json", "p.json"):
        with pytest.raises(Refused, match="is not a file"):
            installing(settings(tmp_path / name), (str(tmp_path),))


@pytest.mark.parametrize("name", ["s.json.memex-bak", "s.json.memex-made"])
def test_nothing_is_written_through_a_link_beside_the_settings(tmp_path: Path, name: str) -> None:
    """A project from elsewhere may hold a link where the backup goes."""
    path, victim = tmp_path / "s.json", tmp_path / "victim"
    if name.endswith("bak"):
        path.write_bytes(b"{}")
    (tmp_path / name).symlink_to(victim)
    for work in (installing, uninstalling):
        with pytest.raises(Refused, match="is a link"):
            work(settings(path), (str(tmp_path),))
    assert not victim.exists()


def test_a_read_only_file_is_refused_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(b"{}")
    path.chmod(0o444)
    with pytest.raises(Refused, match="read-only"):
        installing(settings(path), (str(tmp_path),))
    path.chmod(0o644)
    put(settings(path), tmp_path)
    path.chmod(0o444)
    assert put(settings(path), tmp_path).change == "unchanged"
    with pytest.raises(Refused, match="read-only"):
        uninstalling(settings(path), (str(tmp_path),))


def test_what_was_edited_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    first, second = tmp_path / "a" / "1.json", tmp_path / "2.json"
    second.write_bytes(b"{}")
    steps = [installing(settings(path), (str(tmp_path),)) for path in (first, second)]
    second.write_bytes(b'{"busy": 1}')
    with pytest.raises(Conflict, match=r"2\.json changed a moment ago"):
        carry_out(steps)
    assert names(tmp_path) == ["2.json", "home"]
    assert second.read_bytes() == b'{"busy": 1}'


def test_a_failure_in_the_middle_brings_all_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, there, last = tmp_path / "a" / "1.json", tmp_path / "2.json", tmp_path / "3.json"
    there.write_bytes(b'{"a": 1}')
    last.write_bytes(b"{}")
    publish = atomic.publish

    def full(staged: atomic.Staged, *, new: bool = False) -> None:
        if staged.target.endswith("3.json"):
            atomic.discard([staged])
            raise WriteFailed("the disk is full")
        publish(staged, new=new)

    monkeypatch.setattr(atomic, "publish", full)
    steps = [installing(settings(path), (str(tmp_path),)) for path in (made, there, last)]
    with pytest.raises(WriteFailed, match="the disk is full"):
        carry_out(steps)
    assert names(tmp_path) == ["2.json", "3.json", "home"]
    assert there.read_bytes() == b'{"a": 1}'


def test_a_failed_removal_brings_the_backup_back_with_its_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    for path in (first, second):
        path.write_bytes(b'{"key": "secret"}')
        path.chmod(0o600)
        put(settings(path), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("*.json*")}
    publish = atomic.publish

    def full(staged: atomic.Staged, *, new: bool = False) -> None:
        if staged.target.endswith("2.json"):
            atomic.discard([staged])
            raise WriteFailed("the disk is full")
        publish(staged, new=new)

    steps = [uninstalling(settings(path), (str(tmp_path),)) for path in (first, second)]
    with monkeypatch.context() as patch:
        patch.setattr(atomic, "publish", full)
        with pytest.raises(WriteFailed):
            carry_out(steps)
    assert {path: path.read_bytes() for path in tmp_path.glob("*.json*")} == before
    assert {stat.S_IMODE(path.stat().st_mode) for path in before} == {0o600}
    assert names(tmp_path) == ["1.json", "1.json.memex-bak", "2.json", "2.json.memex-bak", "home"]


def test_another_installation_at_the_same_time_is_left_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two start at once: the second finds the first one's file in the last moment, and spares it."""
    path = tmp_path / "s.json"
    step = installing(settings(path), (str(tmp_path),))
    put(settings(path), tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in ("s.json", "s.json.memex-made")}
    monkeypatch.setattr(writing, "_check_same", lambda change: None)
    with pytest.raises(AlreadyExists):
        carry_out([step])
    assert names(tmp_path) == ["home", *before]
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_one_damaged_file_stops_the_other_one_too(tmp_path: Path) -> None:
    place = Where(str(tmp_path), {})
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_bytes(b"a =\n")
    with pytest.raises(MemexError, match=r"config\.toml is not TOML: line 1"):
        carry_out([installing(one, (str(tmp_path),)) for one in settings_of("codex", place, CALLER)])
    assert names(tmp_path / ".codex") == ["config.toml"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(MemexError, match=r"s\.json"):
        put(settings(tmp_path / "file" / "s.json"), tmp_path)
    assert names(tmp_path) == ["file", "home"]


def test_the_environment_counts_only_where_no_home_is_named(tmp_path: Path) -> None:
    environ = {"HOME": "/home/ada", "CODEX_HOME": "/data/codex", "GEMINI_CLI_HOME": "/data/g"}
    assert codex.folder(of(environ)) == "/data/codex"
    assert of(environ).inside("/data/codex") == ("/home/ada", "/data/codex")
    assert codex.folder(of(environ, "/home/bo")) == "/home/bo/.codex"
    assert of(environ, "/home/bo").inside("/home/bo/.codex") == ("/home/bo",)
    assert codex.folder(of(environ, None, "/srv/p")) == "/srv/p/.codex"
    assert of(environ).folder(".gemini", "GEMINI_CLI_HOME", own=".gemini") == "/data/g/.gemini"
