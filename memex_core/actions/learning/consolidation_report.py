"""What a consolidation tells: the pages that came of it, what was thrown away and why, and what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memex_core.actions.learning.verdicts import Outcome
    from memex_core.learn.answer import Note
    from memex_core.learn.chat import Reply


class Report:
    """``data`` is the answer of ``memex consolidate``. Token counts stay None until some are seen;
    ``llm_usage`` says of how many calls they are known: ``unknown`` of none, ``partial``, ``complete``.
    ``given_up`` are the jobs that have failed too often to be tried again without a person."""

    def __init__(self, model: str, *, dry_run: bool) -> None:
        self._counts = 0
        self.data: dict[str, Any] = {
            "mode": "dry-run" if dry_run else "full",
            "model": model,
            "episodes_processed": 0,
            "turns_processed": 0,
            "nodes_created": [],
            "nodes_updated": [],
            "duplicates": [],
            "conflicts": [],
            "rejected": [],
            "links_added": 0,
            "llm_calls": 0,
            "llm_prompt_tokens": None,
            "llm_completion_tokens": None,
            "llm_usage": "unknown",
            "prompts": [],
            "held": None,
            "waiting": None,
            "failed": [],
            "given_up": [],
            "dry_run": dry_run,
            "warnings": [],
        }

    @property
    def stopped(self) -> bool:
        """Whether no further call may be made."""
        return bool(self.data["held"] or self.data["waiting"])

    def calling(self) -> None:
        """A model is being asked: that counts, and costs, whatever it answers."""
        self.data["llm_calls"] += 1

    def called(self, reply: Reply) -> None:
        for key, seen in (
            ("llm_prompt_tokens", reply.prompt_tokens),
            ("llm_completion_tokens", reply.completion_tokens),
        ):
            if seen is not None:
                self.data[key] = (self.data[key] or 0) + seen
                self._counts += 1
        if self._counts:
            whole = self._counts == 2 * self.data["llm_calls"]
            self.data["llm_usage"] = "complete" if whole else "partial"

    def counted(self) -> dict[str, int]:
        """What the log of runs keeps of it."""
        data = self.data
        counts = {"created": "nodes_created", "updated": "nodes_updated", "known": "duplicates"}
        return {
            "calls": data["llm_calls"],
            "episodes": data["episodes_processed"],
            **{name: len(data[key]) for name, key in counts.items()},
        }

    def rejected(self, title: str, reason: str) -> None:
        self.data["rejected"].append({"title": title, "reason": reason})

    def outcome(self, note: Note, outcome: Outcome, grounding: str, session: str) -> None:
        data = self.data
        data["links_added"] += len(outcome.links)
        if outcome.kind == "rejected":
            self.rejected(note.title, outcome.reason)
        elif outcome.kind == "known":
            data["duplicates"].append({"title": note.title, "page": outcome.page})
        elif outcome.kind == "updated":
            data["nodes_updated"] += [] if outcome.page in data["nodes_updated"] else [outcome.page]
        else:
            data["nodes_created"].append(
                {
                    "slug": outcome.page,
                    "type": note.type,
                    "title": note.title,
                    "body": note.body,
                    "tags": note.tags,
                    "importance": note.importance,
                    "links": list(outcome.links),
                    "grounding": grounding,
                    "session_id": session,
                }
            )
        if outcome.kind == "conflict":
            conflict = {"title": note.title, "page": outcome.page, "against": outcome.against}
            data["conflicts"].append(conflict)
