"""An import may only go down the floors of the house; a cycle or an arrow that runs up fails here."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FLOORS = [
    {"model"},
    {"files"},
    {"index"},
    {"recall"},
    {"learn", "harness"},
    {"care"},
    {"actions"},
    {"facade"},
    {"memex"},
    {"tui"},
    {"mcp", "wikimem"},
    {"cli"},  # the one face that starts others: the app on a terminal, the server for an agent
]
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}


def room_of(module: str) -> str | None:
    parts = module.split(".")
    if parts[0] == "memex_tui":
        return "tui"
    if parts[0] != "memex_core" or len(parts) == 1:
        return None
    return parts[1]


def sources() -> list[Path]:
    return sorted([*ROOT.glob("memex_core/**/*.py"), *ROOT.glob("memex_tui/**/*.py")])


def imports(path: Path) -> list[tuple[str, int]]:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = module.split(".")[: -node.level]
                found.append((".".join([*base, node.module or ""]).rstrip("."), node.lineno))
            elif node.module == "memex_core":
                found += [(f"memex_core.{alias.name}", node.lineno) for alias in node.names]
            elif node.module:
                found.append((node.module, node.lineno))
                if node.module.count(".") == 0:
                    found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


def test_every_import_goes_down() -> None:
    wrong = []
    for path in sources():
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        here = room_of(module)
        if here is None:
            continue
        for target, line in imports(path):
            there = room_of(target)
            if there is None or there == here or there not in LEVEL:
                continue
            if LEVEL[there] >= LEVEL[here]:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {here} imports {there}")
    assert not wrong, "\n".join(wrong)


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(".".join(p.relative_to(ROOT).with_suffix("").parts)) for p in sources()}
    assert rooms - {None, "__init__"} <= set(LEVEL)


def test_the_check_sees_an_arrow_that_runs_up(tmp_path: Path) -> None:
    """The reader of imports finds them wherever they stand, also inside functions."""
    path = ROOT / "memex_core" / "model" / "page.py"
    text = path.read_text() + "\n\ndef f():\n    from memex_core.files import atomic\n"
    tree = ast.parse(text)
    names = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert "memex_core.files" in names
    assert LEVEL["files"] > LEVEL["model"]


SQL = re.compile(r"\b(SELECT\b[\s\S]+?\bFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|PRAGMA)\b")
ASKING = {"execute", "executemany", "executescript", "cursor", "commit", "rollback"}


def database_work(source: str) -> list[str]:
    """Statements in texts, and calls that only a database connection has (``PRAGMA`` and the like)."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value):
            found.append(f"{node.lineno}: {node.value[:40]!r}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ASKING:
            found.append(f"{node.lineno}: {node.func.attr}()")
    return found


def test_the_app_knows_no_tables() -> None:
    """What the app wants to know of the index it asks the core for, by a function with a name."""
    apps = sorted(ROOT.glob("memex_tui/**/*.py"))
    wrong = [
        f"{path.relative_to(ROOT)}:{line}" for path in apps for line in database_work(path.read_text("utf-8"))
    ]
    assert len(apps) > 80
    assert not wrong, "\n".join(wrong)


def test_the_check_sees_sql_however_it_is_written() -> None:
    assert database_work('q = ("SELECT a "\n  "FROM t")')
    assert database_work('q = f"SELECT {x} FROM t"\nindex.db.execute(q)') == ["2: execute()"]
    assert database_work('"Select text, from a to b"') == []


def test_no_module_hides_behind_a_vague_name() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert not [p for p in sources() if p.stem in vague or vague & set(p.parts)]


def test_modules_stay_readable() -> None:
    long = {str(p.relative_to(ROOT)): n for p in sources() if (n := p.read_text().count("\n")) > 420}
    assert not long


@pytest.mark.parametrize(
    "module", ["memex_core", "memex_core.memex", "memex_core.cli", "memex_core.recall.recall"]
)
def test_importing_the_core_stays_light(module: str) -> None:
    heavy = {"textual", "rich", "openai", "mcp", "watchfiles", "numpy", "yaml"}
    code = f"import sys, {module}; print(sorted(set(sys.modules) & {heavy!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
