"""Neighbourhoods for tests: deterministic, with every kind of node and edge."""

import random

from memex_core.model.graph_export import Edge, Graph, Node
from memex_core.model.graph_rings import distances, neighbours

TITLES = (
    "Rate limits", "Retry policy", "HTTP client", "Incident 2026-03", "API keys", "Deploy checklist",
    "Health checks", "On-call", "Batch jobs", "Crawler budget", "Jitter", "Session 2026-11-21",
    "日本語のページ", "Ghost page", "Observability stack and dashboards", "Logging", "Queues",
    "Backoff strategy", "Token bucket", "Quota [beta]", "Feature flags", "Postmortem [/red] template",
    "👩‍👩‍👧 family", "Cache",
)  # fmt: skip
KINDS = ("fact", "rule", "event", "list", "session", "entity")


def sample(count: int, seed: int = 3) -> Graph:
    """A neighbourhood of ``count`` nodes around the first, 1 to 3 hops."""
    choose = random.Random(seed)
    ids = [f"p{index}.md" for index in range(count)]
    pairs: dict[tuple[str, str], str] = {}
    for index in range(1, count):
        other = 0 if index < 9 else choose.randrange(1, min(index, 12))
        pair = (ids[index], ids[other]) if choose.random() < 0.5 else (ids[other], ids[index])
        pairs[pair] = choose.choice(["", "", "mentions", "supersedes", "part of"])
        if choose.random() < 0.4:
            pairs[ids[index], ids[choose.randrange(index)]] = ""
    edges = tuple(Edge(src, dst, rel) for (src, dst), rel in pairs.items())
    hops = distances(ids, neighbours(ids, list(pairs)), ids[0]) if ids else {}
    nodes = []
    for index, id in enumerate(ids):
        title = TITLES[index % len(TITLES)] + ("" if index < len(TITLES) else f" {index}")
        degree = sum(id in pair for pair in pairs) + (choose.randrange(4) if hops[id] > 1 else 0)
        nodes.append(Node(id, title, KINDS[index % 6], "g", degree, title.startswith("Ghost"), hops[id]))
    return Graph(tuple(nodes), edges, ids[0] if ids else "", 7)
