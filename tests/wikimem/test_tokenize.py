"""Words of texts and queries, and what they cost."""

from __future__ import annotations

import sys
import types

import pytest

from memex_core.wikimem import est_tokens, tokenize
from memex_core.wikimem.tokenize import _jieba


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Hello, WORLD-wide x_1 v2.0!", ["hello", "world", "wide", "x", "1", "v2", "0"]),
        ("海边玩", ["海边", "边玩"]),
        ("海", ["海"]),
        ("去 海边玩吧gen-itgc后50条", ["去", "海边", "边玩", "玩吧", "gen", "itgc", "后", "50", "条"]),
        ("日本語テスト", ["日本", "本語", "語テ", "テス", "スト"]),
        ("한국 역사", ["한국", "역사"]),
        ("กาแฟ", ["กา", "าแ", "แฟ"]),
        ("Привет, МИР", ["привет", "мир"]),
        ("café Straße", ["café", "straße"]),
        ("قهوة جيدة", ["قهوة", "جيدة"]),
        ("", []),
        ("!?…，。🚀", []),
    ],
)
def test_words_are_lowercased_and_unspaced_scripts_pairs(text: str, tokens: list[str]) -> None:
    assert tokenize(text, use_jieba=False) == tokens


def test_marks_stay_with_their_letters_however_they_are_composed() -> None:
    assert tokenize("cafe\u0301") == ["café"]
    assert tokenize("हिन्दी भाषा") == ["हिन्दी", "भाषा"]


@pytest.fixture
def jieba(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """A segmenter that takes three characters at a time, in jieba's place."""
    module = types.ModuleType("jieba")
    module.lcut = lambda run: [run[at : at + 3] for at in range(0, len(run), 3)]  # type: ignore[attr-defined]
    module.setLogLevel = lambda level: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jieba", module)
    _jieba.cache_clear()
    yield
    _jieba.cache_clear()


@pytest.mark.usefixtures("jieba")
@pytest.mark.parametrize("use", [None, True])
def test_jieba_is_used_where_it_is_importable(use: bool | None) -> None:
    assert tokenize("北京大学生 abc กา", use_jieba=use) == ["北京大", "学生", "abc", "กา"]


@pytest.mark.usefixtures("jieba")
def test_false_forces_pairs() -> None:
    assert tokenize("北京大学", use_jieba=False) == ["北京", "京大", "大学"]


@pytest.mark.parametrize("use", [None, True])
def test_pairs_where_jieba_is_absent(monkeypatch: pytest.MonkeyPatch, use: bool | None) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    _jieba.cache_clear()
    assert tokenize("北京大学", use_jieba=use) == ["北京", "京大", "大学"]
    _jieba.cache_clear()


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("", 0),
        ("two words", 2),
        ("likes-the-sea", 3),
        ("喜欢海边，提到过想去海边玩。", 12),
        ("海边 beach 2026", 4),
        ("Привет мир 🚀!", 2),
    ],
)
def test_a_word_costs_one_token_and_so_does_a_cjk_character(text: str, cost: int) -> None:
    assert est_tokens(text) == cost
