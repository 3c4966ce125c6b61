"""A settings file that is JSON: hooks and MCP servers, put and taken by features of it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from memex_core.harness.setup.entry import Edited, Seen, text_of, together
from memex_core.harness.setup.jsonc import JsonError, Node, is_blank, parse
from memex_core.model.errors import Damaged, Refused


class Feature(Protocol):
    """Entries of one kind in a JSON document. The shape of what they need is checked before."""

    def misplaced(self, root: Node) -> Node | None:
        """The value that stands where the entries have to go and cannot hold them."""

    def put(self, text: str) -> tuple[str, list[str]]:
        """The text with the entries, and notes. Raises Refused."""

    def take(self, text: str, before: str | None) -> tuple[str, list[str]]:
        """The text without them, and notes."""

    def look(self, root: Node) -> Seen:
        """What of them is there."""


class JsonSettings(NamedTuple):
    """See :class:`memex_core.harness.setup.entry.Settings`."""

    path: str
    features: tuple[Feature, ...]

    @property
    def nothing(self) -> bytes:
        return b"{}\n"

    def put(self, data: bytes | None) -> Edited:
        text, notes = text_of(self.path, data or b""), []
        if not is_blank(text):
            self._checked(text)
        for feature in self.features:
            text, more = feature.put(text)
            notes += more
        return Edited(text.encode("utf-8"), tuple(notes))

    def take(self, data: bytes, before: bytes | None) -> Edited:
        text = text_of(self.path, data)
        if is_blank(text):
            return Edited(data)
        self._checked(text)
        old = before.decode("utf-8", "replace") if before is not None else None
        notes: list[str] = []
        for feature in self.features:
            text, more = feature.take(text, old)
            notes += more
            if is_blank(text):
                break
        return Edited(None if before is None and not text else text.encode("utf-8"), tuple(notes))

    def look(self, data: bytes) -> Seen:
        text = text_of(self.path, data)
        if is_blank(text):
            return Seen()
        root = self._checked(text)
        return together([feature.look(root) for feature in self.features])

    def _checked(self, text: str) -> Node:
        """The document. Raises Damaged, or Refused where something else stands in an entry's place."""
        try:
            root = parse(text)
        except JsonError as error:
            line = text.count("\n", 0, error.at) + 1
            raise Damaged(
                f"{self.path} is not JSON: line {line}: {error.message}", hint="mend it; nothing was changed"
            ) from None
        wrong = root if root.kind != "object" else None
        for feature in self.features:
            wrong = wrong or feature.misplaced(root)
        if wrong is not None:
            line = text.count("\n", 0, wrong.start) + 1
            raise Refused(
                f"{self.path} has another value than its agent expects in line {line}",
                hint="mend it; nothing was changed",
            )
        return root
