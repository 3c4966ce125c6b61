"""What the Health area shows, without a terminal: checks, findings, and the fixes for each."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from memex_core.index.links import LinkRow
from memex_core.memex import Memex
from memex_core.model.results import Check
from memex_tui.render.text import cut
from memex_tui.screens.graph.presenter import sentence
from memex_tui.screens.health.about import ABOUT
from memex_tui.screens.health.memory import Fact, Watch, facts, from_home, size_of

__all__ = ["Fact", "Watch", "facts", "from_home", "size_of"]

DID_YOU_MEAN = 3  # suggestions for a link to nothing
CONTEXT = 2  # lines shown before and after the one concerned
LONGEST = 120  # cells of a description that is proposed
UNFOLDED = 200  # findings of one check that are listed without asking


class Finding(NamedTuple):
    """One thing to look at. ``link`` is the link that it is about, if it is about one."""

    check: str
    file: str
    line: int
    column: int
    message: str
    link: LinkRow | None = None
    advice: str = ""  # the command that mends it, where it is no matter of pages

    @property
    def place(self) -> str:
        """``file:line:col`` as far as they are known."""
        where = [self.file, *([str(self.line)] if self.line else [])]
        return ":".join([*where, *([str(self.column)] if self.line and self.column else [])])

    @property
    def key(self) -> str:
        """What it is, whatever its place in the list."""
        target = self.link.target if self.link is not None else ""
        return f"{self.check}\n{self.file}\n{self.line}:{self.column}\n{target or self.message}"


class Group(NamedTuple):
    """A check with what it found."""

    name: str
    ok: bool
    error: bool
    findings: tuple[Finding, ...]

    @property
    def title(self) -> str:
        return ABOUT[self.name].title if self.name in ABOUT else self.name.replace("-", " ").capitalize()

    @property
    def sign(self) -> tuple[str, str]:
        """The sign before it and its colour."""
        return ("✓", "good") if self.ok else ("✗", "bad") if self.error else ("!", "warn")


Likeness = tuple[str, str, tuple[str, ...]]  # check, target, candidates


class Report(NamedTuple):
    """The answer of one run: groups in order of use, and (after ``with_alike``) findings by their target."""

    groups: tuple[Group, ...] = ()
    pages: int = 0
    seconds: float = 0.0
    at: str = ""  # the time of day it ended
    alike: Mapping[Likeness, Sequence[Finding]] = {}

    @property
    def errors(self) -> int:
        return sum(len(group.findings) for group in self.groups if group.error)

    @property
    def warnings(self) -> int:
        return sum(len(group.findings) for group in self.groups if not group.error)


def grouped(
    checks: Sequence[Check], unresolved: Sequence[LinkRow], ambiguous: Sequence[LinkRow]
) -> list[Group]:
    """Checks as groups. The links are those the index has: each goes to the finding that is about it."""
    about = {"links-resolve": _by_place(unresolved), "names-unambiguous": _by_place(ambiguous)}
    groups = []
    for check in checks:
        links = about.get(check["name"], {})
        findings = []
        for one in check["files"]:
            waiting = links.get((one["file"], one["line"]), [])
            fits = next((link for link in waiting if repr(link.target) in one["message"]), None)
            if fits is not None:
                waiting.remove(fits)
            findings.append(
                Finding(check["name"], one["file"], one["line"], one["column"], one["message"], fits)
            )
        groups.append(Group(check["name"], check["ok"], check["level"] == "error", tuple(findings)))
    order = list(ABOUT)
    return sorted(groups, key=lambda group: order.index(group.name) if group.name in order else len(order))


def _by_place(links: Sequence[LinkRow]) -> dict[tuple[str, int], list[LinkRow]]:
    found: dict[tuple[str, int], list[LinkRow]] = {}
    for link in links:
        found.setdefault((link.source, link.line), []).append(link)
    return found


def joined(report: Report, others: Sequence[Group]) -> Report:
    """The report with other groups in place of those of the same name."""
    names = {group.name for group in others}
    kept = [group for group in report.groups if group.name not in names]
    return report._replace(groups=(*kept, *others))


class Row(NamedTuple):
    """A line of the list: a check, or one of its findings."""

    group: Group
    finding: Finding | None = None
    folded: bool = False

    @property
    def key(self) -> str:
        return self.finding.key if self.finding is not None else f"check {self.group.name}"


def rows(report: Report, folded: Collection[str]) -> list[Row]:
    """What failed with its findings, then what holds; ``folded`` are checks whose findings are put away."""
    found: list[Row] = []
    for group in sorted(report.groups, key=lambda group: group.ok):
        away = group.name in folded and bool(group.findings)
        found.append(Row(group, None, away))
        if not away:
            found += [Row(group, finding) for finding in group.findings]
    return found


def too_many(report: Report) -> set[str]:
    """The checks whose findings would bury the others."""
    return {group.name for group in report.groups if len(group.findings) > UNFOLDED}


def without(report: Report, gone: Collection[Finding]) -> Report:
    """The report when some findings have been mended."""
    groups = []
    keys = {finding.key for finding in gone}
    for group in report.groups:
        kept = tuple(finding for finding in group.findings if finding.key not in keys)
        groups.append(group._replace(findings=kept, ok=group.ok or not kept))
    return with_alike(report._replace(groups=tuple(groups)))


# -- fixes ----------------------------------------------------------------------------------------


class Suggestion(NamedTuple):
    """A page that a link may have meant; ``text`` is what the link would say."""

    path: str
    title: str
    text: str = ""


class Seen(NamedTuple):
    """What is known of a finding beside its message: the lines around it, pages it may mean."""

    lines: tuple[tuple[int, str], ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    is_page: bool = False
    proposal: str = ""  # what would be written


class Fix(NamedTuple):
    """Something that can be done about a finding. ``target`` is a page path, a title or a word."""

    kind: str
    label: str
    target: str = ""
    every: bool = False  # for all findings alike


def fixes(finding: Finding, seen: Seen, alike: int) -> list[Fix]:
    """The fixes in the order of their numbers; never none. ``alike`` counts the findings with this target,
    this one included."""
    here = f"at line {finding.line}" if finding.line else ""
    read = Fix("open", f"Open the page {here}".rstrip())
    edit = Fix("edit", f"Edit the page {here}".rstrip())
    if not seen.is_page:
        read = edit = Fix("copy", "Copy the path, to mend it outside")
    special = _FIXES.get(finding.check)
    made = special(finding, seen, alike) if special is not None else []
    if finding.check in ELSEWHERE and not seen.is_page:
        return [*made, Fix("again", "Check again")]
    return [*made, *dict.fromkeys([read, edit] if finding.link is None else [read])]


def _links_resolve(finding: Finding, seen: Seen, alike: int) -> list[Fix]:
    link = finding.link
    if link is None:
        return []
    found = []
    for one in seen.suggestions:
        says = f"  → {one.text}" if one.text and one.text != one.title else ""
        found.append(Fix("link", f"Link to “{one.title}”{says}  {one.path}", one.path))
    if found and alike > 1:
        best = seen.suggestions[0]
        found.append(Fix("link", f"Link all {alike} of them to “{best.title}”", best.path, every=True))
    title = link.target.replace("\\", "/").rstrip("/").rpartition("/")[2].removesuffix(".md")
    if title and _may_be_a_page(link):
        found.append(Fix("create", f"Write the page “{title}”", title))
    if link.form not in ("typed", "front-matter"):
        found.append(Fix("unlink", f"Make it plain text: “{link.alias or link.target}”"))
    return found


_FILE = re.compile(r"\.(?!md$)[A-Za-z][A-Za-z0-9]{1,4}$")


def _may_be_a_page(link: LinkRow) -> bool:
    """Whether a link to nothing asks for a page and not for a picture or another file."""
    if link.form in ("markdown", "embed"):
        return link.target.endswith(".md") or (link.form == "embed" and not _FILE.search(link.target))
    return True


def _names_unambiguous(finding: Finding, seen: Seen, alike: int) -> list[Fix]:
    link = finding.link
    if link is None:
        return []
    found = []
    for path in link.ambiguous[:6]:
        now = "  (taken now)" if path == link.dst else ""
        found.append(Fix("link", f"Link to {path}{now}", path))
    if alike > 1 and link.dst:
        found.append(Fix("link", f"Link all {alike} of them to {link.dst}", link.dst, every=True))
    return found


def _index_fresh(finding: Finding, seen: Seen, alike: int) -> list[Fix]:
    return [Fix("reread", "Read this page into the index again"), Fix("rebuild", "Rebuild the whole index")]


def _names_portable(finding: Finding, seen: Seen, alike: int) -> list[Fix]:
    return [Fix("rename", "Give the page another name")] if seen.is_page else []


def _sources(finding: Finding, seen: Seen, alike: int) -> list[Fix]:
    return [Fix("sources", "Show the statement beside its turn")] if seen.is_page else []


def _doctor(finding: Finding, seen: Seen, alike: int) -> list[Fix]:
    found = list(_OWN_FIXES.get(finding.file, ()))
    if finding.advice:
        found.append(Fix("copy-text", f"Copy: {finding.advice}", finding.advice))
    return found


def _okf(finding: Finding, seen: Seen, alike: int) -> list[Fix]:
    if seen.proposal:
        return [Fix("describe", f"Describe it: {seen.proposal}", seen.proposal)]
    return []


ELSEWHERE = ("doctor", "sync", "journal-whole", "consolidation-yields")
"""Checks of what is no page."""

NO_DESCRIPTION = "description is missing"

_OWN_FIXES: Mapping[str, Sequence[Fix]] = {
    "leftovers": [Fix("clear", "Clear up after killed writers")],
    "index": [Fix("rebuild", "Rebuild the whole index")],
    "settings": [Fix("settings", "Open the settings")],
    "rules": [Fix("settings", "Open the settings", "gate")],
    "journal.jsonl": [Fix("copy-text", "Copy: memex backup -o FILE", "memex backup -o memex-backup.tar.gz")],
}

_FIXES = {
    "sources-hold": _sources,
    "sources-undisputed": _sources,
    "journal-whole": _doctor,
    "doctor": _doctor,
    "sync": _doctor,
    "okf": _okf,
    "links-resolve": _links_resolve,
    "names-unambiguous": _names_unambiguous,
    "index-fresh": _index_fresh,
    "names-portable": _names_portable,
}


def alike(report: Report, finding: Finding) -> Sequence[Finding]:
    """The findings of the same check about the same target (of links of the same kind)."""
    return report.alike.get(_likeness(finding), [finding]) if finding.link is not None else [finding]


def with_alike(report: Report) -> Report:
    """The report with its findings gathered by what they are about: asked for at each move of the cursor."""
    found: dict[Likeness, list[Finding]] = {}
    for group in report.groups:
        for one in group.findings:
            if one.link is not None:
                found.setdefault(_likeness(one), []).append(one)
    return report._replace(alike=found)


def _likeness(finding: Finding) -> Likeness:
    link = finding.link
    return (
        (finding.check, link.target, tuple(link.ambiguous)) if link is not None else (finding.check, "", ())
    )


def look_at(memex: Memex, finding: Finding) -> Seen:
    """Read what a finding is about: the lines around it, and which pages a link may have meant."""
    from memex_tui.screens.health.repair import suggestions

    index = memex.store.index
    is_page = index.row(finding.file) is not None
    lines: tuple[tuple[int, str], ...] = ()
    if finding.line:
        lines = around(_text(memex, finding.file), finding.line)
    found: tuple[Suggestion, ...] = ()
    if finding.check == "links-resolve" and finding.link is not None:
        found = tuple(suggestions(memex, finding.link, DID_YOU_MEAN))
    proposal = ""
    if is_page and finding.check == "okf" and finding.message == NO_DESCRIPTION:
        proposal = cut(sentence(memex.store.page(finding.file).body), LONGEST)
    return Seen(lines, found, is_page, proposal)


def _text(memex: Memex, path: str) -> str:
    from memex_core.model.errors import MemexError

    try:
        return memex.store.read_bytes(path).decode("utf-8", "replace")
    except MemexError:
        return ""


def around(text: str, line: int, reach: int = CONTEXT) -> tuple[tuple[int, str], ...]:
    """The lines around a line, each with its number; blank ones at the ends are left out."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = max(line - 1 - reach, 0)
    found = list(enumerate(lines[first : line + reach], first + 1))
    while found and found[0][0] != line and not found[0][1].strip():
        del found[0]
    while found and found[-1][0] != line and not found[-1][1].strip():
        del found[-1]
    return tuple(found)


def bar(done: int, total: int, cells: int = 10) -> str:
    """A bar of progress."""
    full = cells * done // total if total else 0
    return "▰" * full + "▱" * (cells - full)
