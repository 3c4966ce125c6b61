from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.model.evidence import find_quote, parse_reference, parse_resource, resource


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("memex:sess-abc#12", ("sess-abc", 12)),
        ("memex:sess-abc", ("sess-abc", 0)),
        (" memex:2026.11_x#1 ", ("2026.11_x", 1)),
        ("memex:sess-abc#0", None),
        ("memex:sess-abc#", None),
        ("memex:sess-abc#x", None),
        ("memex:../etc#1", None),
        ("memex:-x#1", None),
        ("memex:" + "a" * 129, None),
        ("https://example.org/#1", None),
        ("notes/a.md", None),
        ("", None),
    ],
)
def test_parse_resource(text: str, found: tuple[str, int] | None) -> None:
    assert parse_resource(text) == found


@given(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", fullmatch=True), st.integers(0, 999_999))
def test_a_resource_is_read_as_written(session: str, turn: int) -> None:
    assert parse_resource(resource(session, turn)) == (session, turn)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sess-abc#12", ("sess-abc", 12, "evidence")),
        ("sess-abc#12:context", ("sess-abc", 12, "context")),
        ("memex:sess-abc#12:evidence", ("sess-abc", 12, "evidence")),
        ("sess-abc", ("sess-abc", 0, "evidence")),
        ("sess-abc#12:proof", None),
        ("sess-abc#0", None),
        ("#3", None),
    ],
)
def test_parse_reference(text: str, found: tuple[str, int, str] | None) -> None:
    assert parse_reference(text) == found


def test_a_quote_is_found_over_line_ends_and_blanks() -> None:
    said = "Please\n  use ruff,\tnever flake8.\r\nThanks"
    assert find_quote("use ruff, never flake8", said)
    assert find_quote("use   ruff,\nnever", said)
    assert find_quote("cafe\u0301", "the café")


@pytest.mark.parametrize(
    ("quote", "said", "found"),
    [
        ("use flake8", "I refuse flake8", False),
        ("use flake8", "I refuse flake8, so use flake8.", True),
        ("costs 12", "It costs 120", False),
        ("costs 12", "It costs 12 or 120", True),
        ("ruff", "(ruff)", True),
        ("http_client", "self.http_client_v2", True),
        ("使用", "请使用这个", True),
        ("été", "l'été dernier", True),
    ],
)
def test_a_quote_is_of_whole_words(quote: str, said: str, found: bool) -> None:
    assert find_quote(quote, said) is found


def test_a_quote_must_be_exact_otherwise() -> None:
    said = "use ruff, never flake8"
    assert not find_quote("use Ruff", said)
    assert not find_quote("use ruff never flake8", said)
    assert not find_quote("always use ruff", said)
    assert not find_quote("", said)
    assert not find_quote(" \n", said)
