"""The mark of what memex itself starts to ask a model: nobody is talking there."""

from __future__ import annotations

INTERNAL = "MEMEX_INTERNAL"
"""Set to 1 in the environment of such a process: its hooks do nothing, and it may not consolidate."""
