"""Keeping the stores of several devices the same."""

from __future__ import annotations

from memex_core.model.operations.registry import DRY_RUN, Operation, Param

_BACKGROUND = Param(
    "background", "as hooks do: nothing, unless sync is on and a first export was made by hand", "bool", False
)

OPERATIONS = (
    Operation(
        "sync enable",
        "meet your other devices in a folder, or in one archive file",
        "sync",
        (
            Param(
                "target",
                "a folder that all devices reach, or a file that ends in .memexsync",
                "path",
                positional=True,
                required=True,
                metavar="DIR|FILE",
            ),
            Param("name", "what the others call this device (default: its host name)"),
            DRY_RUN,
        ),
        writes=True,
        example="memex sync enable ~/Shared/memex",
        detail=(
            "Nothing is sent anywhere: memex reads and writes the folder, and whatever you use carries it to "
            "the other devices. The archives in it are not encrypted. After your first `memex sync export` "
            "agents' hooks go on by themselves: each session's end exports what is new here, each start "
            "imports what the others told, until `memex sync disable`."
        ),
    ),
    Operation(
        "sync disable",
        "sync no more; nothing is deleted",
        "sync",
        (DRY_RUN,),
        writes=True,
        example="memex sync disable",
    ),
    Operation(
        "sync status",
        "whether sync is on, what waits, and which devices there are",
        "sync",
        (),
        example="memex sync status",
    ),
    Operation(
        "sync forget",
        "know no more of a device that is no more",
        "sync",
        (
            Param(
                "device",
                "its name or the start of its id, as `memex sync status` has it",
                "words",
                positional=True,
                required=True,
                metavar="DEVICE",
            ),
            DRY_RUN,
        ),
        writes=True,
        example="memex sync forget old-laptop",
        detail=(
            "Its archive goes from the shared folder; what came from it stays in the memory. Refused while "
            "the archive holds what is not imported here. A device that still lives is back with its next "
            "export. Each of your other devices is told by itself."
        ),
    ),
    Operation(
        "sync export",
        "write what this device has for the others",
        "sync",
        (
            Param(
                "output",
                "an archive instead of the shared place; works while sync is off",
                "path",
                None,
                positional=True,
                metavar="FILE",
            ),
            _BACKGROUND,
            DRY_RUN,
        ),
        writes=True,
        example="memex sync export",
        detail=(
            "Pages, the diary and conversations travel, and what was forgotten or purged. Pictures and other "
            "files beside the pages do not: carry them with the tool that carries the folder."
        ),
    ),
    Operation(
        "sync import",
        "take in what the other devices wrote",
        "sync",
        (
            Param(
                "source",
                "an archive, or a folder of them, instead of the shared place",
                "path",
                None,
                positional=True,
                metavar="FILE|DIR",
            ),
            _BACKGROUND,
            DRY_RUN,
        ),
        writes=True,
        creates=True,
        example="memex sync import --dry-run",
        detail=(
            "Every archive is checked whole before anything is written. A page that was changed on two "
            "devices keeps both changes where they do not touch; else the later text stays, and the other "
            "one waits in review as a conflict. What was forgotten stays forgotten, what was purged never "
            "returns."
        ),
    ),
    Operation(
        "sync alias",
        "say what the other devices call a project",
        "sync",
        (
            Param("local", "the project's name here", positional=True, required=True, metavar="LOCAL"),
            Param(
                "remote", "its name there; without it, none", "str", None, positional=True, metavar="REMOTE"
            ),
            DRY_RUN,
        ),
        writes=True,
        example="memex sync alias shop shop-web",
    ),
    Operation(
        "sync git",
        "show how git merges pages with memex; --install tells git",
        "sync",
        (
            Param(
                "install", "write .gitattributes beside the pages and the repository's config", "bool", False
            ),
            DRY_RUN,
        ),
        writes=True,
        method=False,
        example="memex sync git --install",
    ),
    Operation(
        "sync merge-driver",
        "merge two versions of a page, as git calls it",
        "sync",
        (
            Param("base", "the version that both come from (%O)", "path", positional=True, required=True),
            Param("ours", "ours; the result is left here (%A)", "path", positional=True, required=True),
            Param("theirs", "theirs (%B)", "path", positional=True, required=True),
            Param("path", "the page's name (%P)", positional=True, metavar="PATH"),
            DRY_RUN,
        ),
        writes=True,
        method=False,
        example="memex sync merge-driver %O %A %B %P",
        detail=(
            "Front matter is merged key by key, lists that are sets entry by entry, text line by line. Where "
            "both sides changed the same, marks are left in the body, never in the front matter, and the "
            "exit code is 1."
        ),
    ),
)
