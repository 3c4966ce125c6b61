"""The memory as a whole: what it holds, how its index is, where it lies."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from memex_tui.render.text import counted

Fact = tuple[str, str, str]  # label, value, style: text, muted, good, warn, bad


class Watch(NamedTuple):
    """How outside edits are followed."""

    polling: bool = False
    problem: str = ""
    off: bool = False


def facts(status: Mapping[str, Any], info: Mapping[str, Any], watch: Watch) -> list[Fact]:
    """What the memory holds, how its index is, and where it lies."""
    kinds = Counter(status["by_type"]).most_common(3)
    found: list[Fact] = [("pages", f"{status['pages']:,}", "text")]
    if kinds:
        found.append(("types", " · ".join(f"{name} {count:,}" for name, count in kinds), "muted"))
    if status["pending"]:
        found.append(("drafts", f"{status['pending']:,} wait for review", "warn"))
    days = status["diary_days"]
    kept = f"{counted(status['sessions'], 'conversation')} · {counted(days, 'day')} of diary"
    found.append(("also", kept, "muted"))
    rebuilt = str(status["last_index_rebuild"] or "")[:16].replace("T", " ")
    size = size_of(status["index_bytes"])
    found.append(("index", f"{size} · built {rebuilt}" if rebuilt else size, "text"))
    if watch.problem:
        found.append(("watcher", watch.problem, "warn"))
    elif watch.off:
        found.append(("watcher", "not running", "muted"))
    else:
        how = "compares the folder every 2 s" if watch.polling else "sees edits as they happen"
        found.append(("watcher", how, "warn" if watch.polling else "good"))
    last = status["last_change"]
    if last:
        when = str(last["ts"])[:16].replace("T", " ")
        found.append(("last write", f"{last['action']} {last['file']} · {when}", "muted"))
    found += [
        ("memory", from_home(info["root"]), "text"),
        (
            "pages in",
            from_home(info["pages"]) if info["pages"] != info["root"] else "the same folder",
            "muted",
        ),
        ("index in", from_home(info["index"]), "muted"),
        ("journal", from_home(info["journal"]), "muted"),
    ]
    found += [("warning", str(warning), "warn") for warning in status["warnings"][:3]]
    return found


def from_home(path: str) -> str:
    """A path as a shell would take it: ``~`` for the home folder."""
    home = os.path.expanduser("~").rstrip(os.sep) + os.sep
    return f"~{os.sep}{path[len(home) :]}" if path.startswith(home) else path


def size_of(count: int) -> str:
    """Bytes for people."""
    if count < 10_000:
        return f"{count:,} B"
    return f"{count / 1e3:,.0f} KB" if count < 1e6 else f"{count / 1e6:,.1f} MB"
