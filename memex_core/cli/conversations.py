"""What is special about the commands on conversations: turns from standard input, clearing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from memex_core.cli.impact import impact_first
from memex_core.cli.parse import Usage
from memex_core.cli.run import Call


def ingest_transcript(call: Call) -> int:
    if call.values["turns_file"] != "-":
        call.answer(call.do())
        return 0
    path = _spool()
    try:
        call.answer(call.do(turns_file=path))
    finally:
        os.unlink(path)
    return 0


def _spool() -> str:
    """Standard input as a file, whatever its size."""
    import shutil
    import tempfile

    if sys.stdin is None:
        raise Usage("standard input is closed", hint="give --turns-file a file")
    with tempfile.NamedTemporaryFile(prefix="memex-turns-", suffix=".jsonl", delete=False) as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return file.name


def clear_transcripts(call: Call) -> int:
    return impact_first(call, question="no conversation was deleted")


def capture(call: Call) -> int:
    with call.out.progress("reading sessions") as progress:
        result = call.do(progress=progress)
    call.answer(result)
    return 0


HANDLERS: dict[str, Callable[[Call], Any]] = {
    "ingest-transcript": ingest_transcript,
    "capture": capture,
    "clear-transcripts": clear_transcripts,
}
