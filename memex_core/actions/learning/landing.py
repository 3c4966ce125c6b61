"""Where what a machine learns from a session lands: in its project, or in the branch that it was said on.

What is so on a branch need not be so for all: on any but the main one a draft is the branch's own, until a
person promotes it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.actions.here import here, known_as
from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from memex_core.actions.store import Store

_MAIN = ("main", "master")  # where the repository is gone and cannot be asked
_DETACHED = "HEAD"


class Landing(NamedTuple):
    """``project`` is empty where the session has none that is known, ``branch`` where the whole project is
    concerned. ``name`` is what people call the project; ``reach`` is the project and branch worked on."""

    project: str = ""
    branch: str = ""
    name: str = ""
    reach: tuple[str, str] | None = None
    git: bool = False

    @property
    def scope(self) -> str:
        return "branch" if self.branch else "project" if self.project else "global"


def landing(store: Store, meta: Mapping[str, Any]) -> Landing:
    """The place of a session, of what its meta file says and its folder is now."""
    cwd, called = str(meta.get("cwd") or ""), str(meta.get("project") or "")
    branch = str(meta.get("git_branch") or "")
    on = "" if branch == _DETACHED else branch
    if cwd and os.path.isdir(cwd):
        found = here(store, cwd)
        if found.id:
            own = on if found.git and on != found.main else ""
            return Landing(found.id, own, found.name, (found.id, branch), found.git)
    try:
        project = known_as(store, called)
    except BadInput:  # the name of several, or of none
        project = ""
    if not project:
        return Landing(name=called)
    return Landing(project, "" if on in _MAIN else on, called, (project, on))
