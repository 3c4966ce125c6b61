from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.index.links import LinkRow
from memex_core.model.errors import Conflict, Refused
from memex_tui.screens.health import presenter, repair
from memex_tui.screens.health.presenter import Finding, Group, Report, Row, Seen, Suggestion, Watch
from memex_tui.screens.health.widgets import shifted


def link(target: str, form: str = "wiki", *, line: int = 3, source: str = "a.md", **more: Any) -> LinkRow:
    values = {"source": source, "dst": None, "slug": "", "title": "", "target": target, "form": form}
    values |= {"rel": "mentions", "alias": None, "heading": None, "block": None, "ambiguous": []}
    return LinkRow(**{**values, "line": line, "text": "", **more})


def finding(check: str, link: LinkRow | None = None, **more: Any) -> Finding:
    return Finding(check, **{"file": "a.md", "line": 3, "column": 0, "message": "odd", **more}, link=link)


PAGE = Seen(is_page=True)


def test_findings_are_grouped_by_check_with_the_links_they_are_about() -> None:
    files = [
        {"file": "a.md", "line": 3, "column": 0, "message": "no page 'X'"},
        {"file": "a.md", "line": 3, "column": 0, "message": "no page 'Y'"},
    ]
    checks: Any = [
        {"name": "pages-parse", "ok": True, "level": "error", "detail": "holds", "files": []},
        {"name": "links-resolve", "ok": False, "level": "error", "detail": "2", "files": files},
        {"name": "brand-new", "ok": False, "level": "warning", "detail": "1", "files": files[:1]},
    ]
    groups = presenter.grouped(checks, [link("Y"), link("X"), link("Z", line=9)], [])
    assert [group.name for group in groups] == ["links-resolve", "pages-parse", "brand-new"]
    assert [one.link.target for one in groups[0].findings if one.link] == ["X", "Y"]
    assert [group.sign for group in groups] == [("✗", "bad"), ("✓", "good"), ("!", "warn")]
    assert groups[2].title == "Brand new"
    report = Report(tuple(groups))
    assert (report.errors, report.warnings) == (2, 1)


def test_what_holds_comes_last_and_folded_findings_are_put_away() -> None:
    one = finding("links-resolve", link("X"))
    bad = Group("links-resolve", False, True, (one,))
    good = Group("pages-parse", True, True, ())
    report = Report((good, bad))
    assert presenter.rows(report, ()) == [Row(bad), Row(bad, one), Row(good)]
    assert presenter.rows(report, {"links-resolve"}) == [Row(bad, None, True), Row(good)]
    assert presenter.too_many(report) == set()
    many = bad._replace(findings=(one,) * 201)
    assert presenter.too_many(Report((many,))) == {"links-resolve"}
    assert presenter.without(report, [one]).groups[1] == Group("links-resolve", True, True, ())
    assert len({row.key for row in presenter.rows(report, ())}) == 3


def test_places_are_as_precise_as_is_known() -> None:
    assert finding("x", line=0).place == "a.md"
    assert finding("x", line=3).place == "a.md:3"
    assert finding("x", line=3, column=7).place == "a.md:3:7"


def kinds(found: list[presenter.Fix]) -> list[str]:
    return [fix.kind for fix in found]


def test_every_finding_has_a_fix() -> None:
    for check in (*presenter.ABOUT, "something-new"):
        assert kinds(presenter.fixes(finding(check), PAGE, 1))
        assert kinds(presenter.fixes(finding(check), Seen(), 1))
    assert kinds(presenter.fixes(finding("pages-parse"), PAGE, 1)) == ["open", "edit"]
    assert kinds(presenter.fixes(finding("text-readable"), Seen(), 1)) == ["copy"]
    assert kinds(presenter.fixes(finding("index-fresh"), PAGE, 1)) == ["reread", "rebuild", "open", "edit"]
    assert kinds(presenter.fixes(finding("names-portable"), PAGE, 1)) == ["rename", "open", "edit"]


