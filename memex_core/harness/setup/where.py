"""Whose settings are meant: a home's, or those of one project."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple


class Where(NamedTuple):
    """``environ`` is empty when a home was named: then every path is derived from that. ``project`` is ""
    unless the settings of a project are meant, or an agent has no others."""

    home: str
    environ: Mapping[str, str]
    project: str = ""

    def folder(self, name: str, variable: str = "", *, own: str = "") -> str:
        """An agent's folder: ``name`` in the project or the home, or what an environment variable says
        (with ``own`` in it, if the variable names a home)."""
        if self.project:
            return os.path.join(self.project, name)
        said = self.environ.get(variable, "") if variable else ""
        if said:
            said = os.path.abspath(os.path.expanduser(said))
            return os.path.join(said, own) if own else said
        return os.path.join(self.home, name)

    def inside(self, folder: str) -> tuple[str, ...]:
        """Where the settings in ``folder`` may really lie: a link elsewhere is not followed."""
        if self.project:
            return (self.project,)
        elsewhere = os.path.relpath(folder, self.home).startswith(os.pardir)
        return (self.home, folder) if elsewhere else (self.home,)


def of(environ: Mapping[str, str], home: str | None = None, project: str | None = None) -> Where:
    """The places that were asked for. ``home`` None: the person's, with what the environment says of it."""
    if home is not None:
        return Where(os.path.abspath(os.path.expanduser(home)), {}, _absolute(project))
    own = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    return Where(os.path.abspath(own), environ, _absolute(project))


def _absolute(project: str | None) -> str:
    return os.path.abspath(os.path.expanduser(project)) if project else ""
