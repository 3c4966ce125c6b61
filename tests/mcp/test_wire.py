"""The client's bytes as lines, however the pipe cuts them."""

from __future__ import annotations

import asyncio
import os
import threading

import pytest

from memex_core.mcp.wire import Lines

LONG = "{" + "ab é " * 500_000 + "}"  # more than thirty reads


async def _lines(pieces: list[bytes]) -> tuple[list[str], int]:
    """What is read of the pieces, and how many lines were counted."""
    inward, outward = os.pipe()
    counted: list[int] = []

    async def settled() -> None:
        counted.append(-1)

    def write() -> None:
        for piece in pieces:
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(outward, rest) :]
        os.close(outward)

    writer = threading.Thread(target=write)
    writer.start()
    read = [line async for line in Lines(inward, lambda: counted.append(1), settled)]
    writer.join()
    os.close(inward)
    assert counted[-1] == -1
    return read, sum(counted) + 1


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        ([b"one\ntwo\n"], ["one", "two"]),
        ([b"on", b"e\nt", b"wo", b"\n"], ["one", "two"]),
        ([b"one\n\n \n", b"\n", b"two\n"], ["one", "two"]),
        ([b"one\nno end"], ["one", "no end"]),
        ([bytes([byte]) for byte in "é\nü\n".encode()], ["é", "ü"]),
        ([LONG.encode() + b"\nshort\n" + LONG.encode()], [LONG, "short", LONG]),
        ([], []),
    ],
)
def test_lines_come_whole(pieces: list[bytes], wanted: list[str]) -> None:
    assert asyncio.run(_lines(pieces)) == (wanted, len(wanted))
