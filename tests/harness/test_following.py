"""A session file that grows, is cut, replaced or broken off: no turn lost, none twice."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memex_core.files import capturing, transcripts
from memex_core.files.layout import Layout, create_store
from memex_core.files.scrubbing import Scrubber
from memex_core.files.sessions import read_session
from memex_core.harness import following
from memex_core.harness.following import Followed, follow
from memex_core.harness.places import reader_of
from memex_core.model.errors import Locked
from tests.harness.test_gemini import HEAD as GEMINI
from tests.harness.test_gemini import agent as gemini_says
from tests.harness.test_gemini import user as asked_gemini
from tests.harness.writing import Claude, lines, use

ID = "5e551000-0000-4000-8000-000000000001"


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


@pytest.fixture
def talk() -> Claude:
    return Claude()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "projects" / f"{ID}.jsonl"


def capture(layout: Layout, path: Path, **more: Any) -> Followed:
    begin = reader_of(str(path))
    assert begin is not None
    return follow(layout, str(path), begin, scrubber=Scrubber(), **more)


def stored(layout: Layout, session: str = ID) -> list[str]:
    """What the turns say, tools by query and result."""
    turns = transcripts.read_turns(layout, session)
    assert [turn["turn"] for turn in turns] == list(range(1, len(turns) + 1))
    assert len({turn["xid"] for turn in turns}) == len(turns)
    return [turn["content"] or f"{turn.get('query')} > {turn.get('result')}" for turn in turns]


def source(layout: Layout, session: str = ID) -> dict[str, Any]:
    return capturing.source_of(transcripts.read_meta(layout, session))


def test_a_second_capture_reads_nothing_and_adds_nothing(layout: Layout, path: Path, talk: Claude) -> None:
    lines(path, talk.user("u1", "Row"), talk.agent("a1", "Rowed.", usage=(1, 2, 3, 4)))
    assert capture(layout, path)[:2] == (2, 2)
    before = Path(transcripts.file_of(layout, ID)).read_bytes()
    again = capture(layout, path)
    assert (again.turns, again.new, again.unchanged) == (2, 0, True)
    os.utime(path, ns=(1, 1))  # only its time changed
    again = capture(layout, path)
    assert (again.turns, again.new, again.unchanged) == (2, 0, False)
    assert Path(transcripts.file_of(layout, ID)).read_bytes() == before


def test_a_grown_file_adds_its_tail(layout: Layout, path: Path, talk: Claude) -> None:
    lines(path, talk.user("u1", "Row"), talk.agent("a1", "Rowed.", usage=(1, 2, 3, 4)))
    capture(layout, path)
    first = source(layout)["offset"]
    assert first == path.stat().st_size
    lines(path, talk.user("u2", "Sail"), talk.agent("a2", "Sailed.", usage=(10, 20, 30, 40)), mode="ab")
    assert capture(layout, path)[:2] == (4, 2)
    assert stored(layout) == ["Row", "Rowed.", "Sail", "Sailed."]
    shown = read_session(layout, ID)
    assert shown["token_usage"] == {"input": 11, "cache_read": 22, "cache_creation": 33, "output": 44}
    assert (shown["title"], shown["title_source"]) == ("Row", "prompt")


def test_the_last_line_may_be_half_written(layout: Layout, path: Path, talk: Claude) -> None:
    lines(path, talk.user("u1", "Row"))
    whole = json.dumps(talk.agent("a1", "Rowed.")).encode()
    lines(path, whole[:50], mode="ab")
    first = capture(layout, path)
    assert (first.new, first.damaged) == (1, [(2, "not finished yet; it is read when it is", True, 0)])
    assert source(layout)["offset"] == path.stat().st_size - 50
    lines(path, whole[50:], mode="ab")
    assert capture(layout, path).new == 1  # whole, though its end of line is still missing
    lines(path, b"\n", talk.user("u2", "On"), mode="ab")
    assert capture(layout, path)[:2] == (3, 1)
    assert stored(layout) == ["Row", "Rowed.", "On"]


def test_a_call_gets_its_result_later_in_its_own_turn(layout: Layout, path: Path, talk: Claude) -> None:
    lines(path, talk.user("u1", "Go"), talk.agent("a1", "Looking.", use("t1"), use("t2"), stop="tool_use"))
    assert capture(layout, path).new == 4
    assert stored(layout) == ["Go", "Looking.", "{} > None", "{} > None"]
    lines(path, talk.result("u2", "t2", "two"), mode="ab")
    assert capture(layout, path)[:2] == (4, 0)
    assert stored(layout) == ["Go", "Looking.", "{} > None", "{} > two"]
    lines(path, talk.result("u3", "t1", "one"), talk.agent("a2", "Done."), mode="ab")
    assert capture(layout, path)[:2] == (5, 1)
    assert stored(layout) == ["Go", "Looking.", "{} > one", "{} > two", "Done."]
    assert source(layout)["offset"] == path.stat().st_size


def test_a_large_transcript_changes_its_end_only(
    layout: Layout, path: Path, talk: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capturing, "_WHOLE_REWRITE", 0)
    lines(path, talk.user("u1", "Go"), talk.agent("a1", use("t1"), stop="tool_use"))
    capture(layout, path)
    lines(path, talk.result("u2", "t1", "one"), mode="ab")
    capture(layout, path)
    assert stored(layout) == ["Go", "{} > one"]
    counts = transcripts.read_meta(layout, ID)
    assert (counts["turn_count"], counts["tool_turns"]) == (2, 1)


def test_portions_are_complete_by_themselves(
    layout: Layout, path: Path, talk: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    for n in range(200):
        made += [
            talk.user(f"u{n}", f"Row {n}"),
            talk.agent(f"a{n}", use(f"t{n}")),
            talk.result(f"r{n}", f"t{n}", "ok"),
        ]
    lines(path, *made)
    monkeypatch.setattr(following, "PORTION", 5_000)
    writes = 0
    real = capturing.store

    def counted(*args: Any, **more: Any) -> capturing.Stored:
        nonlocal writes
        writes += 1
        if writes == 7:
            raise KeyboardInterrupt
        return real(*args, **more)

    monkeypatch.setattr(capturing, "store", counted)
    with pytest.raises(KeyboardInterrupt):
        capture(layout, path)
    part = len(stored(layout))
    assert 0 < part < 400
    assert capture(layout, path)[:2] == (400, 400 - part)
    assert stored(layout)[::2] == [f"Row {n}" for n in range(200)]
    shown = transcripts.read_meta(layout, ID)
    assert (shown["user_turns"], shown["tool_turns"]) == (200, 200)


def test_what_a_crash_left_behind_the_position_is_not_doubled(
    layout: Layout, path: Path, talk: Claude
) -> None:
    lines(path, talk.user("u1", "Row"), talk.agent("a1", "Rowed."))
    capture(layout, path)
    meta = Path(transcripts.meta_of(layout, ID))
    before = meta.read_bytes()
    lines(path, talk.user("u2", "Sail"), talk.agent("a2", "Sailed."), mode="ab")
    capture(layout, path)
    meta.write_bytes(before)  # killed after the turns were written, before the meta file was
    assert capture(layout, path)[:2] == (4, 0)
    transcript = Path(transcripts.file_of(layout, ID))
    whole = transcript.read_bytes()
    meta.write_bytes(before)
    transcript.write_bytes(whole[:-30])  # killed in the middle of a turn
    assert capture(layout, path)[:2] == (4, 1)
    assert transcript.read_bytes() == whole
    meta.unlink()
    assert capture(layout, path)[:2] == (4, 0)
    assert stored(layout) == ["Row", "Rowed.", "Sail", "Sailed."]


@pytest.mark.parametrize("left", [0, 1, 20, 150])
def test_a_first_write_that_was_cut_is_made_again(
    layout: Layout, path: Path, talk: Claude, left: int
) -> None:
    lines(path, talk.user("u1", "Row"), talk.agent("a1", "Rowed."))
    capture(layout, path)
    transcript = Path(transcripts.file_of(layout, ID))
    whole = transcript.read_bytes()
    os.unlink(transcripts.meta_of(layout, ID))
    transcript.write_bytes(whole[:left])
    assert capture(layout, path)[:2] == (2, 2)
    assert stored(layout) == ["Row", "Rowed."]
    assert transcript.read_bytes().count(b"memex_session_header") == 1
    assert read_session(layout, ID)["warnings"] == []


def test_a_file_that_was_cut_or_rewritten_loses_nothing_stored(
    layout: Layout, path: Path, talk: Claude
) -> None:
    one, two = talk.user("u1", "Row"), talk.agent("a1", "Rowed.")
    three, four = talk.user("u2", "Sail"), talk.agent("a2", "Sailed.")
    lines(path, one, two, three)
    capture(layout, path)
    lines(path, three, four)  # the beginning is gone
    assert capture(layout, path)[:2] == (4, 1)
    assert stored(layout) == ["Row", "Rowed.", "Sail", "Sailed."]
    for number, record in enumerate((one, two, three, four)):
        record["uuid"] = f"new-{number}"  # a migration gave other ids
    lines(path, one, two, three, four, talk.user("u3", "Anchor"))
    assert capture(layout, path)[:2] == (5, 1)
    assert stored(layout) == ["Row", "Rowed.", "Sail", "Sailed.", "Anchor"]
    lines(path, talk.agent("a3", "Anchored."), mode="ab")
    assert capture(layout, path)[:2] == (6, 1)


def test_a_transcript_that_is_gone_is_made_again(layout: Layout, path: Path, talk: Claude) -> None:
    lines(path, talk.user("u1", "Row"), talk.agent("a1", "Rowed."))
    capture(layout, path)
    os.unlink(transcripts.file_of(layout, ID))
    assert capture(layout, path)[:2] == (2, 2)
    transcripts.delete(layout, ID)
    assert capture(layout, path)[:2] == (2, 2)
    assert stored(layout) == ["Row", "Rowed."]


def test_a_transcript_edited_by_hand_keeps_the_edit(layout: Layout, path: Path, talk: Claude) -> None:
    lines(path, talk.user("u1", "Row"), talk.agent("a1", "Rowed."))
    capture(layout, path)
    transcript = Path(transcripts.file_of(layout, ID))
    transcript.write_bytes(transcript.read_bytes().replace(b"Rowed.", b"Rowed by hand."))
    lines(path, talk.user("u2", "On"), mode="ab")
    assert capture(layout, path)[:2] == (3, 1)
    assert stored(layout) == ["Row", "Rowed by hand.", "On"]


def test_the_source_may_vanish(layout: Layout, path: Path, talk: Claude) -> None:
    lines(path, talk.user("u1", "Row"))
    capture(layout, path)
    path.unlink()
    assert stored(layout) == ["Row"]


def test_a_rewind_across_captures_is_marked(layout: Layout, path: Path, talk: Claude) -> None:
    lines(
        path,
        talk.user("u1", "A sail"),
        talk.agent("a1", "Ready."),
        talk.user("u2", "Silk"),
        talk.agent("a2", "No."),
    )
    capture(layout, path)
    lines(path, talk.user("u3", "Canvas", parent="a1"), mode="ab")
    capture(layout, path)
    assert [turn["abandoned"] for turn in read_session(layout, ID)["turns"]] == [
        False,
        False,
        True,
        True,
        False,
    ]


def test_a_rewind_further_back_than_memory_reads_the_whole_again(
    layout: Layout, path: Path, talk: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memex_core.harness import branches

    monkeypatch.setattr(branches, "_NOTED", 4)
    made = [talk.user("u0", "Plan"), talk.agent("a0", "Ready.")]
    for n in range(1, 20):
        made += [talk.user(f"u{n}", f"Row {n}"), talk.agent(f"a{n}", f"Rowed {n}.")]
    lines(path, *made)
    capture(layout, path)
    lines(path, talk.user("u99", "Sail instead", parent="a0"), mode="ab")
    assert capture(layout, path)[:2] == (41, 1)
    shown = read_session(layout, ID)["turns"]
    assert [turn["turn"] for turn in shown if turn["abandoned"]] == list(range(3, 41))
    lines(path, talk.agent("a99", "Sailed."), mode="ab")
    assert capture(layout, path)[:2] == (42, 1)
    assert stored(layout)[-2:] == ["Sail instead", "Sailed."]


def test_what_is_written_again_long_after_is_known_from_the_disk(
    layout: Layout, path: Path, talk: Claude
) -> None:
    kept = talk.agent("a1", "The mast is up.", id="m1", usage=(7, 0, 0, 3))
    lines(path, talk.user("u1", "Go"), kept, talk.user("u2", "On"))
    capture(layout, path)
    lines(path, {**kept, "parentUuid": None}, talk.agent("a2", "Yes.", usage=(1, 0, 0, 1)), mode="ab")
    assert capture(layout, path)[:2] == (4, 1)
    usage = read_session(layout, ID)["token_usage"]
    assert (usage["input"], usage["output"]) == (8, 4)


def test_what_gemini_takes_back_stays_marked_once_stored(layout: Layout, tmp_path: Path) -> None:
    path = lines(tmp_path / "session-1.jsonl", GEMINI, asked_gemini("g1", "Weigh"), gemini_says("g2", ""))
    capture(layout, path)
    lines(path, gemini_says("g2", "900 g."), asked_gemini("g3", "In stones"), mode="ab")
    assert capture(layout, path)[:2] == (3, 2)
    lines(path, {"$rewindTo": "g3"}, asked_gemini("g4", "In pounds"), mode="ab")
    assert capture(layout, path)[:2] == (4, 1)
    turns = read_session(layout, "3333-c")["turns"]
    assert [(t["content"], t["abandoned"]) for t in turns] == [
        ("Weigh", False), ("900 g.", False), ("In stones", True), ("In pounds", False),
    ]  # fmt: skip
    assert capture(layout, path)[:2] == (4, 0)


def test_what_gemini_took_back_after_it_was_stored_is_kept_and_marked(layout: Layout, tmp_path: Path) -> None:
    stones = asked_gemini("g3", "In stones")
    path = lines(
        tmp_path / "session-1.jsonl",
        GEMINI,
        asked_gemini("g1", "Weigh"),
        stones,
        gemini_says("g4", "0.14 st"),
    )
    assert capture(layout, path)[:2] == (3, 3)
    lines(path, {"$rewindTo": "g3"}, asked_gemini("g5", "In pounds"), mode="ab")
    assert capture(layout, path)[:2] == (4, 1)
    session = read_session(layout, "3333-c")
    assert [t["content"] for t in session["turns"] if t["abandoned"]] == ["In stones", "0.14 st"]
    assert session["metadata"]["abandoned"] == [[2, 3]]
    lines(path, {"$set": {"messages": [stones]}}, mode="ab")
    assert capture(layout, path)[:2] == (4, 0)
    assert read_session(layout, "3333-c")["metadata"]["abandoned"] == [[3, 3]]
    lines(path, gemini_says("g4", "0.14 st"), mode="ab")
    assert capture(layout, path)[:2] == (4, 0)
    assert "abandoned" not in read_session(layout, "3333-c")["metadata"]


@pytest.mark.parametrize("agent", ["gemini", "claude"])
def test_a_lost_meta_file_costs_no_turn(
    layout: Layout, tmp_path: Path, path: Path, talk: Claude, agent: str
) -> None:
    if agent == "gemini":
        session, path = "3333-c", tmp_path / "session-1.jsonl"
        made = [asked_gemini("g1", "Row"), gemini_says("g2", "Rowed."), asked_gemini("g3", "Sail")]
        lines(path, GEMINI, *made[:2])
    else:
        session = ID
        made = [talk.user("u1", "Row"), talk.agent("a1", "Rowed."), talk.user("u2", "Sail")]
        lines(path, *made[:2])
    for more in (), made[2:], ():
        lines(path, *more, mode="ab")
        capture(layout, path)
        Path(transcripts.meta_of(layout, session)).unlink()
    os.utime(path, (1, 1))
    for _ in range(3):
        assert capture(layout, path)[:2] == (3, 0)
        os.utime(path)
    assert stored(layout, session) == ["Row", "Rowed.", "Sail"]


def test_a_lost_meta_file_while_a_call_is_open(layout: Layout, path: Path, talk: Claude) -> None:
    lines(path, talk.user("u1", "Go"))
    capture(layout, path)
    lines(path, talk.agent("a1", "Looking.", use("t1"), stop="tool_use"), mode="ab")
    Path(transcripts.meta_of(layout, ID)).unlink()
    for second in (1, 2, 3):
        os.utime(path, (second, second))
        assert capture(layout, path).turns == 3
    lines(path, talk.result("u2", "t1", "one"), talk.agent("a2", "Done."), mode="ab")
    assert capture(layout, path)[:2] == (4, 1)
    assert stored(layout) == ["Go", "Looking.", "{} > one", "Done."]


@pytest.mark.parametrize("line", [b"[1, 2]", b'{"a":' * 3000, b'{"cut": "shor'])
def test_a_damaged_last_line_is_told_once(layout: Layout, path: Path, talk: Claude, line: bytes) -> None:
    lines(path, talk.user("u1", "Row"), line + b"\n")
    assert [one.line for one in capture(layout, path).damaged] == [2]
    assert source(layout)["offset"] == path.stat().st_size
    lines(path, talk.user("u2", "On"), mode="ab")
    again = capture(layout, path)
    assert (again.turns, again.damaged) == (2, [])
    assert read_session(layout, ID)["metadata"]["skipped_lines"] == 1


def test_a_compressed_twin_goes_on_where_the_plain_file_was(
    layout: Layout, path: Path, talk: Claude, tmp_path: Path
) -> None:
    if not subprocess.run(["sh", "-c", "command -v zstd"], capture_output=True).stdout:
        pytest.skip("no zstd program")
    lines(path, talk.user("u1", "Row"), talk.agent("a1", "Rowed."))
    capture(layout, path)
    lines(path, talk.user("u2", "On"), mode="ab")
    packed = path.with_name(path.name + ".zst")
    subprocess.run(["zstd", "-q", "--rm", str(path)], check=True)
    assert capture(layout, packed)[:2] == (3, 1)
    assert stored(layout) == ["Row", "Rowed.", "On"]


def test_secrets_do_not_reach_the_disk(layout: Layout, path: Path, talk: Claude) -> None:
    secret = "ghp_0123456789abcdefABCDEF0123456789abcd"
    lines(
        path,
        talk.user("u1", f"Use {secret}"),
        talk.agent("a1", f"Using {secret}", use("t1", command=f"curl -H {secret}"), stop=None),
    )
    capture(layout, path)
    for file in Path(layout.transcripts).iterdir():
        assert secret not in file.read_text()
    assert "[REDACTED:github_token]" in stored(layout)[0]
    os.utime(path, ns=(1, 1))
    assert capture(layout, path).new == 0


def test_half_characters_and_odd_numbers_are_stored_soundly(layout: Layout, path: Path, talk: Claude) -> None:
    line = json.dumps(talk.user("u1", "Half \ud83d and \u2028 whole")).encode()
    lines(path, line + b"\n", talk.agent("a1", use("t1", size=float("nan"))))
    capture(layout, path)
    assert stored(layout)[0] == "Half \ufffd and \u2028 whole"
    assert Path(transcripts.file_of(layout, ID)).read_bytes().decode("utf-8")


def test_a_dry_run_counts_and_writes_nothing(layout: Layout, path: Path, talk: Claude) -> None:
    lines(path, talk.user("u1", "Row"), talk.agent("a1", "Rowed."))
    assert capture(layout, path, dry_run=True)[:2] == (2, 2)
    assert not Path(layout.transcripts).exists()
    capture(layout, path)
    lines(path, talk.user("u2", "On"), mode="ab")
    assert capture(layout, path, dry_run=True)[:2] == (3, 1)
    assert stored(layout) == ["Row", "Rowed."]


def test_another_process_in_between_is_noticed(
    layout: Layout, path: Path, talk: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines(path, talk.user("u1", "Row"))
    real, busy = capturing.store, True

    def overtaken(*args: Any, **more: Any) -> capturing.Stored:
        nonlocal busy
        if busy:
            busy = False
            capture(layout, path)
            lines(path, talk.agent("a1", "Rowed."), mode="ab")
        return real(*args, **more)

    monkeypatch.setattr(capturing, "store", overtaken)
    assert capture(layout, path)[:2] == (2, 1)
    assert stored(layout) == ["Row", "Rowed."]

    def always(*args: Any, **more: Any) -> capturing.Stored:
        raise capturing.Overtaken("again")

    monkeypatch.setattr(capturing, "store", always)
    monkeypatch.setattr(following, "_PAUSE", 0)
    lines(path, talk.user("u2", "On"), mode="ab")
    with pytest.raises(Locked, match="captured by others"):
        capture(layout, path)
