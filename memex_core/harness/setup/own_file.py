"""A file that is memex's own from end to end: an extension in an agent's folder.

Its first line tells whose it is and carries a digest of the rest.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memex_core.files.atomic import digest
from memex_core.harness.setup.entry import Edited, Seen
from memex_core.model.errors import Refused

_FIRST = re.compile(rb"// memex ([0-9a-f]{8}): [^\n]*\n")


class OwnFile(NamedTuple):
    """See :class:`memex_core.harness.setup.entry.Settings`."""

    path: str
    text: str
    remove_with: str
    hooks: tuple[str, ...]
    program: str

    @property
    def nothing(self) -> bytes:
        return b""

    def put(self, data: bytes | None) -> Edited:
        if data is not None:
            if _FIRST.match(data) is None:
                raise Refused(f"{self.path} is not memex's", hint="move it away; nothing was changed")
            if not _untouched(data):
                return Edited(data, ("the extension is kept as you changed it",))
        rest = self.text.encode("utf-8")
        first = f"// memex {digest(rest)[:8]}: {self.remove_with}\n"
        return Edited(first.encode("utf-8") + rest)

    def take(self, data: bytes, before: bytes | None) -> Edited:
        if _FIRST.match(data) is None:
            return Edited(data)
        if not _untouched(data):
            return Edited(data, ("left, since you changed it: the extension",))
        return Edited(None)

    def look(self, data: bytes) -> Seen:
        if _FIRST.match(data) is None:
            return Seen()
        if not _untouched(data):
            return Seen(changed=("extension",))
        return Seen(("extension",), self.hooks, programs=(self.program,))


def _untouched(data: bytes) -> bool:
    found = _FIRST.match(data)
    return found is not None and found[1].decode() == digest(data[found.end() :])[:8]
