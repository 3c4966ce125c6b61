"""What can be done in the Graph area with time."""

from __future__ import annotations

from memex_tui.commands import Command

_GROUP = "Graph through time"

PAST: tuple[Command, ...] = (
    Command(
        "graph.past",
        "Through time",
        "A bar of what happened to pages: the picture shows pages and links as they were then.",
        "Graph",
        "graph.page",
        keys=("T",),
        menu="t",
        footer="time",
        words="history slider earlier past",
    ),
    Command(
        "graph.past-older",
        "A moment back",
        "To the change before; so does a click on the bar.",
        _GROUP,
        "graph.past",
        keys=("left",),
        footer="older",
        palette=False,
    ),
    Command(
        "graph.past-newer",
        "A moment on",
        "To the change after; the bar ends with now.",
        _GROUP,
        "graph.past",
        keys=("right",),
        footer="newer",
        palette=False,
    ),
    Command(
        "graph.past-day-before",
        "A day back",
        "To the last change of the day before.",
        _GROUP,
        "graph.past",
        keys=("<",),
        palette=False,
    ),
    Command(
        "graph.past-day-after",
        "A day on",
        "To the first change of the day after.",
        _GROUP,
        "graph.past",
        keys=(">",),
        palette=False,
    ),
    Command(
        "graph.past-first",
        "To the beginning",
        "To the first moment the page was there.",
        _GROUP,
        "graph.past",
        keys=("home",),
        palette=False,
    ),
    Command(
        "graph.past-now",
        "To now",
        "To the neighbourhood as it is.",
        _GROUP,
        "graph.past",
        keys=("n", "end"),
        footer="now",
        palette=False,
    ),
    Command(
        "graph.past-revert",
        "Bring this text back",
        "Gives the selected page the text it had then; u takes that back.",
        _GROUP,
        "graph.past",
        keys=("R",),
        footer="restore",
        palette=False,
    ),
    Command(
        "graph.past-close",
        "Close the bar",
        "Back to the neighbourhood as it is.",
        _GROUP,
        "graph.past",
        keys=("escape", "T"),
        footer="close",
        palette=False,
    ),
)
