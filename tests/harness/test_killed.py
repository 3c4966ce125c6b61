"""Kill -9 in the middle of a capture, fifty times: afterwards every turn is there, once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memex_core.files import transcripts
from memex_core.files.layout import create_store
from memex_core.files.scrubbing import Scrubber
from memex_core.harness.following import follow
from memex_core.harness.places import reader_of
from tests.harness import killing
from tests.harness.writing import Claude, lines, use

KILLS = 50


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by fork here")
def test_no_turn_is_lost_or_doubled(tmp_path: Path) -> None:
    layout = create_store(str(tmp_path / "store"))
    talk = Claude()
    made: list[Any] = []
    for n in range(150):
        made += [
            talk.user(f"u{n}", f"Row {n}"),
            talk.agent(f"a{n}", f"Rowing {n}.", use(f"t{n}", n=n), usage=(1, 1, 1, 1), stop="tool_use"),
            talk.result(f"r{n}", f"t{n}", f"wet {n}"),
        ]
    records = lines(tmp_path / "all.jsonl", *made)
    path = tmp_path / f"{talk.session}.jsonl"
    path.touch()
    first = records.read_bytes().split(b"\n", 1)[0] + b"\n"
    path.write_bytes(first)
    records.write_bytes(records.read_bytes()[len(first) :])

    done = subprocess.run(
        [sys.executable, killing.__file__, layout.root, str(path), str(records), str(KILLS), "7"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(killing.__file__).parents[2])},
        check=True,
    )
    assert int(done.stdout) > KILLS // 2, "most captures were not killed: the moments are badly spread"

    begin = reader_of(str(path))
    assert begin is not None
    follow(layout, str(path), begin, scrubber=Scrubber())
    turns = transcripts.read_turns(layout, talk.session)
    wanted = [f"{word} {n}" for n in range(150) for word in ("Row", "Rowing", "wet")]
    assert [(turn["content"] or turn["result"]).rstrip(".") for turn in turns] == wanted
    assert [turn["turn"] for turn in turns] == list(range(1, 451))
    meta = json.loads(Path(transcripts.meta_of(layout, talk.session)).read_text())
    assert meta["token_usage"] == {"input": 150, "cache_read": 150, "cache_creation": 150, "output": 150}
    assert (meta["turn_count"], meta["tool_turns"]) == (450, 150)
