"""Which names are pages: the rules that the scan and the watcher share.

A page is a regular ``.md`` file. Dot names, editors' temporary and backup files, generated
``index.md`` and ``log.md`` of a store, and what ``.memexignore`` names are not. ``.memexignore``
has the syntax and meaning of ``.gitignore``: comments, ``!`` negation, anchors, ``**``, folder
patterns, one file per folder, the nearest file and the last matching line win, and what lies in
an ignored folder cannot be taken back.
"""

# No `from __future__ import annotations` here: with it each NamedTuple's first field costs a process 1 ms.

import os
import re
from functools import lru_cache
from typing import NamedTuple

from .opening import regular

IGNORE_NAME = ".memexignore"
GENERATED = frozenset({"index.md", "log.md"})
"""Names that a store generates at any depth (compared in lower case)."""

_BACKUP_ENDINGS = ("~", ".tmp", ".temp", ".swp", ".swo", ".swx", ".bak", ".orig", ".part", ".crdownload")


class Rule(NamedTuple):
    """One line of an ignore file, as a pattern over paths relative to that file's folder."""

    matches: re.Pattern[str]
    negated: bool
    only_folders: bool


class Rules(NamedTuple):
    """The lines of one ignore file; ``prefix`` is its folder with a trailing slash, or empty."""

    prefix: str
    rules: tuple[Rule, ...]


def is_page_name(name: str, *, folder: bool) -> bool:
    """Whether a file of that name (no folders) is a page, going by the name alone.

    ``folder``: the root is opened as it is, so that no name is reserved.
    """
    return (
        name[-3:].lower() == ".md"
        and name[0] != "."
        and (folder or name.lower() not in GENERATED)
        and is_text(name)
    )


def is_canvas(path: str) -> bool:
    """Whether a file of the page folder is one of Obsidian's canvases, which name pages by their paths."""
    return path.lower().endswith(".canvas") and is_asset_name(path[path.rfind("/") + 1 :])


def is_asset_name(name: str) -> bool:
    """Whether a file of that name that is no page may be a link's target (picture, PDF …)."""
    if name[0] in ".#" and (name[0] == "." or name[-1] == "#"):
        return False
    return name != "4913" and not name.endswith(_BACKUP_ENDINGS) and is_text(name)


def is_text(name: str) -> bool:
    """Whether the system's bytes of the name are Unicode; others cannot be stored or shown."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_rules(directory: str, prefix: str) -> Rules | None:
    """The rules of ``directory``'s ignore file; None without one (or when it cannot be read)."""
    path = os.path.join(directory, IGNORE_NAME)
    if not os.access(path, os.F_OK):
        return None  # the usual case, without the price of an exception
    try:
        with open(path, "rb", opener=regular) as file:
            text = file.read().decode("utf-8-sig", "replace")
    except OSError:
        return None
    rules = parse_rules(text)
    return Rules(prefix, rules) if rules else None


@lru_cache(maxsize=64)
def parse_rules(text: str) -> tuple[Rule, ...]:
    """The rules of an ignore file, in order; a line that is no valid pattern matches nothing."""
    found = (_rule(line) for line in text.replace("\r\n", "\n").split("\n"))
    return tuple(rule for rule in found if rule is not None)


def ignored(chain: list[Rules], path: str, *, is_folder: bool) -> bool:
    """Whether the ignore files of ``chain`` (outermost first) exclude ``path``.

    The answer is about ``path`` itself: the caller has asked for its folders before.
    """
    for prefix, rules in reversed(chain):
        rest = path[len(prefix) :]
        for rule in reversed(rules):
            if (is_folder or not rule.only_folders) and rule.matches.match(rest):
                return not rule.negated
    return False


def _rule(line: str) -> Rule | None:
    line = _without_trailing_blanks(line)
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    if negated:
        line = line[1:]
    only_folders = line.endswith("/")
    line = line.removesuffix("/")
    if not line:
        return None
    anchored = "/" in line
    line = line.removeprefix("/")
    try:
        pattern = re.compile(("" if anchored else "(?:.*/)?") + _pattern(line) + r"\Z", re.DOTALL)
    except re.error:
        return None
    return Rule(pattern, negated, only_folders)


def _without_trailing_blanks(line: str) -> str:
    end = len(line)
    while end and line[end - 1] in " \t\r":
        if end > 1 and line[end - 2] == "\\":
            break
        end -= 1
    return line[:end]


def _pattern(glob: str) -> str:
    """The regular expression of a glob whose ``*`` and ``?`` stay within one name."""
    parts = glob.split("/")
    out: list[str] = []
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            if not last:
                out.append("(?:[^/]+/)*")
            else:
                out.append(".+")
            continue
        out.append(_name_pattern(part))
        if not last:
            out.append("/")
    return "".join(out)


def _name_pattern(glob: str) -> str:
    """One name's part of a pattern, in time linear in the name: between two stars the first fit
    is as good as any, so that it need never be tried again (``a*a*a*a*b`` on a long name)."""
    runs, at = [""], 0
    while at < len(glob):
        char = glob[at]
        at += 1
        if char == "*":
            runs.append("")
        elif char == "?":
            runs[-1] += "[^/]"
        elif char == "[":
            text, at = _class(glob, at)
            runs[-1] += text
        elif char == "\\":
            if at == len(glob):
                raise re.error("a pattern cannot end in a backslash")
            runs[-1] += re.escape(glob[at])
            at += 1
        else:
            runs[-1] += re.escape(char)
    if len(runs) == 1:
        return runs[0]
    first, *middle, last = runs
    return first + "".join(f"(?>[^/]*?{run})" for run in middle if run) + "[^/]*" + last


def _class(glob: str, at: int) -> tuple[str, int]:
    """A bracket expression that starts before ``at``; never matches a slash."""
    start = at
    if glob[at : at + 1] in ("!", "^"):
        at += 1
    found = re.compile(r"(\]?(?:\[:[a-z]+:\]|[^\]])*)\]").match(glob, at)
    if found is None:
        raise re.error("a bracket that is never closed")
    body = found.group(1)
    for name, chars in (("[:alpha:]", "a-zA-Z"), ("[:digit:]", "0-9"), ("[:alnum:]", "a-zA-Z0-9")):
        body = body.replace(name, chars)
    body = "".join(map(_span, re.findall(r".-.|.", body, re.DOTALL)))
    return f"(?!/)[{'^' if at > start else ''}{body}]", found.end()


def _span(part: str) -> str:
    """``a-z`` or one character, for a bracket expression; of a span that runs backwards its start."""
    first, last = re.escape(part[0]), re.escape(part[-1])
    return f"{first}-{last}" if part[0] < part[-1] else first