def test_a_link_to_nothing_can_be_led_somewhere_written_or_dropped() -> None:
    seen = Seen((), (Suggestion("b.md", "Bee"),), True)
    found = presenter.fixes(finding("links-resolve", link("Be")), seen, 3)
    assert kinds(found) == ["link", "link", "create", "unlink", "open"]
    assert [(fix.target, fix.every) for fix in found[:3]] == [("b.md", False), ("b.md", True), ("Be", False)]
    assert "all 3" in found[1].label
    picture = presenter.fixes(finding("links-resolve", link("img/x.png", "markdown")), PAGE, 1)
    assert kinds(picture) == ["unlink", "open"]
    embedded = presenter.fixes(finding("links-resolve", link("img/x.png", "embed")), PAGE, 1)
    assert kinds(embedded) == ["unlink", "open"]
    page = presenter.fixes(finding("links-resolve", link("sub/New page.md", "markdown")), PAGE, 1)
    assert next((fix.kind, fix.target) for fix in page) == ("create", "New page")
    typed = presenter.fixes(finding("links-resolve", link("tea", "typed")), PAGE, 1)
    assert kinds(typed) == ["create", "open"]


def test_an_ambiguous_link_is_led_to_one_of_its_candidates() -> None:
    about = link("N", ambiguous=["a/N.md", "b/N.md"], dst="a/N.md")
    found = presenter.fixes(finding("names-unambiguous", about), PAGE, 2)
    assert kinds(found) == ["link", "link", "link", "open"]
    assert found[0].label == "Link to a/N.md  (taken now)"
    assert (found[2].target, found[2].every) == ("a/N.md", True)
    one = finding("names-unambiguous", about)
    other = finding("names-unambiguous", about._replace(source="b.md"), file="b.md")
    far = finding("names-unambiguous", about._replace(ambiguous=["c/N.md"]), file="c.md")
    report = presenter.with_alike(Report((Group("names-unambiguous", False, False, (one, far, other)),)))
    assert presenter.alike(report, one) == [one, other]
    assert presenter.alike(presenter.without(report, [other]), one) == [one]
    lone = finding("pages-parse")
    assert presenter.alike(report, lone) == [lone]


def test_the_lines_around_are_numbered() -> None:
    text = "one\r\n\r\nthree\nfour\n\n\n"
    assert presenter.around(text, 3) == ((1, "one"), (2, ""), (3, "three"), (4, "four"))
    assert presenter.around(text, 99) == ()
    assert presenter.around("", 1) == ((1, ""),)


def test_a_long_line_is_shown_where_its_link_is() -> None:
    about = finding("links-resolve", link("Target"))
    text = "word " * 20 + "[[Target]] rest"
    assert shifted(text, about, True, 200) == text
    found = shifted(text, about, True, 40)
    assert found.startswith("…")
    assert "[[Target]]" in found[:40]
    assert shifted("[[Target]] " + text, about, True, 40).startswith("[[Target]]")
    assert shifted(text, about, False, 40) == text


def test_a_path_in_the_home_folder_is_told_in_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert presenter.from_home("/home/ada/notes") == "~/notes"
    assert presenter.from_home("/home/adalbert/notes") == "/home/adalbert/notes"
    assert presenter.from_home("/srv/notes") == "/srv/notes"


def test_the_facts_name_what_matters(memex: Any) -> None:
    memex.write(type="entity", title="Ada", body="x")
    memex.write(type="entity", title="Draft", body="x", status="draft")
    memex.diary_append("a day")
    said = {
        label: (value, style)
        for label, value, style in presenter.facts(memex.status(), memex.info(), Watch())
    }
    assert said["pages"] == ("2", "text")
    assert said["types"][0] == "entity 2"
    assert said["drafts"] == ("1 wait for review", "warn")
    assert said["also"] == ("0 conversations · 1 day of diary", "muted")
    assert said["watcher"] == ("sees edits as they happen", "good")
    assert said["memory"][0] == memex.root
    assert said["index in"][0].endswith("mem.db")
    assert said["last write"][0].startswith("diary ")

    def watcher(**how: Any) -> tuple[str, str]:
        found = presenter.facts(memex.status(), memex.info(), Watch(**how))
        return next((value, style) for label, value, style in found if label == "watcher")

    assert watcher(polling=True) == ("compares the folder every 2 s", "warn")
    assert watcher(problem="no room") == ("no room", "warn")
    assert watcher(off=True) == ("not running", "muted")


