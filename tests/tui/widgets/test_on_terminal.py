"""What a cursor move costs on the wire, in a real pseudo-terminal."""

import os
import re
import sys
from pathlib import Path

import pexpect

from tests.tui.widgets.list_on_terminal import DRAWN

PROGRAM = Path(__file__).with_name("list_on_terminal.py")
REPOSITORY = Path(__file__).parents[3]
PATIENCE = 60  # seconds; a machine may be busy


def until_drawn(child: "pexpect.spawn[bytes]") -> bytes:
    """Everything the program writes until it says that all is drawn."""
    child.expect_exact(DRAWN.encode(), timeout=PATIENCE)
    before = child.before
    assert isinstance(before, bytes)
    return before


def test_a_cursor_move_writes_less_than_a_kilobyte() -> None:
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "PYTHONPATH": str(REPOSITORY),
    }
    for name in ("COLUMNS", "LINES"):  # of the terminal that the tests run in
        environment.pop(name, None)
    child = pexpect.spawn(sys.executable, [str(PROGRAM)], env=environment, dimensions=(40, 120))  # type: ignore[arg-type]
    first = last = until_drawn(child)  # the list has the focus
    while last or b"Rate limits 38" not in first:  # the scrollbar is drawn a little later
        child.send("p")
        last = until_drawn(child)
        first += last
    for move in range(1, 6):
        child.send("\x1b[B")
        child.send("p")
        written = until_drawn(child)
        assert len(written) <= 1024
        shown = re.sub(rb"\x1b\[[0-9;?$]*[a-zA-Z]", b"", written).decode()
        assert f"▌Rate limits {move} " in shown
        assert f"Rate limits {move + 1} " not in shown
    child.send("q")
    child.expect(pexpect.EOF, timeout=PATIENCE)
    child.close()
    assert child.exitstatus == 0
