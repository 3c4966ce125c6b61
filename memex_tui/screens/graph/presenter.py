"""What the Graph area shows, without a terminal: a neighbourhood, what of it, what is said of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.index.groups import BY, KIND, groups, members, types
from memex_core.memex import Memex
from memex_core.model.graph_export import Edge, Graph, Node
from memex_core.model.slug import slugify
from memex_tui.pages import Reading, read
from memex_tui.render.line import Line
from memex_tui.render.text import printable

LOADED = 400  # nodes taken from the index: hiding a type makes room for others
SHOWN = 60
SHOWN_NARROW = 30  # more would cover each other on 80 columns
MOST_HOPS = 3
GHOST = "not written yet"  # how ghosts are called where types are listed
EXCERPT = 60  # lines of a page beside the picture


class Where(NamedTuple):
    """A neighbourhood of the page at ``path``; without one the pages gathered ``by`` something, or those
    of one ``group`` (empty is a group too: the pages without). ``hops`` 0: as far as can be read well."""

    path: str = ""
    hops: int = 0
    by: str = "type"
    group: str | None = None

    @property
    def mode(self) -> str:
        """``page``, ``group`` or ``overview``."""
        return "page" if self.path else "overview" if self.group is None else "group"


class Loaded(NamedTuple):
    """The answer of the index for a place."""

    where: Where
    title: str
    graph: Graph
    types: tuple[str, ...] = ()  # of all pages: each keeps its look everywhere


class Shown(NamedTuple):
    """What of it is drawn: at most :data:`SHOWN` nodes; ``hidden`` ones are of types taken out."""

    graph: Graph
    hidden: int


def load(memex: Memex, where: Where, room: int = SHOWN) -> Loaded:
    """Ask the index. Raises NotFound or Ambiguous for a page that is not there (any more).

    ``room`` is how many nodes can be read well: where no hops are given, two are taken if they fit.
    """
    index = memex.store.index
    kinds = tuple(types(index.db))
    if where.path:
        row = memex.store.find(where.path, loose=True)
        hops = where.hops or 2
        graph = index.graph(row.path, hops=hops, limit=LOADED)
        if not where.hops and len(graph.nodes) > room:
            hops = 1
            graph = index.graph(row.path, hops=hops, limit=LOADED)
        return Loaded(where._replace(path=row.path, hops=hops), row.title, graph, kinds)
    if where.group is not None:
        graph = members(index.db, where.by, where.group, limit=LOADED)
        return Loaded(where, where.group or f"without {where.by}", graph, kinds)
    return Loaded(where, "Graph", groups(index.db, where.by))


def kind_of(node: Node) -> str:
    """The type that a node counts as in the list of types."""
    return GHOST if node.ghost else node.kind or "page"


def kinds(graph: Graph) -> list[tuple[str, int]]:
    """The types in a graph with their nodes, most frequent first, ghosts last."""
    counted = Counter(kind_of(node) for node in graph.nodes if node.id != graph.focus)
    return sorted(counted.items(), key=lambda item: (item[0] == GHOST, -item[1], item[0]))


def shown(graph: Graph, hidden: Collection[str], most: int = SHOWN) -> Shown:
    """The graph without the hidden types, cut to the ``most`` nodes that can be read; the focus stays."""
    kept = [node for node in graph.nodes if node.id == graph.focus or kind_of(node) not in hidden]
    away = len(graph.nodes) - len(kept)
    drawn = kept[:most]
    names = {node.id for node in drawn}
    edges = tuple(edge for edge in graph.edges if edge.src in names and edge.dst in names)
    omitted = graph.omitted + len(kept) - len(drawn)
    return Shown(Graph(tuple(drawn), edges, graph.focus, omitted), away)


def status(loaded: Loaded, seen: Shown, view: str) -> Line:
    """The right end of the breadcrumbs."""
    parts = []
    where = loaded.where
    if where.mode == "page":
        parts.append(f"{where.hops} hop{'s' if where.hops > 1 else ''}")
    elif where.mode == "overview":
        parts.append(f"by {where.by}")
    count, more = len(seen.graph.nodes), seen.graph.omitted
    what = "group" if where.mode == "overview" else "page"
    parts.append(f"{count:,} of {count + more:,}" if more else f"{count:,} {what}{'' if count == 1 else 's'}")
    if seen.hidden:
        parts.append(f"{seen.hidden:,} hidden")
    line: Line = []
    for part in parts:
        line += [(part, ("bar--muted",)), (" · ", ("bar--faint",))]
    return [*line, (view, ("bar--text",))]


def next_by(by: str) -> str:
    """The next way of gathering."""
    return BY[(BY.index(by) + 1) % len(BY)] if by in BY else BY[0]


def linked(graph: Graph, id: str) -> tuple[list[Edge], list[Edge]]:
    """The edges of the picture that arrive at a node, and those that leave it."""
    arriving = [edge for edge in graph.edges if edge.dst == id and edge.src != id]
    return arriving, [edge for edge in graph.edges if edge.src == id and edge.dst != id]


class Card(NamedTuple):
    """What is said of the selected node: some lines, and the beginning of the page's text."""

    title: str
    facts: tuple[Line, ...]
    text: str = ""
    reading: Reading | None = None


