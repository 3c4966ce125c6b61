"""Changes to the text of the rules: what a person wrote around them stays to the byte."""

from __future__ import annotations

import tomllib

import pytest

from memex_core.model.errors import Damaged, Refused
from memex_core.recall.gate import editing
from memex_core.recall.gate.overlay import pattern_of, read

MINE = """\
# my rules          two  spaces

[rules]   # off
disable = [
    # the first of them
    "memory.en.again",   # too eager
    'memory.zh.again',
]

[thresholds]
ack_max_tokens = 3     # three

[[pattern]]
note = "b"
intent   =   "memory"
source = 'run\\s?book'
"""


def test_a_pattern_goes_to_the_end() -> None:
    pattern = pattern_of("trace", r"\bADR-\d+", "i", 'say "why"')
    after = editing.with_pattern(MINE.encode(), pattern, "gate.toml").decode()
    assert after == (
        MINE
        + '\n[[pattern]]\nintent = "trace"\nsource = \'\\bADR-\\d+\'\nflags = "i"\nnote = \'say "why"\'\n'
    )
    assert read(after.encode(), "gate.toml").patterns[-1] == pattern


@pytest.mark.parametrize("source", ["it's", "a'\"b\\c", "tab\there", "名前", "\\u00e9", "'''", '"""', "\x7f"])
def test_any_source_is_read_back_as_given(source: str) -> None:
    pattern = pattern_of("ack", source, "", "x\u2028y")
    after = editing.with_pattern(b"", pattern, "gate.toml")
    assert tomllib.loads(after.decode())["pattern"] == [
        {"intent": "ack", "source": source, "note": "x\u2028y"}
    ]


def test_an_id_is_put_behind_the_last_one_on_a_line_of_its_own() -> None:
    after = editing.with_disabled(MINE.encode(), "ack.ko.words", "gate.toml").decode()
    assert after == MINE.replace("'memory.zh.again',", "'memory.zh.again',\n    \"ack.ko.words\",")
    assert editing.with_disabled(after.encode(), "ack.ko.words", "gate.toml").decode() == after


@pytest.mark.parametrize(
    ("id", "before", "after"),
    [
        ("memory.zh.again", "    'memory.zh.again',\n", ""),
        ("memory.en.again", '    "memory.en.again",   # too eager\n', "    # too eager\n"),
    ],
)
def test_an_id_is_taken_out_and_remarks_stay(id: str, before: str, after: str) -> None:
    assert editing.without_disabled(MINE.encode(), id, "gate.toml").decode() == MINE.replace(before, after)


@pytest.mark.parametrize(
    ("before", "id", "after"),
    [
        ('disable = ["a", "b", "c"]', "a", 'disable = ["b", "c"]'),
        ('disable = ["a", "b", "c"]', "b", 'disable = ["a", "c"]'),
        ('disable = ["a", "b", "c"]', "c", 'disable = ["a", "b"]'),
        ('disable = ["a"]', "a", "disable = []"),
        ('disable = [ "a", ]', "a", "disable = [ ]"),
        ('disable = ["a"]  # x', "z", 'disable = ["a"]  # x'),
        ('disable = ["a]", "b"]', "b", 'disable = ["a]"]'),
    ],
)
def test_lists_on_one_line(before: str, id: str, after: str) -> None:
    text = f"[rules]\n{before}\n"
    assert editing.without_disabled(text.encode(), id, "gate.toml").decode() == f"[rules]\n{after}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[rules]\ndisable = []\n", '[rules]\ndisable = ["z"]\n'),
        ('[rules]\ndisable = ["a"]\n', '[rules]\ndisable = ["a", "z"]\n'),
        ('[rules]\ndisable = ["a", ]\n', '[rules]\ndisable = ["a", "z", ]\n'),
        ("", '[rules]\ndisable = ["z"]\n'),
        ("# x", '# x\n\n[rules]\ndisable = ["z"]\n'),
        ("[words]\nack = []\n", '[words]\nack = []\n\n[rules]\ndisable = ["z"]\n'),
    ],
)
def test_the_list_is_made_and_filled(before: str, after: str) -> None:
    assert editing.with_disabled(before.encode(), "z", "gate.toml").decode() == after


def test_thresholds_are_set_and_given_back() -> None:
    after = editing.with_threshold(MINE.encode(), "ack_max_tokens", 5, "gate.toml").decode()
    assert after == MINE.replace("ack_max_tokens = 3     # three", "ack_max_tokens = 5     # three")
    after = editing.with_threshold(MINE.encode(), "drift_overlap", 0.5, "gate.toml").decode()
    assert after == MINE.replace("# three\n", "# three\ndrift_overlap = 0.5\n")
    assert editing.with_threshold(b"", "drift_overlap", None, "gate.toml") == b""


def test_windows_line_ends_stay() -> None:
    data = MINE.replace("\n", "\r\n").encode()
    for after in (
        editing.with_disabled(data, "z", "gate.toml"),
        editing.without_disabled(data, "memory.en.again", "gate.toml"),
        editing.with_pattern(data, pattern_of("ack", "x"), "gate.toml"),
    ):
        assert after.count(b"\n") == after.count(b"\r\n")
        assert after != data


@pytest.mark.parametrize("text", ['rules = {disable = ["a"]}\n', 'rules.disable = ["a"]\n'])
def test_what_cannot_be_changed_line_by_line_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="line by line"):
        editing.with_disabled(text.encode(), "z", "gate.toml")


def test_an_inline_list_of_patterns_is_refused() -> None:
    with pytest.raises(Refused):
        editing.with_pattern(
            b'pattern = [{intent = "ack", source = "x"}]\n', pattern_of("ack", "y"), "gate.toml"
        )


def test_a_damaged_file_is_not_touched() -> None:
    with pytest.raises(Damaged, match=r"gate\.toml, line 1"):
        editing.with_disabled(b"[rules\n", "z", "gate.toml")
