from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core.files import atomic
from memex_core.files.commit import Edit, Written, commit
from memex_core.files.journal import Journal, bytes_before
from memex_core.files.layout import Layout, create_store
from memex_core.files.lock import StoreLock
from memex_core.model.errors import AlreadyExists, Conflict, Locked, Refused, WriteFailed
from memex_core.model.results import Event

from .conftest import Unprivileged, is_settled, pages, put


def do(layout: Layout, *edits: Edit, action: str = "update", **detail: Any) -> list[Event]:
    return commit(layout, edits, action=action, item="tea", actor="human:me", detail=detail)


class TestOneFile:
    def test_create(self, layout: Layout) -> None:
        (event,) = do(layout, Edit("new/deep/tea.md", None, b"# Tea\n"), action="add", why="test")
        assert pages(layout) == {"new/deep/tea.md": b"# Tea\n"}
        assert event["detail"] == {"why": "test", "group": 1, "after": atomic.digest(b"# Tea\n")}
        assert (event["seq"], event["action"], event["file"]) == (1, "add", "new/deep/tea.md")
        assert (event["item"], event["actor"], event["before"]) == ("tea", "human:me", None)
        assert list(Journal(layout).read()) == [event]
        assert is_settled(layout)

    def test_update_and_remove(self, layout: Layout) -> None:
        put(layout, tea="one")
        (event,) = do(layout, Edit("tea.md", b"one", b"two"))
        assert (event["before"], bytes_before(event)) == ({"text": "one"}, b"one")
        (event,) = do(layout, Edit("tea.md", b"two", None), action="remove")
        assert event["detail"] == {"group": 2, "after": None}
        assert bytes_before(event) == b"two"
        assert pages(layout) == {}
        assert [one["seq"] for one in Journal(layout).read()] == [1, 2]

    def test_bytes_that_are_no_text(self, layout: Layout) -> None:
        do(layout, Edit("tea.md", None, b"\xff\xfe\x00"))
        (event,) = do(layout, Edit("tea.md", b"\xff\xfe\x00", b"\xef\xbb\xbfx\r\n"))
        assert bytes_before(event) == b"\xff\xfe\x00"
        assert pages(layout) == {"tea.md": b"\xef\xbb\xbfx\r\n"}

    def test_what_the_files_hold_now_is_told(self, layout: Layout) -> None:
        put(layout, tea="one", cup="two", pot="three")
        token = b"ghp_" + b"9aB3" * 9
        edits = [
            Edit("tea.md", b"one", token),
            Edit("new.md", None, b"four"),
            Edit("cup.md", b"two", None),
            Edit("mug.md", b"three", b"five", "pot.md"),
        ]
        told: dict[str, Written] = {}
        commit(layout, edits, action="update", item="tea", actor="human:me", written=told)
        assert set(told) == {"tea.md", "new.md"}  # a name that went or moved is for others to look at
        assert b"REDACTED" in told["tea.md"].data
        for path, file in told.items():
            at = os.stat(layout.file_path(path))
            assert file.data == pages(layout)[path]
            assert (file.at.st_ino, file.at.st_size, file.at.st_mtime_ns) == (
                at.st_ino,
                at.st_size,
                at.st_mtime_ns,
            )

    def test_an_edit_that_changes_nothing_touches_nothing(self, layout: Layout) -> None:
        put(layout, tea="one")
        at = os.stat(layout.file_path("tea.md"))
        assert do(layout, Edit("tea.md", b"one", b"one")) == []
        assert do(layout) == []
        assert os.stat(layout.file_path("tea.md")).st_mtime_ns == at.st_mtime_ns
        assert not os.path.exists(layout.journal)

    def test_mode_bits_are_kept(self, layout: Layout) -> None:
        put(layout, tea="one")
        os.chmod(layout.file_path("tea.md"), 0o640)
        do(layout, Edit("tea.md", b"one", b"two"))
        do(layout, Edit("b/tea.md", b"two", b"three", "tea.md"))
        assert stat.S_IMODE(os.stat(layout.file_path("b/tea.md")).st_mode) == 0o640


