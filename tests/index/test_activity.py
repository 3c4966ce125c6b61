from pathlib import Path

from memex_core import Memex
from memex_core.index.activity import Fed, fed_pages, turns_by_day


def test_turns_are_counted_by_day_and_session_pieces_of_a_long_one_once(memex: Memex) -> None:
    memex.ingest_transcript(
        "a",
        turns=[
            {"role": "user", "content": "early", "ts": "2026-10-01T08:00:00Z"},
            {"role": "user", "content": "on a day", "ts": "2026-11-01T23:59:59Z"},
            {"role": "agent", "content": "a long answer. " * 2_000, "ts": "2026-11-02T00:00:01Z"},
            {"role": "agent", "content": "no time of its own"},
        ],
    )
    memex.ingest_transcript("b", turns=[{"role": "user", "content": "x", "ts": "2026-11-02T10:00:00Z"}])
    memex.diary_append("A day.", date="2026-11-02", time="09:00")
    db = memex.store.index.db
    assert turns_by_day(db, "2026-11-01") == {"a": {"2026-11-01": 1, "2026-11-02": 2}, "b": {"2026-11-02": 1}}
    assert turns_by_day(db, "2026-11-03") == {}


def test_pages_are_found_by_the_session_that_wrote_them_and_by_their_sources(
    memex: Memex, root: Path
) -> None:
    for session in ("talk", "talk-2"):
        memex.ingest_transcript(session, turns=[{"role": "user", "content": "rye"}] * 3)
    memex.write("entity", "Written there", "x", session_id="talk", sources=["talk#2"])
    memex.write("entity", "Citing", "x", sources=["talk#3", "talk#1", "talk-2#1"])
    memex.write(
        "entity", "About memex:talk", "The words memex:talk prove nothing.", description="memex:talk#1"
    )
    (root / "docs" / "whole.md").write_text("---\nsources: memex:talk\n---\n# Whole\n")
    memex.look_again()
    found = fed_pages(memex.store.index.db)
    assert set(found) == {"talk", "talk-2"}
    assert [(page.title, page.wrote, page.turns) for page in found["talk"]] == [
        ("rye", True, ()),
        ("Written there", True, (2,)),
        ("Citing", False, (1, 3)),
        ("Whole", False, ()),
    ]
    assert found["talk-2"][1] == Fed("entities/citing.md", "Citing", "entity", False, (1,))
