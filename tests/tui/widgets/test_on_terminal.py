"""What a cursor move costs on the wire, in a real pseudo-terminal."""

import os
import re
import sys
from pathlib import Path

import pexpect

PROGRAM = Path(__file__).with_name("list_on_terminal.py")
REPOSITORY = Path(__file__).parents[3]


def read(child: "pexpect.spawn[bytes]", quiet: float) -> bytes:
    """Everything the program writes until it is quiet."""
    written = b""
    while True:
        try:
            written += child.read_nonblocking(65_536, timeout=quiet)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return written


def test_a_cursor_move_writes_less_than_a_kilobyte() -> None:
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "PYTHONPATH": str(REPOSITORY),
    }
    child = pexpect.spawn(sys.executable, [str(PROGRAM)], env=environment, dimensions=(40, 120))  # type: ignore[arg-type]
    first = b""
    while b"Rate limits 38" not in first:
        first += child.read_nonblocking(65_536, timeout=30)
    read(child, 0.5)
    for move in range(1, 6):
        child.send("\x1b[B")
        written = b""
        while f"Rate limits {move}".encode() not in written:
            written += child.read_nonblocking(65_536, timeout=10)
        written += read(child, 0.2)
        assert len(written) <= 1024
        shown = re.sub(rb"\x1b\[[0-9;?$]*[a-zA-Z]", b"", written).decode()
        assert f"▌Rate limits {move} " in shown
        assert f"Rate limits {move + 1} " not in shown
    child.send("q")
    child.expect(pexpect.EOF, timeout=10)
    child.close()
    assert child.exitstatus == 0
