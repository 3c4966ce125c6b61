"""What the Page area shows, worked out of what the core said. No widget is known here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from memex_core.model.page import Value
from memex_tui.pages import Target, properties_of
from memex_tui.render.line import Line
from memex_tui.render.markdown.model import RESOLVED, Embed, Heading, Hooks, Link, Property
from memex_tui.render.text import counted, cut, printable, width
from memex_tui.screens.page.filetext import wild
from memex_tui.screens.page.loading import Embedded, Opened, Pointer
from memex_tui.screens.page.proofs import SOURCE, source_rows
from memex_tui.screens.search.presenter import age

HIDDEN = frozenset(("title", "id", "generated", "created", "uid", "type"))
"""Front matter that the panel above a page leaves out: it stands elsewhere on the screen."""

IN_FRONT = "in its properties"  # beside a link whose line is YAML, which says its relation and no more

_TYPED = re.compile(r"[-\s]*\{?\s*(?:target|rel)\s*:")
_WIKI = re.compile(r"!?\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_SIGNS = re.compile(r"^\s*(?:[-*+>]|\d+[.)]|#{1,6})\s+(?:\[.\]\s+)?|[*_`~]{1,3}|\s\^[\w-]+$")


class OutlineRow(NamedTuple):
    """A heading. ``depth`` counts from 0 for the highest on the page."""

    title: str
    line: int
    depth: int


class LinkEntry(NamedTuple):
    """A page that leads here (``kind`` ``link``), or names this one only (``mention``).

    ``before``, ``marked`` and ``after`` are the line around it; ``times`` how many lines there are.
    """

    kind: str
    path: str
    title: str
    line: int
    before: str
    marked: str
    after: str
    times: int = 1
    rel: str = ""

    @property
    def key(self) -> str:
        return f"{self.kind} {self.path}"


def outline_of(headings: Sequence[Heading]) -> list[OutlineRow]:
    """The headings of a page, as rows."""
    highest = min((head.level for head in headings), default=1)
    return [OutlineRow(printable(head.title), head.line, head.level - highest) for head in headings]


def heading_at(rows: Sequence[OutlineRow], line: int) -> int:
    """The number of the heading that ``line`` stands under; -1 above the first."""
    at = -1
    for number, row in enumerate(rows):
        if row.line > line:
            break
        at = number
    return at


def link_entries(
    backlinks: Sequence[Pointer], unlinked: Sequence[Pointer], names: Sequence[str]
) -> list[LinkEntry]:
    """Pages that lead here, each once with its first line, then pages that only name this one."""
    found: dict[str, LinkEntry] = {}
    for kind, pointers in (("link", backlinks), ("mention", unlinked)):
        for one in pointers:
            key = f"{kind} {one.path}"
            if key in found:
                found[key] = found[key]._replace(times=found[key].times + 1)
                continue
            rel = one.rel if one.rel not in ("", "mentions", "embeds") else ""
            context = (IN_FRONT, "", "") if rel and _TYPED.match(one.text) else around(one.text, names)
            found[key] = LinkEntry(kind, one.path, printable(one.title), one.line, *context, rel=rel)
    return list(found.values())


def around(text: str, names: Sequence[str]) -> tuple[str, str, str]:
    """A line of Markdown as plain text, cut in three where it links to or names one of ``names``."""
    wanted_names = {name.casefold() for name in names}
    for match in _WIKI.finditer(text):
        target = match[1].partition("#")[0].strip().casefold()
        if target in wanted_names or target.rpartition("/")[2].removesuffix(".md") in wanted_names:
            shown = printable(match[2] or match[1])
            return _plain(text[: match.start()]).lstrip(), shown, _plain(text[match.end() :]).rstrip()
    plain = plain_text(text)
    folded = plain.casefold()
    for name in names:
        wanted = name.casefold()
        at = folded.find(wanted) if wanted and len(folded) == len(plain) else -1
        if at >= 0:
            return plain[:at], plain[at : at + len(name)], plain[at + len(name) :]
    return plain, "", ""


def plain_text(text: str) -> str:
    """A line of Markdown without its signs."""
    return _plain(text).strip()


def _plain(text: str) -> str:
    text = _WIKI.sub(lambda match: match[2] or match[1], text)
    text = _LINK.sub(lambda match: match[1], text)
    return printable(_SIGNS.sub("", text))


def context_line(entry: LinkEntry, cells: int) -> Line:
    """The line around a link in at most ``cells`` cells, so that the name in it is seen."""
    names = ("row--muted",)
    if not entry.marked:
        return [(cut(entry.before, cells), names)]
    room = max(cells - width(entry.marked), 8)
    before = cut(entry.before, max(room * 2 // 3, room - width(entry.after)), keep="tail")
    line: Line = [(before, names)] if before else []
    line.append((entry.marked, ("row--accent",)))
    rest = cells - width(before) - width(entry.marked)
    if entry.after and rest > 1:
        line.append((cut(entry.after, rest), names))
    return line


class Links:
    """What the links on a page mean, as far as it is known.

    ``wanted`` (embeds) and ``unknown`` (targets) collect what is not; ``notice`` is called when there
    is something new in them.
    """

    def __init__(self, opened: Opened | None = None) -> None:
        self._targets: dict[str, Target] = dict(opened.reading.targets) if opened else {}
        self._embeds: dict[tuple[str, str, str], Embedded | None] = {}
        self.wanted: set[tuple[str, str, str]] = set()
        self.unknown: set[str] = set()
        self.notice: Callable[[], object] = lambda: None

    def _want(self, key: tuple[str, str, str]) -> None:
        if key not in self.wanted:
            self.wanted.add(key)
            self.notice()

    def _ask(self, name: str) -> None:
        if name not in self.unknown:
            self.unknown.add(name)
            self.notice()

    def renew(self, targets: Mapping[str, Target]) -> bool:
        """Other pages are there now; whether that changes how a link looks."""
        changed = False
        for name, target in targets.items():
            before = self._targets.get(name)
            changed = changed or target.state != (before.state if before is not None else RESOLVED)
        self._targets.update(targets)
        self.unknown -= targets.keys()
        return changed

    def forget_embeds(self) -> None:
        """Other pages changed: what is embedded is read anew (and shown as it was until then)."""
        for key in self._embeds:
            self._want(key)

    def embed_read(self, key: tuple[str, str, str], embed: Embedded | None) -> None:
        """An embedded part was read."""
        self._embeds[key] = embed
        self.wanted.discard(key)
        if embed is not None:
            for name, target in embed.targets.items():
                self._targets.setdefault(name, target)

    def target(self, name: str) -> Target | None:
        """What a target means; None when that is not known."""
        return self._targets.get(name) or self._targets.get(unquote(name))

    def known(self) -> Iterable[Target]:
        """What is known of all targets on the page."""
        return self._targets.values()

    def state(self, link: Link) -> str:
        """For the reader: ``resolved``, ``unresolved`` or ``ambiguous``."""
        if not link.target or link.kind in ("url", "tag", "footnote", "image"):
            return RESOLVED
        if link.target.startswith(SOURCE):
            return RESOLVED
        found = self.target(link.target)
        if found is None:
            self._ask(link.target)
            return RESOLVED
        return found.state

    def editor_state(self, source: str) -> str:
        """For the editor: what is wrong with a link written as ``source``; empty: nothing."""
        match = _WIKI.fullmatch(source)
        if match is None:
            return ""
        name = match[1].partition("#")[0].strip()
        found = self.target(name) if name else None
        if found is None:
            if name:
                self._ask(name)
            return ""
        return {"unresolved": "missing", "ambiguous": "ambiguous"}.get(found.state, "")

    def embed(self, link: Link) -> Embed | None:
        """For the reader: the text to show in the place of an embed."""
        found = self.target(link.target)
        if found is None or not found.path:
            return None
        key = (found.path, link.heading, link.block)
        if key not in self._embeds:
            self._want(key)
            return None
        embed = self._embeds[key]
        return Embed(embed.title, embed.text) if embed is not None else None

    def hooks(self) -> Hooks:
        """For ``MarkdownView.set_page``."""
        return Hooks(self.state, self.embed)


def shown_properties(front: Mapping[str, Value]) -> list[Property]:
    """The front matter that stands above the page; its sources are links."""
    rows: list[Property] = []
    for one in properties_of({key: value for key, value in front.items() if key not in HIDDEN}):
        rows += source_rows(front) if one.key == "sources" else [one]
    return rows


def about(opened: Opened, *, words: int) -> list[tuple[str, str]]:
    """What is known of the page: label and value."""
    reading = opened.reading
    rows = [("type", reading.type + (f" · {reading.status}" if reading.status not in ("", "stable") else ""))]
    if opened.created:
        rows.append(("created", opened.created[:10]))
    if reading.updated and reading.updated[:10] != opened.created[:10]:
        rows.append(("updated", f"{reading.updated[:10]} · {age(reading.updated)}"))
    rows.append(("words", f"{words:,}"))
    if reading.turns:
        sessions = len({session for session, _ in reading.turns})
        rows.append(("proof", f"{counted(len(reading.turns), 'turn')} in {counted(sessions, 'session')}"))
    rows.append(("file", reading.path))
    return [(key, value) for key, value in rows if value.strip()]


def status_line(
    opened: Opened,
    *,
    dirty: bool,
    saved: str,
    short: bool,
    notice: str = "",
    caret: tuple[int, int] | None = None,
) -> Line:
    """What stands at the right of the breadcrumbs: links in and out, and how the text stands."""
    reading = opened.reading
    sources = len({one.path for one in opened.backlinks})
    gap: Line = [("  ·  " if not short else " · ", ("bar--faint",))]
    links = f"{sources} in {reading.links_out} out" if short else f"{sources} in · {reading.links_out} out"
    line: Line = [(links, ("bar--muted",))]
    if caret is not None:  # while editing, the place says more than the links
        line = [(f"{caret[0] + 1}:{caret[1] + 1}", ("bar--muted",))]
    if notice:
        return [*line, *gap, (notice, ("bar--warn",))]
    if dirty:
        return [*line, *gap, ("● ", ("bar--warn",)), ("unsaved", ("bar--text",))]
    if saved:
        return [*line, *gap, ("✓ ", ("bar--good",)), (f"saved {saved}", ("bar--muted",))]
    if reading.updated:
        when = age(reading.updated)
        return [*line, *gap, (when if short else f"updated {when}", ("bar--muted",))]
    return line


def body_of(lines: Sequence[str], front_lines: int) -> tuple[str, int]:
    """The body of a text that is being edited, and the line of the file it begins at."""
    return wild("\n".join(lines[front_lines:])), front_lines + 1


def page_names(title: str, aliases: Sequence[str], path: str) -> list[str]:
    """What the page may be called in a text, the longest first."""
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    names = {title, *aliases, stem, stem.replace("-", " ")}
    return sorted((name for name in names if name), key=len, reverse=True)


def aliases_of(front: Mapping[str, object]) -> list[str]:
    """The aliases that the front matter gives."""
    value = front.get("aliases", front.get("alias"))
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def mention_note(name: str, title: str, following: int) -> Callable[[int], Line]:
    """One line about a name that is no link yet, for a width."""

    def line(cells: int) -> Line:
        more = f"  ({following} more)" if following and cells >= 40 else ""
        text = cut(f"“{printable(name)}” names {printable(title)}", max(cells - len(more) - 2, 10))
        return [("◌ ", ("bar--accent",)), (text, ("bar--text",)), (more, ("bar--muted",))]

    return line
