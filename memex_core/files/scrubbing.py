"""The scrubber that every write passes: secrets leave the text before it reaches the disk.

What a person already keeps in a file is theirs: a secret that the page held before the write stays,
byte for byte. ``[capture] scrub = "off"`` lets everything through, and says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memex_core.files.config import SCRUB_OFF
from memex_core.model.secrets.scrub import PASSES, Secret, find_secrets, scrub

if TYPE_CHECKING:
    from memex_core.files.config import Config
    from memex_core.files.layout import Layout

_NO_TEXT = frozenset(("role", "ts", "trust", "turn"))  # of a turn: memex's own words and numbers


class Scrubber:
    """Scrubs what one act writes, and counts it: ``counts`` maps a kind to how many were replaced.

    ``allow`` lists texts that are no secrets, with ``*`` for any characters.
    """

    __slots__ = ("_allow", "_clean", "counts", "on")

    def __init__(self, *, on: bool = True, allow: Iterable[str] = ()) -> None:
        self.on = on
        self._allow = tuple(allow)
        self._clean = b""  # the file looked through last
        self.counts: dict[str, int] = {}

    @classmethod
    def of(cls, config: Config) -> Scrubber:
        """As the settings of a store say."""
        return cls(on=config.capture.scrub != "off", allow=config.capture.scrub_allow)

    @classmethod
    def load(cls, layout: Layout) -> Scrubber:
        """As the store's ``memex.toml`` says."""
        from memex_core.files.config import load

        return cls.of(load(layout, os.environ))

    def text(self, text: str, keep: frozenset[str] = frozenset()) -> str:
        """``text`` without secrets, except those in ``keep``."""
        if not self.on or not find_secrets(text):
            return text

        def kept(secret: str) -> bool:
            return secret in keep or self._allowed(secret)

        done = scrub(text, kept if keep or self._allow else None)
        for kind, number in done.counts.items():
            self.counts[kind] = self.counts.get(kind, 0) + number
        return done.text

    def blanked(self, text: str) -> str:
        """``text`` with spaces for every secret, as long as before: no piece of it holds a part of one."""
        for _ in range(PASSES):
            parts, at = [], 0
            for one in self._found(text):
                parts += [text[at : one.start], " " * (one.end - one.start)]
                at = one.end
            if not parts:
                break
            text = "".join([*parts, text[at:]])
        return text

    def _found(self, text: str) -> list[Secret]:
        secrets = find_secrets(text) if self.on else []
        return [one for one in secrets if not self._allowed(text[one.start : one.end])]

    def value(self, value: Any) -> Any:
        """The same value with every text in it scrubbed: lists, tuples and maps too, with their keys."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.value(key): self.value(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        return value

    def turn(self, turn: Mapping[str, Any]) -> dict[str, Any]:
        """A turn of a conversation, as :mod:`memex_core.files.turns` stores it."""
        return {key: item if key in _NO_TEXT else self.value(item) for key, item in turn.items()}

    def file(self, data: bytes, *before: bytes) -> bytes:
        """A page's bytes. Secrets that one of the files ``before`` holds are left where they are."""
        if not self.on or data is self._clean or data in before:
            return data
        text = data.decode("utf-8", "surrogateescape")
        if not find_secrets(text):
            self._clean = data  # an act asks for the same bytes again when it commits them
            return data
        keep = frozenset(secret for old in before for secret in _secrets(old))
        text = self._front(data, keep).decode("utf-8", "surrogateescape")
        return self.text(text, keep).encode("utf-8", "surrogateescape")

    def _front(self, data: bytes, keep: frozenset[str]) -> bytes:
        """Front matter value by value: ``[REDACTED:kind]`` without quotes would be a YAML list."""
        from memex_core.files import frontmatter, surgeon
        from memex_core.model.errors import MemexError

        front = frontmatter.read(data)
        if front.kind != "yaml":
            return data
        plain = Scrubber(allow=(*self._allow, *map(_literally, keep)))
        changes = {key: plain.value(value) for key, value in front.fields.items()}
        changes = {key: value for key, value in changes.items() if value != front.fields[key]}
        try:
            done = surgeon.set_keys(data, changes) if changes else data
        except MemexError:
            return data  # not to be edited key by key: its text is scrubbed as it stands
        for kind, number in plain.counts.items():
            self.counts[kind] = self.counts.get(kind, 0) + number
        return done

    def holds(self, text: str) -> bool:
        """Whether ``text`` would be changed: for names, which are refused rather than rewritten."""
        return bool(self._found(text))

    def _allowed(self, secret: str) -> bool:
        if not self._allow:
            return False
        from fnmatch import fnmatchcase

        return any(fnmatchcase(secret, pattern) for pattern in self._allow)

    def notes(self) -> list[str]:
        """What to tell whoever wrote: how many secrets were taken out, or that none ever are."""
        if not self.on:
            return [SCRUB_OFF]
        if not self.counts:
            return []
        number = sum(self.counts.values())
        kinds = ", ".join(sorted(self.counts))
        return [f"{number} secret{'' if number == 1 else 's'} left out ({kinds})"]


def _secrets(data: bytes) -> Iterable[str]:
    text = data.decode("utf-8", "surrogateescape")
    return (text[one.start : one.end] for one in find_secrets(text))


def _literally(text: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)
