"""What the Health area shows, without a terminal: checks, findings, and the fixes for each."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.index.links import LinkRow
from memex_core.memex import Memex
from memex_core.model.results import Check

DID_YOU_MEAN = 3  # suggestions for a link to nothing
CONTEXT = 2  # lines shown before and after the one concerned
UNFOLDED = 200  # findings of one check that are listed without asking


class About(NamedTuple):
    """What a check is about, in words."""

    title: str
    help: str


ABOUT: Mapping[str, About] = {
    "links-resolve": About(
        "Links lead somewhere",
        "These links name pages or files that do not exist: mistyped, or not written yet.",
    ),
    "names-unambiguous": About(
        "Links mean one page",
        "Several pages answer to these names. memex takes the nearest; another program may take another one.",
    ),
    "pages-parse": About(
        "Front matter can be read",
        "A page whose front matter cannot be read is found by its text, but its type, tags and relations are "
        "unknown.",
    ),
    "index-fresh": About(
        "The index is up to date",
        "Search, links and this app answer from the index; these pages differ from what it has.",
    ),
    "names-portable": About(
        "Names are portable",
        "These names differ only in letter case or accents: on macOS, Windows and some sync services one "
        "file would replace the other.",
    ),
    "keys-unique": About(
        "Front matter keys stand once",
        "Of a key that stands twice only one value counts; other programs refuse it.",
    ),
    "text-readable": About(
        "Text is as it should be", "These pages are read, but something in them is odd and may not be meant."
    ),
}
"""In the order in which the checks are shown: what one can mend at once comes first."""


class Finding(NamedTuple):
    """One thing to look at. ``link`` is the link that it is about, if it is about one."""

    check: str
    file: str
    line: int
    column: int
    message: str
    link: LinkRow | None = None

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
    """A page that a link may have meant."""

    path: str
    title: str


class Seen(NamedTuple):
    """What is known of a finding beside its message: the lines around it, pages it may mean."""

    lines: tuple[tuple[int, str], ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    is_page: bool = False


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
    return [*made, *dict.fromkeys([read, edit] if finding.link is None else [read])]


def _links_resolve(finding: Finding, seen: Seen, alike: int) -> list[Fix]:
    link = finding.link
    if link is None:
        return []
    found = []
    for one in seen.suggestions:
        found.append(Fix("link", f"Link to “{one.title}”  {one.path}", one.path))
    if found and alike > 1:
        best = seen.suggestions[0]
        found.append(Fix("link", f"Link all {alike} of them to “{best.title}”", best.path, every=True))
    title = link.target.replace("\\", "/").rstrip("/").rpartition("/")[2].removesuffix(".md")
    if title and _may_be_a_page(link):
        found.append(Fix("create", f"Write the page “{title}”", title))
    if link.form not in ("typed", "front-matter"):
        found.append(Fix("unlink", "Make it plain text"))
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


_FIXES = {
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
    return Seen(lines, found, is_page)


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


# -- the memory as a whole ------------------------------------------------------------------------

Fact = tuple[str, str, str]  # label, value, style: text, muted, good, warn, bad


class Watch(NamedTuple):
    """How outside edits are followed."""

    polling: bool = False
    problem: str = ""
    off: bool = False


def facts(status: Mapping[str, Any], info: Mapping[str, Any], watch: Watch) -> list[Fact]:
    """What the memory holds, how its index is, and where it lies."""
    kinds = Counter(status["by_type"]).most_common(3)
    found: list[Fact] = [("pages", f"{status['pages']:,}", "text")]
    if kinds:
        found.append(("types", " · ".join(f"{name} {count:,}" for name, count in kinds), "muted"))
    if status["pending"]:
        found.append(("drafts", f"{status['pending']:,} wait for review", "warn"))
    kept = f"{status['sessions']:,} conversations · {status['diary_days']:,} days of diary"
    found.append(("also", kept, "muted"))
    rebuilt = str(status["last_index_rebuild"] or "")[:16].replace("T", " ")
    size = size_of(status["index_bytes"])
    found.append(("index", f"{size} · built {rebuilt}" if rebuilt else size, "text"))
    if watch.problem:
        found.append(("watcher", watch.problem, "warn"))
    elif watch.off:
        found.append(("watcher", "not running", "muted"))
    else:
        how = "compares the folder every 2 s" if watch.polling else "sees edits as they happen"
        found.append(("watcher", how, "warn" if watch.polling else "good"))
    last = status["last_change"]
    if last:
        when = str(last["ts"])[:16].replace("T", " ")
        found.append(("last write", f"{last['action']} {last['file']} · {when}", "muted"))
    found += [
        ("memory", from_home(info["root"]), "text"),
        (
            "pages in",
            from_home(info["pages"]) if info["pages"] != info["root"] else "the same folder",
            "muted",
        ),
        ("index in", from_home(info["index"]), "muted"),
        ("journal", from_home(info["journal"]), "muted"),
    ]
    found += [("warning", str(warning), "warn") for warning in status["warnings"][:3]]
    return found


def from_home(path: str) -> str:
    """A path as a shell would take it: ``~`` for the home folder."""
    home = os.path.expanduser("~").rstrip(os.sep) + os.sep
    return f"~{os.sep}{path[len(home) :]}" if path.startswith(home) else path


def size_of(count: int) -> str:
    """Bytes for people."""
    if count < 10_000:
        return f"{count:,} B"
    return f"{count / 1e3:,.0f} KB" if count < 1e6 else f"{count / 1e6:,.1f} MB"


def bar(done: int, total: int, cells: int = 10) -> str:
    """A bar of progress."""
    full = cells * done // total if total else 0
    return "▰" * full + "▱" * (cells - full)
