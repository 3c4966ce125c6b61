"""Entries come and go; every other byte of the file stays."""

from __future__ import annotations

import pytest

from memex_core.learn.extract_rules.document import entry_of, read
from memex_core.learn.extract_rules.editing import with_entry, without_entry
from memex_core.model.errors import Refused

FILE = b"""# head

[[never]]  # first
pattern = 'a'

# about the topic
[[avoid]]
topic = "salaries"

[[never]]
pattern = "b\\\\d"
note = "n"
"""


def id_of(said: str) -> str:
    return next(one.id for one in read(FILE, "f")[0] if one.said == said)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_an_entry_goes_alone(newline: bytes) -> None:
    data = FILE.replace(b"\n", newline)
    first = without_entry(data, id_of("a"), "f")
    assert first == FILE.replace(b"[[never]]  # first\npattern = 'a'\n\n", b"").replace(b"\n", newline)
    middle = without_entry(data, id_of("salaries"), "f")
    assert middle == FILE.replace(b'[[avoid]]\ntopic = "salaries"\n', b"").replace(b"\n", newline)
    last = without_entry(data, id_of("b\\d"), "f")
    assert last == FILE.replace(b'[[never]]\npattern = "b\\\\d"\nnote = "n"\n', b"").replace(b"\n", newline)
    assert without_entry(data, "never.00000000", "f") == data
    assert without_entry(data, "nonsense", "f") == data


def test_an_entry_comes_last_and_reads_back() -> None:
    entry = entry_of("never", 'it\'s "\\d"', project="my shop", flags="si", scope="text", note="a\tb")
    data = with_entry(FILE, entry, "f")
    assert data.startswith(FILE + b"\n[[never]]\n")
    assert entry in read(data, "f")[0]
    assert with_entry(b"x = 1", entry_of("avoid", "ab"), "f") == b'x = 1\n\n[[avoid]]\ntopic = "ab"\n'


def test_what_cannot_be_done_line_by_line_is_refused() -> None:
    data = b"never = [{pattern = 'a'}]\n"
    with pytest.raises(Refused, match="line by line"):
        without_entry(data, entry_of("never", "a").id, "f")
    with pytest.raises(Refused, match="line by line"):
        with_entry(data, entry_of("never", "b"), "f")
