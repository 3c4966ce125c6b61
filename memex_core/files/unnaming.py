"""Taking the names of erased pages out of the journal: a name made of a page's words tells them too."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memex_core.files.atomic import digest

if TYPE_CHECKING:
    from memex_core.files.journal import Journal
    from memex_core.model.results import Event


def unname(journal: Journal, paths: Iterable[str]) -> int:
    """Write another name in every event for these pages, always the same one for the same page, so that
    what happened can still be followed. Returns how many lines changed."""
    names: dict[str, str] = {}
    for path in paths:
        secret = digest(path.encode("utf-8", "surrogatepass"))[:16]
        stem = posixpath.splitext(posixpath.basename(path))[0]
        names |= {path: f"purged/{secret}.md", stem: secret}
    if not names:
        return 0

    def without(event: Event) -> Mapping[str, Any] | None:
        told = {key: event.get(key) for key in ("file", "item", "detail")}
        other = _renamed(told, names)
        return {**event, **other} if other != told else None

    return journal.rewrite(without)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(one, names) for key, one in value.items()}
    return value