class TestTheirBytes:
    def test_all_are_on_the_disk_before_the_first_name_changes(
        self, layout: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        names = [f"p{at}" for at in range(20)]
        put(layout, **dict.fromkeys(names, "one"))
        edits = [Edit(f"{name}.md", b"one", b"two") for name in names]
        steps: list[str] = []
        sync, replace = os.fsync, os.replace
        monkeypatch.setattr(os, "fsync", lambda fd: (steps.append("sync"), sync(fd))[1])
        monkeypatch.setattr(os, "replace", lambda a, b: (steps.append("name"), replace(a, b))[1])
        do(layout, *edits)
        assert set(pages(layout).values()) == {b"two"}
        first = steps.index("name")
        assert steps[:first].count("sync") >= len(names)
        assert steps[first : first + len(names)] == ["name"] * len(names)

    def test_a_full_disk_leaves_all_as_they_were(
        self, layout: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        names = [f"p{at}" for at in range(20)]
        put(layout, **dict.fromkeys(names, "one"))
        flushed: list[int] = []
        sync = os.fsync

        def full(fd: int) -> None:
            flushed.append(fd)
            if len(flushed) == 12:
                raise OSError(errno.ENOSPC, "full")
            sync(fd)

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(WriteFailed, match="the disk is full"):
            do(layout, *(Edit(f"{name}.md", b"one", b"two") for name in names))
        assert set(pages(layout).values()) == {b"one"}
        assert is_settled(layout)


class TestMoves:
    def test_a_move_keeps_the_file(self, layout: Layout) -> None:
        put(layout, tea="one")
        inode = os.stat(layout.file_path("tea.md")).st_ino
        (event,) = do(layout, Edit("drinks/Green tea.md", b"one", b"one", "tea.md"), action="rename")
        assert os.stat(layout.file_path("drinks/Green tea.md")).st_ino == inode
        assert pages(layout) == {"drinks/Green tea.md": b"one"}
        assert event["detail"] == {"group": 1, "after": atomic.digest(b"one"), "from": "tea.md"}
        assert [e["seq"] for e in Journal(layout).read(file="tea.md")] == [1]

    def test_a_move_with_a_change(self, layout: Layout) -> None:
        put(layout, tea="one")
        do(layout, Edit("b.md", b"one", b"two", "tea.md"))
        assert pages(layout) == {"b.md": b"two"}

    @pytest.mark.parametrize("new", ["Tea.md", "TEA.md"])
    def test_only_the_case_changes(self, layout: Layout, new: str) -> None:
        put(layout, tea="one")
        inode = os.stat(layout.file_path("tea.md")).st_ino
        do(layout, Edit(new, b"one", b"one", "tea.md"))
        assert pages(layout) == {new: b"one"}
        assert os.stat(layout.file_path(new)).st_ino == inode

    def test_a_case_change_goes_by_way_of_a_third_name(
        self, layout: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """On disks that ignore case a direct rename may do nothing at all."""
        put(layout, tea="one")
        steps: list[tuple[str, str]] = []
        real = os.rename
        monkeypatch.setattr(
            os,
            "rename",
            lambda a, b: (steps.append((os.path.basename(a), os.path.basename(b))), real(a, b))[1],
        )
        do(layout, Edit("Tea.md", b"one", b"one", "tea.md"))
        (first, between), (again, last) = steps
        assert (first, last) == ("tea.md", "Tea.md")
        assert between == again
        assert between.startswith(".memex-moving-")

    def test_a_case_change_on_a_disk_that_ignores_case(
        self, layout: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Such a disk says that the new name is there already: it is the same file."""
        put(layout, tea="one")
        target = layout.file_path("Tea.md")
        real = os.path.lexists
        with monkeypatch.context() as patch:
            patch.setattr(os.path, "lexists", lambda path: path == target or real(path))
            patch.setattr(os.path, "samefile", lambda a, b: True)
            do(layout, Edit("Tea.md", b"one", b"one", "tea.md"))
        assert pages(layout) == {"Tea.md": b"one"}

    def test_another_page_of_that_case_is_in_the_way(self, layout: Layout) -> None:
        put(layout, tea="one", Tea="other")
        with pytest.raises(AlreadyExists, match=r"Tea\.md is there already"):
            do(layout, Edit("Tea.md", b"one", b"one", "tea.md"))
        assert pages(layout) == {"tea.md": b"one", "Tea.md": b"other"}

    def test_a_name_that_is_taken(self, layout: Layout) -> None:
        put(layout, tea="one", b="other")
        with pytest.raises(AlreadyExists):
            do(layout, Edit("b.md", b"one", b"one", "tea.md"))
        assert pages(layout) == {"tea.md": b"one", "b.md": b"other"}

    def test_a_page_may_move_to_a_name_that_the_same_act_frees(self, layout: Layout) -> None:
        put(layout, a="one", b="two")
        events = do(layout, Edit("a.md", b"one", None), Edit("a.md", b"two", b"three", "b.md"))
        assert pages(layout) == {"a.md": b"three"}
        assert [event["detail"]["group"] for event in events] == [1, 1]


class TestManyFiles:
    def test_one_act_is_one_group(self, layout: Layout) -> None:
        put(layout, a="1", b="2", c="3")
        do(layout, Edit("z.md", None, b"0"))
        events = do(
            layout,
            Edit("x/a.md", b"1", b"11", "a.md"),
            Edit("b.md", b"2", b"22"),
            Edit("c.md", b"3", None),
            Edit("d.md", None, b"44"),
            action="rename",
        )
        assert pages(layout) == {"z.md": b"0", "x/a.md": b"11", "b.md": b"22", "d.md": b"44"}
        assert [(event["seq"], event["detail"]["group"]) for event in events] == [
            (2, 2),
            (3, 2),
            (4, 2),
            (5, 2),
        ]
        assert list(Journal(layout).read(after=1)) == events

    def test_a_stale_file_stops_them_all(self, layout: Layout) -> None:
        put(layout, a="1", b="2", c="3")
        before = pages(layout)
        with pytest.raises(Conflict, match=r"b\.md changed since it was read"):
            do(layout, Edit("a.md", b"1", b"11"), Edit("b.md", b"old", b"22"), Edit("c.md", b"3", None))
        assert pages(layout) == before
        assert not os.path.exists(layout.journal)
        assert is_settled(layout)

    @pytest.mark.parametrize("failing", [1, 2, 3, 4])
    @pytest.mark.parametrize("call", ["replace", "rename", "unlink", "fsync", "link"])
    def test_a_refusal_at_any_point_takes_all_back(
        self, layout: Layout, monkeypatch: pytest.MonkeyPatch, call: str, failing: int
    ) -> None:
        put(layout, a="1", b="2", c="3", d="4", e="5")
        before = pages(layout)
        calls = 0
        real: Callable[..., Any] = getattr(os, call)

        def refuse(*arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == failing:
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(*arguments)

        edits = [
            Edit("n1/a.md", b"1", b"11", "a.md"),
            Edit("b.md", b"2", b"22"),
            Edit("n2/c.md", b"3", b"3", "c.md"),
            Edit("E.md", b"5", b"55", "e.md"),
            Edit("new.md", None, b"6"),
            Edit("new2.md", None, b"7"),
            Edit("d.md", b"4", None),
        ]
        with monkeypatch.context() as patch:
            patch.setattr(os, call, refuse)
            try:
                do(layout, *edits)
            except WriteFailed as error:
                assert "the disk is full" in str(error)  # noqa: PT017
                assert pages(layout) == before
                assert list(Journal(layout).read()) == []
                assert not os.path.exists(layout.file_path("n1"))
            else:
                assert calls < failing or call in ("link", "fsync", "unlink")
                assert len(list(Journal(layout).read())) == len(edits)
        assert is_settled(layout)

    def test_a_journal_that_cannot_be_written_takes_all_back(
        self, layout: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(layout, a="1", b="2")

        def refuse(*_: object, **__: object) -> None:
            raise WriteFailed("journal.jsonl was not written: the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "append_lines", refuse)
            with pytest.raises(WriteFailed, match="disk is full"):
                do(
                    layout,
                    Edit("x/a.md", b"1", b"11", "a.md"),
                    Edit("b.md", b"2", None),
                    Edit("c.md", None, b"3"),
                )
        assert pages(layout) == {"a.md": b"1", "b.md": b"2"}
        assert is_settled(layout)

    def test_a_key_press_in_the_middle_takes_all_back(
        self, layout: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(layout, a="1", b="2")
        real = atomic.publish
        seen: list[str] = []

        def interrupt(staged: atomic.Staged, *, new: bool = False) -> None:
            seen.append(staged.target)
            if len(seen) == 2:
                raise KeyboardInterrupt
            real(staged, new=new)

        with monkeypatch.context() as patch:
            patch.setattr(atomic, "publish", interrupt)
            with pytest.raises(KeyboardInterrupt):
                do(layout, Edit("a.md", b"1", b"11"), Edit("b.md", b"2", b"22"))
        assert pages(layout) == {"a.md": b"1", "b.md": b"2"}
        assert is_settled(layout)


class TestRefusals:
    @pytest.mark.parametrize(
        "path",
        [
            *("../x.md", "/x.md", "a/../../x.md", "..%2fx.md", "C:\\x.md", "~/x.md", "a\0.md", "./x.md", ""),
            *("a/", ".hidden.md", ".git/hooks/x.md", ".memex/x.md", "x.txt", "a.md~", "x"),
        ],
    )
    @pytest.mark.parametrize("kind", ["create", "move"])
    def test_no_file_outside_the_pages(self, layout: Layout, path: str, kind: str) -> None:
        put(layout, tea="one")
        everything = sorted(Path(layout.root).parent.rglob("*.md"))
        edit = Edit(path, None, b"x") if kind == "create" else Edit(path, b"one", b"one", "tea.md")
        with pytest.raises(Refused):
            do(layout, edit)
        assert sorted(Path(layout.root).parent.rglob("*.md")) == everything
        assert pages(layout) == {"tea.md": b"one"}

    def test_a_move_from_outside(self, layout: Layout, tmp_path: Path) -> None:
        (tmp_path / "secret.md").write_text("one")
        path = os.path.relpath(tmp_path / "secret.md", layout.pages)
        with pytest.raises(Refused):
            do(layout, Edit("a.md", b"one", b"one", path))
        assert (tmp_path / "secret.md").exists()

    def test_through_a_linked_folder(self, layout: Layout, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        os.symlink(tmp_path / "out", os.path.join(layout.pages, "link_dir"))
        with pytest.raises(Refused, match="linked folder"):
            do(layout, Edit("link_dir/new.md", None, b"x"))
        assert os.listdir(tmp_path / "out") == []

    def test_through_a_link_out(self, layout: Layout, tmp_path: Path) -> None:
        (tmp_path / "secret.md").write_text("one")
        os.symlink(tmp_path / "secret.md", os.path.join(layout.pages, "link.md"))
        with pytest.raises(Refused):
            do(layout, Edit("link.md", b"one", b"two"))
        assert (tmp_path / "secret.md").read_text() == "one"

    def test_what_the_ignore_file_hides_cannot_be_made(self, layout: Layout) -> None:
        Path(layout.pages, ".memexignore").write_text("drafts/\n")
        with pytest.raises(Refused, match="hidden, reserved or ignored"):
            do(layout, Edit("drafts/x.md", None, b"x"))

    def test_a_reserved_name_in_a_store(self, store: Layout) -> None:
        with pytest.raises(Refused, match="reserved"):
            do(store, Edit("entities/index.md", None, b"x"))

    def test_a_page_that_exists(self, layout: Layout) -> None:
        put(layout, tea="one")
        with pytest.raises(AlreadyExists, match=r"tea\.md is there already"):
            do(layout, Edit("tea.md", None, b"two"))
        assert pages(layout) == {"tea.md": b"one"}

    def test_a_page_that_is_gone(self, layout: Layout) -> None:
        with pytest.raises(Conflict, match=r"tea\.md is gone since it was read"):
            do(layout, Edit("tea.md", b"one", b"two"))
        assert pages(layout) == {}

    def test_one_file_twice_in_an_act(self, layout: Layout) -> None:
        put(layout, tea="one")
        with pytest.raises(Refused, match="twice"):
            do(layout, Edit("tea.md", b"one", b"two"), Edit("tea.md", b"one", b"three"))
        assert pages(layout) == {"tea.md": b"one"}

    def test_a_file_in_the_way_of_a_folder(self, layout: Layout) -> None:
        Path(layout.pages, "a").write_text("a file")
        with pytest.raises(WriteFailed):
            do(layout, Edit("a/b.md", None, b"x"))
        assert pages(layout) == {"a": b"a file"}

    def test_a_folder_without_permission(self, public_dir: Path, unprivileged: Unprivileged) -> None:
        layout = create_store(str(public_dir / "s"))
        put(layout, a="1", locked__b="2")
        for folder in (public_dir / "s", public_dir / "s" / "docs"):
            folder.chmod(0o777)
        Path(layout.pages, "locked").chmod(0o555)
        with unprivileged(), pytest.raises(WriteFailed, match="no permission"):
            do(layout, Edit("a.md", b"1", b"11"), Edit("locked/b.md", b"2", b"22"))
        assert pages(layout) == {"a.md": b"1", "locked/b.md": b"2"}
        assert is_settled(layout)

    def test_a_store_that_someone_holds(self, layout: Layout) -> None:
        layout.ensure_state()
        child = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import sys\nfrom memex_core.files.lock import StoreLock\n"
                "with StoreLock(sys.argv[1]): print(flush=True); sys.stdin.readline()",
                layout.lock,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert child.stdout is not None
        child.stdout.readline()
        with pytest.raises(Locked, match=str(child.pid)), StoreLock(layout.lock, timeout=0):
            pass
        child.communicate(b"\n")


class TestLinkedPages:
    def test_an_edit_goes_through_and_a_removal_takes_the_link(self, layout: Layout) -> None:
        put(layout, real__a="one")
        os.symlink("real/a.md", layout.file_path("link.md"))
        do(layout, Edit("link.md", b"one", b"two"))
        assert os.path.islink(layout.file_path("link.md"))
        assert pages(layout) == {"real/a.md": b"two", "link.md": b"two"}
        do(layout, Edit("link.md", b"two", None))
        assert pages(layout) == {"real/a.md": b"two"}

    def test_a_rename_keeps_it_a_link(self, layout: Layout) -> None:
        put(layout, real__a="one")
        os.symlink("real/a.md", layout.file_path("link.md"))
        do(layout, Edit("link2.md", b"one", b"two", "link.md"))
        assert os.readlink(layout.file_path("link2.md")) == "real/a.md"
        assert pages(layout) == {"real/a.md": b"two", "link2.md": b"two"}

    def test_a_relative_link_is_not_moved_to_point_elsewhere(self, layout: Layout) -> None:
        put(layout, real__a="one")
        os.symlink("real/a.md", layout.file_path("link.md"))
        with pytest.raises(Refused, match="relative link"):
            do(layout, Edit("x/link.md", b"one", b"one", "link.md"))


APPEND = """
import sys
from memex_core.files import atomic
from memex_core.files.commit import Edit, commit
from memex_core.files.layout import open_layout
from memex_core.model.errors import AlreadyExists, Conflict
layout, name, count = open_layout(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for number in range(count):
    commit(layout, [Edit(f"own/{name}-{number}.md", None, b"mine")], action="add", item=name, actor=name)
    while True:
        before = atomic.read(layout.pages, "shared.md")
        after = before + f"{name} {number}\\n".encode()
        try:
            commit(layout, [Edit("shared.md", before, after)], action="update", item="shared", actor=name)
            break
        except Conflict:
            pass
    try:
        edit = Edit(f"race/{number}.md", None, name.encode())
        commit(layout, [edit], action="add", item="race", actor=name)
    except AlreadyExists:
        pass
"""


class TestTogether:
    def test_processes_lose_nothing(self, layout: Layout) -> None:
        """Three processes create pages, append to one page, and race for the same names."""
        put(layout, shared="")
        layout.ensure_state()
        names, count = ["ann", "bob", "cid"], 20
        work = [
            subprocess.Popen([sys.executable, "-c", APPEND, layout.root, name, str(count)]) for name in names
        ]
        assert [process.wait() for process in work] == [0, 0, 0]
        found = pages(layout)
        assert sum(path.startswith("own/") for path in found) == len(names) * count
        lines = found["shared.md"].decode().splitlines()
        assert sorted(lines) == sorted(f"{name} {number}" for name in names for number in range(count))
        for number in range(count):
            winners = [e["actor"] for e in Journal(layout).read(file=f"race/{number}.md")]
            assert [found[f"race/{number}.md"].decode()] == winners
        seqs = [event["seq"] for event in Journal(layout).read()]
        assert seqs == list(range(1, len(names) * count * 2 + count + 1))
        assert is_settled(layout)

    def test_threads_lose_nothing(self, layout: Layout) -> None:
        put(layout, shared="")
        conflicts = 0

        def append(name: str) -> None:
            nonlocal conflicts
            while True:
                before = atomic.read(layout.pages, "shared.md")
                try:
                    do(layout, Edit("shared.md", before, before + f"{name}\n".encode()))
                except Conflict:
                    conflicts += 1
                else:
                    return

        threads = [threading.Thread(target=append, args=(str(n),)) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(pages(layout)["shared.md"].decode().split()) == sorted(str(n) for n in range(20))

    def test_the_second_of_two_writers_is_told_and_both_texts_exist(self, layout: Layout) -> None:
        put(layout, tea="one")
        base = atomic.read(layout.pages, "tea.md")  # both read this
        do(layout, Edit("tea.md", base, b"hers"))
        mine = b"mine"
        with pytest.raises(Conflict) as caught:
            do(layout, Edit("tea.md", base, mine))
        assert "tea.md" in caught.value.message
        assert pages(layout) == {"tea.md": b"hers"}
        do(layout, Edit("tea.md", b"hers", mine))  # having looked, the second decides
        assert [bytes_before(event) for event in Journal(layout).read()] == [b"one", b"hers"]
