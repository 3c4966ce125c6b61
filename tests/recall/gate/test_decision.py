"""The order of the decision, with the session's state and the thresholds."""

from __future__ import annotations

from memex_core.recall.gate import NEUTRAL, Decision, Rules, State, after, decide, load
from memex_core.recall.gate.intents import INTENTS
from memex_core.recall.gate.overlay import read
from memex_core.recall.gate.rules import KNOWN

TOPIC = ("parser", "unicode", "titles", "tests", "empty", "input")
LONG = "write a small exporter turning ledger rows into spreadsheet columns for accountants"


def judged(prompt: str, state: State = NEUTRAL, rules: Rules | None = None) -> tuple[str, str]:
    decision = decide(prompt, rules or load(None), state)
    return decision.action, decision.reason


def with_overlay(text: str) -> Rules:
    rules = Rules()
    rules.apply(read(text.encode(), "gate.toml", KNOWN))
    assert not rules.problems
    return rules


def test_nothing_is_skipped() -> None:
    for prompt in ("", "   \n\t", "\u200b"):
        assert judged(prompt, State(epoch_changed=True, corrections=True)) == ("skip", "empty")


def test_asking_for_memory_goes_before_everything() -> None:
    assert judged("ok, as usual", State(topic=TOPIC)) == ("retrieve", "memory")
    assert decide("as usual, migrate it", load(None)).triggers == ("memory", "high_impact")


def test_a_changed_page_and_a_new_epoch_retrieve_even_for_a_nod() -> None:
    assert judged("ok", State(corrections=True)) == ("retrieve", "resident_changed")
    assert judged("ok", State(epoch_changed=True)) == ("retrieve", "context_epoch_changed")
    assert judged("ok") == ("skip", "acknowledgement")


def test_what_was_not_looked_at_for_long_is_looked_at() -> None:
    prompt = "parser unicode titles tests empty input"
    assert judged(prompt, State(topic=TOPIC, since_retrieval=5)) == ("skip", "coherent")
    assert judged(prompt, State(topic=TOPIC, since_retrieval=6)) == ("retrieve", "safety_refresh")
    assert judged("continue", State(topic=TOPIC, since_retrieval=60)) == ("skip", "continuation")


def test_a_new_topic_retrieves_and_the_old_one_does_not() -> None:
    state = State(topic=TOPIC)
    assert judged("draw the logo in blue ink please, larger", state) == ("retrieve", "topic_drift")
    assert judged("parser tests unicode", state) == ("skip", "coherent")
    assert judged("fix parser", state) == ("ambiguous", "unsure")
    assert judged("draw blue logo", state) == ("ambiguous", "unsure")


def test_a_full_prompt_that_no_given_page_covers_retrieves() -> None:
    assert judged(LONG) == ("retrieve", "uncovered")
    assert judged(LONG, State(resident=("Ledger exporter",))) == ("ambiguous", "unsure")
    assert judged(LONG, State(resident=("Rye bread",))) == ("retrieve", "uncovered")


def test_a_correction_with_substance_is_no_small_one() -> None:
    assert judged("no, the other one") == ("skip", "minor_correction")
    assert judged("no, migrate the other one") == ("retrieve", "high_impact")
    assert judged(f"no, {LONG}") == ("retrieve", "uncovered")


def test_thresholds_move_the_borders() -> None:
    rules = with_overlay("[thresholds]\ncoverage_min_tokens = 50\nrefresh_after = 1\n")
    assert judged(LONG, rules=rules) == ("ambiguous", "unsure")
    assert judged(LONG, State(since_retrieval=1), rules) == ("retrieve", "safety_refresh")
    assert rules.overridden == {"coverage_min_tokens", "refresh_after"}


def test_switched_off_rules_do_not_fire() -> None:
    rules = with_overlay('[rules]\ndisable = ["memory.en.remind", "ack.en.words"]\n')
    assert judged("remind me", rules=rules) == ("ambiguous", "unsure")
    assert judged("thanks", rules=rules) == ("ambiguous", "unsure")
    assert judged("继续", rules=rules) == ("skip", "continuation")
    assert rules.changed
    assert not Rules().changed


def test_words_are_added_and_taken_away() -> None:
    rules = with_overlay('[words]\nack = ["Roger", "ＯＶＥＲ"]\n[words.disable]\nack = ["thanks"]\n')
    decision = decide("roger, over", rules)
    assert (decision.action, decision.reason) == ("skip", "acknowledgement")
    assert [tuple(one) for one in decision.fired] == [("ack.user.words", "ack", "user")]
    assert judged("thanks", rules=rules) == ("ambiguous", "unsure")
    assert rules.changed


def test_a_decision_names_what_fired() -> None:
    decision = decide("remind me why we chose SQLite", load(None))
    assert [one.id for one in decision.fired] == ["memory.en.remind", "memory.en.we-decided"]
    assert {one.source for one in decision.fired} == {"built-in"}
    assert {one.intent for one in decision.fired} <= set(INTENTS)
    assert decision.tokens == ("remind", "chose", "sqlite")
    assert decision.size == 3
    assert decision.elapsed_ms > 0
    assert decision.quarantined == ()


def test_the_state_goes_on() -> None:
    rules = load(None)
    first = decide(LONG, rules)
    state = after(NEUTRAL._replace(epoch_changed=True, corrections=True), first, True)
    assert state == State(topic=first.tokens, since_retrieval=0)
    nod = decide("ok", rules, state)
    assert after(state, nod, False) == state
    second = decide("fix the ledger exporter columns order for accountants", rules, state)
    assert second.reason == "coherent"
    state = after(state, second, False)
    assert state.since_retrieval == 1
    assert set(state.topic) == {*first.tokens, *second.tokens}
    other = decide("what did we decide about rye bread", rules, state)
    assert after(state, other, True).topic == other.tokens


def test_the_topic_does_not_grow_for_ever() -> None:
    rules, state = load(None), NEUTRAL
    for start in range(0, 400, 10):
        prompt = " ".join(f"word{number}" for number in range(start, start + 10))
        decision: Decision = decide(prompt, rules, state)
        state = after(state, decision, False)
    assert len(state.topic) == 64
    assert state.topic[0] == "word390"
