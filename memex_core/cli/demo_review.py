"""What waits for review in the demo store: proposed by agents and doubted by a person, in the usual ways."""

from __future__ import annotations

DEPLOY = "deploy-the-shop"
OVEN = "oven-two"
INCIDENT = "incident-double-orders"
BACKUP = """The database is copied at 02:30, when nobody orders.[^s1]

At 04:00 the copy held it locked for half a minute, and payments waited, see
[[Incident: double orders]].[^s2]

1. `sqlite3 shop.db ".backup '/var/backups/shop.db'"`
2. Keep seven of them; the eighth goes.

[^s1]: Moved in the morning after the incident.
[^s2]: What the agent found that night.
"""
BETTER_DEPLOY = (  # what stands there, what shall stand there
    ("2. Back up the database:", "2. Wait until the backup of 02:30 is through, then back up the database:"),
    ("look at `/health`.", "look at `/health`; the answer must come within the provider's 30 s."),
    ("- [ ] a line in the diary", "- [ ] no payment with two orders\n- [ ] a line in the diary"),
)
CALIBRATED = ("248 °C   242 °C", "245 °C   242 °C")
PROPOSALS = 3
"""Pages that :func:`propose` adds: two changes and a new one wait as drafts."""


def propose(root: str) -> None:
    """Two changes (one of a page that was changed since), a new page, and a doubt about a source."""
    from memex_core.memex import Memex

    with Memex(root, actor="claude-code/2.1") as agent:
        body = agent.show(DEPLOY)["body"]
        for old, new in BETTER_DEPLOY:
            body = body.replace(old, new)
        sources = ["demo-double-orders#6", "demo-double-orders#3"]
        quotes = ["move the backup to 02:30", "41 orders share a payment with another one"]
        agent.edit(DEPLOY, body=body, sources=sources, quotes=quotes)
        sources = ["demo-double-orders#6", "demo-double-orders#5:context"]
        quotes = ["move the backup to 02:30", "the backup at 04:00 held the database locked"]
        agent.write(
            "procedure", "Back up the database", BACKUP, tags="deploy, shop", sources=sources, quotes=quotes
        )
    with Memex(root, actor="codex/0.60") as agent:
        body = agent.show(OVEN)["body"]
        agent.edit(OVEN, body=body.replace(*CALIBRATED))
    with Memex(root, actor="human:ben") as person:
        person.edit(OVEN, append="\n- [ ] ask for a second thermometer\n")
        last = person.show(INCIDENT)["front_matter"]["sources"][-1]["id"]
        person.dispute(INCIDENT, last, "the provider's log says 31 s")
