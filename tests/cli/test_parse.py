"""From words to values: options anywhere, mistakes in one line that names the nearest thing."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest

from memex_core.cli.parse import HABITS, Request, Usage, parse
from memex_core.model.operations.registry import COMMANDS, Operation, every_operation


def read(*words: str) -> Request:
    request = Request()
    parse(list(words), request)
    return request


def values(*words: str) -> dict[str, Any]:
    request = read(*words)
    return {name: request.values[name] for name in request.given}


@pytest.mark.parametrize(
    "words",
    [
        ("--root", "R", "--json", "recall", "x"),
        ("recall", "--root", "R", "x", "--json"),
        ("recall", "x", "--root=R", "--json"),
        ("--json", "recall", "x", "--root", "R"),
    ],
)
def test_global_options_stand_before_or_after(words: tuple[str, ...]) -> None:
    request = read(*words)
    assert request.operation is not None
    assert request.operation.name == "recall"
    assert (request.root, request.json, request.values["query"]) == ("R", True, "x")


def test_global_options_between_a_command_and_its_subcommand() -> None:
    request = read("diary", "--root", "append", "append", "Rain.")
    assert request.operation is not None
    assert (request.operation.name, request.root, request.values["text"]) == (
        "diary append",
        "append",
        "Rain.",
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("recall", "which", "linter"), {"query": "which linter"}),
        (("recall", "x", "-k", "3"), {"query": "x", "k": 3}),
        (("recall", "x", "-k3"), {"query": "x", "k": 3}),
        (("recall", "x", "--top-k=3"), {"query": "x", "k": 3}),
        (("recall", "-draft rust"), {"query": "-draft rust"}),
        (("recall", "--", "-draft", "--json"), {"query": "-draft --json"}),
        (("recall", "-5"), {"query": "-5"}),
        (
            ("recall", "--in", "pages,diary", "--in", "transcripts", "q"),
            {"query": "q", "kinds": ["pages", "diary", "transcripts"]},
        ),
        (("recall", "a=b", "c"), {"query": "a=b c"}),
        (
            ("write", "--type", "entity", "--title", "--x", "--body", "a,b"),
            {"type": "entity", "title": "--x", "body": "a,b"},
        ),
        (("write", "--type=entity", "--title=A=B"), {"type": "entity", "title": "A=B"}),
        (
            ("write", "--type", "t", "--title", "T", "--link", "a:x", "--link", "b", "--tags", "p, q,"),
            {"type": "t", "title": "T", "links": ["a:x", "b"], "tags": ["p", "q"]},
        ),
        (
            ("edit", "s", "--set", "a=1", "--set", "b=x=y", "--unset", "c"),
            {"slug": "s", "set": {"a": "1", "b": "x=y"}, "unset": ["c"]},
        ),
        (("approve", "a", "b", "c"), {"slugs": ["a", "b", "c"]}),
        (("diff", "s", "3", "5"), {"slug": "s", "old": 3, "new": 5}),
        (("tags",), {}),
        (("tags", "list"), {}),
        (("tags", "merge", "a", "b"), {"old": "a", "new": "b"}),
        (("watch", "--poll-interval", "0.5"), {"poll_interval": 0.5}),
    ],
)
def test_values(words: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert values(*words) == expected


def test_defaults_fill_what_is_not_given() -> None:
    request = read("recall", "x")  # what is None is for memex.toml to say
    assert request.values["no_count"] is False
    assert (request.values["k"], request.values["expand"], request.values["budget"]) == (None, None, None)
    assert request.given == {"query"}


@pytest.mark.parametrize(
    "words", [("help", "rename"), ("--help", "rename"), ("rename", "--help"), ("help", "diary", "append")]
)
def test_help_asks_for_nothing_else(words: tuple[str, ...]) -> None:
    request = read(*words)
    assert request.help and request.operation is not None


@pytest.mark.parametrize("habit", sorted(HABITS))
def test_a_word_of_habit_names_a_command_and_is_none(habit: str) -> None:
    assert habit not in COMMANDS
    assert HABITS[habit].split()[0] in COMMANDS or HABITS[habit].startswith("--")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("wirte",), "unknown command 'wirte'; did you mean write?"),
        (("qqqq",), "unknown command 'qqqq'; memex --help lists them all"),
        (("search", "x"), "unknown command 'search'; did you mean recall?"),
        (("serach", "x"), "unknown command 'serach'; did you mean recall?"),
        (("rm", "x"), "unknown command 'rm'; did you mean forget?"),
        (("recall", "x", "--typ", "y"), "memex recall has no option --typ; did you mean --type?"),
        (("--jsn", "list"), "memex has no option --jsn; did you mean --json?"),
        (
            ("diary",),
            "memex diary needs one of append, show, dates, on-this-day; memex diary --help tells more",
        ),
        (("diary", "shw"), "memex diary does not know 'shw'; did you mean show?"),
        (("show",), "memex show needs SLUG; for example: memex show ruff-linter"),
        (("show", " "), "SLUG is empty; for example: memex show ruff-linter"),
        (("show", "two", "words"), "memex show does not take 'words'; put a text of several words in quotes"),
        (("tags", "merge", "a"), "memex tags merge needs B; for example: memex tags merge py python"),
        (("backup",), "memex backup needs -o; for example: memex backup -o memory.tar.gz"),
        (("recall", "x", "-k"), "-k needs a value; -k N: at most so many hits, up to 100 (default: 10)"),
        (("recall", "x", "-k", "many"), "-k 'many' is not a whole number; for example: -k 5"),
        (("recall", "x", "-k", "nan"), "-k 'nan' is not a whole number; for example: -k 5"),
        (
            ("watch", "--poll-interval", "inf"),
            "--poll-interval 'inf' is not a number; for example: --poll-interval 5",
        ),
        (
            ("forget", "s", "--mode", "sft"),
            "--mode 'sft' is not one of hard, soft, decay, archive; did you mean soft?",
        ),
        (("recall", "--expand=yes", "x"), "--expand takes no value; write --expand alone"),
        (
            ("edit", "s", "--set", "novalue"),
            "--set 'novalue' is not KEY=VALUE; for example: --set status=stable",
        ),
        (
            ("write", "--type", "--title", "T"),
            "--type needs a value; --type TYPE: entity, preference, procedure, summary, "
            "episode or a word of yours",
        ),
        (("list", "--root"), "--root needs a folder; memex --root DIR …"),
        (("list", "--root="), "--root needs a folder; the value is empty"),
        (("recall", "caf\udce9"), "QUERY is not valid UTF-8; check the terminal's encoding"),
    ],
)
def test_a_mistake_is_one_line_with_the_next_step(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(Usage) as caught:
        read(*words)
    assert str(caught.value) == message
    assert caught.value.exit_code == 2


def test_what_came_before_a_mistake_is_kept_for_the_form_of_the_error() -> None:
    request = Request()
    with pytest.raises(Usage):
        parse(["--json", "wirte"], request)
    assert request.json


def test_a_path_may_hold_any_bytes() -> None:
    assert values("backup", "-o", "caf\udce9.tar.gz") == {"output": "caf\udce9.tar.gz"}


@pytest.mark.parametrize("op", every_operation(), ids=lambda op: op.name)
def test_the_example_of_every_command_is_a_command(op: Operation) -> None:
    line = re.split(" [<>] ", op.example)[0].replace("--body - ", "--body text ")
    words = shlex.split(line)
    assert words[0] == "memex"
    request = read(*words[1:])
    assert request.operation is op
