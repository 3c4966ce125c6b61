"""Agents' commands print nothing of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

VIEWS: dict[str, Callable[..., Any]] = {}
