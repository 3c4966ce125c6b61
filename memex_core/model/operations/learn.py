"""Operations that make pages of conversations: by rules, and by a model."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param

_SESSION = Param("session", "of this conversation alone", metavar="ID")

OPERATIONS = (
    Operation(
        "extract",
        "draft pages from what people said plainly, by rules and without a model",
        "learn",
        (_SESSION, DRY_RUN),
        writes=True,
        rows="created",
        example="memex extract --dry-run",
        detail=(
            "Preferences, rules and facts, said in English, Chinese or Korean. Each draft quotes its turn; a "
            "turn is looked at once."
        ),
    ),
    Operation(
        "consolidate",
        "have a model propose pages from what conversations have brought since",
        "learn",
        (
            Param(
                "mode",
                "dry-run writes nothing",
                default="full",
                choices=("full", "dry-run"),
            ),
            Param("max_episodes", "so many of the newest conversations at most", "int"),
            Param("session", "of these conversations alone, by id or page", "list", None, metavar="ID"),
            Param("background", "as hooks do: try nothing that a setting holds", "bool", False),
            Param("include_links", "whether the pages link to others", "bool", True, face="api"),
            Param(
                "capture",
                "take in this session file of an agent first, and read its session",
                "path",
                face="cli",
            ),
            Param("progress", "called with (done, total)", face="api"),
            DRY_RUN,
        ),
        writes=True,
        example="memex consolidate --mode dry-run",
        detail=(
            "Each page must quote turns word for word, or it is thrown away; where models' writes wait for "
            "review it is a draft. Turns are sent without secrets to the model of memex models show. Exit "
            "code 1 when something is held or has failed, now or so often before that it is not tried again, "
            "or when the calls allowed were used up first: memex jobs list says what."
        ),
    ),
)
