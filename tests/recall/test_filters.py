"""Every operator and option: which pages may be found, before any limit."""

from __future__ import annotations

import pytest

from memex_core.model.errors import BadInput
from tests.recall.conftest import Vault

NOW = "2026-06-15T12:00:00Z"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMEX_NOW", NOW)


@pytest.fixture
def shelf(vault: Vault) -> Vault:
    """Pages that all say "owl"."""
    barn = {"type": "entity", "tags": "[Bird, area/field]", "aliases": "[White owl]", "colour": "White"}
    barn["keeper"] = "{name: Odile, since: 1998}"
    vault.write("birds/Barn owl", "The owl of barns. See [[Tawny owl]].", updated="2026-03-10", **barn)
    tawny = {"type": "Entity", "tags": "[bird]", "project": "woods", "scope": "project"}
    tawny["related"] = '"[[Barn owl]]"'
    vault.write("birds/Tawny owl", "An owl of woods.", updated="2026-05-20T08:00:00Z", **tawny)
    listed = {"type": "note", "session_id": "sess-7", "sizes": "[small, Large]"}
    vault.write("Notes/list", "White owl seen, owl heard. [[Nowhere yet]]", updated="2026-06-01", **listed)
    old = {"occurred_at": "2024-12-24", "stale_after": "2026-06-10"}
    vault.write("Notes/old list", "owl and [barn](../birds/Barn%20owl.md)", updated="2026-06-02", **old)
    vault.write("Notes/idea", "owl box", status="draft", updated="2026-06-03")
    vault.write("Notes/former", "owl perch", status="archived", updated="2026-06-04")
    vault.write("Notes/expired", "owl gone", valid_until="2026-06-15", updated="2026-06-05")
    vault.write("Notes/future", "owl to come", valid_from="2026-06-16", updated="2026-06-06")
    return vault


EVERYTHING = {"barn-owl", "tawny-owl", "list", "old-list"}


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ("", EVERYTHING),
        ("tag:bird", {"barn-owl", "tawny-owl"}),
        ("tag:#BIRD", {"barn-owl", "tawny-owl"}),
        ("tag:area", {"barn-owl"}),
        ("tag:are", set()),
        ("tag:area|nothing", {"barn-owl"}),
        ("-tag:bird", {"list", "old-list"}),
        ("tag:bird tag:area/field", {"barn-owl"}),
        ("type:entity", {"barn-owl", "tawny-owl"}),
        ("type:ENTITY,note", EVERYTHING),
        ("-type:entity", {"list", "old-list"}),
        ("status:stable", EVERYTHING),
        ("status:draft", {"idea"}),
        ("status:deprecated", {"former"}),
        ("status:archived", {"former"}),
        ("status:nonsense", set()),
        ("-status:draft", EVERYTHING),
        ("scope:project", {"tawny-owl"}),
        ("scope:global", EVERYTHING - {"tawny-owl"}),
        ("project:woods", {"tawny-owl"}),
        ("-project:woods", EVERYTHING - {"tawny-owl"}),
        ("path:birds", {"barn-owl", "tawny-owl"}),
        ("path:birds/", {"barn-owl", "tawny-owl"}),
        ("path:BIRDS/*", {"barn-owl", "tawny-owl"}),
        ('path:"birds/Barn owl"', {"barn-owl"}),
        ("path:*list.md", {"list", "old-list"}),
        ("path:notes/l?st.md", {"list"}),
        ("-path:birds", {"list", "old-list"}),
        ("path:bird", set()),
        ("path:b[i]rds/*", set()),
        ("after:2026-05-20", {"tawny-owl", "list"}),
        ("after:2026-06", {"list"}),
        ("before:2026-05-20", {"barn-owl", "old-list"}),
        ("before:2025", {"old-list"}),
        ("after:4w", {"tawny-owl", "list"}),
        ("after:2026-03-01 before:2026-04-01", {"barn-owl"}),
        ("-after:2026-05-20", {"barn-owl", "old-list"}),
        ("links-to:tawny-owl", {"barn-owl"}),
        ('links-to:"Barn owl"', {"tawny-owl", "old-list"}),
        ('links-to:"[[White owl]]"', {"tawny-owl", "old-list"}),
        ('links-to:"nowhere yet"', {"list"}),
        ("links-to:unheard-of", set()),
        ('-links-to:"barn owl"', {"barn-owl", "list"}),
        ("linked-from:barn-owl", {"tawny-owl"}),
        ("linked-from:list", set()),
        ('mentions:"Barn owl"', {"tawny-owl", "old-list", "list"}),
        ("mentions:tawny-owl", {"barn-owl"}),
        ("session:sess-7", {"list"}),
        ("session:sess", set()),
        ("prop:colour=white", {"barn-owl"}),
        ("prop:Colour=White", {"barn-owl"}),
        ("prop:colour=red", set()),
        ("prop:colour=", {"barn-owl"}),
        ("prop:sizes=large", {"list"}),
        ("prop:keeper.name=odile", {"barn-owl"}),
        ("prop:keeper.since=1998", {"barn-owl"}),
        ("prop:name=odile", set()),
        ('prop:"related=Barn owl"', {"tawny-owl"}),
        ("prop:tags=bird", {"barn-owl", "tawny-owl"}),
        ('prop:"aliases=white owl"', {"barn-owl"}),
        ('-prop:"colour=white"', EVERYTHING - {"barn-owl"}),
        ("is:draft", {"idea"}),
        ("is:stale", {"old-list"}),
        ("is:broken", {"list"}),
        ("is:orphan", {"list", "old-list"}),
        ("-is:orphan", {"barn-owl", "tawny-owl"}),
        ("is:stale|broken", {"list", "old-list"}),
        ("in:pages", EVERYTHING),
        ("in:diary", set()),
        ("-in:pages", set()),
    ],
)
def test_operators(shelf: Vault, query: str, slugs: set[str]) -> None:
    """Alone, and beside a word: the same pages."""
    assert shelf.found(f"owl {query}", k=50) == slugs
    if query:
        assert shelf.found(query, k=50) == slugs


