"""Which turns the rules keep, and as what: sentences in three languages, and those that only look like it."""

from __future__ import annotations

import pytest

from memex_core.learn.cues import CATEGORIES, TABLES, cues
from memex_core.learn.extract import candidate

KEPT = {
    "preference": [
        "I prefer ruff over flake8.",
        "I really like short functions.",
        "I don't like emojis in commit messages.",
        "My preference is tabs of four.",
        "I always use uv for virtual environments.",
        "As I said, I prefer 'ruff' over \"flake8\".",
        "我更喜欢用空格缩进。",
        "我不喜欢在提交信息里用表情符号。",
        "我习惯用 uv 管理环境。",
        "저는 탭보다 스페이스를 선호합니다.",
        "나는 짧은 함수를 좋아해.",
        "커밋 메시지에 이모지 넣는 거 싫어해.",
    ],
    "procedure": [
        "Always run the tests before you commit.",
        "Please never push to main.",
        "From now on write the changelog first.",
        "The rule is that every module has one idea.",
        "Use pnpm instead of npm.",
        "If you touch the parser, always run the fuzz tests.",
        "Don't use global state.",
        "以后请先写测试再写代码。",
        "不要使用全局变量。",
        "提交之前务必运行测试。",
        "앞으로는 커밋 전에 테스트를 돌려줘.",
        "전역 변수는 쓰지 마세요.",
        "절대 main에 푸시하지 마.",
    ],
    "fact": [
        "Remember that the staging server is called heron.",
        "My name is Ines.",
        "I work at a bakery.",
        "I'm allergic to peanuts.",
        "记住：部署服务器叫 heron。",
        "我住在上海。",
        "我对花生过敏。",
        "기억해 줘, 배포 서버 이름은 heron이야.",
        "제 이름은 민수입니다.",
    ],
}
PASSED_BY = [
    "Should I always use uv?",
    "Do you remember that server?",
    "I like this, go on.",
    "I like your idea.",
    "I'd like a table of them.",
    "Never mind.",
    "It always gets me in the end, and never stops.",
    "That sign reminds me to never give up.",
    "They love how you never give up.",
    "But remember, small things make a difference.",
    "I love being here.",
    "Always happy to help.",
    "I've never seen this error.",
    "For now always use the old parser.",
    "Use black this time instead of ruff.",
    "fix the bug in the parser",
    "thanks!",
    "/always use this",
    "我喜欢这个。",
    "你记得吗？",
    "这次不要使用缓存。",
    "이번만 캐시를 쓰지 마세요.",
    "항상 이렇게 해야 하나요?",
    'My boss said: "I prefer tabs over spaces"',
    "“I prefer tabs over spaces”",
    "She says I hate cilantro, which is wrong.",
    "He told me that I should always use sudo.",
    "According to the docs, you should always call close.",
    "The error says: never commit secrets.",
    "I never said I prefer tabs.",
    "It is not true that I live in Berlin.",
    "If I always use ruff, it will be slower.",
    "Suppose I live in Paris.",
    "Imagine I'm allergic to nuts.",
    "Let's say I work at Google.",
    "Translate: I live in Berlin",
    "Write a story where I am allergic to nuts.",
    "assert name == 'my name is Bob'",
    "Do I always use ruff",
    "I always use it wrong.",
    "I love you",
    "Alice: I prefer tabs",
    "For example: always run tests",
    '그는 "나는 커피를 좋아해"라고 말했다',
    "동료가 나는 커피를 좋아한다고 말했다",
    "我的老板说:“我喜欢用制表符”",
    "他说我喜欢茶",
    "如果我住在北京",
    "> I prefer flake8.",
    "```\nI prefer flake8.\n```",
]


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
