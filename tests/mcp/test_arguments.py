"""What models send for a parameter, and what is made of it."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.mcp.arguments import decode
from memex_core.mcp.tools import offered
from memex_core.model.errors import BadInput

TOOLS = offered(read_only=False)


def read(tool: str, **given: Any) -> dict[str, Any]:
    return decode(TOOLS[f"memex_{tool}"].params, given)


@pytest.mark.parametrize(
    "tags",
    [
        ["a", "b"],
        '["a", "b"]',
        "a,b",
        "a, b",
        ["a", "", "b"],
        "[a, b]",
        "['a', 'b']",
        '"a", "b"',
        "[\"a\", 'b',]",
    ],
)
def test_lists_in_every_form_are_the_same(tags: Any) -> None:
    assert read("recall", tags=tags) == {"tags": ["a", "b"]}


@pytest.mark.parametrize(
    "links", [["ruff:supports", "lint"], '["ruff:supports", "lint"]', "ruff:supports,lint"]
)
def test_links_too(links: Any) -> None:
    assert read("write", type="entity", title="T", links=links)["links"] == ["ruff:supports", "lint"]


@pytest.mark.parametrize("links", ["[[Rye loaf]]", "[[Rye loaf]], [[Oven]]"])
def test_what_stands_in_brackets_of_its_own_keeps_them(links: str) -> None:
    assert read("write", type="entity", title="T", links=links)["links"] == links.split(", ")


def test_links_may_be_objects() -> None:
    link = {"target": "ruff", "rel": "supports"}
    assert read("write", type="entity", title="T", links=[link])["links"] == [link]


@pytest.mark.parametrize("turns", [[{"role": "user"}], '[{"role": "user"}]'])
def test_objects_may_be_text(turns: Any) -> None:
    assert read("ingest_transcript", session_id="s", turns=turns)["turns"] == [{"role": "user"}]


@pytest.mark.parametrize("value", ['{"color": "red"}', {"color": "red"}])
def test_a_map_may_be_text(value: Any) -> None:
    assert read("edit", slug="x", set=value)["set"] == {"color": "red"}


@pytest.mark.parametrize("name", ["query", "q", "text", "question", "search"])
def test_names_that_models_guess_are_understood(name: str) -> None:
    assert read("recall", **{name: "oven"}) == {"query": "oven"}


def test_a_guessed_name_never_stands_beside_the_real_one() -> None:
    with pytest.raises(BadInput, match="query is given twice, also as q"):
        read("recall", query="a", q="b")
    assert read("diary", text="not a query") == {"text": "not a query"}
    assert read("show", name="oven") == {"slug": "oven"}


@pytest.mark.parametrize(
    ("tool", "given", "values"),
    [
        ("recall", {"query": "x", "top_k": "5"}, {"query": "x", "top_k": 5}),
        ("recall", {"query": "x", "top_k": 5.0}, {"query": "x", "top_k": 5}),
        ("recall", {"query": 2026}, {"query": "2026"}),
        ("recall", {"query": "x", "expand": "true"}, {"query": "x", "expand": True}),
        ("recall", {"query": "x", "scope": None, "after": ""}, {"query": "x"}),
        ("recall", {"query": ""}, {}),
        ("edit", {"slug": "x", "body": ""}, {"slug": "x", "body": ""}),
        ("read_transcript", {"session_id": "s", "turns": 4}, {"session_id": "s", "turns": "4"}),
        (
            "write",
            {"type": "a", "title": "T", "importance": "0.7"},
            {"type": "a", "title": "T", "importance": 0.7},
        ),
    ],
)
def test_values_are_read_as_what_they_can_only_mean(
    tool: str, given: dict[str, Any], values: dict[str, Any]
) -> None:
    assert read(tool, **given) == values


@pytest.mark.parametrize(
    ("tool", "given", "line"),
    [
        ("show", {}, "slug is missing; the page: slug, path, alias or title"),
        ("show", {"slug": None}, "slug is missing; the page: slug, path, alias or title"),
        ("recall", {"qery": "x"}, "there is no parameter 'qery'; did you mean query?"),
        ("status", {"zzz": 1}, "there is no parameter 'zzz'; it takes none"),
        ("recall", {"query": ["x"]}, "query must be text; not a list"),
        ("recall", {"query": True}, "query must be text; not true or false"),
        ("recall", {"top_k": "many"}, "top_k must be a number; not text"),
        ("recall", {"top_k": 2.5}, "top_k must be a whole number; without a fraction"),
        ("recall", {"top_k": float("inf")}, "top_k must be a whole number; without a fraction"),
        ("recall", {"expand": "perhaps"}, "expand must be true or false; not text"),
        ("recall", {"scope": "galaxy"}, "scope cannot be 'galaxy'; one of global, project, branch"),
        ("recall", {"tags": {"a": 1}}, "tags must be a list of texts; not an object"),
        ("recall", {"tags": [["a"]]}, "tags must be a list of texts; not a list"),
        ("edit", {"slug": "x", "set": "color=red"}, "set must be an object; of keys and their values"),
        (
            "ingest_transcript",
            {"session_id": "s", "turns": "hi"},
            "turns must be a list of objects; the text given is not JSON",
        ),
        (
            "ingest_transcript",
            {"session_id": "s", "turns": [1]},
            "turns must be a list of objects; not a list",
        ),
        ("export", {"format": "pdf"}, "format cannot be 'pdf'; one of json"),
    ],
)
def test_what_is_wrong_is_named(tool: str, given: dict[str, Any], line: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(tool, **given)
    assert str(caught.value) == line
