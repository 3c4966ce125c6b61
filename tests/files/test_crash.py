"""Writers killed with SIGKILL at random moments: the files and the journal must always agree again."""

from __future__ import annotations

import itertools
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memex_core.files import atomic
from memex_core.files.commit import Edit, commit, recover
from memex_core.files.journal import Journal, bytes_before
from memex_core.files.layout import Layout, create_store
from memex_core.model.results import Event

from .conftest import is_settled

SIZE = 5 * 1024 * 1024
LINKERS = 19


def kill_after(seconds: float, work: Callable[[], None]) -> None:
    """Run ``work`` for ever in a child process, and kill it."""
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(told, b".")
            while True:
                work()
        finally:
            os._exit(9)
    os.read(ready, 1)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL, "the writer failed"
    os.close(ready)
    os.close(told)


def big(number: int) -> bytes:
    """5 MB that tell a mixture of two versions: every line says the number."""
    line = f"version {number:06d}\n".encode()
    return line * (SIZE // len(line))


def numbers_in(data: bytes) -> set[bytes]:
    return set(data.split(b"\n")) - {b""}


def check_chain(events: list[Event], now: bytes) -> None:
    """Each event starts from what the one before it left, and the last one left what is there."""
    for earlier, later in itertools.pairwise(events):
        before = bytes_before(later)
        assert before is not None
        assert atomic.digest(before) == earlier["detail"]["after"]
    if events:
        assert events[-1]["detail"]["after"] == atomic.digest(now)


def test_a_page_of_5_mb_is_old_or_new(tmp_path: Path) -> None:
    layout = create_store(str(tmp_path / "store"))
    file = Path(layout.file_path("big.md"))
    file.write_bytes(big(0))
    rng = random.Random(1)
    in_the_middle, longest = 0, 0.06

    def write_next() -> None:
        before = file.read_bytes()
        after = big(int(before[8:14]) + 1)
        commit(layout, [Edit("big.md", before, after)], action="update", item="big", actor="me")

    for _ in range(50):
        if os.path.exists(layout.journal):
            os.unlink(layout.journal)  # its 5 MB a write are checked in each round
        kill_after(rng.uniform(0, longest), write_next)
        found = file.read_bytes()
        assert len(numbers_in(found)) == 1
        assert len(found) == len(big(0))
        in_the_middle += layout.interrupted
        longest = min(1.0, longest * (1.0 if in_the_middle else 1.1))  # a busy machine starts writing later
        added = recover(layout)
        assert file.read_bytes() == found, "a page that is whole is not written again"
        events = list(Journal(layout).read())
        assert added in ([], events[-1:])
        check_chain(events, found)
        assert is_settled(layout)
    assert in_the_middle, "some writer must have been killed while it wrote"


@pytest.mark.parametrize("seed", [1, 2])
def test_a_rename_over_20_files_is_all_or_nothing(tmp_path: Path, seed: int) -> None:
    layout = create_store(str(tmp_path / "store"))
    names = ("hub.md", "people/Hub.md")

    def linker(side: int) -> bytes:
        return f"see [[{names[side]}]]\n".encode() * 200

    Path(layout.file_path("hub.md")).write_bytes(b"# hub 0\n")
    for number in range(LINKERS):
        Path(layout.file_path(f"l{number}.md")).write_bytes(linker(0))
    rng = random.Random(seed)

    def side_now() -> int:
        return 1 if os.path.exists(layout.file_path(names[1])) else 0

    def rename() -> None:
        old = side_now()
        new = 1 - old
        edits = [Edit(names[new], f"# hub {old}\n".encode(), f"# hub {new}\n".encode(), names[old])]
        edits += [Edit(f"l{number}.md", linker(old), linker(new)) for number in range(LINKERS)]
        commit(layout, edits, action="rename", item="hub", actor="me")

    in_the_middle, longest = 0, 0.03
    for _ in range(50):
        kill_after(rng.uniform(0, longest), rename)
        for number in range(LINKERS):
            assert Path(layout.file_path(f"l{number}.md")).read_bytes() in (linker(0), linker(1))
        in_the_middle += layout.interrupted
        longest = min(1.0, longest * (1.0 if in_the_middle else 1.1))  # a busy machine starts writing later
        recover(layout)
        assert_one_side(layout, names, linker)
        assert is_settled(layout)
        events = list(Journal(layout).read())
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert len(events) % (LINKERS + 1) == 0
        assert side_now() == len(events) // (LINKERS + 1) % 2
    assert in_the_middle, "some writer must have been killed while it wrote"


def assert_one_side(layout: Layout, names: tuple[str, str], linker: Callable[[int], bytes]) -> None:
    hubs = [os.path.exists(layout.file_path(name)) for name in names]
    assert sorted(hubs) == [False, True]
    side = hubs.index(True)
    assert Path(layout.file_path(names[side])).read_bytes() == f"# hub {side}\n".encode()
    for number in range(LINKERS):
        assert Path(layout.file_path(f"l{number}.md")).read_bytes() == linker(side)


def test_creating_and_removing_pages(tmp_path: Path) -> None:
    layout = create_store(str(tmp_path / "store"))
    rng = random.Random(3)

    def toggle() -> None:
        path = f"deep/er/{rng.randrange(4)}.md"
        there = os.path.exists(layout.file_path(path))
        edit = Edit(path, b"x" * 3000, None) if there else Edit(path, None, b"x" * 3000)
        commit(layout, [edit], action="remove" if there else "add", item=path, actor="me")

    for _ in range(40):
        kill_after(rng.uniform(0, 0.01), toggle)
        recover(layout)
        assert is_settled(layout)
        there: dict[str, bool] = {}
        for event in Journal(layout).read():
            assert there.get(event["file"], False) is (event["action"] == "remove")
            there[event["file"]] = event["action"] == "add"
        for path, expected in there.items():
            assert os.path.exists(layout.file_path(path)) is expected
