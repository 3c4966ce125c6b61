"""Reading what callers pass: lists that arrive as text, links, sources, numbers, times."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from memex_core.model import clock
from memex_core.model.errors import BadInput
from memex_core.model.page import Value


def as_list(value: Any, name: str) -> list[str]:
    """A list given as a list, a JSON list in text, or text with commas. None is empty."""
    if value is None or value == "":
        return []
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("["):
            try:
                loaded = json.loads(text)
            except ValueError:
                loaded = None
            if isinstance(loaded, list):
                return as_list(loaded, name)
        return [part.strip() for part in text.split(",") if part.strip()]
    if isinstance(value, Iterable):
        out = []
        for item in value:
            if not isinstance(item, str | int | float):
                raise BadInput(f"{name} must be a list of words", hint=f"not {type(item).__name__}")
            if str(item).strip():
                out.append(str(item).strip())
        return out
    raise BadInput(f"{name} must be a list or a comma separated text", hint=f"not {type(value).__name__}")


def as_tags(value: Any) -> list[str]:
    """Tags as they are written: lower case, kebab, without ``#``, each once."""
    out: list[str] = []
    for tag in as_list(value, "tags"):
        word = re.sub(r"\s+", "-", tag.lstrip("#").strip())
        word = word if word.startswith("[REDACTED:") else word.lower()
        if word and word not in out:
            out.append(word)
    return out


def spelt_as(present: Iterable[str], tags: Iterable[Any]) -> Iterator[Value]:
    """``tags``, those that are among ``present`` in another spelling (``Two words``) in that one."""
    known = {each: tag for tag in present for each in as_tags([tag])}
    for tag in tags:
        yield known.get(tag, tag) if isinstance(tag, str) else tag


def as_links(value: Any) -> list[Value]:
    """``slug`` or ``slug:rel`` entries (or ready maps) as ``[{target, rel}]``."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        maps = [item for item in value if isinstance(item, dict)]
        if maps:
            return [
                {"target": str(m.get("target", "")), "rel": str(m.get("rel") or "relates-to")} for m in maps
            ]
    out: list[Value] = []
    for item in as_list(value, "links"):
        target, _, rel = item.partition(":")
        if not target.strip():
            raise BadInput(f"a link without a target: {item!r}", hint="write SLUG or SLUG:REL")
        if rel and not re.fullmatch(r"[a-z][a-z0-9-]*", rel):
            raise BadInput(f"{rel!r} is no relation name", hint="use a kebab-case word such as relates-to")
        out.append({"target": target.strip(), "rel": rel or "relates-to"})
    return out


def as_importance(value: Any) -> float:
    """A number from 0.0 to 1.0."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"importance must be a number, not {value!r}", hint="from 0.0 to 1.0") from None
    if not 0.0 <= number <= 1.0:
        raise BadInput(f"importance {value} is out of range", hint="from 0.0 to 1.0")
    return number


def as_time(value: Any, name: str) -> str:
    """A stamp or date as written on disk; "" for None."""
    if value is None or value == "":
        return ""
    text = clock.normal(str(value))
    if not text:
        raise BadInput(f"{name}: {value!r} is no time", hint="write 2026-11-30 or 2026-11-30T06:00:00Z")
    return text


def as_type(value: Any) -> str:
    """A page type: one word, lower case, hyphens allowed."""
    text = str(value or "").strip().lower()
    if not re.fullmatch(r"[^\W_]+(?:-[^\W_]+)*", text):
        raise BadInput(
            f"{value!r} is no page type",
            hint="entity, preference, procedure, summary, episode, or a word of your own",
        )
    return text


def plain(value: float) -> str:
    """A number the way a person writes it: no exponent, no trailing zeros."""
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"
