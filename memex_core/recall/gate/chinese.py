"""The gate's built-in rules for Chinese. Ids are for good: people switch rules off by them."""

from __future__ import annotations

from memex_core.recall.gate.intents import Rule

RULES = (
    Rule(
        "memory.zh.remember",
        "还记得|记不记得|你记得|记得我们|记得之前|记得上次|记得那|回忆一下|想不起来|记不清",
    ),
    Rule("memory.zh.last-time", "上次|上回|上一次|上周|上个月|昨天|前天|前几天|前阵子|去年"),
    Rule(
        "memory.zh.before",  # 提交之前 is "before the commit": only what stands by itself is the past
        "之前|以前|先前|早先",
        r"(?:^|[，。？！,.?!\s]|我们|咱们|我|你|他|这个|那个|跟|和)(?:之前|以前|先前|早先)[^，。？！,.?!\n]{0,4}"
        r"(?:说|讨论|聊|谈|决定|提|用|做|怎么|是|定|写|遇|讲|选|约|试过|解决|处理)",
    ),
    Rule(
        "memory.zh.we-decided",
        "决定|约定|说好|商量|讨论过|选定|说过|定好|定下",
        r"(?:我们|咱们|我|你)[^，。？！,.?!\n]{0,6}(?:决定(?:了|过|的|用)|约定|说好|商量(?:好|过)"
        r"|讨论过|选定|说过|定[好下])",
    ),
    Rule("memory.zh.again", "来着"),
    Rule("memory.zh.remind", "提醒我|提醒一下我"),
    Rule(
        "memory.zh.convention",
        "老规矩|惯例|一贯|照旧|平时怎么|平时都|一样|我的偏好|我的习惯|规范|约定|规则|风格",
        r"老规矩|惯例|一贯|照旧|平时(?:怎么|都)|[和像跟](?:上次|以前|之前)[^，。\n]{0,3}一样"
        r"|我的(?:偏好|习惯)|(?:我们|咱们)的?[^，。？！,.?!\n的]{0,4}的?(?:规范|约定|规则|风格)",
    ),
    Rule(
        "trace.zh.why",
        "为什么|为何|为啥",
        r"(?:为什么|为何|为啥)[^，。？！?\n]{0,2}(?:我们|咱们|当时|当初|之前|要用|会选|选|不用|没用|用)"
        r"|(?:我们|咱们|当时|当初|之前)[^，。？！?\n]{0,12}(?:为什么|为何|为啥)",
    ),
    Rule("trace.zh.reason", "理由|依据|缘由|原因是什么|出于什么"),
    Rule("trace.zh.history", "来龙去脉|什么时候决定|什么时候改|什么时候开始用|从什么时候|历史记录"),
    Rule(
        "trace.zh.source",
        "谁决定|谁说|谁写|谁定|哪次会话|哪次对话|出处|从哪",
        r"谁(?:决定|说|写|定)|哪次(?:会话|对话)|出处|从哪(?:里|儿)?来",
    ),
    Rule("impact.zh.decide", "做决定|选择哪|选哪|该用哪|应该用|要不要用|是否采用|做选择"),
    Rule("impact.zh.switch", "切换到|换成|改用|换用|切到"),
    Rule("impact.zh.migrate", "迁移"),
    Rule("impact.zh.roll-back", "回滚|回退|撤回|撤销"),
    Rule("impact.zh.replace", "替换|取代|代替"),
    Rule("impact.zh.remove", "删除|删掉|移除|去掉|干掉"),
    Rule("impact.zh.adopt", "采用|引入"),
    Rule("impact.zh.retire", "弃用|废弃|淘汰|下线"),
    Rule("impact.zh.redesign", "重写|重构|重新设计|升级|降级"),
    Rule("impact.zh.release", "部署|发布|上线"),
    Rule(
        "correction.zh.no",
        "不是|不对|错了|等等|等一下|我是说|我的意思|不要这个|另一个|另外那个",
        r"^\W*(?:不是|不对|错了|等等|等一下|我是说|我的意思|不要这个)|另一个|另外那个",
    ),
)

WORDS = {
    "ack": """
        好 好的 好吧 好啊 行 可以 没问题 对 对的 是 是的 嗯 嗯嗯 谢谢 谢谢你 谢谢您 多谢 感谢 辛苦 明白
        知道 收到 了解 不错 很好 非常好 太好 完美 同意 没错 正确 赞 棒 很棒 你好 您好 懂""",
    "continue": """
        继续 接着 接着做 下一步 往下 开始 做 干 来 再来 再试 再试一次 执行 运行 走 搞 动手 下一个""",
    "filler": """
        吧 啊 呢 了 的 请 那 就 你 您 我 麻烦 一下 哦 呀 啦 太 很 这样 这 先 去 然后 都 哈 嘛 现在 直接
        按 第 步""",
}
