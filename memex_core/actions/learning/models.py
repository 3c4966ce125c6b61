"""``memex models``: which model consolidates, where each setting of it is from, and whether it answers."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Any

from memex_core.actions.learning.holding import by_refusal, by_settings
from memex_core.files.config import EFFORTS
from memex_core.files.config_edit import set_settings
from memex_core.files.runs import Run
from memex_core.learn.agent_cli import AGENTS
from memex_core.learn.chat import FIELDS, Model, ModelFailed
from memex_core.learn.endpoint import BASES
from memex_core.learn.failures import failure, holds, told
from memex_core.learn.job_state import Learning, changing
from memex_core.learn.prompt import PROBE, PROBE_QUESTION
from memex_core.model.errors import BadInput, Refused
from memex_core.model.internal import INTERNAL

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.config_edit import Setting

TABLES = ("consolidation", "llm")
_MODEL = re.compile(r"[\w./:@+-]{1,256}")


def models_show(store: Store) -> dict[str, Any]:
    """``{name, provider, settings, ready, held, calls, warnings}`` of the model that consolidates;
    ``settings`` are ``{name, value, origin}``. A key is only told to be set or not."""
    model, learning = Model.of(store.config), Learning(store.layout)
    held = by_settings(store, model) or by_refusal(learning, model)
    rows = []
    for field in FIELDS:
        value = getattr(model, field)
        origin = model.origins[field]
        if field == "api_key":
            if not value and model.provider == "openai" and os.environ.get("OPENAI_API_KEY"):
                value, origin = "x", "env OPENAI_API_KEY"
            value = "(set)" if value else ""
        elif field == "api_base" and not value and BASES.get(model.provider):
            value, origin = BASES[model.provider], "default of the provider"
        rows.append({"name": field, "value": value, "origin": origin})
    return {
        "name": model.name,
        "provider": model.provider,
        "settings": rows,
        "ready": held is None,
        "held": held,
        "calls": {
            "day": learning.calls_of_the_day(),
            "max_per_day": store.config.consolidation.max_calls_per_day,
            "max_per_run": store.config.consolidation.max_calls,
        },
        "providers": [*(one for one in BASES), *AGENTS],
        "warnings": [*store.warnings],
    }


def models_set(
    store: Store,
    *,
    provider: str | None = None,
    model: str | None = None,
    api_base: str | None = None,
    api_key: str | None = None,
    reasoning: str | None = None,
    timeout: int | None = None,
    max_tokens: int | None = None,
    table: str = "consolidation",
    dry_run: bool = False,
) -> dict[str, Any]:
    """Write settings of the model into ``memex.toml``, and nothing else in it. An empty text takes one out.

    Returns what :func:`models_show` does, and ``changed``. Raises BadInput, Refused.
    """
    given = {
        "provider": provider,
        "model": model,
        "api_base": api_base,
        "api_key": api_key,
        "reasoning": reasoning,
        "timeout": timeout,
        "max_tokens": max_tokens,
    }
    changes: dict[str, Setting] = {
        name: (value.strip() or None) if isinstance(value, str) else value
        for name, value in given.items()
        if value is not None
    }
    if not changes:
        raise BadInput(
            "nothing to set", hint="name a provider, or --model, --api-base, --api-key, --reasoning"
        )
    _check(table, changes)
    return _written(store, table, changes, dry_run)


def models_reset(store: Store, *, table: str = "consolidation", dry_run: bool = False) -> dict[str, Any]:
    """Take the model's settings out of ``memex.toml``; the table's other settings stay."""
    _check(table, {})
    return _written(store, table, dict.fromkeys(FIELDS), dry_run)


def models_test(store: Store) -> dict[str, Any]:
    """Ask the model for one word: exactly one call. ``{ok, name, answer, ms, llm_prompt_tokens,
    llm_completion_tokens, code, message, cause, impact, next, warnings}``. Success ends a hold."""
    if os.environ.get(INTERNAL) == "1":
        raise Refused("a model that memex itself asked cannot have memex ask a model")
    model = Model.of(store.config)
    result: dict[str, Any] = {
        "ok": False,
        "name": model.name,
        "answer": "",
        "ms": None,
        "llm_prompt_tokens": None,
        "llm_completion_tokens": None,
        **dict.fromkeys(("code", "message", "cause", "impact", "next"), ""),
        "released": False,
        "warnings": [],
    }
    try:
        model.check()
    except ModelFailed as error:
        return {**result, **_failed(error)}
    with changing(store.layout) as state:
        if not state.reserve(store.config.consolidation.max_calls_per_day):
            return {**result, **_failed(ModelFailed("day-cap", told("day-cap")["cause"]))}
    began = time.perf_counter()
    try:
        with Run(store.layout, "model", stage="probe", model=model.name):
            reply = model.ask(PROBE, PROBE_QUESTION)
        result["answer"] = " ".join(reply.text.split())[:80]
        result.update(llm_prompt_tokens=reply.prompt_tokens, llm_completion_tokens=reply.completion_tokens)
        if not result["answer"]:
            raise ModelFailed("empty-answer", told("empty-answer")["cause"])
    except ModelFailed as error:
        if holds(error.code):
            with changing(store.layout) as state:
                state.give_back()
                state.held(error.code, error.message, model.fingerprint())
        return {**result, **_failed(error)}
    result["ms"] = round((time.perf_counter() - began) * 1000)
    with changing(store.layout) as state:
        result["ok"], result["released"] = True, state.hold is not None
        state.hold = None
    return result


def _failed(error: ModelFailed) -> dict[str, str]:
    """The row of a failure for who tests: no turns were read, and the next step is another one than this."""
    row = told(error.code)
    step = row["next"].partition(", then ")[0]
    if failure(error.code).state == "failed" and not step.startswith("memex models set"):
        step = "memex models show"
    return {**row, "impact": "", "next": step, "message": error.message}


def _check(table: str, changes: dict[str, Setting]) -> None:
    if table not in TABLES:
        raise BadInput(f"there is no table {table!r} of models", hint=" or ".join(TABLES))
    provider, model = changes.get("provider"), changes.get("model")
    if isinstance(provider, str):
        changes["provider"] = provider = provider.lower()
        if provider not in BASES and provider not in AGENTS:
            raise BadInput(f"the provider {provider!r} is not known", hint=", ".join([*BASES, *AGENTS]))
    if isinstance(model, str) and not _MODEL.fullmatch(model):
        raise BadInput(f"{model!r} is no model's name", hint="letters, digits and ./:@+-")
    reasoning = changes.get("reasoning")
    if isinstance(reasoning, str) and reasoning not in EFFORTS:
        raise BadInput(f"{reasoning!r} is no word for reasoning", hint=", ".join(EFFORTS))
    base = changes.get("api_base")
    if isinstance(base, str) and not re.match(r"https?://[^\s/]", base):
        raise BadInput(f"{base!r} is no address", hint="such as http://localhost:11434/v1")
    for name, low, high in (("timeout", 1, 3600), ("max_tokens", 1, 10_000_000)):
        value = changes.get(name)
        if isinstance(value, int) and not low <= value <= high:
            raise BadInput(f"{name} {value} is out of range", hint=f"from {low} to {high:,}")


def _written(store: Store, table: str, changes: dict[str, Setting], dry_run: bool) -> dict[str, Any]:
    """The settings as they are then."""
    from memex_core.files.config import ENVIRONMENT

    changed = False
    if not dry_run:
        changed = set_settings(store.layout, table, changes)
        store.forget_config()
    told_ = models_show(store)
    for variable, (place, field) in ENVIRONMENT.items():
        if place == table and field in changes and os.environ.get(variable):
            told_["warnings"].append(f"{variable} is set and wins over the file's {field}")
    shown = {name: "(set)" if name == "api_key" and value else value for name, value in changes.items()}
    return {**told_, "table": table, "changes": shown, "changed": changed, "dry_run": dry_run}
