"""The rules in force: the built-in ones, with the user's on top."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memex_core.files import atomic
from memex_core.recall.gate import chinese, english, korean
from memex_core.recall.gate.intents import Rule
from memex_core.recall.gate.lexicon import Lexicon
from memex_core.recall.gate.thresholds import DEFAULTS

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.recall.gate.overlay import Overlay, Pattern, Problem

BUILT_IN: tuple[Rule, ...] = (*english.RULES, *chinese.RULES, *korean.RULES)

_WORDS = {"en": english.WORDS, "zh": chinese.WORDS, "ko": korean.WORDS}
WORD_RULES: dict[str, str] = {
    f"{kind}.{language}.words": words
    for language, lists in _WORDS.items()
    for kind, words in lists.items()
    if kind != "filler"
}
"""Ids of the built-in word lists, each with its words."""

KNOWN = frozenset([*(rule.id for rule in BUILT_IN), *WORD_RULES])
"""Ids of everything built in that can be switched off."""


class Rules:
    """What :func:`decide` goes by. ``problems`` tell why the user's file is not applied (then only built-in
    rules are in force), ``warnings`` what is odd in it; ``revision`` names the file's state ("" for no file).
    """

    def __init__(self, layout: Layout | None = None) -> None:
        self.layout = layout
        self.built_in: list[Rule] = list(BUILT_IN)
        self.patterns: list[Pattern] = []
        self.disabled: list[str] = []
        self.quarantined: list[str] = []
        self.thresholds: dict[str, float] = dict(DEFAULTS)
        self.overridden: frozenset[str] = frozenset()
        self.lexicon = Lexicon()
        self.problems: tuple[Problem, ...] = ()
        self.warnings: tuple[Problem, ...] = ()
        self.revision = ""
        self._fill_lexicon(frozenset())

    @property
    def changed(self) -> bool:
        """Whether the user's rules are in force and say anything."""
        return bool(self.patterns or self.disabled or self.overridden or self.quarantined or self._own_words)

    def apply(self, overlay: Overlay) -> None:
        """Put the user's rules on top; a file with errors changes nothing."""
        self.problems, self.warnings = tuple(overlay.problems), tuple(overlay.warnings)
        if self.problems:
            return
        off = frozenset(overlay.disable)
        self.disabled = [
            id for id in overlay.disable if id in KNOWN or id in {p.id for p in overlay.patterns}
        ]
        self.built_in = [rule for rule in BUILT_IN if rule.id not in off]
        self.patterns = [pattern for pattern in overlay.patterns if pattern.id not in off]
        self.thresholds.update(overlay.thresholds)
        self.overridden = frozenset(overlay.thresholds)
        self._fill_lexicon(off)
        self._own_words = bool(overlay.words or overlay.words_disabled)
        for kind, words in overlay.words_disabled.items():
            self.lexicon.drop(kind, words)
        for kind, words in overlay.words.items():
            self.lexicon.add(kind, f"{kind}.user.words", words)
        self._set_aside()

    def _fill_lexicon(self, off: frozenset[str]) -> None:
        self._own_words = False
        self.lexicon = Lexicon()
        for language, lists in _WORDS.items():
            for kind, words in lists.items():
                id = f"{kind}.{language}.words"
                if id not in off:
                    self.lexicon.add(kind, id, words.split())

    def _set_aside(self) -> None:
        if not self.patterns or self.layout is None:
            return
        from memex_core.recall.gate import quarantine

        held = {row["hash"] for row in quarantine.read(self.layout)}
        self.quarantined = [pattern.id for pattern in self.patterns if pattern.hash in held]
        self.patterns = [pattern for pattern in self.patterns if pattern.hash not in held]


def file_of(layout: Layout) -> str:
    """Where the user's rules of the gate stand, there or not."""
    return os.path.join(layout.rules, "gate.toml")


def read_file(layout: Layout) -> bytes | None:
    """The file's bytes; None when there is none. Raises OSError."""
    try:
        return atomic.read_file(file_of(layout))
    except (FileNotFoundError, NotADirectoryError):
        return None


def revision_of(data: bytes | None) -> str:
    """The name of a state of the file: changes are made to the state that was seen, or not at all."""
    return "" if data is None else atomic.digest(data)[:8]


def load(layout: Layout | None) -> Rules:
    """The rules of a store. Never raises: with a damaged file the built-in rules are in force."""
    rules = Rules(layout)
    if layout is None:
        return rules
    try:
        data = read_file(layout)
    except OSError as error:
        from memex_core.recall.gate.overlay import Problem

        why = (error.strerror or "unknown error").lower()
        rules.problems = (Problem("error", file_of(layout), 0, f"cannot be read ({why})"),)
        return rules
    if data is None:
        return rules
    from memex_core.recall.gate.overlay import read  # only who has own rules pays for it

    rules.revision = revision_of(data)
    rules.apply(read(data, file_of(layout), KNOWN, tried=False))
    return rules
