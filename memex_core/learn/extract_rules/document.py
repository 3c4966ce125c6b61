"""``rules/extract.toml``: the user's own rules of extraction, read and checked.

```toml
[[never]]                  # what fits this is never stored by a machine
pattern = 'ACME-\\d{4}'     # a regular expression of Python
flags = "i"                # i: capitals do not matter; s: a dot is a line end too
scope = "both"             # text: what would be stored; evidence: what it is drawn from; both
note = "customer numbers"
project = "shop"           # only there; without it everywhere

[[avoid]]                  # a model is told to remember nothing of it
topic = "salaries"

[[hint]]                   # a model is told that such words make a decision
text = "from now on"

[[language]]               # a model is told to write in it
code = "ko"
project = "shop"
```

Each entry may be for one ``project``: there it is added to what holds everywhere, so that a project is only
ever stricter. What is not understood is an error: a misspelt ban must not be no ban.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from memex_core.files.atomic import digest
from memex_core.files.config import parse
from memex_core.model.errors import Damaged
from memex_core.recall.gate.changing import Document
from memex_core.recall.gate.overlay import Problem, flags_of, why_no_expression
from memex_core.recall.gate.quarantine import hash_of

LARGEST = 32_768  # bytes of the file
MOST = {"never": 32, "avoid": 24, "hint": 16, "language": 33}
SCOPES = ("text", "evidence", "both")
KEYS = {
    "never": ("pattern", "flags", "scope", "note", "project"),
    "avoid": ("topic", "project"),
    "hint": ("text", "project"),
    "language": ("code", "project"),
}
"""Kind of an entry -> its keys; the first one says what it is about."""

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
HEADER = re.compile(
    r"^[ \t]*\[\[[ \t]*(never|avoid|hint|language)[ \t]*\]\][ \t]*(?:#[^\n]*)?$", re.MULTILINE
)


class Entry(NamedTuple):
    """One rule. ``kind`` is never, avoid, hint or language; ``said`` the pattern, topic, words or code.

    ``id`` follows from what it says; ``flags``, ``scope``, ``note`` and ``hash`` are a ban's.
    """

    id: str
    kind: str
    said: str
    project: str = ""
    flags: str = ""
    scope: str = "both"
    note: str = ""

    @property
    def re_flags(self) -> int:
        return flags_of(self.flags)

    @property
    def hash(self) -> str:
        return hash_of(self.said, self.flags)

    def keys(self) -> dict[str, str]:
        """The entry as the file has it."""
        rows = {KEYS[self.kind][0]: self.said}
        if self.kind == "never":
            rows |= {"flags": self.flags, "scope": "" if self.scope == "both" else self.scope}
            rows |= {"note": self.note}
        rows["project"] = self.project
        return {key: text for key, text in rows.items() if text}


def entry_of(
    kind: str, said: str, *, project: str = "", flags: str = "", scope: str = "both", note: str = ""
) -> Entry:
    """A rule with its id."""
    flags = "".join(sorted(set(flags)))
    whole = "\0".join((kind, said, project, flags, scope if kind == "never" else ""))
    return Entry(f"{kind}.{digest(whole.encode())[:8]}", kind, said, project, flags, scope, note)


def why_refused(entry: Entry, *, tried: bool = True) -> str:
    """What is wrong with an entry; empty: nothing. Without ``tried`` a pattern is parsed, not compiled."""
    if entry.kind == "never":
        if entry.scope not in SCOPES:
            return f"scope {entry.scope!r} is none of {', '.join(SCOPES)}"
        if len(entry.note) > 200:
            return "the note has more than 200 characters"
        return why_no_expression(entry.said, entry.flags, tried=tried)
    name = KEYS[entry.kind][0]
    if entry.kind == "language":
        return (
            "" if _LANGUAGE.fullmatch(entry.said) else f"{entry.said!r} is no language code such as en or ko"
        )
    if not 2 <= len(entry.said.strip()) <= 80 or "\n" in entry.said or not entry.said.isprintable():
        return f"the {name} must be one line of 2 to 80 characters"
    return ""


def read(data: bytes, file: str, *, tried: bool = True) -> tuple[list[Entry], list[Problem]]:
    """The entries in the bytes of ``file``, and what is wrong with them. Never raises."""
    reader = _Reader(data, file, tried)
    return reader.entries, reader.problems


DOCUMENT = Document(
    "extract", "the rules of extraction", "memex rules", lambda data, file: read(data, file)[1]
)


class _Reader:
    def __init__(self, data: bytes, file: str, tried: bool) -> None:
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []
        self._file = file
        self._tried = tried
        text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        if len(data) > LARGEST:
            self._error(0, f"{len(data):,} bytes, {LARGEST:,} are allowed")
            return
        try:
            tables = parse(data, file)
        except Damaged as error:
            told = re.fullmatch(r"(?s).*, line (\d+): (.*)", error.message)
            self._error(int(told[1]) if told else 0, told[2] if told else error.message)
            return
        except RecursionError:
            self._error(0, "nested too deeply")
            return
        lines: dict[str, list[int]] = {kind: [] for kind in KEYS}
        for found in HEADER.finditer(text):
            lines[found[1]].append(text.count("\n", 0, found.start()) + 1)
        for name, rows in tables.items():
            if name not in KEYS:
                self._error(_line_of(text, name), f"{name!r} is no kind of rule: {', '.join(KEYS)}")
            elif not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                self._error(_line_of(text, name), f"write [[{name}]] with two brackets")
            else:
                at = lines[name] if len(lines[name]) == len(rows) else [0] * len(rows)
                self._rows(name, rows, at)

    def _rows(self, kind: str, rows: list[dict[str, Any]], lines: list[int]) -> None:
        if len(rows) > MOST[kind]:
            self._error(0, f"{len(rows)} entries [[{kind}]], {MOST[kind]} are allowed")
        known = {entry.id for entry in self.entries}
        for line, row in zip(lines, rows, strict=True):
            strange = [key for key in row if key not in KEYS[kind]]
            if strange or not all(isinstance(value, str) for value in row.values()):
                what = f"{strange[0]!r} is nothing that it has" if strange else "its values must be texts"
                self._error(line, f"[[{kind}]]: {what}")
                continue
            more = {key: value for key, value in row.items() if key in ("flags", "scope", "note")}
            entry = entry_of(kind, row.get(KEYS[kind][0], ""), project=row.get("project", ""), **more)
            why = why_refused(entry, tried=self._tried)
            if not why and kind == "language" and entry.project in {e.project for e in self._of(kind)}:
                why = "a second language for the same place"
            if why:
                self._error(line, why)
            elif entry.id not in known:
                known.add(entry.id)
                self.entries.append(entry)

    def _of(self, kind: str) -> list[Entry]:
        return [entry for entry in self.entries if entry.kind == kind]

    def _error(self, line: int, message: str) -> None:
        self.problems.append(Problem("error", self._file, line, message))


def _line_of(text: str, name: str) -> int:
    found = re.search(rf"^[ \t]*\[*[ \t]*[\"']?{re.escape(name)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0
