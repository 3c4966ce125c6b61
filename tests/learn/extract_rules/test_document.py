"""Reading ``rules/extract.toml``: what it says, and a line for everything that it must not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.files.layout import Layout, create_store
from memex_core.learn.extract_rules import DOCUMENT, load, prompt_clause
from memex_core.learn.extract_rules.document import LARGEST, entry_of, read

GOOD = b"""# mine
[[never]]
pattern = 'ACME-\\d{4}'
flags = "i"
note = "customer numbers"

[[never]]
pattern = 'codename \\w+'
scope = "evidence"
project = "shop"

[[avoid]]
topic = "salaries"

[[avoid]]
topic = "health"
project = "shop"

[[hint]]
text = "from now on"

[[language]]
code = "en"

[[language]]
code = "ko"
project = "shop"
"""


def told(data: bytes) -> list[str]:
    return [str(problem) for problem in read(data, "f")[1]]


def put(layout: Layout, data: bytes) -> None:
    Path(layout.rules).mkdir(exist_ok=True)
    Path(DOCUMENT.file(layout)).write_bytes(data)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def test_what_it_says() -> None:
    entries, problems = read(GOOD, "f")
    assert problems == []
    assert [(one.kind, one.said, one.project) for one in entries] == [
        ("never", "ACME-\\d{4}", ""),
        ("never", "codename \\w+", "shop"),
        ("avoid", "salaries", ""),
        ("avoid", "health", "shop"),
        ("hint", "from now on", ""),
        ("language", "en", ""),
        ("language", "ko", "shop"),
    ]
    assert (entries[0].flags, entries[0].scope, entries[0].note) == ("i", "both", "customer numbers")
    assert entries[1].scope == "evidence"
    assert entries[0].id == entry_of("never", "ACME-\\d{4}", flags="i", note="another note").id
    assert len({one.id for one in entries}) == 7
    assert read(GOOD.replace(b"\n", b"\r\n"), "f")[0] == entries
    assert read(b"\xef\xbb\xbf" + GOOD, "f")[0] == entries


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[[nevr]]\npattern = 'x'\n", "f, line 1: 'nevr' is no kind of rule: never, avoid, hint, language"),
        (b"\n[never]\npattern = 'x'\n", "f, line 2: write [[never]] with two brackets"),
        (b"[[never]]\npatern = 'x'\n", "f, line 1: [[never]]: 'patern' is nothing that it has"),
        (b"[[never]]\nallow = 'x'\npattern='y'\n", "f, line 1: [[never]]: 'allow' is nothing that it has"),
        (b"\n\n[[never]]\npattern = ''\n", "f, line 3: the pattern is empty"),
        (b"[[never]]\npattern = 'a'\n[[never]]\npattern = 1\n", "f, line 3: [[never]]: its values must be texts"),
        (b"[[never]]\npattern = 'x*'\n", "f, line 1: the pattern fits an empty text, so it fits everything"),
        (b"[[never]]\npattern = 'x'\nscope = 'all'\n", "f, line 1: scope 'all' is none of text, evidence, both"),
        (b"[[never]]\npattern = 'x'\nflags = 'x'\n", "f, line 1: flags 'x': only i and s are allowed"),
        (b"[[avoid]]\ntopic = 'a'\n", "f, line 1: the topic must be one line of 2 to 80 characters"),
        (b'[[avoid]]\ntopic = "a\\u001b"\n', "f, line 1: the topic must be one line of 2 to 80 characters"),
        (b"[[language]]\ncode = 'Korean'\n", "f, line 1: 'Korean' is no language code such as en or ko"),
        (
            b"[[language]]\ncode = 'en'\n[[language]]\ncode = 'ko'\n",
            "f, line 3: a second language for the same place",
        ),
        (b"[[hint]]\ntext = 'ab'\n" * 17, "f: 17 entries [[hint]], 16 are allowed"),
        (b"#" * (LARGEST + 1), "f: 32,769 bytes, 32,768 are allowed"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(data: bytes, said: str) -> None:
    assert told(data)[0] == said


def test_no_toml_names_the_line() -> None:
    (problem,) = told(b"[[never]]\npattern = 'x\n")
    assert problem.startswith("f, line 2: ")


def test_what_holds_for_a_project_is_added_to_what_holds_everywhere(layout: Layout) -> None:
    put(layout, GOOD)
    rules = load(layout)
    assert [one.said for one in rules.of("never")] == ["ACME-\\d{4}"]
    assert [one.said for one in rules.of("never", "shop")] == ["ACME-\\d{4}", "codename \\w+"]
    assert [one.said for one in rules.of("never", "/home/me/Shop/")] == ["ACME-\\d{4}", "codename \\w+"]
    assert [one.said for one in rules.of("never", "workshop")] == ["ACME-\\d{4}"]
    assert (rules.language(), rules.language("shop"), rules.language("other")) == ("en", "ko", "en")


def test_a_model_is_told_topics_hints_and_language_and_no_pattern(layout: Layout) -> None:
    put(layout, GOOD)
    clause = prompt_clause(load(layout), "shop")
    assert clause.split("\n")[1:] == [
        '- Remember nothing about these topics: "salaries"; "health".',
        '- Words like these mark a decision: "from now on".',
        "- Write what is to be remembered in the language with the code ko.",
    ]
    assert "ACME" not in clause and "codename" not in clause
    assert prompt_clause(load(None)) == ""


def test_a_version_moves_with_what_is_said_only(layout: Layout) -> None:
    put(layout, GOOD)
    before = load(layout)
    put(layout, GOOD.replace(b"# mine", b"# still mine"))
    after = load(layout)
    assert before.version == after.version
    assert before.revision != after.revision
    put(layout, GOOD.replace(b"salaries", b"wages"))
    assert load(layout).version != before.version
    assert load(None).version == ""


def test_what_cannot_be_read_does_not_pass_for_no_rules(layout: Layout) -> None:
    assert load(layout).silent
    file = Path(DOCUMENT.file(layout))
    file.parent.mkdir(exist_ok=True)
    file.mkdir()
    assert [problem.message for problem in load(layout).problems] == ["cannot be read (not a regular file)"]
    file.rmdir()
    file.symlink_to(file.parent / "gone.toml")
    assert [problem.message for problem in load(layout).problems] == ["the link leads nowhere"]
    assert not load(layout).silent
