"""Where memory lies on this machine, for telling what an agent read there from what it found elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memex_core.model.commands.memory import Memory

if TYPE_CHECKING:
    from memex_core.files.layout import Layout


def memory_of(layout: Layout, about: Mapping[str, Any] | None = None) -> Memory:
    """The places of the store's memory. ``about`` is what is known of the session: the folders it was in.

    All that lies under a store's root is memory, except for a session that worked in that very folder (a
    project that keeps its store in itself): then only the store's own files are.
    """
    cwds = list(_both(_folders(about or {})))
    home = _slashed(os.path.expanduser("~"))
    if layout.folder:
        own = [layout.state, layout.diary]
        return Memory(tuple(_both(own)), tuple(_both([layout.pages])), tuple(cwds), home)
    roots = list(_both([layout.root]))
    if any(cwd == root or cwd.startswith(root + "/") for cwd in cwds for root in roots):
        own = [layout.pages, layout.diary, layout.transcripts, layout.journal, layout.sync, layout.logs]
        roots = list(_both([*own, layout.rules, layout.index]))
    return Memory(tuple(roots), (), tuple(cwds), home)


def _folders(about: Mapping[str, Any]) -> Iterable[str]:
    more = about.get("metadata")
    cwds = more.get("cwds") if isinstance(more, Mapping) else None
    found = [about.get("cwd"), *(cwds if isinstance(cwds, list) else ())]
    return [one for one in found if isinstance(one, str) and one]


def _both(paths: Iterable[str]) -> Iterable[str]:
    """Each path as it is named and as it is, links followed; each once."""
    return dict.fromkeys(_slashed(one) for path in paths for one in (path, os.path.realpath(path)))


def _slashed(path: str) -> str:
    return path.replace("\\", "/").rstrip("/")
