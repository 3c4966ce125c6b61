"""Settings as nobody would write them and somebody has: JSON with comments, and TOML, from a seed."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

SLOWLY = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
"""Making a document takes many choices, and a busy machine is no failure."""

NAMES = st.sampled_from(("a", "b", "hooks", "mcpServers", "ü", 'q"', "", "memexx", "model", "//", "/*"))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.text(max_size=6),
    st.sampled_from(("// no comment", "/* nor this */", "a,]", '"}')),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
GROUPS = st.lists(
    st.fixed_dictionaries(
        {
            "hooks": st.lists(
                st.fixed_dictionaries({"command": st.sampled_from(("lint", "say hi"))}), max_size=2
            )
        },
        optional={"matcher": st.sampled_from(("", "Bash"))},
    ),
    max_size=2,
)
HOOKS = st.dictionaries(st.sampled_from(("SessionStart", "Stop", "PreToolUse")), GROUPS, max_size=3)
SERVERS = st.dictionaries(st.sampled_from(("other", "memo")), st.just({"command": "x"}), max_size=2)


@st.composite
def settings_of_others(draw: st.DrawFn) -> dict[str, Any]:
    """An agent's settings: hooks and servers of others, or none, among anything else."""
    found = draw(st.dictionaries(NAMES, VALUES, max_size=4))
    found.pop("hooks", None)
    found.pop("mcpServers", None)
    if draw(st.booleans()):
        found["hooks"] = draw(HOOKS)
    if draw(st.booleans()):
        found["mcpServers"] = draw(SERVERS)
    return {key: found[key] for key in draw(st.permutations(list(found)))}


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """A document that says ``value``: with comments, trailing commas, any white space, either line end."""
    newline = draw(st.sampled_from(("\n", "\r\n")))
    step = draw(st.sampled_from(("", "  ", "    ", "\t")))
    lines = draw(st.booleans())

    def blank() -> str:
        return draw(
            st.sampled_from(
                ("",) * 6
                + (" ", newline, "\t", "/* c */", "/* ] */ ", f"// c,{newline}", f" // }}{newline} ")
            )
        )

    def write(one: Any, depth: int) -> str:
        if not isinstance(one, (dict, list)) or not one:
            made = json.dumps(one, ensure_ascii=draw(st.booleans()))
            return made[:1] + blank() + made[1:] if made in ("{}", "[]") else made
        lead = newline + step * (depth + 1) if lines else draw(st.sampled_from(("", " ")))
        parts = []
        for item in one:
            name = f"{json.dumps(item)}{blank()}:{blank()}" if isinstance(one, dict) else ""
            inner = one[item] if isinstance(one, dict) else item
            parts.append(f"{lead}{blank()}{name}{write(inner, depth + 1)}{blank()}")
        end = newline + step * depth if lines else blank()
        tail = draw(st.sampled_from(("", "", ",")))
        opening, closing = "{}" if isinstance(one, dict) else "[]"
        return f"{opening}{','.join(parts)}{tail}{blank()}{end}{closing}"

    mark = draw(st.sampled_from(("", "", "\ufeff")))
    return f"{mark}{blank()}{write(value, 0)}{blank()}{draw(st.sampled_from(('', newline)))}"


TOML_LINES = st.sampled_from(
    (
        "# a comment",
        "",
        "  # [not.a.table]",
        'TEXT = """\n[mcp_servers.memex]\nnotify = 1\n"""',
        "LIST = [ # one\n  1,\n  [2, 3], # ]\n]",
        "NUMBER = 0x1F   # hex",
        "NAN = nan",
        'INLINE = { a = 1, "b.c" = [ "x]" ] }',
        "LITERAL = 'C:\\path'",
        'DOTTED.a."b c" = 1979-05-27T07:32:00Z',
        "[TABLE]",
        "[ TABLE . 'in' ]",
        "[[MANY]]",
        '[mcp_servers.OTHER]\ncommand = "x"',
        'QUOTES = """a""""',
    )
)


@st.composite
def toml(draw: st.DrawFn) -> str:
    """A TOML text; each of its lines has names of its own, so that any order of them is valid."""
    lines = draw(st.lists(TOML_LINES, max_size=8))
    names = (
        "TEXT",
        "LIST",
        "NUMBER",
        "NAN",
        "INLINE",
        "LITERAL",
        "DOTTED",
        "TABLE",
        "MANY",
        "OTHER",
        "QUOTES",
    )
    made = []
    for at, line in enumerate(lines):
        for name in names:
            line = line.replace(name, f"{name.lower()}{at}")
        made.append(line)
    text = "\n".join(made)
    if draw(st.booleans()):
        text += "\n"
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(("", "", "\ufeff"))) + text
