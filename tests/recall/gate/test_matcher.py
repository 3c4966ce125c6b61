"""Own expressions run with a limit on their work, and blame falls on who deserves it or on nobody."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from memex_core.recall.gate import matcher as module
from memex_core.recall.gate.matcher import Expression, Matched, Matcher
from memex_core.recall.gate.overlay import pattern_of
from memex_core.recall.gate.probe import too_slow

LONG_WAIT = 300.0  # seconds; what is awaited here takes none
BOMB = Expression("bomb", "(a+)+$", 0)
FOO = Expression("foo", "foo", re.IGNORECASE)
BAR = Expression("bar", "b.r", re.DOTALL)
EXPLODES = "a" * 200 + "!"


def patient() -> Matcher:
    return Matcher(patience=LONG_WAIT)


def test_what_fits_is_named() -> None:
    with patient() as matcher:
        found = matcher.match([FOO, BAR, Expression("no", "xyz", 0)], "FOO b\nr")
        assert found.ids == ("foo", "bar")
        assert (found.culprit, found.unavailable) == ("", "")
        assert matcher.match([FOO], "nothing").ids == ()
        assert matcher.match([FOO], "\ud800 foo \0").ids == ("foo",)
        assert matcher.match([FOO], "x" * 100_000 + "foo").ids == ("foo",)


def test_no_expressions_start_no_process() -> None:
    with patient() as matcher:
        assert matcher.match([], "anything") == Matched()
        assert not matcher.started


def test_the_one_that_explodes_is_named_and_those_before_it_count() -> None:
    with patient() as matcher:
        found = matcher.match([FOO, BOMB, BAR], f"foo bar {EXPLODES}")
        assert found.culprit == "bomb"
        assert found.ids == ("foo",)
        assert found.unavailable == ""
        assert matcher.match([FOO, BAR], f"foo bar {EXPLODES}").ids == ("foo", "bar")


@pytest.mark.parametrize(
    "source",
    ["(a|a)+$", "(a|aa)+$", "(.*a){25}$", "(a?){60}a{60}$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?:a*)*b"],
)
def test_explosions_of_all_kinds_end(source: str) -> None:
    with patient() as matcher:
        assert matcher.match([Expression("x", source, 0)], EXPLODES).culprit == "x"


def test_compiling_has_a_limit_too() -> None:
    source = "[" + "".join(f"{chr(97 + n % 26)}-\uffff" for n in range(60)) + "]x"
    slow = [Expression(str(n), f"{source}{n}", re.IGNORECASE) for n in range(64)]
    with patient() as matcher:
        found = matcher.match([FOO, *slow], "foo")
        assert found.culprit in {one.id for one in slow}
        assert matcher.match([FOO], "foo").ids == ("foo",)


def test_what_cannot_be_compiled_fits_nothing() -> None:
    with patient() as matcher:
        assert matcher.match([Expression("x", "(?<=a*)b", 0), FOO], "foo b").ids == ("foo",)


def test_a_process_that_is_killed_proves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "dies.py"
    script.write_text(
        "import os, signal, sys, marshal\n"
        "number, *_ = marshal.load(sys.stdin.buffer)\n"
        "os.write(1, f'{number} s 0\\n'.encode())\n"
        f"os.kill(os.getpid(), {int(signal.SIGKILL)})\n"
    )
    monkeypatch.setattr(module, "_SCRIPT", str(script))
    with patient() as matcher:
        found = matcher.match([FOO], "foo")
        assert (found.culprit, found.ids) == ("", ())
        assert "did not answer" in found.unavailable
        assert matcher.match([FOO], "foo").unavailable == found.unavailable


def test_a_busy_machine_proves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The process waits and works at nothing: the clock ends it, and no expression is blamed."""
    script = tmp_path / "waits.py"
    script.write_text(
        "import os, sys, marshal\n"
        "number, *_ = marshal.load(sys.stdin.buffer)\n"
        "os.write(1, f'{number} s 0\\n'.encode())\n"
        "sys.stdin.buffer.read()\n"
    )
    monkeypatch.setattr(module, "_SCRIPT", str(script))
    with Matcher(patience=0.2) as matcher:
        found = matcher.match([FOO], "foo")
    assert found.culprit == ""
    assert "in time" in found.unavailable


def test_no_python_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with patient() as matcher:
        assert "failed" in matcher.match([FOO], "foo").unavailable


def test_old_answers_are_not_taken_for_new_ones() -> None:
    with patient() as matcher:
        for number in range(20):
            text = "foo" if number % 2 else "bar"
            assert matcher.match([FOO, BAR], text).ids == (text,)


@pytest.mark.parametrize("source", ["(a+)+$", "(x+x+)+y", r"(\w+\s?)+:", "(好|好好)+$"])
def test_a_new_expression_that_explodes_is_found_out(source: str) -> None:
    assert "300 ms" in too_slow(pattern_of("memory", source))


@pytest.mark.parametrize("source", ["runbook", r"\bADR-\d+", "why .{0,40} not", "(?:foo|bar)s?"])
def test_a_sound_expression_is_not(source: str) -> None:
    assert too_slow(pattern_of("memory", source)) == ""
