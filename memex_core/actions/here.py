"""The project that an act concerns: the one it names, else the one of the folder it is done in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.repository import Project


def here(store: Store, cwd: str | None = None) -> Project:
    """The project of ``cwd``, by default of the folder in which the store's caller works."""
    from memex_core.files.repository import Project, project_of

    try:
        return project_of(cwd or store.cwd or os.getcwd())
    except OSError:  # the folder is gone under this process
        return Project()


def project(store: Store, cwd: str | None = None) -> dict[str, Any]:
    """``{project, name, root, branch, default_branch, reason, pages}``: what ``cwd`` is a part of, and how
    many pages are its own. ``project`` is empty where it is none; ``reason`` says what it is made of."""
    found = here(store, cwd)
    own = store.index.rows(project=found.id, limit=1)[1] if found.id else 0
    return {
        "project": found.id,
        "name": found.name,
        "root": found.root,
        "branch": found.branch,
        "default_branch": found.default,
        "reason": found.reason,
        "pages": own,
    }


def root_of(store: Store, project: str) -> str:
    """The folder of ``project`` where that is the one here; "" for any other."""
    own = here(store) if project else None
    return own.root if own is not None and own.id == project else ""


def known_as(store: Store, name: str) -> str:
    """The project that ``name`` means: itself if pages have it, else the one that people call so.

    BadInput when several are called so, and for what names none; one that no page knows stays as it is.
    """
    from memex_core.model.identity import name_of

    name = name.strip()
    if not name:
        return ""
    if not name.strip("/\\.") or name.casefold() == "unknown":
        raise BadInput(f"{name!r} is no project", hint="a name, such as the folder's")
    known = store.index.projects()
    if name in known:
        return name
    called = [one for one in known if name_of(one).casefold() == name.casefold()]
    own = here(store)
    if own.id and name_of(own.id).casefold() == name.casefold() and own.id not in called:
        called.append(own.id)
    if len(called) > 1:
        raise BadInput(f"{name!r} is the name of {len(called)} projects", hint=", ".join(sorted(called)))
    return called[0] if called else name


def to_write(
    store: Store, scope: str | None, project: str | None, branch: str | None
) -> tuple[str, str, str]:
    """Scope, project and branch of a new page; those that the scope needs and nobody names are those here."""
    scope, project, branch = scope or "", known_as(store, project or ""), branch or ""
    scope = scope or ("branch" if branch else "project" if project else "")
    if scope not in ("project", "branch") or (project and (branch or scope == "project")):
        return scope, project, branch
    own = here(store)
    project = project or own.id
    if not project:
        raise BadInput("this folder is no project", hint="give --project")
    if scope == "branch" and not branch:
        branch = own.branch if own.id == project else ""
        if not branch:
            raise BadInput("no branch is checked out here", hint="give --branch")
    return scope, project, branch


def to_read(store: Store, scope: str | None, project: str | None) -> str:
    """The project that reading is limited to: the one named, and for scope ``project`` or ``branch`` the one
    here. Empty for no limit: in a folder that is no repository and of which the store has nothing."""
    if project:
        return known_as(store, project)
    if (scope or "") not in ("project", "branch"):
        return ""
    own = here(store)
    return own.id if own.git or own.id in store.index.projects() else ""
