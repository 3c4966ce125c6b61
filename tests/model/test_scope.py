from __future__ import annotations

import pytest

from memex_core.model.errors import BadInput, Refused
from memex_core.model.scope import SCOPES, check_scope, narrower, reaches, read_scope, wider


def test_scopes_run_from_wide_to_narrow() -> None:
    assert SCOPES == ("global", "project", "branch")
    assert [wider("branch"), wider("project")] == ["project", "global"]
    assert [narrower("global"), narrower("project")] == ["project", "branch"]


def test_there_is_no_step_past_the_ends() -> None:
    with pytest.raises(Refused, match="promoted further"):
        wider("global")
    with pytest.raises(Refused, match="demoted further"):
        narrower("branch")


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ((None, "", ""), ("global", "", "")),
        (("", "tea", ""), ("project", "tea", "")),
        (("", "tea", "main"), ("branch", "tea", "main")),
        ((" Project ", " tea ", ""), ("project", "tea", "")),
        (("global", "", ""), ("global", "", "")),
        (("branch", "tea", "main"), ("branch", "tea", "main")),
    ],
)
def test_check_scope(given: tuple[str | None, str, str], found: tuple[str, str, str]) -> None:
    assert check_scope(*given) == found


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (("planet", "", ""), "'planet' is no scope"),
        (("project", "", ""), "scope project needs a project"),
        (("", "", "main"), "scope branch needs a project"),
        (("branch", "tea", ""), "scope branch needs a branch"),
        (("global", "tea", ""), "scope global has no project"),
        (("project", "tea", "main"), "scope project has no branch"),
    ],
)
def test_a_scope_that_does_not_fit_is_refused(given: tuple[str, str, str], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        check_scope(*given)


def test_a_page_says_its_scope_or_is_global() -> None:
    assert [read_scope(word) for word in ("Branch", "project", "", None, "galaxy")] == [
        "branch",
        "project",
        "global",
        "global",
        "global",
    ]


def test_whom_a_page_reaches() -> None:
    assert reaches("global", "", "", "")
    assert reaches("project", "tea", "", "tea")
    assert not reaches("project", "tea", "", "coffee")
    assert not reaches("project", "", "", "")
    assert reaches("branch", "tea", "main", "tea", "main")
    assert not reaches("branch", "tea", "main", "tea", "other")
    assert not reaches("branch", "tea", "", "tea", "")
