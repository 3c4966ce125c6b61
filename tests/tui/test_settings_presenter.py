from pathlib import Path
from typing import Any

import pytest

from memex_core.files.config import SECTIONS as TABLES
from memex_core.files.config import Config, load
from memex_core.files.config_schema import fields
from memex_core.files.layout import Layout, create_store
from memex_tui.commands import Command
from memex_tui.keys import Keymap
from memex_tui.screens.settings import learning, presenter, wording
from memex_tui.screens.settings.presenter import SECTIONS, Setting, Terminal
from memex_tui.screens.settings.widgets import draw_setting
from memex_tui.screens.settings.wording import HELP, TITLES
from memex_tui.widgets.rows import RowState

COMMANDS = (
    Command("go.pages", "Go to a page", "Pages.", "Go", keys=("ctrl+k",), menu="space"),
    Command("go.back", "Go back", "Back.", "Go", keys=("backspace",)),
    Command("page.follow", "Follow", "Follows.", "Page", "page", keys=("g d", "enter"), vim=("ctrl+]",)),
    Command("page.down", "Down", "Down.", "Page", "page", keys=("g g",)),
    Command("pane.top", "Top", "Top.", "Move", "pane", keys=("g g", "home")),
)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def config(layout: Layout, text: str = "", **environ: str) -> Config:
    Path(layout.config).write_text(text)
    return load(layout, environ)


def by_id(rows: list[Setting]) -> dict[str, Setting]:
    return {row.id: row for row in rows if row.id}


def test_every_setting_of_the_file_stands_in_one_section_and_is_explained(layout: Layout) -> None:
    shown = [table for section in SECTIONS for table in section.tables]
    assert sorted(shown) == sorted(TABLES)
    for row in config(layout).described():
        assert HELP[row["key"]].endswith(".")


def test_values_say_where_they_come_from(layout: Layout) -> None:
    text = '[recall]\nbudget = 900\nodd = [1, "x"]\n[capture]\nagents = ["codex", "claude"]\n'
    found = config(layout, text, MEMEX_LLM_MODEL="llama", MEMEX_API_KEY="sk-secret")
    memory = by_id(presenter.tables(found, next(one for one in SECTIONS if one.id == "memory")))
    assert (memory["recall.budget"].value, memory["recall.budget"].origin) == ("900", "memex.toml")
    assert (memory["recall.count"].value, memory["recall.count"].origin) == ("on", "default")
    assert memory["recall.odd"].value == "1, x"
    assert "does not know" in memory["recall.odd"].help
    agents = by_id(
        [row for one in SECTIONS if one.id in ("agents", "models") for row in presenter.tables(found, one)]
    )
    assert (agents["llm.model"].value, agents["llm.model"].origin) == ("llama", "$MEMEX_LLM_MODEL")
    assert (agents["llm.api_key"].value, agents["llm.api_key"].origin) == ("(set)", "$MEMEX_API_KEY")
    assert agents["capture.agents"].value == "codex, claude"
    assert agents["embed.provider"].value == "not set"
    assert (memory["recall.odd"].kind, agents["llm.api_key"].kind) == ("", "")
    assert presenter.tables(None, SECTIONS[3]) == []


def test_the_editors_settings_and_the_persons_own_editor(layout: Layout) -> None:
    rows = by_id(presenter.editor(config(layout, "[editor]\ntab_width = 8\n"), {"EDITOR": "vi"}))
    assert (rows["editor.tab_width"].value, rows["editor.tab_width"].own) == ("8", True)
    assert (rows["editor.wrap"].value, rows["editor.wrap"].origin) == ("on", "default")
    assert (rows["editor.program"].value, rows["editor.program"].origin) == ("vi", "$EDITOR")
    none = by_id(presenter.editor(None, {}))
    assert none["editor.program"].value == "none"
    assert none["editor.tab_width"].value == "4"


def test_keys_are_listed_by_place_with_what_set_them(layout: Layout) -> None:
    found = config(layout, '[keys]\npreset = "vim"\n"go.back" = ["B", "ctrl+o"]\n"page.down" = []\n')
    keymap = Keymap(COMMANDS, found.keys.preset, found.keys.unknown)
    rows = presenter.keys(found, keymap)
    assert [row.name for row in rows if row.heading] == ["Everywhere", "Page", "Lists and pages"]
    named = by_id(rows)
    assert (named["keys.preset"].value, named["keys.preset"].origin) == ("vim", "memex.toml")
    assert (named["keys:go.back"].value, named["keys:go.back"].origin) == ("B  ^o", "memex.toml")
    assert (named["keys:page.follow"].value, named["keys:page.follow"].origin) == ("^]", "vim preset")
    assert named["keys:page.down"].value == "none"


