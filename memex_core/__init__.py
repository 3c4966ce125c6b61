"""memex: the folder is the memory. ``from memex_core import Memex`` is the whole library.

Names are resolved when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` alone would double the cost of `memex --version`
if TYPE_CHECKING:
    from typing import Any

    from memex_core.memex import Memex as Memex
    from memex_core.model.errors import MemexError as MemexError

__version__ = "0.1.0"
__all__ = ["Memex", "MemexError", "__version__"]


def __getattr__(name: str) -> Any:
    if name == "Memex":
        from memex_core.memex import Memex

        return Memex
    if name == "MemexError":
        from memex_core.model.errors import MemexError

        return MemexError
    raise AttributeError(f"module 'memex_core' has no attribute {name!r}")