def test_sizes_and_bars() -> None:
    assert [presenter.size_of(n) for n in (9_999, 20_480, 38_000_000)] == ["9,999 B", "20 KB", "38.0 MB"]
    assert presenter.bar(0, 0, 4) == "▱▱▱▱"
    assert presenter.bar(1, 2, 4) == "▰▰▱▱"
    assert presenter.bar(2, 2, 4) == "▰▰▰▰"


# -- mending links on disk ---------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    for path, text in {
        "list.md": "---\ntags: [a]\n---\n# List\r\n\r\n- [[Helth probe]] here\r\n- [[Helth probe|probe]]\r\n"
        "- `[[Helth probe]]` as code\r\n- [md](Helth%20probe.md#x) and [[Note#Two]]\r\n",
        "typed.md": "---\ntype: note\ndepends_on: [helth-probe, list]\nlinks:\n  - target: helth-probe\n"
        "    rel: uses\n---\ntext\n",
        "ops/Health probe.md": "# Health probe\n",
        "a/Note.md": "# Note\n\n## Two\n",
        "b/Note.md": "# Note\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    (root / "latin.md").write_bytes(b"caf\xe9 [[Helth probe]]\n")
    return root


@pytest.fixture
def vault(folder: Path) -> Iterator[Memex]:
    with Memex(folder, create=True) as opened:
        yield opened


def checked(memex: Memex) -> Report:
    index = memex.store.index
    groups = presenter.grouped(memex.verify()["checks"], index.unresolved(), index.ambiguous())
    return presenter.with_alike(Report(tuple(groups)))


def of(report: Report, check: str, target: str, file: str = "", form: str = "") -> list[Finding]:
    group = next(group for group in report.groups if group.name == check)
    found = [one for one in group.findings if one.link and one.link.target == target]
    return [
        one
        for one in found
        if (not file or one.file == file) and (not form or (one.link is not None and one.link.form == form))
    ]


def test_a_mistyped_link_gets_suggestions_and_is_mended_where_it_stands(vault: Memex, folder: Path) -> None:
    report = checked(vault)
    first, second = of(report, "links-resolve", "Helth probe", "list.md", "wiki")
    seen = presenter.look_at(vault, first)
    assert seen.is_page
    assert (6, "- [[Helth probe]] here") in seen.lines
    assert seen.suggestions == (Suggestion("ops/Health probe.md", "Health probe", "Health probe"),)
    before = (folder / "list.md").read_bytes()
    assert repair.link_to(vault, [first], "ops/Health probe.md") == 1
    assert (folder / "list.md").read_bytes() == before.replace(
        b"[[Helth probe]] here", b"[[Health probe]] here"
    )
    assert repair.link_to(vault, [second], "ops/Health probe.md") == 1
    assert b"[[Health probe|probe]]" in (folder / "list.md").read_bytes()
    assert b"`[[Helth probe]]`" in (folder / "list.md").read_bytes()
    assert of(checked(vault), "links-resolve", "Helth probe", "list.md", "wiki") == []


def test_all_of_them_at_once_and_bytes_that_are_no_text_stay(vault: Memex, folder: Path) -> None:
    report = checked(vault)
    first = of(report, "links-resolve", "Helth probe", "list.md", "wiki")[0]
    alike = presenter.alike(report, first)
    assert {one.file for one in alike} == {"list.md", "latin.md"}
    assert repair.link_to(vault, alike, "ops/Health probe.md") == 2
    assert (folder / "latin.md").read_bytes() == b"caf\xe9 [[Health probe]]\n"


