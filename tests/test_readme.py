"""The README says what is so: its key table is the registry's, its pictures and files are there."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

from memex_core.care import set_aside, unfinished
from memex_core.memex import Memex
from memex_core.model.operations.registry import COMMANDS
from memex_tui.commands import key_table
from tests.screenshots.scenes import SCENES

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PICTURES = ROOT / "screenshots"
BEGIN, END = "<!-- keys: begin -->\n", "<!-- keys: end -->\n"
UPDATE = "MEMEX_UPDATE_README"
_UPDATING = os.environ.get(UPDATE) == "1"  # read at import: tests run without the user's MEMEX_ settings
MOST = 3_000_000  # bytes of all pictures


def test_the_key_table_is_current() -> None:
    before, found, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    table, end, after = rest.partition(END)
    assert found and end
    if _UPDATING:
        README.write_text(f"{before}{BEGIN}\n{key_table()}\n{END}{after}", encoding="utf-8")
        return
    assert table.strip() == key_table().strip(), f"{UPDATE}=1 writes it anew"


def test_every_file_it_names_is_there() -> None:
    text = README.read_text(encoding="utf-8")
    named = re.findall(r"(?:src=\"|\]\()([^\")#:]+)[\")]", text)
    named += re.findall(r"`((?:memex_core|memex_tui|tests)/[\w/]+(?:\.py|/))`", text)
    assert len(named) > 15
    assert not [name for name in named if not (ROOT / name).exists()]


def test_every_command_it_tells_exists() -> None:
    known = set(COMMANDS)
    text = README.read_text(encoding="utf-8")
    told = set(re.findall(r"^memex ([a-z][a-z-]*)", text, re.M)) | set(
        re.findall(r"`memex ([a-z][a-z-]*)", text)
    )
    assert len(told) > 8
    assert told <= known


def test_every_key_and_file_that_memex_adds_is_explained() -> None:
    text = README.read_text(encoding="utf-8")
    where = text[text.index("## What lies where") : text.index("## Keys")]
    for name in (
        "proposes",
        "basis",
        "forget",
        "deferred",
        "decay",
        "disputed",
        "mem.vectors.db",
        "texts.db",
    ):
        assert f"`{name}`" in where, name


def test_what_lies_in_a_store_is_told(memex: Memex, root: Path, tmp_path: Path) -> None:
    memex.write(type="entity", title="Oak", body="x")
    memex.diary_append("x")
    memex.ingest_transcript("s", turns=[{"role": "user", "content": "x"}])
    memex.backup(tmp_path / "b.tar.gz")
    memex.edit("oak", body="y")
    memex.restore(tmp_path / "b.tar.gz")
    memex.rules_add("avoid", "weather")
    memex.sync_enable(str(tmp_path / "shared"))
    memex.extract()
    text = README.read_text(encoding="utf-8")
    where = text[text.index("## What lies where") : text.index("## Keys")]
    passing = re.compile(r"\.|mem\.db\.lock|.*\.db-(wal|shm|journal)$")  # locks, and what is SQLite's own
    there = {entry.name for entry in root.iterdir() if not passing.match(entry.name)}
    told = {name.rstrip("/").rstrip("…") for name in re.findall(r"`([a-z][a-zA-Z./…-]*)`", where)}
    there = {set_aside.NAME if name.startswith(set_aside.NAME) else name for name in there}
    assert len(there) > 10 and set_aside.NAME in there
    assert {*there, unfinished.FOLDER} <= told


def test_every_picture_is_there_and_shown() -> None:
    text = README.read_text(encoding="utf-8")
    for scene in SCENES:
        assert f"screenshots/{scene.stem}.png" in text, scene.stem
        picture = ET.parse(PICTURES / f"{scene.stem}.svg").getroot()
        assert picture.tag.endswith("}svg")
        assert (picture.findtext("{http://www.w3.org/2000/svg}title") or "").endswith(scene.title)
        assert (PICTURES / f"{scene.stem}.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_no_picture_is_left_over_and_all_are_small() -> None:
    files = sorted(path.name for path in PICTURES.iterdir())
    assert files == sorted(f"{scene.stem}.{ending}" for scene in SCENES for ending in ("png", "svg"))
    assert sum((PICTURES / name).stat().st_size for name in files) < MOST


def test_nothing_of_the_machine_is_in_a_picture() -> None:
    for path in PICTURES.glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "/home/" not in text and "/root" not in text, path.name
