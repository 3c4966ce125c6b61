"""What survives the end of the app, and the history of places."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memex_core.files.layout import create_store, open_layout
from memex_tui.messages import Place
from memex_tui.state import RECENT, STEPS, History, Saved, state_path, title_of


def test_state_is_read_back(tmp_path: Path) -> None:
    path = str(tmp_path / "tui.json")
    saved = Saved(path)
    saved.current, saved.theme = "graph", "memex-light"
    saved.set_area("search", {"query": "[[odd]] ✂", "caret": 3})
    saved.read_page("b.md")
    saved.read_page("a.md")
    saved.places = [Place("search", query="x", extra={"row": "k"}), Place("page", "a.md", line=7, title="A")]
    saved.at = 1
    assert saved.write()
    again = Saved(path)
    assert (again.current, again.theme, again.recent) == ("graph", "memex-light", ["a.md", "b.md"])
    assert again.area("search") == {"query": "[[odd]] ✂", "caret": 3}
    assert again.places == saved.places
    assert again.at == 1


def test_nothing_is_written_when_nothing_changed(tmp_path: Path) -> None:
    saved = Saved(str(tmp_path / "tui.json"))
    saved.set_area("search", {"query": "a"})
    assert saved.write()
    assert not saved.write()
    assert not Saved(str(tmp_path / "tui.json")).write()
    saved.set_area("search", {"query": "b"})
    assert saved.write()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"areas": 3, "places": [{"area": 5}, 7], "recent": {"a": 1}, "at": "x"}',
        "[" * 100_000,
    ],
)
def test_a_broken_state_counts_as_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tui.json"
    path.write_text(text)
    saved = Saved(str(path))
    assert (saved.places, saved.recent, saved.current, saved.at) == ([], [], "", 0)
    assert saved.area("search") == {}


def test_values_of_the_wrong_kind_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "tui.json"
    place = {"area": "page", "path": 7, "line": True, "title": "T", "extra": {"scroll": 3}}
    path.write_text(json.dumps({"places": [place], "at": 9, "recent": ["a.md", 5]}))
    saved = Saved(str(path))
    assert saved.places == [Place("page", title="T", extra={"scroll": 3})]
    assert saved.at == 0
    assert saved.recent == ["a.md"]


def test_a_disk_that_takes_nothing_is_no_error(tmp_path: Path) -> None:
    saved = Saved(str(tmp_path / "no" / "such" / "folder" / "tui.json"))
    saved.current = "page"
    assert not saved.write()
    assert not Saved(None).write()


def test_recent_pages_are_each_there_once_and_not_too_many() -> None:
    saved = Saved(None)
    for number in range(RECENT + 20):
        saved.read_page(f"{number}.md")
    saved.read_page("60.md")
    assert saved.recent[0] == "60.md"
    assert len(saved.recent) == RECENT == len(set(saved.recent))
    saved.renamed({"sixty.md": "60.md"})
    assert saved.recent[0] == "sixty.md"


def test_state_lies_beside_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = create_store(str(tmp_path / "store"))
    assert state_path(layout) == str(tmp_path / "store" / "tui.json")
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "a.md").write_text("# A\n")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = state_path(open_layout(str(vault)))
    assert os.path.dirname(path) == str(tmp_path / "cache" / "memex")
    assert path.endswith(".tui.json")
    assert os.listdir(vault) == ["a.md"]


def test_history_goes_back_and_forward() -> None:
    history = History()
    for place in (Place("search"), Place("page", "a.md"), Place("page", "b.md")):
        history.visit(place)
    assert history.step(-1) == Place("page", "a.md")
    assert history.step(-1) == Place("search")
    assert history.step(-1) is None
    assert history.step(1) == Place("page", "a.md")
    history.visit(Place("graph", "a.md"))
    assert history.step(1) is None
    assert [place.area for place in history.places] == ["search", "page", "graph"]


def test_the_same_place_again_is_one_entry_that_keeps_its_title() -> None:
    history = History()
    history.visit(Place("page", "a.md", title="Alpha"))
    history.visit(Place("page", "a.md", line=9))
    assert history.places == [Place("page", "a.md", line=9, title="Alpha")]
    history.leave(Place("page", "a.md", line=12))
    assert history.here == Place("page", "a.md", line=12, title="Alpha")
    history.leave(Place("page", "other.md"))
    assert history.here == Place("page", "a.md", line=12, title="Alpha")
    history.leave(None)
    assert len(history.places) == 1


def test_history_is_bounded_and_follows_renames() -> None:
    history = History()
    for number in range(STEPS + 30):
        history.visit(Place("page", f"{number}.md"))
    assert len(history.places) == STEPS
    assert history.at == STEPS - 1
    history.renamed({"new.md": f"{STEPS + 29}.md"})
    assert history.here == Place("page", "new.md")


def test_small_steps_inside_an_area_are_no_places() -> None:
    history = History()
    history.moved(Place("diary", date="2026-11-30"))
    assert history.here is None
    history.visit(Place("diary", date="2026-11-30"))
    history.moved(Place("diary", date="2026-11-29"))
    assert [place.date for place in history.places] == ["2026-11-29"]
    history.visit(Place("page", "a.md"))
    history.moved(Place("diary", date="2026-11-28"))
    assert history.here == Place("page", "a.md")


def test_breadcrumbs_name_the_last_places() -> None:
    history = History()
    assert history.trail() == []
    history.visit(Place("search", query="rate"))
    history.visit(Place("page", "notes/HTTP client.md"))
    history.visit(Place("page", "x.md", title="Rate limits"))
    assert history.trail() == ["rate", "HTTP client", "Rate limits"]
    assert history.trail(2) == ["HTTP client", "Rate limits"]
    assert history.trail_in("page") == history.trail()
    assert history.trail_in("health") == [*history.trail(), "Health"]
    assert title_of(Place("diary", date="2026-11-30")) == "2026-11-30"
    assert title_of(Place("health")) == "Health"


def test_the_place_that_is_left_is_in_the_history() -> None:
    history = History()
    history.depart(Place("search", query="a"))
    history.visit(Place("page", "x.md"))
    history.depart(Place("page", "x.md", line=4))
    history.visit(Place("graph", "x.md"))
    assert [place.area for place in history.places] == ["search", "page", "graph"]
    assert history.places[1].line == 4
    history.depart(None)
    assert len(history.places) == 3
