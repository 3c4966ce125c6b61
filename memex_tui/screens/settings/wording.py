"""What each setting of ``memex.toml`` is called, and what it is for, in one line each."""

from __future__ import annotations

TABLES = {
    "data_dir": "Where the memory lies",
    "llm": "Models, unless said otherwise",
    "consolidation": "Conversations into pages",
    "embed": "Meaning beside words",
    "pages": "Pages",
    "recall": "Recall",
    "governance": "Review",
    "recency_decay": "Pages that nobody uses",
    "bm25": "How many hits",
    "index": "Index",
    "capture": "Capturing conversations",
    "logging": "Log",
    "keys": "Keys",
    "editor": "Editor",
}
"""Table of the file -> what its settings are about."""

_WORDS = {
    "data_dir.path": ("Folder", "Another folder for the memory that ~/.memex stands for."),
    "llm.provider": (
        "Provider",
        "Who answers model calls: openai, ollama, lmstudio, openrouter, custom. Empty: nobody.",
    ),
    "llm.model": ("Model", "The model's name as the provider spells it."),
    "llm.api_base": ("Address", "The address of the provider; empty: its own."),
    "llm.api_key": ("Key", "The key for the provider; better given as MEMEX_API_KEY than written down."),
    "llm.reasoning": (
        "Reasoning",
        "How hard the model thinks, where it can be told; empty: as it is used to.",
    ),
    "llm.timeout": ("Seconds for an answer", "Seconds that an answer may take."),
    "llm.max_tokens": ("Longest answer", "The longest answer, in tokens."),
    "consolidation.provider": ("Provider", "Who turns conversations into pages; empty: as in llm."),
    "consolidation.model": ("Model", "The model for that; empty: as in llm."),
    "consolidation.api_base": ("Address", "The address for that; empty: as in llm."),
    "consolidation.api_key": ("Key", "The key for that; empty: as in llm."),
    "consolidation.reasoning": ("Reasoning", "How hard the model for that thinks; empty: as in llm."),
    "consolidation.timeout": ("Seconds for an answer", "Seconds that an answer may take; 0: as in llm."),
    "consolidation.max_tokens": ("Longest answer", "The longest answer, in tokens; 0: as in llm."),
    "consolidation.auto": ("After each session", "Whether to consolidate when a session ends."),
    "consolidation.max_episodes": ("Conversations in a run", "Conversations taken in one run."),
    "consolidation.max_calls": ("Calls in a run", "Calls of the model that one run may make."),
    "consolidation.max_calls_per_day": (
        "Calls in 24 hours",
        "Calls that all runs of 24 hours may make; 0: none.",
    ),
    "consolidation.max_attempts": (
        "Tries of the same turns",
        "Times that the same turns are tried before you have to say so.",
    ),
    "consolidation.max_input_tokens": (
        "Tokens sent with a call",
        "Tokens of a conversation that one call sends.",
    ),
    "consolidation.settle_minutes": (
        "Minutes until settled",
        "Minutes of silence after which the last exchange counts as finished.",
    ),
    "bm25.default_top_k": ("Hits of a recall", "Hits that a recall gives when it is not told how many."),
    "recency_decay.enabled": (
        "Unused pages fade",
        "Whether memex decay lowers the importance of unused pages.",
    ),
    "recency_decay.half_life_days": (
        "Half-life in days",
        "Days without use after which memex decay has halved a page's importance.",
    ),
    "index.watch_poll_interval": (
        "Seconds between looks",
        "Seconds between the watcher's looks at everything; 0: never.",
    ),
    "index.freshness_ms": (
        "Outside edits, ms",
        "Milliseconds a command may spend on looking for outside edits.",
    ),
    "pages.default_importance": ("Usual importance", "The importance of pages that do not say (0 to 1)."),
    "pages.max_body_chars": (
        "Longest page",
        "Characters from which a page is written with a warning.",
    ),
    "pages.slug_algo": (
        "File names",
        "How file names are made: from the title (kebab) or from a hash of it (sha1).",
    ),
    "governance.approval": (
        "What people write",
        "Whether what people write waits for review: auto or manual.",
    ),
    "governance.knowledge_approval": (
        "What agents write",
        "Whether what models write waits for review: auto or manual.",
    ),
    "capture.agents": ("Agents", "Agents whose sessions are read; empty: all that are found."),
    "capture.exclude": ("Projects left out", "Folder patterns of projects whose sessions stay uncaptured."),
    "capture.auto": ("Capture by hooks", "Whether hooks capture the session they run in."),
    "capture.scrub": (
        "Black out secrets",
        "off: secrets are stored as they are written, in pages and sessions.",
    ),
    "capture.scrub_allow": (
        "Known as no secret",
        "Known as no secret; * stands for any characters.",
    ),
    "embed.provider": ("Provider", "Who makes vectors; empty: none are made."),
    "embed.model": ("Model", "The model for that."),
    "embed.api_base": ("Address", "The address for that; empty: the provider's own."),
    "embed.api_key": ("Key", "The key for that."),
    "embed.weight": ("Weight beside words", "How much vectors count beside words."),
    "embed.dimensions": (
        "Numbers in a vector",
        "Numbers in a vector, where the model can shorten it; 0: as it does.",
    ),
    "embed.timeout": ("Seconds for many texts", "Seconds for a request with many texts."),
    "embed.query_timeout": (
        "Seconds for a question",
        "Seconds that a search waits for its question's vector.",
    ),
    "embed.batch": ("Texts in a request", "Texts in a request."),
    "logging.level": (
        "What is logged",
        "INFO: what changes or recalls; DEBUG: every act; WARNING, ERROR: only what fails.",
    ),
    "logging.file": ("File", "Where; empty: beside the journal."),
    "recall.budget": ("Tokens of a recall", "Tokens that a recall may give; 0: no limit."),
    "recall.context_budget": ("Tokens for an agent", "Tokens of the block of memory that an agent gets."),
    "recall.expand": ("Give linked pages too", "Whether pages linked from hits are given too."),
    "recall.priors": (
        "Weight of use and age",
        "How much importance, freshness and use count in the order of pages, 0 (nothing) to 1.",
    ),
    "recall.count": ("Count as a use", "Whether a recall counts as a use of its pages."),
    "editor.tab_width": ("Tab width", "Cells that a tab takes in the editor of pages."),
    "editor.wrap": ("Wrap long lines", "Whether long lines go on in the next row."),
    "keys.preset": (
        "Preset",
        "The keys to begin with: default, vim or emacs; single commands are bound anew below.",
    ),
}

TITLES = {id: title for id, (title, _) in _WORDS.items()}
"""Setting ``table.key`` -> its name for people."""

HELP = {id: help for id, (_, help) in _WORDS.items()}
"""Setting ``table.key`` -> what it is for."""
