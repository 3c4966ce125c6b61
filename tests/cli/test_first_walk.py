"""The README's first walk works as it stands, typed by somebody who has nothing yet."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def walk() -> list[str]:
    found = re.search(
        r"^## A first walk\n+```sh\n(.*?)^```$", README.read_text(encoding="utf-8"), re.M | re.S
    )
    assert found
    return found[1].splitlines()


def test_every_line_of_the_walk_works_and_the_last_finds_the_link_to_nothing(
    script: str, environ: dict[str, str], tmp_path: Path
) -> None:
    env = {name: value for name, value in environ.items() if not name.startswith("MEMEX_")}
    env |= {"HOME": str(tmp_path), "PATH": os.pathsep.join((os.path.dirname(script), os.environ["PATH"]))}
    *before, last = walk()
    assert len(before) > 6
    for line in before:
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, (line, done.stderr)
    done = subprocess.run(["sh", "-c", last], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "no page 'Formatting'" in done.stdout
    page = tmp_path / ".memex" / "docs" / "preferences" / "ruff-not-flake8.md"
    assert page.read_text(encoding="utf-8").endswith("Run it before a commit.\n")
