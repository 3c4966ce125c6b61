"""Shell text cut into commands."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memex_core.model.commands import shell
from memex_core.model.commands.shell import Command, Unreadable, simple_commands


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ls -la 'a b' \"c d\" e\\ f", [["ls", "-la", "a b", "c d", "e f"]]),
        ("a | b && c || d; e & f\ng", [[one] for one in "abcdefg"]),
        ("cd x \\\n  && ls", [["cd", "x"], ["ls"]]),
        ('echo "x $(curl y) z"', [["curl", "y"], ["echo", "x $() z"]]),
        ("echo `curl x`", [["curl", "x"], ["echo", "$()"]]),
        ("(cd x; (wget y))", [["cd", "x"], ["wget", "y"]]),
        ("echo $((1 + 2)) ${A:-b}", [["echo", "$((1 + 2))", "${A:-b}"]]),
        ("ls # curl x\npwd", [["ls"], ["pwd"]]),
        ("echo a#b", [["echo", "a#b"]]),
        ("case $a in b) ls;; esac", [["case", "$a", "in", "b"], ["ls"], ["esac"]]),
        ("", []),
    ],
)
def test_words(text: str, words: list[list[str]]) -> None:
    assert [command.words for command in simple_commands(text)] == words


@given(st.text(' \t\r\n#!~{}[]=:,.-1aZ_;&é\x0b"', max_size=12))
@example("ls -la ~/x {a,b} A=1 #")
@example("  \t")
def test_plain_words_read_at_once_are_what_reading_piece_by_piece_gives(text: str) -> None:
    def read() -> list[Command] | str:
        try:
            return simple_commands(text)
        except Unreadable as error:
            return str(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shell, "_EASY", lambda text: None)
        slowly = read()
    assert read() == slowly


def test_what_a_command_is_redirected_from_and_to() -> None:
    assert simple_commands("sort < a.txt > b.txt 2>&1 2>>log") == [
        Command(["sort"], ["a.txt", "b.txt", "log"])
    ]


def test_what_a_command_is_fed() -> None:
    text = "cat <<A <<'B' > f; ls\n1\nA\n$(wget x)\nB\nbash <<< 'pwd'"
    assert simple_commands(text) == [
        Command(["cat"], ["f"], "1\n$(wget x)\n"),
        Command(["ls"], []),
        Command(["bash"], [], "pwd\n"),
    ]
    assert simple_commands("cat <<A\n$(wget x)\nA") == [
        Command(["cat"], [], "$(wget x)\n"),
        Command(["wget", "x"], []),
    ]


@pytest.mark.parametrize("text", ["echo 'a", 'echo "a', "echo $(ls", "echo `ls", "$(" * 30])
def test_what_no_shell_would_read(text: str) -> None:
    with pytest.raises(Unreadable):
        simple_commands(text)
