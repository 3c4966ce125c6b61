"""What surrounds every operation: other names, kinds of values, looks at the folder, lines in the log."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core.actions import pace
from memex_core.facade.calling import OTHER_NAMES
from memex_core.memex import Memex
from memex_core.model.errors import BadInput, MemexError, NotFound
from memex_core.model.operations.registry import every_operation

TURNS = [{"role": "user", "content": "the kettle is copper"}, {"role": "agent", "content": "noted"}]


@pytest.fixture
def memex(tmp_path: Path) -> Iterator[Memex]:
    with Memex(tmp_path / "store", create=True) as opened:
        opened.write(type="entity", title="Kettle", body="copper", tags=["kitchen"])
        yield opened


def slugs(memex: Memex, query: str, **options: Any) -> list[str]:
    return [hit["slug"] for hit in memex.recall(query, **options)["hits"]]


# -- looking at the folder ---------------------------------------------------------------------


def test_the_next_call_finds_an_outside_edit(memex: Memex) -> None:
    assert slugs(memex, "quince") == []
    page = Path(memex.root, "docs", "fruit.md")
    page.write_text("a quince")
    found = memex.recall("quince")
    assert ([hit["slug"] for hit in found["hits"]], found["stale"]) == (["fruit"], False)
    page.write_text("a medlar, much longer")
    assert (slugs(memex, "quince"), slugs(memex, "medlar")) == ([], ["fruit"])
    page.unlink()
    with pytest.raises(NotFound):
        memex.show("fruit")


def test_a_large_store_is_looked_at_now_and_then_and_says_so(
    memex: Memex, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(pace, "ALWAYS_UP_TO", 0)
    monkeypatch.setattr(pace, "monotonic", lambda: now[0])
    memex.look_again()
    assert slugs(memex, "quince") == []
    memex.store.pace.took = 0.5
    now[0] = 100.0 + pace.MOMENT
    assert memex.recall("quince")["stale"] is False  # as if both had been asked at once
    Path(memex.root, "docs", "quince.md").write_text("a quince")
    now[0] = 100.0 + pace.REST * 0.5 - 0.1
    early = memex.recall("quince")
    assert (early["hits"], early["stale"]) == ([], True)
    now[0] += 0.1
    later = memex.recall("quince")
    assert ([hit["slug"] for hit in later["hits"]], later["stale"]) == (["quince"], False)


def test_a_store_that_a_watcher_follows_is_not_looked_at(memex: Memex) -> None:
    memex.store.followed = True
    Path(memex.root, "docs", "quince.md").write_text("a quince")
    found = memex.recall("quince")
    assert (found["hits"], found["stale"]) == ([], False)
    memex.look_again()
    assert slugs(memex, "quince") == ["quince"]


def test_looks_do_not_pile_up_their_warnings(memex: Memex, monkeypatch: pytest.MonkeyPatch) -> None:
    index = memex.store.index
    refresh = index.refresh
    monkeypatch.setattr(
        index, "refresh", lambda *given, **named: refresh(*given, **named)._replace(warnings=("slow disk",))
    )
    for _ in range(3):
        warnings = memex.recall("copper")["warnings"]
    assert warnings == ["slow disk"]


# -- the specification's names -----------------------------------------------------------------


def test_recall_takes_the_names_of_the_specification(memex: Memex) -> None:
    memex.write(type="preference", title="Copper pans", body="copper", tags=["kitchen", "metal"])
    assert slugs(memex, "copper", top_k=1, tags=["kitchen"], node_type="entity") == ["kettle"]
    assert slugs(memex, "copper", node_type="preference", include_expired=True) == ["copper-pans"]
    assert slugs(memex, "copper", time_range=("2000-01-01", "2000-02-01")) == []
    assert len(slugs(memex, "copper", time_range=("2000-01-01", "2090-01-01"))) == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"top_k": 3, "k": 3}, "recall gets k twice, also as top_k; give k alone"),
        ({"time_range": "2026"}, "time_range must be a pair; (after, before)"),
        (
            {"time_range": ("2026-01-01", "2027-01-01"), "after": "2026"},
            "recall gets after twice, also as time_range",
        ),
        ({"top_k": "3"}, "k must be a whole number; not str"),
        ({"k": True}, "k must be a whole number; not bool"),
        ({"tags": 5}, "5 is no list of words"),
        ({"expand": "no"}, "expand must be True or False; not str"),
        ({"after": 2026}, "after must be text; not int"),
        ({"k": 0}, "k 0 is out of range; from 1 to 100"),
        ({"k": 101}, "k 101 is out of range; from 1 to 100"),
        ({"start": -1}, "start -1 is out of range"),
    ],
)
def test_what_makes_no_sense_is_bad_input(memex: Memex, options: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput) as caught:
        memex.recall("copper", **options)
    assert str(caught.value).startswith(told)
    assert isinstance(caught.value, ValueError)  # as the specification has it


def test_other_names_are_names_of_parameters() -> None:
    for operation, names in OTHER_NAMES.items():
        known = inspect.signature(getattr(Memex, operation)).parameters
        for name, ours in names.items():
            assert name not in known
            assert set([ours] if isinstance(ours, str) else ours) <= set(known), (operation, name)


def test_turns_stand_second_and_metadata_third(memex: Memex) -> None:
    done = memex.ingest_transcript("s-1", TURNS, {"user_id": "anna", "tags": ["a"]})
    assert (done["turn_count"], done["session_id"]) == (2, "s-1")
    meta = memex.session("s-1")["metadata"]
    assert (meta["user_id"], meta["tags"]) == ("anna", ["a"])
    for turns in (5, "a.jsonl", None):
        with pytest.raises(BadInput, match="turns"):
            memex.ingest_transcript("s-2", turns)
    with pytest.raises(BadInput, match="metadata must be a map"):
        memex.ingest_transcript("s-2", TURNS, ["x"])  # type: ignore[arg-type]


def test_pages_of_hits(memex: Memex) -> None:
    for number in range(7):
        memex.write(type="entity", title=f"Pan {number}", body="copper")
    whole = slugs(memex, "copper", k=8)
    assert len(whole) == 8
    assert [slugs(memex, "copper", k=3, start=at) for at in (0, 3, 6)] == [whole[:3], whole[3:6], whole[6:]]


WRONG: list[Any] = [5, ["x"], object(), b"x", {"a": 1}]
UNTRIED = {"hook", "watch", "embed", "doctor", "models_test", "gate_replay", "gate_test", "capture"}
"""They ask the machine, agents or a server, or run until they are stopped."""


@pytest.mark.parametrize("name", sorted({op.method_name for op in every_operation() if op.method} - UNTRIED))
def test_a_value_of_a_wrong_kind_never_breaks_out(memex: Memex, name: str) -> None:
    """Whatever is given, an operation answers or raises what memex foresees; never a bare TypeError."""
    method = getattr(memex, name)
    params = list(inspect.signature(method).parameters.values())
    needed = {one.name: "kettle" for one in params if one.default is inspect.Parameter.empty}
    for param in params:
        if param.name in ("progress", "emit", "stop"):
            continue
        for wrong in WRONG:
            given = {**needed, param.name: wrong}
            if "dry_run" in (one.name for one in params) and param.name != "dry_run":
                given["dry_run"] = True
            try:
                method(**given)
            except MemexError:
                pass


# -- the log -----------------------------------------------------------------------------------


def log_of(memex: Memex) -> list[list[str]]:
    """Level, operation and what is told of each line, without time and duration."""
    path = Path(memex.root, "logs", "memex.log")
    lines = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return [line.split(" ms=")[0].split(" ", 1)[1].split(" ") for line in lines]


def settle(memex: Memex, text: str) -> None:
    Path(memex.root, "memex.toml").write_text(text)
    memex.store.forget_config()
    log_of(memex)


def test_what_changes_or_recalls_is_logged_without_a_word_of_it(memex: Memex) -> None:
    memex.store.actor = "human:anna"
    log_of(memex)
    memex.recall("copper secret", k=1)
    memex.show("kettle")
    memex.edit("kettle", append="secret")
    memex.forget("kettle", dry_run=True)
    with pytest.raises(NotFound):
        memex.forget("secret")
    by = "by=human:anna"
    assert log_of(memex) == [
        ["INFO", "recall", "hits=1", by],
        ["INFO", "edit", by],
        ["WARNING", "forget", "not-found", by],
    ]


@pytest.mark.parametrize(
    ("level", "logged"),
    [
        ("DEBUG", ["recall", "show", "forget", "forget"]),
        ("INFO", ["recall", "forget"]),
        ("WARNING", ["forget"]),
        ("ERROR", []),
    ],
)
def test_the_level_is_obeyed(
    memex: Memex, level: str, logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def act() -> list[str]:
        memex.recall("copper")
        memex.show("kettle")
        memex.forget("kettle", dry_run=True)
        with pytest.raises(NotFound):
            memex.forget("no such page")
        return [line[1] for line in log_of(memex)]

    settle(memex, f'[logging]\nlevel = "{level}"\n')
    assert act() == logged
    settle(memex, "")
    monkeypatch.setenv("MEMEX_LOG_LEVEL", level.lower())
    assert act() == logged


def test_a_folder_that_is_only_read_gets_no_log(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("copper")
    with Memex(tmp_path) as memex:
        assert slugs(memex, "copper") == ["note"]
    assert ".memex" not in os.listdir(tmp_path)
