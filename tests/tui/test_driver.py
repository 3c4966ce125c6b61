"""What a terminal sends, as the app hears it."""

from __future__ import annotations

from typing import Any, cast

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread

from memex_tui.commands import every_command
from memex_tui.driver import hear_alt_keys, lasting
from memex_tui.keys import PRESETS, key_of


def heard(sent: str) -> list[str]:
    hear_alt_keys()
    found = [*XTermParser(False).feed(sent)]
    return [key_of(key.key, key.character) for key in found if isinstance(key, events.Key)]


@pytest.mark.parametrize("sign", [*"1234567890<>%."])
def test_alt_with_a_digit_or_sign_is_that_key(sign: str) -> None:
    assert heard(f"\x1b{sign}") == [f"alt+{sign}"]
    assert heard(sign) == [sign]


def test_every_alt_sign_of_the_commands_is_heard() -> None:
    """A command's key that no terminal can send would be a promise not kept."""
    bound = {
        key
        for command in every_command()
        for preset in PRESETS
        for keys in command.keys_in(preset)
        for key in keys.split()
        if key.startswith("alt+") and len(key) == 5 and not key[4].isalpha()
    }
    assert {"alt+1", "alt+<"} <= bound
    assert {key: heard(f"\x1b{key[4]}") for key in bound} == {key: [key] for key in bound}


def test_reading_goes_on_after_bytes_that_are_no_text() -> None:
    class Reader:
        def __init__(self) -> None:
            self.reads = iter([b"\xff", b"\xfe\x80", b"ok"])
            self.heard = ""

        def run_input_thread(self) -> None:
            for part in self.reads:
                self.heard += part.decode()

    reader: Any = lasting(cast("type[Driver]", Reader))()
    reader.run_input_thread()
    assert reader.heard == "ok"


def test_a_driver_that_reads_no_bytes_is_left_alone() -> None:
    assert lasting(Driver) is Driver


def test_a_terminal_that_is_gone_holds_nobody_up() -> None:
    """The writer takes what it is given to the last, so that whoever stops it need not wait."""

    class Gone:
        def write(self, text: str = "") -> None:
            raise OSError(5, "Input/output error")

        flush = write

    class Plain:
        def __init__(self) -> None:
            self._file = Gone()

        def run_input_thread(self) -> None: ...

    driver = cast(Any, lasting(cast(Any, Plain)))()
    writer = WriterThread(driver._file)
    writer.start()
    for number in range(100):  # more than the queue holds
        writer._queue.put(f"frame {number}", timeout=30)
    writer.stop()
    assert not writer.is_alive()
