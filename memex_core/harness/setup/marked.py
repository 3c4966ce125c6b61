"""A section between two marks in somebody's Markdown: instructions that an agent reads.

The first mark carries a digest of the section, so that one that was edited since is told from one that
an older version wrote.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memex_core.files.atomic import digest
from memex_core.harness.setup import blocks
from memex_core.harness.setup.entry import Edited, Seen, text_of

_SECTION = re.compile(
    r"^<!-- memex ([0-9a-f]{8}): begin[^\n]*-->\r?\n(.*?)^<!-- memex: end -->[ \t]*(?:\r?\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


class Marked(NamedTuple):
    """See :class:`memex_core.harness.setup.entry.Settings`. ``section`` has no newline at its end."""

    path: str
    section: str
    remove_with: str

    @property
    def nothing(self) -> bytes:
        return b""

    def put(self, data: bytes | None) -> Edited:
        text = text_of(self.path, data or b"")
        found = _SECTION.search(text)
        if found is None:
            return Edited(blocks.append(text, self._block()).encode("utf-8"))
        if not _untouched(found):
            return Edited(data, ("the instructions are kept as you changed them",))
        made = self._block().replace("\n", blocks.newline(text))
        end = found.end() - len(re.search(r"\s*\Z", found[0])[0])  # type: ignore[index]
        return Edited(f"{text[: found.start()]}{made}{text[end:]}".encode())

    def take(self, data: bytes, before: bytes | None) -> Edited:
        text = text_of(self.path, data)
        found = _SECTION.search(text)
        if found is None:
            return Edited(data)
        if not _untouched(found):
            return Edited(data, ("left, since you changed it: the section between memex' marks",))
        text = blocks.cut(text, [found.span()])
        return Edited(None if before is None and not text else text.encode("utf-8"))

    def look(self, data: bytes) -> Seen:
        found = _SECTION.search(text_of(self.path, data))
        if found is None:
            return Seen()
        own = _untouched(found)
        return Seen(("instructions",) if own else (), changed=() if own else ("instructions",))

    def _block(self) -> str:
        name = _name(self.section + "\n")
        return f"<!-- memex {name}: begin; {self.remove_with} -->\n{self.section}\n<!-- memex: end -->"


def _name(section: str) -> str:
    return digest(section.encode("utf-8"))[:8]


def _untouched(found: re.Match[str]) -> bool:
    return found[1] == _name(found[2].replace("\r\n", "\n"))
