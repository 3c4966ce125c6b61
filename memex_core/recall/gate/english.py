"""The gate's built-in rules for English. Ids are for good: people switch rules off by them."""

from __future__ import annotations

from memex_core.recall.gate.intents import Rule

RULES = (
    Rule(
        "memory.en.remember",
        "remember|recall",
        r"\b(?:do|don't|can|could|can't) you (?:still |even )?(?:remember|recall)\b"
        r"|\b(?:remember|recall) (?:when|what|how|where|why|which|who|that (?:we|i|you)\b|the (?:time|way)\b)"
        r"|\bas (?:you|i|we) (?:may |might )?(?:remember|recall)\b|\bi (?:can't|don't) (?:remember|recall)\b",
    ),
    Rule(
        "memory.en.last-time",
        "last |yesterday|previous|other day| ago|earlier",
        r"\blast (?:time|week|month|year|night|session|sprint|monday|tuesday|wednesday|thursday|friday"
        r"|saturday|sunday)\b|\byesterday\b|\bthe other day\b"
        r"|\b(?:previous|earlier) (?:session|conversation|chat|discussion|attempt|decision)s?\b"
        r"|\b(?:a while|days?|weeks?|months?|years?) (?:ago|back)\b",
    ),
    Rule(
        "memory.en.again",
        " again",
        r"\b(?:what|which|where|who|how|when)(?:'s| is| was| were| are| did| do"
        r"| does)\b[^.?!\n]{1,60} again\b",
    ),
    Rule("memory.en.remind", "remind me", r"\bremind me\b"),
    Rule(
        "memory.en.we-decided",
        "decided|agreed|chose|settled|discussed|talked about|went with|ruled out|said|told you",
        r"\b(?:we|i|you)(?:'ve|'d| have| had)? (?:already |previously |once |finally )?"
        r"(?:decided|agreed|chosen?|settled|discussed|talked about|went with|ruled out)\b"
        r"|\bi (?:already )?(?:told you|said)\b|\b(?:as|like|what) (?:we|i|you) said\b",
    ),
    Rule("memory.en.did-we", "did we |have we |had we |did i "),
    Rule(
        "memory.en.convention",
        "usual|always|normally|convention|preference|prefer|our ",
        r"\b(?:as|the|our|my) usual\b|\b(?:like|as|how|what) (?:we|i) (?:always|usually|normally)\b"
        r"|\b(?:our|my) (?:[\w-]+ ){0,2}(?:convention|preference|standard|style|policy|rule|guideline)s?\b"
        r"|\b(?:do|did|would) (?:we|i) (?:usually |normally |always )?prefer\b",
    ),
    Rule(
        "memory.en.known",
        "know about|memory|memex|notes|on record",
        r"\bwhat (?:do|did) (?:you|we) (?:already )?know about\b"
        r"|\bfrom memory\b|\b(?:from|in|check|search|use) (?:your|my|our) (?:memory|memories|notes)\b"
        r"|\b(?:check|search) (?:the )?(?:memory|notes)(?! \w)|\bon record\b"
        r"|\b(?:ask|check|search|look in(?:to)?) memex\b",
    ),
    Rule(
        "memory.en.as-before",
        "before|same ",
        r"\b(?:same (?:as|way|thing)(?: as)?|like|as) (?:\w+ )?(?:we did )?(?:before|last time|earlier)\b"
        r"|\b(?:we|i|you)(?:'ve| have)? (?:\w+ ){1,3}before\b",
    ),
    Rule(
        "trace.en.why",
        "why ",
        r"\bwhy (?:did|do|don't|didn't|have|haven't|had|are|aren't|were) (?:we|i|you)\b"
        r"|\bwhy (?:is|was|does) (?:our|this (?:here|done|used|needed))\b",
    ),
    Rule(
        "trace.en.reason",
        "reason|rationale",
        r"\b(?:reason(?:s|ing)?|rationale) (?:for|behind|why|we)\b|\bwhat(?:'s| is| was) the rationale\b",
    ),
    Rule(
        "trace.en.history",
        "history of|since when|when did|how long have",
        r"\bhistory of (?:the|this|our|that)\b|\bsince when\b|\bwhen did (?:we|i|you|this|that|it)\b"
        r"|\bhow long have we\b",
    ),
    Rule(
        "trace.en.source",
        "where did|who |based on what|evidence|which session|which conversation",
        r"\bwhere did (?:we|i|you|that|this|it) (?:get|come|find|read|learn)\b"
        r"|\bwho (?:decided|said|wrote|asked|told|chose|approved)\b|\bbased on what\b"
        r"|\bevidence (?:for|that)\b|\bwhich (?:session|conversation)\b",
    ),
    Rule(
        "impact.en.decide",
        "decid|choos|should we|should i|pick between",
        r"\bdecid(?:e|ing) (?:on|between|whether|how|which|what|to|if)\b|\bchoos(?:e|ing) (?:between|a"
        r"|an|the)\b"
        r"|\bpick between\b|\bshould (?:we|i) (?:use|go|keep|switch|move|stay|start|stop|pick|choose"
        r"|adopt)\b",
    ),
    Rule(
        "impact.en.switch",
        "switch|move away|moving away|move off|move to|moving to|instead of",
        r"\bswitch(?:ing)?\b(?: \w+){0,3} (?:to|from|over|back)\b|\bmov(?:e|ing) (?:away from|off"
        r"|over to|to)\b"
        r"|\buse \w+(?: \w+)? instead of\b",
    ),
    Rule("impact.en.migrate", "migrat", r"\bmigrat(?:e|es|ed|ing|ions?)\b"),
    Rule("impact.en.roll-back", "roll|revert", r"\broll(?:ing)?[ -]?back\b|\brevert(?:ing)?\b"),
    Rule("impact.en.replace", "replac", r"\breplac(?:e|ing)\b"),
    Rule(
        "impact.en.remove",
        "remov|delet|drop|get rid of|rip out",
        r"\b(?:remov|delet)(?:e|ing)\b|\bdrop(?:ping)? (?:the|support|all|our)\b|\bget rid of\b|\brip out\b",
    ),
    Rule("impact.en.adopt", "adopt|introduc|standardi", r"\b(?:adopt|introduc|standardi[sz])(?:e|ing)?\b"),
    Rule("impact.en.retire", "deprecat|sunset|phase out", r"\bdeprecat(?:e|ing)\b|\bsunset\b|\bphase out\b"),
    Rule(
        "impact.en.redesign",
        "rewrit|redesign|re-architect|rearchitect|upgrad|downgrad",
        r"\b(?:rewrit|upgrad|downgrad)(?:e|ing)\b|\bredesign(?:ing)?\b|\bre-?architect(?:ing)?\b",
    ),
    Rule("impact.en.release", "release|deploy|publish", r"\b(?:releas|deploy|publish)(?:e|ing)?\b"),
    Rule(
        "correction.en.no",
        "no|nah|not |wrong|wait|actually|oops|i mean|sorry|other one",
        r"^\W*(?:no|nope|nah|not (?:that|this|what|quite)|wrong|wait|actually|oops|i meant?|sorry)\b"
        r"|\bthe other one\b",
    ),
)

WORDS = {
    "ack": """
        yes yeah yep yup ok okay k sure thanks thank thx ty great nice cool perfect fine awesome
        excellent good right correct exactly agreed lgtm approved understood alright hello hi hey done
        works looks got sounds wow love yay hmm""",
    "continue": """
        continue go ahead proceed next keep going resume carry do try more run start again step on""",
    "filler": """
        please the it that this a to just now then so well you me i and is very much for with all let's
        let us too as of by first one up there was be in my""",
}
