"""memex: the folder is the memory. ``from memex_core import Memex`` is the whole library.

Names are resolved when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` alone would double the cost of `memex --version`
if TYPE_CHECKING:
    from typing import Any

    from memex_core.files.config import Config as MemexConfig
    from memex_core.memex import Memex as Memex
    from memex_core.model.errors import MemexError as MemexError
    from memex_core.model.results import BackupReport as BackupReport
    from memex_core.model.results import ForgetResult as ForgetResult
    from memex_core.model.results import Hit as RecallHit
    from memex_core.model.results import IngestReport as TranscriptLinkReport
    from memex_core.model.results import Provenance as ProvenanceReport
    from memex_core.model.results import RebuildReport as RebuildIndexReport
    from memex_core.model.results import RecallResult as RecallResult
    from memex_core.model.results import RestoreReport as RestoreReport
    from memex_core.model.results import SessionSummary as SessionSummary
    from memex_core.model.results import WriteResult as WriteResult

__version__ = "0.1.0"
__all__ = [
    "BackupReport",
    "ForgetResult",
    "Memex",
    "MemexConfig",
    "MemexError",
    "ProvenanceReport",
    "RebuildIndexReport",
    "RecallHit",
    "RecallResult",
    "RestoreReport",
    "SessionSummary",
    "TranscriptLinkReport",
    "WriteResult",
    "__version__",
]

_ELSEWHERE = {
    "Memex": ("memex_core.memex", "Memex"),
    "MemexConfig": ("memex_core.files.config", "Config"),
    "MemexError": ("memex_core.model.errors", "MemexError"),
    "ProvenanceReport": ("memex_core.model.results", "Provenance"),
    "RebuildIndexReport": ("memex_core.model.results", "RebuildReport"),
    "RecallHit": ("memex_core.model.results", "Hit"),
    "TranscriptLinkReport": ("memex_core.model.results", "IngestReport"),
}
"""What of it goes by another name inside, or lies elsewhere than the shapes of results."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'memex_core' has no attribute {name!r}")
    module, inside = _ELSEWHERE.get(name, ("memex_core.model.results", name))
    return getattr(__import__(module, fromlist=[inside]), inside)
