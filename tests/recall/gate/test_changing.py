"""Writing the rules: on the state that was seen, one writer at a time, with a way back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memex_core.files.layout import Layout, create_store
from memex_core.model.errors import Conflict, NotFound, Refused
from memex_core.recall.gate import history, load
from memex_core.recall.gate.changing import change
from memex_core.recall.gate.rules import file_of, revision_of


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def saying(number: int) -> bytes:
    return b"[thresholds]\nack_max_tokens = %d\n" % number


def put(layout: Layout, data: bytes, **more: str | bool) -> tuple[str, str, int]:
    return tuple(change(layout, lambda _: data, **more))  # type: ignore[arg-type, return-value]


def test_each_change_keeps_what_it_replaced(layout: Layout) -> None:
    first = put(layout, saying(1))
    assert first == ("", revision_of(saying(1)), 1)
    second = put(layout, saying(2))
    assert second == (first[1], revision_of(saying(2)), 2)
    assert history.read(layout, 1) == b""
    assert history.read(layout, 2) == saying(1)
    assert [one.number for one in history.snapshots(layout)] == [2, 1]
    assert load(layout).revision == second[1]
    with pytest.raises(NotFound, match="no state 7"):
        history.read(layout, 7)


def test_the_same_text_is_no_change(layout: Layout) -> None:
    put(layout, saying(1))
    assert put(layout, saying(1))[2] == 0
    assert len(history.snapshots(layout)) == 1


def test_twenty_states_are_kept_and_numbers_go_on(layout: Layout) -> None:
    for number in range(1, 26):
        put(layout, saying(number))
    assert [one.number for one in history.snapshots(layout)] == list(range(25, 5, -1))
    assert history.read(layout, 25) == saying(24)


def test_another_state_than_the_one_seen_is_a_conflict(layout: Layout) -> None:
    seen = put(layout, saying(1))[1]
    put(layout, saying(2), expect=seen)
    with pytest.raises(Conflict, match=f"not {seen}"):
        put(layout, saying(3), expect=seen)
    with pytest.raises(Conflict, match="not none"):
        put(layout, saying(3), expect="")
    assert Path(file_of(layout)).read_bytes() == saying(2)


def test_a_result_with_errors_is_refused(layout: Layout) -> None:
    put(layout, saying(1))
    with pytest.raises(Refused, match="line 2"):
        put(layout, saying(-1))
    assert Path(file_of(layout)).read_bytes() == saying(1)
    assert put(layout, saying(-1), sound=False)[2] == 2


def test_a_dry_run_leaves_no_trace(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "a.md").write_text("a")
    from memex_core.files.layout import open_layout

    layout = open_layout(str(folder))
    assert put(layout, saying(1), dry_run=True) == ("", revision_of(saying(1)), 0)
    assert [path.name for path in folder.rglob("*")] == ["a.md"]


@pytest.mark.parametrize("name", ["rules", "rules/gate.toml", "rules/history"])
def test_links_that_lead_out_are_not_written_through(layout: Layout, tmp_path: Path, name: str) -> None:
    """A folder from elsewhere may hold a link in place of the rules: what it points to is not ours to write."""
    outside = tmp_path / "outside"
    if name.endswith(".toml"):
        outside.write_bytes(saying(7))
        Path(layout.rules).mkdir()
    else:
        outside.mkdir()
        Path(layout.rules).parent.joinpath(name).parent.mkdir(exist_ok=True)
    Path(layout.state, name).symlink_to(outside)
    with pytest.raises(Refused, match="link"):
        put(layout, saying(1))
    left = list(outside.rglob("*")) if outside.is_dir() else outside.read_bytes()
    assert left in ([], saying(7))


def test_two_writers_at_once_lose_nothing(layout: Layout) -> None:
    """Each adds its rules while the other does; every one of them is there in the end."""
    code = (
        "import sys\n"
        "from memex_core.memex import Memex\n"
        "with Memex(sys.argv[1]) as memex:\n"
        "    for number in range(8):\n"
        "        memex.gate_add('memory', f'{sys.argv[2]}{number}')\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, layout.root, name], stderr=subprocess.PIPE)
        for name in ("alpha", "beta")
    ]
    for writer in writers:
        _, err = writer.communicate()
        assert writer.returncode == 0, err.decode()
    rules = load(layout)
    wanted = {f"{name}{number}" for name in ("alpha", "beta") for number in range(8)}
    assert {pattern.source for pattern in rules.patterns} == wanted
    assert len(history.snapshots(layout)) == 16
