"""``[[file:name]]``: one item named in the text of another."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINK = re.compile(r"\[\[([^\[\]:\n]*):([^\[\]:\n]*)\]\]")


@dataclass(frozen=True)
class WikiLink:
    """The item ``name`` of the file ``file``."""

    file: str
    name: str

    def render(self) -> str:
        return f"[[{self.file}:{self.name}]]"


def parse_wiki_links(text: str) -> list[WikiLink]:
    """The links of ``text`` in the order they stand there; what is malformed is no link."""
    found = ((match[1].strip(), match[2].strip()) for match in _LINK.finditer(text))
    return [WikiLink(file, name) for file, name in found if file and name]
