from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from memex_core.files.lock import StoreLock
from memex_core.model.errors import Locked, WriteFailed

from .conftest import Unprivileged

HOLD = (
    "import sys\n"
    "from memex_core.files.lock import StoreLock\n"
    "with StoreLock(sys.argv[1]):\n"
    "    print('held', flush=True)\n"
    "    sys.stdin.readline()\n"
)


def holder(path: Path) -> subprocess.Popen[str]:
    """A process that holds the lock until it gets a line or dies."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def test_a_live_holder_is_named(place: Path) -> None:
    child = holder(place / "lock")
    with pytest.raises(Locked) as caught, StoreLock(str(place / "lock"), timeout=0.05):
        pass
    assert f"process {child.pid} is writing to {place}" in caught.value.message
    child.communicate("\n")


def test_a_holder_that_lets_go_is_waited_for(place: Path) -> None:
    child = holder(place / "lock")
    threading.Timer(0.1, lambda: child.communicate("\n")).start()
    with StoreLock(str(place / "lock"), timeout=20):
        assert child.stdout is not None
    child.wait()


def test_a_dead_holders_lock_is_free(place: Path) -> None:
    child = holder(place / "lock")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    assert (place / "lock").read_text().strip() == str(child.pid)
    with StoreLock(str(place / "lock"), timeout=0):
        assert (place / "lock").read_text().strip() == str(os.getpid())


def test_a_thread_may_take_it_again(place: Path) -> None:
    lock = StoreLock(str(place / "lock"))
    with lock, StoreLock(str(place / "lock"), timeout=0), lock:
        pass
    child = holder(place / "lock")  # all three were given back
    child.communicate("\n")
    assert child.returncode == 0


def test_it_is_held_until_the_outermost_lets_go(place: Path) -> None:
    with StoreLock(str(place / "lock")):
        with StoreLock(str(place / "lock")):
            pass
        done = subprocess.run(
            [sys.executable, "-c", HOLD.replace("argv[1])", "argv[1], timeout=0)"), str(place / "lock")],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert "Locked" in done.stderr


def test_threads_exclude_each_other(place: Path) -> None:
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            with StoreLock(str(place / "lock")):
                inside += 1
                most = max(most, inside)
                time.sleep(0.0005)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_another_thread_of_this_process_is_named_so(place: Path) -> None:
    complaints: list[str] = []

    def try_it() -> None:
        try:
            with StoreLock(str(place / "lock"), timeout=0):
                pass
        except Locked as error:
            complaints.append(error.message)

    with StoreLock(str(place / "lock")):
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()
    assert complaints == [f"another thread of this process is writing to {place}"]


def _count(path: str, counter: str, times: int) -> None:
    for _ in range(times):
        with StoreLock(path, timeout=60):
            value = int(Path(counter).read_text())
            Path(counter).write_text(str(value + 1))


def test_processes_exclude_each_other(place: Path) -> None:
    (place / "count").write_text("0")
    context = multiprocessing.get_context("fork")
    work = [
        context.Process(target=_count, args=(str(place / "lock"), str(place / "count"), 50)) for _ in range(4)
    ]
    for process in work:
        process.start()
    for process in work:
        process.join()
    assert (place / "count").read_text() == "200"


def test_a_child_does_not_inherit_the_lock(place: Path) -> None:
    with StoreLock(str(place / "lock")):
        child = os.fork()
        if child == 0:
            try:
                with StoreLock(str(place / "lock"), timeout=0):
                    os._exit(1)
            except Locked:
                os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        # and the child's end did not give the parent's lock away
        with pytest.raises(Locked):
            _in_a_fork(place)


def _in_a_fork(place: Path) -> None:
    child = os.fork()
    if child == 0:
        try:
            with StoreLock(str(place / "lock"), timeout=0):
                os._exit(0)
        except Locked:
            os._exit(3)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3:
        raise Locked("held by the parent")


def test_a_lock_file_that_was_swapped_is_taken_anew(place: Path) -> None:
    child = holder(place / "lock")
    os.replace(place / "lock", place / "old")  # as a restore moves the old store aside
    with StoreLock(str(place / "lock"), timeout=0):
        assert (place / "lock").read_text().strip() == str(os.getpid())
    child.communicate("\n")


def test_an_exception_gives_it_back(place: Path) -> None:
    with pytest.raises(ZeroDivisionError), StoreLock(str(place / "lock")):
        raise ZeroDivisionError
    holder(place / "lock").communicate("\n")


def test_a_folder_that_cannot_be_written_is_said(public_dir: Path, unprivileged: Unprivileged) -> None:
    public_dir.chmod(0o555)
    with unprivileged(), pytest.raises(WriteFailed, match="no permission"), StoreLock(str(public_dir / "l")):
        pass
