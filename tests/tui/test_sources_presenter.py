from collections.abc import Iterator
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.model.errors import NotFound, Refused
from memex_tui import conversations
from memex_tui.messages import Place
from memex_tui.render.line import line_text
from memex_tui.render.transcript import Quote, Turn, TurnMark
from memex_tui.screens.sources import changing, presenter
from memex_tui.screens.sources.presenter import Disputed, Statement
from memex_tui.screens.sources.widgets import draw_other, draw_statement, note_of, place_of, state_of
from memex_tui.widgets.rows import RowState
from tests.tui.sources_store import PLAIN, POLICY, RATES, make_store


@pytest.fixture
def memex(root: Path) -> Iterator[Memex]:
    with Memex(make_store(root)) as opened:
        yield opened


def statement(**more: object) -> Statement:
    values = {"path": "a.md", "page": "A", "id": "s1", "text": "It is so.", "lane": "evidence", "found": True}
    return Statement(**{**values, "session": "s", "turn": 4, "quote": "so", "resource": "memex:s#4", **more})  # type: ignore[arg-type]


def test_a_page_is_its_footnoted_statements_with_what_became_of_their_sources(memex: Memex) -> None:
    loaded = presenter.load(memex, "Rate limits")
    assert (loaded.path, loaded.title) == (RATES, "Rate limits")
    seen = [(one.id, one.line, one.letter, one.session, one.turn, one.found) for one in loaded.statements]
    assert seen == [
        ("s1", 28, "E", "limits", 4, True),
        ("s2", 28, "C", "limits", 2, True),
        ("s3", 30, "E", "limits", 4, False),
        ("s4", 31, "E", "gone", 3, False),
        ("s5", 32, "C", "", 0, None),
        ("s6", 33, "E", "limits", 99, False),
        ("nowhere", 34, "?", "", 0, False),
    ]
    assert loaded.statements[0].text == "A 429 carries retry-after; the client honours it."
    assert presenter.summary(loaded.statements) == "4 evidence · 2 context · 3 not found · 1 without a source"
    assert len({one.key for one in loaded.statements}) == 7


def test_sources_that_no_sentence_names_are_shown_by_their_words(memex: Memex) -> None:
    memex.edit(POLICY, sources=["limits#2:context"])
    loaded = presenter.load(memex, POLICY)
    assert [one.id for one in loaded.statements] == ["s1", "s2"]
    assert loaded.statements[0].text == "Three tries with jitter, retry-after first."
    assert loaded.statements[1].line == 0
    assert loaded.statements[1].text == "limits, turn 2"


def test_a_page_without_sources_and_an_episode(memex: Memex) -> None:
    assert presenter.load(memex, PLAIN).statements == ()
    assert presenter.summary(()) == "no source"
    (own,) = presenter.load(memex, "limits").statements
    assert (own.lane, own.session, own.turn, own.letter) == ("linked", "limits", 0, "~")
    assert own.text == "The conversation that this page sums up"


def test_all_pages_that_cite_a_conversation_in_order_of_its_turns(memex: Memex) -> None:
    memex.ingest_transcript("limits-2", turns=[{"role": "user", "content": "another one"}])
    memex.write("entity", "Other", "x", sources=["limits-2#1"])
    found = presenter.citing(memex, "limits")
    assert [(one.turn, one.path, one.id) for one in found] == [
        (2, RATES, "s2"),
        (4, POLICY, "s1"),
        (4, RATES, "s1"),
        (4, RATES, "s3"),
        (99, RATES, "s6"),
    ]
    assert [one.page for one in presenter.citing(memex, "limits-2")] == ["Other"]
    loaded = presenter.load_session(memex, "limits")
    assert (loaded.path, loaded.title, loaded.statements) == ("", "limits and retry", found)
    assert presenter.load_session(memex, "gone").title == "gone"


