"""Timing: medians of CPU time, percentiles, and whole processes beside ``python -c pass``."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

ENV = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
"""Compiled modules are kept, as on anybody's machine; without them start-up measures the compiler."""


def cpu_ms(act: Callable[[], Any]) -> float:
    """CPU milliseconds of one call in this process."""
    began = time.process_time()
    act()
    return (time.process_time() - began) * 1000


def wall_ms(act: Callable[[], Any]) -> float:
    """Milliseconds until one call in this process is done, what it waits for included."""
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(values: Sequence[float]) -> str:
    return f"p50 {percentile(values, 0.5):.2f} · p99 {percentile(values, 0.99):.2f} ms"


def process_ms(words: Sequence[str], runs: int = 9, **env: str) -> float:
    """Median CPU milliseconds (user and system) of a process, over ``runs`` after one warm-up.

    RuntimeError when it fails with a message: the time of a crash is no measurement. Findings of a check
    end with 1 too, but nothing is said on standard error then.
    """
    spent = []
    for number in range(runs + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**ENV, **env}, check=False
        )
        if done.returncode and done.stderr:
            said = done.stderr.decode(errors="replace")
            raise RuntimeError(f"{' '.join(words)} ended with {done.returncode}: {said}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if number:
            spent.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)
    return statistics.median(spent)


def pass_ms() -> float:
    """What Python costs before it does anything: the floor of every command."""
    return process_ms([sys.executable, "-c", "pass"], runs=15)
