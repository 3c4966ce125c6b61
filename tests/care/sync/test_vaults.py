"""Folders of notes without ids, changed by any editor: names say which note is which, and nothing is lost."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memex_core import Memex
from memex_core.files.journal import bytes_before
from tests.care.sync.devices import ROUNDS, WORD
from tests.care.sync.test_histories import MEMORY

NAMES = ("a.md", "A.md", "b.md", "sub/b.md")
ACTS = "new new add add replace replace tag unlink move sync sync sync".split()
STEPS = st.lists(
    st.tuples(st.sampled_from(ACTS), st.integers(0, 1), st.integers(0, 11)), min_size=4, max_size=14
)


class Vaults:
    """Two vaults and a folder between them; ``dropped`` words were taken out by who saw them."""

    def __init__(self, folder: Path) -> None:
        self.opened = []
        for number in range(2):
            (folder / f"vault{number}" / ".obsidian").mkdir(parents=True)
            self.opened.append(Memex(folder / f"vault{number}", actor="human:ada"))
            self.opened[-1].sync_enable(folder / "share", name=f"n{number}")
        self.words = 0
        self.dropped: set[str] = set()

    def close(self) -> None:
        for one in self.opened:
            one.close()

    def notes(self, number: int) -> dict[str, str]:
        root = Path(self.opened[number].root)
        return {path.relative_to(root).as_posix(): path.read_text() for path in sorted(root.rglob("*.md"))}

    def act(self, act: str, number: int, pick: int) -> None:
        root, notes = Path(self.opened[number].root), self.notes(number)
        self.words += 1
        word = f"word{self.words}x"
        if act == "sync":
            self.sync(number)
        elif act == "new":
            file = root / NAMES[pick % len(NAMES)]
            file.parent.mkdir(exist_ok=True)
            if not file.exists():
                file.write_text(f"# note\n\n{word}\n\nend\n")
        elif notes:
            file = root / sorted(notes)[pick % len(notes)]
            self.change(act, file, file.read_text(), word, root / NAMES[pick % len(NAMES)])

    def change(self, act: str, file: Path, text: str, word: str, target: Path) -> None:
        if act == "add":
            file.write_text(f"{text}{word}\n")
        elif act == "replace":
            lines = text.split("\n")
            at = self.words % len(lines)
            self.dropped |= set(WORD.findall(lines[at]))
            file.write_text("\n".join([*lines[:at], word, *lines[at + 1 :]]))
        elif act == "tag" and not text.startswith("---"):
            file.write_text(f"---\ntags: [{word}]\n---\n{text}")
        elif act == "unlink":
            self.dropped |= set(WORD.findall(text))
            file.unlink()
        elif act == "move" and not target.exists():
            target.parent.mkdir(exist_ok=True)
            file.rename(target)

    def sync(self, number: int) -> bool:
        """Whether there was any news."""
        memex = self.opened[number]
        memex.look_again()
        done = memex.sync_import()
        assert done["refused"] == []
        told = memex.sync_export()["exported"]
        return told or any(done[kind] for kind in ("added", "changed", "deleted", "conflicts"))

    def history(self) -> str:
        """All that the journals could bring back."""
        events = [event for one in self.opened for event in one.store.journal.read()]
        return "\n".join(text.decode() for text in map(bytes_before, events) if text is not None)


@pytest.fixture
def no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """No power cut is tested here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.mark.usefixtures("no_flush")
@settings(max_examples=40, phases=(Phase.explicit, Phase.generate), suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_two_vaults_end_with_the_same_notes(steps: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        vaults = Vaults(Path(folder))
        try:
            written: set[str] = set()
            for step in steps:
                vaults.act(*step)
                written |= set(WORD.findall("".join([*vaults.notes(0).values(), *vaults.notes(1).values()])))
            assert any(not any([vaults.sync(0), vaults.sync(1)]) for _ in range(ROUNDS))
            notes = vaults.notes(0)
            assert notes == vaults.notes(1)
            assert len({name.casefold() for name in notes}) == len(notes)
            kept = set(WORD.findall("".join(notes.values()) + vaults.history()))
            assert written - vaults.dropped <= kept
        finally:
            vaults.close()
