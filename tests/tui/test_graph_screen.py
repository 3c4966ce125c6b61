import json
import os
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memex_core import Memex
from memex_core.model.graph_export import FORMATS
from memex_tui.app import MemexApp
from memex_tui.messages import PagesChanged, Place
from memex_tui.screens.graph import screen as graph_screen
from memex_tui.screens.graph.dialogs import ExportCard, FindNode, TypesCard, write_export
from memex_tui.screens.graph.screen import GraphScreen
from memex_tui.screens.graph.widgets import NodeCard
from tests.tui.brackets import BRACKETS
from tests.tui.frames import NARROW, WIDE, check_frame, frame, press, rest, running, settle, text_frame

PAGES = (
    (
        "fact",
        "Rate limits",
        "A **429** carries *retry-after*; the [[HTTP client]] honours it.",
        ["incident:caused-by"],
    ),
    ("rule", "Retry policy", "Three tries, see [[HTTP client]] and [[Rate limits]].", []),
    ("fact", "HTTP client", "Reads headers in one place. Not yet: [[Circuit breaker]].", []),
    ("event", "Incident", "The limiter rejected the probe; [[On-call]] was paged.", []),
    ("entity", "On-call", "One person a week.", []),
    ("entity", "日本語のページ", "[[Rate limits]]", []),
    ("fact", "Quota [beta]", "Not live: [[Rate limits]].", []),
    ("decision", "Far away", "Only [[On-call]] knows.", []),
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Eight linked pages, one of them missing, in a store whose clock stands still."""
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T09:00:00Z")
    monkeypatch.chdir(tmp_path)
    at = str(tmp_path / "store")
    with Memex(at, create=True) as memex:
        for kind, title, body, links in PAGES:
            memex.write(type=kind, title=title, body=body, links=links, tags=["ops"])
    return at


def app_on(root: str, **options: Any) -> MemexApp:
    return MemexApp(root, area="graph", **{"keep_state": False, "watch": False, **options})


async def ready(pilot: Pilot[Any]) -> GraphScreen:
    """Wait until the picture and the card of the selected page are there."""
    await rest(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, GraphScreen)
    assert not [one.message for one in pilot.app._notifications]
    return screen


async def focused(pilot: Pilot[Any], path: str = "Rate limits") -> GraphScreen:
    app = pilot.app
    assert isinstance(app, MemexApp)
    await ready(pilot)
    await app.go(Place("graph", path))
    return await ready(pilot)


def titles(screen: GraphScreen) -> set[str]:
    return {node.title for node in screen.canvas.graph.nodes}


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("state", ["overview", "map", "lanes", "list", "hints", "types", "export"])
async def test_the_graph_as_it_looks(root: str, state: str, size: tuple[int, int]) -> None:
    keys = {"lanes": "v", "list": "vv", "hints": "f", "types": "t", "export": "x"}.get(state, "")
    async with running(app_on(root), size) as pilot:
        await ready(pilot)
        if state != "overview":
            await focused(pilot)
        await press(pilot, keys)
        if state == "export":
            pilot.app.screen.query_one(Input).value = "rate-limits-graph.svg"
        await settle(pilot)
        check_frame(f"graph/{state}-{size[0]}x{size[1]}", text_frame(pilot.app))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_an_empty_memory_and_none_at_all_are_said(tmp_path: Path, size: tuple[int, int]) -> None:
    with Memex(tmp_path / "empty", create=True):
        pass
    async with running(app_on(str(tmp_path / "empty")), size) as pilot:
        await ready(pilot)
        assert "No pages yet" in text_frame(pilot.app)
        check_frame(f"graph/empty-{size[0]}x{size[1]}", text_frame(pilot.app))
    async with running(app_on(str(tmp_path / "none")), size) as pilot:
        await settle(pilot)
        assert "There is no memory here yet: 1 goes to Search" in text_frame(pilot.app)
        assert "b group by" not in text_frame(pilot.app)  # nothing to group
        await press(pilot, ["right", "enter", "f", "v", "v", "t", "escape", "c", "o"])
        assert not [one.message for one in pilot.app._notifications]


async def test_arrows_follow_links_and_enter_opens_the_page(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot)
        start = screen.canvas.selected
        await press(pilot, ["right"])
        chosen = screen.canvas.selected
        assert start is not None
        assert chosen is not None
        assert chosen != start
        await ready(pilot)
        assert screen.query_one(NodeCard).border_title == chosen.title
        assert screen.current_item() is not None
        heard = listen(app)
        await press(pilot, ["enter"])
        assert [(place.area, place.path, place.purpose) for place in heard] == [("page", chosen.id, "read")]


def listen(app: MemexApp) -> list[Place]:
    """Hear where the app is asked to go, instead of going there."""
    heard: list[Place] = []

    async def go(place: Place, *, remember: bool = True) -> None:
        heard.append(place)

    app.go = go  # type: ignore[method-assign]
    return heard


async def test_pages_are_edited_and_ghosts_are_written(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot, "HTTP client")
        heard = listen(app)
        await press(pilot, ["e"])
        screen.canvas.select("Circuit breaker")
        await ready(pilot)
        assert screen.current_item() is None
        await press(pilot, ["c", "F", "escape", "enter"])
        assert [(place.purpose, place.title) for place in heard] == [
            ("edit", "HTTP client"),
            ("new", "Circuit breaker"),
        ]


async def test_centring_walks_on_and_the_history_walks_back_with_the_selection(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot)
        await press(pilot, ["]"])
        target = next(node for node in screen.canvas.graph.nodes if node.title == "Incident")
        screen.canvas.select(target.id)
        await press(pilot, ["c"])
        await ready(pilot)
        assert screen.canvas.graph.focus == target.id
        assert "Incident" in frame(app)[1]
        await press(pilot, ["backspace"])
        await ready(pilot)
        assert screen.canvas.graph.focus.endswith("rate-limits.md")
        assert screen.canvas.selected == target
        await press(pilot, ["ctrl+t"])
        await ready(pilot)
        assert screen.canvas.graph.focus == target.id


async def test_hints_select_and_centre(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot)
        await press(pilot, ["f", "s"])
        chosen = screen.canvas.selected
        assert chosen is not None
        assert chosen.id != screen.canvas.graph.focus
        await press(pilot, ["F", "s"])
        await ready(pilot)
        assert screen.canvas.graph.focus == chosen.id


async def test_hops_take_in_more_and_less(root: str) -> None:
    async with running(app_on(root), NARROW) as pilot:
        screen = await focused(pilot)
        assert "2 hops · " in frame(pilot.app)[1]
        await press(pilot, ["["])
        await ready(pilot)
        assert "1 hop · " in frame(pilot.app)[1]
        near = titles(screen)
        assert "Far away" not in near
        await press(pilot, ["]", "]"])
        await ready(pilot)
        assert titles(screen) >= near | {"Far away", "Circuit breaker"}
        assert "3 hops · " in frame(pilot.app)[1]
        await press(pilot, ["]", "[", "["])
        await ready(pilot)
        assert titles(screen) == near


async def test_where_two_hops_are_too_many_to_read_there_is_one(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_screen, "READABLE", {False: 7, True: 99})
    async with running(app_on(root), NARROW) as pilot:
        screen = await focused(pilot)
        assert screen._where.hops == 1
        await press(pilot, ["]"])
        await ready(pilot)
        assert "2 hops · " in frame(pilot.app)[1]
        screen = await focused(pilot, "Incident")
        assert screen._where.hops == 2  # as was asked for


async def test_views_keep_the_selection_and_an_overview_has_no_lanes(root: str) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await focused(pilot)
        await press(pilot, ["right"])
        chosen = screen.canvas.selected
        seen = []
        for _ in range(3):
            await press(pilot, ["v"])
            seen.append(screen.canvas.view)
            assert screen.canvas.selected == chosen
        assert seen == ["lanes", "list", "map"]
        await press(pilot, ["v", "o"])
        await ready(pilot)
        assert screen.canvas.view == "map"
        await press(pilot, ["v"])
        assert screen.canvas.view == "list"


async def test_moving_in_lanes_and_list(root: str) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await focused(pilot)
        await press(pilot, ["v", "h"])
        left = screen.canvas.selected
        await press(pilot, ["j"])
        assert screen.canvas.selected != left
        await press(pilot, ["k"])
        assert screen.canvas.selected == left
        await press(pilot, ["l"])
        assert screen.canvas.selected is not None
        assert screen.canvas.selected.id == screen.canvas.graph.focus


async def test_zoom_pan_and_fit(root: str) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await focused(pilot)
        before = frame(pilot.app)
        await press(pilot, ["+", "="])
        assert screen.canvas.zoom == pytest.approx(1.5625)
        await press(pilot, ["-", "shift+left", "shift+up", "shift+right", "shift+right", "shift+down"])
        assert frame(pilot.app) != before
        await press(pilot, ["0"])
        assert screen.canvas.zoom == 1.0
        assert frame(pilot.app) == before


async def test_the_overview_opens_a_group_and_comes_back(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot)
        await press(pilot, ["o"])
        await ready(pilot)
        assert "fact · 3" in titles(screen)
        screen.canvas.select("type:fact")
        await press(pilot, ["enter"])
        await ready(pilot)
        assert titles(screen) == {"Rate limits", "HTTP client", "Quota [beta]"}
        await press(pilot, ["escape"])
        await ready(pilot)
        assert screen.canvas.selected is not None
        assert screen.canvas.selected.id == "type:fact"
        await press(pilot, ["b", "b", "b"])
        await ready(pilot)
        assert titles(screen) == {"ops · 8"}
        await press(pilot, ["backspace"])
        await ready(pilot)
        assert screen.canvas.graph.focus.endswith("rate-limits.md")


async def test_types_are_hidden_at_once_and_stay_hidden(root: str) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await focused(pilot)
        every = titles(screen)
        await press(pilot, ["t"])
        card = pilot.app.screen
        assert isinstance(card, TypesCard)
        rows = card._rows
        rows.move_to_key("entity")
        await press(pilot, ["space"])
        assert titles(screen) == every - {"On-call", "日本語のページ"}
        await press(pilot, ["o"])
        assert titles(screen) == {"Rate limits", "On-call", "日本語のページ"}
        await press(pilot, ["a", "j", "k", "enter", "q"])
        assert pilot.app.screen is screen
        assert "hidden" in frame(pilot.app)[1]
        await press(pilot, ["]"])
        await ready(pilot)
        assert len(screen._hidden) == 1


async def test_a_page_is_found_by_a_part_of_its_title(root: str) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await focused(pilot)
        await press(pilot, ["/"])
        assert isinstance(pilot.app.screen, FindNode)
        await press(pilot, [*"quota", "enter"])
        await ready(pilot)
        assert screen.canvas.selected is not None
        assert screen.canvas.selected.title == "Quota [beta]"


async def test_colours_go_by_folder_too(root: str) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await focused(pilot)
        kinds = text_frame(pilot.app)
        assert "● decision" not in kinds or "■ entity" in kinds
        await press(pilot, ["C"])
        assert screen.canvas._look.by_group
        await press(pilot, ["C"])
        assert text_frame(pilot.app) == kinds


@pytest.mark.parametrize(("row", "ending"), [(0, "svg"), (1, "mmd"), (2, "dot"), (3, "canvas")])
async def test_every_format_is_written_to_the_file_that_is_shown(root: str, row: int, ending: str) -> None:
    async with running(app_on(root), WIDE) as pilot:
        screen = await focused(pilot)
        await press(pilot, ["x", *["down"] * row])
        assert isinstance(pilot.app.screen, ExportCard)
        shown = Path(pilot.app.screen.query_one(Input).value)
        assert shown == Path.cwd() / f"rate-limits-graph.{ending}"
        await press(pilot, ["enter"])
        await pilot.pause()
        await settle(pilot)
        assert pilot.app.screen is screen
        [toast] = pilot.app._notifications
        assert str(shown) in toast.message
        text = shown.read_text()
        assert "Rate limits" in text or "rate-limits.md" in text
        if ending == "canvas":
            assert {card["file"] for card in json.loads(text)["nodes"] if "file" in card} >= {
                screen.canvas.graph.focus
            }


async def test_a_file_is_only_replaced_when_asked_twice(root: str, tmp_path: Path) -> None:
    (tmp_path / "rate-limits-graph.svg").write_text("mine")
    async with running(app_on(root), WIDE) as pilot:
        await focused(pilot)
        await press(pilot, ["x", "enter"])
        await settle(pilot)
        assert isinstance(pilot.app.screen, ExportCard)
        assert "it is there already" in text_frame(pilot.app)
        assert (tmp_path / "rate-limits-graph.svg").read_text() == "mine"
        await press(pilot, ["enter"])
        await settle(pilot)
        assert (tmp_path / "rate-limits-graph.svg").read_text().startswith("<svg")


async def test_an_export_that_fails_says_why_and_leaves_the_card(root: str, tmp_path: Path) -> None:
    async with running(app_on(root), WIDE) as pilot:
        await focused(pilot)
        await press(pilot, ["x"])
        card = pilot.app.screen
        card.query_one(Input).value = str(tmp_path / "no" / "such" / "x.svg")
        await press(pilot, ["enter"])
        await settle(pilot)
        await settle(pilot)
        assert pilot.app.screen is card
        assert any("x.svg" in one.message for one in pilot.app._notifications)


def test_every_format_of_the_dialog_is_one_of_the_core(tmp_path: Path) -> None:
    from memex_core.model.graph_export import Graph
    from memex_tui.screens.graph.presenter import FORMATS as OFFERED

    assert {one.id for one in OFFERED} <= set(FORMATS)
    os.environ["HOME"] = str(tmp_path)
    assert write_export(Graph(), "dot", "~/x.dot") == str(tmp_path / "x.dot")


async def test_changes_are_followed_in_place(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot)
        await press(pilot, ["right"])
        chosen = screen.canvas.selected
        assert chosen is not None
        places = dict(screen.canvas._cells)
        with Memex(root) as other:
            other.write(type="fact", title="Fresh news", body="About [[Rate limits]].")
            news = other.show("Fresh news")["path"]
        app.post_message(PagesChanged(added=(news,)))
        await ready(pilot)
        assert "Fresh news" in titles(screen)
        assert screen.canvas.selected is not None
        assert screen.canvas.selected.id == chosen.id
        assert abs(screen.canvas._cells[chosen.id][1] - places[chosen.id][1]) <= 8


async def test_a_renamed_focus_is_followed_and_a_deleted_one_left(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot)
        with Memex(root) as other:
            done = other.rename("rate-limits", "Speed limits")
        app.post_message(PagesChanged(renamed={done["path"]: done["old_path"]}))
        await ready(pilot)
        assert screen.canvas.graph.focus == done["path"]
        assert screen.canvas.selected is not None
        assert screen.canvas.selected.title == "Speed limits"
        with Memex(root) as other:
            other.forget("speed-limits")
        app.post_message(PagesChanged(removed=(done["path"],)))
        await settle(pilot)
        await settle(pilot)
        assert screen.canvas.graph.focus == ""
        assert "entity · 2" in titles(screen)


async def test_a_change_while_elsewhere_is_seen_on_return(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot)
        await app.show_area("search")
        with Memex(root) as other:
            other.write(type="fact", title="Meanwhile", body="[[Rate limits]]")
        app.post_message(PagesChanged(added=("fact/meanwhile.md",)))
        await settle(pilot)
        assert "Meanwhile" not in titles(screen)
        await app.show_area("graph")
        await ready(pilot)
        assert "Meanwhile" in titles(screen)


async def test_a_place_that_does_not_exist_is_said_and_the_overview_shown(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, GraphScreen)
        await app.go(Place("graph", "nowhere"))
        await settle(pilot)
        await settle(pilot)
        assert any("nowhere" in one.message for one in app._notifications)
        assert "entity · 2" in titles(screen)


async def test_a_click_selects_a_double_click_opens_the_wheel_zooms(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot)
        box = next(box for box in screen.canvas._picture.boxes if box.id != screen.canvas.graph.focus)
        heard = listen(app)
        # The content of the canvas begins inside its border and padding.
        offset = (box.x + 2, box.y + 1)
        await pilot.click(screen.canvas, offset=offset)
        assert screen.canvas.selected is not None
        assert screen.canvas.selected.id == box.id
        await pilot.click(screen.canvas, offset=offset, times=2)
        await settle(pilot)
        assert [place.path for place in heard][:1] == [box.id]


async def test_where_it_was_is_kept_over_the_end(root: str) -> None:
    app = app_on(root, keep_state=True)
    async with running(app, WIDE) as pilot:
        screen = await focused(pilot, "Incident")
        await press(pilot, ["right", "v", "]"])
        await ready(pilot)
        selected = screen.canvas.selected
        app.save_state()
    async with running(app_on(root, keep_state=True), WIDE) as pilot:
        screen = await ready(pilot)
        assert screen.canvas.graph.focus.endswith("incident.md")
        assert (screen.canvas.view, screen._where.hops) == ("lanes", 3)
        assert screen.canvas.selected == selected


@pytest.mark.parametrize(
    "state", [{"path": 3, "view": 9, "hidden": "x", "selected": []}, {"hops": "3", "by": None}]
)
async def test_a_spoilt_state_is_no_harm(root: str, state: dict[str, Any]) -> None:
    app = app_on(root)
    app.saved.set_area("graph", state)
    async with running(app, NARROW) as pilot:
        screen = await ready(pilot)
        assert "fact · 3" in titles(screen)


async def test_titles_are_text(tmp_path: Path) -> None:
    root = tmp_path / "odd"
    root.mkdir()
    (root / "hub.md").write_text("# hub\n\n" + "".join(f"[[{n}]]\n" for n in range(len(BRACKETS))))
    for number, title in enumerate(BRACKETS):
        (root / f"{number}.md").write_text(
            f"---\ntitle: {json.dumps(title)}\ntags: [{json.dumps(title)}]\n---\n{title}\n"
        )
    async with running(app_on(str(root)), NARROW) as pilot:
        screen = await focused(pilot, "hub.md")
        for number, title in enumerate(BRACKETS):
            screen.canvas.select(f"{number}.md")
            await ready(pilot)
            await press(pilot, ["v", "v", "t", "escape", "/", "escape"])
            assert title in titles(screen)
            assert screen.canvas.selected is not None and screen.canvas.selected.title == title
            assert not pilot.app._notifications, title


async def test_the_key_of_the_graph_shows_what_is_round_the_page_just_read(root: str) -> None:
    app = app_on(root)
    async with running(app, WIDE) as pilot:
        screen = await ready(pilot)
        assert screen._where.mode == "overview"
        page = next(path for path in Path(root, "docs").rglob("*.md") if path.name == "rate-limits.md")
        await app.go(Place("page", page.relative_to(Path(root, "docs")).as_posix()))
        await settle(pilot)
        await press(pilot, ["3"])
        screen = await ready(pilot)
        focus = next(node for node in screen.canvas.graph.nodes if node.id == screen.canvas.graph.focus)
        assert (screen._where.mode, focus.title) == ("page", "Rate limits")
        assert app.history.trail()[-2:] == ["Rate limits", "Rate limits · graph"]
        screen.canvas.select(
            next(node.id for node in screen.canvas.graph.nodes if node.title == "Retry policy")
        )
        await press(pilot, ["backspace"])
        await settle(pilot)
        await press(pilot, ["3"])
        screen = await ready(pilot)
        assert screen.canvas.selected is not None and screen.canvas.selected.title == "Retry policy"


async def test_a_console_without_braille_gets_plain_signs(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "linux")
    async with running(app_on(root), NARROW) as pilot:
        await focused(pilot)
        text = text_frame(pilot.app)
        assert "@ Rate limits" in text
        assert not any("\u2800" < char <= "\u28ff" for char in text)


async def test_a_narrow_picture_has_fewer_pages(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_screen.presenter, "SHOWN_NARROW", 5)
    async with running(app_on(root), NARROW) as pilot:
        screen = await focused(pilot)
        await press(pilot, ["]"])
        screen = await ready(pilot)
        assert len(screen.canvas.graph.nodes) == 5
        await pilot.resize_terminal(*WIDE)
        screen = await ready(pilot)
        assert len(screen.canvas.graph.nodes) == 9
