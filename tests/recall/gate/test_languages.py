"""What people type to agents, in three languages, and what the gate makes of it without any session."""

from __future__ import annotations

import pytest

from memex_core.recall.gate import decide, load

RULES = load(None)

MEMORY = [
    "do you remember which port the staging server uses?",
    "What did we decide about the database again?",
    "how did we handle retries in the payment service?",
    "like last time, bump the version first",
    "remind me what the naming rule for branches was",
    "as usual, write the changelog entry",
    "what do you know about Ada's deployment setup?",
    "we agreed on tabs, didn't we",
    "check your memory for the API quota",
    "search the notes",
    "I told you yesterday: no mocks",
    "还记得我们用的是哪个数据库吗？",
    "我们上次讨论的缓存方案是什么",
    "那个配置文件叫什么来着？",
    "之前说好的命名规则再发我一遍",
    "我们决定用 ruff 了吧？",
    "按老规矩来写提交信息",
    "我之前是怎么解决这个错误的",
    "我们的代码规范是什么",
    "咱们命名的规则是啥",
    "지난번에 정한 배포 방식이 뭐였지?",
    "우리 어떤 DB 쓰기로 했어?",
    "기억나? 스테이징 서버 포트 번호",
    "평소처럼 커밋 메시지 써줘",
    "예전에 우리가 논의했던 캐시 전략 알려줘",
    "그 설정 파일 이름이 뭐더라",
    "어제 말한 네이밍 규칙대로 해줘",
    "예전처럼 해줘",
]

TRACE = [
    "why do we pin the pydantic version?",
    "what's the rationale for the two queues",
    "since when is the linter part of CI?",
    "who decided to keep the old endpoint",
    "为什么我们用 SQLite 而不用 Postgres？",
    "当初为什么选这个框架",
    "谁决定保留旧接口的？",
    "왜 우리가 SQLite를 선택했지?",
    "이 라이브러리를 고른 이유가 뭐야",
    "누가 결정한 거야?",
]

IMPACT = [
    "switch the build over to uv",
    "migrate the users table to Postgres",
    "roll back the last deploy",
    "should we use Celery or RQ?",
    "remove the legacy API",
    "let's adopt conventional commits",
    "把测试框架换成 pytest",
    "把数据库迁移到 Postgres",
    "回滚这个改动",
    "删除旧的接口",
    "重构认证模块",
    "테스트 프레임워크를 pytest로 바꿔줘",
    "데이터베이스를 마이그레이션하자",
    "마지막 커밋 롤백해줘",
    "레거시 API 삭제해",
]

ACKNOWLEDGEMENTS = [
    "ok",
    "OK!",
    "Thanks, that looks great",
    "yes please",
    "Perfect 👍",
    "lgtm",
    "好的",
    "谢谢你！",
    "没问题，很好",
    "好的，明白了",
    "네",
    "감사합니다!",
    "네, 좋아요",
    "ㅇㅋ",
]

CONTINUATIONS = [
    "continue",
    "go ahead",
    "Yes, keep going please.",
    "ok do it",
    "next step",
    "run it again",
    "继续",
    "好的，继续吧",
    "下一步",
    "계속해줘",
    "네 진행해주세요",
    "그럼 다음 단계로",
]

CORRECTIONS = [
    "no, the other one",
    "not that file",
    "wait, wrong folder",
    "oops I meant line 40",
    "不对，是另一个文件",
    "等等，我是说第二行",
    "아니 그거 말고 다른 파일",
    "잠깐, 그 줄이 아니야",
]

OPEN = [
    "fix the typo in README",
    "git log",
    "remember to run the tests",
    "run the tests before the commit",
    "the test fails again on CI",
    "why does this test fail",
    "check the memory usage here",
    "keep the cache in memory",
    "add type hints here",
    "提交之前先跑测试",
    "为什么测试失败",
    "给这个函数加注释",
    "커밋하기 전에 테스트 돌려줘",
    "왜 테스트가 실패해?",
    "이 함수에 주석 달아줘",
    "변수 이름 바꿔줘",
]


@pytest.mark.parametrize("prompt", MEMORY)
def test_what_asks_for_something_remembered_is_looked_up(prompt: str) -> None:
    decision = decide(prompt, RULES)
    assert (decision.action, decision.reason) == ("retrieve", "memory")
    assert decision.substantive


@pytest.mark.parametrize("prompt", TRACE)
def test_reasons_times_and_sources_are_looked_up(prompt: str) -> None:
    decision = decide(prompt, RULES)
    assert decision.action == "retrieve"
    assert "trace" in decision.triggers


@pytest.mark.parametrize("prompt", IMPACT)
def test_large_changes_are_looked_up(prompt: str) -> None:
    decision = decide(prompt, RULES)
    assert decision.action == "retrieve"
    assert "high_impact" in decision.triggers


@pytest.mark.parametrize("prompt", ACKNOWLEDGEMENTS)
def test_acknowledgements_are_skipped(prompt: str) -> None:
    decision = decide(prompt, RULES)
    assert (decision.action, decision.reason) == ("skip", "acknowledgement")
    assert not decision.substantive


@pytest.mark.parametrize("prompt", CONTINUATIONS)
def test_continuations_are_skipped(prompt: str) -> None:
    decision = decide(prompt, RULES)
    assert (decision.action, decision.reason) == ("skip", "continuation")


@pytest.mark.parametrize("prompt", CORRECTIONS)
def test_small_corrections_are_skipped(prompt: str) -> None:
    decision = decide(prompt, RULES)
    assert (decision.action, decision.reason) == ("skip", "minor_correction")


@pytest.mark.parametrize("prompt", OPEN)
def test_what_the_words_do_not_settle_is_left_to_the_search(prompt: str) -> None:
    decision = decide(prompt, RULES)
    assert (decision.action, decision.reason, decision.fired) == ("ambiguous", "unsure", ())


def test_every_language_has_every_intent() -> None:
    from memex_core.recall.gate.intents import INTENTS
    from memex_core.recall.gate.rules import BUILT_IN, WORD_RULES

    found = {tuple(id.split(".")[:2]) for id in [*(rule.id for rule in BUILT_IN), *WORD_RULES]}
    assert found == {(intent, language) for intent in INTENTS for language in ("en", "zh", "ko")}
    ids = [rule.id for rule in BUILT_IN]
    assert len(ids) == len(set(ids))


def test_every_rule_compiles_and_can_be_reached() -> None:
    import re

    from memex_core.recall.gate.rules import BUILT_IN

    for rule in BUILT_IN:
        assert all(needle and needle == needle.casefold() for needle in rule.needles), rule.id
        re.compile(rule.source)
