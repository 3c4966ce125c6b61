"""``rules/gate.toml``: the user's own rules of the gate, read and checked.

```toml
[rules]
disable = ["memory.en.again"]      # ids of built-in or own rules

[thresholds]
ack_max_tokens = 4

[words]                            # a prompt of such words alone is skipped
ack = ["roger"]

[words.disable]
ack = ["right"]

[[pattern]]
intent = "memory"
source = 'runbook'                 # a regular expression of Python
flags = "i"                        # i: capitals do not matter; s: a dot is a line end too
note = "where we keep what to do"
```
"""

# No `from __future__ import annotations` here: with it each NamedTuple's first field costs a process 1 ms.

import re
import warnings
from collections.abc import Mapping
from re import _parser  # type: ignore[attr-defined]  # the only way to check without compiling
from typing import Any, NamedTuple

from memex_core.files.atomic import digest
from memex_core.files.config import parse
from memex_core.model.errors import Damaged
from memex_core.recall.gate import thresholds
from memex_core.recall.gate.intents import INTENTS, LEXICONS
from memex_core.recall.gate.quarantine import hash_of

LONGEST = 200  # characters of a pattern
MOST = 64  # patterns
FLAGS: Mapping[str, int] = {"i": re.IGNORECASE, "s": re.DOTALL}
_TABLES = ("rules", "thresholds", "words", "pattern")
_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*pattern[ \t]*\]\]", re.MULTILINE)


class Pattern(NamedTuple):
    """An own rule. ``id`` follows from what it says, ``hash`` from its expression."""

    id: str
    intent: str
    source: str
    flags: str
    note: str
    hash: str

    @property
    def re_flags(self) -> int:
        return flags_of(self.flags)


class Problem(NamedTuple):
    """What is wrong (an ``error`` makes the file inapplicable) and where; line 0: the file as a whole."""

    severity: str
    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}{f', line {self.line}' if self.line else ''}: {self.message}"


class Overlay:
    """What the file says. Only to be applied where ``problems`` is empty."""

    __slots__ = ("disable", "patterns", "problems", "thresholds", "warnings", "words", "words_disabled")

    def __init__(self) -> None:
        self.disable: list[str] = []
        self.patterns: list[Pattern] = []
        self.thresholds: dict[str, float] = {}
        self.words: dict[str, list[str]] = {}
        self.words_disabled: dict[str, list[str]] = {}
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []


def read(data: bytes, file: str, known: frozenset[str] = frozenset(), *, tried: bool = True) -> Overlay:
    """The rules in the bytes of ``file``; ``known`` are the ids of built-in rules, ``tried`` as for
    :func:`why_refused`. Never raises."""
    return _Reader(data, file, known, tried).overlay


def pattern_of(intent: str, source: str, flags: str = "", note: str = "") -> Pattern:
    """An own rule with its id."""
    flags = "".join(sorted(set(flags)))
    id = f"user.{intent}.{digest(f'{intent}{chr(0)}{source}{chr(0)}{flags}'.encode())[:8]}"
    return Pattern(id, intent, source, flags, note, hash_of(source, flags))


def why_refused(pattern: Pattern, *, tried: bool = True) -> str:
    """What is wrong with an own rule; empty: nothing.

    Without ``tried`` the expression is only parsed: compiling a hostile one takes seconds, and every prompt
    reads the file. An expression that only compiling refuses fits nothing then.
    """
    if pattern.intent not in INTENTS:
        return f"intent {pattern.intent!r} is none of {', '.join(INTENTS)}"
    return why_no_expression(pattern.source, pattern.flags, tried=tried)


def why_no_expression(source: str, flags: str, *, tried: bool = True) -> str:
    """What is wrong with an expression; empty: nothing. ``tried`` as for :func:`why_refused`."""
    if not source.strip():
        return "the pattern is empty"
    if len(source) > LONGEST:
        return f"the pattern has {len(source)} characters, {LONGEST} are allowed"
    if not set(flags) <= set(FLAGS):
        return f"flags {flags!r}: only {' and '.join(FLAGS)} are allowed"
    number = flags_of(flags)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _parser.parse(source, number)
            always = tried and re.compile(source, number).match("") is not None
    except (re.error, OverflowError, RecursionError) as error:
        return f"the pattern is no regular expression: {error}"
    return "the pattern fits an empty text, so it fits everything" if always else ""


def flags_of(flags: str) -> int:
    """Letters as flags of :mod:`re`."""
    return sum(FLAGS[flag] for flag in flags)


