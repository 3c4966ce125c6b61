"""One value of a front matter block changed, and nothing around it."""

from __future__ import annotations

import pytest

from memex_core.files.scalars import Path, replace_scalars

PAGE = b"""---\r
title: Alpha  # the first\r
links:\r
  # why these\r
  - target: Beta   # the cause\r
    rel: causes\r
  - {target: 'Beta', rel: "x"}\r
  - target: Gamma\r
supersedes: [Old one, "Beta"]\r
parent: Beta\r
---\r
Beta stays here.\r
"""


def beta(path: Path, text: str) -> str | None:
    return "Beta: two" if text == "Beta" else None


def test_only_the_values_move() -> None:
    out, done = replace_scalars(PAGE, beta)
    assert out == (
        PAGE.replace(b"target: Beta ", b'target: "Beta: two" ')
        .replace(b"'Beta'", b"'Beta: two'")
        .replace(b'one, "Beta"', b'one, "Beta: two"')
        .replace(b"parent: Beta", b'parent: "Beta: two"')
    )
    assert [(path, line) for path, line, _, _ in done] == [
        (("links", 0, "target"), 5),
        (("links", 1, "target"), 7),
        (("supersedes", 1), 9),
        (("parent",), 10),
    ]


@pytest.mark.parametrize(
    "block",
    [
        "a: &x Beta\nb: *x\n",  # the anchor would be lost
        "a: |\n  Beta\n",
        "a: !!str Beta\n",
        "a: [Beta\n",
        "",
    ],
)
def test_what_cannot_be_changed_alone_stays(block: str) -> None:
    data = f"---\n{block}---\nBeta\n".encode()
    assert replace_scalars(data, beta) == (data, [])


def test_other_front_matter_is_left_alone() -> None:
    for data in (b'+++\na = "Beta"\n+++\nx\n', b"a:: Beta\n", b"Beta\n", b""):
        assert replace_scalars(data, beta) == (data, [])


def test_letters_of_all_widths_before_the_value() -> None:
    data = "\ufeff---\n日本: 🚀 é\na: [Beta, 数据]\n---\nx".encode()
    out, _ = replace_scalars(data, beta)
    assert out == data.replace(b"[Beta,", b'["Beta: two",')
