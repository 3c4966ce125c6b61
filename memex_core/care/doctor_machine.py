"""The checks of ``memex doctor`` on the machine: versions, and what the terminal can show."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping

from memex_core.care.doctor import Check, check, guarded

_COLUMNS, _ROWS = 80, 24


@guarded("versions")
def versions(environ: Mapping[str, str]) -> Check:
    import sqlite3

    import memex_core

    python = sys.version.split()[0]
    detail = f"memex {memex_core.__version__}, Python {python}, SQLite {sqlite3.sqlite_version}"
    try:
        with sqlite3.connect(":memory:") as db:
            db.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
    except sqlite3.Error:
        return check(
            "versions", "fail", f"{detail}, which has no full-text search", "another build of Python"
        )
    return check("versions", "ok", detail)


@guarded("terminal")
def terminal(environ: Mapping[str, str]) -> Check:
    """Colours, characters and size, as far as the environment tells."""
    term = environ.get("TERM", "")
    colours = _colours(environ, term)
    unicode = _unicode(environ)
    size = shutil.get_terminal_size((0, 0)) if sys.stdout is not None and sys.stdout.isatty() else None
    parts = [term or "no TERM", colours, "Unicode" if unicode else "no Unicode"]
    if size is None or not size.columns:
        return check("terminal", "ok", ", ".join(["not on a terminal", *parts]))
    detail = ", ".join([*parts, f"{size.columns}x{size.lines}"])
    if term in ("", "dumb"):
        return check("terminal", "warn", detail, "set TERM, as in TERM=xterm-256color")
    if not unicode:
        return check("terminal", "warn", f"{detail}: rules and marks will look wrong", "export LANG=C.UTF-8")
    if size.columns < _COLUMNS or size.lines < _ROWS:
        return check("terminal", "warn", detail, f"make it {_COLUMNS}x{_ROWS} or larger")
    return check("terminal", "ok", detail)


def _colours(environ: Mapping[str, str], term: str) -> str:
    if environ.get("NO_COLOR"):
        return "no colours (NO_COLOR)"
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "direct" in term:
        return "16 million colours"
    if "256" in term:
        return "256 colours"
    return "no colours" if term in ("", "dumb") else "16 colours"


def _unicode(environ: Mapping[str, str]) -> bool:
    if os.name == "nt" or environ.get("PYTHONUTF8") == "1":
        return True
    named = next((value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := environ.get(name))), "")
    return "utf-8" in named.lower() or "utf8" in named.lower() or sys.flags.utf8_mode == 1


CHECKS = (versions, terminal)
