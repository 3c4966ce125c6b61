"""How far a page reaches: everywhere, in one project, or in one branch of it."""

from __future__ import annotations

from .errors import BadInput, Refused

GLOBAL = "global"
PROJECT = "project"
BRANCH = "branch"

SCOPES = (GLOBAL, PROJECT, BRANCH)
"""From the widest to the narrowest; promoting moves one step left, demoting one step right."""


def read_scope(text: str | None) -> str:
    """The scope a page says, whatever its case; an unknown word is ``global``."""
    word = (text or "").strip().lower()
    return word if word in SCOPES else GLOBAL


def check_scope(scope: str | None, project: str = "", branch: str = "") -> tuple[str, str, str]:
    """Scope, project and branch to write, of what a caller gave.

    Without ``scope`` the narrowest that ``project`` and ``branch`` name. Raises BadInput for an
    unknown word, for a project or branch that the scope needs and lacks, and for one it has no
    place for.
    """
    word, project, branch = (scope or "").strip().lower(), project.strip(), branch.strip()
    if not word:
        if branch:
            word = BRANCH
        else:
            word = PROJECT if project else GLOBAL
    if word not in SCOPES:
        raise BadInput(f"{scope!r} is no scope", hint=f"one of {', '.join(SCOPES)}")
    for name, value, wanted in (("project", project, word != GLOBAL), ("branch", branch, word == BRANCH)):
        if wanted and not value:
            raise BadInput(f"a page of scope {word} needs a {name}", hint=f"give --{name}")
        if value and not wanted:
            raise BadInput(f"a page of scope {word} has no {name}", hint=f"leave out --scope or --{name}")
    return word, project, branch


def wider(scope: str) -> str:
    """One step up; raises Refused at the top."""
    at = SCOPES.index(read_scope(scope))
    if at == 0:
        raise Refused("a global page cannot be promoted further")
    return SCOPES[at - 1]


def narrower(scope: str) -> str:
    """One step down; raises Refused at the bottom."""
    at = SCOPES.index(read_scope(scope))
    if at == len(SCOPES) - 1:
        raise Refused("a branch page cannot be demoted further")
    return SCOPES[at + 1]


def reaches(scope: str, page_project: str, page_branch: str, project: str, branch: str = "") -> bool:
    """Whether a page of that scope concerns someone who works on ``branch`` of ``project``."""
    if scope == GLOBAL:
        return True
    if not project or page_project != project:
        return False
    return scope == PROJECT or (bool(branch) and page_branch == branch)
