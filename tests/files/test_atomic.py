from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memex_core.files import atomic
from memex_core.model.errors import AlreadyExists, NotFound, Refused, Unreachable, WriteFailed

from .conftest import Unprivileged


def test_digest_is_blake2b_of_16_bytes() -> None:
    assert atomic.digest(b"") == "cae66941d9efbd404e4d88758ea67670"
    assert atomic.digest(b"a") != atomic.digest(b"b")


class TestWrite:
    def test_a_new_file(self, place: Path) -> None:
        atomic.write(str(place / "a.md"), b"x\r\n\x00\xff")
        assert (place / "a.md").read_bytes() == b"x\r\n\x00\xff"
        assert os.listdir(place) == ["a.md"]

    def test_a_new_file_takes_the_umask(self, place: Path) -> None:
        old = os.umask(0o027)
        try:
            atomic.write(str(place / "a.md"), b"x")
        finally:
            os.umask(old)
        assert stat.S_IMODE(os.stat(place / "a.md").st_mode) == 0o640

    @pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o444, 0o755])
    def test_mode_bits_are_kept(self, place: Path, mode: int) -> None:
        file = place / "a.md"
        file.write_bytes(b"old")
        file.chmod(mode)
        atomic.write(str(file), b"new")
        assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", mode)

    def test_a_mode_may_be_given(self, place: Path) -> None:
        atomic.write(str(place / "key"), b"x", mode=0o600)
        assert stat.S_IMODE(os.stat(place / "key").st_mode) == 0o600

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
    def test_the_owner_is_kept(self, place: Path) -> None:
        file = place / "a.md"
        file.write_bytes(b"old")
        os.chown(file, 1234, 2345)
        atomic.write(str(file), b"new")
        assert (file.stat().st_uid, file.stat().st_gid) == (1234, 2345)

    def test_a_link_is_written_through(self, place: Path) -> None:
        (place / "real").mkdir()
        (place / "real" / "a.md").write_bytes(b"old")
        (place / "link.md").symlink_to("real/a.md")
        atomic.write(str(place / "link.md"), b"new")
        assert (place / "link.md").is_symlink()
        assert (place / "real" / "a.md").read_bytes() == b"new"
        assert sorted(os.listdir(place)) == ["link.md", "real"]

    def test_new_leaves_a_file_alone(self, place: Path) -> None:
        (place / "a.md").write_bytes(b"old")
        with pytest.raises(AlreadyExists, match="is there already"):
            atomic.write(str(place / "a.md"), b"new", new=True)
        assert (place / "a.md").read_bytes() == b"old"
        assert os.listdir(place) == ["a.md"]

    def test_new_works_without_hard_links(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise OSError(errno.EPERM, "no hard links here")

        monkeypatch.setattr(os, "link", refuse)
        atomic.write(str(place / "a.md"), b"new", new=True)
        assert (place / "a.md").read_bytes() == b"new"
        with pytest.raises(AlreadyExists):
            atomic.write(str(place / "a.md"), b"newer", new=True)
        assert os.listdir(place) == ["a.md"]

    def test_a_reader_sees_one_or_the_other(self, place: Path) -> None:
        file = place / "a.md"
        file.write_bytes(b"old" * 1000)
        with open(file, "rb") as reader:
            atomic.write(str(file), b"new" * 2000)
            assert reader.read() == b"old" * 1000
        assert file.read_bytes() == b"new" * 2000

    def test_a_long_name_leaves_room_for_the_temporary_one(self, place: Path) -> None:
        name = "ü" * 126 + ".md"
        atomic.write(str(place / name), b"x")
        assert os.listdir(place) == [name]

    def test_an_absent_folder_is_an_error_in_words(self, place: Path) -> None:
        with pytest.raises(WriteFailed, match="no such file"):
            atomic.write(str(place / "no" / "a.md"), b"x")


class TestTheDiskRefuses:
    @pytest.mark.parametrize(
        ("number", "words"),
        [
            (errno.ENOSPC, "the disk is full"),
            (errno.EDQUOT, "the disk quota is used up"),
            (errno.EROFS, "the disk is read-only"),
            (errno.EACCES, "no permission"),
            (errno.EIO, "input/output error"),
        ],
    )
    @pytest.mark.parametrize("call", ["replace", "fsync", "write", "open"])
    def test_the_reason_is_said_and_nothing_is_left(
        self, place: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str, call: str
    ) -> None:
        file = place / "a.md"
        file.write_bytes(b"old")

        def refuse(*_: object) -> None:
            raise OSError(number, os.strerror(number))

        with monkeypatch.context() as patch:
            patch.setattr(os, call, refuse)
            with pytest.raises(WriteFailed) as caught:
                atomic.write(str(file), b"new")
        assert words in str(caught.value)
        assert str(file) in str(caught.value)
        assert file.read_bytes() == b"old"
        assert os.listdir(place) == ["a.md"]

    def test_a_folder_without_permission(self, public_dir: Path, unprivileged: Unprivileged) -> None:
        (public_dir / "a.md").write_bytes(b"old")
        public_dir.chmod(0o555)
        with unprivileged(), pytest.raises(WriteFailed, match="no permission"):
            atomic.write(str(public_dir / "a.md"), b"new")
        assert (public_dir / "a.md").read_bytes() == b"old"

    def test_a_disk_that_fills_up_while_writing(self, place: Path) -> None:
        """A real refusal half way: the process may write no file above 100 KB."""
        (place / "a.md").write_bytes(b"old")
        code = (
            "import resource, signal, sys\n"
            "from memex_core.files import atomic\n"
            "from memex_core.model.errors import WriteFailed\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
            "try:\n"
            "    atomic.write(sys.argv[1], b'n' * 300_000)\n"
            "except WriteFailed as error:\n"
            "    print(error)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(place / "a.md")], capture_output=True, text=True, check=True
        )
        assert "a.md was not written: the file is larger than allowed here" in done.stdout
        assert (place / "a.md").read_bytes() == b"old"
        assert os.listdir(place) == ["a.md"]

    def test_a_key_press_in_the_middle_leaves_nothing(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", interrupt)
            with pytest.raises(KeyboardInterrupt):
                atomic.write(str(place / "a.md"), b"new")
        assert os.listdir(place) == []


class TestLeftovers:
    def test_a_dead_writers_file_goes_and_others_stay(self, place: Path) -> None:
        dead = subprocess.run(
            [sys.executable, "-c", "from memex_core.files.atomic import temporary_name as t; print(t())"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        own = atomic.temporary_name()
        kept = [own, ".memex-moving-0123456789abcdef", ".memex-x.tmp", "a.md", ".hidden.tmp"]
        for name in [dead, *kept]:
            (place / name).touch()
        assert atomic.remove_leftovers(str(place)) == [dead]
        assert sorted(os.listdir(place)) == sorted(kept)

    def test_another_machines_file_goes_when_it_is_old(self, place: Path) -> None:
        young, old = ".memex-00000000-1-0.tmp", ".memex-00000000-1-1.tmp"
        (place / young).touch()
        (place / old).touch()
        os.utime(place / old, (1, 1))
        assert atomic.remove_leftovers(str(place)) == [old]

    def test_a_folder_that_is_gone_has_none(self, place: Path) -> None:
        assert atomic.remove_leftovers(str(place / "no")) == []

    def test_who_is_alive(self) -> None:
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        assert atomic.alive(child.pid)
        child.communicate(b"\n")
        assert not atomic.alive(child.pid)
        assert atomic.alive(os.getpid())
        assert not atomic.alive(0)
        assert not atomic.alive(1 << 40)


class TestInside:
    @pytest.mark.parametrize(
        "path",
        [
            "../../x",
            "/etc/passwd",
            "a/../../x",
            "..%2fx",
            "C:\\x",
            "\\\\srv\\s",
            "~/x",
            "a\0b",
            "./",
            "",
            "a/",
            # and their relatives
            "..",
            ".",
            "a/..",
            "a/../b",
            "./a.md",
            "a/./b",
            "a//b",
            "//srv/s",
            "..\\x",
            "a\\..\\..\\x",
            "%2e%2e/x",
            "%2E%2E%2Fx",
            "..%5cx",
            "%252e%252e%252fx",
            "%2fetc/passwd",
            "a%00b",
            "C:",
            "c:/x",
            "C%3A/x",
            "~",
            "~root/x",
            "\\x",
        ],
    )
    def test_ways_out_are_refused(self, place: Path, path: str) -> None:
        with pytest.raises(Refused) as caught:
            atomic.inside(str(place), path)
        assert caught.value.exit_code == 1
        assert list(place.iterdir()) == []

    @pytest.mark.parametrize(
        "path",
        [
            "a.md",
            "a/b c/d.md",
            "100%.md",
            "50%2Foff.md",
            "what%3F.md",
            "..a.md",
            "a..md",
            "...md",
            "~draft.md",
            "A: B.md",
            "C++.md",
            "用户/x.md",
            "a\\b.md",
            "%zz.md",
            "x~/y.md",
        ],
    )
    def test_odd_names_are_names(self, place: Path, path: str) -> None:
        assert atomic.inside(str(place), path) == f"{place}/{path}"

    def test_a_root_is_no_prefix_of_its_neighbour(self, place: Path) -> None:
        (place / "wiki").mkdir()
        (place / "wiki-secret").mkdir()
        (place / "wiki-secret" / "x.md").touch()
        root = str(place / "wiki")
        with pytest.raises(Refused):
            atomic.inside(root, "../wiki-secret/x.md")
        (place / "wiki" / "link.md").symlink_to("../wiki-secret/x.md")
        with pytest.raises(Refused, match="leads out"):
            atomic.inside(root, "link.md")

    def test_a_linked_folder_is_no_way_to_a_new_file(self, place: Path) -> None:
        root = place / "wiki"
        (root / "real" / "deep").mkdir(parents=True)
        (place / "out").mkdir()
        (root / "link_dir").symlink_to(place / "out")
        (root / "dangling").symlink_to(place / "nowhere")
        (root / "within").symlink_to("real")
        for path in ("link_dir/new.md", "dangling/new.md", "within/deep/new.md", "link_dir/no/new.md"):
            with pytest.raises(Refused, match="linked folder"):
                atomic.inside(str(root), path)
        assert atomic.inside(str(root), "real/deep/new.md") == f"{root}/real/deep/new.md"

    def test_a_linked_file_counts_where_it_points(self, place: Path) -> None:
        root = place / "wiki"
        root.mkdir()
        (root / "a.md").touch()
        (root / "good.md").symlink_to("a.md")
        (root / "loop.md").symlink_to("loop.md")
        (root / "out.md").symlink_to(place / "nowhere.md")
        assert atomic.inside(str(root), "good.md") == f"{root}/good.md"
        for path in ("loop.md", "out.md"):
            with pytest.raises(Refused, match="leads out"):
                atomic.inside(str(root), path)

    def test_the_root_itself_may_be_a_link(self, place: Path) -> None:
        (place / "real").mkdir()
        (place / "real" / "a.md").touch()
        (place / "real" / "good.md").symlink_to("a.md")
        (place / "root").symlink_to("real")
        assert atomic.inside(str(place / "root"), "good.md") == f"{place}/root/good.md"


class TestRead:
    def test_bytes_as_they_are(self, place: Path) -> None:
        data = b"\xef\xbb\xbf---\r\n" + bytes(range(256)) * 5000
        (place / "a.md").write_bytes(data)
        assert atomic.read(str(place), "a.md") == data

    def test_what_is_not_there(self, place: Path) -> None:
        (place / "folder").mkdir()
        (place / "file").touch()
        for path in ("no.md", "folder", "file/x.md"):
            with pytest.raises(NotFound, match=path):
                atomic.read(str(place), path)

    def test_a_pipe_does_not_hang(self, place: Path) -> None:
        os.mkfifo(place / "pipe.md")
        with pytest.raises(NotFound):
            atomic.read(str(place), "pipe.md")

    def test_no_way_out(self, place: Path) -> None:
        (place / "root").mkdir()
        (place / "secret.md").touch()
        with pytest.raises(Refused):
            atomic.read(str(place / "root"), "../secret.md")

    def test_no_permission(self, public_dir: Path, unprivileged: Unprivileged) -> None:
        (public_dir / "a.md").write_bytes(b"x")
        (public_dir / "a.md").chmod(0)
        with unprivileged(), pytest.raises(Unreachable, match="no permission"):
            atomic.read(str(public_dir), "a.md")
