"""Every setting does something: each key of the schema is changed here and seen to matter, or its test is
named. A key for which neither is true is no setting, and is taken out of the schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core.care import watch
from memex_core.files import config_schema
from memex_core.index import freshness
from memex_core.learn.chat import Model
from memex_core.learn.endpoint import Endpoint
from memex_core.mcp import acts
from memex_core.memex import Memex
from memex_core.model import clock

ROOT = Path(__file__).parents[2]
Probe = Callable[[Memex, pytest.MonkeyPatch], Any]

ELSEWHERE = {
    "data_dir.path": "tests/files/test_layout.py",
    "llm.timeout": "tests/learn/test_chat.py",
    "consolidation.auto": "tests/learn/test_after_a_session.py",
    "consolidation.max_episodes": "tests/learn/test_consolidation.py",
    "consolidation.max_calls": "tests/learn/test_consolidation.py",
    "consolidation.max_calls_per_day": "tests/learn/test_consolidation.py",
    "consolidation.max_attempts": "tests/learn/test_consolidation.py",
    "consolidation.max_input_tokens": "tests/learn/test_consolidation.py",
    "consolidation.settle_minutes": "tests/learn/test_consolidation.py",
    "governance.approval": "tests/actions/reviewing/test_governance.py",
    "governance.knowledge_approval": "tests/actions/reviewing/test_governance.py",
    "capture.agents": "tests/actions/agents/test_hook_capture.py",
    "capture.exclude": "tests/actions/agents/test_hook_capture.py",
    "capture.auto": "tests/actions/agents/test_hook_capture.py",
    "capture.scrub_allow": "tests/files/test_scrubbing.py",
    "embed.provider": "tests/actions/asking/test_embed_settings.py",
    "embed.api_base": "tests/actions/asking/test_embed_settings.py",
    "embed.dimensions": "tests/actions/asking/test_embed_settings.py",
    "embed.weight": "tests/recall/test_fusion.py",
    "embed.query_timeout": "tests/recall/test_fusion.py",
    "embed.batch": "tests/actions/asking/test_embed.py",
    "editor.tab_width": "tests/tui/test_page_settings.py",
    "editor.wrap": "tests/tui/test_page_settings.py",
    "keys.preset": "tests/tui/test_settings_screen.py",
}
"""Key -> the file whose tests see it work."""


def hits(memex: Memex, **options: Any) -> list[dict[str, Any]]:
    return [dict(hit) for hit in memex.recall("copper", **options)["hits"]]


def number_of_hits(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    over_mcp = acts.recall(memex, {"query": "copper"}).content["hits"]
    return len(hits(memex)), len(over_mcp), len(memex.context("copper")["hits"])


def tokens_of_a_recall(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    return memex.recall("copper")["budget_tokens"], len(hits(memex)), len(hits(memex, budget=0))


def kinds_of_hits(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    memex.write(type="entity", title="Lid", body="[[Smith]]")
    memex.write(type="entity", title="Smith", body="hammers")
    asked = [len(memex.recall("lid", **one)["hits"]) for one in ({}, {"expand": False}, {"expand": True})]
    assert asked[1] < asked[2]
    return asked


def uses(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    memex.recall("copper")
    return memex.store.index.find("pan-1")[0].access_count


def block(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    return memex.context("copper")["tokens"]


def order(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    memex.write(type="entity", title="Pan 9", body="copper pan", importance=1.0)
    return hits(memex)[0]["score"]


def looked_at(memex: Memex, patch: pytest.MonkeyPatch) -> Any:
    patch.setattr(freshness, "FULL_CHECK_UP_TO", -1)
    patch.setattr(freshness, "_STEP", 1)
    memex.look_again()
    return memex.recall("copper")["stale"]


def walks(memex: Memex, patch: pytest.MonkeyPatch) -> Any:
    asked: list[float] = []

    def watched(*_: Any, poll_interval: float, **__: Any) -> Any:
        asked.append(poll_interval)
        return iter(())

    patch.setattr(watch, "watch", watched)
    assert not list(memex.watch())
    return asked


def faded(memex: Memex, patch: pytest.MonkeyPatch) -> Any:
    patch.setenv("MEMEX_NOW", "2099-01-01T00:00:00Z")
    try:
        return [one["after"] for one in memex.decay(dry_run=True)["changed"]], _until(memex)
    except Exception as error:
        return str(error)


def _until(memex: Memex) -> Any:
    memex.forget("pan-1", mode="decay")
    return memex.show("pan-1")["front_matter"]["valid_until"] > clock.stamp()


def written(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    done = memex.write(type="entity", title="Long Lid", body="x" * 300)
    memex.recall("nothing")
    return memex.store.index.find(done["slug"])[0].importance, done["slug"], done["warnings"]


def kept_secret(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    memex.write(type="entity", title="Key", body="ghp_" + "a1B2" * 9)
    return memex.show("key")["body"]


def logged(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    memex.show("pan-1")
    found = list(Path(memex.root).rglob("*.log"))
    return [(path.name, path.read_text().count(" show ")) for path in found]


def asked_model(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    return [value for value in Model.of(memex.store.config) if not isinstance(value, dict)]


def asked_endpoint(memex: Memex, _: pytest.MonkeyPatch) -> Any:
    return Endpoint.of(memex.store.config.embed, "embed")


MATTERS: dict[str, tuple[Any, Any, Probe]] = {
    "llm.provider": ("ollama", "lmstudio", asked_model),
    "llm.model": ("a", "b", asked_model),
    "llm.api_base": ("http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1", asked_model),
    "llm.api_key": ("a", "b", asked_model),
    "llm.reasoning": ("low", "high", asked_model),
    "llm.max_tokens": (10, 20, asked_model),
    "consolidation.provider": ("ollama", "lmstudio", asked_model),
    "consolidation.model": ("a", "b", asked_model),
    "consolidation.api_base": ("http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1", asked_model),
    "consolidation.api_key": ("a", "b", asked_model),
    "consolidation.timeout": (10, 20, asked_model),
    "consolidation.reasoning": ("low", "high", asked_model),
    "consolidation.max_tokens": (10, 20, asked_model),
    "bm25.default_top_k": (2, 3, number_of_hits),
    "recency_decay.enabled": (True, False, faded),
    "recency_decay.half_life_days": (20_000, 1, faded),
    "index.watch_poll_interval": (0, 7, walks),
    "index.freshness_ms": (0, 600_000, looked_at),
    "pages.default_importance": (0.5, 0.7, written),
    "pages.max_body_chars": (200, 400, written),
    "pages.slug_algo": ("kebab", "sha1", written),
    "capture.scrub": ("on", "off", kept_secret),
    "embed.model": ("a", "b", asked_endpoint),
    "embed.api_key": ("a", "b", asked_endpoint),
    "embed.timeout": (5, 6, asked_endpoint),
    "logging.level": ("INFO", "DEBUG", logged),
    "logging.file": ("one.log", "two.log", logged),
    "recall.budget": (0, 20, tokens_of_a_recall),
    "recall.context_budget": (90, 2000, block),
    "recall.expand": (False, True, kinds_of_hits),
    "recall.count": (True, False, uses),
    "recall.priors": (0, 1, order),
}
"""Key -> two values, and what must differ between them."""


def test_every_setting_has_a_test() -> None:
    assert sorted([*MATTERS, *ELSEWHERE]) == sorted(config_schema.fields())


@pytest.mark.parametrize("key", sorted(ELSEWHERE))
def test_the_test_named_for_a_setting_speaks_of_it(key: str) -> None:
    assert key.split(".")[1] in (ROOT / ELSEWHERE[key]).read_text(encoding="utf-8")


@pytest.mark.parametrize("key", sorted(MATTERS))
def test_a_setting_matters(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, probe = MATTERS[key]
    assert _with(key, first, probe, tmp_path / "a", monkeypatch) != _with(
        key, second, probe, tmp_path / "b", monkeypatch
    )


def _with(key: str, value: Any, probe: Probe, root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    with Memex(root, create=True) as memex, monkeypatch.context() as patch:
        for number in range(1, 6):
            memex.write(type="entity", title=f"Pan {number}", body="copper pan " * number)
        table, _, name = key.partition(".")
        beside = (
            'provider = "ollama"\nmodel = "m"\n' if table in ("llm", "embed") and name != "provider" else ""
        )
        beside = beside.replace('model = "m"\n', "") if name == "model" else beside
        if key == "logging.file":
            value, beside = str(root / value), 'level = "DEBUG"\n'
        text = f"[{table}]\n{name} = {json.dumps(value)}\n{beside}"
        (root / "memex.toml").write_text(text)
        memex.store.forget_config()
        assert memex.store.config.warnings == []
        return probe(memex, patch)