def test_a_markdown_link_keeps_its_kind(vault: Memex, folder: Path) -> None:
    [one] = of(checked(vault), "links-resolve", "Helth probe.md")
    repair.link_to(vault, [one], "ops/Health probe.md")
    assert b"[md](ops/Health%20probe.md#x)" in (folder / "list.md").read_bytes()


def test_relations_in_front_matter_are_led_on_too(vault: Memex, folder: Path) -> None:
    found = of(checked(vault), "links-resolve", "helth-probe")
    assert {one.file for one in found} == {"typed.md"}
    repair.link_to(vault, found[:1], "ops/Health probe.md")
    assert of(checked(vault), "links-resolve", "helth-probe") == []
    text = (folder / "typed.md").read_text()
    assert "helth-probe" not in text
    assert text.endswith("---\ntext\n")
    assert "rel: uses" in text


def test_an_ambiguous_name_becomes_the_path_that_is_meant(vault: Memex, folder: Path) -> None:
    [one] = of(checked(vault), "names-unambiguous", "Note")
    assert one.link is not None
    assert set(one.link.ambiguous) == {"a/Note.md", "b/Note.md"}
    repair.link_to(vault, [one], "b/Note.md")
    assert b"[[b/Note#Two]]" in (folder / "list.md").read_bytes()
    assert of(checked(vault), "names-unambiguous", "Note") == []


def test_plain_text_keeps_what_the_link_shows(vault: Memex, folder: Path) -> None:
    report = checked(vault)
    repair.unlink(vault, of(report, "links-resolve", "Helth probe", "list.md", "wiki"))
    repair.unlink(vault, of(report, "links-resolve", "Helth probe.md"))
    lines = (folder / "list.md").read_bytes().split(b"\r\n")
    assert lines[2:6] == [
        b"- Helth probe here",
        b"- probe",
        b"- `[[Helth probe]]` as code",
        b"- md and [[Note#Two]]",
    ]


def test_a_link_that_is_gone_is_not_mended(vault: Memex, folder: Path) -> None:
    found = of(checked(vault), "links-resolve", "Helth probe", "list.md", "wiki")
    (folder / "list.md").write_text("# List\n\nother\n")
    with pytest.raises(Refused, match="not there any more"):
        repair.link_to(vault, found, "ops/Health probe.md")
    assert (folder / "list.md").read_text() == "# List\n\nother\n"


def test_an_edit_made_meanwhile_is_never_lost(
    vault: Memex, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = of(checked(vault), "links-resolve", "Helth probe", "list.md", "wiki")
    edit = vault.edit

    def late(*args: Any, **more: Any) -> Any:
        (folder / "list.md").write_text("# List\n\nwritten meanwhile [[Helth probe]]\n")
        return edit(*args, **more)

    monkeypatch.setattr(vault, "edit", late)
    with pytest.raises(Conflict):
        repair.link_to(vault, found, "ops/Health probe.md")
    assert "meanwhile" in (folder / "list.md").read_text()


def test_a_far_guess_is_no_fix(root: Path) -> None:
    """Another season, another year: the first fix is not a page with half a name in common."""
    with Memex(root, create=True) as memex:
        for title in ("Spring menu", "Meeting 2025", "Anna", "Order service"):
            memex.write(type="entity", title=title, body="x")
        targets = ("Winter menu", "Meeting 2024", "Hana", "Ann", "Odrer servce", "Service")
        memex.write(type="entity", title="Links", body=" ".join(f"[[{one}]]" for one in targets))
        report = checked(memex)
        offered = {}
        for target in targets:
            [one] = of(report, "links-resolve", target)
            seen = presenter.look_at(memex, one)
            offered[target] = [suggestion.title for suggestion in seen.suggestions]
            assert presenter.fixes(one, seen, 1)[0].kind == ("link" if offered[target] else "create")
    assert offered == {
        "Winter menu": [],
        "Meeting 2024": [],
        "Hana": [],
        "Ann": ["Anna"],
        "Odrer servce": ["Order service"],
        "Service": ["Order service"],
    }
