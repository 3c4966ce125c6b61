"""Filters that nothing can pass: a misspelt type, tag, status, scope or project, and what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memex_core.model.identity import name_of
from memex_core.model.page import TYPE_FOLDERS
from memex_core.model.scope import SCOPES
from memex_core.model.status import STATUSES, is_known

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memex_core.actions.store import Store

_LISTED = 8


def unknown(
    store: Store,
    *,
    types: Sequence[str] = (),
    tags: Sequence[str] = (),
    statuses: Sequence[str] = (),
    scope: str | None = None,
    project: str | None = None,
) -> list[str]:
    """One line for each value that no page of the store has, for who wonders at an empty answer."""
    from memex_core.index.groups import types as types_of

    said = []
    if types:
        known = {kind.casefold(): kind for kind in (*TYPE_FOLDERS, *types_of(store.index.db)) if kind}
        said += [_no("type", one, known.values()) for one in types if one.casefold() not in known]
    if tags:
        found = [tag for tag, _ in store.index.tags()]
        for one in (tag.lstrip("#").casefold() for tag in tags):
            if not any(tag == one or tag.startswith(f"{one}/") for tag in found):
                said.append(_no("tag", one, found))
    said += [_no("status", one, STATUSES, fixed=True) for one in statuses if not is_known(one)]
    if scope and scope.lower() not in SCOPES:
        said.append(_no("scope", scope, SCOPES, fixed=True))
    if project:
        projects = store.index.projects()
        if project not in projects:
            said.append(_no("project", project, sorted({name_of(one) for one in projects})))
    return said


def _no(what: str, word: str, known: Iterable[str], *, fixed: bool = False) -> str:
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(word.casefold(), names, 1, 0.6)
    if near:
        hint = f"did you mean {near[0]}?"
    elif names:
        more = ", …" if len(names) > _LISTED else ""
        hint = f"known: {', '.join(names[:_LISTED])}{more}"
    else:
        hint = f"no page has a {what}"
    return f"{word!r} is no {what}; {hint}" if fixed else f"no page has the {what} {word!r}; {hint}"
