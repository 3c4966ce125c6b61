"""Running a command to its end: fed, read up to a limit, and ended with everything that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import IO, Any, NamedTuple

_CHUNK = 65536
_ERRORS = 65536  # bytes of what it says about itself
_DRAIN = 10.0  # seconds to read what is left in the pipes: something that got away may hold them open


class Ended(NamedTuple):
    """``out`` and ``err`` are at most as long as allowed. ``why`` is empty when it ended by itself, else
    ``late`` or ``flood``: it was killed, and the rest of this says little."""

    code: int
    out: bytes
    err: bytes
    why: str


def run(
    words: Sequence[str], *, folder: str, environ: Mapping[str, str], given: bytes, timeout: float, most: int
) -> Ended:
    """Run it in ``folder``, write ``given`` to it and read at most ``most`` bytes. Raises OSError when it
    cannot be started."""
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        words, cwd=folder, env=dict(environ), stdin=pipe, stdout=pipe, stderr=pipe, **apart
    )
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    out, err, flood = bytearray(), bytearray(), threading.Event()
    threads = [
        threading.Thread(target=_feed, args=(child.stdin, given), daemon=True),
        threading.Thread(target=_read, args=(child.stdout, out, most, flood, child), daemon=True),
        threading.Thread(target=_read, args=(child.stderr, err, _ERRORS, None, child), daemon=True),
    ]
    for thread in threads:
        thread.start()
    late = False
    try:
        child.wait(timeout)
    except subprocess.TimeoutExpired:
        late = True
    finally:
        _kill(child)
        child.wait()
    for thread in threads:
        thread.join(_DRAIN)
    for thread, stream in zip(threads[1:], (child.stdout, child.stderr), strict=True):
        if not thread.is_alive():
            stream.close()
    why = "flood" if flood.is_set() else "late" if late else ""
    return Ended(child.returncode, bytes(out), bytes(err), why)


def _feed(stream: IO[bytes], given: bytes) -> None:
    try:
        with stream:
            stream.write(given)
    except OSError:
        pass  # it does not want to know


def _read(
    stream: IO[bytes],
    kept: bytearray,
    most: int,
    flood: threading.Event | None,
    child: subprocess.Popen[bytes],
) -> None:
    while chunk := os.read(stream.fileno(), _CHUNK):
        room = most - len(kept)
        kept += chunk[:room]
        if len(chunk) > room and flood is not None and not flood.is_set():
            flood.set()
            _kill(child)


def _kill(child: subprocess.Popen[bytes]) -> None:
    """End the command with all it started, whether it has ended itself or not."""
    if sys.platform == "win32":
        if child.poll() is None:
            child.kill()
        return
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        if child.poll() is None:
            child.kill()