def test_looks_and_paths_and_versions(layout: Layout, tmp_path: Path) -> None:
    look = by_id(
        presenter.look("memex-dark", True, Terminal("16 million", "80 × 24", "xterm", "xclip", "full"))
    )
    assert look["look.theme"].kind == "theme"
    assert look["look.clipboard"].value == "xclip"
    paths = by_id(presenter.paths(layout, layout.root, str(tmp_path / "tui.json")))
    assert (paths["path.pages"].value, paths["path.pages"].origin) == (layout.pages, "there")
    assert paths["path.state"].origin == "not there yet"
    assert [row.value for row in presenter.paths(None, "/nowhere", None)] == ["/nowhere"]
    assert presenter.about({"memex": "1"})[0].value == "1"


def test_settings_are_found_by_name_id_and_value(layout: Layout) -> None:
    rows = presenter.tables(config(layout), SECTIONS[3])
    assert presenter.found("budget", rows)[0].id == "recall.budget"
    assert "recency_decay.half_life_days" in {row.id for row in presenter.found("newer prefer", rows)} | {
        row.id for row in presenter.found("half", rows)
    }
    assert presenter.found("zzzz", rows) == []


def test_new_keys_replace_the_old_ones_and_keep_the_space_menu() -> None:
    keymap = Keymap(COMMANDS)
    assert presenter.rebound(keymap, "go.pages", "ctrl+g", add=False) == ("ctrl+g", "space space")
    assert presenter.rebound(keymap, "go.pages", "ctrl+g", add=True) == ("ctrl+k", "ctrl+g", "space space")
    assert presenter.rebound(keymap, "go.pages", "ctrl+k", add=True) == ("ctrl+k", "space space")


def test_keys_that_are_taken_are_taken_away() -> None:
    keymap = Keymap(COMMANDS)
    assert [one.id for one in presenter.in_the_way(keymap, "page.follow", "g g")] == ["page.down"]
    assert [one.id for one in presenter.in_the_way(keymap, "page.follow", "g")] == ["page.down"]
    assert [one.id for one in presenter.in_the_way(keymap, "page.down", "g d x")] == ["page.follow"]
    assert presenter.in_the_way(keymap, "page.down", "ctrl+k") == []  # that one is valid elsewhere
    follow = keymap.commands["page.follow"]
    assert presenter.freed(keymap, follow, "g") == ["enter"]


def test_what_a_key_means_elsewhere_is_said() -> None:
    keymap = Keymap(COMMANDS)
    assert presenter.elsewhere(keymap, "page.follow", "ctrl+k") == ["goes before “Go to a page”, everywhere"]
    assert presenter.elsewhere(keymap, "go.back", "g g") == [
        "Page: “Down” goes before",
        "lists and pages: “Top” goes before",
    ]
    said = presenter.remarks(keymap, "page.follow", "ctrl+h")
    assert said == [("warn", "^h arrives as backspace in most terminals")]
    assert ("warn", "taken from “Down”") in presenter.remarks(keymap, "page.follow", "g g")
    assert ("muted", "not while a text field has the focus") in presenter.remarks(keymap, "page.follow", "z")


def test_keys_are_written_short_and_the_presets_own_not_at_all() -> None:
    keymap = Keymap(COMMANDS, "default", {"go.back": "B"})
    assert presenter.written(keymap, "go.back", ("x",)) == "x"
    assert presenter.written(keymap, "go.back", ("x", "y")) == ["x", "y"]
    assert presenter.written(keymap, "go.back", ()) == []
    assert presenter.written(keymap, "go.back", ("backspace",)) is None


def test_values_step_on() -> None:
    number = Setting("editor.tab_width", "", "16", kind="number", low=1, high=16)
    assert presenter.stepped(number, 1, []) == "16"
    assert presenter.stepped(number, -1, []) == "15"
    assert presenter.stepped(Setting("editor.wrap", "", "on", kind="switch"), 1, []) == "off"
    assert presenter.stepped(Setting("keys.preset", "", "emacs", kind="preset"), 1, []) == "default"
    assert presenter.stepped(Setting("look.theme", "", "a", kind="theme"), -1, ["a", "b"]) == "b"
    assert presenter.stored(number, "3") == 3
    assert presenter.stored(Setting("editor.wrap", "", "on", kind="switch"), "off") is False
    assert presenter.stored(Setting("keys.preset", "", "", kind="preset"), "vim") == "vim"
    choice = Setting("capture.scrub", "", "on", kind="choice", choices=("on", "off"))
    assert presenter.stepped(choice, 1, []) == "off" and presenter.stored(choice, "off") == "off"
    share = Setting("recall.priors", "", "0.95", kind="number", low=0, high=1, step=0.05)
    assert [presenter.stepped(share, by, []) for by in (1, 2, -1)] == ["1", "1", "0.9"]


