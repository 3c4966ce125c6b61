"""One table of failures: every code that is raised is in it, and each row says what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memex_core
from memex_core.learn.failures import TABLE, Failure, failure, holds, told
from memex_core.model.operations.registry import COMMANDS, operation

PACKAGE = Path(memex_core.__path__[0])
RAISED = re.compile(
    r"""(?:ModelFailed|AgentFailed|_hold|told|_went_wrong)\(\s*(?:window,\s*)?"([a-z]+(?:-[a-z]+)+)\""""
    r"""|(?:kind|code)(?::\s*str)?\s*=\s*"([a-z]+(?:-[a-z]+)+)\""""
    r"""|down\(message, "[^"]*", "([a-z-]+)"\)|down\(f?"[^"]*", "[^"]*", "([a-z-]+)"\)"""
)
LEARN = ["learn/chat.py", "learn/agent_cli.py", "learn/endpoint.py"]
ACTIONS = ["actions/learning/consolidating.py", "actions/learning/holding.py", "actions/learning/models.py"]


def codes() -> set[str]:
    found = set()
    for name in LEARN + ACTIONS:
        for match in RAISED.findall((PACKAGE / name).read_text(encoding="utf-8")):
            found |= set(filter(None, match))
    return found


def test_every_code_in_the_sources_is_in_the_table() -> None:
    known = {row.code for row in TABLE}
    assert codes() - known == set()
    assert len(codes()) >= 14  # the expression finds them


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.code)
def test_every_row_says_cause_impact_and_what_to_do(row: Failure) -> None:
    assert row.state in ("held", "failed", "waiting")
    assert row.cause and row.impact and row.next
    assert holds(row.code) is (row.state == "held")
    for command in re.findall(r"memex ([a-z]+(?: [a-z]+)?)", row.next):
        first = command.split()[0]
        assert first in COMMANDS
        if first in ("jobs", "models", "rules"):
            assert operation(command)


def test_codes_are_told_apart() -> None:
    assert len({row.code for row in TABLE}) == len(TABLE)


def test_of_a_code_that_is_none_nothing_is_made_up() -> None:
    row = failure("surprise")
    assert (row.code, row.cause, holds("surprise")) == ("surprise", "not known", False)


def test_the_next_command_names_the_job() -> None:
    assert told("empty-answer", "s#1")["next"] == "memex jobs retry 's#1'"
