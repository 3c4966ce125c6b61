import json
from pathlib import Path

from memex_core import Memex
from memex_core.files.layout import open_layout
from memex_core.files.scan import scan
from memex_core.index.analyse import Analyser
from memex_core.index.entries import ENTRY_COLUMNS, make


def _rows(root: Path) -> dict[str, dict[str, object]]:
    layout = open_layout(str(root))
    entries = make(layout, scan(layout).pages.values(), Analyser())
    return {
        row["path"]: row for row in (dict(zip(ENTRY_COLUMNS, entry[0], strict=True)) for entry in entries)
    }


def test_front_matter_without_columns_of_its_own_is_kept_as_compact_json(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        '---\ntitle: A\ntags: [x]\nmood: "a \\"b\\" é\\n"\nempty:\nlist: [one, {two: 3}]\nmap: {k: v}\n---\n'
    )
    (tmp_path / "b.md").write_text("---\ntitle: B\ntags: [x, Wide Y]\n---\n")
    rows = _rows(tmp_path)
    kept = {"mood": 'a "b" é\n', "empty": None, "list": ["one", {"two": "3"}], "map": {"k": "v"}}
    assert rows["a.md"]["front"] == json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    assert rows["b.md"]["front"] == ""
    assert rows["b.md"]["tags"] == '["x","Wide Y"]'
    assert rows["b.md"]["aliases"] == ""


def test_front_matter_of_no_letters_is_searched(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nmood: 👮‍♂️\nway: é→ü\nkey: a1-b2\n---\nx\n")
    with Memex(str(tmp_path)) as memex:
        found = {
            query: [hit["slug"] for hit in memex.recall(query)["hits"]] for query in ("👮‍♂️", "→", "a1-b2")
        }
    assert found == {"👮‍♂️": ["a"], "→": ["a"], "a1-b2": []}


def test_front_matter_nested_too_deep_is_a_problem_of_its_page_only(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("---\nmood: calm\n---\nText.\n")
    for depth in (200, 600, 900):
        nested = '{"k":' * depth + '"v"' + "}" * depth
        (tmp_path / f"deep{depth}.md").write_text(f"---\n{nested}\n---\nText.\n")
    rows = _rows(tmp_path)
    assert len(rows) == 4
    assert rows["good.md"]["problems"] == ""
    assert "cannot be parsed (RecursionError)" in str(rows["deep900.md"]["problems"])
    assert rows["deep900.md"]["digest"] == ""


def test_a_page_without_dates_has_those_of_its_file(tmp_path: Path) -> None:
    import os

    (tmp_path / "a.md").write_text("Text.\n")
    (tmp_path / "b.md").write_text("---\nupdated: 2024-03-03T10:00:00Z\n---\n")
    (tmp_path / "c.md").write_text("---\ncreated: 2024-03-03\n---\n")
    for name in "abc":
        os.utime(tmp_path / f"{name}.md", (1_700_000_000, 1_700_000_000))
    rows = _rows(tmp_path)
    stamps = {path: (row["created"], row["updated"]) for path, row in rows.items()}
    assert stamps == {
        "a.md": ("2023-11-14T22:13:20Z", "2023-11-14T22:13:20Z"),
        "b.md": ("2023-11-14T22:13:20Z", "2024-03-03T10:00:00Z"),
        "c.md": ("2024-03-03", "2023-11-14T22:13:20Z"),
    }
