import asyncio
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memex_core import Memex
from memex_tui.app import MemexApp
from memex_tui.messages import PagesChanged, Place, Watching
from memex_tui.screens.health import presenter
from memex_tui.screens.health import screen as health
from memex_tui.screens.health.screen import HealthScreen, Progress
from memex_tui.screens.health.widgets import Detail, FactSheet
from memex_tui.screens.overlays.rename import RenameCard
from memex_tui.widgets.virtual_list import VirtualList
from tests.tui.brackets import BRACKETS
from tests.tui.frames import NARROW, WIDE, check_frame, press, rest, running, settle, text_frame, until

FILES = {
    "lists/deploy.md": "---\ntype: list\n---\n# Deploy\n\n- backup first\n"
    "- see [[Health probe]] before the switch\n- read [[Notes]]\n\n"
    "![shot](img/shot.png) and [[Winter menu|the menu]]\n",
    "ops/Health probes.md": "# Health probes\n\nAlso [[Health probe]].\n",
    "a/Notes.md": "# Notes\n\nOne, for [[lists/deploy]].\n",
    "b/Notes.md": "# Notes\n\nTwo.\n",
    "broken.md": "---\ntitle: [unclosed\n---\n# Broken\n",
    "dup.md": "---\ntitle: A\ntitle: B\n---\n# Dup\n",
    "Case.md": "# Case\n",
    "case.md": "# case\n",
}
SAID = {"memory": "~/vault", "pages in": "the same folder", "index in": "~/vault/.memex/mem.db"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check is run again by itself, however slow the machine is."""
    monkeypatch.setattr(health, "QUICK", 600.0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault with one of everything that can be wrong."""
    at = tmp_path / "vault"
    for path, text in FILES.items():
        (at / path).parent.mkdir(parents=True, exist_ok=True)
        (at / path).write_text(text)
    with Memex(at, create=True):
        pass
    return at


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """What changes from run to run stands still."""
    facts = presenter.facts

    def fixed(status: Any, info: Any, watch: Any) -> list[presenter.Fact]:
        status = {**status, "index_bytes": 204_800, "last_index_rebuild": "2026-11-30T09:00:00Z"}
        found = facts(status, info, watch)
        return [(label, SAID.get(label, value), style) for label, value, style in found if label != "journal"]

    monkeypatch.setattr(presenter, "facts", fixed)


def shown(app: MemexApp) -> str:
    """The frame without the time and the duration of the check."""
    return re.sub(r"\d\d:\d\d · \d+\.\d s", "09:00 · 0.1 s", text_frame(app))


def app_on(root: Path, **options: Any) -> MemexApp:
    return MemexApp(str(root), area="health", **{"keep_state": False, "watch": False, **options})


async def ready(pilot: Pilot[Any]) -> HealthScreen:
    """Wait until the check is done and the finding under the cursor has been looked at."""
    screen = pilot.app.screen
    await rest(pilot)
    assert isinstance(screen, HealthScreen)
    assert screen._job is None
    return screen


def at(screen: HealthScreen, check: str, target: str = "", file: str = "") -> presenter.Finding:
    """Put the cursor on a finding."""
    rows = presenter.rows(screen._report, screen._folded)
    for number, row in enumerate(rows):
        found = row.finding
        if found is None or found.check != check or (file and found.file != file):
            continue
        if not target or (found.link is not None and found.link.target == target):
            screen.findings.move_to(number)
            return found
    raise AssertionError(f"no finding of {check} about {target or file}")


def counts(screen: HealthScreen) -> dict[str, int]:
    return {group.name: len(group.findings) for group in screen._report.groups if group.findings}


def number_of(screen: HealthScreen, kind: str, target: str = "", *, every: bool = False) -> str:
    """The digit that does a fix."""
    for number, fix in enumerate(screen._fixes, 1):
        if fix.kind == kind and fix.every == every and target in ("", fix.target):
            return str(number)
    raise AssertionError(f"no fix {kind} among {screen._fixes}")


def listen(app: MemexApp) -> list[Place]:
    heard: list[Place] = []

    async def go(place: Place, *, remember: bool = True) -> None:
        heard.append(place)

    app.go = go  # type: ignore[method-assign]
    return heard


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("state", ["findings", "check", "ambiguous", "facts", "rename"])
async def test_health_as_it_looks(root: Path, state: str, size: tuple[int, int]) -> None:
    app = app_on(root)
    async with running(app, size) as pilot:
        screen = await ready(pilot)
        if state == "check":
            screen.findings.move_to(0)
        elif state == "ambiguous":
            at(screen, "names-unambiguous")
        elif state == "facts":
            await press(pilot, ["i"])
        elif state == "rename":
            at(screen, "names-portable")
            await ready(pilot)
            await press(pilot, [number_of(screen, "rename"), "end", "2"])
            await seen(pilot, "→ case2.md")
        await settle(pilot)
        if state != "rename":
            await ready(pilot)
        check_frame(f"health/{state}-{size[0]}x{size[1]}", shown(app))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_memory_without_faults_and_none_at_all(tmp_path: Path, size: tuple[int, int]) -> None:
    well = tmp_path / "well"
    well.mkdir()
    (well / "a.md").write_text("# A\n")
    async with running(app_on(well), size) as pilot:
        screen = await ready(pilot)
        assert counts(screen) == {}
        text = text_frame(pilot.app)
        assert "✓ all is well" in text
        assert "✗" not in text
    async with running(app_on(tmp_path / "none"), size) as pilot:
        await ready(pilot)
        assert "There is no memory here yet: 1 goes to Search" in text_frame(pilot.app)
        await press(pilot, ["enter", "n", "N", "i", "r"])
        assert not pilot.app._notifications


async def test_everything_that_is_wrong_is_found_and_explained(root: Path) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await ready(pilot)
        assert counts(screen) == {
            "links-resolve": 4,
            "names-unambiguous": 1,
            "pages-parse": 1,
            "names-portable": 1,
            "keys-unique": 1,
        }
        assert screen._finding is not None  # the cursor begins on the first finding
        at(screen, "links-resolve", "Health probe", "lists/deploy.md")
        await ready(pilot)
        text = text_frame(pilot.app)
        assert "lists/deploy.md:7" in text
        assert "7  - see [[Health probe]] before the switch" in text
        assert "1  Link to “Health probes”" in text
        seen = set()
        for _ in range(9):
            assert screen._fixes
            assert screen._finding is not None
            seen.add(screen._finding.key)
            await press(pilot, ["n"])
            await ready(pilot)
        assert len(seen) == 8


async def test_a_link_is_mended_by_its_number_and_u_takes_it_back(root: Path) -> None:
    before = (root / "lists/deploy.md").read_text()
    async with running(app_on(root), WIDE) as pilot:
        screen = await ready(pilot)
        at(screen, "links-resolve", "Health probe", "lists/deploy.md")
        await ready(pilot)
        await press(pilot, [number_of(screen, "link")] * 2)
        await ready(pilot)
        assert (root / "lists/deploy.md").read_text() == before.replace(
            "[[Health probe]]", "[[Health probes]]"
        )
        assert counts(screen)["links-resolve"] == 3
        assert any(
            "lists/deploy.md:7: now links to ops/Health probes.md" in n.message
            for n in pilot.app._notifications
        )
        await press(pilot, ["u"])
        await ready(pilot)
        assert (root / "lists/deploy.md").read_text() == before
        assert counts(screen)["links-resolve"] == 4


async def test_a_fix_of_many_pages_is_asked_for_twice(root: Path) -> None:
    (root / "ops/more.md").write_text("# More\n\n[[Health probe]]\n")
    before = (root / "lists/deploy.md").read_text()
    async with running(app_on(root), WIDE) as pilot:
        screen = await ready(pilot)
        at(screen, "links-resolve", "Health probe", "lists/deploy.md")
        await ready(pilot)
        number = next(n for n, fix in enumerate(screen._fixes, 1) if fix.every)
        await press(pilot, [str(number)])
        await ready(pilot)
        assert (root / "lists/deploy.md").read_text() == before
        asked = f"Press {number} once more: link all 3"
        assert any(note.message.startswith(asked) for note in pilot.app._notifications)
        await press(pilot, [str(number)])
        await ready(pilot)
        assert (root / "ops/more.md").read_text() == "# More\n\n[[Health probes]]\n"
        assert "[[Health probes]]" in (root / "lists/deploy.md").read_text()


async def test_an_ambiguous_link_is_settled(root: Path) -> None:
    before = (root / "lists/deploy.md").read_text()
    async with running(app_on(root), NARROW) as pilot:
        screen = await ready(pilot)
        at(screen, "names-unambiguous")
        await ready(pilot)
        await press(pilot, [number_of(screen, "link", "b/Notes.md")] * 2)
        await ready(pilot)
        assert (root / "lists/deploy.md").read_text() == before.replace("[[Notes]]", "[[b/Notes]]")
        assert "names-unambiguous" not in counts(screen)


async def test_a_link_becomes_plain_text(root: Path) -> None:
    before = (root / "lists/deploy.md").read_text()
    async with running(app_on(root), WIDE) as pilot:
        screen = await ready(pilot)
        at(screen, "links-resolve", "Winter menu")
        await ready(pilot)
        number = number_of(screen, "unlink")
        await press(pilot, [number])
        await ready(pilot)
        assert (root / "lists/deploy.md").read_text() == before
        assert f"Press {number} once more" in list(pilot.app._notifications)[-1].message
        await press(pilot, [number])
        await ready(pilot)
        assert (root / "lists/deploy.md").read_text() == before.replace(
            "[[Winter menu|the menu]]", "the menu"
        )
        assert counts(screen)["links-resolve"] == 3


async def test_pages_are_opened_at_the_line_edited_and_written(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        at(screen, "links-resolve", "Winter menu")
        await ready(pilot)
        heard = listen(app)
        await press(pilot, ["enter", number_of(screen, "open"), number_of(screen, "create")])
        at(screen, "pages-parse")
        await ready(pilot)
        await press(pilot, [number_of(screen, "edit")])
        await settle(pilot)
        found = [(place.area, place.path, place.line, place.purpose, place.title) for place in heard]
        assert found == [
            ("page", "lists/deploy.md", 10, "read", ""),
            ("page", "lists/deploy.md", 10, "read", ""),
            ("page", "", 0, "new", "Winter menu"),
            ("page", "broken.md", 3, "edit", ""),
        ]


async def seen(pilot: Pilot[None], text: str) -> None:
    """Wait until a text is on the screen; a pop-up looks a moment after the last key."""
    end = time.monotonic() + 60
    while text not in text_frame(pilot.app):
        assert time.monotonic() < end, text_frame(pilot.app)
        await pilot.pause(0.02)


async def test_a_colliding_page_gets_another_name_and_its_links_follow(root: Path) -> None:
    (root / "lists/deploy.md").write_text(FILES["lists/deploy.md"] + "\n[[case.md]]\n")
    async with running(app_on(root), WIDE) as pilot:
        screen = await ready(pilot)
        found = at(screen, "names-portable")
        assert found.file == "case.md"
        await ready(pilot)
        await press(pilot, [number_of(screen, "rename")])
        card = pilot.app.screen
        assert isinstance(card, RenameCard)
        card.query_one(Input).value = "Other case"
        await seen(pilot, "→ Other case.md  1 link in 1 page will be rewritten")
        await press(pilot, ["enter"])
        await ready(pilot)
        assert (root / "Other case.md").read_text().startswith("# Other case")
        assert "[[Other case.md]]" in (root / "lists/deploy.md").read_text()
        assert "names-portable" not in counts(screen)


async def test_a_name_that_is_taken_is_refused_and_nothing_happens(root: Path) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await ready(pilot)
        at(screen, "names-portable")
        await ready(pilot)
        await press(pilot, [number_of(screen, "rename")])
        card = pilot.app.screen
        await press(pilot, ["enter"])
        assert pilot.app.screen is card
        card.query_one(Input).value = "dup"
        await seen(pilot, "dup.md exists")
        await press(pilot, ["enter"])
        await settle(pilot)
        assert pilot.app.screen is card
        await press(pilot, ["escape"])
        assert pilot.app.screen is screen
        assert {path.name for path in root.glob("*.md")} == {"broken.md", "dup.md", "Case.md", "case.md"}


async def test_the_index_is_rebuilt_and_a_page_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await ready(pilot)
        with Memex(root) as other:
            db = other.store.index.db
            db.execute("UPDATE page SET digest = 'x' WHERE path = 'dup.md'")
            db.execute("UPDATE page SET digest = 'y' WHERE path = 'Case.md'")
            db.commit()
        await press(pilot, ["r"])
        await ready(pilot)
        assert counts(screen)["index-fresh"] == 2
        at(screen, "index-fresh", file="dup.md")
        await ready(pilot)
        await press(pilot, [number_of(screen, "reread")])
        await ready(pilot)
        assert counts(screen)["index-fresh"] == 1
        rows = presenter.rows(screen._report, screen._folded)
        screen.findings.move_to(next(n for n, row in enumerate(rows) if row.group.name == "index-fresh"))
        await ready(pilot)
        await press(pilot, [number_of(screen, "rebuild")])
        await ready(pilot)
        assert "index-fresh" not in counts(screen)
        assert any("Index rebuilt: 8 pages" in one.message for one in pilot.app._notifications)
        await press(pilot, ["R"])
        await ready(pilot)
        assert sum("Index rebuilt" in one.message for one in pilot.app._notifications) == 2


class Gate:
    """Holds a check at its second page until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open = threading.Event()
        self.reached = threading.Event()
        step = Progress.step

        def held(progress: Progress, done: int, total: int) -> None:
            step(progress, done, total)
            if done == 2:
                self.reached.set()
                self.open.wait(90)
                step(progress, done, total)

        monkeypatch.setattr(Progress, "step", held)


async def test_the_check_runs_beside_everything_and_can_be_stopped(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    app = app_on(root)
    async with app.run_test(size=WIDE) as pilot:
        await asyncio.to_thread(gate.reached.wait, 90)
        await until(pilot, lambda: "checking 2 of 8 ▰▰▱▱▱▱▱▱▱▱" in text_frame(app))
        screen = app.screen
        assert isinstance(screen, HealthScreen)
        # Other questions are answered meanwhile.
        assert await app.gateway.ask("t", lambda memex: memex.show("dup.md")["title"]) in ("A", "B")
        assert "health.running" in screen.contexts()
        await pilot.press("escape")
        await pilot.pause()
        assert screen._job is None
        assert "Checking was stopped" in text_frame(app)
        gate.open.set()
        await pilot.press("r")
        await ready(pilot)
        assert counts(screen)["links-resolve"] == 4


async def test_a_stopped_rebuild_leaves_the_old_index(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        rebuild = Memex.rebuild_index
        reached, go = threading.Event(), threading.Event()

        def held(memex: Memex, force: bool = False, progress: Any = None) -> Any:
            def step(done: int, total: int) -> None:
                reached.set()
                go.wait(90)
                progress(done, total)

            return rebuild(memex, force=force, progress=step)

        monkeypatch.setattr(Memex, "rebuild_index", held)
        await pilot.press("R")
        await asyncio.to_thread(reached.wait, 90)
        await pilot.press("escape")
        go.set()
        await ready(pilot)
        assert any("the old index still answers" in one.message for one in app._notifications)
        assert await app.gateway.ask("t", lambda memex: memex.store.index.total()) == 8
        assert screen._report.groups


async def test_changes_are_seen_without_asking(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        found = at(screen, "keys-unique")
        (root / "broken.md").write_text("# Mended\n")
        with Memex(root) as other:
            other.store.index.update(["broken.md"])
        app.post_message(PagesChanged(changed=("broken.md",)))
        await ready(pilot)
        assert "pages-parse" not in counts(screen)
        assert screen._finding == found


async def test_a_long_check_is_not_run_again_by_itself(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        screen._report = screen._report._replace(seconds=health.QUICK + 1)
        before = screen._report
        app.post_message(PagesChanged(changed=("broken.md", "dup.md")))
        await ready(pilot)
        assert screen._report is before
        assert "2 changed since" in text_frame(app)


async def test_checks_fold_and_findings_are_passed_through(root: Path) -> None:
    async with running(app_on(root), NARROW) as pilot:
        screen = await ready(pilot)
        first = screen._finding
        await press(pilot, ["n"])
        assert screen._finding != first
        await press(pilot, ["N"])
        assert screen._finding == first
        screen.findings.move_to(0)
        await press(pilot, ["enter"])
        assert screen._folded == {"links-resolve"}
        assert "▸ Links lead somewhere" in text_frame(pilot.app)
        assert screen.save_state() == {"folded": ["links-resolve"]}
        await press(pilot, ["enter"])
        assert screen._folded == set()
        screen.restore_state({"folded": 3})
        screen.restore_state({"folded": ["links-resolve", 4]})
        assert screen._folded == {"links-resolve"}


async def test_the_watcher_is_named(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await ready(pilot)
        assert "not running" in str(app.screen.query_one(FactSheet)._facts)
        app._follower = object()  # type: ignore[assignment]
        app.post_message(Watching(polling=True))
        await ready(pilot)
        assert "compares the folder every 2 s" in text_frame(app)
        app._follower = None


async def test_a_click_on_a_fix_does_it(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        at(screen, "links-resolve", "Winter menu")
        await ready(pilot)
        detail = screen.query_one(Detail)
        y = next(y for y, _, _, value in detail._hits if value == f"health.fix-{number_of(screen, 'unlink')}")
        for _ in range(2):
            await pilot.click(detail, offset=(6, y + 1))
            await ready(pilot)
        assert "and the menu" in (root / "lists/deploy.md").read_text()


async def test_a_number_without_a_fix_says_how_to_go_there(root: Path) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await ready(pilot)
        heard = listen(app)
        await press(pilot, ["9"])
        assert app.current_mode == "health"
        assert heard == []
        assert [one.message for one in app._notifications] == [
            "There is no fix 9 here; alt+9 goes to Settings"
        ]


async def test_targets_are_text(tmp_path: Path) -> None:
    at = tmp_path / "odd"
    at.mkdir()
    for number, name in enumerate(BRACKETS):
        (at / f"{number}.md").write_text(f"---\ntitle: [x\n---\n[m](<{name}>) [[{name}|{name}]] [[{name}]]\n")
    async with running(app_on(at), NARROW) as pilot:
        screen = await ready(pilot)
        findings = screen.query_one("#findings", VirtualList)
        looked: set[str] = set()
        for _ in range(findings.count):
            await press(pilot, ["n"])
            await ready(pilot)
            assert screen._finding is not None
            looked.add(screen._finding.file)
            assert not pilot.app._notifications, screen._finding
        assert looked >= {f"{number}.md" for number in range(len(BRACKETS))}


async def test_one_page_is_not_called_pages_and_help_tells_the_fixes_in_one_row(tmp_path: Path) -> None:
    root = tmp_path / "one"
    root.mkdir()
    (root / "Solo.md").write_text("[[Ghost]]\n")
    with Memex(root, create=True):
        pass
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await until(pilot, lambda: "✗ 1  1 page · " in text_frame(app))
        await press(pilot, ["?"])
        rows = [line for line in text_frame(app).splitlines() if " Fix" in line]
        assert len(rows) == 1 and "1 … 9 " in rows[0]
        assert "Does what stands beside the number for the finding under the cursor." in text_frame(app)
