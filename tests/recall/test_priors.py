"""Importance, freshness and use as mild priors: off unless asked for, and never more than mild."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memex_core.memex import Memex
from memex_core.recall.priors import NAMES, SHARE
from tests.conftest import Done

BODY = "The oven of the bakery is preheated to 250 degrees.\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pages that answer alike but for what is known of them, and one that answers better."""
    at = tmp_path / "store"
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T09:00:00Z")
    with Memex(at, create=True) as memex:
        for name, importance, day in (
            ("Alpha", 0.1, "2020-01-01"),
            ("Bravo", 0.9, "2020-01-01"),
            ("Delta", 0.1, "2026-11-29"),
        ):
            monkeypatch.setenv("MEMEX_NOW", f"{day}T09:00:00Z")
            memex.write("summary", name, BODY, importance=importance)
        monkeypatch.setenv("MEMEX_NOW", "2020-01-01T09:00:00Z")
        memex.write("summary", "Oven", "The oven is preheated: oven, preheated, oven.\n", importance=0.0)
        monkeypatch.setenv("MEMEX_NOW", "2026-11-30T09:00:00Z")
        memex.list()
    return at


def order(root: Path, query: str, weight: float | None) -> list[tuple[str, dict[str, float], float]]:
    """Title, priors and score of the hits."""
    config = root / "memex.toml"
    before = config.read_text() if config.exists() else ""
    if weight is not None:
        config.write_text(f"{before}\n[recall]\npriors = {weight}\n")
    with Memex(root) as memex:
        hits = memex.recall(query, no_count=True)["hits"]
    config.write_text(before)
    return [
        (hit["title"], {k: v for k, v in hit["why"]["parts"].items() if k in NAMES}, hit["score"])
        for hit in hits
    ]


def test_they_are_off_unless_asked_for(root: Path) -> None:
    plain = order(root, "bakery degrees", None)
    assert [title for title, _, _ in plain] == ["Alpha", "Bravo", "Delta"]  # by slug: they answer alike
    assert [parts for _, parts, _ in plain] == [{}, {}, {}]
    assert order(root, "bakery degrees", 0) == plain


def test_they_settle_ties_and_say_so(root: Path) -> None:
    plain = {title: score for title, _, score in order(root, "bakery degrees", None)}
    found = order(root, "bakery degrees", 1)
    assert [title for title, _, _ in found] == ["Delta", "Bravo", "Alpha"]
    for title, parts, score in found:
        assert score == pytest.approx(plain[title] + sum(parts.values()), abs=2e-4)
        assert sum(parts.values()) <= 3 * SHARE * plain[title]
    parts = {title: one for title, one, _ in found}
    assert parts["Bravo"]["importance"] == pytest.approx(0.9 * SHARE * plain["Bravo"], abs=2e-4)
    assert parts["Delta"]["recency"] == pytest.approx(0.5 ** (1 / 30) * SHARE * plain["Delta"], abs=2e-4)
    assert "recency" not in parts["Alpha"] and "use" not in parts["Alpha"]


def test_half_the_weight_counts_half(root: Path) -> None:
    whole = {title: parts for title, parts, _ in order(root, "bakery degrees", 1)}
    half = {title: parts for title, parts, _ in order(root, "bakery degrees", 0.5)}
    for title, parts in half.items():
        assert sum(parts.values()) == pytest.approx(sum(whole[title].values()) / 2, abs=3e-4)


def test_use_counts(root: Path) -> None:
    with Memex(root) as memex:
        for _ in range(3):
            memex.recall("alpha")
    parts = {title: one for title, one, _ in order(root, "bakery degrees", 1)}
    assert parts["Alpha"]["use"] > 0 and "use" not in parts["Bravo"]


def test_a_better_answer_stays_first(root: Path) -> None:
    assert [order(root, "oven preheated", weight)[0][0] for weight in (None, 1)] == ["Oven", "Oven"]


def test_turns_are_left_alone(root: Path) -> None:
    with Memex(root) as memex:
        turns = [{"role": "user", "content": "The oven is at 250 degrees.", "ts": "2026-11-21T09:14:00Z"}]
        memex.ingest_transcript("sess-oven", turns=turns)
    hits = [[(hit["session_id"], hit["score"]) for hit in _turns(root, weight)] for weight in ("0", "1")]
    assert hits[0] == hits[1] and hits[0][0][0] == "sess-oven"


def _turns(root: Path, weight: str) -> list[dict[str, object]]:
    (root / "memex.toml").write_text(f"[recall]\npriors = {weight}\n")
    with Memex(root) as memex:
        hits = memex.recall("oven degrees", kinds=["transcripts"], no_count=True)["hits"]
    return [dict(hit) for hit in hits]


def test_the_explanation_names_them(root: Path, cli: Callable[..., Done]) -> None:
    (root / "memex.toml").write_text("[recall]\npriors = 1\n")
    done = cli("--root", str(root), "--json", "recall", "bakery degrees", "--explain", "--no-count")
    parts = [hit["why"]["parts"] for hit in done.json["hits"]]
    assert [set(one) >= {"importance"} for one in parts] == [True, True, True]
    assert "recency" in parts[0]
