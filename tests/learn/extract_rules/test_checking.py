"""Whether a text may be stored: by scope and project, and never on a guess."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memex_core.files.layout import Layout, create_store
from memex_core.learn.extract_rules import DOCUMENT, Checker, Text, check, checking, load
from memex_core.learn.extract_rules.checking import LONGEST
from memex_core.recall.gate import quarantine


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, rules have their time to answer."""
    monkeypatch.setattr(checking, "PATIENCE", 600.0)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def put(layout: Layout, *bans: str) -> None:
    Path(layout.rules).mkdir(exist_ok=True)
    Path(DOCUMENT.file(layout)).write_text("".join(f"[[never]]\n{ban}\n" for ban in bans), encoding="utf-8")


def ids(layout: Layout, *texts: Text, project: str = "", known: tuple[Text, ...] = ()) -> list[str]:
    verdict = check(texts, load(layout), project=project, known=known)
    assert verdict.held == ""
    return [ban.said for ban in verdict.blocked]


def test_scopes_and_projects(layout: Layout) -> None:
    put(
        layout,
        "pattern = 'one'",
        "pattern = 'two'\nscope = 'text'",
        "pattern = 'three'\nscope = 'evidence'",
        "pattern = 'four'\nproject = 'shop'",
    )
    everything = "one two three four"
    assert ids(layout, Text("text", everything)) == ["one", "two"]
    assert ids(layout, Text("evidence", everything)) == ["one", "three"]
    assert ids(layout, Text("text", everything), Text("evidence", everything)) == ["one", "two", "three"]
    assert ids(layout, Text("text", everything), project="shop") == ["one", "two", "four"]
    assert ids(layout, Text("text", "ONE")) == []
    assert check([Text("text", "five")], load(layout)).ok


def test_composed_and_decomposed_letters_are_the_same(layout: Layout) -> None:
    put(layout, "pattern = 'Zoë'")
    assert ids(layout, Text("text", "ask Zoe\u0308 first")) == ["Zoë"]


def test_the_reason_names_the_rule_and_not_the_text(layout: Layout) -> None:
    put(layout, "pattern = 'ACME-\\d+'\nnote = 'customer numbers'")
    verdict = check([Text("text", "ACME-1234")], load(layout))
    assert verdict.reason == f"rule {load(layout).entries[0].id} keeps this out (customer numbers)"


def test_what_a_page_said_before_keeps_no_machine_from_the_rest(layout: Layout) -> None:
    put(layout, "pattern = 'ACME-\\d+'", "pattern = '(?s)begin.*end'")
    before = Text("text", "ACME-1 is one\nbegin\n")
    assert ids(layout, Text("text", "ACME-1 is one\nbegin\nmore"), known=(before,)) == []
    assert ids(layout, Text("text", "ACME-1 is one\nACME-2 too"), known=(before,)) == ["ACME-\\d+"]
    assert ids(layout, Text("text", "begin\nend"), known=(before,)) == ["(?s)begin.*end"]


def test_rules_that_do_not_load_hold_everything(layout: Layout) -> None:
    put(layout, "patern = 'x'")
    verdict = check([Text("text", "harmless")], load(layout))
    assert not verdict.ok
    assert "do not load" in verdict.held and "extract.toml, line 1" in verdict.held


def test_a_pattern_that_takes_too_long_is_set_aside_and_holds_everything(layout: Layout) -> None:
    put(layout, "pattern = '(a+)+$'", "pattern = 'other'")
    text = Text("text", "a" * 200 + "!")
    rules = load(layout)
    slow = rules.entries[0]
    assert check([text], rules).held == f"rule {slow.id} took too long and is set aside, so nothing passes it"
    (row,) = quarantine.read(layout, "extract")
    assert (row["id"], row["hash"], row["overlay"]) == (slow.id, slow.hash, "extract")
    assert quarantine.read(layout) == []
    assert "is set aside for taking too long" in check([Text("text", "harmless")], load(layout)).held
    assert quarantine.clear(layout, None) == []  # the gate's are others
    assert quarantine.clear(layout, slow.id, overlay="extract") == [slow.id]
    assert check([Text("text", "harmless")], load(layout)).ok


def test_an_expression_that_only_compiling_finds_broken_holds_everything(layout: Layout) -> None:
    put(layout, "pattern = '(?<=a*)b'")
    verdict = check([Text("text", "harmless")], load(layout))
    assert verdict.held == f"rule {load(layout).entries[0].id} is no regular expression, so nothing passes it"


def test_without_a_process_to_try_them_nothing_passes(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(layout, "pattern = 'x'")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with Checker(load(layout)) as checker:
        for _ in range(2):
            assert "cannot be tried" in checker.check([Text("text", "harmless")]).held
    assert quarantine.read(layout, "extract") == []


def test_a_text_too_long_to_try_does_not_pass(layout: Layout) -> None:
    put(layout, "pattern = 'x'")
    assert "too long" in check([Text("text", "a" * (LONGEST + 1))], load(layout)).held
    assert check([Text("text", "a" * LONGEST)], load(layout)).ok


def test_no_ban_starts_no_process(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert check([Text("text", "x")], load(layout)).ok
    put(layout, "pattern = 'x'\nscope = 'evidence'")
    assert check([Text("text", "x")], load(layout)).ok


@pytest.mark.parametrize(
    "disguised",
    [
        "ＡＣＭＥ-1234",
        "ＡＣＭＥ－１２３４",
        "AC\u200bME-9999",
        "AC\u00adME-9999",
        "A\u2060C\ufeffM\u200dE-99\ufe0f99",
        "ACME\u20111234",
        "ACME\u20131234",
        "ACME\u22121234",
        "ACME-\u3164\u180e1234",
    ],
)
def test_a_text_in_disguise_is_what_it_looks_like(layout: Layout, disguised: str) -> None:
    put(layout, "pattern = 'ACME-\\d{4}'")
    for scope in ("text", "evidence"):
        assert ids(layout, Text(scope, f"for {disguised} only")) == ["ACME-\\d{4}"]
    known = (Text("text", f"for {disguised} only"),)
    assert ids(layout, Text("text", f"for {disguised} only\nmore"), known=known) == []
    assert ids(layout, Text("text", "ACME 1234")) == []


def test_a_rule_about_a_disguise_still_sees_it(layout: Layout) -> None:
    put(layout, 'pattern = "\\u200b"', 'pattern = "\\u2011"')
    assert ids(layout, Text("text", "a\u200bb\u2011c")) == ["\u200b", "\u2011"]
