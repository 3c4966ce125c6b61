"""``memex doctor``: is everything in place that memex needs, from the disk to the agents that use it?

Each check is ``{name, ok, level, detail, files, fix}`` with the level ``ok``, ``warn`` or ``fail`` and the
command that mends it. ``result`` is FAIL when one fails, PARTIAL when one warns, else PASS.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

Check = dict[str, Any]
Progress = Callable[[int, int], None]


def doctor(
    layout: Layout | None,
    environ: Mapping[str, str],
    cwd: str,
    *,
    missing: MemexError | None = None,
    fix: bool = False,
    quick: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """``{result, ok, checks, fixed}``. Without a ``layout`` only what needs no store is looked at, and
    ``missing`` says why there is none. ``fix`` clears up after killed writers, and nothing else;
    with ``dry_run`` it is only said what. ``quick`` leaves out what starts a program."""
    from memex_core.care import doctor_agents, doctor_machine, doctor_store

    fixed = doctor_store.clear_up(layout, dry_run=dry_run) if fix and layout is not None else []
    steps: list[Callable[[], Check]] = []
    if layout is None:
        steps.append(lambda: check("store", "fail", missing.message if missing else "none", "memex init"))
    else:
        there = layout
        agents = doctor_agents.CHECKS if not quick else (doctor_agents.hooks, doctor_agents.receipts)
        steps += doctor_store.checks(there)
        steps += [lambda one=one: one(there, environ) for one in agents]  # type: ignore[misc]
    steps.append(lambda: doctor_agents.agents(environ, cwd))
    steps += [lambda one=one: one(environ) for one in doctor_machine.CHECKS]  # type: ignore[misc]
    checks = []
    for number, step in enumerate(steps, 1):
        if progress is not None:
            progress(number, len(steps))
        checks.append(step())
    levels = {one["level"] for one in checks}
    result = "FAIL" if "fail" in levels else "PARTIAL" if "warn" in levels else "PASS"
    return {"result": result, "ok": result != "FAIL", "checks": checks, "fixed": fixed}


def check(name: str, level: str, detail: str, fix: str = "", files: Iterable[dict[str, Any]] = ()) -> Check:
    return {
        "name": name,
        "ok": level == "ok",
        "level": level,
        "detail": detail,
        "files": list(files),
        "fix": "" if level == "ok" else fix,
    }


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def guarded(name: str) -> Callable[[Callable[..., Check]], Callable[..., Check]]:
    """A check that cannot be made has failed: it says why instead of ending the others."""

    def wrap(made: Callable[..., Check]) -> Callable[..., Check]:
        def run(*given: Any) -> Check:
            try:
                return made(*given)
            except MemexError as error:
                return check(name, "fail", error.message, error.hint)
            except OSError as error:
                where = f"{error.filename}: " if error.filename else ""
                return check(name, "fail", f"{where}{(error.strerror or str(error)).lower()}")

        return run

    return wrap


def free_space(path: str) -> int:
    """Bytes that this person may still write where ``path`` lies."""
    import shutil

    while not os.path.exists(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return shutil.disk_usage(path).free
