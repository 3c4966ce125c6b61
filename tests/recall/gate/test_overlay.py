"""``rules/gate.toml`` as it may be: sound, odd, damaged. Damaged means: built-in rules, and a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.files.layout import Layout, create_store
from memex_core.recall.gate import decide, load
from memex_core.recall.gate.overlay import Overlay, pattern_of, read
from memex_core.recall.gate.rules import KNOWN, file_of

GOOD = """\
# mine
[rules]
disable = ["memory.en.again"]

[thresholds]
ack_max_tokens = 3
drift_overlap = 0.2

[words]
ack = ["roger"]

[words.disable]
continue = ["more"]

[[pattern]]
intent = "memory"
source = '\\brunbook\\b'
flags = "i"
note = "what to do"

[[pattern]]
intent = "ack"
source = "^roger"
"""


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def of(text: str | bytes) -> Overlay:
    return read(text.encode() if isinstance(text, str) else text, "gate.toml", KNOWN)


def put(layout: Layout, data: str | bytes) -> None:
    path = Path(file_of(layout))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)


def test_a_sound_file() -> None:
    found = of(GOOD)
    assert (found.problems, found.warnings) == ([], [])
    assert found.disable == ["memory.en.again"]
    assert found.thresholds == {"ack_max_tokens": 3, "drift_overlap": 0.2}
    assert found.words == {"ack": ["roger"]}
    assert found.words_disabled == {"continue": ["more"]}
    assert [(one.intent, one.source, one.flags) for one in found.patterns] == [
        ("memory", r"\brunbook\b", "i"),
        ("ack", "^roger", ""),
    ]


def test_windows_line_ends_and_a_bom_change_nothing() -> None:
    found = of(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert (found.problems, found.warnings, len(found.patterns)) == ([], [], 2)


def test_an_id_follows_from_what_the_rule_says() -> None:
    one = pattern_of("memory", "runbook", "is", "a note")
    assert one.id == pattern_of("memory", "runbook", "si", "another").id
    assert one.id.startswith("user.memory.")
    for other in (
        pattern_of("ack", "runbook", "is"),
        pattern_of("memory", "runbooks", "is"),
        pattern_of("memory", "runbook", "i"),
    ):
        assert other.id != one.id
    assert pattern_of("ack", "runbook", "is").hash == one.hash


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("[rules\n", 1, "Expected ']'"),
        ("a = 1\n[thresholds]\nack_max_tokens = = 3\n", 3, "Invalid value"),
        ("[thresholds]\n\nack_max_tokens = -1\n", 3, "between 0 and 1000"),
        ('[thresholds]\nack_max_tokens = "3"\n', 2, "whole number"),
        ("[thresholds]\nack_max_tokens = 2.5\n", 2, "whole number"),
        ("[thresholds]\ndrift_overlap = 1.5\n", 2, "between 0 and 1"),
        (f"[thresholds]\nack_max_tokens = {'9' * 400}\n", 2, "between 0 and 1000"),
        ("[thresholds]\ndrift_overlap = nan\n", 2, "between 0 and 1"),
        ("[thresholds]\nack_max_tokens = inf\n", 2, "whole number"),
        ("[thresholds]\nack_max_tokens = true\n", 2, "whole number"),
        ('# x\n[rules]\ndisable = "memory.en.again"\n', 3, "list of texts"),
        ("[rules]\ndisable = [1]\n", 2, "list of texts"),
        ('[words]\nack = ["ok", ""]\n', 2, "list of texts"),
        ("rules = 3\n", 1, "must be a table"),
        ('[pattern]\nintent = "ack"\n', 1, "two brackets"),
        ('[[pattern]]\nintent = "ack"\nsource = "(a"\n', 3, "no regular expression"),
        ('[[pattern]]\nintent = "nod"\nsource = "a"\n', 2, "none of memory"),
        ('[[pattern]]\nintent = "ack"\nsource = "a"\nflags = "ix"\n', 4, "only i and s"),
        ('[[pattern]]\nintent = "ack"\nsource = 3\n', 1, "must be texts"),
        ('[[pattern]]\nintent = "ack"\n', 1, "pattern is empty"),
        (f'[[pattern]]\nintent = "ack"\nsource = "{"a" * 201}"\n', 3, "200 are allowed"),
        (b'[words]\nack = ["\xff"]\n', 2, "not UTF-8"),
    ],
)
def test_one_error_makes_the_file_inapplicable_and_is_named(
    layout: Layout, text: str | bytes, line: int, why: str
) -> None:
    put(layout, text)
    rules = load(layout)
    assert rules.problems
    problem = rules.problems[0]
    assert (problem.severity, problem.file, problem.line) == ("error", file_of(layout), line)
    assert why in problem.message
    assert str(problem).startswith(f"{file_of(layout)}, line {line}: ")
    assert "\n" not in str(problem)
    assert not rules.changed
    assert decide("remind me of the port", rules).reason == "memory"


@pytest.mark.parametrize(
    ("source", "why"),
    [("a*", "fits everything"), ("(?<=a*)b", "fixed-width")],
)
def test_what_only_compiling_finds_out_is_refused_where_there_is_time(source: str, why: str) -> None:
    text = f"[[pattern]]\nsource = 'x'\nintent = 'ack'\n\n[[pattern]]\nintent = 'ack'\nsource = '{source}'\n"
    (problem,) = of(text).problems
    assert (problem.line, why in problem.message) == (7, True)
    assert read(text.encode(), "gate.toml", KNOWN, tried=False).problems == []


def test_hostile_expressions_are_not_compiled_for_a_prompt(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder from elsewhere may hold rules that take seconds to compile."""
    import re

    source = "[" + "".join(f"{chr(97 + n % 26)}-\uffff" for n in range(60)) + "]x"
    put(
        layout,
        "".join(f"[[pattern]]\nintent = 'ack'\nsource = '{source}{n}'\nflags = 'i'\n" for n in range(50)),
    )
    compiled: list[object] = []
    compile_ = re.compile
    monkeypatch.setattr(re, "compile", lambda *args: compiled.append(args) or compile_(*args))
    assert len(load(layout).patterns) == 50
    assert not [args for args in compiled if "uffff" in repr(args)]


