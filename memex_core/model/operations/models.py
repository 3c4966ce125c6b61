"""Operations on the model that consolidates."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param

_TABLE = Param(
    "table",
    "the table of memex.toml: consolidation, or llm for every use",
    default="consolidation",
    choices=("consolidation", "llm"),
)

OPERATIONS = (
    Operation(
        "models show",
        "show the model that consolidates and where each setting is from",
        "models",
        (),
        rows="settings",
        example="memex models show",
    ),
    Operation(
        "models set",
        "choose the model that consolidates",
        "models",
        (
            Param(
                "provider",
                "openai, ollama, lmstudio, openrouter, custom; claude, codex, pi",
                positional=True,
            ),
            Param("model", "the model's name there", metavar="NAME"),
            Param(
                "api_base",
                "the address up to and with /v1, where it is not the provider's own",
                metavar="URL",
            ),
            Param("api_key", "the key; - reads it from standard input", stdin=True, metavar="KEY"),
            Param(
                "reasoning",
                "how hard it thinks: none, minimal, low, medium, high, xhigh, max, as far as it knows them",
                metavar="WORD",
            ),
            Param("timeout", "seconds for an answer", "int"),
            Param("max_tokens", "tokens of an answer", "int"),
            _TABLE,
            DRY_RUN,
        ),
        writes=True,
        example="memex models set ollama --model qwen3",
        detail="Only these settings change in memex.toml; an empty text takes one out.",
    ),
    Operation(
        "models test",
        "ask the model for one word, by one call",
        "models",
        (),
        example="memex models test",
        detail="Exit code 1 when it does not answer. An answer ends what a refused setting held up.",
    ),
    Operation(
        "models reset",
        "take the model's settings out of memex.toml",
        "models",
        (_TABLE, DRY_RUN),
        writes=True,
        example="memex models reset",
    ),
)