def test_a_conversation_is_opened_without_its_turns_and_read_by_range(memex: Memex) -> None:
    talk = conversations.open_session(memex, "limits")
    assert (talk.title, talk.agent, list(talk.numbers)) == ("limits and retry", "codex", [1, 2, 3, 4, 5])
    tool, said = conversations.turns(memex, "limits", 3, 4)
    assert (tool.number, tool.tool, tool.query, tool.trust) == (
        3,
        "read_file",
        "http_client.py",
        "local-tool",
    )
    assert said.who == "you"
    with pytest.raises(NotFound):
        conversations.open_session(memex, "gone")


def test_numbers_with_gaps_are_kept(memex: Memex) -> None:
    memex.ingest_transcript(
        "gaps",
        turns=[{"role": "user", "content": "a", "turn": 3}, {"role": "user", "content": "b", "turn": 900}],
    )
    assert list(conversations.open_session(memex, "gaps").numbers) == [3, 900]


def test_the_page_to_begin_with(memex: Memex) -> None:
    assert presenter.first_page(memex, [PLAIN, RATES]) == PLAIN
    assert presenter.first_page(memex, ["gone.md"]) in (RATES, POLICY)


def test_turns_are_marked_by_their_best_lane_and_the_current_quote_stands_out() -> None:
    own = [
        statement(id="s1", lane="context", quote="b"),
        statement(id="s2", quote="a"),
        statement(id="s3", turn=7, quote="c", found=False),
        statement(id="s4", turn=0),
    ]
    others = [statement(path="b.md", turn=4), statement(path="b.md", turn=9)]
    assert presenter.marks(own, others, own[1]) == {
        4: TurnMark(
            "E",
            "turn--evidence",
            (
                Quote("b", "turn--context-quote"),
                Quote("a", "turn--evidence-quote"),
                Quote("a", "turn--current-quote"),
            ),
        ),
        7: TurnMark("E", "turn--doubtful", (Quote("c", "turn--evidence-quote", False),)),
        9: TurnMark("·", "turn--other"),
    }


def test_the_next_cited_turn() -> None:
    assert conversations.next_cited([9, 2, 5], 2, 1) == 5
    assert conversations.next_cited([9, 2, 5], 5, -1) == 2
    assert conversations.next_cited([9, 2, 5], 9, 1) == 0


def test_which_statement_a_place_means() -> None:
    rows = [statement(line=3), statement(id="s2", line=9, turn=6), statement(id="s3", line=0, turn=8)]
    assert presenter.chosen(rows, Place("sources", "a.md", extra={"row": rows[1].key})) == 1
    assert presenter.chosen(rows, Place("sources", "a.md", line=8)) == 1
    assert presenter.chosen(rows, Place("sources", "a.md", turn=8)) == 2
    assert presenter.chosen(rows, Place("sources", "a.md")) is None
    assert presenter.resting_on(rows, "s", 8) == 2
    assert presenter.resting_on(rows, "other", 8) is None


def test_a_source_is_disputed_and_the_doubt_withdrawn_byte_for_byte(memex: Memex) -> None:
    before = memex.read_bytes(RATES)
    first = presenter.load(memex, RATES).statements[0]
    changing.dispute(memex, first, "  it was\n a joke ")
    after = memex.read_bytes(RATES).decode()
    added = [line for line in after.split("\n") if line not in before.decode().split("\n")]
    assert added == [
        f'    disputed: {{by: {memex.store.actor}, at: "2026-11-30T12:00:00Z", why: it was a joke}}'
    ]
    doubted = presenter.load(memex, RATES).statements[0]
    assert doubted.disputed == Disputed(memex.store.actor, "2026-11-30T12:00:00Z", "it was a joke")
    assert state_of(doubted) == ("! disputed", "bad")
    note = note_of(doubted, 5)
    assert note is not None
    assert line_text(note) == f"! disputed by {memex.store.actor} on 2026-11-30: it was a joke"
    assert memex.trace(RATES)["evidence"][0]["found"] is True
    changing.withdraw(memex, doubted)
    assert memex.read_bytes(RATES) == before


def test_a_dispute_keeps_what_says_who_generated_the_page(memex: Memex) -> None:
    page = Path(memex.store.file_path(RATES))
    stamp = 'generated: {by: "codex/1", at: 2026-11-21T09:20:00Z}\n'
    page.write_text(page.read_text().replace("type: summary\n", "type: summary\n" + stamp))
    changing.dispute(memex, presenter.load(memex, RATES).statements[0], "")
    assert stamp in page.read_text()
    assert "disputed: {by: " in page.read_text()


