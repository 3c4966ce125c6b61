"""Operations on what ties pages together: links, the graph and tags."""

from __future__ import annotations

from memex_core.model.operations.pages import SLUG
from memex_core.model.operations.registry import DRY_RUN, PROJECT, SCOPE, Operation, Param

OPERATIONS = (
    Operation(
        "links",
        "list the links of a page",
        "links",
        (
            SLUG,
            Param("hops", "how many links away", "int", 1),
            Param("back", "only the links that lead to it", "bool", False),
            SCOPE,
            PROJECT,
        ),
        example="memex links ruff-linter --hops 2",
    ),
    Operation(
        "graph",
        "print the graph of pages",
        "links",
        (
            Param("around", "only around this page", metavar="SLUG", names_page=True),
            Param("hops", "how many links away from it", "int", 1),
            SCOPE,
            PROJECT,
            Param(
                "format",
                "mermaid, dot (Graphviz), json, canvas (JSON Canvas) or svg",
                default=None,
                choices=("mermaid", "dot", "json", "canvas", "svg"),
                face="cli",
            ),
        ),
        example="memex graph --around ruff-linter --format mermaid",
    ),
    Operation(
        "tags",
        "list tags with the number of their pages",
        "links",
        (),
        rows="tags",
        example="memex tags",
    ),
    Operation(
        "tags merge",
        "give the pages of one tag another that exists",
        "links",
        (
            Param("old", "the tag that goes", positional=True, required=True, metavar="A"),
            Param("new", "the tag that stays", positional=True, required=True, metavar="B"),
            DRY_RUN,
        ),
        writes=True,
        example="memex tags merge py python",
    ),
    Operation(
        "tags rename",
        "rename a tag on all its pages",
        "links",
        (
            Param("old", "the tag", positional=True, required=True, metavar="A"),
            Param("new", "its new name", positional=True, required=True, metavar="B"),
            DRY_RUN,
        ),
        writes=True,
        example="memex tags rename todo to-do",
    ),
)