def node_card(graph: Graph, node: Node) -> Card:
    """What the picture itself knows of a node; all there is of ghosts and groups."""
    arriving, leaving = linked(graph, node.id)
    if node.kind == KIND:
        name, _, pages = node.title.rpartition(" · ")
        together = len({*(edge.src for edge in arriving), *(edge.dst for edge in leaving)})
        facts: tuple[Line, ...] = (
            [(f"{pages} page{'' if pages == '1' else 's'}", ("bar--text",))],
            [(f"joined to {together} of these groups" if together else "joined to none", ("bar--muted",))],
            [],
            [("⏎", ("bar--key",)), (" opens the group", ("bar--muted",))],
        )
        return Card(name, facts)
    if node.ghost:
        names = {one.id: one.title for one in graph.nodes}
        sources = [names.get(edge.src, edge.src) for edge in arriving]
        facts = (
            [("not written yet", ("bar--warn",))],
            [(f"{node.degree} link{'' if node.degree == 1 else 's'} to it", ("bar--muted",))],
            *names_of(sources[:6]),
            [],
            [("⏎", ("bar--key",)), (" writes it", ("bar--muted",))],
        )
        return Card(node.title, facts)
    count = f"{len(arriving)} in · {len(leaving)} out in this picture"
    return Card(node.title, ([(printable(node.kind), ("bar--text",))], [(count, ("bar--muted",))]))


def names_of(sources: Sequence[str]) -> list[Line]:
    """A line for each page that links somewhere."""
    return [[("← ", ("bar--faint",)), (printable(name), ("bar--text",))] for name in sources]


def read_card(memex: Memex, path: str) -> Card:
    """What the page's file says: type, tags, when, links, and how it begins."""
    return page_card(read(memex, path))


def page_card(page: Reading) -> Card:
    """The card of a page that was read."""
    first: Line = [(printable(page.type or "page"), ("bar--accent",))]
    if page.status not in ("", "stable"):
        first += [(" · ", ("bar--faint",)), (page.status, ("bar--warn",))]
    if page.tags:
        first += [(" · ", ("bar--faint",)), (printable(", ".join(page.tags)), ("bar--text",))]
    counts: Line = [(f"{len(page.backlinks)} in · {page.links_out} out", ("bar--text",))]
    if page.turns:
        turns = f"{len(page.turns)} turn{'' if len(page.turns) == 1 else 's'}"
        counts += [(" · ", ("bar--faint",)), (f"❝ {turns}", ("bar--accent",))]
    if page.updated:
        counts += [(" · ", ("bar--faint",)), (page.updated[:10], ("bar--muted",))]
    where: Line = [(printable(page.path), ("bar--faint",))]
    return Card(page.title, (first, counts, where), excerpt(page), page)


def excerpt(page: Reading) -> str:
    """The first lines of the body, without a heading that only repeats the title."""
    return beginning(page.body, page.title)


def beginning(body: str, title: str) -> str:
    """As :func:`excerpt`."""
    lines = body.split("\n", EXCERPT + 1)[:EXCERPT]
    while lines and not lines[0].strip():
        del lines[0]
    if lines and re.sub(r"^#+\s+", "", lines[0]).strip() == title.strip():
        del lines[0]
    return "\n".join(line[:2000] for line in lines).strip("\n")


_MARKS = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|\[([^\]]*)\]\([^)]*\)|[*_`]{1,3}|^[>#\-\s]+")


def sentence(text: str) -> str:
    """The first line of prose in an excerpt, without Markdown signs."""
    fenced = False
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif line.strip() and not fenced and not line.startswith("#"):
            return printable(_MARKS.sub(lambda found: found[1] or found[2] or "", line).strip())
    return ""


def file_name(title: str, ending: str) -> str:
    """What an export is called by default."""
    return f"{slugify(title)}-graph.{ending}"


class Format(NamedTuple):
    """A format that a graph can be written in; ``id`` as in :mod:`memex_core.model.graph_export`."""

    id: str
    ending: str
    title: str
    help: str


FORMATS = (
    Format("svg", "svg", "SVG", "a picture for browsers and documents"),
    Format("mermaid", "mmd", "Mermaid", "text that GitHub and Obsidian draw"),
    Format("dot", "dot", "Graphviz DOT", "text for dot, neato and others"),
    Format("canvas", "canvas", "JSON Canvas", "a board for Obsidian and others"),
)


def with_ending(path: str, ending: str) -> str:
    """``path`` with another of the known endings; an ending of the person's own stays."""
    stem, dot, last = path.rpartition(".")
    if dot and "/" not in last and last in {one.ending for one in FORMATS}:
        return f"{stem}.{ending}"
    return path if dot and "/" not in last and stem and not stem.endswith("/") else f"{path}.{ending}"


def where_from(state: Mapping[str, Any], path: str, hops: int, by: str) -> Where:
    """A place from what was kept of it. Nothing in ``state`` is trusted."""
    kept_hops, kept_by, group = state.get("hops"), state.get("by"), state.get("group")
    if isinstance(kept_hops, int) and 1 <= kept_hops <= MOST_HOPS:
        hops = kept_hops
    if kept_by in BY:
        by = kept_by
    return Where(path, hops, by, group if isinstance(group, str) and not path else None)
