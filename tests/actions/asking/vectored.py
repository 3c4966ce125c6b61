"""A store with vectors turned on, for tests: its endpoint is a server of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memex_core import Memex


def turn_on(root: Path, base: str, **more: Any) -> None:
    """Write ``[embed]``. The question's time limit is long: a loaded machine must not look like a dead server."""
    settings = {"provider": "custom", "model": "toy", "api_base": base, "query_timeout": 60, **more}
    lines = [f"{key} = {value!r}" for key, value in settings.items()]
    (root / "memex.toml").write_text("\n".join(["[embed]", *lines, ""]), encoding="utf-8")


def reopened(memex: Memex) -> Memex:
    """The same store as a new process sees it."""
    memex.close()
    return Memex(memex.root)


def fill(memex: Memex) -> None:
    """Pages on a few things, some in words that a question will not use, and ten on other things."""
    memex.write(type="entity", title="The automobile", body="Its engine is loud.")
    memex.write(
        type="entity", title="Garage", body="A car stands there on Sundays. Nothing else is known of it."
    )
    memex.write(type="procedure", title="Rye loaf", body="Fold the dough.")
    memex.write(type="preference", title="Ruff", body="A linter.")
    for number in range(10):
        memex.write(
            type="entity", title=f"Note {number}", body=f"The garden in week {number * 7} of the year."
        )