def test_what_else_the_file_says_is_not_applied_either(layout: Layout) -> None:
    put(layout, GOOD + '\n[[pattern]]\nintent = "ack"\nsource = "("\n')
    rules = load(layout)
    assert [problem.line for problem in rules.problems] == [27]
    assert rules.thresholds["ack_max_tokens"] == 4
    assert rules.patterns == []
    assert decide("what was its name again?", rules).reason == "memory"


def test_too_many_patterns_are_refused() -> None:
    found = of("".join(f'[[pattern]]\nintent = "ack"\nsource = "a{n}"\n' for n in range(65)))
    assert [problem.message for problem in found.problems] == ["65 patterns, 64 are allowed"]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("x = 1\n", 1, "'x'"),
        ("[rules]\nenable = []\n", 2, "[rules] enable"),
        ("[thresholds]\nack_tokens = 3\n", 2, "[thresholds] ack_tokens"),
        ("[words]\nyes = []\n", 2, "[words] yes"),
        ('[rules]\ndisable = [\n  "memory.en.agian",\n]\n', 3, "'memory.en.agian'"),
        ('[[pattern]]\nintent = "ack"\nsource = "a"\nwhy = "b"\n', 4, "'why'"),
        (
            '[[pattern]]\nintent = "ack"\nsource = "a"\n[[pattern]]\nintent = "ack"\nsource = "a"\n',
            4,
            "same pattern",
        ),
    ],
)
def test_what_the_gate_does_not_know_is_warned_about(text: str, line: int, what: str) -> None:
    found = of(text)
    assert found.problems == []
    assert [(one.severity, one.line) for one in found.warnings] == [("warning", line)]
    assert what in found.warnings[0].message


def test_deep_nesting_is_a_problem_and_no_crash() -> None:
    found = of("x = " + "[" * 5000 + "]" * 5000)
    assert len(found.problems) == 1


def test_no_file_and_a_folder_in_its_place(layout: Layout) -> None:
    assert (load(layout).problems, load(layout).revision) == ((), "")
    Path(file_of(layout)).mkdir(parents=True)
    rules = load(layout)
    assert "cannot be read" in rules.problems[0].message
    assert decide("remind me of the port", rules).reason == "memory"


def test_an_empty_file_says_nothing(layout: Layout) -> None:
    put(layout, "")
    rules = load(layout)
    assert (rules.problems, rules.changed) == ((), False)
    assert rules.revision


def test_built_in_rules_load_nothing_heavy(layout: Layout) -> None:
    """A prompt hook pays for the parser and the process only where there are own rules."""
    import subprocess
    import sys

    code = (
        "import sys\n"
        "from memex_core.files.layout import open_layout\n"
        "from memex_core.recall.gate import decide, load\n"
        f"decide('what did we decide?', load(open_layout({layout.root!r})))\n"
        "heavy = {'tomllib', 'subprocess', 'threading', 'json', 'dataclasses', 'inspect', 'pathlib', 'hashlib'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
