"""Folders are flushed whatever happens meanwhile, by a thread or without."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memex_core.files import flushing


class TestSyncingFolders:
    @pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="tells which file a descriptor is")
    @pytest.mark.parametrize(("slow", "threads"), [(True, True), (True, False), (False, True)])
    def test_they_are_flushed_when_it_ends_whatever_ended_it(
        self, place: Path, monkeypatch: pytest.MonkeyPatch, slow: bool, threads: bool
    ) -> None:
        def none(*_: object) -> None:
            raise RuntimeError("can't start new thread")

        synced: list[str] = []
        real = os.fsync

        def watching(descriptor: int) -> None:
            synced.append(os.readlink(f"/proc/self/fd/{descriptor}"))
            real(descriptor)

        (place / "one").mkdir()
        (place / "two").mkdir()
        files = [str(place / "one" / "a.md"), str(place / "two" / "b.md"), str(place / "one" / "c.md")]
        monkeypatch.setattr(os, "fsync", watching)
        monkeypatch.setattr(flushing, "_last_flush", 1.0 if slow else 0.0)
        if not threads:
            monkeypatch.setattr("_thread.start_new_thread", none)
        for _ in range(20):
            synced.clear()
            with pytest.raises(KeyError), flushing.syncing_folders(iter(files)):
                raise KeyError
            assert sorted(synced) == [str(place / "one"), str(place / "two")]
