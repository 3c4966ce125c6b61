"""The list of sentences names tests that are there, and every test of the contract stands in it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
OWN = {"test_readme.py", "test_cli.py", "test_opened.py"}


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {f"{path.stem.removeprefix('test_')}::{name}" for name in names if name.startswith("test_")}


def test_the_list_and_the_tests_agree() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+::test_\w+)`", text))
    there = {path.name: names_in(path) for path in HERE.glob("test_*.py")}
    assert named - set().union(*there.values()) == set()
    wanted = set().union(*(names for file, names in there.items() if file not in OWN))
    assert wanted - named == set()
