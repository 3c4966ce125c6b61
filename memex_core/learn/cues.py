"""The words by which a person says what shall be remembered, a table for each language.

Categories are looked for in order: a preference before a procedure before a fact. A cue fits anywhere in a
sentence; what :data:`PASSING` finds in a sentence makes it a thing of the moment, which is never kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

CATEGORIES = ("preference", "procedure", "fact")
"""In the order in which they are looked for; a fact becomes an ``entity`` page."""


class Cue(NamedTuple):
    """``id`` is ``category.language``; ``pattern`` finds it in a sentence."""

    id: str
    category: str
    pattern: re.Pattern[str]


ENGLISH: Mapping[str, str] = {
    "preference": r"""
        \bI\s+(?:really\s+|strongly\s+|generally\s+|usually\s+|always\s+|much\s+)?
            (?:prefer|favou?r|hate|dislike|can't\s+stand|cannot\s+stand)\s+
            (?!(?:this|that|these|those|it|them|you|your|when|how|to\s+(?:ask|say|bother|admit|be)
                |the\s+(?:way|first|second|third|last|latter|former|other)|option)\b)
        | \bI\s+(?:really\s+|generally\s+|usually\s+|always\s+)?(?:like|love|enjoy)\s+
            (?!(?:this|that|these|those|it|you|your|how|where|what|their|being|having
                |the\s+(?:way|idea|look|sound|thought|first|second|third|last|new|old|other|current))\b)
        | \bI\s+(?:don't|do\s+not)\s+(?:really\s+)?(?:like|want)\s+
            (?!(?:this|that|these|those|it|your|how|where|what|to
                |the\s+(?:way|idea|look|sound|first|second|third|last|new|old|other|current))\b)
        | \bmy\s+(?:strong\s+|personal\s+)?preference\b
        | \bI\s+(?:always|never|only(?:\s+ever)?)\s+(?:use|work|write|drink|eat|run|commit)\b
            (?!\s+(?:it|this|that|these|those|them|the\s+wrong)\b)
        """,
    "procedure": r"""
        (?:^|[,;:(]\s*|\b(?:please|we|should|must)\s+)(?:always|never)\s+
            (?!mind\b|again\b|have\b|the\s+same\b|\w{4,}ing\b|been?\b|had\b|was\b|knew\b|thought\b|heard\b|saw\b|seen\b|say\b|give\s+up\b
                |(?:there|here|good|great|happy|glad|nice|fun|calm|ready|up|look)\b)
            (?:[a-z]*[a-rt-z]|(?:pa|pre|proce|acce|addre|mi)ss|focus)\b
        | \bthe\s+rule\s+is\s*(?:[:,]|(?:to|that|no|never|always|we|you|simple)\b)
        | \bas\s+a\s+rule\b(?=\s*[,;:.!]|\s*$|\s+(?:we|I|you|never|always|no)\b)
        | \bfrom\s+now\s+on\b | \bby\s+convention\b
        | (?:^|[,;:]\s*|\bplease\s+)(?:don't|do\s+not)\s+(?:ever\s+)?(?:use|commit|push|touch|edit)\b
            (?!\s+(?:it|this|that|these|those|them)\b)
        | (?:^|[,;:]\s*|\bplease\s+|\bwe\s+)
            use\s+(?!(?:it|this|that|these|those|them|the\s+(?:first|second|third|last|other|same|new|old))\b)
            .{1,60}?
            (?:,\s*not\b|,\s*never\b|\binstead\s+of\b|\brather\s+than\b)
        | \bour\s+(?:convention|policy|rule)\s+is\b
        """,
    "fact": r"""
        (?:^|[,;:(]\s*|\b(?:please|also|and|but|so|always|just|should|must|to)\s+)
            remember(?:\s*:|\s+that\b(?!\s+(?:time|day|one|bug|file|thing)\b))
        | \byou\s+should\s+know\b(?!\s+better\b) | \bfor\s+the\s+record\b
        | \bkeep\s+in\s+mind\b | (?:^|\s)important\s*:
        | \bmy\s+name\s+is\b(?!\s+(?:not|in|on|wrong|missing)\b)
        | \bI\s+(?:work\s+(?:at
                |for(?!\s+(?:\d|an?\s+(?:few|couple|while|hour)|(?:two|three|four|some|hours)\b))
                |as(?!\s+(?:\w+\s+as|if|expected|usual|intended|well|before)\b))
            |live\s+in(?!\s+(?:fear|hope|denial|peace|the\s+moment|my\s+head)\b)
            |am\s+allergic|am\s+based\s+in)\b
        | \bI'm\s+(?:allergic|based\s+in)\b | \bmy\s+birthday\s+is\b
        """,
}

CHINESE: Mapping[str, str] = {
    "preference": r"""
        我(?:个人)?(?:更|比较|最|一直|总是|一向|还是)?(?:喜欢|偏好|偏爱|倾向于?|习惯用|习惯于)(?!这个?|那个?|你|您|吗)
        | 我(?:真的)?(?:不喜欢|讨厌|不想用)(?!这个?|那个?|你|您)
        | 我的(?:偏好|习惯)
        """,
    "procedure": r"""
        (?:始终|一律)(?=要|请|得|必须|应|用|使用|写|采用|以|不)
        | (?:务必|总是要|永远不要|千万(?:不要|别)|绝对?不(?:要|能|可以)|不要再)\S
        | 从现在(?:开始|起) | 以后(?:都|一律|请|不要|别) | (?:规则|规定|约定|惯例)是
        | 请?(?:用|使用)(?!这|那).{1,30}?(?:，|,|、)?(?:而不是|不要用|别用)
        | (?:不要|别)(?:使用|用|提交|推送)(?!这|那|它)
        """,
    "fact": r"""
        (?:请|要|你要)?(?:记住|记得)(?!吗) | (?:你|您)(?:应该|要|得)知道 | (?:重要|注意)\s*[:：]
        | 我(?:叫|的名字(?:是|叫)|住在) | 我在(?!等|想|找|看|做|写).{1,20}?(?:工作|上班)
        | 我对.{1,12}?过敏 | 我的生日是
        """,
}

KOREAN: Mapping[str, str] = {
    "preference": r"""
        선호(?:해|하|합|한|함) | (?<!이거\s)(?<!그거\s)(?<!저거\s)(?:더\s*)?좋아(?:해|하는|합니다)
        | 싫어(?:해|하는|합니다) | (?:내|제)\s*(?:취향|선호)
        """,
    "procedure": r"""
        (?:항상|언제나|반드시|앞으로는?)\s(?!.*(?:감사|고마|죄송|실패|에러|오류)).*?(?:줘|주세요|세요|하자|합시다|해라|[써해]야|할\s*것|한다|합니다|마세요|말\s*것)
        | 절대로?\s.*?(?:마|말|않|안\s|금지) | (?:쓰|사용하|커밋하|푸시하)지\s*(?:마|말)
        | (?:규칙|원칙|관례)은
        """,
    "fact": r"""
        기억해(?!\?) | 알아\s*(?:둬|두세요|두라) | 중요(?:한\s*점)?\s*[:：]
        | 참고로(?!\s*(?:이건|이거|이것|지금))
        | (?:내|제)\s*이름은 | (?:나는|저는|난|전)\s.{1,20}?(?:에서|에)\s*
            (?:(?:일|근무)\s*(?:합니다|해|하고|한다)|근무\s*중|살(?:아|고)|삽니다|산다)
        | (?:내|제)\s*생일은 | 알레르기가\s*있
        """,
}

TABLES: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "zh": CHINESE, "ko": KOREAN}
"""Language -> category -> the cues of it, as a verbose regular expression."""

PASSING = r"""
    \?\s*$ | ？\s*$ | [吗呢]\s*[。.!！]?\s*$ | (?:까요?|나요|니)\s*[.!?]?\s*$
    | \b(?:for\s+now|right\s+now|this\s+time|just\s+once|for\s+the\s+moment|today|tonight|in\s+this\s+case)\b
    | \bfor\s+this\s+(?:one|task|commit|test|run|change)\b | \b(?:maybe|perhaps|I\s+wonder|I\s+think\s+I)\b
    | \bI(?:'d|\s+would)\s+(?:like|prefer|love)\b
    | \byet\b | \blines?\s+\d | \b(?:lol|haha+|just\s+kidding|todo|fixme)\b | ^\W*never\s?mind\b
    | \b(?:not|n['’]t)\s+(?:sure|know|certain|remember)\b | \bno\s+idea\b | \bnot\s+that\s+I\b
    | 为什么 | 怎么 | 哪[里儿个种]?\s*$ | 不(?:知道|确定|清楚|记得)
    | [这那]个我 | 왜 | 모르 | 확실하지 | 뭐야 | 무엇 | 뭘 | 는데(?:\s|$) | 안\s*(?:돼|됨|되[네는])
    | ^(?:and\s+|so\s+|but\s+|ok\s+)?(?:why|what(?!\s+I\b)|which|who|whose|how|where)\b
    | ^(?:and\s+|so\s+|but\s+|ok\s+)?(?:can|could|would|should|will|shall|may|has|have)\s+
        (?:I|you|we|they|he|she|it|the|this|that)\b
    | \b(?:check|see|find\s+out|tell\s+me)\s+(?:whether|if)\b
    | 这(?:一)?次 | 暂时 | 目前先 | 今天 | 也许 | 可能会 | 이번(?:에는?|만) | 지금은 | 오늘은? | 아마
    """
"""A question, a maybe, or something said of this one time only."""

NOT_ITS_OWN = r"""
    \b(?!(?:I|we)\b)[\w'’]+\s+
        (?:says?|said|tells?|told|claims?|claimed|writes|wrote|insists?|insisted|thinks?|believes?)\b
    | \baccording\s+to\b | \bfor\s+example\b | \be\.g\.
    | \b(?:never|didn['’]t|did\s+not|not)\s+(?:said|say|saying|claim(?:ed)?)\s+(?:that\s+)?I\b
    | \b(?:not|isn['’]t|wasn['’]t)\s+true\s+that\b | \b(?:false|wrong)\s+that\s+I\b
    | \b(?:if|unless|whether)\s+I(?:['’]m)?\s+
        (?:always|never|only|prefer|favou?r|hate|dislike|like|love|live|work|am|was|were|allergic|based)\b
    | ^(?:and\s+|so\s+|but\s+|now\s+)?
        (?:suppos(?:e|ing)|imagine|assum(?:e|ing)|pretend|hypothetically|let['’]s\s+(?:say|assume|pretend))\b
    | ^(?:please\s+)?(?:translate|rephrase|rewrite|proofread|paraphrase|summari[sz]e|spell-?check)\b
    | ^(?:please\s+)?(?:review|check|correct|improve|shorten|explain|fix)\s+(?:this|the|my)\s+
        (?:text|sentence|paragraph|mail|e-?mail|message|letter|following)\b
    | ^(?:title|answer|subject|heading|caption|label)\s*:
    | \b(?:text|message|title|label|string|placeholder|value|output|subject|caption|heading)\s+
        (?:is|reads|(?:should|must)\s+be)\s*: | \b(?:rename|change|set)\s+\w+\s+to\s*:
    | ^请?帮我(?:写|翻译|改) | [他她它]们?(?:始终|一律|总是)
    | ^(?:请)?(?:把.{0,40})?(?:翻译|润色|改写|总结|校对) | ^번역 | ^요약
    | ^\w*(?:error|warning|exception|traceback|fatal)\b\W | ^\W*(?://|/\*|\[\d)
    | <(?P<tag>\w+)[^<>]*>.*</(?P=tag)>
    | \bfrom\s+the\s+(?:style\s+guide|docs|documentation|readme|manual)\b
    | (?<!our\s)\b(?:style\s+guide|docs?|documentation|readme|manual|tutorial|article)\s*:
    | ^(?:please\s+)?(?:write|draft|generate|create|make|fix|add)\b
        .*\b(?:where|in\s+which|saying|that\s+says)\b
    | ^(?:do|does|did|am|is|are|was|were)\s+(?:I|you|we|they|he|she|it)\b
    | ^(?!(?:important|remember|notes?|rules?|reminder|preferences?|also|btw|fyi|ps|me)\b)
        \w+:\s+(?:I|I['’]m|my)\s
    | 如果我 | 假如 | 假设 | 据说
    | (?:[他她它]们?|老板|同事|经理|客户|用户|朋友|有人|别人|文档|手册|报错).{0,6}?
        (?:说|认为|觉得|写道|告诉|喜欢|提到)
    | 만약 | 만일 | [다라]고\s*(?:했|말했|말하|합니다|하더|한다|하네|쓰여|적혀)
    """
"""What others say, what is only supposed, and texts to work on: none of it is the person's own word."""


@cache
def cues() -> tuple[Cue, ...]:
    """Every cue, category by category and within it language by language."""
    flags = re.VERBOSE | re.IGNORECASE
    return tuple(
        Cue(f"{category}.{language}", category, re.compile(table[category], flags))
        for category in CATEGORIES
        for language, table in TABLES.items()
    )


@cache
def _passing() -> re.Pattern[str]:
    return re.compile(f"{PASSING}|{NOT_ITS_OWN}", re.VERBOSE | re.IGNORECASE)


def passing(sentence: str) -> bool:
    """Whether the sentence asks, guesses, is about this one time, or is not the person's own word."""
    return _passing().search(sentence) is not None


def found_in(sentences: list[str]) -> Iterator[tuple[Cue, int]]:
    """The cues that fit, the first category first, each with the number of the sentence."""
    kept = [number for number, sentence in enumerate(sentences) if not passing(sentence)]
    for category in CATEGORIES:
        for number in kept:
            for cue in cues():
                if cue.category == category and cue.pattern.search(sentences[number]):
                    yield cue, number
                    break
