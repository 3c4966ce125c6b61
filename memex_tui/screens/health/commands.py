"""What can be done in the Health area."""

from __future__ import annotations

from memex_tui.commands import Command

GROUP = "Health"
MOST = 9  # fixes that have a number

COMMANDS: tuple[Command, ...] = (
    Command(
        "health.open",
        "Open",
        "Opens the page at the line of the finding; on a check it folds or unfolds its findings.",
        GROUP,
        "health.list",
        keys=("enter",),
        footer="open",
        words="go to line fold unfold",
    ),
    *(
        Command(
            f"health.fix-{number}",
            f"Fix {number}",
            f"Does what stands beside the number {number} for the finding under the cursor.",
            GROUP,
            "health.finding",
            keys=(str(number),),
            footer="… 9 fix" if number == 1 else "",
            palette=False,
        )
        for number in range(1, MOST + 1)
    ),
    Command(
        "health.next",
        "Next finding",
        "Moves on to the next finding, past the checks that hold.",
        GROUP,
        "health",
        keys=("n",),
        footer="next",
        words="following problem",
    ),
    Command(
        "health.previous",
        "Previous finding",
        "Moves back to the finding before.",
        GROUP,
        "health",
        keys=("N",),
        words="problem back",
    ),
    Command(
        "health.check",
        "Check again",
        "Reads every page and looks at every link anew.",
        GROUP,
        "health",
        keys=("r",),
        menu="r",
        footer="check",
        words="verify run rerun doctor",
    ),
    Command(
        "health.stop",
        "Stop",
        "Breaks off the check or the rebuilding; what was known before stays.",
        GROUP,
        "health.running",
        keys=("escape",),
        footer="stop",
        words="cancel abort",
    ),
    Command(
        "health.rebuild",
        "Rebuild the index",
        "Makes the index anew from the files; the old one answers until the new one is there.",
        GROUP,
        "health",
        keys=("R",),
        menu="R",
        words="reindex repair",
    ),
    Command(
        "health.facts",
        "The memory as a whole",
        "Shows counts, index, watcher and paths instead of the finding, and back.",
        GROUP,
        "health",
        keys=("i",),
        footer="facts",
        words="info status paths counts watcher",
    ),
)
