"""What Textual's reader of the terminal gets wrong here: bytes that are no text, and some alt keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from functools import cache
from typing import Any

from textual import _ansi_sequences
from textual.driver import Driver

_ESCAPE = "\x1b"
_SIGNS = {"<": "less_than_sign", ">": "greater_than_sign", "%": "percent_sign", ".": "full_stop"}


@cache
def lasting(driver: type[Driver]) -> type[Driver]:
    """The driver, reading on after bytes that are no UTF-8.

    A terminal that is attached anew may send mouse reports of an old kind; Textual's reader ends on them,
    and with it the app. What came in the same breath is lost. And where the terminal is gone, what is written
    to it is dropped: Textual's writer would end there, and the app wait for ever to hand it its last words.
    """
    reader = getattr(driver, "run_input_thread", None)
    if reader is None:  # not a terminal of Unix: it is not read as bytes
        return driver

    def run_input_thread(self: Driver) -> None:
        while True:
            try:
                return reader(self)
            except UnicodeDecodeError:
                continue

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        driver.__init__(self, *args, **options)
        self._file = _Terminal(getattr(self, "_file", None))

    return type(driver.__name__, (driver,), {"__init__": __init__, "run_input_thread": run_input_thread})


class _Terminal:
    """The file of a terminal, deaf once the terminal is gone."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()


def _alt_keys() -> Iterator[tuple[str, str]]:
    """What terminals send for alt with a digit or sign, and the key's name."""
    for digit in "0123456789":
        yield _ESCAPE + digit, f"alt+{digit}"
    for sign, name in _SIGNS.items():
        yield _ESCAPE + sign, f"alt+{name}"


def hear_alt_keys() -> None:
    """Make ``alt+1`` to ``alt+9`` and ``alt+<`` arrive as themselves.

    Textual takes the digits for the letters that one terminal on macOS writes with them (``alt+3``
    becomes ``£``), and forgets the alt of signs.
    """
    table: dict[str, Any] = _ansi_sequences.ANSI_SEQUENCES_KEYS  # type: ignore[assignment]
    keys: Any = Enum("AltKey", [(name, name) for _, name in _alt_keys()])
    for sent, name in _alt_keys():
        table[sent] = (keys[name],)
