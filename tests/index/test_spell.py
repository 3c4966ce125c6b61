"""Spelling repair: one slip, the same first letter, the commonest word."""

from memex_core.index.spell import candidates, edits

VOCABULARY = {"memory": 9, "memoir": 2, "rust": 5, "trust": 7, "crust": 1, "rest": 3, "наука": 4}


def look_up(spellings):
    return {one: VOCABULARY[one] for one in spellings if one in VOCABULARY}


def test_each_kind_of_slip():
    for slip in ("memry", "memmory", "memiry", "mmeory", "memoyr", "memor"):
        assert candidates(slip, look_up)[:1] == [("memory", 9)], slip


def test_the_first_letter_is_kept_and_the_commonest_comes_first():
    assert candidates("rrst", look_up) == [("rust", 5), ("rest", 3)]


def test_another_alphabet():
    assert candidates("нука", look_up) == [("наука", 4)]


def test_short_words_numbers_and_mixtures_have_none():
    assert edits("rus") == []
    assert edits("v123") == []
    assert edits("a" * 40) == []


def test_a_word_is_no_slip_of_itself():
    assert "memory" not in edits("memory")
    assert candidates("memory", look_up) == []
