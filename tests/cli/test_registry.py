"""The registry is complete, and it is what the Memex class offers."""

from __future__ import annotations

import importlib
import inspect

import pytest

from memex_core.model.operations.registry import (
    COMMANDS,
    FAMILIES,
    Operation,
    command,
    every_operation,
    family,
    operation,
)

ALL = every_operation()
TYPES = {"str", "int", "float", "bool", "path", "words", "list", "items", "map"}


def named(op: Operation) -> str:
    return op.name


def test_every_command_is_listed_once_and_found() -> None:
    names = [op.name for op in ALL]
    assert len(names) == len(set(names))
    assert {name.split(" ")[0] for name in names} == set(COMMANDS)
    for op in ALL:
        assert operation(op.name) is op
        assert COMMANDS[op.name.split(" ")[0]] == op.family
        assert op in family(op.family)
    with pytest.raises(KeyError):
        operation("frobnicate")
    with pytest.raises(KeyError):
        family("nonsense")


def test_the_commands_of_the_first_core_are_there() -> None:
    pages = "init write edit show list rename move forget approve reject merge promote demote"
    more = "history revert diff purge links graph tags recall context diary completion demo"
    talk = "ingest-transcript sessions session trace clear-transcripts"
    care = "status info verify rebuild-index watch backup restore export import"
    wanted = f"{pages} {more} {talk} {care}".split()
    assert set(wanted) <= set(COMMANDS)
    diary = ["diary append", "diary show", "diary dates", "diary on-this-day"]
    assert [op.name for op in command("diary")] == diary
    assert [op.name for op in command("tags")] == ["tags", "tags merge", "tags rename"]


@pytest.mark.parametrize("op", ALL, ids=named)
def test_every_operation_and_parameter_is_explained(op: Operation) -> None:
    assert op.summary
    assert not op.summary.endswith(".")
    assert op.summary[0].islower()
    assert op.example.startswith(f"memex {op.name}")
    assert op.family in FAMILIES
    for param in op.params:
        assert param.help, f"{op.name} {param.name}"
        assert param.type in TYPES
        assert param.face in ("", "cli", "api")
        for flag in param.spellings:
            assert flag.startswith("--") or len(flag) == 2
    flags = [flag for param in op.cli_params() for flag in param.spellings]
    assert len(flags) == len(set(flags))


@pytest.mark.parametrize("op", [op for op in ALL if op.writes], ids=named)
def test_every_changing_command_can_be_tried_dry(op: Operation) -> None:
    assert any("--dry-run" in param.spellings for param in op.cli_params())


def test_what_destroys_for_good_asks_for_yes() -> None:
    asking = {op.name for op in ALL if any("--yes" in param.spellings for param in op.params)}
    assert asking == {"purge", "clear-transcripts", "gate reset", "rules reset"}
    assert all(operation(name).destroys for name in asking)


@pytest.mark.parametrize("op", [op for op in ALL if op.method], ids=named)
def test_the_operation_is_a_method_with_the_same_parameters(op: Operation) -> None:
    from memex_core.memex import Memex

    method = getattr(Memex, op.method_name)
    has = {name: value for name, value in inspect.signature(method).parameters.items() if name != "self"}
    assert set(has) == {param.name for param in op.api_params()}
    assert (inspect.getdoc(method) or "").strip()
    for param in op.api_params():
        default = has[param.name].default
        if default is inspect.Parameter.empty:
            assert param.required, f"{op.name} {param.name} has no default"
        elif not param.required:
            assert (default or None) == (param.default or None), f"{op.name} {param.name}"


@pytest.mark.parametrize("op", ALL, ids=named)
def test_every_operation_has_a_view(op: Operation) -> None:
    views = importlib.import_module(f"memex_core.cli.views.{op.family}").VIEWS
    assert op.name in views or op.name in ("info", "completion", "tui", "serve-mcp")