def test_a_source_that_went_cannot_be_disputed(memex: Memex) -> None:
    first = presenter.load(memex, POLICY).statements[0]
    memex.edit(POLICY, unset=["sources"])
    with pytest.raises(NotFound, match="no such source any more"):
        changing.dispute(memex, first, "")


def test_a_hand_written_dispute_is_read(memex: Memex) -> None:
    page = Path(memex.store.file_path(RATES))
    page.write_text(
        page.read_text().replace("    lane: evidence\n", "    disputed: too old\n    lane: evidence\n", 1)
    )
    assert presenter.load(memex, RATES).statements[0].disputed == Disputed("", "", "too old")


def test_a_turn_is_cited_with_its_words(memex: Memex) -> None:
    person, agent = conversations.turns(memex, "limits", 4, 5)
    changing.cite(memex, PLAIN, "limits", person, "raise the limit to 40 rps", "The limit is 40 rps.")
    changing.cite(memex, PLAIN, "limits", agent, "", "")
    first, second = presenter.load(memex, PLAIN).statements
    assert (first.text, first.lane, first.turn, first.found) == ("The limit is 40 rps.", "evidence", 4, True)
    assert (second.id, second.lane, second.turn, second.line) == ("s2", "context", 5, 0)
    assert memex.show(PLAIN)["body"].endswith("Nobody proves this.\n\nThe limit is 40 rps.[^s1]\n")
    with pytest.raises(Refused, match="does not say"):
        changing.cite(memex, PLAIN, "limits", person, "raise it to 50", "x")


def test_the_words_that_are_proposed() -> None:
    assert changing.proposed_quote(Turn(1, "user", text="\n short one \nmore")) == "short one"
    assert changing.proposed_quote(Turn(1, "tool", result="42 rows")) == "42 rows"
    long = "The first sentence is long enough to stand here alone. " + "word " * 60
    assert changing.proposed_quote(Turn(1, "user", text=long)) == long[:54]
    assert changing.proposed_quote(Turn(1, "user", text="word " * 60)) == ("word " * 32).strip()


def test_rows_say_what_is_said_where_it_is_from_and_whether_it_holds() -> None:
    def row(one: Statement, cells: int = 50) -> list[str]:
        return [line_text(line).rstrip() for line in draw_statement(one, cells, RowState())]

    assert row(statement()) == ["E s1  It is so.", f"      s · turn 4{'✓ evidence':>34}"]
    assert row(statement(text="word " * 30, lane="context"), 30)[:2] == [
        "C s1  word word word word word",
        "      word word word word wor…",
    ]
    assert row(statement(found=False))[1].endswith("✗ not found")
    assert state_of(statement(lane="", found=False)) == ("✗ nobody said it", "bad")
    assert state_of(statement(found=None, session="")) == ("evidence, not looked up", "faint")
    assert place_of(statement(session="", resource="https://a.b")) == "https://a.b"
    assert place_of(statement(session="", resource="")) == "no source has this name"
    assert line_text(draw_other(statement(), 40, RowState())[0]) == "E A  It is so."
    assert statement().citation == "“so” (memex:s#4)"
    assert statement(ts="2026-11-21T09:16:00Z", quote="").citation == "(memex:s#4, 2026-11-21)"


def test_notes_say_what_is_wrong_with_a_source() -> None:
    def said(one: Statement | None, last: int) -> str:
        return line_text(note_of(one, last) or [])

    assert said(statement(), 9) == ""
    assert said(None, 9) == ""
    assert (
        said(statement(turn=99, found=False), 9) == "✗ there is no turn 99: the conversation ends at turn 9"
    )
    assert said(statement(found=False), 9) == ""  # the turn itself says so
    assert said(statement(found=False, turn=0), 9) == "✗ no turn of the conversation says these words"
    assert said(statement(found=False, turn=0), 0) == ""
