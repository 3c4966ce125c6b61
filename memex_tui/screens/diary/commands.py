"""What can be done in the Diary area."""

from __future__ import annotations

from memex_tui.commands import Command

GROUP = "Diary"

COMMANDS: tuple[Command, ...] = (
    Command(
        "diary.write",
        "Write a line",
        "A line for today; Enter keeps it with the time it is. Whatever is not kept yet stays in the field.",
        GROUP,
        "diary",
        keys=("i", "a"),
        menu="i",
        footer="write",
        words="capture note add append entry",
    ),
    Command(
        "diary.leave",
        "Leave the field",
        "Back to the day; what was typed stays in the field.",
        GROUP,
        "diary.input",
        keys=("escape",),
        footer="leave",
        palette=False,
    ),
    Command(
        "diary.today",
        "Today",
        "Shows today.",
        GROUP,
        "diary",
        keys=("t",),
        menu="t",
        footer="today",
        words="now",
    ),
    Command(
        "diary.before",
        "The day before",
        "One day back.",
        GROUP,
        "diary",
        keys=("h",),
        footer="back",
        words="previous yesterday",
    ),
    Command(
        "diary.after", "The day after", "One day on.", GROUP, "diary", keys=("l",), footer="on", words="next"
    ),
    Command(
        "diary.earlier",
        "The entry before",
        "Back to the last day that has an entry.",
        GROUP,
        "diary",
        keys=("N",),
        words="previous entry",
    ),
    Command(
        "diary.later",
        "The entry after",
        "On to the next day that has an entry.",
        GROUP,
        "diary",
        keys=("n",),
        words="next entry",
    ),
    Command(
        "diary.month-before",
        "The month before",
        "The same day a month back.",
        GROUP,
        "diary",
        keys=("[",),
        words="previous month",
    ),
    Command(
        "diary.month-after",
        "The month after",
        "The same day a month on.",
        GROUP,
        "diary",
        keys=("]",),
        words="next month",
    ),
    Command(
        "diary.jump",
        "Go to a day",
        "Type a time as you say it: last tuesday, 3 weeks ago, 昨天, May 2025, 2026-07-21.",
        GROUP,
        "diary",
        keys=("d",),
        menu="d",
        footer="day",
        words="date jump calendar",
    ),
    Command(
        "diary.search",
        "Search the diary",
        "Opens Search, limited to diary entries.",
        GROUP,
        "diary",
        keys=("/",),
        menu="/",
        footer="search",
        words="find",
    ),
    Command(
        "diary.hints",
        "Follow a link",
        "Puts a letter on every link in sight; typing it follows the link.",
        GROUP,
        "diary",
        keys=("f",),
        footer="link",
        words="open page session",
    ),
    *(
        Command(
            f"diary.{name}",
            f"{title} in the calendar",
            f"Moves {title.lower()} in the calendar.",
            GROUP,
            "diary.calendar",
            keys=keys,
            palette=False,
        )
        for name, title, keys in (
            ("left", "A day back", ("left",)),
            ("right", "A day on", ("right",)),
            ("up", "A week back", ("up", "k")),
            ("down", "A week on", ("down", "j")),
        )
    ),
)
