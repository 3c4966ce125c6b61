"""The rules of extraction in force, and which of them hold for a project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memex_core.files.atomic import digest
from memex_core.learn.extract_rules.document import DOCUMENT, Entry, read
from memex_core.model.identity import same_project
from memex_core.recall.gate.overlay import Problem
from memex_core.recall.gate.rules import revision_of

if TYPE_CHECKING:
    from memex_core.files.layout import Layout


class Rules:
    """What :func:`check` goes by. ``problems`` tell why the file does not load: then nothing is stored.

    ``revision`` names the state of the file ("" for no file); ``version`` what the rules say
    (``rules:1a2b3c4d``), which comments and order do not move.
    """

    def __init__(self, layout: Layout | None = None) -> None:
        self.layout = layout
        self.entries: tuple[Entry, ...] = ()
        self.problems: tuple[Problem, ...] = ()
        self.revision = ""

    @property
    def silent(self) -> bool:
        """Whether nothing is ever held back."""
        return not self.problems and not any(entry.kind == "never" for entry in self.entries)

    @property
    def version(self) -> str:
        said = sorted(repr((*entry.keys().items(),)) for entry in self.entries)
        return f"rules:{digest(''.join(said).encode())[:8]}" if said else ""

    def of(self, kind: str, project: str = "") -> tuple[Entry, ...]:
        """The entries of a kind that hold in a project: those for everywhere, and its own."""
        return tuple(
            entry
            for entry in self.entries
            if entry.kind == kind and (not entry.project or same_project(entry.project, project))
        )

    def language(self, project: str = "") -> str:
        """The code of the language to write in; empty: the user's own. A project's own one goes first."""
        found = sorted(self.of("language", project), key=lambda entry: not entry.project)
        return found[0].said if found else ""


def load(layout: Layout | None) -> Rules:
    """The rules of a store. Never raises: what keeps the file from loading is in ``problems``."""
    rules = Rules(layout)
    if layout is None:
        return rules
    file = DOCUMENT.file(layout)
    try:
        data = DOCUMENT.read(layout)
        missing = data is None and os.path.lexists(file)
        why = "the link leads nowhere" if missing else ""
    except OSError as error:
        data, why = None, f"cannot be read ({(error.strerror or 'unknown error').lower()})"
    if why:
        rules.problems = (Problem("error", file, 0, why),)
    if data is not None:
        entries, problems = read(data, file, tried=False)
        rules.entries, rules.problems = tuple(entries), tuple(problems)
        rules.revision = revision_of(data)
    return rules