def test_filters_alone_list_the_newest_first(shelf: Vault) -> None:
    assert shelf.slugs("path:*") == ["old-list", "list", "tawny-owl", "barn-owl"]
    assert shelf.slugs("tag:bird -woods") == ["barn-owl"]


@pytest.mark.parametrize(
    ("options", "slugs"),
    [
        ({"types": ("ENTITY",)}, {"barn-owl", "tawny-owl"}),
        ({"tags": ("bird", "#Area/Field")}, {"barn-owl"}),
        ({"scope": "project"}, {"tawny-owl"}),
        ({"project": "woods"}, {"tawny-owl"}),
        ({"statuses": ("draft", "active")}, {*EVERYTHING, "idea"}),
        ({"after": "2026-05-20"}, {"tawny-owl", "list"}),
        ({"before": "2026-03-11"}, {"barn-owl", "old-list"}),
        ({"after": "7d"}, set()),
        ({"include_expired": True}, {*EVERYTHING, "expired", "future"}),
        ({"include_inactive": True}, {*EVERYTHING, "idea", "former"}),
        ({"kinds": ("diary", "transcripts")}, set()),
        ({"types": ("entity",), "tags": ("area",)}, {"barn-owl"}),
    ],
)
def test_options(shelf: Vault, options: dict[str, object], slugs: set[str]) -> None:
    assert shelf.found("owl", k=50, **options) == slugs
    assert shelf.found("", k=50, **options) == slugs


def test_a_window_opens_and_closes_at_its_minute(shelf: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMEX_NOW", "2026-06-14T23:59:59Z")
    assert "expired" in shelf.found("owl")
    monkeypatch.setenv("MEMEX_NOW", "2026-06-16T00:00:00Z")
    assert {"future"} <= shelf.found("owl")
    assert "expired" not in shelf.found("owl")


def test_filters_come_before_the_limit(vault: Vault) -> None:
    for number in range(120):
        vault.write(f"loud-{number:03}", "owl " * 9, status="draft")
    vault.write("quiet", "In all this long text about other things there is one owl.", tags="[rare]")
    assert vault.slugs("owl", k=1) == ["quiet"]
    assert vault.slugs("owl tag:rare", k=1, include_inactive=True) == ["quiet"]
    assert vault.slugs("owl others nowhere", k=1) == ["quiet"]


def test_a_name_that_is_none_is_said(shelf: Vault) -> None:
    assert shelf.recall("links-to:unheard-of")["warnings"] == ["links-to: no page is called 'unheard-of'"]
    said = "after:someday is no date, so it was searched as text"
    assert shelf.recall("after:someday owl")["warnings"] == [said]


def test_a_date_that_is_none_is_refused(shelf: Vault) -> None:
    with pytest.raises(BadInput, match="after: 'someday' is no date"):
        shelf.recall("owl", after="someday")


def test_two_pages_of_one_name_are_both_meant(vault: Vault) -> None:
    vault.write("a/Plan", "first")
    vault.write("b/Plan", "second")
    vault.write("from a", "[[a/Plan]]")
    vault.write("from b", "[[b/Plan]]")
    assert vault.found("links-to:plan") == {"from-a", "from-b"}
    assert vault.found("links-to:b/Plan") == {"from-b"}


def test_broken_front_matter_is_broken(vault: Vault) -> None:
    (vault.root / "odd.md").write_text("---\ntitle: [never closed\n---\nowl\n", encoding="utf-8")
    vault.write("fine", "owl")
    assert vault.slugs("owl is:broken") == ["odd"]


def test_values_are_never_statements(shelf: Vault) -> None:
    for query in ("tag:x'--", 'type:"x\') OR 1=1 --"', "prop:a'=b'", "session:x'); DROP TABLE page; --"):
        assert shelf.hits(query) == []
    assert shelf.found("owl") == EVERYTHING
