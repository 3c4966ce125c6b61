"""The texts of the demo store: a bakery's web shop, its people, habits and one conversation."""

from __future__ import annotations

from typing import Any

SESSION = "demo-linting"

CONVERSATION: tuple[dict[str, Any], ...] = (
    {
        "role": "user",
        "content": "Please set up linting for the shop. Use ruff, never flake8, and keep lines at 100.",
        "ts": "2026-11-27T09:14:00Z",
    },
    {
        "role": "agent",
        "content": "I added ruff to pyproject.toml with line-length = 100 and removed the flake8 config.",
        "ts": "2026-11-27T09:15:10Z",
    },
    {
        "role": "tool",
        "tool_name": "shell",
        "query": "ruff check .",
        "result": "All checks passed!",
        "content": "",
        "ts": "2026-11-27T09:15:40Z",
    },
    {
        "role": "user",
        "content": "Good. Run it in the pre-commit hook too, the CI is too slow to be the first to complain.",
        "ts": "2026-11-27T09:17:00Z",
    },
    {
        "role": "agent",
        "content": "Done: .pre-commit-config.yaml runs ruff check and ruff format on staged files.",
        "ts": "2026-11-27T09:18:30Z",
    },
)

PAGES: tuple[dict[str, Any], ...] = (
    {
        "type": "summary",
        "title": "Start here",
        "description": "What this little store shows",
        "tags": ["tour"],
        "body": """\
Every page is a Markdown file that you may open in any editor; memex notices.

- [[Ruff, not flake8]] is a preference, proven by a turn of a conversation.
- [[Deploy the shop]] is a procedure with code.
- [[Ada Park]] and [[Bakery shop]] are entities that link to each other.
- [[Sourdough basics]] holds a table and a few words in other scripts.
- [[Winter menu]] is linked but not written yet: an unresolved link.

Try `memex recall`, `memex links`, `memex trace`, `memex history` and `memex verify` here.
""",
    },
    {
        "type": "preference",
        "title": "Ruff, not flake8",
        "description": "Which linter the shop's Python code uses",
        "tags": ["python", "lint"],
        "importance": 0.8,
        "aliases": ["linter"],
        "links": ["bakery-shop:relates-to"],
        "sources": [f"{SESSION}#1", f"{SESSION}#3:context"],
        "body": """\
We use **ruff** as the linter and formatter, never flake8. Lines are at most 100 characters.

It runs in the pre-commit hook, because the CI is too slow to be the first to complain.

```toml
[tool.ruff]
line-length = 100
```

Part of [[Bakery shop]]; asked for by [[Ada Park]].
""",
    },
    {
        "type": "entity",
        "title": "Bakery shop",
        "description": "The web shop: a small Python service behind a proxy",
        "tags": ["python", "shop"],
        "aliases": ["the shop"],
        "body": """\
A web shop for a bakery: Python 3.12, SQLite, one server in Falkenstein.

- Owner: [[Ada Park]]
- How it goes live: [[Deploy the shop]]
- Code style: [[Ruff, not flake8|ruff]]

## Open questions

Should orders close at 18:00 or at midnight? See [[Order cut-off]].
""",
    },
    {
        "type": "entity",
        "title": "Ada Park",
        "description": "Owns the bakery; decides what goes live",
        "tags": ["people"],
        "aliases": ["Ada"],
        "body": """\
Bakes since 1998, codes since 2019. Prefers short messages before noon.

Runs the [[Bakery shop]]. Answers the phone: never after 21:00.
""",
    },
    {
        "type": "procedure",
        "title": "Deploy the shop",
        "description": "Steps from a green main branch to the live server",
        "tags": ["shop", "deploy"],
        "importance": 0.7,
        "body": """\
1. `git pull --ff-only` on the server.
2. Back up the database:

   ```sh
   sqlite3 shop.db ".backup 'shop-$(date +%F).db'"
   ```

3. `systemctl restart shop` and look at `/health`.

Never on a Saturday morning: that is when [[Bakery shop]] sells most. ^saturday
""",
    },
    {
        "type": "procedure",
        "title": "Sourdough basics",
        "description": "Flour, water, salt, time",
        "tags": ["baking"],
        "aliases": ["サワードウ", "酸面团"],
        "body": """\
| Part | Share |
|---|---|
| flour | 100 % |
| water | 72 % |
| salt | 2 % |
| starter | 20 % |

Feed the starter twice a day. 面团 rests for twelve hours at 18 °C. 🍞

The loaves end up in the [[Bakery shop]] and on the [[Winter menu]].
""",
    },
    {
        "type": "summary",
        "title": "Order cut-off",
        "description": "Until when an order is baked for the next day",
        "tags": ["shop", "decision"],
        "links": ["bakery-shop:influences"],
        "body": """\
Decided by [[Ada Park]] in November: orders close at **18:00**, because the dough needs the night
(see [[Sourdough basics]]). Midnight was tried for a week; the ovens could not keep up.
""",
    },
    {
        "type": "preference",
        "title": "Short messages before noon",
        "description": "How Ada wants to be written to",
        "tags": ["people"],
        "status": "draft",
        "body": "Two sentences at most before noon. This is a draft: `memex approve` accepts it.\n",
    },
)

DIARY = (
    ("2026-11-26", "19:40", "Orders closed at 18:00 for the first time. Quiet evening, no complaints."),
    ("2026-11-27", "09:20", "Ruff is in. The flake8 config is gone, see [[Ruff, not flake8]]."),
    ("2026-11-28", "07:05", "Deployed after the morning rush. `/health` was green at once."),
)