class _Reader:
    """Reads one file; finds lines again by their text, which TOML's parser does not tell."""

    def __init__(self, data: bytes, file: str, known: frozenset[str], tried: bool) -> None:
        self._tried = tried
        self.overlay = Overlay()
        self._file = file
        self._text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        try:
            tables = parse(data, file)
        except Damaged as error:
            self._damaged(error.message)
            return
        except RecursionError:
            self._error(0, "nested too deeply")
            return
        for name in tables:
            if name not in _TABLES:
                self._warn(self._line(name), f"{name!r} is nothing that the gate knows")
        self._patterns(tables.get("pattern", []))
        self._disable(tables.get("rules", {}), known)
        self._thresholds(tables.get("thresholds", {}))
        self._words(tables.get("words", {}))

    def _damaged(self, message: str) -> None:
        """``file, line N: why``, taken apart again."""
        told = re.fullmatch(r"(?s).*, line (\d+): (.*)", message)
        if told:
            self._error(int(told[1]), told[2])
        else:
            self._error(0, message)

    def _patterns(self, rows: Any) -> None:
        if not isinstance(rows, list):
            self._error(self._line("pattern"), "write [[pattern]] with two brackets")
            return
        lines = [self._text.count("\n", 0, found.start()) + 1 for found in _HEADER.finditer(self._text)]
        if len(rows) > MOST:
            self._error(0, f"{len(rows)} patterns, {MOST} are allowed")
            return
        seen: set[str] = set()
        for at, row in enumerate(rows):
            line = lines[at] if len(lines) == len(rows) else 0
            if not isinstance(row, dict):
                self._error(line, "a pattern must be a table")
                continue
            for key in row:
                if key not in ("intent", "source", "flags", "note"):
                    self._warn(self._line(key, line), f"{key!r} is nothing that a pattern has")
            texts = [row.get(key, "") for key in ("intent", "source", "flags", "note")]
            if not all(isinstance(text, str) for text in texts):
                self._error(line, "intent, source, flags and note of a pattern must be texts")
                continue
            pattern = pattern_of(*texts)
            why = why_refused(pattern, tried=self._tried)
            if why:
                key = (
                    "intent" if why.startswith("intent") else "flags" if why.startswith("flags") else "source"
                )
                self._error(self._line(key, line) or line, why)
            elif pattern.id in seen:
                self._warn(line, f"the same pattern as above ({pattern.id})")
            else:
                seen.add(pattern.id)
                self.overlay.patterns.append(pattern)

    def _disable(self, table: Any, known: frozenset[str]) -> None:
        line = self._line("disable")
        table = self._table("rules", table, ("disable",))
        ids = self._texts(line, "disable", table.get("disable", []))
        own = {pattern.id for pattern in self.overlay.patterns}
        for id in ids:
            if known and id not in known and id not in own:
                self._warn(self._line_with(id) or line, f"there is no rule {id!r} to switch off")
        self.overlay.disable = ids

    def _thresholds(self, table: Any) -> None:
        for key, value in self._table("thresholds", table, tuple(thresholds.DEFAULTS)).items():
            why = thresholds.why_wrong(key, value)
            if why:
                self._error(self._line(key), why)
            else:
                self.overlay.thresholds[key] = value

    def _words(self, table: Any) -> None:
        table = self._table("words", table, (*LEXICONS, "disable"))
        off = self._table("words.disable", table.get("disable", {}), LEXICONS)
        for held, rows in ((self.overlay.words, table), (self.overlay.words_disabled, off)):
            for key in LEXICONS:
                if key in rows:
                    held[key] = self._texts(self._line(key), key, rows[key])

    def _table(self, name: str, table: Any, keys: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(table, dict):
            self._error(self._line(name), f"{name} must be a table")
            return {}
        for key in table:
            if key not in keys:
                self._warn(self._line(key), f"[{name}] {key} is nothing that the gate knows")
        return {key: value for key, value in table.items() if key in keys}

    def _texts(self, line: int, name: str, value: Any) -> list[str]:
        if isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value):
            return value
        self._error(line, f"{name} must be a list of texts")
        return []

    def _line(self, key: str, after: int = 0) -> int:
        """The line where a key or table of that name stands, at or after a line; 0: nowhere."""
        name = re.escape(key)
        wanted = re.compile(rf"[ \t]*(?:\[+[ \t]*)?[\"']?{name}[\"']?[ \t]*(?:=|\]|\.)")
        for number, line in enumerate(self._text.split("\n"), 1):
            if number >= after and wanted.match(line):
                return number
        return 0

    def _line_with(self, text: str) -> int:
        at = self._text.find(text)
        return self._text.count("\n", 0, at) + 1 if at >= 0 else 0

    def _error(self, line: int, message: str) -> None:
        self.overlay.problems.append(Problem("error", self._file, line, message))

    def _warn(self, line: int, message: str) -> None:
        self.overlay.warnings.append(Problem("warning", self._file, line, message))
