"""What can be asked of the tour. Function keys: none of them is ever text."""

from __future__ import annotations

from memex_tui.commands import Command

GROUP = "Tour"

COMMANDS = (
    Command(
        "tour.start",
        "Take the tour",
        "Five steps from a query to the checks; each is done by doing it.",
        GROUP,
        words="demo learn tutorial introduction",
    ),
    Command("tour.skip", "Skip this step", "On to the next step of the tour.", GROUP, "tour", keys=("f2",)),
    Command("tour.end", "End the tour", "Puts the tour's bar away for good.", GROUP, "tour", keys=("f3",)),
)
