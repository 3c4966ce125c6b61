"""What other devices call a project: paths and front matter under this store's names, and back."""

from __future__ import annotations

from collections.abc import Mapping

from memex_core.files import frontmatter, surgeon
from memex_core.model.errors import Refused

_FOLDER = "projects/"


class Naming:
    """Renames projects; ``names`` maps what comes in to what goes out."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = dict(names)

    @classmethod
    def inward(cls, aliases: Mapping[str, str]) -> Naming:
        return cls(aliases)

    @classmethod
    def outward(cls, aliases: Mapping[str, str]) -> Naming:
        return cls({here: there for there, here in aliases.items()})

    def path(self, path: str) -> str:
        if not self.names or not path.startswith(_FOLDER):
            return path
        project, slash, rest = path[len(_FOLDER) :].partition("/")
        return f"{_FOLDER}{self.names.get(project, project)}{slash}{rest}"

    def project(self, project: str) -> str:
        return self.names.get(project, project)

    def data(self, data: bytes) -> bytes:
        """A page's file with its ``project`` renamed, all else as it is."""
        if not self.names or b"project" not in data:
            return data
        project = frontmatter.read(data).fields.get("project")
        if not isinstance(project, str) or project not in self.names:
            return data
        try:
            return surgeon.set_keys(data, {"project": self.names[project]})
        except Refused:
            return data
