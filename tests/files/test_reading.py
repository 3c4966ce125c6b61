"""Pages: every declared key in all the shapes people and tools write it."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_core.files.atomic import digest
from memex_core.files.reading import read_page
from memex_core.model.page import Page, Problem, Source

PAGES = Path(__file__).parent / "pages"


def fixture(path: str) -> Page:
    return read_page(path, (PAGES / path).read_bytes())


def page(front: str, body: str = "body\n", path: str = "some stem.md", folder: bool = True) -> Page:
    return read_page(path, f"---\n{front}\n---\n{body}".encode(), folder=folder)


def found_links(read: Page) -> list[tuple[str, str, str]]:
    return [(link.target, link.form, link.rel) for link in read.links]


# -- the fixture pages -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind", "title", "aliases", "tags"),
    [
        ("Workshop.md", "yaml", "Workshop: a tour", ("The Shed", "Bike Room"), ("Place/Garden", "tools")),
        (
            "parts/Chain oil.md",
            "yaml",
            "Chain oil",
            ("Wet lube", "Lube: the wet one"),
            ("oil", "Parts/Wet", "rain"),
        ),
        ("parts/index.md", "yaml", "1.50", ("On",), ("kept", "last")),
        ("templates/Ride.md", "error", "Ride", (), ("template",)),
        ("people/Bjørn.md", "error", "Bjørn", ("@bjorn",), ()),
        ("Tables.md", "yaml", "Sizes", (), ("622", "28.5", "rims", "two words")),
        ("Two rules.md", "none", "Two rules", (), ()),
        ("Signals.md", "toml", "Hand signals", (), ("ride", "Group/Rules")),
        (
            "Gears___Ratios.md",
            "logseq",
            "Gears/Ratios",
            ("Ratios", "Gear, inches"),
            ("Workshop", "drivetrain"),
        ),
        ("Published.md", "yaml", "Wheel 🚲", (), ("wheel",)),
        ("log/index.md", "yaml", "Log", (), ()),
        ("Memory.md", "yaml", "Torque wrench", (), ("tools",)),
    ],
)
def test_names_and_tags_of_the_fixture_pages(path, kind, title, aliases, tags):
    read = fixture(path)
    assert (read.front_kind, read.title, read.aliases, read.tags) == (kind, title, aliases, tags)


@pytest.mark.parametrize(
    ("path", "problems"),
    [
        ("Workshop.md", []),
        ("parts/Chain oil.md", []),
        ("parts/index.md", [("duplicate key: tags", 6, "warning")]),
        ("templates/Ride.md", [("a template: {{date}} is to be filled in", 2, "note")]),
        ("people/Bjørn.md", [("found character that cannot start any token", 3, "error")]),
        ("Two rules.md", [("not UTF-8", 5, "warning")]),
        ("Signals.md", []),
        ("Gears___Ratios.md", []),
    ],
)
def test_problems_of_the_fixture_pages(path, problems):
    assert [(each.message, each.line, each.level) for each in fixture(path).problems] == problems


def test_a_page_with_crlf_and_links_in_its_front_matter():
    read = fixture("Workshop.md")
    assert read.front["owner"] == {"name": "Ilse Maar", "since": "2003-02-30"}
    assert read.front["note"] == "First line,\nsecond line.\n"
    assert [(each.level, each.text, each.line) for each in read.headings] == [
        (1, "Workshop: a tour", 17),
        (2, "Bench", 21),
        (2, "Bench", 29),
    ]
    assert read.blocks == ("vice",)
    assert [(each.target, each.form, each.line) for each in read.links] == [
        ("Chain oil", "wiki", 19),
        ("Ratios", "wiki", 31),
        ("parts/Chain oil", "front-matter", 11),
        ("Unbuilt Bench", "front-matter", 12),
    ]
    assert read.links[2].alias == "oil"
    assert "\r" not in read.body
    assert read.digest == digest((PAGES / "Workshop.md").read_bytes())


def test_a_page_with_a_mark_and_values_as_typed():
    read = fixture("parts/Chain oil.md")
    assert (read.id, read.front["stock"], read.front["opened"]) == ("010", "09", "on")
    assert read.created == "2023-11-02T18:05:00Z"
    assert found_links(read) == [("Workshop", "typed", "parent")]
    assert read.inline_fields == {"smell": "sharp", "due": "2023-12-01"}
    assert read.hashtags == ("shop/list",)


def test_placeholders_are_no_links_and_no_titles():
    read = fixture("templates/Ride.md")
    assert found_links(read) == [("Workshop", "wiki", "mentions")]
    assert read.created == ""


def test_logseq_properties_are_fields_and_links():
    read = fixture("Gears___Ratios.md")
    assert read.inline_fields["title"] == "Gears/Ratios"
    assert [(each.target, each.form, each.line) for each in read.links] == [
        ("Workshop", "wiki", 7),
        ("Gear, inches", "front-matter", 2),
        ("Workshop", "front-matter", 3),
    ]


def test_a_memory_page_with_every_declared_key():
    read = fixture("Memory.md")
    assert (read.type, read.status, read.scope, read.project) == ("entity", "draft", "project", "garage")
    assert (read.created, read.updated) == ("2026-02-28T09:00:00Z", "2026-03-01T08:00:00Z")
    assert (read.valid_from, read.valid_until, read.stale_after) == ("2026-03-01", "2027-03-01", "2026-12-31")
    assert (read.importance, read.trust, read.description) == (
        0.8,
        "human-reviewed",
        "Set to 6 Nm for the stem",
    )
    assert read.sources == (
        Source("s1", "memex:sess-ride#12", "sess-ride, turn 12", "evidence", "six newton metres, never more"),
        Source(resource="https://example.org/torque"),
        Source(resource="notes/old.md", lane="context"),
    )
    assert found_links(read) == [
        ("Workshop", "wiki", "mentions"),
        ("old-wrench", "typed", "supersedes"),
        ("Torque key", "typed", "supersedes"),
        ("workshop", "typed", "depends-on"),
        ("chain-oil", "typed", "contradicts"),
        ("stem-bolt", "typed", "relates-to"),
    ]
    assert read.problems == ()


# -- title (FM-03, FM-11) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("title: 2024-06-01", "2024-06-01"),
        ("title: 1458", "1458"),
        ("title: no", "no"),
        ("title: 0.90", "0.90"),
        ("title: [a, b]", "a, b"),
        ("title: [a]", "a"),
        ("title: {a: b}", "a: b"),
        ("title:", "some stem"),
        ("title: null", "some stem"),
        ("title: ~", "some stem"),
        ('title: "~"', "~"),
        ('title: "None"', "some stem"),
        ('title: "  "', "some stem"),
        ('title: "\u200b\u00a0"', "some stem"),
        ("title: []", "some stem"),
        ('title: "{{title}}"', "some stem"),
        ("Title: upper", "upper"),
        ("title: >-\n  two\n\n  lines", "two lines"),
        ("title: Fix: the bug", "Fix: the bug"),
    ],
)
def test_titles(front, title):
    assert page(front).title == title


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("# One\n# Two\n", "One"),
        ("text\n\nOne\n===\n", "One"),
        ("## Two\n# One\n", "One"),
        ("# About [[Åse & Søn|Åse]] and [her](x.md)\n", "About Åse and her"),
        ("# {{title}}\n# Later\n", "stem"),
        ("# <% tp.title %>\n", "stem"),
        ("```\n# code\n```\n", "stem"),
        ("#\n", "stem"),
        ("", "stem"),
    ],
)
def test_a_title_from_the_first_heading_else_the_file_name(body, title):
    assert read_page("a/b/stem.md", body.encode()).title == title


def test_the_file_name_is_composed():
    stem = unicodedata.normalize("NFD", "Åse & Søn")
    assert read_page(f"people/{stem}.md", b"text").title == "Åse & Søn"


# -- tags and aliases (FM-13, FM-14, FM-15) ----------------------------------------------------


@pytest.mark.parametrize(
    ("front", "tags"),
    [
        ("tags: a, b", ("a", "b")),
        ("tags: a b", ("a", "b")),
        ("tags: a, two words", ("a", "two words")),
        ('tags: ["#a"]', ("a",)),
        ("tags: '#a #b'", ("a", "b")),
        ("tags:\n- a", ("a",)),
        ("tags:\n- #tea\n- cup", ("tea", "cup")),
        ("tags: #tea #cup", ("tea", "cup")),
        ("tags: # none yet", ()),
        ("tags: null", ()),
        ("tag: x", ("x",)),
        ("tag: x y\ntags: [z, X]", ("z", "X", "y")),
        ("tags: [[1,2]]", ("1", "2")),
        ("tags: [no, 2024, 802.11]", ("no", "2024", "802.11")),
        ("tags: [Tea, tea, TEA, null, '']", ("Tea",)),
        ("tags: [🌱]", ("🌱",)),
        ("tags: [[Harbour]]", ("Harbour",)),
        ("Tags: [a]", ("a",)),
        ("tags: {a: b}", ("a: b",)),
        ("author:\ntags: x y", ("x", "y")),
        ("date: 2025-04-11T00:01:00+01:00\ntags:\n  - new", ("new",)),
    ],
)
def test_tags_in_every_spelling(front, tags):
    read = page(front)
    assert sorted(read.tags) == sorted(tags)
    assert read.tags == tags or front.startswith("tag: x y")


@pytest.mark.parametrize(
    ("front", "aliases"),
    [
        ("aliases: Yes", ("Yes",)),
        ("aliases: Old Port, Quay", ("Old Port", "Quay")),
        ("alias: x", ("x",)),
        ("aliases: [null, A, a, 12]", ("A", "12")),
        ("aliases:\n- Salt: a history\n- 'b, c'", ("Salt: a history", "b, c")),
        ("aliases:", ()),
        ("aliases: ['[[Quay|the quay]]']", ("the quay",)),
    ],
)
def test_aliases_in_every_spelling(front, aliases):
    assert page(front).aliases == aliases


# -- state, times, trust (FM-18) ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("front", "status"),
    [
        ("status: pending", "draft"),
        ("status: Draft", "draft"),
        ("status: active", "stable"),
        ("status: superseded", "deprecated"),
        ("status: archived", "deprecated"),
        ("status: done", "stable"),
        ("x: y", "stable"),
    ],
)
def test_status_in_older_words(front, status):
    assert page(front).status == status


@pytest.mark.parametrize(
    ("front", "number", "problems"),
    [
        ("importance: 0.8", 0.8, 0),
        ("importance: '1'", 1.0, 0),
        ("importance: 3", 1.0, 1),
        ("importance: -1", 0.0, 1),
        ("importance: high", 0.5, 1),
        ("importance: .nan", 0.5, 1),
        ("importance: nan", 0.5, 1),
        ("importance:", 0.5, 0),
    ],
)
def test_importance_is_held_between_its_bounds(front, number, problems):
    read = page(f"a: b\n{front}")
    assert (read.importance, len(read.problems)) == (number, problems)
    assert all(problem.line == 3 for problem in read.problems)


@pytest.mark.parametrize(
    ("front", "created", "updated"),
    [
        ("created: 2024-01-01T10:00:00+02:00", "2024-01-01T08:00:00Z", ""),
        ("created: 2024-01-01", "2024-01-01", ""),
        ("date: 2024-05-01 09:30", "2024-05-01T09:30:00Z", ""),
        ("created: 1698948300000", "2023-11-02T18:05:00Z", ""),
        ("created: soon\ndate: 2024-01-01", "2024-01-01", ""),
        ("updated: 2024-01-02\ntimestamp: 2023-01-01", "", "2024-01-02"),
        ("timestamp: 2023-01-01T00:00:00Z", "", "2023-01-01T00:00:00Z"),
        ("updated_at: 2023-01-01\ngenerated: {by: a/1, at: 2025-01-01}", "", "2025-01-01"),
        ("created: 2023-02-30", "", ""),
    ],
)
def test_times(monkeypatch, front, created, updated):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    read = page(front)
    assert (read.created, read.updated) == (created, updated)


def test_the_window_in_older_keys_and_what_is_no_time():
    read = page("valid_to: 2027-01-01\nexpires_at: 2026-01-01\nvalid_from: someday")
    assert (read.valid_until, read.stale_after, read.valid_from) == ("2027-01-01", "2026-01-01", "")
    assert read.problems == (Problem("valid_from is no time: someday", 4),)


@pytest.mark.parametrize(
    ("front", "trust"),
    [
        ("verified: [{by: process:ci, at: 2026-01-01}, {by: human:ann, at: 2026-01-02}]", "human-reviewed"),
        ("verified: {by: human:ann}", "human-reviewed"),
        ("verified: human:ann", "human-reviewed"),
        ("verified: [{by: process:ci}]", "process-reviewed"),
        ("verified: [{by: codex/1.0}]\ngenerated: {by: human:ann}", "process-reviewed"),
        ("generated: {by: claude-code/2.1, at: 2026-01-01}", "agent"),
        ("generated: {by: human:ann}", "unreviewed"),
        ("generated: {by: process:import}", "unreviewed"),
        ("verified: []\ngenerated: {by: x/1}", "agent"),
        ("verified: yes", "unreviewed"),
        ("x: y", "unreviewed"),
    ],
)
def test_trust(front, trust):
    assert page(front).trust == trust


@pytest.mark.parametrize(
    ("path", "front", "kind"),
    [
        ("entities/x.md", "a: b", "entity"),
        ("projects/p/procedures/deep/x.md", "a: b", "procedure"),
        ("entities/x.md", "type: Person", "Person"),
        ("x.md", "type:", "note"),
        ("entity/x.md", "a: b", "note"),
    ],
)
def test_type_from_the_key_else_the_folder(path, front, kind):
    assert page(front, path=path).type == kind


@pytest.mark.parametrize(
    ("path", "front", "folder", "scope", "project"),
    [
        ("projects/boat/entities/x.md", "a: b", False, "project", "boat"),
        ("projects/boat/entities/x.md", "a: b", True, "global", ""),
        ("projects/boat/x.md", "scope: branch\nproject: p", False, "branch", "p"),
        ("projects/x.md", "a: b", False, "global", ""),
        ("x.md", "scope: Project\nproject: p", True, "project", "p"),
        ("x.md", "scope: mine\nproject: p", True, "global", "p"),
    ],
)
def test_scope_from_the_keys_else_the_folder_of_a_store(path, front, folder, scope, project):
    read = page(front, path=path, folder=folder)
    assert (read.scope, read.project) == (scope, project)


@pytest.mark.parametrize(
    ("front", "sources"),
    [
        ("sources: https://a.example", (Source(resource="https://a.example"),)),
        ("sources: [a.md, null, {}]", (Source(resource="a.md"),)),
        ("sources: {url: u, title: T, lane: Context}", (Source("", "u", "T", "context"),)),
        ("sources:", ()),
        ("sources: 12", (Source(resource="12"),)),
    ],
)
def test_sources_in_every_shape(front, sources):
    assert page(front).sources == sources


@pytest.mark.parametrize(
    ("front", "links"),
    [
        ("parent: [[Soup]]", [("Soup", "parent")]),
        ('parent: "[[a]] and [[b|c]]"', [("a", "parent"), ("b", "parent")]),
        ("supersedes: old\nsuperseded_by: [new]", [("old", "supersedes"), ("new", "superseded-by")]),
        ("depends_on: [a, null, 'https://x.y']", [("a", "depends-on")]),
        (
            "links: [a, {target: b}, {target: c, rel: Made By}]",
            [("a", "relates-to"), ("b", "relates-to"), ("c", "made-by")],
        ),
        ("links: {home: https://x.y}", []),
        ("links: [https://x.y, {url: z}]", []),
        ("parent: '[[{{up}}]]'", []),
        ("implements: {{x}}", []),
    ],
)
def test_typed_links(front, links):
    assert [(link.target, link.rel) for link in page(front).links if link.form == "typed"] == links
    assert all(link.form == "typed" for link in page(front).links)


# -- anything ----------------------------------------------------------------------------------

KEYS = ["title", "aliases", "tags", "tag", "sources", "generated", "verified", "status", "importance"]
KEYS += ["created", "links", "parent", "scope", "id", "type"]
SCALARS = st.one_of(
    st.none(), st.text(max_size=8), st.sampled_from(["[[x]]", "human:a", "2024-01-01", "{{x}}", "1e400"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["by", "at", "target", "rel", "resource", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6), st.text(max_size=20), st.booleans())
def test_no_value_under_any_key_stops_the_reading(fields, body, folder):
    from memex_core.files.compose import new_page

    read = read_page("projects/p/x.md", new_page(fields, body), folder=folder)
    assert read.title
    assert 0.0 <= read.importance <= 1.0
    assert all(isinstance(tag, str) and tag for tag in read.tags + read.aliases)
    assert read.status in ("draft", "stable", "deprecated")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=100))
def test_no_bytes_stop_the_reading(data):
    assert read_page("a.md", data).title
    assert read_page("a.md", b"---\n" + data + b"\n---\n" + data).slug == "a"


@pytest.mark.parametrize("path", sorted(str(each.relative_to(PAGES)) for each in PAGES.rglob("*.md")))
def test_a_page_read_for_the_index_lacks_only_what_no_index_stores(path):
    full = fixture(path)
    lean = read_page(path, (PAGES / path).read_bytes(), indexed=True)
    assert (lean.blocks, lean.inline_fields, lean.sources) == ((), {}, ())
    full.blocks, full.inline_fields, full.sources = (), {}, ()
    full.links = tuple(link if link.start < 0 else replace(link, text="") for link in full.links)
    assert lean == full
