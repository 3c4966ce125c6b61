"""Processes that are killed, as by ``kill -9``, at a chosen one of their file operations."""

from __future__ import annotations

import builtins
import io
import os
import shutil
import signal
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_CHANGING = ("fsync", "replace", "rename", "link", "unlink", "rmdir", "mkdir", "ftruncate", "write", "open")
_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT
NEVER = 1 << 60
KILLED = -1


def run(work: Callable[[], object], at: int = NEVER) -> int:
    """Do ``work`` in a process of its own that dies before its operation number ``at`` (from 1), or in the
    middle of it where it writes. How many operations there were, or KILLED."""
    reading, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            count = _counting(at)
            work()
            os.write(told, b"%d" % count())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(9)
    os.close(told)
    with open(reading, "rb") as answer:
        said = answer.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), "the work failed by itself"
    return int(said) if status == 0 else KILLED


def deaths(work: Callable[[], object], prepare: Callable[[], object], most: int = 40) -> Iterator[int]:
    """Let ``work`` die at every one of its operations, or at ``most`` of them spread over all, each time
    after ``prepare``; yields the number of the operation once it has died there."""
    prepare()
    total = run(work)
    for at in sorted({1 + number * (total - 1) // (most - 1) for number in range(most)}):
        prepare()
        assert run(work, at) == KILLED, "the same work takes the same steps"
        yield at


class Saved:
    """What is in these folders now, to be put back as often as wanted; the folders stay the same ones."""

    def __init__(self, copies: Path, *folders: Path) -> None:
        self._copies = {folder: copies / str(number) for number, folder in enumerate(folders)}
        for folder, copy in self._copies.items():
            shutil.copytree(folder, copy)

    def put(self) -> None:
        for folder, copy in self._copies.items():
            for entry in folder.iterdir():
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
            shutil.copytree(copy, folder, dirs_exist_ok=True)


def _counting(deadly: int) -> Callable[[], int]:
    """Count this process' file operations from now on, and die at one of them."""
    done = 0
    write = os.write

    def step() -> bool:
        nonlocal done
        done += 1
        return done == deadly

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def watched(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def operation(*given: Any, **named: Any) -> Any:
            changes = name != "open" or given[1] & _TO_WRITE
            if changes and step():
                if name == "write":
                    write(given[0], bytes(given[1])[: len(given[1]) // 2])
                die()
            return real(*given, **named)

        return operation

    def opened(file: Any, mode: str = "r", *given: Any, **named: Any) -> Any:
        if set(mode) & set("wxa+") and step():
            die()
        return io.open(file, mode, *given, **named)  # noqa: UP020 - the other one is this

    for name in _CHANGING:
        setattr(os, name, watched(name, getattr(os, name)))
    builtins.open = opened  # type: ignore[assignment]
    return lambda: done
