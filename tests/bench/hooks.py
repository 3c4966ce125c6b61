"""What an agent waits for: hooks as whole processes, beside ``python -c pass`` and a stat of all pages."""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.bench import corpus
from tests.bench.clock import ENV

RUNS = 9


def payloads() -> Iterator[tuple[str, str, dict[str, str]]]:
    """(what, event, payload)."""
    _, about = next(iter(corpus.queries(1)))
    yield "hook session-start", "session-start", {"session_id": "bench-1", "source": "startup"}
    yield "hook prompt, a page fits", "prompt", {"prompt": f"tell me about {about}"}
    yield "hook prompt, nothing fits", "prompt", {"session_id": "bench-2", "prompt": "run the tests"}
    noise = " ".join(f"zq{number}xv" for number in range(13_000))
    yield "hook prompt of 100 KB", "prompt", {"prompt": f"{noise[:50_000]} {about} {noise[50_000:100_000]}"}


def hook_ms(command: str, root: Path, event: str, payload: dict[str, str]) -> float:
    """Median CPU milliseconds of a hook's process, after one warm-up."""
    told = json.dumps({"hook_event_name": event, **payload}).encode()
    spent = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [command, "--root", str(root), "hook", event],
            input=told,
            stdout=subprocess.DEVNULL,
            env={**ENV, "MEMEX_STRICT": "1"},
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)
    return statistics.median(spent[1:])