def test_what_can_be_done_is_what_the_schema_says(layout: Layout) -> None:
    rows = by_id([row for one in SECTIONS for row in presenter.tables(config(layout), one)])
    for id, field in fields().items():
        row = rows[id]
        wanted = {"bool": "switch"}.get(field.kind, "choice" if field.choices else row.kind)
        assert row.kind == wanted
        assert row.kind in ("", "switch", "choice", "number", "text")
        assert bool(row.kind) is not field.secret
        if field.choices:
            assert row.choices == field.choices
        if row.kind == "number":
            assert (row.low, row.high) == (field.low, field.high)
    assert rows["governance.knowledge_approval"].choices == ("auto", "manual")
    assert "0 to 1." in rows["recall.priors"].help
    assert "1 to 3600." in rows["embed.timeout"].help


def test_models_and_jobs_in_words() -> None:
    told: dict[str, Any] = {
        "name": "ollama/llama",
        "ready": False,
        "held": {"message": "no key", "impact": "nothing is learnt", "next": "memex models set"},
        "settings": [{"name": "timeout", "value": 60, "origin": "default"}],
        "calls": {"day": 3, "max_per_day": 100, "max_per_run": 20},
    }
    rows = by_id(learning.models(told))
    assert (rows["model.ready"].value, rows["model.ready"].own) == ("no key", True)
    assert "memex models set" in rows["model.ready"].help
    assert (rows["model.timeout"].value, rows["model.timeout"].origin) == ("60", "default")
    assert (rows["model.calls"].value, rows["model.test"].kind) == ("3 of 100", "test")
    job = {"id": "s1#1", "state": "failed", "title": "Lint", "first": 1, "last": 4, "turns": 4}
    job |= {"at": "2026-11-30T09:00:00Z", "message": "cut off", "cause": "", "impact": "", "next": ""}
    waiting = {**job, "id": "s2#1", "state": "pending", "message": ""}
    jobs = {"counts": {"pending": 1, "failed": 1}, "held": None, "jobs": [job, waiting]}
    found = by_id(learning.jobs(jobs))
    assert found["job.all"].value == "1 pending · 1 failed"
    assert (found["job.s1#1"].kind, found["job.s1#1"].value) == ("job", "turns 1 to 4 · cut off")
    assert found["job.s2#1"].kind == ""
    said = {"ok": True, "name": "m", "ms": 1200, "answer": "yes", "message": "", "next": ""}
    assert learning.tested(said) == "m answers in 1,200 ms: yes"
    failed = {**said, "ok": False, "message": "no key", "next": "memex models set"}
    assert learning.tested(failed) == "no key. memex models set."


def test_every_setting_has_a_name_for_people_that_fits_a_row() -> None:
    assert set(TITLES) == set(HELP) == set(fields())
    assert set(wording.TABLES) == set(TABLES)
    for id, title in TITLES.items():
        assert len(title) <= 23, id
        assert "_" not in title, id
        assert title != id.partition(".")[2], id
    named = [(id.partition(".")[0], title) for id, title in TITLES.items()]
    assert len(named) == len(set(named))


def test_a_setting_is_found_by_its_name_and_by_its_key() -> None:
    rows = [row for section in SECTIONS for row in presenter.tables(Config(""), section)]

    def ids(text: str) -> list[str]:
        return [row.id for row in presenter.found(text, rows)]

    assert ids("context_budget") == ["recall.context_budget"]
    assert "recall.context_budget" in ids("budget")
    assert ids("Black out secrets") == ["capture.scrub"]
    assert presenter.found("capture.scrub", rows)[0].name == "Black out secrets · capture"


def test_where_there_is_no_room_for_both_the_value_stays_and_its_origin_goes() -> None:
    row = Setting("look.theme", "Theme", "memex-dark", "dark · kept here", kind="theme", own=True)
    wide, narrow = (
        "".join(text for text, _ in draw_setting(row, cells, RowState(True))[0]) for cells in (70, 38)
    )
    assert "‹ memex-dark ›" in wide and wide.endswith("dark · kept here")
    assert narrow.rstrip().endswith("‹ memex-dark ›")
    assert "…" not in narrow
