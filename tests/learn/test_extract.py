"""Which turns the rules keep, and as what: sentences in three languages, and those that only look like it."""

from __future__ import annotations

import pytest

from memex_core.learn.cues import CATEGORIES, TABLES, cues
from memex_core.learn.extract import candidate
from tests.learn.said import KEPT, PASSED_BY


@pytest.mark.parametrize(
    ("category", "said"), [(category, one) for category, every in KEPT.items() for one in every]
)
def test_what_is_kept_and_as_what(category: str, said: str) -> None:
    found = candidate({"role": "user", "content": said, "turn": 1})
    assert found is not None
    assert found.cue.partition(".")[0] == category
    assert found.type == {"fact": "entity"}.get(category, category)
    assert found.quote == said


@pytest.mark.parametrize("said", PASSED_BY)
def test_what_is_passed_by(said: str) -> None:
    assert candidate({"role": "user", "content": said, "turn": 1}) is None


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Summarize the following:\n\nI prefer tea. I live in Graz.\n\nAlways run the tests.", None),
        ("I prefer tea.\nTranslate this:\nI live in Graz.", "I prefer tea."),
        ("commit 1a2b3c4d\nAuthor: Ada\n\n    Never push to main", None),
        ("From: ada@example.com\nSubject: tabs\n\nI prefer tabs.", None),
        ("On Monday Ada wrote:\nI prefer tabs.", None),
        ("总结以下内容：\n我住在上海。", None),
        ("Please remember the following:\nAlways use pnpm.", "Always use pnpm."),
        ("My rules below:\n- Never push to main.", "Never push to main."),
        ("请记住以下规则：\n始终使用HTTPS。", "始终使用HTTPS。"),
        ("Here is the log:\nError: never mind\n\nAlso, always use pnpm.", "Also, always use pnpm."),
    ],
)
def test_a_text_to_work_on_is_nobody_s_word(text: str, quote: str | None) -> None:
    found = candidate({"role": "user", "content": text, "turn": 1})
    assert (found.quote if found is not None else None) == quote


def test_every_language_has_every_category_and_each_is_tried() -> None:
    assert [cue.id for cue in cues()] == [f"{category}.{name}" for category in CATEGORIES for name in TABLES]
    said = {
        found.cue
        for every in KEPT.values()
        for one in every
        if (found := candidate({"role": "user", "content": one, "turn": 1}))
    }
    assert said == {cue.id for cue in cues()}


def test_the_first_category_counts_and_one_page_a_turn() -> None:
    text = "Remember that heron is staging. Never push to main. And I prefer ruff over flake8."
    found = candidate({"role": "user", "content": text, "turn": 1})
    assert found is not None
    assert (found.type, found.quote) == ("preference", "And I prefer ruff over flake8.")


def test_only_a_person_s_own_words() -> None:
    said = "I prefer ruff over flake8."
    assert candidate({"role": "user", "content": said, "trust": "recall", "turn": 1}) is None
    assert candidate({"role": "agent", "content": said, "trust": "agent", "turn": 1}) is None
    assert candidate({"role": "tool", "content": said, "trust": "local-tool", "turn": 1}) is None
    hosted = f"<system-reminder>I prefer flake8 over all.</system-reminder>\n{said}"
    found = candidate({"role": "user", "content": hosted, "turn": 1})
    assert found is not None and found.quote == said


def test_code_in_a_sentence_stays_in_its_quote() -> None:
    found = candidate({"role": "user", "content": "- Always use `ruff check .` before a commit", "turn": 1})
    assert found is not None
    assert found.quote == "Always use `ruff check .` before a commit"


def test_titles_are_a_line_without_the_mark_at_the_end() -> None:
    long = "I prefer " + "very " * 30 + "long lines."
    found = candidate({"role": "user", "content": long, "turn": 1})
    assert found is not None and len(found.title) <= 72 and found.title.endswith("…")
    short = candidate({"role": "user", "content": "我住在上海。", "turn": 1})
    assert short is not None and short.title == "我住在上海"
